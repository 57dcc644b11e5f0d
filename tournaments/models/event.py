"""Series, events and rounds, and the revisions that count their changes."""

from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from tournaments.event import choices
from tournaments.event.choices import knows_results, knows_round_order
from tournaments.event.dates import ends_before, known_time_zone, partial_date, time_of_day
from tournaments.event.prizes import Sharing
from tournaments.event.reuse import LONGEST_DOI, known_doi
from tournaments.models.versioned import Versioned, past

LONGEST_WAIT = 24 * 60
"""Minutes: one day."""


class Series(Versioned):
    """Editions of the same event, such as the Chess Olympiad."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120, unique=True)
    history = past()

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name


def _address(help_text: str) -> "models.CharField[str, str]":
    return models.CharField(
        max_length=200, blank=True, db_default="", default="", editable=False, help_text=help_text
    )


class Event(Versioned):
    """A tournament: participants, scoring and ranking system. Points are stored as half-points."""

    State = choices.EventState
    Entrants = choices.Entrants
    TeamsAre = choices.TeamsAre
    Schedule = choices.Schedule
    WithdrawalAtHalf = choices.WithdrawalAtHalf
    Places = choices.Places
    CellNumber = choices.CellNumber
    Columns = choices.ColumnOrder
    Language = choices.Language
    BoardOrder = choices.BoardOrder
    PlayersEntry = choices.PlayersEntry

    data_version: int | None = None
    """The revision at the time of loading. None if loaded without it (`operations.revision.present`)."""
    epoch: str = ""
    """The epoch at the time of loading, loaded with the revision."""
    changed_at: datetime | None = None
    """Time of the last change, loaded with the revision."""
    public_at: datetime | None = None
    """Time at which readers could first see the event, loaded with the revision."""

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    # PROTECT: a series is deleted last, because its page links to its editions.
    series = models.ForeignKey(Series, on_delete=models.PROTECT, null=True, blank=True, related_name="events")
    # A name instead of a table, because a congress has no data except its sections.
    congress = models.CharField(
        max_length=120,
        blank=True,
        help_text="With its year, the same for each of its sections: Amsterdam Open 2026.",
    )
    section = models.CharField(max_length=60, blank=True, help_text="Of the congress: Open, Women, U16.")
    place = models.CharField(max_length=120, blank=True)
    # No choices: codes of former countries are valid too, see event/federations.py.
    country = models.CharField(max_length=3, blank=True, help_text="Federation code of the place.")
    # Text, because only the year or the month of many old events is known.
    start = models.CharField(max_length=10, blank=True, validators=[partial_date])
    end = models.CharField(max_length=10, blank=True, validators=[partial_date])
    # No choices, so that a new edition of IANA's list needs no migration.
    time_zone = models.CharField(
        max_length=60,
        blank=True,
        validators=[known_time_zone],
        help_text="By whose clocks the rounds start: Europe/Amsterdam, Asia/Tbilisi.",
    )
    state = models.CharField(max_length=8, choices=State, default=State.DRAFT)

    discipline = models.CharField(max_length=30)
    entrants = models.CharField(max_length=7, choices=Entrants)
    teams_are = models.CharField(
        max_length=7,
        choices=TeamsAre,
        default=TeamsAre.NATIONS,
        help_text="Of clubs and cities the code is their own, and the flag of the country follows it.",
    )
    schedule = models.CharField(max_length=18, choices=Schedule)
    planned_rounds = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    unknown = models.JSONField(
        default=list, blank=True, help_text="Facts that no source gives: colours, round_order, results."
    )
    boards = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Team events only.")
    board_order = models.CharField(
        max_length=5,
        choices=BoardOrder,
        default=BoardOrder.FIXED,
        help_text="Whether a team's players sit in the order of its roster. Team events only.",
    )

    game_win = models.PositiveSmallIntegerField(help_text="In half-points, as all points here.")
    game_draw = models.PositiveSmallIntegerField()
    game_loss = models.PositiveSmallIntegerField(default=0)
    game_results = models.CharField(
        max_length=200, blank=True, help_text="Every result that a game can have, where they are listed."
    )
    match_win = models.PositiveSmallIntegerField(default=4)
    match_draw = models.PositiveSmallIntegerField(default=2)
    match_loss = models.PositiveSmallIntegerField(default=0)

    # No choices, so that a new system in the engine needs no migration.
    system = models.CharField(max_length=40)
    criteria = models.JSONField(default=list, blank=True, help_text="Open systems only.")
    primary = models.CharField(max_length=5, blank=True, choices=[("match", "match"), ("game", "game")])
    bye_game = models.PositiveSmallIntegerField(null=True, blank=True)
    bye_match = models.PositiveSmallIntegerField(null=True, blank=True)
    wins_count_byes = models.BooleanField(default=False)
    withdrawal_at_half = models.CharField(
        max_length=7, choices=WithdrawalAtHalf, default=WithdrawalAtHalf.FORFEIT
    )
    unplayed = models.CharField(max_length=20, blank=True, help_text="Blank: the system's own policy.")
    unrated = models.CharField(
        max_length=4, blank=True, help_text="A rating for who has none, or drop; blank: nothing was said."
    )

    # Pairing settings. They are public, because readers may ask why two competitors were paired.
    start_order = models.CharField(max_length=6, choices=choices.StartOrder, blank=True)
    start_seed = models.CharField(
        max_length=40,
        blank=True,
        help_text="Of the lots: the same seed gives the same order.",
    )
    initial_colour = models.CharField(
        max_length=5, choices=choices.Colour, blank=True, help_text="Of number 1 in the first round."
    )
    acceleration = models.CharField(max_length=4, choices=choices.Acceleration, blank=True)
    accelerated_to = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The last number that is accelerated; from the first round on."
    )
    forbidden_pairs = models.JSONField(
        default=list, blank=True, help_text="Groups of competitors who are not to meet each other."
    )
    team_colours = models.CharField(max_length=6, choices=choices.TeamColours, blank=True)
    delayed_points = models.CharField(
        max_length=7,
        choices=choices.DelayedPoints,
        default=choices.DelayedPoints.DRAW,
        help_text="What a postponed or adjourned game counts for pairing.",
    )
    half_byes = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How many half-point byes a competitor may ask for; empty: any."
    )
    half_byes_until = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The last round for which; empty: any."
    )

    officials = models.JSONField(
        default=list, blank=True, help_text="As the event file has them: role, title, name, FIDE id."
    )
    time_control = models.CharField(
        max_length=200, blank=True, help_text="In words: 90 minutes for 40 moves, then 30, 30 seconds a move."
    )
    time_code = models.CharField(
        max_length=60, blank=True, help_text="The same by FIDE's code, in seconds: 40/5400+30:1800+30."
    )
    rated_as = models.CharField(
        max_length=8,
        choices=choices.RatedAs,
        blank=True,
        help_text="The list that the games are rated for; ratings are looked up and updated from it.",
    )
    ratings_from = models.CharField(
        max_length=8,
        choices=choices.RatingsFrom,
        blank=True,
        default="",
        db_default="",
        help_text="The list that the ratings here are from; empty: the list that the games are rated for.",
    )

    places = models.CharField(max_length=6, choices=Places, default=Places.BLANK)
    cell_number = models.CharField(max_length=5, choices=CellNumber, default=CellNumber.PLACE)
    columns = models.CharField(max_length=9, choices=Columns, default=Columns.DECIDING)
    language = models.CharField(
        max_length=2,
        choices=Language,
        blank=True,
        help_text="What is printed for the hall is in this language; English where none is chosen.",
    )

    categories = models.JSONField(default=list, blank=True, help_text="As the event file has them.")
    prizes = models.JSONField(default=list, blank=True, help_text="As the document has them: in hundredths.")
    prize_currency = models.CharField(max_length=3, blank=True)
    prize_sharing = models.CharField(max_length=8, choices=Sharing, default=Sharing.EQUAL)
    prizes_cumulative = models.BooleanField(default=False)
    prize_step = models.PositiveBigIntegerField(default=1, validators=[MinValueValidator(1)])
    prizes_public = models.BooleanField(default=False)

    sources = models.JSONField(default=list, blank=True)
    licence = models.CharField(
        max_length=200,
        blank=True,
        help_text="An SPDX id such as CC-BY-4.0, or words; blank: that of the site.",
    )
    doi = models.CharField(
        "DOI",
        max_length=LONGEST_DOI,
        blank=True,
        validators=[known_doi],
        help_text="What names the data for ever, if they have one: 10.5281/zenodo.1234567.",
    )
    notes = models.TextField(blank=True)
    trf = models.JSONField(
        default=list, blank=True, help_text="Lines of a tournament report that nothing else here says."
    )
    # Not in event files: a copy, an import or a restored backup must not accept results by itself.
    players_entry = models.CharField(
        "results by players",
        max_length=4,
        choices=PlayersEntry,
        default=PlayersEntry.OFF,
        blank=True,
        help_text="By the QR code of their slip; nothing counts before the desk takes it.",
    )
    players_entry_after = models.PositiveSmallIntegerField(
        "minutes before it opens",
        default=0,
        validators=[MaxValueValidator(LONGEST_WAIT)],
        help_text="From the publishing of a round until its players may send results.",
    )
    # Not in event files either: a copy of the event has a home of its own (docs/desk.md).
    home = _address("The Crosstable where the event is changed; blank: this one.")
    shown_at = _address("The address of the site that lent the event and gets each change of it.")
    arbiters = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="events")
    history = past(m2m_fields=[arbiters])

    class Meta:
        ordering = ["-start", "name"]
        indexes = [
            models.Index(fields=["shown_at"], condition=~Q(shown_at=""), name="borrowed_events"),
            models.Index(fields=["-start", "name"], name="events_by_start"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(entrants="teams", boards__isnull=False, boards__gte=1)
                | Q(entrants="players", boards__isnull=True),
                name="boards_in_team_events_only",
            ),
            models.CheckConstraint(
                condition=Q(game_win__gt=F("game_draw"), game_draw__gt=F("game_loss")),
                name="game_scoring_descends",
            ),
            models.CheckConstraint(
                condition=Q(match_win__gt=F("match_draw"), match_draw__gt=F("match_loss")),
                name="match_scoring_descends",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        if ends_before(self.start, self.end):
            raise ValidationError(_("The last day is before the first. Correct one of the two."))

    @property
    def is_team(self) -> bool:
        return self.entrants == self.Entrants.TEAMS

    @property
    def has_nations(self) -> bool:
        return self.teams_are == self.TeamsAre.NATIONS

    @property
    def is_round_robin(self) -> bool:
        return self.schedule != self.Schedule.SWISS

    @property
    def knows_round_order(self) -> bool:
        """Return whether the order of the rounds is known. If not, no page shows rounds."""
        return knows_round_order(self)

    @property
    def knows_results(self) -> bool:
        """Return whether results are recorded. If not, only the published ranking is shown."""
        return knows_results(self)

    @property
    def stamp(self) -> str:
        return f"{self.epoch}-{self.data_version}"

    @property
    def is_public(self) -> bool:
        return self.state in choices.PUBLIC

    @property
    def is_over(self) -> bool:
        return self.state in choices.OVER


class FormerSlug(models.Model):
    """A former slug of an event, which redirects permanently."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="former_slugs")
    slug = models.SlugField(max_length=80, unique=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Round(Versioned):
    State = choices.RoundState

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    date = models.CharField(max_length=10, blank=True, validators=[partial_date])
    time = models.CharField(
        max_length=5,
        blank=True,
        validators=[time_of_day],
        help_text="When it starts, by the clocks of the place: 14:00. May be left blank.",
    )
    state = models.CharField(max_length=9, choices=State, default=State.DRAFT)
    pairing_numbers = models.JSONField(
        default=dict, blank=True, help_text="The pairing numbers of the round that have changed since."
    )
    provisional_results = models.JSONField(
        default=list, blank=True, help_text="Open games of earlier rounds, as they counted for its pairings."
    )
    # Messages of findings and numbers of unpaired competitors that were confirmed when the round was
    # published, so that closing does not ask again. Only for the desk: event files and clones do not contain
    # it, so a restored round asks again.
    confirmed = models.JSONField(default=dict, blank=True)
    history = past(excluded_fields=["confirmed"])

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_once_an_event"),
            models.CheckConstraint(condition=Q(number__gte=1), name="rounds_count_from_one"),
            models.CheckConstraint(condition=Q(time="") | ~Q(date=""), name="rounds_with_a_time_have_a_date"),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @property
    def is_closed(self) -> bool:
        return self.state == self.State.CLOSED


class Revision(models.Model):
    """Number and time of the changes of an event. Written only by database triggers: see
    tournaments.operations.revision.
    """

    # A separate table, because triggers on the event would call themselves.
    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True)
    number = models.PositiveBigIntegerField(editable=False)
    # Not indexed: the index would be updated with every result, and few queries would use it.
    changed_at = models.DateTimeField(editable=False, db_default=Now())
    public_at = models.DateTimeField(
        editable=False, null=True, help_text="When readers could first see the event."
    )
    settled = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="So much of the number is in the total of the site."
    )
    named = models.PositiveBigIntegerField(
        editable=False, db_default=1, help_text="The number at the last change of what a search looks up."
    )
    searched = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="What a search looks up was made at this `named`."
    )
    listed = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="The site's number at the last change of the event itself."
    )

    counted = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="Medals were counted at this number."
    )

    class Meta:
        # Most of these indexes contain only the few events that wait for processing.
        indexes = [
            models.Index(fields=["event"], condition=Q(number__gt=F("settled")), name="revisions_unsettled"),
            models.Index(fields=["event"], condition=Q(named__gt=F("searched")), name="revisions_unsearched"),
            models.Index(fields=["event"], condition=Q(number__gt=F("counted")), name="revisions_uncounted"),
            models.Index(fields=["listed"], name="revisions_listed"),
        ]

    def __str__(self) -> str:
        return f"revision {self.number}"


class SiteRevision(models.Model):
    """Number of changes of events and series, and the epoch (`tournaments.operations.epoch`).

    One row. Only the database writes its number.
    """

    number = models.PositiveBigIntegerField(editable=False)
    # A database default, because triggers insert the row without a value.
    epoch = models.CharField(max_length=16, editable=False, db_default="")
    people = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="How often a person, a team or a link has changed."
    )
    settled = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="The sum of what is settled of the events' numbers."
    )
    removed = models.PositiveBigIntegerField(
        editable=False, db_default=0, help_text="The number at which an event was last deleted."
    )
    names_form = models.CharField(
        max_length=16, editable=False, db_default="", help_text="How names were folded to find namesakes."
    )
    search_form = models.CharField(
        max_length=16, editable=False, db_default="", help_text="How what a search looks up was made."
    )
    cleaned_form = models.CharField(
        max_length=16, editable=False, db_default="", help_text="The rules by which private data was removed."
    )
    cleaned_at = models.DateTimeField(
        editable=False, null=True, help_text="Private data of earlier changes was removed."
    )

    def __str__(self) -> str:
        return f"site revision {self.number}"

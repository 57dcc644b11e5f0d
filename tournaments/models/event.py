"""Series, Event and Round, and the revision that says when any of it changed."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext as _

from tournaments.event import choices
from tournaments.event.dates import ends_before, partial_date
from tournaments.models.versioned import Versioned, past


class Series(Versioned):
    """Events that are editions of the same thing, such as the Chess Olympiad."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120, unique=True)
    history = past()

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name


class Event(Versioned):
    """One tournament: who plays, how it is scored, by which system it is ranked. Points are half-points."""

    State = choices.EventState
    Entrants = choices.Entrants
    TeamsAre = choices.TeamsAre
    Schedule = choices.Schedule
    WithdrawalAtHalf = choices.WithdrawalAtHalf
    Places = choices.Places
    CellNumber = choices.CellNumber
    Columns = choices.ColumnOrder

    data_version: int | None = None
    """The revision that it was read at; None where it was read without (`tournaments.revision.present`)."""
    epoch: str = ""
    """The epoch that it was read in, together with the revision."""

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    # PROTECT: a series goes last, since its page leads to its editions.
    series = models.ForeignKey(Series, on_delete=models.PROTECT, null=True, blank=True, related_name="events")
    place = models.CharField(max_length=120, blank=True)
    # No choices: codes of countries that are no more are as right, see event/federations.py.
    country = models.CharField(max_length=3, blank=True, help_text="Federation code of the place.")
    # Text: of many old events the year or the month is all that is known.
    start = models.CharField(max_length=10, blank=True, validators=[partial_date])
    end = models.CharField(max_length=10, blank=True, validators=[partial_date])
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
    boards = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Team events only.")

    game_win = models.PositiveSmallIntegerField(help_text="In half-points, as all points here.")
    game_draw = models.PositiveSmallIntegerField()
    game_loss = models.PositiveSmallIntegerField(default=0)
    game_results = models.CharField(
        max_length=200, blank=True, help_text="Every result that a game can have, where they are listed."
    )
    match_win = models.PositiveSmallIntegerField(default=4)
    match_draw = models.PositiveSmallIntegerField(default=2)
    match_loss = models.PositiveSmallIntegerField(default=0)

    # No choices: another system in the engine needs no migration.
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

    places = models.CharField(max_length=6, choices=Places, default=Places.BLANK)
    cell_number = models.CharField(max_length=5, choices=CellNumber, default=CellNumber.PLACE)
    columns = models.CharField(max_length=9, choices=Columns, default=Columns.DECIDING)

    sources = models.JSONField(default=list, blank=True)
    licence = models.CharField(max_length=200, blank=True)
    notes = models.TextField(blank=True)
    trf = models.JSONField(
        default=list, blank=True, help_text="Lines of a tournament report that nothing else here says."
    )
    arbiters = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="events")
    history = past(m2m_fields=[arbiters])

    class Meta:
        ordering = ["-start", "name"]
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
        """Refuse an end before the start."""
        if ends_before(self.start, self.end):
            raise ValidationError(_("The last day is before the first. Correct one of the two."))

    @property
    def is_team(self) -> bool:
        """Say whether the competitors are teams."""
        return self.entrants == self.Entrants.TEAMS

    @property
    def has_nations(self) -> bool:
        """Say whether a competitor's code is its country's."""
        return self.teams_are == self.TeamsAre.NATIONS

    @property
    def is_round_robin(self) -> bool:
        """Say whether everybody meets everybody, once or twice."""
        return self.schedule != self.Schedule.SWISS

    @property
    def stamp(self) -> str:
        """Return the epoch and revision that it was read at: under what anything made of it may be kept."""
        return f"{self.epoch}-{self.data_version}"

    @property
    def is_public(self) -> bool:
        """Say whether readers find its pages at their addresses."""
        return self.state in choices.PUBLIC

    @property
    def is_over(self) -> bool:
        """Say whether it has come to its end."""
        return self.state in choices.OVER


class FormerSlug(models.Model):
    """An address the event had before; it answers with a redirect for ever."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="former_slugs")
    slug = models.SlugField(max_length=80, unique=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Round(Versioned):
    """One round of an event."""

    State = choices.RoundState

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    date = models.CharField(max_length=10, blank=True, validators=[partial_date])
    state = models.CharField(max_length=9, choices=State, default=State.DRAFT)
    history = past()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_once_an_event"),
            models.CheckConstraint(condition=Q(number__gte=1), name="rounds_count_from_one"),
        ]

    def __str__(self) -> str:
        return f"round {self.number}"

    @property
    def is_draft(self) -> bool:
        """Say whether its pairings are still being made, and changed freely."""
        return self.state == self.State.DRAFT

    @property
    def is_closed(self) -> bool:
        """Say whether its results are settled."""
        return self.state == self.State.CLOSED


class Revision(models.Model):
    """How often anything of an event has changed. Only the database writes it: see tournaments.revision."""

    # A table of its own: triggers on the event would call themselves.
    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True)
    number = models.PositiveBigIntegerField(editable=False)

    def __str__(self) -> str:
        return f"revision {self.number}"


class SiteRevision(models.Model):
    """How often an event or a series itself has changed, and the epoch (`tournaments.epoch`).

    One row; its number is written by the database only.
    """

    number = models.PositiveBigIntegerField(editable=False)
    # A default of the database's: the triggers write the row without it.
    epoch = models.CharField(max_length=16, editable=False, db_default="")

    def __str__(self) -> str:
        return f"site revision {self.number}"

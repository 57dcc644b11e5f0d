"""Pairings of competitors in rounds, and games on the boards of matches."""

from django.db import models
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from tournaments.event.choices import (
    ALONE,
    BOARD_KINDS,
    DECIDED,
    OVER,
    SCORELESS,
    Delay,
    Kind,
    PairingColours,
    PairingSide,
)
from tournaments.models.competitor import Competitor, Player
from tournaments.models.event import Event, Round
from tournaments.models.versioned import Versioned, past


class Pairing(Versioned):
    """A match of two teams, a game of two players, or a bye or absence. Scores are half-points."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    # Table numbers may have gaps, because tables keep their numbers if one is removed.
    table = models.PositiveSmallIntegerField()
    first = models.ForeignKey(Competitor, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Competitor, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    colours = models.CharField(
        max_length=7,
        choices=PairingColours,
        blank=True,
        help_text="Unknown if the sides do not give the colours.",
    )
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.PENDING)
    # Of a match: its open boards are all delayed.
    delayed = models.CharField(max_length=9, choices=Delay, blank=True)
    first_score = models.PositiveSmallIntegerField(null=True, blank=True)
    second_score = models.PositiveSmallIntegerField(null=True, blank=True)
    first_match_points = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Only where they do not follow from the score."
    )
    second_match_points = models.PositiveSmallIntegerField(null=True, blank=True)
    advantage = models.CharField(
        max_length=6, blank=True, choices=PairingSide, help_text="Who has the advantage in a drawn game (1+)."
    )
    games_played = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of a micro-match.")
    moves = models.TextField(blank=True, help_text="As they stand in a PGN or PDN file.")
    note = models.TextField(blank=True)
    # Only for the desk, while the round is a draft. Not in files and backups, because it is no data of the
    # event.
    locked = models.BooleanField(
        default=False, help_text="Stays as it is when the rest of the round is proposed again."
    )
    history = past()

    class Meta:
        ordering = ["table"]
        constraints = [
            models.UniqueConstraint(fields=["round", "table"], name="table_once_a_round"),
            # A trigger refuses a competitor who is first here and second there, because no constraint
            # compares two columns.
            models.UniqueConstraint(fields=["round", "first"], name="first_once_a_round"),
            models.UniqueConstraint(fields=["round", "second"], name="second_once_a_round"),
            models.CheckConstraint(condition=Q(table__gte=1), name="tables_count_from_one"),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="kind_of_pairing_known"),
            models.CheckConstraint(
                condition=Q(second__isnull=True) | ~Q(first=F("second")), name="nobody_plays_himself"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=ALONE, second__isnull=True)
                | (~Q(kind__in=ALONE) & Q(second__isnull=False)),
                name="only_rounds_off_have_no_second",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=SCORELESS, first_score__isnull=True, second_score__isnull=True)
                | Q(kind__in=ALONE, first_score__isnull=False, second_score__isnull=True)
                | Q(kind__in=DECIDED, first_score__isnull=False, second_score__isnull=False),
                name="score_as_its_kind_of_pairing_has_it",
            ),
            models.CheckConstraint(
                condition=Q(delayed="") | Q(delayed__in=Delay.values, kind=Kind.PENDING),
                name="only_open_pairings_are_delayed",
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table}"

    @property
    def fixed_tables(self) -> list[int]:
        sides = (self.first, self.second) if self.second else ()
        return sorted(side.fixed_table for side in sides if side.fixed_table)


class Game(Versioned):
    """A board of a match. Scores are half-points. `white` is blank if the source does not give it."""

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="games")
    board = models.PositiveSmallIntegerField()
    # RESTRICT: a player is deleted with the team, but not while a board refers to the player.
    first_player = models.ForeignKey(
        Player, on_delete=models.RESTRICT, null=True, blank=True, related_name="+"
    )
    second_player = models.ForeignKey(
        Player, on_delete=models.RESTRICT, null=True, blank=True, related_name="+"
    )
    # In a pairing the first competitor has White. Colours alternate over the boards of a match, and sources
    # differ.
    white = models.CharField(max_length=6, blank=True, choices=PairingSide)
    kind = models.CharField(max_length=8, choices=[(k.value, k.label) for k in BOARD_KINDS])
    delayed = models.CharField(max_length=9, choices=Delay, blank=True)
    first_score = models.PositiveSmallIntegerField(null=True, blank=True)
    second_score = models.PositiveSmallIntegerField(null=True, blank=True)
    advantage = models.CharField(max_length=6, blank=True, choices=PairingSide)
    games_played = models.PositiveSmallIntegerField(null=True, blank=True)
    moves = models.TextField(blank=True)
    history = past()

    class Meta:
        ordering = ["board"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "board"], name="board_once_a_match"),
            models.CheckConstraint(condition=Q(board__gte=1), name="boards_count_from_one"),
            models.CheckConstraint(condition=Q(kind__in=BOARD_KINDS), name="kind_of_game_known"),
            models.CheckConstraint(
                condition=Q(kind__in=SCORELESS, first_score__isnull=True, second_score__isnull=True)
                | (~Q(kind__in=SCORELESS) & Q(first_score__isnull=False, second_score__isnull=False)),
                name="score_as_its_kind_of_game_has_it",
            ),
            models.CheckConstraint(
                condition=Q(delayed="") | Q(delayed__in=Delay.values, kind=Kind.PENDING),
                name="only_open_games_are_delayed",
            ),
        ]

    def __str__(self) -> str:
        return f"board {self.board}"


def decided_by_withdrawal(pairing: str = "") -> Q:
    """Return a condition for pairings without a result that a withdrawal from a round robin decides.

    They count as forfeits or are annulled; `Document.without_result` leaves out the same pairings.
    `pairing`: the path of the pairing, such as `pairings__`.
    """
    number = F(f"{pairing}round__number")
    is_gone = Q((f"{pairing}first__withdrawn_after__lt", number)) | Q(
        (f"{pairing}second__withdrawn_after__lt", number)
    )
    is_swiss = Q((f"{pairing}round__event__schedule", Event.Schedule.SWISS))
    return Q((f"{pairing}kind", Kind.PENDING)) & is_gone & ~is_swiss


def without_result(pairing: str = "") -> Q:
    """Return a condition for pairings whose result must still be entered."""
    return Q((f"{pairing}kind", Kind.PENDING)) & ~decided_by_withdrawal(pairing)


def missing_result(pairing: str = "") -> Q:
    """Return a condition for pairings without a result that are neither postponed nor adjourned."""
    return without_result(pairing) & Q((f"{pairing}delayed", ""))


def delayed(pairing: str = "") -> Q:
    """Return a condition for postponed and adjourned pairings that are not decided."""
    return without_result(pairing) & ~Q((f"{pairing}delayed", ""))


# Public code must use these functions or the document of `tournaments.interchange.public`; the desk uses the
# models (ADR 0020).


def public_rounds(event: Event | OuterRef) -> QuerySet[Round]:
    return Round.objects.filter(~Q(state=Round.State.DRAFT), event=event)


def dated_rounds(*events: Event) -> QuerySet[Round]:
    """Return the rounds with a date, annotated with `is_paired` as readers know it.

    The schedule is public, so drafts are included; but only the date and time of a draft are.
    """
    paired = all_public_pairings().filter(round=OuterRef("pk"))
    rounds = Round.objects.filter(event__in=events).exclude(date="").annotate(is_paired=Exists(paired))
    # Rounds that were planned but never played.
    return rounds.exclude(is_paired=False, state=Round.State.DRAFT, event__state__in=OVER)


def all_public_pairings() -> QuerySet[Pairing]:
    return Pairing.objects.filter(~Q(round__state=Round.State.DRAFT))


def public_pairings(event: Event) -> QuerySet[Pairing]:
    return all_public_pairings().filter(round__event=event)


def all_public_games() -> QuerySet[Game]:
    return Game.objects.filter(~Q(pairing__round__state=Round.State.DRAFT))


def public_games(event: Event) -> QuerySet[Game]:
    return all_public_games().filter(pairing__round__event=event)

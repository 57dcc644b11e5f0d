"""The pairings and results of a round."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from standings.cards.sides import Side, side_of
from standings.entries import year_of
from standings.facts import day_text
from tournaments.models import Event, Kind, Override, Pairing, Round
from tournaments.resultcodes import side_texts
from tournaments.shown import shown_rounds


@dataclass(frozen=True)
class PairingLine:
    """One pairing; `label` reads its number aloud, `css` tints the result.

    `by_hand`: an arbiter changed the pairing.
    """

    table: int
    label: str
    first: Side
    second: Side | None
    score: str
    css: str
    by_hand: bool


@dataclass(frozen=True)
class RoundCard:
    """A round: its pairings in the order of the tables, and how many results are still to come."""

    number: int
    date: str
    open: bool
    lines: list[PairingLine]
    awaited: int
    previous: int | None
    next: int | None

    @property
    def by_hand(self) -> bool:
        """Whether an arbiter changed one of the pairings."""
        return any(line.by_hand for line in self.lines)


def round_card(event: Event, number: int) -> RoundCard | None:
    """The card of a round, None where there is none or nothing is paired; four queries."""
    found = shown_rounds(event).filter(number=number).first()
    if found is None:
        return None
    lines = list(_lines(event, found))
    if not lines:
        return None
    paired = shown_rounds(event).filter(pairings__isnull=False).values_list("number", flat=True)
    others = set(paired.distinct())
    return RoundCard(
        number=number,
        date=day_text(found.date),
        open=not found.is_closed,
        lines=lines,
        awaited=sum(line.second is not None and not line.score for line in lines),
        previous=max((other for other in others if other < number), default=None),
        next=min((other for other in others if other > number), default=None),
    )


def _lines(event: Event, found: Round) -> Iterator[PairingLine]:
    pairings = found.pairings.select_related("first", "second").order_by("table")
    rulings = Override.objects.filter(event=event, kind="pairing", round=found.number, undone_by=None)
    by_hand = set(rulings.values_list("table", flat=True))
    year = year_of(event)
    label = _("Match %(table)s") if event.is_team else _("Table %(table)s")
    for pairing in pairings:
        first, second = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
        yield PairingLine(
            table=pairing.table,
            label=label % {"table": pairing.table},
            first=side_of(pairing.first, year),
            second=side_of(pairing.second, year) if pairing.second else None,
            score=f"{first} : {second}" if second else first,
            css=_css(pairing),
            by_hand=pairing.table in by_hand,
        )


def _css(pairing: Pairing) -> str:
    """`w` or `l` for the first side, `d`; `x` for byes and defaults; `n` for what has no result."""
    if pairing.kind in (Kind.PENDING, Kind.UNKNOWN, Kind.ABSENT):
        return "n"
    if pairing.kind != Kind.PLAYED:
        return "x"
    first, second = pairing.first_score or 0, pairing.second_score or 0
    return "w" if first > second else "l" if first < second else "d"

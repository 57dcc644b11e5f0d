"""The pairings and results of a round."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from standings.engine import RoundKind
from standings.eventwords import day_text
from standings.pages.frame import event_answer
from standings.pages.remarks import Remark, marks_of, remarks_of
from standings.pages.sides import Side, facts_in, side_of
from standings.services import paired_rounds
from standings.serving.pages import event_page
from standings.tables.cells import ANNULLED, RoundResult, sign, tint
from tournaments.event.resultcodes import side_texts
from tournaments.models import Event, Pairing, Round
from tournaments.models.pairing import shown_rounds


@dataclass(frozen=True)
class PairingLine:
    """One pairing; `label` reads its number aloud. The result carries the marks of `remarks`.

    `results` is what each side got, none before there is a result, one of who has no opponent.
    """

    table: int
    label: str
    first: Side
    second: Side | None
    results: list["SideResult"]
    remarks: list[Remark]

    @property
    def marks(self) -> str:
        """The marks at the result."""
        return marks_of(self.remarks)


class SideResult(NamedTuple):
    """The score of one side of a pairing; `css` tints it as that side sees it."""

    text: str
    css: str


@dataclass(frozen=True)
class RoundCard:
    """A round: its pairings in the order of the tables, and how many results are still to come."""

    number: int
    date: str
    open: bool
    pairings: list[PairingLine]
    awaited: int
    previous: int | None
    next: int | None

    @property
    def annulled(self) -> bool:
        """Say whether a result counts for nobody, because somebody withdrew."""
        return any(side.css == ANNULLED for line in self.pairings for side in line.results)

    @property
    def remarks(self) -> list[Remark]:
        """Return the corrections and rulings of this round."""
        return [remark for line in self.pairings for remark in line.remarks]


def round_card(event: Event, number: int) -> RoundCard | None:
    """The card of a round, None where there is none or nothing is paired.

    Five queries, and those of the standings.
    """
    found = shown_rounds(event).filter(number=number).first()
    if found is None:
        return None
    lines = list(_lines(event, found))
    if not lines:
        return None
    paired = shown_rounds(event).filter(pairings__isnull=False).values_list("number", flat=True)
    # A round may be without pairings, so the next one is not always number + 1.
    others = set(paired.distinct())
    return RoundCard(
        number=number,
        date=day_text(found.date),
        open=not found.is_closed,
        pairings=lines,
        awaited=sum(line.second is not None and not line.results for line in lines),
        previous=max((other for other in others if other < number), default=None),
        next=min((other for other in others if other > number), default=None),
    )


def _lines(event: Event, found: Round) -> Iterator[PairingLine]:
    pairings = found.pairings.select_related("first", "second").order_by("table")
    remarks, results = remarks_of(event), facts_in(event, found.number)
    label = _("Match %(table)s") if event.is_team else _("Table %(table)s")
    for pairing in pairings:
        yield PairingLine(
            table=pairing.table,
            label=label % {"table": pairing.table},
            first=side_of(event, pairing.first),
            second=side_of(event, pairing.second) if pairing.second else None,
            results=list(_results(pairing, results)),
            remarks=remarks.of_pairing(found.number, pairing.table),
        )


def _results(pairing: Pairing, results: dict[int, RoundResult]) -> Iterator[SideResult]:
    """Return each side's score, as written; of a withdrawal the record says nothing, and the tables do."""
    texts = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
    for side, text in zip((pairing.first, pairing.second), texts, strict=True):
        own = results.get(side.number) if side else None
        shown = text or (sign(own) if own and own.kind == RoundKind.FORFEIT else "")
        if shown:
            yield SideResult(shown, tint(own) if own else "n")


@event_page
def round_(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The pairings and results of a round."""
    card = round_card(event, number)
    if card is None:
        raise Http404
    context = {"card": card, "rounds": range(1, paired_rounds(event) + 1)}
    return event_answer(request, event, "round", context)

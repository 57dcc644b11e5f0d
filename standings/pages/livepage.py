"""The live page of an event: the latest results with their times, the leaders, and what is still open."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse

from standings.basis import basis_of
from standings.caching.cached_pages import choices, event_page, knows, require_results
from standings.pages.frame import default_sheet, event_answer
from standings.pages.sides import RunningScores, Side, side_of
from standings.services import ranked
from standings.statistics.contenderwords import contenders_table
from standings.tables.cells import RoundResult, boards_open, sign
from standings.tables.columns import summary_columns
from standings.tables.rows import StandingsTable
from standings.tables.switches import CARRIED, running_link
from standings.tables.values import legend_of
from tournaments.event.choices import Kind
from tournaments.event.resultcodes import side_texts
from tournaments.models import Competitor, Event, Pairing
from tournaments.models.pairing import shown_pairings
from tournaments.models.versioned import past_of

LATEST, LEADERS, MOST_OPEN = 12, 5, 40


class RecordedPairing(NamedTuple):
    """A pairing of two sides; `at` is when its present result was recorded, None where no past tells.

    A match in progress has its running score as `result`, and tells its open boards in `still_open`.
    """

    round: int
    table: int
    first: Side
    second: Side
    result: str
    at: datetime | None
    still_open: str


def with_moments(pairings: QuerySet[Pairing]) -> QuerySet[Any]:
    """Return the pairings of two sides that have a result, each with `recorded_at`; no query of its own.

    It is when the present result was first saved: a note that is added later alters no time.
    """
    same = past_of(Pairing).objects.filter(
        id=OuterRef("pk"),
        kind=OuterRef("kind"),
        first_score=OuterRef("first_score"),
        second_score=OuterRef("second_score"),
    )
    decided = pairings.exclude(kind=Kind.PENDING).filter(second__isnull=False)
    return decided.annotate(recorded_at=Subquery(same.order_by("history_date").values("history_date")[:1]))


def recorded(event: Event, pairings: Iterable[Pairing]) -> list[RecordedPairing]:
    """Return these pairings of two sides as the live page and the feeds tell of them."""
    running = RunningScores(event)
    return [_recorded(event, each, each.second, running.of(each)) for each in pairings if each.second]


def matches_in_progress(event: Event) -> list[RecordedPairing]:
    """Return the matches of which some boards are finished, in the order of the tables; one query."""
    if not basis_of(ranked(event).standings.table).running:
        return []
    awaited = shown_pairings(event).filter(kind=Kind.PENDING, second__isnull=False)
    in_order = awaited.select_related("first", "second", "round").order_by("round__number", "table")
    return [each for each in recorded(event, in_order) if each.still_open]


def _recorded(
    event: Event, pairing: Pairing, second: Competitor, so_far: RoundResult | None
) -> RecordedPairing:
    sides = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
    return RecordedPairing(
        round=pairing.round.number,
        table=pairing.table,
        first=side_of(event, pairing.first),
        second=side_of(event, second),
        result=sign(so_far) if so_far else " : ".join(filter(None, sides)),
        at=getattr(pairing, "recorded_at", None),
        still_open=boards_open(so_far.open_boards) if so_far else "",
    )


@event_page
@knows(*CARRIED)
def live_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what happens now; of an event that is not live, where its standings are."""
    require_results(event)
    if event.state != Event.State.LIVE:
        return event_answer(request, event, "live", {})
    sheet = default_sheet(request, event)
    basis = sheet.running
    pairings = shown_pairings(event).select_related("first", "second", "round")
    # Of the round in progress and the one before: all rounds of a large Swiss are many to look through.
    lately = with_moments(pairings.filter(round__number__in=(basis.round - 1, basis.round)))
    newest = (F("recorded_at").desc(nulls_last=True), "-round__number", "table")
    latest = recorded(event, lately.order_by(*newest)[:LATEST])
    awaited = pairings.filter(kind=Kind.PENDING, second__isnull=False, round__number__lte=basis.round)
    still_open = recorded(event, awaited.order_by("round__number", "table"))
    columns = summary_columns(sheet)
    context = {
        "latest": latest,
        "table": StandingsTable(sheet, columns, limit=LEADERS),
        "legend": legend_of(sheet, columns),
        "basis": sheet.basis_text,
        "running": running_link(sheet, choices(request)),
        "open": still_open[:MOST_OPEN],
        "contenders": contenders_table(sheet),
        "more_open": max(len(still_open) - MOST_OPEN, 0),
        "entries": len(sheet.entries),
    }
    return event_answer(request, event, "live", context)

"""Live page of an event: latest results with times, leaders, and open pairings."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse

from standings.basis import basis_of
from standings.caching.cached_pages import choices, event_page, require_results
from standings.pages.events.sides import RunningScores, Side, side_of
from standings.pages.frame import default_sheet, event_response
from standings.services import ranked
from standings.statistics.texts import contenders_table
from standings.tables.cells import boards_open, sign
from standings.tables.columns import summary_columns
from standings.tables.rows import StandingsTable
from standings.tables.switches import running_link
from standings.tables.values import table_legend
from tournaments.event.choices import Kind
from tournaments.event.resultcodes import side_texts
from tournaments.models import Event, Pairing
from tournaments.models.pairing import public_pairings, without_result
from tournaments.models.versioned import past_of

LATEST, LEADERS, MOST_OPEN = 12, 5, 40


class RecordedPairing(NamedTuple):
    """A pairing with two sides; `at` is the time of its current result, None if there is no history.

    A match in progress has its running score as `result`, and its open boards in `still_open`.
    """

    round: int
    table: int
    first: Side
    second: Side
    result: str
    at: datetime | None
    still_open: str


def with_times(pairings: QuerySet[Pairing]) -> QuerySet[Any]:
    """Annotate pairings with an opponent and a result with `recorded_at`; no query.

    It is the time at which the current result was first saved, so that a later note does not change it.
    """
    same = past_of(Pairing).objects.filter(
        id=OuterRef("pk"),
        kind=OuterRef("kind"),
        first_score=OuterRef("first_score"),
        second_score=OuterRef("second_score"),
    )
    decided = pairings.exclude(kind=Kind.PENDING).filter(second__isnull=False)
    return decided.annotate(recorded_at=Subquery(same.order_by("history_date").values("history_date")[:1]))


def recorded_pairings(event: Event, pairings: Iterable[Pairing]) -> list[RecordedPairing]:
    """Return these pairings for the live page and the feeds, without those that have no opponent."""
    running_scores = RunningScores(event)
    results = []
    for pairing in pairings:
        if pairing.second is None:
            continue
        running = running_scores.of(pairing)
        sides = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
        results.append(
            RecordedPairing(
                round=pairing.round.number,
                table=pairing.table,
                first=side_of(event, pairing.first),
                second=side_of(event, pairing.second),
                result=sign(running) if running else " : ".join(filter(None, sides)),
                at=getattr(pairing, "recorded_at", None),
                still_open=boards_open(running.open_boards) if running else "",
            )
        )
    return results


def matches_in_progress(event: Event) -> list[RecordedPairing]:
    """Return the matches with finished and open boards, by round and table; one query."""
    if not basis_of(ranked(event).standings.table).running:
        return []
    awaited = public_pairings(event).filter(without_result(), second__isnull=False)
    in_order = awaited.select_related("first", "second", "round").order_by("round__number", "table")
    return [match for match in recorded_pairings(event, in_order) if match.still_open]


@event_page
def live_page(request: HttpRequest, event: Event) -> HttpResponse:
    require_results(event)
    if event.state != Event.State.LIVE:
        return event_response(request, event, "live", {})
    sheet = default_sheet(request, event)
    basis = sheet.running
    pairings = public_pairings(event).select_related("first", "second", "round")
    # Only the current round and the previous one, because a large Swiss has many pairings.
    lately = with_times(pairings.filter(round__number__in=(basis.round - 1, basis.round)))
    newest = (F("recorded_at").desc(nulls_last=True), "-round__number", "table")
    latest = recorded_pairings(event, lately.order_by(*newest)[:LATEST])
    awaited = pairings.filter(without_result(), second__isnull=False, round__number__lte=basis.round)
    still_open = recorded_pairings(event, awaited.order_by("round__number", "table"))
    columns = summary_columns(sheet)
    context = {
        "latest": latest,
        "table": StandingsTable(sheet, columns, limit=LEADERS),
        "legend": table_legend(sheet, columns),
        "basis": sheet.basis_text,
        "running": running_link(sheet, choices(request)),
        "open": still_open[:MOST_OPEN],
        "contenders": contenders_table(sheet),
        "more_open": max(len(still_open) - MOST_OPEN, 0),
        "entries": len(sheet.entries),
    }
    return event_response(request, event, "live", context)

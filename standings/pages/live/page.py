"""Live page of an event: latest results with times, leaders, and open pairings."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from operator import itemgetter
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from standings.basis import basis_of
from standings.caching.cached_pages import choices, event_page, require_results
from standings.pages.events.boards import board_of
from standings.pages.events.pairing_rows import PairingRow, SideResult, board_results, rows_of
from standings.pages.frame import default_sheet, event_response
from standings.services import ranked
from standings.statistics.texts import contenders_table
from standings.tables.columns import summary_columns
from standings.tables.rows import StandingsTable
from standings.tables.switches import running_link
from standings.tables.values import table_legend
from tournaments.event.choices import DECIDED, Kind
from tournaments.models import Event
from tournaments.models.pairing import public_games, public_pairings, without_result
from tournaments.models.versioned import past_of

LATEST, LEADERS, MOST_OPEN = 12, 5, 100


def with_times(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate pairings or boards with `recorded_at`, None without a score or a history; no query.

    It is the time at which the current result was first saved, so that a later note does not change it.
    """
    same = past_of(rows.model).objects.filter(
        id=OuterRef("pk"),
        kind=OuterRef("kind"),
        first_score=OuterRef("first_score"),
        second_score=OuterRef("second_score"),
    )
    first = Subquery(same.order_by("history_date").values("history_date")[:1])
    timed: QuerySet[Any] = rows.annotate(recorded_at=first)
    return timed


def open_pairings(event: Event, **of: object) -> list[PairingRow]:
    """Return these pairings without a result: matches in progress first, delayed games last.

    Three queries, four for team events.
    """
    awaited = public_pairings(event).filter(without_result(), second__isnull=False, **of)
    boards = board_results(event, pairing__kind=Kind.PENDING) if event.is_team else {}
    rows = rows_of(event, awaited.order_by("round__number", "table"), boards)
    return sorted(rows, key=lambda row: (row.delayed != "", not row.shows_boards))


def finished_boards(event: Event, matches: Iterable[PairingRow]) -> Iterator[PairingRow]:
    """Yield the finished boards of the matches in progress; one query, none without such matches."""
    running = {(match.round, match.table): match for match in matches if match.open_boards}
    if not running:
        return
    games = public_games(event).filter(pairing__kind=Kind.PENDING, kind__in=DECIDED)
    for game in with_times(games.select_related("first_player", "second_player", "pairing__round")):
        place = game.pairing.round.number, game.pairing.table
        if (match := running.get(place)) and match.second:
            names = {"first": match.first.name, "second": match.second.name, "board": game.board}
            label = _("%(first)s – %(second)s, board %(board)s") % names
            board = board_of(event, game, game.first_player, game.second_player)
            result = [SideResult(board.result, "")]
            about = {"kind": game.kind, "at": game.recorded_at, "board": game.board}
            yield PairingRow(*place, label, board.first, board.second, result, [], [], **about)


def matches_in_progress(event: Event) -> tuple[list[PairingRow], dict[tuple[int, int], datetime]]:
    """Return the matches with finished and open boards, and by (round, table) the time of the last board."""
    if not basis_of(ranked(event).standings.table).running:
        return [], {}
    matches = [match for match in open_pairings(event) if match.open_boards]
    boards = [(board.at, board) for board in finished_boards(event, matches) if board.at]
    return matches, {(board.round, board.table): at for at, board in sorted(boards, key=itemgetter(0))}


@event_page
def live_page(request: HttpRequest, event: Event) -> HttpResponse:
    require_results(event)
    if event.state != Event.State.LIVE:
        return event_response(request, event, "live", {})
    sheet = default_sheet(request, event)
    basis = sheet.running
    still_open = open_pairings(event, round__number__lte=basis.round)
    # Only the current round and the previous one, because a large Swiss has many pairings.
    lately = public_pairings(event).filter(round__number__in=(basis.round - 1, basis.round))
    newest = (F("recorded_at").desc(nulls_last=True), "-round__number", "table")
    decided = with_times(lately.filter(second__isnull=False).exclude(kind=Kind.PENDING)).order_by(*newest)
    latest = [*rows_of(event, decided[:LATEST]), *finished_boards(event, still_open)]
    latest.sort(key=lambda row: row.at.timestamp() if row.at else 0, reverse=True)
    columns = summary_columns(sheet)
    context = {
        "latest": latest[:LATEST],
        "table": StandingsTable(sheet, columns, limit=LEADERS),
        "legend": table_legend(sheet, columns),
        "basis": sheet.basis_text,
        "round": basis.round,
        "running": running_link(sheet, choices(request)),
        "open": still_open[:MOST_OPEN],
        "contenders": contenders_table(sheet),
        "more_open": max(len(still_open) - MOST_OPEN, 0),
        "entries": len(sheet.entries),
    }
    return event_response(request, event, "live", context)

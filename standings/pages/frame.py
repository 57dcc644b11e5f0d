"""Shared parts of an event's pages: standings, requested rounds, JSON-LD, and the response."""

import json
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from standings.basis import basis_text
from standings.caching.cached_pages import choices, rendered
from standings.catalogue.editions import beside
from standings.downloads.views import MAIN
from standings.flags import flag_of, year_of
from standings.pages.events.notes import ManualChange, manual_changes
from standings.pages.pictures import picture_response
from standings.services import (
    default_round,
    memoized_on_event,
    paired_rounds,
    ranked,
    round_of_parameter,
)
from standings.tables.rows import FIRST_ROWS, StandingsTable
from standings.tables.sheet import StandingsSheet
from standings.tables.switches import SHOWN, layout_link, query_of, running_link
from standings.texts import dates_text, entrants_and_schedule
from tournaments.models import Event


class PageLink(NamedTuple):
    """A link to another page. `is_shown`: it is this page."""

    label: str
    address: str
    is_shown: bool = False


def links_beside(
    numbers: Collection[int], own: int, link: Callable[[int], PageLink]
) -> dict[str, PageLink | None]:
    """Return the links `previous` and `next` to the pages with the nearest numbers, None if there is none."""
    before = max((each for each in numbers if each < own), default=None)
    after = min((each for each in numbers if each > own), default=None)
    return {
        "previous": None if before is None else link(before),
        "next": None if after is None else link(after),
    }


def sheet_of(event: Event, after: int | None) -> StandingsSheet:
    """Return the standings after that round, or after the last if None. Http404 if it is not paired."""
    entries, standings = ranked(event, after)
    query = "" if after is None else f"?after={after}"
    # Changes of place in the last round do not matter in the final table of a past event.
    moves = event.state == Event.State.LIVE or after is not None
    address = reverse("event", args=[event.slug])
    return StandingsSheet(event, standings, entries, address, query, moves=moves)


def default_sheet_round(request: HttpRequest, event: Event) -> int | None:
    """Return the round of the standings of `default_sheet`, None for the last one."""
    counts_all = hasattr(request, "archive") or choices(request).get("running") == SHOWN
    return None if counts_all else default_round(event)


def default_sheet(request: HttpRequest, event: Event) -> StandingsSheet:
    """Return the standings after the last complete round, with the results of the current round.

    All results count if no later round has begun, if the reader requests running results, and in archives. If
    the page has the parameter `after`, return the standings after that round.
    """
    if requested := requested_round(request, event):
        return sheet_of(event, requested)
    after = default_sheet_round(request, event)
    sheet = sheet_of(event, after)
    return sheet if after is None else replace(sheet, with_running=ranked(event).standings)


def sheet_context(request: HttpRequest, sheet: StandingsSheet, paired: int | None = None) -> dict[str, Any]:
    """Return the context about the basis of a sheet: its results and manual changes.

    `paired`: the number of paired rounds of standings after a round, None for those of `default_sheet`.
    """
    is_default = paired is None
    paired = sheet.shown_results.table.rounds if paired is None else paired
    return {
        "basis": sheet.basis_text,
        "rests_on": basis_text(sheet.basis),
        "running": running_link(sheet, choices(request)) if is_default else None,
        "rulings": manual_changes(sheet, paired, sheet.among),
        "entries": len(sheet.entries),
    }


def shorten(request: HttpRequest, table: StandingsTable) -> str:
    """Limit the table to the requested number of rows, or a long one to the first rows.

    Return the query of the page with all rows, an empty text if this page has them.
    """
    chosen = choices(request)
    top = chosen.get("top", "")
    if top.isdecimal():
        table.limit = int(top)
    elif table.is_long and not top and not hasattr(request, "archive"):
        table.limit = FIRST_ROWS
    is_cut = table.limit is not None and table.limit < len(table.standings_rows)
    return query_of({**chosen, "top": "all"}) if is_cut else ""


def requested_round(request: HttpRequest, event: Event) -> int | None:
    """Return the requested round of the standings; Http404 if no round is complete but `complete` is
    requested.
    """
    return round_of_parameter(event, choices(request).get("after", ""))


def rulings_of_competitors(sheet: StandingsSheet, numbers: set[int]) -> list[ManualChange]:
    """Return the manual changes of these competitors; two queries if there are any."""
    paired = paired_rounds(sheet.event) if sheet.standings.overrides else 0
    return manual_changes(sheet, paired, numbers)


def event_response(request: HttpRequest, event: Event, page: str, context: dict[str, Any]) -> HttpResponse:
    if picture := choices(request).get("picture"):
        address = request.build_absolute_uri(reverse("event", args=[event.slug]))
        return picture_response(context, picture, event.name, address)
    about = {
        "event": event,
        "page": page,
        "country": flag_of(event.country, year_of(event)),
        "dates": dates_text(event),
        "entrants_and_schedule": entrants_and_schedule(event, context.get("entries")),
        "downloads": [file for file in MAIN if file.fits(event)],
        "layout": layout_link(choices(request)),
    }
    if hasattr(request, "embedded"):
        # The page on the site itself, for links and search engines.
        about["canonical"] = request.build_absolute_uri(request.path.replace("/embed/", "/", 1))
        return rendered(request, f"standings/embed_{page}.html", about | context)
    return rendered(
        request, f"standings/{page}.html", about | memoized_on_event("beside", event, beside) | context
    )


ESCAPED = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&\u2028\u2029"}
"""Escapes for characters that could end the script element or a line of it."""


def json_ld(content: dict[str, Any]) -> SafeString:
    text = json.dumps({"@context": "https://schema.org", **content}, ensure_ascii=False)
    return SafeString(text.translate(ESCAPED))

"""The frame of every page of an event, and the standings that several of them print."""

from dataclasses import replace
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from standings.caching.cached_pages import choices, rendered
from standings.catalogue.editions import beside
from standings.downloads.answers import MAIN
from standings.eventwords import dates_text, entrants_and_schedule
from standings.flags import flag_of, year_of
from standings.pages.notes import Ruled, manual_changes
from standings.services import (
    NoSuchRoundError,
    default_round,
    paired_rounds,
    ranked,
    remembered,
    round_asked_for,
)
from standings.tables.sheet import StandingsSheet
from standings.tables.switches import SHOWN
from tournaments.models import Event


class Beside(NamedTuple):
    """The page before or behind one of its kind: the text of the link to it, and its address."""

    label: str
    address: str


def sheet_of(event: Event, after: int | None) -> StandingsSheet:
    """Return the standings after that round, or the last one, with what the pages print beside them.

    Raise Http404 where that round is not paired.
    """
    try:
        entries, judged = ranked(event, after)
    except NoSuchRoundError as missing:
        raise Http404 from missing
    query = "" if after is None else f"?after={after}"
    # Once an event is over nobody asks its final table who moved in the last round.
    moves = event.state == Event.State.LIVE or after is not None
    address = reverse("event", args=[event.slug])
    return StandingsSheet(event, judged, entries, address, query, moves=moves)


def default_round_asked(request: HttpRequest, event: Event) -> int | None:
    """Return the round of the standings of `default_sheet`, None for the last one."""
    asks_for_all = hasattr(request, "archive") or choices(request).get("running") == SHOWN
    return None if asks_for_all else default_round(event)


def default_sheet(request: HttpRequest, event: Event) -> StandingsSheet:
    """Return the standings after the last complete round, with the cells of the round that is played.

    They are those with all results if no later round is played, if the reader asks for running results, and
    in archives.
    """
    after = default_round_asked(request, event)
    sheet = sheet_of(event, after)
    return sheet if after is None else replace(sheet, with_running=ranked(event).standings)


def row_of(sheet: StandingsSheet, number: int) -> int:
    """Return the row of the competitor with that number; raise Http404 where there is none."""
    row = next((at for at, entry in enumerate(sheet.entries) if entry.number == number), None)
    if row is None:
        raise Http404
    return row


def round_asked(request: HttpRequest, event: Event) -> int | None:
    """Return the round whose standings a reader asked for; raise Http404 if no round is complete."""
    try:
        return round_asked_for(event, choices(request).get("after", ""))
    except NoSuchRoundError as missing:
        raise Http404 from missing


def rulings_among(sheet: StandingsSheet, numbers: set[int]) -> list[Ruled]:
    """Return the manual changes of the competitors with these numbers; two queries where there are any."""
    paired = paired_rounds(sheet.event) if sheet.standings.overrides else 0
    return manual_changes(sheet, paired, numbers)


def event_answer(request: HttpRequest, event: Event, page: str, context: dict[str, Any]) -> HttpResponse:
    """Return a page of an event: its own context, and what stands around every one of them."""
    about = {
        "event": event,
        "page": page,
        "country": flag_of(event.country, year_of(event)),
        "dates": dates_text(event),
        "entrants_and_schedule": entrants_and_schedule(event, context.get("entries")),
        "canonical": request.build_absolute_uri(request.path),
        "downloads": [each for each in MAIN if each.fits(event)],
    }
    if hasattr(request, "embedded"):
        # The page on the site itself: links lead there, and it is the one that machines are to list.
        about["canonical"] = request.build_absolute_uri(request.path.replace("/embed/", "/", 1))
        return rendered(request, f"standings/embed_{page}.html", about | context)
    return rendered(request, f"standings/{page}.html", about | remembered("beside", event, beside) | context)

"""The public pages. Each is read from top to bottom: what it asks for, and what it prints."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from standings.cards import competitor_card, match_card
from standings.columns import Sheet, all_columns, summary_columns
from standings.entries import entries_of, flag_of, year_of
from standings.facts import about_event, brief_facts, dates_text, listed_events, rounds_of
from standings.notes import notes_of
from standings.pages import choices, event_page, site_page
from standings.services import NoSuchRoundError, paired_rounds, standings_of
from standings.tables import StandingsTable
from tournaments.models import Event

TOP = 10


@site_page
def event_list(request: HttpRequest) -> HttpResponse:
    """All public events, live ones first, then the most recent."""
    return render(request, "standings/event_list.html", {"events": listed_events()})


@event_page
def event(request: HttpRequest, event: Event) -> HttpResponse:
    """What the event is, the top of its standings, its rounds, its sources."""
    sheet = _sheet(event, None)
    rounds = rounds_of(event)
    context = {
        "table": StandingsTable(sheet, summary_columns(sheet), limit=TOP),
        "about": about_event(event),
        "rounds": rounds,
        "dated": any(each.date for each in rounds),
    }
    return _render(request, event, "event", context | {"entries": len(sheet.entries)})


@event_page
def standings(request: HttpRequest, event: Event, after: int | None = None) -> HttpResponse:
    """The standings after the last paired round, or after an earlier one."""
    sheet = _sheet(event, after)
    chosen = choices(request)
    table = StandingsTable(sheet, all_columns(sheet), chosen.get("sort", ""), chosen.get("dir", ""))
    rounds = range(1, (table.after if after is None else paired_rounds(event)) + 1)
    context = {"table": table, "after": after, "rounds": rounds, "notes": notes_of(sheet)}
    return _render(request, event, "standings", context | {"entries": len(sheet.entries)})


@event_page
def match(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    """One match with its boards, or one game."""
    card = match_card(event, number, table)
    if card is None:
        raise Http404
    return _render(request, event, "match", {"card": card})


@event_page
def competitor(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One competitor, round by round."""
    card = competitor_card(event, number)
    if card is None:
        raise Http404
    return _render(request, event, "competitor", {"card": card})


def _sheet(event: Event, after: int | None) -> Sheet:
    try:
        judged = standings_of(event, after)
    except NoSuchRoundError as missing:
        raise Http404 from missing
    return Sheet(event, judged, entries_of(event), reverse("event", args=[event.slug]))


def _render(request: HttpRequest, event: Event, page: str, context: dict[str, Any]) -> HttpResponse:
    about = {
        "event": event,
        "page": page,
        "country": flag_of(event.country, year_of(event)),
        "dates": dates_text(event),
        "facts": brief_facts(event, context.get("entries")),
        "canonical": request.build_absolute_uri(request.path),
    }
    return render(request, f"standings/{page}.html", about | context)

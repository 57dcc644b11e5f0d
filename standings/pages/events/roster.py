"""List of an event's competitors, teams with their players."""

from collections import defaultdict
from dataclasses import dataclass
from html import escape

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.caching.cached_pages import event_page, uses_parameters
from standings.careers.overevents import competitors_over_events, players_over_events
from standings.flags import code_beside, flag_html
from standings.pages.events.filters import FILTERS, RowFilter
from standings.pages.frame import event_response, sheet_of
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event, Player


@dataclass(frozen=True)
class RosterRow:
    """A competitor and its players in board order; `page` is the URL of the person or team across events."""

    entry: CompetitorInfo
    flag: SafeString
    code: str
    players: list[SafeString]
    page: str
    facts: list[str]


def roster(event: Event, row_filter: RowFilter, columns: list[str], *, linked: bool) -> list[RosterRow]:
    """Return the competitors that match the filter, by number.

    `linked`: names link to the pages of persons and teams across events.
    """
    players: dict[int, list[SafeString]] = defaultdict(list)
    people = players_over_events(event) if linked else {}
    over_events = competitors_over_events(event) if linked else {}
    listed = Player.objects.filter(competitor__event=event).order_by(F("board").asc(nulls_last=True), "pk")
    for player in listed.values_list("pk", "competitor__number", "title", "name", named=True):
        name = escape(f"{player.title} {player.name}".strip())
        if leading := people.get(player.pk):
            name = f'<a href="{escape(leading.address)}">{name}</a>'
        players[player.competitor__number].append(SafeString(name))
    return [
        RosterRow(
            entry,
            flag_html(event, entry),
            code_beside(event, entry),
            players[entry.number],
            over_events[entry.number].address if entry.number in over_events else "",
            [", ".join(row_filter.facts[name][entry.number]) for name in columns],
        )
        for entry in row_filter.sheet.entries
        if row_filter.sheet.among is None or entry.number in row_filter.sheet.among
    ]


@event_page
@uses_parameters(*FILTERS)
def competitors(request: HttpRequest, event: Event) -> HttpResponse:
    row_filter = RowFilter(request, sheet_of(event, None))
    columns = [name for name in ("club", "city", "category") if row_filter.sheet.shows(name)]
    lines = roster(event, row_filter, columns, linked=not hasattr(request, "archive"))
    context = {
        "roster": lines,
        "filter": row_filter,
        "columns": [_(name) for name in columns],
        "coded": any(line.code or (line.flag and not event.has_nations) for line in lines),
        "rated": any(line.entry.rating for line in lines),
        "entries": len(row_filter.sheet.entries),
    }
    return event_response(request, event, "competitors", context)

"""List of an event's competitors, teams with their players."""

from collections import defaultdict
from dataclasses import dataclass
from html import escape

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from standings.caching.cached_pages import event_page
from standings.careers.overevents import competitors_over_events, players_over_events
from standings.flags import code_beside, flag_html
from standings.pages.frame import event_response
from tournaments.crosstable import entries_of
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


def roster(event: Event, *, linked: bool = False) -> list[RosterRow]:
    """Return all competitors by number; two queries, and one for persons or teams if they are not cached.

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
        )
        for entry in entries_of(event)
    ]


@event_page
def competitors(request: HttpRequest, event: Event) -> HttpResponse:
    lines = roster(event, linked=not hasattr(request, "archive"))
    context = {
        "roster": lines,
        "rated": any(line.entry.rating for line in lines),
        "entries": len(lines),
    }
    return event_response(request, event, "competitors", context)

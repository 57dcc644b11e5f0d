"""All competitors of an event, teams with their players."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from standings.entries import code_beside, flag_beside
from standings.pages.frame import event_answer
from standings.serving.pages import event_page, knows
from standings.tables.switches import CARRIED
from tournaments.crosstable import entries_of
from tournaments.event.arrays import Entry
from tournaments.models import Event, Player


@dataclass(frozen=True)
class RosterLine:
    """One competitor and the names of its players, in board order."""

    entry: Entry
    flag: SafeString
    code: str
    players: list[str]


def roster(event: Event) -> list[RosterLine]:
    """All competitors by number; two queries."""
    players: dict[int, list[str]] = defaultdict(list)
    listed = Player.objects.filter(competitor__event=event).order_by(F("board").asc(nulls_last=True), "pk")
    for player in listed.values_list("competitor__number", "title", "name", named=True):
        players[player.competitor__number].append(f"{player.title} {player.name}".strip())
    return [
        RosterLine(
            entry,
            flag_beside(event, entry),
            code_beside(event, entry),
            players[entry.number],
        )
        for entry in entries_of(event)
    ]


@event_page
@knows(*CARRIED)
def competitors(request: HttpRequest, event: Event) -> HttpResponse:
    """Show all competitors, teams with their players."""
    lines = roster(event)
    context = {
        "roster": lines,
        "rated": any(line.entry.rating for line in lines),
        "entries": len(lines),
    }
    return event_answer(request, event, "competitors", context)

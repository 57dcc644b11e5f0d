"""All competitors of an event, teams with their players."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import F
from django.utils.safestring import SafeString

from standings.entries import Entry, entries_of, flag_of, printed_code, year_of
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
    year = year_of(event)
    players: dict[int, list[str]] = defaultdict(list)
    listed = Player.objects.filter(competitor__event=event).order_by(F("board").asc(nulls_last=True), "pk")
    for number, title, name in listed.values_list("competitor__number", "title", "name"):
        players[number].append(f"{title} {name}".strip())
    return [
        RosterLine(
            entry,
            flag_of(entry.flag or entry.code, year),
            printed_code(entry.code, year),
            players[entry.number],
        )
        for entry in entries_of(event)
    ]

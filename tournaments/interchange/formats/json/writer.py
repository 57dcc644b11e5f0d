"""Event files from documents, in canonical form: default values are omitted."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tournaments.event.document import CompetitorEntry, Document, PlayerEntry
from tournaments.event.json_writer import Rows, json_text
from tournaments.event.schema import Object, object_of


def write(document: Document) -> str:
    """Return the event file of a document. Reading and writing it again returns the same bytes."""
    seen = players_of_games(document)
    whole = object_of(replace(document, competitors=()))
    whole["competitors"] = Rows(
        competitor_object(each, seen.get(each.number, set())) for each in document.competitors
    )
    return f"{json_text(whole)}\n"


def competitor_object(competitor: CompetitorEntry, seen: set[int | str]) -> Object:
    """Return a competitor's object. Players in `seen` are omitted if the games contain all of their data."""
    whole = object_of(competitor)
    if "players" in whole:
        whole["players"] = Rows(object_of(each) for each in _players_to_list(competitor.players, seen))
        if not whole["players"]:
            del whole["players"]
    return whole


def _players_to_list(players: Sequence[PlayerEntry], seen: set[int | str]) -> list[PlayerEntry]:
    times = Counter(each.name for each in players)
    return [
        each
        for each in players
        if each != PlayerEntry(name=each.name, fide_id=each.fide_id)
        or each.identity not in seen
        or (each.fide_id is None and times[each.name] > 1)
    ]


def players_of_games(document: Document) -> dict[int, set[int | str]]:
    seen: dict[int, set[int | str]] = {}
    for _, pairing in document.pairings():
        for game in pairing.games:
            for number, player in ((pairing.first, game.first_player), (pairing.second, game.second_player)):
                if player and number is not None:
                    seen.setdefault(number, set()).add(player.identity)
    return seen

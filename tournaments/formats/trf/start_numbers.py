"""The players of the teams as a report lists them, with their start numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.event.document import Document, PairingEntry, PlayerEntry

Member = tuple[int, int | str]
"""A player by the number of his team and his identity in it."""


@dataclass(frozen=True)
class Rosters:
    """The players of each team in board order, and the start number of each."""

    players: Mapping[int, tuple[PlayerEntry, ...]]
    numbers: Mapping[Member, int]

    def number(self, team: int, player: PlayerEntry | None) -> int:
        """Return his start number; 0 for nobody."""
        return self.numbers.get((team, player.identity), 0) if player else 0

    def first_of(self, team: int, boards: int) -> list[int]:
        """Return the start numbers of those who sit down where the record names nobody."""
        # In board order, which is how a team sits unless its line-up says otherwise.
        return [self.number(team, each) for each in self.players.get(team, ())[:boards]]


def rosters_of(document: Document) -> Rosters:
    """Return the teams with as many players as their matches need."""
    needed = {number for _, each in document.pairings() if is_filled(each) for number in each.numbers}
    boards = document.event.boards or 1
    players: dict[int, tuple[PlayerEntry, ...]] = {}
    for team in document.competitors:
        # A match known by its score alone needs a player on each board: records have no other place for it.
        missing = range(len(team.players) + 1, boards + 1) if team.number in needed else ()
        players[team.number] = team.players + tuple(
            PlayerEntry(name=f"{team.name}, board {board}", board=board) for board in missing
        )
    members = ((team, player.identity) for team, listed in players.items() for player in listed)
    return Rosters(players, {member: number for number, member in enumerate(members, start=1)})


def is_filled(pairing: PairingEntry) -> bool:
    """Say whether a match is known by its score alone, so that its boards have to be filled in."""
    return pairing.second is not None and not pairing.games

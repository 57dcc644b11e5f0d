"""The players of teams in a report, with their start numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.event.document import Document, PairingEntry, PlayerEntry

Member = tuple[int, int | str]  # number of the team, and identity of the player in it


@dataclass(frozen=True)
class Rosters:
    """The players of each team in board order, and their start numbers."""

    players: Mapping[int, tuple[PlayerEntry, ...]]
    numbers: Mapping[Member, int]

    def number(self, team: int, player: PlayerEntry | None) -> int:
        return self.numbers.get((team, player.identity), 0) if player else 0

    def first_of(self, team: int, boards: int) -> list[int]:
        """Return the start numbers of the players for a match without named players."""
        # In board order: the default without a line-up.
        return [self.number(team, each) for each in self.players.get(team, ())[:boards]]


def rosters_of(document: Document) -> Rosters:
    """Return the teams, each with as many players as its matches need."""
    needed = {number for _, each in document.pairings() if is_filled(each) for number in each.numbers}
    boards = document.event.boards or 1
    players: dict[int, tuple[PlayerEntry, ...]] = {}
    for team in document.competitors:
        # A match with only a score needs a player on each board: records have no other place for the score.
        missing = range(len(team.players) + 1, boards + 1) if team.number in needed else ()
        players[team.number] = team.players + tuple(
            PlayerEntry(name=f"{team.name}, board {board}", board=board) for board in missing
        )
    members = ((team, player.identity) for team, listed in players.items() for player in listed)
    return Rosters(players, {member: number for number, member in enumerate(members, start=1)})


def is_filled(pairing: PairingEntry) -> bool:
    """Return whether a match has only a score, so that its boards must be filled."""
    return pairing.second is not None and not pairing.games

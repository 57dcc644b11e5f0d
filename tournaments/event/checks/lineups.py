"""Checks of line-ups: who plays above whom."""

from collections.abc import Iterator
from itertools import pairwise

from tournaments.event.document import CompetitorEntry, Document, GameEntry, PairingEntry, PlayerEntry
from tournaments.event.finding import Finding, Place, warning


def lineups(document: Document) -> Iterator[Finding]:
    """In rounds that are not closed each team sits in its board order, as far as its players have one.

    A closed round is left alone: old sources put each player on the board of most games.
    """
    members = {each.number: each for each in document.competitors}
    for at, each in enumerate(document.rounds):
        if each.state == "closed":
            continue
        for index, pairing in enumerate(each.pairings):
            place = Place(f"rounds[{at}].pairings[{index}]", each.number, pairing.table)
            for side, number in zip(("first", "second"), pairing.numbers, strict=False):
                if number in members:
                    yield from _board_order(members[number], side, pairing, place)


def _board_order(team: CompetitorEntry, side: str, pairing: PairingEntry, place: Place) -> Iterator[Finding]:
    orders = {each.identity: each.board for each in team.players}
    seated = [(player, orders.get(player.identity)) for player in _seated(side, pairing)]
    placed = [(player, order) for player, order in seated if order is not None]
    for (above, number), (below, lower) in pairwise(placed):
        if number > lower:
            text = (
                f"{team.name}: {above.name}, {number} in the board order, sits above {below.name}, {lower}."
            )
            yield warning("board-order", place.key("games"), f"{text} Correct the line-up, or accept it.")
            return


def _seated(side: str, pairing: PairingEntry) -> Iterator[PlayerEntry]:
    """Who sits for one side, from the first board down."""
    for game in sorted(pairing.games, key=_board_of):
        player = game.first_player if side == "first" else game.second_player
        if player is not None:
            yield player


def _board_of(game: GameEntry) -> int:
    return game.board

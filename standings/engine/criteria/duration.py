"""Micro-matches: how many games they took."""

from standings.engine.boards import Boards
from standings.engine.crosstable import Crosstable
from standings.engine.measures import FEWEST, SLOWEST
from standings.engine.registry import criterion
from standings.engine.said import said
from standings.engine.terms import Column


@criterion("faster-wins", name="Faster wins", abbr="FW", source="DrA 23", fair_after="wins")
def faster_wins(table: Crosstable) -> Column:
    """Games played in the micro-matches won; fewer is better, and no win at all is last."""
    won = table.met & (table.on_boards(Boards.WON) > 0)
    return table.per_round(said("games"), table.on_boards(Boards.GAMES_WON), present=won).total(FEWEST)


@criterion("slower-losses", name="Slower losses", abbr="SL", source="DrA 24", fair_after="wins")
def slower_losses(table: Crosstable) -> Column:
    """Games played in the micro-matches lost; more is better, and no loss at all is best."""
    lost = table.met & (table.on_boards(Boards.LOST) > 0)
    return table.per_round(said("games"), table.on_boards(Boards.GAMES_LOST), present=lost).total(SLOWEST)

"""What a competitor did itself."""

import numpy as np

from standings.engine.boards import Boards
from standings.engine.crosstable import Crosstable
from standings.engine.measures import RATIO, SIGNED
from standings.engine.registry import criterion
from standings.engine.said import said
from standings.engine.scoring import Scale
from standings.engine.terms import Column


@criterion("total-score", name="Total score", abbr="Pts", source="DrA 1", scaled=True)
def total_score(table: Crosstable) -> Column:
    """All points scored."""
    return table.scored().total()


@criterion("match-points", name="Match points", abbr="MP", source="DrA 11; OlimpBase help 1.4.2")
def match_points(table: Crosstable) -> Column:
    """Points for matches won and drawn."""
    return table.scored(Scale.MATCH).total()


@criterion("game-points", name="Game points", abbr="pts", source="OlimpBase help 1.4.2")
def game_points(table: Crosstable) -> Column:
    """Points of all boards."""
    return table.scored(Scale.GAME).total()


@criterion("wins", name="Number of wins", abbr="W", source="DrA 2")
def wins(table: Crosstable) -> Column:
    """Games or matches won, by forfeit too."""
    won = table.outcome > 0
    return table.per_round(said("won"), won.astype(np.int64), present=won).total()


@criterion("wins@game", name="Boards won", abbr="BW", source="DrA 2")
def boards_won(table: Crosstable) -> Column:
    """Boards won in all matches, by forfeit too; among players the games won."""
    won = table.on_boards(Boards.WON)
    return table.per_round(said("won"), won, present=won > 0).total()


@criterion("won-lost-ratio", name="Won and lost games", abbr="W/L", source="DrA 22", divided=True)
def won_lost_ratio(table: Crosstable) -> Column:
    """Games won in relation to games lost; nothing lost is best, neither won nor lost is one."""
    met, won, lost = table.met, table.on_boards(Boards.WON), table.on_boards(Boards.LOST)
    return table.each_way(said("won or lost"), met * won, lost).total(RATIO)


@criterion("progress", name="Progress", abbr="Prog", source="DrA 17", scaled=True)
def progress(table: Crosstable) -> Column:
    """The total after each round, added up."""
    return table.running_totals().total()


@criterion("plus-minus-draws", name="1+ minus 1-", abbr="1±", source="DrA 20", signed=True)
def plus_minus_draws(table: Crosstable) -> Column:
    """Draws with advantage minus draws with disadvantage."""
    plus, minus = table.on_boards(Boards.PLUS), table.on_boards(Boards.MINUS)
    return table.per_round("1±", plus - minus, present=(plus > 0) | (minus > 0)).total(SIGNED)


@criterion("plus-draws", name="Number of 1+", abbr="1+", source="DrA 21")
def plus_draws(table: Crosstable) -> Column:
    """Draws with advantage."""
    plus = table.on_boards(Boards.PLUS)
    return table.per_round("1+", plus, present=plus > 0).total()


@criterion("manual", name="Manual", abbr="Man", source="DrA 12", signed=True)
def manual(table: Crosstable) -> Column:
    """The number the arbiter entered in the event's settings."""
    return table.once(said("entered"), table.manual_numbers).total()

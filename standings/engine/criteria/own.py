"""What a competitor did itself."""

import numpy as np

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


@criterion("won-lost-ratio", name="Won and lost games", abbr="W/L", source="DrA 22")
def won_lost_ratio(table: Crosstable) -> Column:
    """Games won in relation to games lost; nothing lost is best, neither won nor lost is one."""
    decided = table.met & (table.outcome != 0)
    return table.per_round(said("won or lost"), table.outcome, present=decided).total(RATIO)


@criterion("progress", name="Progress", abbr="Prog", source="DrA 17", scaled=True)
def progress(table: Crosstable) -> Column:
    """The total after each round, added up."""
    return table.running_totals().total()


@criterion("plus-minus-draws", name="1+ minus 1-", abbr="1±", source="DrA 20")
def plus_minus_draws(table: Crosstable) -> Column:
    """Draws with advantage minus draws with disadvantage."""
    drawn = table.met & (table.advantage != 0)
    return table.per_round("1±", table.advantage, present=drawn).total(SIGNED)


@criterion("plus-draws", name="Number of 1+", abbr="1+", source="DrA 21")
def plus_draws(table: Crosstable) -> Column:
    """Draws with advantage."""
    return table.per_round("1+", table.advantage, present=table.met & (table.advantage > 0)).total()


@criterion("manual", name="Manual", abbr="Man", source="DrA 12")
def manual(table: Crosstable) -> Column:
    """The number the arbiter entered in the event's settings."""
    return table.once(said("entered"), table.manual_numbers).total()

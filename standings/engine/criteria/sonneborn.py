"""Points scored, weighed by the strength of the opponent."""

from standings.engine.crosstable import Crosstable
from standings.engine.registry import criterion
from standings.engine.said import said
from standings.engine.scoring import Scale
from standings.engine.terms import Column


@criterion("sonneborn-berger", name="Sonneborn-Berger", abbr="SB", source="DrA 14", scaled=True)
def sonneborn_berger(table: Crosstable) -> Column:
    """The score of each opponent times the own points against it, added up."""
    return (table.opponent_scores() * table.own_points()).total()


@criterion(
    "dsb", name="Deducted Sonneborn-Berger", abbr="dSB", source="OlimpBase help 1.4.2; FIDE D.II.02 G13"
)
def deducted_sonneborn_berger(table: Crosstable) -> Column:
    """Match points of each opponent times own game points against it, without the weakest opponent."""
    scores = table.opponent_scores(Scale.MATCH)
    return (scores * table.own_points(Scale.GAME)).without_lowest(by=scores).total()


@criterion("koya", name="Koya", abbr="Koya", source="DrA 19", scaled=True)
def koya(table: Crosstable) -> Column:
    """Points scored against opponents with at least half of the points they could have."""
    possible = table.met.sum(axis=1) * table.scoring.win(table.scale)
    strong = 2 * table.totals() >= possible
    return (
        table.scored()
        .where(table.met)
        .counting(strong[table.opponent], said("not counted: has less than half"))
        .total()
    )

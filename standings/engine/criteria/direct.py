"""Criteria that exist only among competitors still level."""

from standings.engine.measures import ENCOUNTER
from standings.engine.registry import tie_criterion
from standings.engine.said import said
from standings.engine.terms import Column
from standings.engine.tie import Tie


@tie_criterion(
    "direct-encounter", name="Direct encounter", abbr="DE", source="DrA 8", repeats=True, scaled=True
)
def direct_encounter(tie: Tie) -> Column:
    """Points scored against each other by the competitors still level, if all of them met equally often."""
    all_met = tie.met_equally_often()
    return (
        tie.encounters().counting(all_met[:, None], said("not counted: not all of them met")).total(ENCOUNTER)
    )


@tie_criterion("best-opponents", name="Best opponents", abbr="BO", source="DrA 9", scaled=True)
def best_opponents(tie: Tie) -> Column:
    """Points against the best placed outside the tie; if equal, against the next; and so on down."""
    return tie.down_the_standings().total(tie.against_places())

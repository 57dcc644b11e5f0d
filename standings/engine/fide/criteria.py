"""FIDE's criteria, C.07 6 to 13, registered where they are written. `asked` is what a code wants of its name."""

from __future__ import annotations

import numpy as np

from standings.engine.arrays import Ints
from standings.engine.crosstable import Crosstable
from standings.engine.fide.codes import Asked
from standings.engine.fide.encounters import PRIMARY, met_among_the_tied
from standings.engine.registry import Family, fide_criterion, fide_tie_criterion
from standings.engine.scoring import Scale
from standings.engine.terms import Column, Terms
from standings.engine.texts import counted_phrase, phrase
from standings.engine.tie import Tie

OWN, OPPONENTS, BOTH, PRIOR, AMONG = "B", "C", "BC", "D", "A"
"""The types of 4.3: own results, the opponents', both, prior data of the opponents, results among the tied."""


def _cut(terms: Terms, table: Crosstable, asked: Asked, by: Terms | None = None) -> Terms:
    if asked.low:
        terms = terms.least_cut(asked.low, table.voluntary_dummies(), by)
    return terms.most_cut(asked.high, by) if asked.high else terms


def _counted(table: Crosstable, symbol: str, counts: Ints, unit: int = 1) -> Column:
    """Return the rounds, or boards, that count, added up; a term for each round that has one."""
    return table.per_round(symbol, counts, unit, counts != 0).total()


# --- among the tied: 6 ---------------------------------------------------------------------------------


@fide_tie_criterion(
    "DE", family=Family.TIE, name="Direct encounter", article="6", kind=AMONG, scaled=True, takes="P"
)
def direct_encounter(tie: Tie, asked: Asked) -> Column:
    """The table of the tied on their own games, made again inside each tie that is left."""
    return met_among_the_tied(tie, (PRIMARY,), as_paired=asked.as_paired)


# --- own results: 7, 11 --------------------------------------------------------------------------------


@fide_criterion("PTS", family=Family.OWN, name="Points", article="11.1", kind=OWN, scaled=True)
def points(table: Crosstable, asked: Asked) -> Column:
    """All points, with those given beside results; in the primary score."""
    return table.scored().total()


@fide_criterion("MPTS", family=Family.OWN, name="Match points", article="11.1", kind=OWN, teams=True)
def match_points(table: Crosstable, asked: Asked) -> Column:
    """All match points."""
    return table.scored(Scale.MATCH).total()


@fide_criterion("GPTS", family=Family.OWN, name="Game points", article="11.1", kind=OWN, teams=True)
def game_points(table: Crosstable, asked: Asked) -> Column:
    """All game points."""
    return table.scored(Scale.GAME).total()


@fide_criterion("WIN", family=Family.OWN, name="Number of wins", article="7.1", kind=OWN, scaled=True)
def wins(table: Crosstable, asked: Asked) -> Column:
    """The rounds that gave as many points as a win, played or not."""
    return _counted(table, phrase("won"), table.own_rounds.won(asked.scale))


@fide_criterion("WON", family=Family.OWN, name="Games won", article="7.2", kind=OWN, scaled=True)
def games_won(table: Crosstable, asked: Asked) -> Column:
    """The games won over the board."""
    return _counted(table, phrase("won"), table.own_rounds.won_over_the_board(asked.scale))


@fide_criterion(
    "PS", family=Family.OWN, name="Progressive scores", article="7.5", kind=OWN, scaled=True, takes="C"
)
def progressive_scores(table: Crosstable, asked: Asked) -> Column:
    """The score after each round, added up."""
    terms = table.running_totals()
    if not asked.low:
        return terms.total()
    later = np.arange(table.rounds) >= asked.low
    why = counted_phrase(
        "not counted: without the first round (7.5)", "not counted: without the first %(count)s rounds (7.5)", asked.low
    )
    return terms.counting(np.broadcast_to(later, table.shape), why).total()


# --- the opponents' results: 8 -------------------------------------------------------------------------


@fide_criterion(
    "BH",
    family=Family.OPPONENTS,
    name="Buchholz",
    article="8.1",
    kind=OPPONENTS,
    scaled=True,
    takes="CMP",
    swiss=True,
)
def buchholz(table: Crosstable, asked: Asked) -> Column:
    """The scores of the opponents, added up; a dummy stands in for each own round that was not played."""
    table = table.asked(as_paired=asked.as_paired)
    return _cut(table.opponent_scores(), table, asked).total()


# --- own results against the opponents': 9 -------------------------------------------------------------


@fide_criterion(
    "SB", family=Family.SONNEBORN, name="Sonneborn-Berger", article="9.1", kind=BOTH, scaled=True, takes="CMP"
)
def sonneborn_berger(table: Crosstable, asked: Asked) -> Column:
    """The score of each opponent times the own points against it, added up."""
    table = table.asked(as_paired=asked.as_paired)
    scores = table.opponent_scores()
    return _cut(scores * table.own_points(), table, asked, by=scores).total()

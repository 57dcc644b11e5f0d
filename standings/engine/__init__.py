"""The ranking engine: a crosstable in, standings out. Plain Python and numpy; import only from here."""

from standings.engine import criteria
from standings.engine.arrays import BoardFigure, Bools, Ints, RoundKind
from standings.engine.contenders import (
    Contender,
    Contenders,
    Demand,
    OpenPairing,
    OwnResult,
    PairingScore,
    Proof,
    contenders_of,
)
from standings.engine.crosstable import Crosstable
from standings.engine.explanation import ExplainedTerm, Explanation, InnerValue
from standings.engine.fide import criteria as fide_criteria
from standings.engine.fide.codes import UnknownCriterionError
from standings.engine.fide.ratingtables import (
    performance_rating,
    rating_difference,
    rounded,
    rounded_away,
    score_probability,
)
from standings.engine.notation import read_crosstable
from standings.engine.overrides import RankingOverride
from standings.engine.policies import EDITIONS, FMJD, POLICIES, UnplayedPolicy, edition_of
from standings.engine.ranking import CriterionColumn
from standings.engine.record import NEVER, PublishedRanking
from standings.engine.registry import Criterion, Family, all_criteria, get_criterion
from standings.engine.scoring import CHESS, DRAUGHTS, Scale, Scoring, outcome_sign
from standings.engine.standings import PUBLISHED, ComparedValues, Comparison, Decision, Row, Standings, rank
from standings.engine.systems import SYSTEMS, RankingSystem, ranks_by_edition
from standings.engine.terms import Column, Term
from standings.engine.texts import Phrase, decimal_text, fraction_text

"""Criteria of Draughts Arbiter, the FMJD and OlimpBase, by family. Their docstrings appear on pages."""

from functools import partial

import numpy as np

from standings.engine.arrays import BoardFigure, BoardInput
from standings.engine.crosstable import Crosstable
from standings.engine.measures import AVERAGE, ENCOUNTER, FEWEST, RATIO, SIGNED, SLOWEST, AgainstPlace
from standings.engine.registry import Family, criterion
from standings.engine.scoring import Scale
from standings.engine.terms import Column, Terms
from standings.engine.texts import phrase
from standings.engine.tie import Tie

# --- within a tie --------------------------------------------------------------------------------------

_tie = partial(criterion, family=Family.TIE, scaled=True)


@_tie(
    "direct-encounter",
    name="Direct encounter",
    meaning="%(points)s against each other",
    abbr="DE",
    source="DrA 8",
    repeats=True,
)
def direct_encounter(tie: Tie) -> Column:
    """Points scored against each other by the competitors still level, if all of them met equally often."""
    all_met = tie.met_equally_often()
    return (
        tie.encounters()
        .counting(all_met[:, None], phrase("not counted: not all of them met"))
        .total(ENCOUNTER)
    )


@_tie(
    "best-opponents",
    name="Best opponents",
    meaning="%(points)s against the best placed, then against the next, and so on",
    abbr="BO",
    source="DrA 9",
)
def best_opponents(tie: Tie) -> Column:
    """Points against the best placed outside the tie; if equal, against the next; and so on down."""
    return tie.down_the_standings().total(AgainstPlace(tie.names_at))


# --- number of games in micro-matches ------------------------------------------------------------------

_duration = partial(
    criterion, family=Family.DURATION, fair_after="wins", on_boards=BoardInput.NUMBER_OF_GAMES
)


@_duration(
    "faster-wins",
    name="Faster wins",
    meaning="games in the micro-matches won, the fewer the better",
    abbr="FW",
    source="DrA 23",
)
def faster_wins(table: Crosstable) -> Column:
    """Games played in the micro-matches won; fewer is better, and no win at all is last."""
    won = table.met & (table.on_boards(BoardFigure.WON) > 0)
    return table.per_round(phrase("games"), table.on_boards(BoardFigure.GAMES_WON), present=won).total(FEWEST)


@_duration(
    "slower-losses",
    name="Slower losses",
    meaning="games in the micro-matches lost, the more the better",
    abbr="SL",
    source="DrA 24",
)
def slower_losses(table: Crosstable) -> Column:
    """Games played in the micro-matches lost; more is better, and no loss at all is best."""
    lost = table.met & (table.on_boards(BoardFigure.LOST) > 0)
    return table.per_round(phrase("games"), table.on_boards(BoardFigure.GAMES_LOST), present=lost).total(
        SLOWEST
    )


# --- opponents: the Solkoff family ---------------------------------------------------------------------

_opponents = partial(criterion, family=Family.OPPONENTS, scaled=True)


@_opponents(
    "solkoff",
    name="Solkoff",
    meaning="sum of the opponents' %(points)s",
    abbr="Solk",
    source="DrA 15; FMJD Annex 5, 3.1.a",
    aliases={"buchholz": {"name": "Buchholz", "abbr": "Buch", "source": "DrA 15; OlimpBase help 1.4.2"}},
)
def solkoff(table: Crosstable) -> Column:
    """The scores of all opponents, added up."""
    return table.opponent_scores().total()


@_opponents(
    "solkoff-truncated-short",
    name="Short truncated Solkoff",
    meaning="sum of the opponents' %(points)s, without the lowest",
    abbr="SSolk",
    source="DrA 4; FMJD Annex 5, 3.1.c",
)
def short_truncated_solkoff(table: Crosstable) -> Column:
    """The scores of all opponents without the lowest."""
    return table.opponent_scores().without_lowest().total()


@_opponents(
    "solkoff-truncated-full",
    name="Full truncated Solkoff",
    meaning="sum of the opponents' %(points)s, without the lowest, then without the two lowest, and so on",
    abbr="TSolk",
    source="DrA 3; FMJD Annex 5, 3.1.d",
)
def full_truncated_solkoff(table: Crosstable) -> Column:
    """The scores of all opponents without the lowest; if equal, without the two lowest; and so on."""
    return table.opponent_scores().successive_cuts().total()


@_opponents(
    "solkoff-median",
    name="Median Solkoff",
    meaning="sum of the opponents' %(points)s, without the highest and the lowest",
    abbr="MSolk",
    source="DrA 7; FMJD Annex 5, 3.1.b",
    aliases={"buchholz-median": {"name": "Median Buchholz", "abbr": "MBuch", "source": "DrA 16"}},
)
def median_solkoff(table: Crosstable) -> Column:
    """The scores of all opponents without the highest and the lowest."""
    return table.opponent_scores().without_lowest().without_highest().total()


@_opponents(
    "solkoff-plus",
    name="Solkoff plus",
    meaning="sum of the %(points)s of the opponents' opponents",
    abbr="Solk+",
    source="DrA 6; FMJD Annex 5, 3.1.e",
)
def solkoff_plus(table: Crosstable) -> Column:
    """The Solkoff of each opponent, added up."""
    return _solkoff_of_opponents(table).total()


@_opponents(
    "solkoff-baliakin",
    name="Baliakin",
    meaning="opponents' %(points)s times the sum of those of their own opponents",
    abbr="Bal",
    source="DrA 5; FMJD Annex 5, 3.1.f",
)
def baliakin(table: Crosstable) -> Column:
    """The score of each opponent times the Solkoff of that opponent, added up."""
    return (table.opponent_scores() * _solkoff_of_opponents(table)).total()


@criterion(
    "dsmp",
    family=Family.OPPONENTS,
    name="Deducted sum of match points",
    meaning="sum of the opponents' match points, without the lowest",
    abbr="dSMP",
    source="OlimpBase help 1.4.2; FIDE D.II.02 G14",
)
def deducted_sum_of_match_points(table: Crosstable) -> Column:
    """The match points of all opponents without the lowest."""
    return table.opponent_scores(Scale.MATCH).without_lowest().total()


def _solkoff_of_opponents(table: Crosstable) -> Terms:
    column = solkoff(table)
    return table.credited().of_opponents("S", column.figures()[0], column.unit, code="solkoff")


# --- own results ---------------------------------------------------------------------------------------

_own = partial(criterion, family=Family.OWN)


@_own("total-score", name="Total score", meaning="%(points)s", abbr="Pts", source="DrA 1", scaled=True)
def total_score(table: Crosstable) -> Column:
    """All points scored."""
    return table.scored().total()


@_own(
    "match-points",
    name="Match points",
    meaning="match points",
    abbr="MP",
    source="DrA 11; OlimpBase help 1.4.2",
)
def match_points(table: Crosstable) -> Column:
    """Points for matches won and drawn."""
    return table.scored(Scale.MATCH).total()


@_own("game-points", name="Game points", meaning="game points", abbr="pts", source="OlimpBase help 1.4.2")
def game_points(table: Crosstable) -> Column:
    """Points of all boards."""
    return table.scored(Scale.GAME).total()


@_own(
    "wins",
    name="Number of wins",
    meaning="number of wins (wins by forfeit count, byes do not)",
    abbr="W",
    source="DrA 2",
)
def wins(table: Crosstable) -> Column:
    """Games or matches won, including wins by forfeit."""
    won = table.outcome > 0
    return table.per_round(phrase("won"), won.astype(np.int64), present=won).total()


@_own(
    "wins@game",
    name="Boards won",
    meaning="number of boards won (boards won by forfeit count, byes do not)",
    abbr="BW",
    source="DrA 2",
    on_boards=BoardInput.RESULTS,
)
def boards_won(table: Crosstable) -> Column:
    """Boards won in all matches, including wins by forfeit; in player events, games won."""
    won = table.on_boards(BoardFigure.WON)
    return table.per_round(phrase("won"), won, present=won > 0).total()


@_own(
    "won-lost-ratio",
    name="Won and lost games",
    meaning="games won divided by games lost",
    abbr="W/L",
    source="DrA 22",
    divided=True,
    on_boards=BoardInput.RESULTS,
)
def won_lost_ratio(table: Crosstable) -> Column:
    """Games won divided by games lost; no losses are best, no wins and no losses count as 1."""
    met, won, lost = table.met, table.on_boards(BoardFigure.WON), table.on_boards(BoardFigure.LOST)
    return table.each_way(phrase("won or lost"), met * won, lost).total(RATIO)


@_own(
    "progress",
    name="Progress",
    meaning="sum of the %(points)s after each round",
    abbr="Prog",
    source="DrA 17",
    scaled=True,
    on_order=True,
)
def progress(table: Crosstable) -> Column:
    """The total after each round, added up."""
    return table.running_totals().total()


@_own(
    "plus-minus-draws",
    name="1+ minus 1-",
    meaning="draws with advantage minus draws with disadvantage",
    abbr="1±",
    source="DrA 20",
    signed=True,
    on_boards=BoardInput.EACH_BOARD,
)
def plus_minus_draws(table: Crosstable) -> Column:
    """Draws with advantage minus draws with disadvantage."""
    plus, minus = table.on_boards(BoardFigure.PLUS), table.on_boards(BoardFigure.MINUS)
    return table.per_round("1±", plus - minus, present=(plus > 0) | (minus > 0)).total(SIGNED)


@_own(
    "plus-draws",
    name="Number of 1+",
    meaning="number of draws with advantage",
    abbr="1+",
    source="DrA 21",
    on_boards=BoardInput.EACH_BOARD,
)
def plus_draws(table: Crosstable) -> Column:
    """Draws with advantage."""
    plus = table.on_boards(BoardFigure.PLUS)
    return table.per_round("1+", plus, present=plus > 0).total()


@_own(
    "manual",
    name="Manual",
    meaning="the arbiter's decision, or a drawing of lots",
    abbr="Man",
    source="DrA 12",
    signed=True,
)
def manual(table: Crosstable) -> Column:
    """The number the arbiter entered in the event's settings."""
    return table.once(phrase("entered"), table.manual_numbers).total()


# --- ratings -------------------------------------------------------------------------------------------

_ratings = partial(criterion, family=Family.RATINGS)


@_ratings(
    "average-rating-opponents",
    name="Average rating of the opponents",
    meaning="average rating of the opponents (0 if unrated, and for a round without an opponent)",
    abbr="ARO",
    source="DrA 10",
    divided=True,
)
def average_rating(table: Crosstable) -> Column:
    """The average of the opponents' ratings; unrated opponents and rounds without opponent count 0."""
    return table.opponent_ratings().total(AVERAGE)


@_ratings(
    "total-rating-opponents",
    name="Total rating of the opponents",
    meaning="sum of the opponents' ratings",
    abbr="TRO",
    source="DrA 10",
)
def total_rating(table: Crosstable) -> Column:
    """The opponents' ratings, added up; unrated opponents and rounds without opponent count 0."""
    return table.opponent_ratings().total()


@_ratings(
    "average-rating-opponents-reduced",
    name="Reduced average rating",
    meaning=(
        "average rating of the opponents (0 if unrated, and for a round without an opponent),"
        " without the lowest, then without the two lowest, and so on"
    ),
    abbr="ARO-",
    source="DrA 18",
    divided=True,
)
def reduced_average_rating(table: Crosstable) -> Column:
    """The opponents' average rating without the lowest; if equal, without the two lowest; and so on."""
    return table.opponent_ratings().successive_cuts().total(AVERAGE)


@_ratings(
    "rating-a",
    name="Rating A",
    meaning="own rating, if the list marks it with an a",
    abbr="RtgA",
    source="DrA 13",
)
def rating_a(table: Crosstable) -> Column:
    """The own rating if the list marks it "a", 0 if not."""
    return table.once(phrase("rating"), np.where(table.rating_a, table.rating, 0)).total()


# --- points weighted by the strength of opponents ------------------------------------------------------

_weighted = partial(criterion, family=Family.SONNEBORN, scaled=True)


@_weighted(
    "sonneborn-berger",
    name="Sonneborn-Berger",
    meaning="opponents' %(points)s times %(points)s scored against them",
    abbr="SB",
    source="DrA 14",
)
def sonneborn_berger(table: Crosstable) -> Column:
    """The score of each opponent times the points scored against that opponent, added up."""
    return (table.opponent_scores() * table.own_points()).total()


@criterion(
    "dsb",
    family=Family.SONNEBORN,
    name="Deducted Sonneborn-Berger",
    meaning="opponents' match points times game points scored against them, without the weakest",
    abbr="dSB",
    source="OlimpBase help 1.4.2; FIDE D.II.02 G13",
)
def deducted_sonneborn_berger(table: Crosstable) -> Column:
    """Match points of each opponent times own game points against it, without the weakest opponent."""
    scores = table.opponent_scores(Scale.MATCH)
    return (scores * table.own_points(Scale.GAME)).without_lowest(by=scores).total()


@_weighted(
    "koya",
    name="Koya",
    meaning="%(points)s against opponents with at least 50 per cent of their possible points",
    abbr="Koya",
    source="DrA 19",
)
def koya(table: Crosstable) -> Column:
    """Points scored against opponents with at least 50 per cent of their possible points."""
    possible = table.met.sum(axis=1) * table.scoring.win(table.scale)
    strong = 2 * table.totals() >= possible
    return (
        table.results()
        .where(table.met)
        .counting(strong[table.opponent], phrase("not counted: has less than 50 per cent"))
        .total()
    )

"""Criteria of FIDE, C.07 6 to 13. `modifiers` are the modifiers in the code; docstrings appear on pages."""

from __future__ import annotations

from functools import partial

import numpy as np

from standings.engine.arrays import BoardInput, Bools, Ints
from standings.engine.crosstable import Crosstable
from standings.engine.fide.codes import LETTERS, Modifiers
from standings.engine.fide.encounters import (
    BOARD_COUNT,
    PRIMARY,
    SECONDARY,
    encounter_column,
    top_boards,
    without_bottom_boards,
)
from standings.engine.fide.measures import (
    HUNDREDTHS,
    MEAN_TO_HUNDREDTHS,
    MEAN_TO_THOUSANDTHS,
    WHOLE_AVERAGE,
)
from standings.engine.fide.ratings import PerfectPerformance, Performance, RatedGames
from standings.engine.measures import FEWEST, KNOWN, SUM
from standings.engine.registry import Family, criterion
from standings.engine.scoring import HALF, SYMBOL, Scale
from standings.engine.terms import Column, Terms
from standings.engine.texts import counted_phrase, phrase
from standings.engine.tie import Tie

OWN, OPPONENTS, BOTH, PRIOR, AMONG = "B", "C", "BC", "D", "A"
"""The types in 4.3: own results, opponents' results, both, prior data, and results among tied competitors."""

MANY_ROUNDS = 9  # from here on, different averages of half-points may have the same two decimals


def _with_cuts(terms: Terms, cut_first: Bools, modifiers: Modifiers, by: Terms | None = None) -> Terms:
    if modifiers.low:
        terms = terms.cut_least_significant(modifiers.low, cut_first, by)
    return terms.cut_most_significant(modifiers.high, by) if modifiers.high else terms


def _scores_times_points(table: Crosstable, first: Scale, second: Scale, modifiers: Modifiers) -> Column:
    credited = table.credited(as_paired=modifiers.as_paired)
    scores = credited.opponent_scores(first)
    return _with_cuts(scores * credited.own_points(second), credited.cut_first, modifiers, scores).total()


def _count_games(table: Crosstable, symbol: str, games: Ints | Bools, unit: int = 1) -> Column:
    counts = games[:, :, 0].astype(np.int64) if games.shape[2] == 1 else games.sum(axis=2, dtype=np.int64)
    return table.per_round(symbol, counts, unit, counts != 0).total()


# --- within a tie: 6, 13.3 -----------------------------------------------------------------------------

_tie = partial(criterion, family=Family.TIE, kind=AMONG, scaled=True, takes="P")


@_tie("DE", name="Direct encounter", meaning="place by the %(points)s against each other", article="6")
def fide_direct_encounter(tie: Tie, modifiers: Modifiers) -> Column:
    """The standings of the tied competitors on the games between them, repeated in each remaining tie."""
    return encounter_column(tie, (PRIMARY,), as_paired=modifiers.as_paired)


_extended_encounter = partial(_tie, teams=True)
_encounter_on_boards = partial(
    _extended_encounter, article="13.3.2", since="2026", on_boards=BoardInput.EACH_BOARD
)


@_extended_encounter(
    "EDE",
    name="Extended direct encounter",
    meaning="place by the results against each other, in the primary score, then in the secondary score",
    article="13.3",
)
def extended_direct_encounter(tie: Tie, modifiers: Modifiers) -> Column:
    """The direct encounter in the primary score; if it separates no competitors, in the secondary score."""
    return encounter_column(tie, (PRIMARY, SECONDARY), as_paired=modifiers.as_paired)


@_encounter_on_boards(
    "EDEBT",
    name="Extended direct encounter, board count and top boards",
    meaning="place by the results against each other; for two teams board count, then first boards",
)
def encounter_board_count_top_boards(tie: Tie, modifiers: Modifiers) -> Column:
    """The extended direct encounter; for two still level their match: board count, then top boards."""
    ways = (PRIMARY, SECONDARY, BOARD_COUNT, *top_boards(tie.table))
    return encounter_column(tie, ways, as_paired=modifiers.as_paired)


@_encounter_on_boards(
    "EDEBB",
    name="Extended direct encounter, board count and bottom boards",
    meaning="place by the results against each other; for two teams board count, then without last boards",
)
def encounter_board_count_bottom_boards(tie: Tie, modifiers: Modifiers) -> Column:
    """The extended direct encounter; for two still level their match: board count, then bottom boards."""
    ways = (PRIMARY, SECONDARY, BOARD_COUNT, *without_bottom_boards(tie.table))
    return encounter_column(tie, ways, as_paired=modifiers.as_paired)


@_encounter_on_boards(
    "EDET",
    name="Extended direct encounter, top boards",
    meaning="place by the results against each other; for two teams then from the first board on",
)
def encounter_top_boards(tie: Tie, modifiers: Modifiers) -> Column:
    """The extended direct encounter; for two teams still level the top boards of their match."""
    return encounter_column(tie, (PRIMARY, SECONDARY, *top_boards(tie.table)), as_paired=modifiers.as_paired)


@_encounter_on_boards(
    "EDEB",
    name="Extended direct encounter, bottom boards",
    meaning="place by the results against each other; for two teams then without the last boards",
)
def encounter_bottom_boards(tie: Tie, modifiers: Modifiers) -> Column:
    """The extended direct encounter; for two teams still level their match without the bottom boards."""
    ways = (PRIMARY, SECONDARY, *without_bottom_boards(tie.table))
    return encounter_column(tie, ways, as_paired=modifiers.as_paired)


# --- own results: 7, 11 --------------------------------------------------------------------------------

_own = partial(criterion, family=Family.OWN, kind=OWN)
_own_games = partial(_own, scaled=True, on_boards=BoardInput.EACH_BOARD)


@_own("PTS", name="Points", meaning="%(points)s", article="11.1", scaled=True)
def points(table: Crosstable, _modifiers: Modifiers) -> Column:
    """All points in the primary score, with bonus and penalty points."""
    return table.scored().total()


@_own("MPTS", name="Match points", meaning="match points", article="11.1", teams=True)
def fide_match_points(table: Crosstable, _modifiers: Modifiers) -> Column:
    """All match points."""
    return table.scored(Scale.MATCH).total()


@_own("GPTS", name="Game points", meaning="game points", article="11.1", teams=True)
def fide_game_points(table: Crosstable, _modifiers: Modifiers) -> Column:
    """All game points."""
    return table.scored(Scale.GAME).total()


@_own(
    "WIN",
    on_boards=BoardInput.RESULTS,
    name="Number of wins",
    meaning="number of wins (wins by forfeit and byes with the points of a win count)",
    article="7.1",
    scaled=True,
)
def fide_wins(table: Crosstable, modifiers: Modifiers) -> Column:
    """The rounds that gave as many points as a win, played or not."""
    return _count_games(table, phrase("won"), table.own_games(modifiers.scale).won)


@_own_games(
    "WON",
    name="Games won",
    meaning="number of wins over the board (wins by forfeit and byes do not count)",
    article="7.2",
)
def games_won(table: Crosstable, modifiers: Modifiers) -> Column:
    """The games won over the board."""
    games = table.own_games(modifiers.scale)
    return _count_games(table, phrase("won"), games.won & games.played)


@_own_games(
    "BPG", on_colours=True, name="Games played with Black", meaning="games played with Black", article="7.3"
)
def black_games(table: Crosstable, modifiers: Modifiers) -> Column:
    """The games played over the board with Black."""
    games = table.own_games(modifiers.scale)
    return _count_games(table, phrase("with Black"), games.black & games.played)


@_own_games(
    "BWG", on_colours=True, name="Games won with Black", meaning="games won with Black", article="7.4"
)
def black_wins(table: Crosstable, modifiers: Modifiers) -> Column:
    """The games won over the board with Black."""
    games = table.own_games(modifiers.scale)
    return _count_games(table, phrase("won with Black"), games.won & games.played & games.black)


@_own(
    "PS",
    name="Progressive scores",
    meaning="sum of the %(points)s after each round",
    article="7.5",
    scaled=True,
    takes="C",
    on_order=True,
)
def progressive_scores(table: Crosstable, modifiers: Modifiers) -> Column:
    """The score after each round, added up."""
    terms = table.running_totals()
    if not modifiers.low:
        return terms.total()
    later = np.arange(table.rounds) >= modifiers.low
    why = counted_phrase(
        "not counted: without the first round (7.5)",
        "not counted: without the first %(count)s rounds (7.5)",
        modifiers.low,
    )
    return terms.counting(np.broadcast_to(later, table.shape), why).total()


@_own_games(
    "REP",
    name="Rounds elected to play",
    meaning="%(rounds)s neither skipped nor lost by forfeit",
    article="7.6",
    aliases={"GE": {"name": "Games elected to play"}},
)
def rounds_elected(table: Crosstable, modifiers: Modifiers) -> Column:
    """The rounds without half-point and zero-point byes and losses by forfeit."""
    return _count_games(table, phrase("elected to play"), table.own_games(modifiers.scale).elected)


@_own_games(
    "STD",
    name="Standard points",
    meaning=(
        "%(rounds)s with more points than the opponent (if not played: than a draw), plus ½ for each with "
        "equal points"
    ),
    article="7.7",
    since="2026",
)
def standard_points(table: Crosstable, modifiers: Modifiers) -> Column:
    """1 for a round with more points than the opponent (unplayed: more than a draw), ½ for equal points."""
    return _count_games(table, phrase("standard points"), table.own_games(modifiers.scale).standard, HALF)


@_own(
    "TPN",
    name="Tournament pairing number",
    meaning="number in the starting list, the lower the better",
    article="7.8",
    takes="R",
    since="2026",
)
def pairing_number(table: Crosstable, modifiers: Modifiers) -> Column:
    """The pairing number; the lower is better."""
    return table.once(phrase("pairing number"), table.pairing_numbers).total(
        SUM if modifiers.reverse else FEWEST
    )


@_own(
    "MPvGP",
    name="Match points or game points",
    meaning="the other score: match points or game points",
    article="13.1",
    teams=True,
)
def other_score(table: Crosstable, _modifiers: Modifiers) -> Column:
    """The other score: game points if match points rank first, and the reverse."""
    return table.scored(table.scale.other).total()


# --- opponents' results: 8 -----------------------------------------------------------------------------

_opponents = partial(criterion, family=Family.OPPONENTS, kind=OPPONENTS, scaled=True, swiss=True)


@_opponents("BH", name="Buchholz", meaning="sum of the opponents' %(points)s", article="8.1", takes="CMP")
def buchholz(table: Crosstable, modifiers: Modifiers) -> Column:
    """The scores of the opponents, added up; for each own unplayed round, a dummy is the opponent."""
    credited = table.credited(as_paired=modifiers.as_paired)
    return _with_cuts(credited.opponent_scores(table.scale), credited.cut_first, modifiers).total()


@_opponents(
    "FB",
    name="Fore Buchholz",
    meaning="sum of the opponents' %(points)s, as if all games of the last round were drawn",
    article="8.3",
    kind=PRIOR,
    takes="CMP",
    on_order=True,
)
def fore_buchholz(table: Crosstable, modifiers: Modifiers) -> Column:
    """The Buchholz as if every pairing of the last round were a draw."""
    credited = table.credited(as_paired=modifiers.as_paired, fore=True)
    return _with_cuts(credited.opponent_scores(table.scale), credited.cut_first, modifiers).total()


@_opponents(
    "AOB",
    name="Average of the opponents' Buchholz",
    meaning="sum of the %(points)s of an opponent's opponents, on average",
    article="8.2",
    takes="F",
    divided=True,
)
def average_of_buchholz(table: Crosstable, modifiers: Modifiers) -> Column:
    """The average Buchholz of the opponents met over the board."""
    inner = fore_buchholz if modifiers.fore else buchholz
    score = f":{LETTERS[modifiers.scale]}" if modifiers.scale else ""
    column = inner(table)
    terms = table.of_played(inner.code, column.figures()[0], column.unit, inner.code + score)
    return terms.total(MEAN_TO_HUNDREDTHS if table.rounds < MANY_ROUNDS else MEAN_TO_THOUSANDTHS)


# --- own results against the opponents': 9 -------------------------------------------------------------

_weighted = partial(criterion, family=Family.SONNEBORN, kind=BOTH)


@_weighted(
    "SB",
    name="Sonneborn-Berger",
    meaning="opponents' %(points)s times %(points)s scored against them",
    article="9.1",
    scaled=True,
    takes="CMP",
)
def fide_sonneborn_berger(table: Crosstable, modifiers: Modifiers) -> Column:
    """The score of each opponent times the points scored against that opponent, added up."""
    return _scores_times_points(table, table.scale, table.scale, modifiers)


@_weighted(
    "KS",
    name="Koya system",
    meaning="%(points)s against opponents with at least %(limit)s",
    article="9.2",
    scaled=True,
    takes="L",
)
def koya_system(table: Crosstable, modifiers: Modifiers) -> Column:
    """The points against competitors with at least 50 per cent of the maximum score."""
    games = table.rounds
    if table.is_round_robin:
        # With an odd number of competitors, each has a rest day per cycle, which cannot be won.
        rests = table.rounds // len(table.names) if len(table.names) % 2 else 0
        games = min(table.rounds - rests, table.games_each)
    most = table.scoring.win(table.scale) * games
    # In hundredths of a half-point, so that a percentage stays an integer.
    strong = 100 * table.totals() >= modifiers.limit * most + 100 * modifiers.steps
    why = phrase("not counted: has less than the limit (9.2)")
    return table.results().where(table.opponent >= 0).counting(strong[table.opponent], why).total()


_extended_berger = partial(_weighted, article="13.2", takes="CP", teams=True)


@_extended_berger(
    "EMMSB",
    name="Extended Sonneborn-Berger, match by match points",
    meaning="opponents' match points times match points scored against them",
)
def match_by_match_points(table: Crosstable, modifiers: Modifiers) -> Column:
    """The match points of each opponent times the own match points against it, added up."""
    return _scores_times_points(table, Scale.MATCH, Scale.MATCH, modifiers)


@_extended_berger(
    "EMGSB",
    name="Extended Sonneborn-Berger, match by game points",
    meaning="opponents' match points times game points scored against them",
)
def match_by_game_points(table: Crosstable, modifiers: Modifiers) -> Column:
    """The match points of each opponent times the own game points against it, added up."""
    return _scores_times_points(table, Scale.MATCH, Scale.GAME, modifiers)


@_extended_berger(
    "EGMSB",
    name="Extended Sonneborn-Berger, game by match points",
    meaning="opponents' game points times match points scored against them",
)
def game_by_match_points(table: Crosstable, modifiers: Modifiers) -> Column:
    """The game points of each opponent times the own match points against it, added up."""
    return _scores_times_points(table, Scale.GAME, Scale.MATCH, modifiers)


@_extended_berger(
    "EGGSB",
    name="Extended Sonneborn-Berger, game by game points",
    meaning="opponents' game points times game points scored against them",
)
def game_by_game_points(table: Crosstable, modifiers: Modifiers) -> Column:
    """The game points of each opponent times the own game points against it, added up."""
    return _scores_times_points(table, Scale.GAME, Scale.GAME, modifiers)


@_weighted(
    "SSSC",
    name="Score strength combination",
    meaning="second score plus a share of the sum of the opponents' %(points)s",
    article="13.4",
    scaled=True,
    takes="KFP",
    teams=True,
    swiss=True,
    divided=True,
)
def score_strength_combination(table: Crosstable, modifiers: Modifiers) -> Column:
    """The secondary score and the Buchholz in the primary score, divided so that both have equal weight."""
    credited = table.credited(as_paired=modifiers.as_paired, fore=modifiers.fore)
    other, scoring = table.scale.other, table.scoring
    # At least 1, to avoid a division by 0.
    divisor = modifiers.divisor or max(scoring.win(table.scale) * table.rounds // scoring.win(other), 1)
    shares = credited.opponent_scores(table.scale).divided_by(divisor)
    return table.once(SYMBOL[other], table.totals(other), HALF).concatenate(shares).total(HUNDREDTHS)


# --- prior data of the opponents: 10 --------------------------------------------------------------------

_ratings = partial(criterion, family=Family.RATINGS)
_performance = partial(_ratings, signed=True)


def _rated_games(table: Crosstable) -> RatedGames:
    return table.remember("rated games", RatedGames)


@_ratings(
    "ARO",
    name="Average rating of the opponents (C.07)",
    meaning="average rating of the opponents met over the board",
    article="10.1",
    kind=PRIOR,
    takes="CM",
)
def average_rating_of_opponents(table: Crosstable, modifiers: Modifiers) -> Column:
    """The average rating of the opponents met over the board, rounded half up."""
    none_first = np.zeros(table.shape, dtype=bool)
    return _with_cuts(_rated_games(table).ratings(), none_first, modifiers).total(WHOLE_AVERAGE)


@_performance(
    "TPR",
    name="Tournament performance rating",
    meaning="rating that matches the results",
    article="10.2",
    kind="DB",
)
def tournament_performance(table: Crosstable, _modifiers: Modifiers) -> Column:
    """The average rating of the opponents, plus the value in FIDE's table for the percentage of points."""
    games = _rated_games(table)
    return games.ratings().total(Performance(games))


@_performance(
    "PTP",
    name="Perfect tournament performance",
    meaning="lowest rating with an expected score of as many points",
    article="10.3",
    kind="DB",
)
def perfect_performance(table: Crosstable, _modifiers: Modifiers) -> Column:
    """The lowest rating with an expected score, by FIDE's table, of at least the score."""
    games = _rated_games(table)
    return games.ratings().total(PerfectPerformance(games))


@_performance(
    "APRO",
    name="Average performance rating of the opponents",
    meaning="average of the ratings that match the opponents' results",
    article="10.4",
    kind="DC",
)
def average_performance(table: Crosstable, _modifiers: Modifiers) -> Column:
    """The average performance rating of the opponents met over the board, rounded half up."""
    return _rated_games(table).of_opponents("TPR", tournament_performance(table)).total(WHOLE_AVERAGE)


@_performance(
    "APPO",
    name="Average perfect performance of the opponents",
    meaning="average of the lowest ratings with an expected score of the opponents' points",
    article="10.5",
    kind="DC",
)
def average_perfect_performance(table: Crosstable, _modifiers: Modifiers) -> Column:
    """The average perfect performance of the opponents met over the board, rounded half up."""
    return _rated_games(table).of_opponents("PTP", perfect_performance(table)).total(WHOLE_AVERAGE)


@_ratings(
    "RTNG",
    name="Rating",
    meaning="own rating",
    article="10.6",
    kind=OWN,
    takes="R",
    since="2026",
)
def rating(table: Crosstable, modifiers: Modifiers) -> Column:
    """The own rating; the higher is better."""
    return _rated_games(table).own().total(FEWEST if modifiers.reverse else KNOWN)


# --- boards: 12 -----------------------------------------------------------------------------------------

_boards = partial(criterion, family=Family.BOARDS, kind=OWN, teams=True, on_boards=BoardInput.EACH_BOARD)


@_boards(
    "BC",
    name="Board count",
    meaning="board numbers times the points there, the lower the better",
    article="12.1",
    fair_after="GPTS",
)
def board_count(table: Crosstable, _modifiers: Modifiers) -> Column:
    """The number of each board times the game points there, added up; the lower is better."""
    return table.by_board(is_numbered=True).total(FEWEST)


@_boards(
    "TBR",
    name="Top board results",
    meaning="points on the first board, then on the second, and so on",
    article="12.2",
)
def top_board_results(table: Crosstable, _modifiers: Modifiers) -> Column:
    """The points on the first board; if equal, on the second; and so on."""
    terms = table.by_board()
    return terms.split_into_levels(
        np.broadcast_to(np.arange(terms.until.shape[1]), terms.until.shape)
    ).total()


@_boards(
    "BBE",
    name="Bottom board elimination",
    meaning="points without the last board, then without the last two, and so on",
    article="12.3",
)
def bottom_board_elimination(table: Crosstable, _modifiers: Modifiers) -> Column:
    """The points without the last board; if equal, without the last two; and so on."""
    return table.by_board().successive_last_cuts().total()

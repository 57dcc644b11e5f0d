"""Statistics of small drawn results, with sums computed by hand."""

from dataclasses import replace

import numpy as np

from standings.engine import CHESS
from standings.statistics.counting import (
    PLAYED,
    CountedResult,
    Pair,
    ResultTally,
    biggest,
    by_score,
    per_mille,
    tallies,
)
from standings.statistics.games import counted_games, pairs, results_of
from standings.statistics.scores import (
    BestPlace,
    CountedGame,
    PlayerScore,
    best,
    least_games,
    scores,
    share_keys,
)
from standings.statistics.summary import per_cent_text
from tests.standings.drawn import draw
from tournaments.models import Event

DRAUGHTS_EVENT = Event(entrants=Event.Entrants.PLAYERS, game_win=4, game_draw=2)


def score(points: int, games: int, most: int = 2) -> PlayerScore:
    made = PlayerScore(most=most * games)
    made.points, made.won = points, games
    return made


class TestTally:
    def test_colours_draws_and_forfeits(self) -> None:
        every, boards = tallies(
            [
                CountedResult(1, "first", "played", "", 2, 0, times=3),  # three won by White
                CountedResult(1, "second", "played", "", 2, 0),  # one by Black
                CountedResult(2, "second", "played", "", 1, 1, times=2),
                CountedResult(2, "first", "forfeit", "", 2, 0, times=5),
                CountedResult(2, "first", "pending", "", None, None),
            ]
        )
        assert every == ResultTally(
            games=6, drawn=2, white=3, black=1, with_colours=6, drawn_with_colours=2, forfeits=5
        )
        assert (every.white_share, every.drawn_share) == (667, 333)  # (3 + 2 / 2) / 6 and 2 / 6
        assert boards == {
            1: ResultTally(games=4, white=3, black=1, with_colours=4),
            2: ResultTally(games=2, drawn=2, with_colours=2, drawn_with_colours=2, forfeits=5),
        }

    def test_games_with_unknown_colours_count_for_no_colour(self) -> None:
        every, _ = tallies(
            [CountedResult(1, "", "played", "", 2, 0), CountedResult(1, "", "played", "", 1, 1)]
        )
        assert (every.games, every.drawn, every.with_colours, every.without_colours) == (2, 1, 0, 2)
        assert (every.white, every.black, every.white_share, every.drawn_share) == (0, 0, None, 500)

    def test_double_loss_is_not_a_draw(self) -> None:
        every, _ = tallies([CountedResult(1, "first", "played", "", 0, 0)])
        assert (every.games, every.drawn, every.white, every.black, every.white_share) == (1, 0, 0, 0, 0)

    def test_advantage_in_draughts_and_a_micro_match_without_colours(self) -> None:
        table = draw("""
            1 Ann  2:1+-1-  3:2-0    4:5-0x3
            2 Bea  1:1--1+  4:1--1+  3:-
            3 Cor  4:1-1    1:0-2    2:+
            4 Dia  3:1-1    2:1+-1-  1:0-5x3
        """)
        white = np.where(table.opponent > np.arange(4)[:, None], 1, -1)
        every, _ = tallies(results_of(DRAUGHTS_EVENT, replace(table, colour=white)))
        assert (every.games, every.with_colours, every.white, every.drawn, every.black) == (5, 4, 1, 3, 0)
        assert (every.better_white, every.better_black, every.forfeits) == (1, 1, 1)

    def test_draw_without_colours_counts_as_drawn(self) -> None:
        every, _ = tallies(results_of(DRAUGHTS_EVENT, draw("1 Ann 2:1+-1- \n 2 Bea 1:1--1+")))
        assert (every.games, every.drawn, every.with_colours, every.better_white) == (1, 1, 0, 0)

    def test_pairings_count_once_and_byes_are_ignored(self) -> None:
        table = draw("1 Ann 2:1-0 bye \n 2 Bea 1:0-1 3:½-½ \n 3 Cor bye 2:½-½", scoring=CHESS)
        assert [(pair.round, pair.first, pair.second) for pair in pairs(table)] == [(1, 0, 1), (2, 1, 2)]


class TestScores:
    def test_played_games_count_for_both_players(self) -> None:
        found = scores(
            [
                CountedGame(1, 10, 20, "played", 2, 0, 2),
                CountedGame(2, 20, 10, "played", 1, 1, 2),
                CountedGame(1, 10, 30, "forfeit", 2, 0, 2),
                CountedGame(1, 10, None, "played", 0, 2, 2),
            ],
            {10: 2000, 20: None},
        )
        assert set(found) == {10, 20}
        ann, bea = found[10], found[20]
        assert (ann.points, ann.games, ann.won, ann.drawn, ann.lost) == (2 + 1 + 0, 3, 1, 1, 1)
        assert [game.rating for game in ann.rated] == [0, 0, 0]
        assert (bea.points, [(game.opponent, game.rating, game.points) for game in bea.rated]) == (
            1,
            [(10, 2000, 0), (10, 2000, 1)],
        )

    def test_board_is_from_the_order_or_has_most_games(self) -> None:
        games = [CountedGame(board, 1, None, "played", 2, 0, 2) for board in (3, 2, 3, 2, 1)]
        found = scores(games, {})[1]
        assert (found.own_board(4), found.own_board(None)) == (4, 2)

    def test_maximum_of_a_micro_match_is_its_own_points(self) -> None:
        table = draw("1 Ann 2:5-0x3 2:2-0 \n 2 Bea 1:0-5x3 1:0-2")
        ann = scores(counted_games(DRAUGHTS_EVENT, table), {})[0]
        assert (ann.points, ann.most, per_mille(ann.points, ann.most)) == (10 + 4, 10 + 4, 1000)

    def test_shares_are_compared_exactly(self) -> None:
        keys = share_keys([score(2, 3), score(667, 1000), score(4, 6), PlayerScore()])
        assert keys[1] > keys[0] == keys[2] > keys[3]  # .667 is more than ⅔


class TestBest:
    def test_best_by_share_then_games_with_shared_places(self) -> None:
        scored = [score(9, 5), score(12, 6), score(10, 5), score(2, 1), score(10, 5), score(8, 5)]
        assert best(scored, least=5) == [BestPlace(1, 1), BestPlace(2, 2), BestPlace(2, 4)]

    def test_players_level_for_the_last_place_are_all_included(self) -> None:
        assert [each.place for each in best([score(2, 2)] * 5, least=2, places=3)] == [1] * 5

    def test_players_without_games_are_excluded(self) -> None:
        assert best([PlayerScore()], least=0) == []

    def test_least_games_are_two_thirds_of_the_rounds(self) -> None:
        assert [least_games(rounds) for rounds in (11, 9, 1, 0)] == [8, 6, 1, 0]


class TestMatches:
    def test_scores_from_the_widest_margin_to_the_draws(self) -> None:
        table = draw(
            """
            1 A  2:4-0   3:½-3½  4:2-2
            2 B  1:0-4   4:3-1   3:0-4
            3 C  4:2-2   1:3½-½  2:4-0
            4 D  3:2-2   2:1-3   1:2-2
            """,
            scoring=CHESS,
        )
        groups = by_score(pairs(table))
        assert [(shown, len(matches)) for shown, matches in groups] == [
            ((8, 0), 2),
            ((7, 1), 1),
            ((6, 2), 1),
            ((4, 4), 2),
        ]
        assert [(match.round, match.first, match.second) for match in biggest(groups, at_most=3)] == [
            (1, 0, 1),
            (3, 1, 2),
            (2, 0, 2),
        ]
        assert biggest(groups, at_most=1) == []
        assert len(biggest(groups, at_most=9)) == 4  # drawn matches are not wins

    def test_score_has_the_higher_first(self) -> None:
        assert Pair(1, 1, 0, 1, PLAYED, 0, 0, 1, 1, 7).score == (7, 1)


def test_per_cent_is_rounded_half_up() -> None:
    assert [per_mille(part, 16) for part in (0, 1, 5, 16)] == [0, 63, 313, 1000]
    assert per_mille(0, 0) is None
    assert [per_cent_text(share) for share in (None, 0, 63, 1000)] == ["", "0.0", "6.3", "100.0"]

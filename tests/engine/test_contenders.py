"""Contenders in small events, and compared with all possible outcomes."""

from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standings.engine import (
    CHESS,
    DRAUGHTS,
    SYSTEMS,
    Contender,
    Contenders,
    Crosstable,
    OpenPairing,
    PairingScore,
    Proof,
    RankingOverride,
    RoundKind,
    Scale,
    Scoring,
    Standings,
    contenders_of,
    rank,
    read_crosstable,
)
from standings.engine.record import NEVER

WON_DRAWN_LOST = [(2, 0), (1, 1), (0, 2)]
POINTS_ONLY = SYSTEMS["manual-swiss"].ordered_by(("total-score",))


def contenders_in(text: str, *criteria: str, **about: Any) -> Contenders | None:
    """Return the contenders of a drawn chess event under these criteria."""
    table = read_crosstable(text, scoring=CHESS, **about)
    return contenders_of(rank(table, POINTS_ONLY.ordered_by(criteria or ("total-score",))), WON_DRAWN_LOST)


def names(found: Contenders | None, text: str) -> list[str]:
    lines = [line.split()[1] for line in text.splitlines() if line.strip()]
    return [lines[each.row] for each in found.each] if found else []


BEFORE_THE_LAST = """
    1 Ann  2:1-0  3:1-0  4:
    2 Bea  1:0-1  4:1-0  3:
    3 Cor  4:1-0  1:0-1  2:
    4 Dia  3:0-1  2:0-1  1:
"""


class TestDrawn:
    def test_draw_is_enough_and_loss_needs_other_results(self) -> None:
        # Too many games to try all outcomes; by points, pairings are independent.
        found = contenders_in(BEFORE_THE_LAST)
        assert found is not None
        assert (found.proof, found.left, found.competitors) == (Proof.TIEBREAKS, 0, 4)
        ann, bea, cor = found.each
        assert [result.score for result in ann.results] == [(2, 0), (1, 1), (0, 2)]
        win, draw, loss = ann.results
        assert (win.certain, win.certain_alone, draw.certain, draw.certain_alone) == (True,) * 4
        # Ann stays on 2. Bea and Cor, on 1, meet: the winner would be level, after a draw neither is.
        assert (loss.certain, loss.alone, loss.certain_alone) == (True, True, False)
        for other in (bea, cor):
            (only,) = other.results
            assert (only.score, only.certain, only.alone, only.ways) == ((2, 0), False, False, None)
            ((pairing, scores, possible),) = only.demands
            assert possible == ((2, 0), (1, 1), (0, 2))
            assert (pairing.first, pairing.second, scores) == (0, 3, ((0, 2),))

    def test_opponents_cannot_both_win(self) -> None:
        text = """
            1 Ann  2:1-0  4:1-0  3:
            2 Bea  1:0-1  3:0-1  4:
            3 Cor  4:1-0  2:1-0  1:
            4 Dia  3:0-1  1:0-1  2:
        """
        found = contenders_in(text)
        assert names(found, text) == ["Ann", "Cor"]
        assert found is not None
        assert [[result.score for result in each.results] for each in found.each] == [[(2, 0), (1, 1)]] * 2

    def test_tie_breaks_decide_between_level_contenders(self) -> None:
        # If level on points, Ann has three wins, Bea two and two draws.
        text = """
            1 Ann  3:1-0  4:0-1  5:1-0   6:
            2 Bea  5:½-½  6:½-½  4:1-0   3:1-0
            3 Cor  1:0-1  5:0-1  6:½-½   2:0-1
            4 Dia  6:0-1  1:1-0  2:0-1   5:0-1
            5 Eva  2:½-½  3:1-0  1:0-1   4:1-0
            6 Fay  4:1-0  2:½-½  3:½-½   1:
        """
        by_points, by_wins = contenders_in(text), contenders_in(text, "total-score", "wins")
        assert by_points is not None
        assert by_wins is not None
        assert [each.row for each in by_points.each] == [1, 0, 5]
        assert [each.row for each in by_wins.each] == [1, 0, 5]
        # With a win Ann is level on points with Bea, and ahead; Fay is level in both.
        for found, row, alone in ((by_points, 0, False), (by_wins, 0, True), (by_wins, 5, False)):
            (result,) = next(each for each in found.each if each.row == row).results
            assert (result.score, result.certain, result.certain_alone) == ((2, 0), True, alone)

    def test_competitor_outside_the_competition_is_ignored(self) -> None:
        text = """
            1 Ann           2:1-0  3:
            2 Bea outside   1:0-1  4:
            3 Cor           4:0-1  1:
            4 Dia           3:1-0  2:
        """
        assert "Bea" not in names(contenders_in(text), text)

    def test_within_reach_includes_unpaired_rounds(self) -> None:
        text = """
            1 Ann            2:1-0  3:1-0
            2 Bea            1:0-1  4:½-½
            3 Cor            4:1-0  1:0-1
            4 Dia withdrawn=2  3:0-1  2:½-½
        """
        found = contenders_in(text, planned_rounds=4)
        assert found is not None
        assert (found.proof, found.left) == (Proof.REACH, 2)
        assert [(each.row, each.points, each.most) for each in found.each] == [
            (0, 4, 8),
            (2, 2, 6),
            (1, 1, 5),
        ]
        assert contenders_in(text, planned_rounds=6) is None  # too early

    def test_bonus_points_of_a_coming_round_count(self) -> None:
        text = """
            1 Ann  2:1-0  3:1-0
            2 Bea  1:0-1  4:1-0
            3 Cor  4:1-0  1:0-1
            4 Dia  3:0-1  2:0-1
        """
        without = contenders_in(text, planned_rounds=3)
        assert names(without, text) == ["Ann", "Bea", "Cor"]
        penalty = np.array([-3, 0, 0, 0])
        found = contenders_in(text, planned_rounds=3, coming_game_bonus=penalty)
        assert found is not None
        assert [(each.row, each.points, each.most) for each in found.each] == [
            (0, 1, 3), (1, 2, 4), (2, 2, 4), (3, 0, 2),
        ]  # fmt: skip

    def test_bonus_points_of_later_rounds_count_in_earlier_standings(self) -> None:
        table = read_crosstable(BEFORE_THE_LAST, scoring=CHESS)
        bonus = table.game_bonus.copy()
        bonus[3, 2] = 5
        earlier = table.derived(game_bonus=bonus).after(2)
        found = contenders_of(rank(earlier, POINTS_ONLY), WON_DRAWN_LOST)
        assert found is not None
        assert [(each.row, each.points) for each in found.each if each.row == 3] == [(3, 5)]

    def test_open_game_of_a_withdrawn_player_is_won_by_the_opponent(self) -> None:
        text = """
            1 Ann              2:1-0  3:1-0  4:
            2 Bea              1:0-1  4:1-0  3:
            3 Cor              4:1-0  1:0-1  2:
            4 Dia withdrawn=2  3:0-1  2:0-1  1:
        """
        found = contenders_in(text)
        assert found is not None
        # Ann then has 3, and Bea and Cor, on 1, can reach 2.
        assert [each.row for each in found.each] == [0]
        assert [pairing[2:] for pairing in found.pairings] == [(1, 2)]

    def test_player_who_leaves_later_can_score_until_then(self) -> None:
        text = """
            1 Ann               2:1-0  3:1-0
            2 Bea withdrawn=3   1:0-1  4:½-½
            3 Cor withdrawn=2   4:1-0  1:0-1
            4 Dia               3:0-1  2:½-½
        """
        found = contenders_in(text, planned_rounds=4)
        assert found is not None
        assert [(each.row, each.points, each.most) for each in found.each] == [(0, 4, 8), (3, 1, 5)]
        drawn = text.replace("3:1-0\n", "3:½-½\n").replace("1:0-1\n", "1:½-½\n")
        found = contenders_in(drawn, planned_rounds=4)
        assert found is not None
        assert [(each.row, each.most) for each in found.each] == [(0, 7), (2, 3), (1, 3), (3, 5)]

    def test_no_result_if_a_withdrawal_may_annul_games(self) -> None:
        text = """
            1 Ann               2:1-0
            2 Bea withdrawn=2   1:0-1
            3 Cor               4:1-0
            4 Dia               3:0-1
        """
        assert contenders_in(text, games_each=3, planned_rounds=3) is None

    def test_no_result_if_nothing_can_be_proven(self) -> None:
        assert contenders_in(BEFORE_THE_LAST, "wins") is None  # points do not decide first
        assert contenders_in(BEFORE_THE_LAST.replace("4:\n", "4:?\n").replace("1:\n", "1:?\n")) is None
        assert contenders_in("1 Ann 2:1-0\n2 Bea 1:0-1") is None  # nothing is open
        table = read_crosstable(BEFORE_THE_LAST, scoring=CHESS)
        ruled = rank(table, POINTS_ONLY, [RankingOverride(kind="place", competitor=3, place=1)])
        assert contenders_of(ruled, WON_DRAWN_LOST) is None

    def test_no_result_if_an_open_game_decides_about_annulment(self) -> None:
        text = """
            1 Ann               2:1-0  3:
            2 Bea withdrawn=1   1:0-1  4:
            3 Cor               4:     1:
            4 Dia               3:     2:
        """
        found = contenders_in(text, games_each=3)
        assert found is not None
        assert (
            contenders_of(
                rank(
                    replace(
                        read_crosstable(text.replace("2:1-0", "2:").replace("1:0-1", "1:"), scoring=CHESS),
                        games_each=3,
                    ),
                    POINTS_ONLY,
                ),
                WON_DRAWN_LOST,
            )
            is None
        )

    def test_contenders_of_a_team_event_by_match_points(self) -> None:
        text = """
            1 Ann  2:3-1  3:
            2 Bea  1:1-3  4:
            3 Cor  4:2-2  1:
            4 Dia  3:2-2  2:
        """
        table = read_crosstable(text, scoring=Scoring(boards=4), primary=Scale.MATCH)
        system = POINTS_ONLY.ordered_by(("match-points", "game-points"))
        found = contenders_of(rank(table, system), WON_DRAWN_LOST)
        assert found is not None
        assert (found.proof, found.scores) == (Proof.POINTS, ((4, 0), (2, 2), (0, 4)))
        ann = found.each[0]
        assert [(r.score, r.certain, r.certain_alone) for r in ann.results][:2] == [
            ((4, 0), True, True),
            ((2, 2), True, False),
        ]

    def test_contenders_with_three_points_for_a_win(self) -> None:
        text = "1 Ann 2:3-0 3:\n2 Bea 1:0-3 4:\n3 Cor 4:3-0 1:\n4 Dia 3:0-3 2:"
        table = read_crosstable(text, scoring=Scoring(game_win=6, game_draw=2))
        found = contenders_of(rank(table, POINTS_ONLY), [(6, 0), (2, 2), (0, 6)])
        assert names(found, text) == ["Ann", "Cor"]


# --- compared with all outcomes ----------------------------------------------------------------------------


class Outcome(NamedTuple):
    """An outcome of the open pairings, and the rows that are first after it."""

    ending: tuple[tuple[int, int], ...]
    first: frozenset[int]


@st.composite
def events(draw: st.DrawFn, open_rounds: int = 1) -> tuple[Crosstable, list[tuple[int, int]]]:
    """Draw an event of up to eight players, with open pairings in the last round or two."""
    n, rounds = draw(st.integers(3, 8)), draw(st.integers(2, 4))
    results = draw(st.sampled_from([WON_DRAWN_LOST, [(4, 0), (2, 2), (0, 4)], [(6, 0), (2, 2), (0, 6)]]))
    shape = (n, rounds)
    opponent, kind, points = (np.full(shape, blank, dtype=np.int64) for blank in (-1, RoundKind.ABSENT, 0))
    open_left = 5
    for at in range(rounds):
        rows = draw(st.permutations(range(n)))
        pairs = draw(st.integers(0, n // 2)) if at < rounds - open_rounds else n // 2
        for first, second in zip(rows[: 2 * pairs : 2], rows[1 : 2 * pairs : 2], strict=True):
            opponent[first, at], opponent[second, at] = second, first
            is_open = at >= rounds - open_rounds and open_left > 0 and draw(st.integers(0, 3)) > 0
            if is_open:
                open_left -= 1
                kind[[first, second], at] = RoundKind.PENDING
                continue
            kind[[first, second], at] = draw(st.sampled_from([RoundKind.PLAYED] * 4 + [RoundKind.FORFEIT]))
            points[[first, second], at] = draw(st.sampled_from(results))
        for row in rows[2 * pairs :]:
            kind[row, at] = draw(st.sampled_from([RoundKind.BYE, RoundKind.ZERO_BYE, RoundKind.ABSENT]))
            points[row, at] = results[0][0] * (kind[row, at] == RoundKind.BYE)
    outside = np.array([draw(st.integers(0, 9)) == 0 for _ in range(n)], dtype=bool)
    bonus = np.zeros(shape, dtype=np.int64)
    bonus[draw(st.integers(0, n - 1)), 0] = draw(st.sampled_from([0, 0, 1, -2]))
    leaves = np.full(n, NEVER)
    leaves[draw(st.integers(0, n - 1))] = draw(st.sampled_from([NEVER, rounds - 1, rounds - 2]))
    (win, _), (draws, _), _ = results
    table = Crosstable.of(
        tuple("ABCDEFGH"[:n]),
        rounds,
        scoring=Scoring(game_win=win, game_draw=draws),
        opponent=opponent,
        kind=kind,
        game_points=points,
        game_bonus=bonus,
        outside=outside,
        withdrawn_after=leaves,
    )
    return table, results


def after_withdrawals(table: Crosstable) -> tuple[Any, Any]:
    """Return kinds and points after the opponents of withdrawn players win their open pairings."""
    kind, points = table.kind.copy(), table.game_points.copy()
    for row, at in np.argwhere(table.kind == RoundKind.PENDING).tolist():
        other = table.opponent[row, at]
        has_left = [table.withdrawn_after[each] <= at for each in (row, other)]
        if any(has_left):
            kind[row, at] = RoundKind.FORFEIT
            points[row, at] = 0 if has_left[0] else table.scoring.game_win
    return kind, points


def all_outcomes(standings: Standings, found: Contenders, results: list[tuple[int, int]]) -> list[Outcome]:
    """Return every outcome of the open pairings, ranked by the engine."""
    table, ended = standings.table, []
    for ending in product(results, repeat=len(found.pairings)):
        kind, points = after_withdrawals(table)
        for pairing, score in zip(found.pairings, ending, strict=True):
            sides = [pairing.first, pairing.second]
            kind[sides, pairing.round - 1] = RoundKind.PLAYED
            points[sides, pairing.round - 1] = score
        fields = ("scoring", "opponent", "game_bonus", "outside", "withdrawn_after")
        given = {name: getattr(table, name) for name in fields}
        games = (kind == RoundKind.PLAYED).astype(np.int64)
        after = Crosstable.of(table.names, table.rounds, kind=kind, game_points=points, games=games, **given)
        place = rank(after, standings.system).place
        ended.append(Outcome(ending, frozenset(np.flatnonzero(place == 1).tolist())))
    return ended


def check_result(each: Contender, found: Contenders, ended: list[Outcome]) -> None:
    """Compare a contender's results with all outcomes. Results that are not listed must never be enough."""
    at = found.pairings.index(each.pairing) if each.pairing else None
    listed = {result.score: result for result in each.results}
    by_score: dict[PairingScore | None, list[Outcome]] = {}
    for end in ended:
        score = None
        if at is not None and each.pairing:
            first, second = end.ending[at]
            score = PairingScore(*((first, second) if each.pairing.first == each.row else (second, first)))
        by_score.setdefault(score, []).append(end)
    for score, ends in by_score.items():
        good = [end for end in ends if each.row in end.first]
        assert (score in listed) == bool(good)
        if score not in listed:
            continue
        result = listed[score]
        alone = [end for end in good if len(end.first) == 1]
        assert result.certain == (len(good) == len(ends))
        assert result.alone == bool(alone)
        assert result.certain_alone == (len(alone) == len(ends))
        if result.ways:
            assert result.ways == (len(good), len(ends))
            continue
        allowed = {demand.pairing: demand.scores for demand in result.demands}
        for end in ends:
            met = all(
                pairing not in allowed or PairingScore(*score) in allowed[pairing]
                for pairing, score in zip(found.pairings, end.ending, strict=True)
            )
            assert met == (each.row in end.first)


class TestAllOutcomes:
    @given(
        events(), st.sampled_from([("total-score",), ("total-score", "wins", "solkoff", "sonneborn-berger")])
    )
    def test_contenders_match_all_outcomes_by_all_criteria(
        self, drawn: tuple[Crosstable, Any], criteria: tuple[str, ...]
    ) -> None:
        table, results = drawn
        self._agree(rank(table, POINTS_ONLY.ordered_by(criteria)), results)

    @given(events())
    def test_contenders_match_all_outcomes_by_points(self, drawn: tuple[Crosstable, Any]) -> None:
        table, results = drawn
        # A criterion that needs more than scores rules out the proof by all criteria.
        standings = rank(table, POINTS_ONLY.ordered_by(("total-score", "plus-draws")))
        found = self._agree(standings, results)
        assert found is None or found.proof is Proof.POINTS

    def _agree(self, standings: Standings, results: list[tuple[int, int]]) -> Contenders | None:
        found = contenders_of(standings, results)
        if found is None:
            return None
        ended = all_outcomes(standings, found, results)
        assert {each.row for each in found.each} == {row for end in ended for row in end.first}
        for each in found.each:
            check_result(each, found, ended)
        return found

    @pytest.mark.exhaustive
    @given(events(open_rounds=2))
    def test_contenders_match_all_outcomes_of_a_schedule(self, drawn: tuple[Crosstable, Any]) -> None:
        table, results = drawn
        standings = rank(table, POINTS_ONLY)
        found = contenders_of(standings, results)
        if found is None or found.proof is not Proof.SCHEDULE:
            return
        ended = all_outcomes(standings, found, results)
        assert {each.row for each in found.each} == {row for end in ended for row in end.first}
        for each in found.each:
            own = [at for at, pairing in enumerate(found.pairings) if each.row in pairing[2:]]
            sufficient = [
                sum(end.ending[at][found.pairings[at].second == each.row] for at in own)
                for end in ended
                if each.row in end.first
            ]
            assert each.needed == min(sufficient)


# --- round robins of players and teams, with withdrawals and bonus points -----------------------------------

FOUR = (((0, 3), (1, 2)), ((3, 2), (0, 1)), ((1, 3), (2, 0)))
"""Return the pairings of a round robin of four."""


@st.composite
def round_robins(draw: st.DrawFn) -> tuple[Crosstable, Crosstable]:
    """Draw a round robin of four after round 1 or 2, and the same with all pairings."""
    is_team = draw(st.booleans())
    scoring = Scoring(boards=2) if is_team else CHESS
    win = scoring.win(Scale.GAME)
    played = draw(st.integers(1, 2))
    opponent, kind, points, bonus = (np.full((4, 3), blank) for blank in (-1, RoundKind.PENDING, 0, 0))
    for at, pairs in enumerate(FOUR):
        for pair in pairs:
            opponent[list(pair), at] = pair[::-1]
            if at < played:
                first = draw(st.integers(0, win))
                kind[list(pair), at] = RoundKind.PLAYED
                points[list(pair), at] = first, win - first
    bonus[draw(st.integers(0, 3)), draw(st.integers(0, 2))] = draw(st.sampled_from([0, 1, 2, -1, -3]))
    leaves = np.full(4, NEVER)
    leaves[draw(st.integers(0, 3))] = draw(st.sampled_from([NEVER, played, max(played - 1, 1)]))
    complete = Crosstable.of(
        tuple("ABCD"), 3, scoring=scoring, primary=Scale.MATCH if is_team else Scale.GAME, opponent=opponent,
        kind=kind, game_points=points, withdrawn_after=leaves, games_each=3,
        **{"match_bonus" if is_team else "game_bonus": bonus},
    )  # fmt: skip
    return complete.after(played), complete


def possible_leaders(complete: Crosstable) -> set[int]:
    """Return the rows that have the most points after any outcome of the remaining pairings."""
    firsts: set[int] = set()
    open_ = [(at, pair) for at, pairs in enumerate(FOUR) for pair in pairs if
             complete.state[pair[0], at] == RoundKind.PENDING]  # fmt: skip
    win = complete.scoring.win(Scale.GAME)
    for ending in product(range(win + 1), repeat=len(open_)):
        kind, points = complete.kind.copy(), complete.game_points.copy()
        for (at, pair), first in zip(open_, ending, strict=True):
            kind[list(pair), at] = RoundKind.PLAYED
            points[list(pair), at] = first, win - first
        names = (
            "scoring", "primary", "opponent", "withdrawn_after", "games_each", "match_bonus", "game_bonus"
        )  # fmt: skip
        given = {name: getattr(complete, name) for name in names}
        ended = Crosstable.of(complete.names, 3, kind=kind, game_points=points, **given)
        totals = np.where(ended.annulled, -(10**6), ended.totals())
        firsts |= set(np.flatnonzero(totals == totals.max()).tolist())
    return firsts


class TestRoundRobins:
    @settings(max_examples=60)
    @given(round_robins())
    def test_schedule_proof_matches_all_outcomes(self, drawn: tuple[Crosstable, Crosstable]) -> None:
        played, complete = drawn
        is_team = complete.scoring.boards > 1
        system = POINTS_ONLY.ordered_by(("match-points",) if is_team else ("total-score",))
        found = contenders_of(rank(played, system), WON_DRAWN_LOST)
        if found is None:
            assert (complete.withdrawn_after < 3).any()  # annulment is undecided, or the event is over
            return
        assert found.proof is Proof.SCHEDULE
        assert {each.row for each in found.each} == possible_leaders(complete)


# --- matches in progress -----------------------------------------------------------------------------------

TWO_BOARDS = Scoring(boards=2)


@st.composite
def running_matches(draw: st.DrawFn) -> Crosstable:
    """Draw a round robin of four teams with one or two open rounds, and matches in progress."""
    primary = draw(st.sampled_from(Scale))
    played = draw(st.integers(1, 2))
    opponent, kind, points = (np.full((4, 3), blank) for blank in (-1, RoundKind.PENDING, 0))
    board_points, board_kind = (np.full((4, 3, 2), blank) for blank in (0, RoundKind.ABSENT))
    for at, pairs in enumerate(FOUR):
        for pair in pairs:
            sides = list(pair)
            opponent[sides, at] = pair[::-1]
            finished = 2 if at < played else draw(st.integers(0, 1))
            for board in range(finished):
                result = draw(st.sampled_from([*WON_DRAWN_LOST, (0, 0)]))
                board_points[sides, at, board] = result
                board_kind[sides, at, board] = RoundKind.PLAYED if sum(result) else RoundKind.FORFEIT
            if at < played:
                kind[sides, at] = RoundKind.PLAYED
                points[sides, at] = board_points[sides, at].sum(axis=1)
    return Crosstable.of(
        tuple("ABCD"), 3, scoring=TWO_BOARDS, primary=primary, opponent=opponent, kind=kind,
        game_points=points, board_points=board_points, board_kind=board_kind,
        board_colour=np.zeros_like(board_kind),
    )  # fmt: skip


def scores_by_boards(table: Crosstable, pairing: OpenPairing) -> list[PairingScore]:
    """Return the scores that a pairing can have, by trying all results of its open boards."""
    sides, at = [pairing.first, pairing.second], pairing.round - 1
    _, kinds, _ = table.board_arrays
    open_boards = 2 - int(np.count_nonzero(kinds[pairing.first, at]))
    found = set()
    for ending in product(WON_DRAWN_LOST, repeat=open_boards):
        games = [
            sum(table.board_arrays[0][row, at]) + sum(each[side] for each in ending)
            for side, row in enumerate(sides)
        ]
        # More than half of the four half-points wins two match points, half of them one.
        match = [4 if each > 2 else 2 if each == 2 else 0 for each in games]
        found.add(PairingScore(*map(int, match if table.scale is Scale.MATCH else games)))
    return sorted(found)


class TestMatchesInProgress:
    def test_team_that_leads_by_more_than_the_open_boards_wins(self) -> None:
        text = """
            1 Ann  2:3-1/wwdd  3:
            2 Bea  1:1-3/lldd  4:
            3 Cor  4:4-0/wwww  1:
            4 Dia  3:0-4/llll  2:
        """
        table = read_crosstable(text, scoring=Scoring(boards=4), primary=Scale.MATCH)
        points, kinds, _ = table.board_arrays
        points[0, 1, :3] = 2
        kinds[[0, 2], 1, :3] = RoundKind.PLAYED
        found = contenders_of(rank(table, POINTS_ONLY.ordered_by(("match-points",))), WON_DRAWN_LOST)
        assert found is not None
        # Ann leads 3:0 with one open board, and has as many match points as Cor.
        assert [(each.row, each.points, each.most) for each in found.each] == [(0, 4, 8)]
        (result,) = found.each[0].results
        assert (result.score, result.certain_alone) == ((4, 0), True)

    def test_no_result_if_a_board_is_unknown(self) -> None:
        text = "1 Ann 2:3-1/wwdd 2:\n2 Bea 1:1-3/lldd 1:"
        table = read_crosstable(text, scoring=Scoring(boards=4), primary=Scale.MATCH)
        system = POINTS_ONLY.ordered_by(("match-points",))
        assert contenders_of(rank(table, system), WON_DRAWN_LOST) is not None
        table.board_arrays[1][:, 1, 0] = RoundKind.UNKNOWN
        assert contenders_of(rank(table, system), WON_DRAWN_LOST) is None

    @settings(max_examples=100)
    @given(running_matches())
    def test_contenders_match_all_results_of_open_boards(self, table: Crosstable) -> None:
        found = contenders_of(rank(table, POINTS_ONLY), WON_DRAWN_LOST)
        assert found is not None
        ended = []
        for ending in product(*(scores_by_boards(table, pairing) for pairing in found.pairings)):
            totals = table.totals(table.scale).copy()
            for pairing, score in zip(found.pairings, ending, strict=True):
                totals[[pairing.first, pairing.second]] += score
            ended.append(Outcome(ending, frozenset(np.flatnonzero(totals == totals.max()).tolist())))
        first = {row for end in ended for row in end.first}
        assert {each.row for each in found.each} == first
        for each in found.each:
            if found.proof is Proof.POINTS:
                check_result(each, found, ended)
                continue
            own = [at for at, pairing in enumerate(found.pairings) if each.row in pairing[2:]]
            assert each.needed == min(
                sum(end.ending[at][found.pairings[at].second == each.row] for at in own)
                for end in ended
                if each.row in end.first
            )


class TestSchedule:
    def test_unscheduled_pairings_of_a_round_robin(self) -> None:
        text = """
            1 Ann  2:2-0  3:2-0
            2 Bea  1:0-2  4:2-0
            3 Cor  4:1-1  1:0-2
            4 Dia  3:1-1  2:0-2
        """
        table = read_crosstable(text, scoring=DRAUGHTS, games_each=3, planned_rounds=3)
        found = contenders_of(rank(table, POINTS_ONLY), [(4, 0), (2, 2), (0, 4)])
        assert found is not None
        # Ann has 4 and meets Dia. Bea has 2 and meets Cor, on 1: Bea must win and Ann must lose.
        assert (found.proof, [pairing[2:] for pairing in found.pairings]) == (
            Proof.SCHEDULE,
            [(0, 3), (1, 2)],
        )
        assert [(each.row, each.needed) for each in found.each] == [(0, 0), (1, 4)]

"""Properties of the ranking of every event."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from standings.engine import (
    POLICIES,
    SYSTEMS,
    Crosstable,
    RoundKind,
    Scale,
    Scoring,
    Standings,
    all_criteria,
    rank,
)
from standings.engine.record import FLAGS, PER_BOARD, PER_COMPETITOR, PER_ROUND
from tests.engine.examples import recomputed

PAIRED = [RoundKind.PLAYED] * 6 + [RoundKind.FORFEIT, RoundKind.FORFEIT, RoundKind.PENDING, RoundKind.UNKNOWN]
BOARDS = [RoundKind.PLAYED, RoundKind.PLAYED, RoundKind.FORFEIT, RoundKind.ABSENT]
WITHOUT_OPPONENT = [RoundKind.BYE, RoundKind.HALF_BYE, RoundKind.ZERO_BYE, RoundKind.ABSENT]
MODIFIED = (
    *("PTS", "DE/P", "BH/C1", "BH:GP/M1/P", "FB/C2", "AOB/F", "SB/C2", "SB/M1/P", "PS/C1", "KS/L60"),
    *("ARO/C1", "ARO/M1", "RTNG/R", "EMGSB/C1/P", "SSSC/K4/F/P", "EDEBT/P", "EDE:GP"),
)
# Without the pairing number, which depends on the numbers by definition.
EVERY = tuple(found.code for found in all_criteria() if found.code != "TPN")
LISTS = [system.criteria for system in SYSTEMS.values()] + [MODIFIED, MODIFIED[::-1], EVERY, EVERY[::-1]]


@st.composite
def events(draw: st.DrawFn) -> Crosstable:
    """Draw an event of up to seven competitors and five rounds, with all kinds of rounds."""
    n, rounds, boards = draw(st.integers(2, 7)), draw(st.integers(1, 5)), draw(st.sampled_from([1, 4]))
    names = [name for name in PER_ROUND if name != "match_points"]
    names += PER_BOARD if boards > 1 else ()
    arrays: dict[str, Any] = {
        name: np.zeros((n, rounds, boards) if name in PER_BOARD else (n, rounds), dtype=np.int64)
        for name in names
    }
    arrays["opponent"] -= 1
    for at in range(rounds):
        rows = draw(st.permutations(range(n)))
        pairs = draw(st.integers(0, n // 2))
        for table in range(pairs):
            _pair(draw, arrays, at, (rows[2 * table], rows[2 * table + 1]), 2 * boards)
        for row in rows[2 * pairs :]:
            kind = draw(st.sampled_from(WITHOUT_OPPONENT))
            arrays["kind"][row, at] = kind
            arrays["game_points"][row, at] = {RoundKind.BYE: 2 * boards, RoundKind.HALF_BYE: boards}.get(
                kind, 0
            )
    if draw(st.booleans()):
        arrays["game_bonus"][draw(st.integers(0, n - 1)), draw(st.integers(0, rounds - 1))] = 2
    return Crosstable.of(tuple("ABCDEFG"[:n]), rounds, **arrays, **_event_fields(draw, n, boards))


def _pair(draw: st.DrawFn, arrays: dict[str, Any], at: int, pair: tuple[int, int], full: int) -> None:
    kind = draw(st.sampled_from(PAIRED))
    won = {
        RoundKind.PLAYED: draw(st.integers(0, full)),
        RoundKind.FORFEIT: draw(st.sampled_from([0, full])),
    }.get(kind, 0)
    lost = full - won if kind is RoundKind.PLAYED else 0
    edge = draw(st.sampled_from([0, 0, 1, -1])) if kind is RoundKind.PLAYED and won == lost else 0
    games = draw(st.integers(1, 3))
    for row, other, points, sign in ((*pair, won, 1), (*pair[::-1], lost, -1)):
        figures = {
            "opponent": other,
            "kind": kind,
            "game_points": points,
            "advantage": sign * edge,
            "games": games,
        }
        for name, figure in figures.items():
            arrays[name][row, at] = figure
    if kind is RoundKind.PLAYED and "board_points" in arrays:
        _boards(draw, arrays, at, pair)


def _boards(draw: st.DrawFn, arrays: dict[str, Any], at: int, pair: tuple[int, int]) -> None:
    """Draw results on some of the boards, and the result of the match."""
    points, kinds = arrays["board_points"], arrays["board_kind"]
    for board in range(points.shape[2]):
        kind, won = draw(st.sampled_from(BOARDS)), draw(st.integers(0, 2))
        arrays["board_colour"][pair, at, board] = (1, -1) if draw(st.booleans()) else (-1, 1)
        kinds[pair, at, board] = kind
        if kind is not RoundKind.ABSENT:
            points[pair, at, board] = (won, 2 - won if kind is RoundKind.PLAYED else 0)
    arrays["game_points"][pair, at] = points[pair, at].sum(axis=1)


def _event_fields(draw: st.DrawFn, n: int, boards: int) -> dict[str, Any]:
    def figures(low: int, high: int) -> Any:
        return np.array(draw(st.lists(st.integers(low, high), min_size=n, max_size=n)), dtype=np.int64)

    return {
        "scoring": Scoring(2, boards=boards),
        "primary": draw(st.sampled_from(Scale)),
        "unplayed": draw(st.sampled_from([None, *POLICIES.values()])),
        "games_each": draw(st.sampled_from([0, 0, 2, 4])),
        "rating": figures(0, 3) * 700,
        "rating_a": figures(0, 1) > 0,
        "outside": figures(0, 5) == 0,
        "manual": figures(0, 1),
        "manual_after": figures(0, 5),
        "withdrawn_after": figures(1, 12),
        "byes_are_wins": draw(st.booleans()),
        "unrated": draw(st.sampled_from([None, 0, 1400])),
        "planned_rounds": draw(st.integers(0, 6)),
        "final_game_bonus": figures(-1, 1) * draw(st.integers(0, 1)),
    }


def reordered(table: Crosstable, new_rows: list[int]) -> Crosstable:
    """Return the event with its competitors in another order."""
    rows = np.array(new_rows)
    where = np.argsort(rows)
    names = (*PER_ROUND, *(PER_BOARD if table.board_points is not None else ()), *PER_COMPETITOR, *FLAGS)
    arrays = {name: getattr(table, name)[rows] for name in names}
    arrays["opponent"] = np.where(arrays["opponent"] >= 0, where[arrays["opponent"]], -1)
    return replace(table, names=tuple(table.names[row] for row in new_rows), **arrays)


def renumbered(table: Crosstable, numbers: list[int]) -> Crosstable:
    """Return the event with other start numbers."""
    return replace(table, numbers=np.array(numbers, dtype=np.int64) + 1)


def found(standings: Standings) -> dict[str, Any]:
    """Return by name: place, how many share it, the competitors ahead, and all cells."""
    names, group = standings.table.names, standings._ranking.group
    texts = [judged.texts for judged in standings.columns]
    return {
        name: (
            standings.place[row],
            standings.sharing[row],
            {names[other] for other in range(len(names)) if group[other] < group[row]},
            [cells[row] for cells in texts],
        )
        for row, name in enumerate(names)
    }


def cells_name_opponents(criteria: tuple[str, ...]) -> bool:
    return "best-opponents" in criteria


@settings(deadline=None)
@given(events(), st.sampled_from(LISTS), st.data())
def test_row_order_and_numbers_do_not_affect_the_ranking(
    table: Crosstable, criteria: tuple[str, ...], data: st.DataObject
) -> None:
    new_rows = data.draw(st.permutations(range(len(table.names))))
    system = SYSTEMS["manual-swiss"].ordered_by(criteria)
    other = renumbered(reordered(table, new_rows), data.draw(st.permutations(new_rows)))
    before, after = found(rank(table, system)), found(rank(other, system))
    for name, expected in before.items():
        assert after[name][:3] == expected[:3]
        if not cells_name_opponents(criteria):
            assert after[name][3] == expected[3]


@settings(deadline=None)
@given(events(), st.sampled_from(LISTS), st.integers(0, 5))
def test_standings_after_a_round_ignore_later_rounds(
    table: Crosstable, criteria: tuple[str, ...], rounds: int
) -> None:
    system = SYSTEMS["manual-swiss"].ordered_by(criteria)
    names = PER_ROUND if table.board_points is None else (*PER_ROUND, *PER_BOARD)
    deleted = {name: getattr(table, name)[:, :rounds].copy() for name in names}
    assert found(rank(table.after(rounds), system)) == found(rank(replace(table, **deleted), system))


@settings(deadline=None)
@given(events(), st.sampled_from(LISTS), st.sampled_from([2, 3, 7]))
def test_scaling_all_points_does_not_affect_the_ranking(
    table: Crosstable, criteria: tuple[str, ...], times: int
) -> None:
    scoring = Scoring(2 * times, 4 * times, 2 * times, table.scoring.boards)
    scores = ["game_points", "match_points", "game_bonus", "match_bonus", "final_game_bonus"]
    scores += [] if table.board_points is None else ["board_points"]
    dearer = replace(table, scoring=scoring, **{name: times * getattr(table, name) for name in scores})
    system = SYSTEMS["manual-swiss"].ordered_by(criteria)
    one, other = rank(table, system), rank(dearer, system)
    assert one.order.tolist() == other.order.tolist()
    assert one.place.tolist() == other.place.tolist()
    assert one.decided_by == other.decided_by


@settings(deadline=None)
@given(events(), st.sampled_from(LISTS))
def test_steps_only_split_groups(table: Crosstable, criteria: tuple[str, ...]) -> None:
    standings = rank(table, SYSTEMS["manual-swiss"].ordered_by(criteria))
    for earlier, later in zip(standings.steps, standings.steps[1:], strict=False):
        ahead = earlier.group[:, None] < earlier.group
        assert (later.group[:, None] < later.group)[ahead].all()
        assert len(np.unique(later.group)) > len(np.unique(earlier.group))


@settings(deadline=None)
@given(events(), st.sampled_from(LISTS))
def test_place_is_the_number_of_rows_ahead_plus_1(table: Crosstable, criteria: tuple[str, ...]) -> None:
    standings = rank(table, SYSTEMS["manual-swiss"].ordered_by(criteria))
    rows = [row for row in standings.rows() if row.place]
    assert [row.place for row in rows] == sorted(row.place or 0 for row in rows)
    for at, row in enumerate(rows):
        assert row.place == 1 + sum((other.place or 0) < (row.place or 0) for other in rows)
        assert (row.decided_by is None) or at == 0 or row.place != rows[at - 1].place
    with_place = ~(table.outside | standings.table.annulled)
    assert len(rows) == with_place.sum()


@settings(deadline=None)
@given(events(), st.sampled_from(LISTS))
def test_every_value_follows_from_its_terms(table: Crosstable, criteria: tuple[str, ...]) -> None:
    standings = rank(table, SYSTEMS["manual-swiss"].ordered_by(criteria))
    for judged in standings.columns:
        for row in range(len(table.names)):
            found = standings.explain(row, judged.criterion.code)
            assert recomputed(found) == found.computed == found.levels
            assert len(found.calculations) == len(found.levels)
            assert all(line.counted or line.note for line in found.lines)


@settings(deadline=None)
@given(events(), st.sampled_from(LISTS), st.data())
def test_comparisons_agree_with_the_standings(
    table: Crosstable, criteria: tuple[str, ...], data: st.DataObject
) -> None:
    """Compare each row with the next row, and a row with all rows below."""
    standings = rank(table, SYSTEMS["manual-swiss"].ordered_by(criteria))
    rows = [row.competitor for row in standings.rows()]
    for (above, below), by in zip(pairwise(rows), standings.decided_by[1:], strict=True):
        decision = standings.decision_between(below, above)
        assert (decision and (decision.ahead, decision.by)) == (by and (above, by))
    if rows:
        at = data.draw(st.integers(0, len(rows) - 1))
        for behind in rows[at + 1 :]:
            level = standings._ranking.group[rows[at]] == standings._ranking.group[behind]
            assert standings.compare(behind, rows[at]).ahead == (None if level else rows[at])


SCORES = ("total-score", "match-points", "game-points")


@settings(deadline=None)
@given(events(), st.sampled_from(SCORES), st.sampled_from(LISTS))
def test_absent_competitor_does_not_affect_the_order(
    table: Crosstable, score: str, criteria: tuple[str, ...]
) -> None:
    """For a Swiss, with a score as the first criterion."""
    # Without bonus points: a penalty could make a winner level with the absent competitor.
    results = {name: 0 * getattr(table, name) for name in ("game_bonus", "final_game_bonus")}
    swiss = replace(table, games_each=0, **results)
    system = SYSTEMS["manual-swiss"].ordered_by((score, *(code for code in criteria if code != score)))
    before, after = found(rank(swiss, system)), found(rank(with_absentee(swiss), system))
    for name, (_, _, ahead, _) in before.items():
        assert after[name][2] - {"absentee"} == ahead


def with_absentee(table: Crosstable) -> Crosstable:
    """Return the event with another competitor, who is absent in every round."""
    # Rated, because an unrated competitor can disable the rating criteria.
    absentee = Crosstable.of(("absentee",), table.rounds, rating=np.array([700]))
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(table, name), getattr(absentee, name)])
        for name in (*PER_ROUND, *PER_COMPETITOR, *FLAGS)
    }
    if table.board_points is not None:
        shape = (1, *table.board_points.shape[1:])
        arrays |= {
            name: np.concatenate([getattr(table, name), np.zeros(shape, dtype=np.int64)])
            for name in PER_BOARD
        }
    return replace(table, names=(*table.names, "absentee"), **arrays)


@pytest.mark.parametrize("criteria", LISTS, ids=len)
def test_events_without_competitors_can_be_ranked(criteria: tuple[str, ...]) -> None:
    alone = Crosstable.of(("A",), 0)
    assert [row.place for row in rank(alone, SYSTEMS["manual-swiss"].ordered_by(criteria)).rows()] == [1]

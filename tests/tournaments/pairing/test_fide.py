"""gacrux through our interface: rounds calculated by hand, reasons of a pair, and refused reports."""

import pytest

from tournaments.pairing.engine import BAD_REPORT, NO_PAIRING, EngineError, PairingTask, ProposedPair
from tournaments.pairing.fide import check, pair
from tournaments.pairing.process import ignore_progress, make_pairs
from tournaments.pairing.texts import why, why_otherwise

NAMES = {number: f"Player {number}" for number in range(1, 7)}


def report(*cells: tuple[str, ...], rounds: int = 5) -> str:
    """Return a report of players with these cells, such as `4w1` for a win with White against number 4."""
    lines = ["012 Open", f"XXR {rounds}", "152 W"]
    for number, played in enumerate(cells, start=1):
        results = {"1": 2, "=": 1, "0": 0}
        points = sum(results[cell[-1]] for cell in played if cell) / 2
        begin = f"001 {number:4}      {NAMES[number]:<33} {2500 - number:4}".ljust(80)
        written = "".join(
            f"  {int(cell[:-2]):4} {cell[-2]} {cell[-1]}" if cell else " " * 10 for cell in played
        )
        lines.append(f"{begin}{points:4.1f} {number:4}{written}")
    return "\n".join(lines) + "\n"


SIX = report(("4w1",), ("5b1",), ("6w1",), ("1b0",), ("2w0",), ("3b0",))
"""Six players after the first round, in which the top three won."""


def test_a_round_worked_out_by_hand() -> None:
    """C.04.3: 1 and 2 meet, 3 floats to 4, and each player gets the colour that was not played yet."""
    pairs = pair(PairingTask(SIX, 2, "dutch"), ignore_progress)
    assert pairs == [
        ProposedPair(2, 1, 2, {}, "E.1", []),
        ProposedPair(4, 3, 2, {"4": "up", "3": "down"}, "E.1", []),
        ProposedPair(6, 5, 0, {}, "E.1", []),
    ]
    assert why(pairs[0], NAMES) == ["same score", "both get their preferred colour"]
    assert why(pairs[1], NAMES)[:2] == ["Player 3 floats down", "Player 4 floats up"]


def test_absent_player_is_left_out_and_another_has_the_bye() -> None:
    pairs = pair(PairingTask(SIX, 2, "dutch", absent=[6]), ignore_progress)
    assert pairs[-1] == ProposedPair(5, None, None, {}, "bye")
    assert why(pairs[-1], NAMES) == ["pairing-allocated bye"]
    assert 6 not in {number for each in pairs for number in each.numbers}


def test_a_criterion_that_a_pair_does_not_keep_is_no_meeting() -> None:
    assert why(ProposedPair(1, 2, criteria=("C12",)), NAMES) == [
        "goal not reached: a preferred colour is granted (C12)"
    ]


def test_engine_reports_its_progress() -> None:
    told: list[tuple[int, int]] = []
    pair(PairingTask(SIX, 2, "dutch"), lambda done, parts: told.append((done, parts)))
    assert told == sorted(told)
    assert 0 < told[-1][0] <= told[-1][1]


def test_process_reports_the_progress_of_the_engine() -> None:
    told: list[tuple[int, int]] = []
    task = PairingTask(SIX, 2, "dutch")
    made = make_pairs(task, lambda done, parts: told.append((done, parts)))
    assert made.pairs == pair(task, lambda done, parts: told.remove((done, parts)))
    assert told == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (report(("2w1",), ("1b0",)), NO_PAIRING),
        ("no report\n", BAD_REPORT),
    ],
)
def test_impossible_pairing_and_invalid_report_raise_engine_error(text: str, reason: str) -> None:
    with pytest.raises(EngineError) as refused:
        pair(PairingTask(text, 2, "dutch"), ignore_progress)
    assert refused.value.reason == reason


class TestChecked:
    SECOND = (("4w1", "2b1"), ("5b1", "1w0"), ("6w1", "4b1"), ("1b0", "3w0"), ("2w0", "6b0"), ("3b0", "5w1"))

    def test_as_the_rules_pair_them(self) -> None:
        found = list(check(PairingTask(report(*self.SECOND), 2, "dutch"), ignore_progress))
        assert [each.agrees for each in found] == [True, True]
        assert why_otherwise(found[0]) == ""

    def test_colours_that_were_turned(self) -> None:
        turned = (("4w1", "2w1"), ("5b1", "1b0"), *self.SECOND[2:])
        _first, second = check(PairingTask(report(*turned), 2, "dutch"), ignore_progress)
        assert second.pair
        assert second.engine
        assert (second.pair.numbers, second.engine.numbers) == ((1, 2), (2, 1))
        assert why_otherwise(second) == "both get their preferred colour"

    def test_opponents_that_were_exchanged(self) -> None:
        """3 meets 1, so that 2 floats: this pairing is the next one in the order of the procedure."""
        others = (
            *(("4w1", "3b1"), ("5b1", "4w0"), ("6w1", "1w0")),
            *(("1b0", "2b0"), ("2w0", "6b0"), ("3b0", "5w1")),
        )
        _first, second = check(PairingTask(report(*others), 2, "dutch"), ignore_progress)
        assert second.engine
        assert second.engine.numbers == (2, 1)
        assert why_otherwise(second)

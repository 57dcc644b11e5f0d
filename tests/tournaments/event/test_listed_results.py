"""Events that list the results a game can have: Delft's 12-0 to 6-6, Norway Chess's 3-0 and 1½-1."""

from typing import Any

import pytest

from standings.engine import rank
from tests.tournaments.interchange.formats import samples
from tournaments.event.choices import Kind
from tournaments.event.document import Document
from tournaments.event.judging import crosstable_of_document, system_of
from tournaments.event.numbers import results_of_text, text_of_results
from tournaments.event.resultcodes import ResultError, read_game, recorded_text
from tournaments.event.scores import bye_points
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.models import Event

NORWAY = [[3, 0], [1.5, 1]]
DELFT = [[12, 0], [11, 1], [10, 2], [9, 3], [8, 4], [7, 5], [6, 6]]


def event_file(results: Any, *scores: list[float]) -> dict[str, Any]:
    """Return four players; the games of round 1 have these results, and 4 has a half-point bye in round 2."""
    data = samples.players()
    data["event"]["scoring"] = {"results": results}
    data["rounds"] = data["rounds"][:2]
    for pairing, score in zip(data["rounds"][0]["pairings"], scores, strict=True):
        pairing.pop("advantage", None)
        pairing["score"] = score
    data["rounds"][1]["pairings"] = [
        {"table": 1, "first": 1, "second": 3, "kind": "forfeit", "score": [results[0][0], 0]},
        {"table": 2, "first": 4, "kind": "half-bye"},
        {"table": 3, "first": 2, "kind": "bye"},
    ]
    return data


def norway() -> Document:
    return samples.document(event_file(NORWAY, [3, 0], [1, 1.5]))


def test_larger_score_wins_and_byes_follow_from_the_largest_result() -> None:
    """1 has 3 + 3 by forfeit, 2 has 0 + 3 for a bye, 3 lost 1-1½, 4 won that and has 1½ for a bye."""
    document = norway()
    table = crosstable_of_document(document)
    assert (table.totals() / 2).tolist() == [6, 3, 1, 1.5 + 1.5]
    assert table.won_drawn_lost.tolist() == [[2, 0, 0], [0, 0, 1], [0, 0, 2], [1, 0, 0]]
    assert [bye_points(document.event, kind)[0] for kind in ("bye", "half-bye", "zero-bye")] == [6, 3, 0]
    places = rank(table, system_of(document.event)).place.tolist()
    assert places[0] == 1


def test_the_file_comes_back_byte_for_byte() -> None:
    written = write(norway())
    assert '"results": [[3, 0], [1.5, 1]]' in written.replace("\n", "")
    again = read(written).accepted
    assert again == norway()
    assert write(norway()) == written


def test_report_has_a_win_for_the_larger_score() -> None:
    """1½ of 3 looked like a draw to other programs, and 1 like a loss."""
    records = [line for line in write_report(norway()).splitlines() if line.startswith("001")]
    assert [record[91:99].split() for record in records[2:4]] == [["4", "w", "0"], ["3", "b", "1"]]


@pytest.mark.parametrize(("results", "scores"), [(NORWAY, ([3, 0], [1, 1.5])), (DELFT, ([6, 6], [5, 7]))])
def test_a_report_brings_them_back(results: Any, scores: tuple[list[float], list[float]]) -> None:
    document = samples.document(event_file(results, *scores))
    reading = read_report(write_report(document).encode(), "elsewhere")
    assert reading.errors == ()
    assert reading.document == document


@pytest.mark.parametrize("score", [[2, 1], [1.5, 1.5], [3, 1], [2.5, 0.5]])
def test_another_result_is_refused_with_those_there_are(score: list[float]) -> None:
    found = read(samples.text(event_file(NORWAY, [3, 0], score))).errors
    assert [each.code for each in found] == ["impossible-score"]
    assert "a game here ends 3-0, 1½-1" in found[0].message


@pytest.mark.parametrize(
    ("scoring", "code"),
    [
        ({"results": NORWAY, "game": [1, 0.5, 0]}, "scoring-twice"),
        ({"results": [[1, 1]]}, "scoring-order"),
        ({"results": []}, "scoring-order"),
        ({"results": [[1.5, 1]]}, "scoring-order"),
        ({"results": [[3, 0, 1]]}, "wrong-type"),
        ({"results": [[3, "0"]]}, "wrong-type"),
    ],
)
def test_invalid_list_in_a_file_is_refused(scoring: dict[str, Any], code: str) -> None:
    data = event_file(NORWAY, [3, 0], [1, 1.5])
    data["event"]["scoring"] = scoring
    assert code in [each.code for each in read(samples.text(data)).errors]


@pytest.mark.parametrize("text", ["3-0 1½-1", "3-0, 1½-1", "1-1.5; 0:3", "3–0\n1,5-1"])
def test_a_list_is_read_as_people_write_it(text: str) -> None:
    assert text_of_results(results_of_text(text)) == "3-0 1½-1"


@pytest.mark.parametrize("text", ["3", "3-0 and 1-1", "won", "3-0-1"])
def test_invalid_typed_list_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"3|won"):
        results_of_text(text)


def of(results: str, win: int) -> Event:
    return Event(entrants="players", schedule="swiss", game_win=win, game_draw=win // 2, game_results=results)


@pytest.mark.parametrize(
    ("results", "win", "typed", "printed"),
    [
        ("3-0 1½-1", 6, "3", "3-0"),
        ("3-0 1½-1", 6, "1½", "1½-1"),
        ("3-0 1½-1", 6, "1", "1-1½"),
        ("3-0 1½-1", 6, "0", "0-3"),
        ("3-0 1½-1", 6, "1-1½", "1-1½"),
        ("3-0 1½-1", 6, "+", "+ -"),
        ("12-0 11-1 6-6", 24, "11", "11-1"),
        ("12-0 11-1 6-6", 24, "=", "6-6"),
        ("12-0 11-1 6-6", 24, "1", "1-11"),
    ],
)
def test_typed_by_the_arbiter(results: str, win: int, typed: str, printed: str) -> None:
    event = of(results, win)
    found = read_game(typed, event)
    assert str(found) == printed
    assert found.kind in {Kind.PLAYED, Kind.FORFEIT}


@pytest.mark.parametrize("typed", ["=", "2", "w", "1½-1½"])
def test_impossible_result_is_refused_with_the_listed_ones(typed: str) -> None:
    with pytest.raises(ResultError, match=r"3-0|draughts"):
        read_game(typed, of("3-0 1½-1", 6))


def test_forfeit_names_a_score_other_than_a_win_to_zero() -> None:
    event = of("3-0 1½-1", 6)
    assert recorded_text(event, norway().rounds[1].pairings[0]) == "+ -"
    assert str(read_game("+- 1½-1", event)) == "+ -"

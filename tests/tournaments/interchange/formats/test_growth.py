"""A file of four times the size takes about four times as long to read and check, in all formats."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.growth import growth
from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.test_sheets import Rows, xlsx
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile
from tournaments.interchange.formats.trf.readiness import report_gaps
from tournaments.interchange.formats.validating.validation import validate

TIMES, MOST = 4, 8.5  # linear work takes 4 times as long, quadratic work 16 times

Change = Callable[[dict[str, Any], int], None]


def _grows(act: Callable[[int], object], size: int) -> float:
    # Other processes make measurements longer, never shorter, so a single good measurement is enough.
    return min(growth(act, size, TIMES, tries=2) for _ in range(2))


# --- event files ------------------------------------------------------------------------------------------


def _rounds(data: dict[str, Any], count: int) -> None:
    first = data["rounds"][0]
    data["rounds"] = [first | {"number": number} for number in range(1, count + 1)]


def _same_round(data: dict[str, Any], count: int) -> None:
    data["rounds"] = [data["rounds"][0]] * count


def _pairings(data: dict[str, Any], count: int) -> None:
    pairing = data["rounds"][0]["pairings"][0]
    data["rounds"][0]["pairings"] = [pairing | {"table": table} for table in range(1, count + 1)]


def _competitors(data: dict[str, Any], count: int) -> None:
    data["competitors"] = [data["competitors"][0] | {"fide_id": 7}] * count


def _players(data: dict[str, Any], count: int) -> None:
    player = data["competitors"][0]["players"][0]
    players = [player | {"name": f"Player {number}", "board": number} for number in range(1, count + 1)]
    data["competitors"][0]["players"] = [
        {key: value for key, value in each.items() if key != "fide_id"} for each in players
    ]


def _overrides(data: dict[str, Any], count: int) -> None:
    ruling = samples.RULING | {"kind": "undo"}
    data["overrides"] = [ruling | {"id": number + 1, "undoes": number} for number in range(1, count + 1)]


def _criteria(data: dict[str, Any], count: int) -> None:
    data["event"]["criteria"] = [*["wins"] * count]


def _unknown_keys(data: dict[str, Any], count: int) -> None:
    data["event"] |= {f"key{number}": 0 for number in range(count)}


def _long_key(data: dict[str, Any], count: int) -> None:
    data["event"]["a." * 100 * count] = 0


def _columns(data: dict[str, Any], count: int) -> None:
    data["published"] = {"order": [], "columns": {f"Column {number}": {"1": "0"} for number in range(count)}}


EVENTS = {
    "rounds": (samples.players, _rounds, 250),
    "the same round": (samples.players, _same_round, 250),
    "pairings": (samples.players, _pairings, 400),
    "competitors": (samples.players, _competitors, 400),
    "players of a team": (samples.teams, _players, 1_000),
    "overrides": (samples.players, _overrides, 500),
    "criteria": (samples.players, _criteria, 2_000),
    "unknown keys": (samples.players, _unknown_keys, 1_000),
    "a long key": (samples.players, _long_key, 400),
    "published columns": (samples.players, _columns, 1_000),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("sample", "change", "size"), [pytest.param(*EVENTS[each], id=each) for each in EVENTS]
)
def test_an_event_file_is_checked_in_linear_time(
    sample: Callable[[], dict[str, Any]], change: Change, size: int
) -> None:
    def content(count: int) -> bytes:
        data = copy.deepcopy(sample())
        change(data, count)
        return json.dumps(data).encode()

    files = {count: content(count) for count in (size, TIMES * size)}

    assert _grows(lambda count: validate(files[count], "event.json"), size) < MOST


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("begin", "piece", "end", "size"),
    [
        pytest.param("{", '"a": 1, ', '"a": 1}', 5_000, id="one key"),
        pytest.param("{", '"a": 1, "%d": 2, ', '"a": 1}', 5_000, id="keys, one twice"),
        pytest.param('{"a": [', '"b", ', "NaN]}", 20_000, id="a text with NaN"),
        pytest.param("[" * 2_000, '\\"', "", 40_000, id="a text that is not closed"),
        pytest.param("", "[", "", 40_000, id="lists"),
    ],
)
def test_a_broken_event_file_is_read_in_linear_time(begin: str, piece: str, end: str, size: int) -> None:
    def content(count: int) -> bytes:
        pieces = (piece % number if "%" in piece else piece for number in range(count))
        return f"{begin}{''.join(pieces)}{end}".encode()

    files = {count: content(count) for count in (size, TIMES * size)}

    assert _grows(lambda count: validate(files[count], "event.json"), size) < MOST


def test_a_report_is_checked_for_rating_in_linear_time() -> None:
    def document(count: int) -> Any:
        data = samples.players()
        competitor = data["competitors"][0]
        data["rounds"] = []
        data["competitors"] = [
            competitor | {"number": number, "fide_id": number} for number in range(1, count + 1)
        ]
        return samples.document(data)

    documents = {count: document(count) for count in (1_000, TIMES * 1_000)}

    assert _grows(lambda count: report_gaps(documents[count]), 1_000) < MOST


# --- reports, tables and pages ----------------------------------------------------------------------------

REPORT = "012 Cup\n042 2021/05/01\n052 2021/05/03\nXXR 3\n"


def _reported(number: int, opponent: int) -> str:
    about = f"001 {number:4d} m    {f'Name{number}, Bo':33} 2000 NED {10_000_000 + number:11d} 1990/01/01"
    return f"{about}  1.0 {number:4d}  {opponent:4d} w 1\n"


def _report(count: int) -> str:
    return REPORT + "".join(_reported(number, number - 1 or 2) for number in range(1, count + 1))


def _report_of_one_opponent(count: int) -> str:
    return REPORT + "".join(_reported(number, 1) for number in range(1, count + 1))


def _table(count: int) -> str:
    rows = (f"{number};Name{number}, Bo;2000;NED;1;{number - 1 or 2}w1;0\n" for number in range(1, count + 1))
    return "No;Name;Elo;Fed;Pts;1;2\n" + "".join(rows)


def _results(count: int) -> str:
    rows = (f"1;Name{2 * number};Name{2 * number + 1};1-0\n" for number in range(count))
    return "Round;White;Black;Result\n" + "".join(rows)


def _page(count: int) -> str:
    rows = (f"<tr><td>{line.replace(';', '<td>')}" for line in _table(count).splitlines())
    return f"<html><table>{''.join(rows)}</table></html>"


def _headings(count: int) -> str:
    headings = (f"<h2>Heading {number}</h2>" for number in range(count))
    return f"<html>{''.join(headings)}<table><tr><td>No<td>Name<tr><td>1<td>Ann</table></html>"


def _games(count: int) -> str:
    game = '[Event "Cup"]\n[White "N%d"]\n[Black "M%d"]\n[Round "%d"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
    return "".join(game % (number, number, number) for number in range(1, count + 1))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("name", "make", "size"),
    [
        pytest.param("report.trf", _report, 300, id="report"),
        pytest.param("report.trf", _report_of_one_opponent, 600, id="report, one opponent"),
        pytest.param("table.csv", _table, 300, id="cross table"),
        pytest.param("results.csv", _results, 400, id="results"),
        pytest.param("page.html", _page, 200, id="page"),
        pytest.param("page.html", _headings, 3_000, id="page of headings"),
        pytest.param("games.pgn", _games, 100, id="games"),
    ],
)
def test_a_file_is_read_and_checked_in_linear_time(name: str, make: Callable[[int], str], size: int) -> None:
    files = {count: make(count).encode() for count in (size, TIMES * size)}

    assert _grows(lambda count: validate(files[count], name), size) < MOST


@pytest.mark.exhaustive
def test_a_workbook_is_read_in_linear_time() -> None:
    def rows(count: int) -> Rows:
        return [[*line.split(";")] for line in _table(count).splitlines()]

    files = {count: xlsx(rows(count)) for count in (150, TIMES * 150)}

    assert _grows(lambda count: validate(files[count], "table.xlsx"), 150) < MOST


# --- files of other programs ------------------------------------------------------------------------------

TEXTS = [each for each in LAYOUTS if each.example.strip() and each.code != "chess-results-xml"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("layout", TEXTS, ids=lambda each: each.code)
def test_a_layout_is_read_in_linear_time(layout: Layout) -> None:
    def read(count: int) -> object:
        content = (layout.example * count).encode()
        return layout.read(LayoutFile(f"example{layout.endings[0]}", content))

    assert _grows(read, 25) < MOST


def test_an_upload_to_chess_results_is_read_in_linear_time() -> None:
    layout = next(each for each in LAYOUTS if each.code == "chess-results-xml")
    head, pairing, rest = layout.example.partition('  <playerpairing round="1" pairing="1"')

    def read(count: int) -> object:
        element = '<playerpairing round="1" pairing="1" board="1" whiteno="1" blackno="2" reswhite="1"/>\n'
        content = f"{head}{element * count}{pairing}{rest}".encode()
        return layout.read(LayoutFile("upload.xml", content))

    assert _grows(read, 400) < MOST


def test_comments_in_one_line_of_a_game_are_read_in_linear_time() -> None:
    layout = next(each for each in LAYOUTS if each.code == "pgn")

    def read(count: int) -> object:
        text = layout.example.replace("\n\n1.", f"\n\n{'{}' * count} 1.", 1)
        return layout.read(LayoutFile("games.pgn", text.encode()))

    assert _grows(read, 30_000) < MOST

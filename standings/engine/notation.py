"""Read a crosstable that is drawn as text, for tests and documentation.

Each line is a competitor: number, name, attributes, and a cell per round. A cell contains the number of the
opponent and the result from the competitor's side. The opponent's line must contain the same result.

    1 Ann  2300a  2:2-0  3:1+-1-  bye
    2 Bea  2250   1:0-2  bye      3:+
    3 Cor         bye=1  1:1--1+  2:-

    2:2-0      own points, then the opponent's; halves as ½ or .5
    2:1+-1-    a draw with advantage; the opponent has 1--1+
    2:5-0x3    a micro-match of three games
    2:+  2:-   won and lost by forfeit; 2:-- lost by both
    2:2-2f     a forfeit with a score of its own, here halved
    2:3-1/wwdd a match with its boards: w won, d drawn, p 1+, m 1-, l lost, o lost by both; then the number of
               games, or f for a forfeit: w3, lf
    2:         not yet played; 2:? played, result unknown
    2w:1-0     with White, b with Black; in a match on board 1, alternating on the others
    bye        worth a win; ½bye a draw, 0bye nothing; bye=1 or ½bye=1 worth 1
    –          absent

Attributes: the rating with the class of the list (2300a), outside, withdrawn=3 (after round 3), manual=1,
and manual=1@9 (from round 9 on). The tables of a round are numbered in the order of the lines.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import Any

import numpy as np

from standings.engine.arrays import BoardFigure, RoundKind
from standings.engine.crosstable import Crosstable
from standings.engine.record import NEVER
from standings.engine.scoring import DRAUGHTS, HALF, Scale, Scoring

ATTRIBUTE = re.compile(
    r"(?P<rating>\d+)(?P<list>[a-z]?)|(?P<word>outside|withdrawn|manual)(?:=(?P<value>\d+)(?:@(?P<after>\d+))?)?"
)
CELL = re.compile(
    r"–|(?P<free>[½0]?)bye(?:=(?P<worth>[\d.½]+))?|(?P<opponent>\d+)(?P<colour>[wb]?):(?P<result>\S*)"
)
SCORE = re.compile(
    r"(?P<own>[\d.½]+)(?P<edge>[+-]?)-(?P<other>[\d.½]+)[+-]?(?:x(?P<games>\d+))?(?P<forfeit>f?)"
    r"(?:/(?P<boards>(?:[wdpmlo](?:f|\d*))+))?"
)
BOARD = re.compile(r"([wdpmlo])(f|\d*)")
OTHER_SIDE = str.maketrans("wlpm", "lwmp")
EDGES = {"": 0, "+": 1, "-": -1}
COLOURS = {"": 0, "w": 1, "b": -1}
BYES = {"": RoundKind.BYE, "½": RoundKind.HALF_BYE, "0": RoundKind.ZERO_BYE}
WITHOUT_SCORE = {
    "": (RoundKind.PENDING, ""),
    "?": (RoundKind.UNKNOWN, "?"),
    "--": (RoundKind.FORFEIT, "--"),
    "+": (RoundKind.FORFEIT, "-"),
    "-": (RoundKind.FORFEIT, "+"),
}


@dataclass(frozen=True)
class DrawnRound:
    """A round in the row of a competitor. `mirror` is the result that the opponent's row must have."""

    kind: RoundKind
    opponent: str = ""
    points: int = 0
    advantage: int = 0
    games: int = 0
    result: str = ""
    mirror: str = ""
    boards: str = ""
    colour: int = 0


@dataclass
class DrawnCompetitor:
    number: str
    name: str
    attributes: dict[str, int]
    cells: list[DrawnRound]


def read_crosstable(text: str, *, scoring: Scoring = DRAUGHTS, **fields: Any) -> Crosstable:
    """Return the crosstable drawn in the text. `fields` are other fields of it (primary, unplayed …).

    Raise ValueError, with the competitor, if a cell is invalid or contradicts the opponent's cell.
    """
    competitors = []
    for number, name, *columns in filter(None, map(str.split, text.splitlines())):
        found = list(takewhile(bool, map(ATTRIBUTE.fullmatch, columns)))
        attributes: dict[str, int] = {}
        for attribute in filter(None, found):
            attributes |= _read_attribute(attribute)
        cells = [_read_cell(column, name, scoring) for column in columns[len(found) :]]
        competitors.append(DrawnCompetitor(number, name, attributes, cells))
    rows = {competitor.number: row for row, competitor in enumerate(competitors)}
    for own in competitors:
        if len(own.cells) != len(competitors[0].cells):
            other = competitors[0]
            raise ValueError(f"{own.name} has {len(own.cells)} rounds, {other.name} {len(other.cells)}")
        for at, cell in enumerate(own.cells):
            if not cell.opponent:
                continue
            if cell.opponent not in rows:
                raise ValueError(f"{own.name}: there is no number {cell.opponent}")
            other = competitors[rows[cell.opponent]]
            answer = other.cells[at]
            if (answer.opponent, answer.result, answer.colour) != (own.number, cell.mirror, -cell.colour):
                raise ValueError(f"round {at + 1}: {own.name} and {other.name} contradict each other")
    arrays = _competitor_arrays(competitors) | _round_arrays(competitors, rows)
    if any(cell.boards for competitor in competitors for cell in competitor.cells):
        arrays |= _board_arrays(competitors, scoring)
    names, rounds = tuple(competitor.name for competitor in competitors), arrays["opponent"].shape[1]
    return Crosstable.of(names, rounds, scoring=scoring, **arrays, **fields)


def _competitor_arrays(competitors: list[DrawnCompetitor]) -> dict[str, Any]:
    def values(attribute: str, default: int = 0) -> Any:
        found = [competitor.attributes.get(attribute, default) for competitor in competitors]
        return np.array(found, dtype=np.int64)

    return {
        "numbers": np.array([int(competitor.number) for competitor in competitors], dtype=np.int64),
        "rating": values("rating"),
        "rating_a": values("rating_a") > 0,
        "outside": values("outside") > 0,
        "withdrawn_after": values("withdrawn", NEVER),
        "manual": values("manual"),
        "manual_after": values("manual_after"),
    }


def _round_arrays(competitors: list[DrawnCompetitor], rows: dict[str, int]) -> dict[str, Any]:
    rounds = len(competitors[0].cells) if competitors else 0

    def figures(figure: Callable[[DrawnRound], int]) -> Any:
        drawn = [[figure(cell) for cell in competitor.cells] for competitor in competitors]
        return np.array(drawn, dtype=np.int64).reshape(len(competitors), rounds)

    opponent = figures(lambda cell: rows.get(cell.opponent, -1))
    is_first = np.arange(len(competitors))[:, None] < opponent
    tables = is_first.cumsum(axis=0) * is_first
    tables += tables[opponent, np.arange(rounds)] * (opponent >= 0)
    return {
        "opponent": opponent,
        "kind": figures(lambda cell: cell.kind),
        "game_points": figures(lambda cell: cell.points),
        "advantage": figures(lambda cell: cell.advantage),
        "games": figures(lambda cell: cell.games),
        "colour": figures(lambda cell: cell.colour),
        "table_number": tables,
    }


def _board_arrays(competitors: list[DrawnCompetitor], scoring: Scoring) -> dict[str, Any]:
    drawn = [[BOARD.findall(cell.boards) for cell in competitor.cells] for competitor in competitors]
    most = max(len(boards) for cells in drawn for boards in cells)
    shape = (len(competitors), len(competitors[0].cells), max(most, scoring.boards))
    points, kinds, colours = np.zeros((3, *shape), dtype=np.int64)
    scores = {"w": scoring.game_win, "l": 0, "o": 0}
    for row, cells in enumerate(drawn):
        for at, boards in enumerate(cells):
            for board, (letter, amount) in enumerate(boards):
                points[row, at, board] = scores.get(letter, scoring.draw_of_board // 4)
                kinds[row, at, board] = RoundKind.FORFEIT if amount == "f" else RoundKind.PLAYED
                colours[row, at, board] = (1 - 2 * (board % 2)) * competitors[row].cells[at].colour
    figures = [[_board_figures(cell.boards) for cell in competitor.cells] for competitor in competitors]
    return {
        "boards": np.array(figures, dtype=np.int64),
        "board_points": points,
        "board_kind": kinds,
        "board_colour": colours,
    }


def _board_figures(boards: str) -> list[int]:
    figures = [0] * len(BoardFigure)
    for letter, amount in BOARD.findall(boards):
        games = 0 if amount == "f" else int(amount or 1)
        figures[BoardFigure.RECORDED] += 1
        figures[BoardFigure.WON] += letter == "w"
        figures[BoardFigure.LOST] += letter in "lo"
        figures[BoardFigure.PLUS] += letter == "p"
        figures[BoardFigure.MINUS] += letter == "m"
        figures[BoardFigure.GAMES_WON] += games * (letter == "w")
        figures[BoardFigure.GAMES_LOST] += games * (letter in "lo")
    return figures


def _read_attribute(attribute: re.Match[str]) -> dict[str, int]:
    if attribute["rating"]:
        return {"rating": int(attribute["rating"]), "rating_a": int(attribute["list"] == "a")}
    return {
        attribute["word"]: int(attribute["value"] or 1),
        f"{attribute['word']}_after": int(attribute["after"] or 0),
    }


def _read_cell(text: str, name: str, scoring: Scoring) -> DrawnRound:
    cell = CELL.fullmatch(text)
    if not cell:
        raise ValueError(f"{name}: {text!r} is not a cell")
    if cell["opponent"]:
        drawn = _read_pairing(cell["opponent"], cell["result"], name, scoring)
        return replace(drawn, colour=COLOURS[cell["colour"]])
    if text == "–":
        return DrawnRound(RoundKind.ABSENT)
    kind = BYES[cell["free"]]
    worth = {
        RoundKind.BYE: scoring.win(Scale.GAME),
        RoundKind.HALF_BYE: scoring.win(Scale.GAME) // 2,
        RoundKind.ZERO_BYE: 0,
    }[kind]
    return DrawnRound(kind, points=_parse_half_points(cell["worth"]) if cell["worth"] else worth)


def _read_pairing(opponent: str, result: str, name: str, scoring: Scoring) -> DrawnRound:
    if result in WITHOUT_SCORE:
        kind, mirror = WITHOUT_SCORE[result]
        points = scoring.win(Scale.GAME) if result == "+" else 0
        return DrawnRound(kind, opponent, points, result=result, mirror=mirror)
    score = SCORE.fullmatch(result)
    if not score:
        raise ValueError(f"{name}: {result!r} is not a result")
    own, other = _parse_half_points(score["own"]), _parse_half_points(score["other"])
    kind = RoundKind.FORFEIT if score["forfeit"] else RoundKind.PLAYED
    advantage, games = EDGES[score["edge"]], int(score["games"] or kind is RoundKind.PLAYED)
    boards = score["boards"] or ""
    return DrawnRound(
        kind,
        opponent,
        own,
        advantage,
        games,
        f"{own}-{other} {advantage} {games} {kind} {boards}",
        f"{other}-{own} {-advantage} {games} {kind} {boards.translate(OTHER_SIDE)}",
        boards,
    )


def _parse_half_points(text: str) -> int:
    whole = text.removesuffix("½")
    halves = HALF * Fraction(whole or 0) + (whole != text)
    if halves.denominator != 1:
        raise ValueError(f"{text} is finer than half a point")
    return int(halves)

"""A crosstable from drawn text, for tests and documentation.

One line per competitor: number, name, what is known of it, then a cell per round. A cell names the opponent
by its number and tells the result from the line's own side; the opponent's line says the same the other way
round.

    1 Ann  2300a  2:2-0    3:1+-1-  bye
    2 Bea  2250   1:0-2    bye      3:+
    3 Cor         bye=1    1:1--1+  2:-

    2:2-0      own points, then the opponent's; halves as ½ or .5
    2:1+-1-    a draw with advantage; the opponent has 1--1+
    2:5-0x3    a micro-match of three games
    2:+  2:-   won, and lost, by forfeit; 2:-- lost by both
    2:2-2f     a forfeit with a score of its own, here halved
    2:3-1/wwdd a match with its boards: w won, d drawn, p 1+, m 1-, l lost, o lost by both; behind it how many
               games it took, or f where it was by forfeit: w3, lf
    2:         not yet played; 2:? played, result unknown
    2w:1-0     with White, b with Black; of a match on board 1, and on the others in turn
    bye        worth a win; ½bye a draw, 0bye nothing; bye=1 or ½bye=1 as much as it says
    –          absent

Known of a competitor: its rating with the class of the list (2300a), outside, withdrawn=3 (after round 3),
manual=1, and manual=1@9 (from round 9 on). The tables of a round are numbered in the order of the lines.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
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
    """One round of one line; `mirror` is what the opponent's line has to say."""

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
    """One competitor."""

    number: str
    name: str
    attributes: dict[str, int]
    cells: list[DrawnRound]


def read_crosstable(text: str, *, scoring: Scoring = DRAUGHTS, **about: Any) -> Crosstable:
    """Return the crosstable drawn in the text; `about` are further fields of it (primary, unplayed …).

    ValueError naming the competitor and the cell that cannot be read or that its opponent contradicts.
    """
    lines = [_read_line(line.split(), scoring) for line in text.splitlines() if line.strip()]
    row = {line.number: at for at, line in enumerate(lines)}
    _check_mirrors(lines, row)
    known = _attributes(lines) | _rounds(lines, row)
    if any(cell.boards for line in lines for cell in line.cells):
        known |= {"boards": _boards(lines), **_one_by_one(lines, scoring)}
    names, rounds = tuple(line.name for line in lines), known["opponent"].shape[1]
    return Crosstable.of(names, rounds, scoring=scoring, **known, **about)


def _attributes(lines: list[DrawnCompetitor]) -> dict[str, Any]:
    def known(attribute: str, unknown: int = 0) -> Any:
        return np.array([line.attributes.get(attribute, unknown) for line in lines], dtype=np.int64)

    return {
        "numbers": np.array([int(line.number) for line in lines], dtype=np.int64),
        "rating": known("rating"),
        "rating_a": known("rating_a") > 0,
        "outside": known("outside") > 0,
        "withdrawn_after": known("withdrawn", NEVER),
        "manual": known("manual"),
        "manual_after": known("manual_after"),
    }


def _rounds(lines: list[DrawnCompetitor], row: dict[str, int]) -> dict[str, Any]:
    rounds = len(lines[0].cells) if lines else 0

    def figures(figure: Callable[[DrawnRound], int]) -> Any:
        drawn = [[figure(cell) for cell in line.cells] for line in lines]
        return np.array(drawn, dtype=np.int64).reshape(len(lines), rounds)

    return {
        "opponent": figures(lambda cell: row.get(cell.opponent, -1)),
        "kind": figures(lambda cell: cell.kind),
        "game_points": figures(lambda cell: cell.points),
        "advantage": figures(lambda cell: cell.advantage),
        "games": figures(lambda cell: cell.games),
        "colour": figures(lambda cell: cell.colour),
        "table_number": np.array(_table_numbers(lines, row, rounds), dtype=np.int64).reshape(
            len(lines), rounds
        ),
    }


def _boards(lines: list[DrawnCompetitor]) -> Any:
    drawn = [[_figures(cell.boards) for cell in line.cells] for line in lines]
    return np.array(drawn, dtype=np.int64)


def _one_by_one(lines: list[DrawnCompetitor], scoring: Scoring) -> dict[str, Any]:
    """Return the points, the kind and the colour of each board."""
    drawn = [[BOARD.findall(cell.boards) for cell in line.cells] for line in lines]
    most = max(len(boards) for cells in drawn for boards in cells)
    shape = (len(lines), len(lines[0].cells), max(most, scoring.boards))
    points, kinds, colours = np.zeros((3, *shape), dtype=np.int64)
    scores = {"w": scoring.game_win, "l": 0, "o": 0}
    for row, cells in enumerate(drawn):
        for at, boards in enumerate(cells):
            for board, (sign, amount) in enumerate(boards):
                points[row, at, board] = scores.get(sign, scoring.draw_of_board // 4)
                kinds[row, at, board] = RoundKind.FORFEIT if amount == "f" else RoundKind.PLAYED
                colours[row, at, board] = (1 - 2 * (board % 2)) * lines[row].cells[at].colour
    return {"board_points": points, "board_kind": kinds, "board_colour": colours}


def _figures(boards: str) -> list[int]:
    """Return the figures of one side's boards, in the order of BoardFigure."""
    figures = [0] * len(BoardFigure)
    for sign, amount in BOARD.findall(boards):
        games = 0 if amount == "f" else int(amount or 1)
        figures[BoardFigure.RECORDED] += 1
        figures[BoardFigure.WON] += sign == "w"
        figures[BoardFigure.LOST] += sign in "lo"
        figures[BoardFigure.PLUS] += sign == "p"
        figures[BoardFigure.MINUS] += sign == "m"
        figures[BoardFigure.GAMES_WON] += games * (sign == "w")
        figures[BoardFigure.GAMES_LOST] += games * (sign in "lo")
    return figures


def _read_line(words: list[str], scoring: Scoring) -> DrawnCompetitor:
    number, name, *rest = words
    attributes: dict[str, int] = {}
    while rest and (attribute := ATTRIBUTE.fullmatch(rest[0])):
        attributes |= _read_attribute(attribute)
        rest = rest[1:]
    return DrawnCompetitor(number, name, attributes, [_read_cell(word, name, scoring) for word in rest])


def _read_attribute(attribute: re.Match[str]) -> dict[str, int]:
    if attribute["rating"]:
        return {"rating": int(attribute["rating"]), "rating_a": int(attribute["list"] == "a")}
    return {
        attribute["word"]: int(attribute["value"] or 1),
        f"{attribute['word']}_after": int(attribute["after"] or 0),
    }


def _read_cell(word: str, name: str, scoring: Scoring) -> DrawnRound:
    cell = CELL.fullmatch(word)
    if not cell:
        raise ValueError(f"{name}: {word!r} is no cell")
    if cell["opponent"]:
        drawn = _read_pairing(cell["opponent"], cell["result"], name, scoring)
        return replace(drawn, colour=COLOURS[cell["colour"]])
    if word == "–":
        return DrawnRound(RoundKind.ABSENT)
    kind = BYES[cell["free"]]
    worth = {
        RoundKind.BYE: scoring.win(Scale.GAME),
        RoundKind.HALF_BYE: scoring.win(Scale.GAME) // 2,
        RoundKind.ZERO_BYE: 0,
    }[kind]
    return DrawnRound(kind, points=_half_points(cell["worth"]) if cell["worth"] else worth)


def _read_pairing(opponent: str, result: str, name: str, scoring: Scoring) -> DrawnRound:
    if result in WITHOUT_SCORE:
        kind, mirror = WITHOUT_SCORE[result]
        points = scoring.win(Scale.GAME) if result == "+" else 0
        return DrawnRound(kind, opponent, points, result=result, mirror=mirror)
    score = SCORE.fullmatch(result)
    if not score:
        raise ValueError(f"{name}: {result!r} is no result")
    own, other = _half_points(score["own"]), _half_points(score["other"])
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


def _half_points(text: str) -> int:
    whole = text.removesuffix("½")
    halves = HALF * Fraction(whole or 0) + (whole != text)
    if halves.denominator != 1:
        raise ValueError(f"{text} is finer than half a point")
    return int(halves)


def _check_mirrors(lines: list[DrawnCompetitor], row: dict[str, int]) -> None:
    for line in lines:
        if len(line.cells) != len(lines[0].cells):
            raise ValueError(
                f"{line.name} has {len(line.cells)} rounds, {lines[0].name} {len(lines[0].cells)}"
            )
        for at, cell in enumerate(line.cells):
            if cell.opponent and cell.opponent not in row:
                raise ValueError(f"{line.name}: nobody has the number {cell.opponent}")
            other = lines[row[cell.opponent]] if cell.opponent else None
            told = (line.number, cell.mirror, -cell.colour)
            if other and (other.cells[at].opponent, other.cells[at].result, other.cells[at].colour) != told:
                raise ValueError(f"round {at + 1}: {line.name} and {other.name} do not tell the same")


def _table_numbers(lines: list[DrawnCompetitor], row: dict[str, int], rounds: int) -> list[list[int]]:
    """Return the number of each pairing: how many pairings begin in this line or above."""
    tables = [[0] * rounds for _ in lines]
    for at in range(rounds):
        firsts = [own for own, line in enumerate(lines) if own < row.get(line.cells[at].opponent, -1)]
        for number, own in enumerate(firsts, start=1):
            tables[own][at] = tables[row[lines[own].cells[at].opponent]][at] = number
    return tables

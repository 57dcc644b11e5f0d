"""Cells of crosstables: opponent, colour and result, such as `12w1`, `+12`, `2/12w`, `54b½`, `BYE`."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from tournaments.event.resultcodes import half_points_or_none
from tournaments.interchange.formats.tables.grid import RowPlace

# dashes and full-width characters to ASCII
_DASHES = str.maketrans("‐‑‒–—−", "------") | {0xFF01 + at: 0x21 + at for at in range(94)}

_POINTS = r"\d+½|½|1/2|\d*[.,]\d+|\d+"
WHITE, BLACK, EITHER = "wvhб", "zsancčpч", "b"
"""Letters of colours.

white, vit, hvid or at home, белые; zwart, schwarz or svart, away, noirs, negras or nero, czarne or crni,
černé, pretas, чёрные. `b` is Black in English, and White if it occurs with some of these.
"""

_L = f"[{WHITE}{BLACK}{EITHER}]"
_BEHIND = rf"(?<=[{WHITE}{BLACK}{EITHER}: ])({_POINTS})([+-]?)(f?)|([+\-=?]|(?<={_L})\.)|([wdl])"
_NUMBER_FIRST = re.compile(rf"(\d{{1,5}})\s*(?:({_L})\s*|:\s*)?(?:{_BEHIND})?")
_WITHOUT_COLOUR = re.compile(rf"(?P<opponent>\d{{1,5}})\s*x\s*(?P<points>{_POINTS})")
_NOT_PLAYED = re.compile(
    r"(?P<opponent>\d{1,5})\s*(?P<colour>[ha])\s*x"
)  # a match at home or away that is to be played
_NOBODY = re.compile(
    rf"0\s*{_L}(?:([fhuz])|({_POINTS}))?|z[wbzs]([fhuz])"
    rf"|0?\s*+:\s*+([wdl+=-])?|0\s*+:\s*+({_POINTS})|({_POINTS})\s*+\(\s*+(?:bye|def|[wb]-)?\s*+\)|-?\s*+\(\s*+\)"
)
_POINTS_FIRST = re.compile(rf"(?P<points>{_POINTS})\s*/\s*(?P<opponent>\d{{1,5}})\s*(?P<colour>{_L})")
_IN_BRACKETS = re.compile(
    rf"(?P<points>{_POINTS}|-?)\s*+\(\s*+(?P<colour>{_L})\s*+(?P<opponent>\d{{1,5}})(?P<forfeit>d?)\s*+\)"
)
_RESULT_FIRST = re.compile(rf"([+\-=wdl?<>])\s*+({_L}?)\s*+(\d{{1,5}})\s*+({_L}?)(?:\s*+(f)[a-z]*+)?")
_LETTER_LAST = re.compile(r"\d{1,5}:[wldWLD]")
_DASHED = re.compile(r"-\s*(\d{1,5})")
_COLOURS = dict.fromkeys(WHITE, "w") | dict.fromkeys(BLACK + EITHER, "b")
_OFF = dict.fromkeys("fuw+", "bye") | dict.fromkeys("hd=", "half-bye") | dict.fromkeys("zl-", "absent")

WORDS = {
    **dict.fromkeys("+w>", "won"),
    **dict.fromkeys("-l<", "lost"),
    **dict.fromkeys("=d", "drawn"),
    "?": "unknown",
}
ALONE = {
    "bye": "bye", "y": "bye", "+bye": "bye", "1bye": "bye", "=bye": "half-bye", "-bye": "zero-bye",
    "½bye": "half-bye", "1/2bye": "half-bye", "0bye": "zero-bye",
    "exe": "bye", "exempt": "bye", "=": "half-bye",
    "-": "absent", "--": "absent", "---": "absent", "0": "absent", "-0": "absent",
    "-½": "half-bye", "-1/2": "half-bye", "-0.5": "half-bye", "-0,5": "half-bye",
    "-.5": "half-bye", "-,5": "half-bye", "-=": "half-bye",
}  # fmt: skip
"""Cells without an opponent. chess-results writes a dash and the points of a round off."""


@dataclass(frozen=True, slots=True)
class CellReading:
    """A cell of a competitor.

    `opponent`: None in a round off, whose kind is `kind`. `kind`: with an opponent `played`, `forfeit`,
    `pending` or `unknown`. `outcome`: `won`, `drawn` or `lost` if the cell has a word. `score`: in
    half-points if the cell has figures. `colour`: `w`, `b` or blank.
    """

    opponent: int | None
    kind: str = "played"
    colour: str = ""
    outcome: str = ""
    score: int | None = None
    advantage: str = ""


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """A cell with its competitor and its place."""

    number: int
    text: str
    reading: CellReading
    place: RowPlace

    def __str__(self) -> str:
        return f"{self.number} says “{self.text}” ({self.place.path})"


@lru_cache(maxsize=4096)
def read_cell(text: str, *, b_is_white: bool = False) -> CellReading | None:
    """Return the reading of a cell, None if it is no cell of a crosstable.

    `b_is_white`: see `read_colours`.
    """
    reading = _read_uncached_cell(text)
    if b_is_white and reading and colour_letter(text) == EITHER:
        return replace(reading, colour="w")
    return reading


def colour_letter(text: str) -> str:
    spelled = _spelled_cell(text)
    if found := _NOT_PLAYED.fullmatch(spelled) or _NUMBER_FIRST.fullmatch(spelled):
        return found[2] or ""
    if found := _POINTS_FIRST.fullmatch(spelled) or _IN_BRACKETS.fullmatch(spelled):
        return found["colour"]
    found = _RESULT_FIRST.fullmatch(spelled)
    return (found[2] or found[4]) if found else ""


def _read_uncached_cell(text: str) -> CellReading | None:
    # A blank cell has no information about the round.
    spelled = _spelled_cell(text)
    if spelled in ALONE:
        return CellReading(None, ALONE[spelled])
    if found := _NOBODY.fullmatch(spelled):
        # `0wz`, `zwz`, `0w1`, `0:W`, `½ (bye)`, `1 (def)`, `- (  )`: a round off with a letter or with points
        letter, points = found[1] or found[3] or found[4], found[2] or found[5] or found[6]
        if letter or points is None:
            return CellReading(None, _OFF.get(letter or "", "absent"))
        score = half_points_or_none(points)
        if score is None:
            return None
        kinds = {0: "absent", 1: "half-bye"}
        return CellReading(None, kinds.get(score, "bye"), score=score or None)
    if found := _NUMBER_FIRST.fullmatch(spelled):
        return _read_number_first(found)
    forms = (_NOT_PLAYED, _WITHOUT_COLOUR, _POINTS_FIRST, _IN_BRACKETS)
    if found := next(filter(None, (each.fullmatch(spelled) for each in forms)), None):
        told = found.groupdict(default="")
        opponent, colour = int(told["opponent"]), _colour_of_letter(told.get("colour"))
        if told.get("points", "").strip("-"):
            kind = "forfeit" if told.get("forfeit") else "played"
            return _cell_with_points(opponent, kind, colour, told["points"], "")
        return CellReading(opponent, "pending", colour)
    return _read_result_first(found) if (found := _RESULT_FIRST.fullmatch(spelled)) else None


def _spelled_cell(text: str) -> str:
    # A `*` after a cell refers to a remark of the program, and does not change the result.
    spelled = text.strip().rstrip("*").strip().casefold().translate(_DASHES)
    return f"{spelled.removesuffix('1/2')}½" if spelled.endswith("1/2") else spelled


def dashed(text: str) -> int | None:
    """Return the figure after a dash, as in `-1`, else None."""
    # The figure is the number of the opponent, or points: see `dashed_cells`.
    found = _DASHED.fullmatch(_spelled_cell(text))
    return int(found[1]) if found else None


def has_result_first(text: str) -> bool:
    """Return whether the result precedes the opponent, as in `+12`."""
    spelled = _spelled_cell(text)
    return spelled not in ALONE and _RESULT_FIRST.fullmatch(spelled) is not None


def is_cell(text: str) -> bool:
    # A figure or a draw is a cell of a square, too.
    return read_cell(text) is not None and text.strip() != "=" and not text.strip().isdecimal()


def is_of_an_opponent(text: str) -> bool:
    """Return whether a text has an opponent and a colour or letter. No other text has this form."""
    reading = read_cell(text)
    is_letter = _LETTER_LAST.fullmatch(text.strip()) is not None
    return reading is not None and bool(reading.opponent and (reading.colour or is_letter))


def _colour_of_letter(letter: str | None) -> str:
    return _COLOURS.get(letter or "", letter or "")


def _read_number_first(found: re.Match[str]) -> CellReading | None:
    # `12w1`, `12b=`, `12w+`, `12w2f`
    opponent, points, mark, forfeit, sign, word = found.group(1, 3, 4, 5, 6, 7)
    colour = _colour_of_letter(found[2])
    if points is not None:
        kind = "forfeit" if forfeit else "played"
        return _cell_with_points(int(opponent), kind, colour, points, mark)
    # After the opponent, `+`, `-` and `f` are forfeits, as in the tables of this site.
    if sign in {"+", "-"}:
        return CellReading(int(opponent), "forfeit", colour, WORDS[sign])
    if sign in {"?", "."}:
        return CellReading(int(opponent), "unknown", colour)
    if sign or word:
        return CellReading(int(opponent), "played", colour, WORDS[sign or word])
    return CellReading(int(opponent), "pending", colour)


def _cell_with_points(opponent: int, kind: str, colour: str, points: str, mark: str) -> CellReading | None:
    score = half_points_or_none(points)
    return None if score is None else CellReading(opponent, kind, colour, score=score, advantage=mark)


def _read_result_first(found: re.Match[str]) -> CellReading:
    # `+12`, `W12`, `=12b`: the sign before the opponent is the result; `<12` and `>12` are forfeits
    sign, before, opponent, after, forfeit = found.groups()
    colour, word = _colour_of_letter(before or after), WORDS[sign]
    if word == "unknown":
        return CellReading(int(opponent), "unknown", colour)
    kind = "forfeit" if forfeit or sign in "<>" else "played"
    return CellReading(int(opponent), kind, colour, word)

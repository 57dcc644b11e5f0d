"""A cell of a cross table: `12w1`, `+12`, `W12`, `54b½`, `BYE`: whom, with which colour, how it ended."""

import re
from dataclasses import dataclass
from functools import lru_cache

from tournaments.resultcodes import ResultError, half_points

_DASHES = str.maketrans("‐‑‒–—−", "------")
_POINTS = r"\d+½|½|1/2|\d+(?:[.,]\d+)?"
_NUMBER_FIRST = re.compile(
    rf"(\d{{1,5}})\s*(?:([wb])\s*|:\s*)?(?:(?<=[wb: ])({_POINTS})([+-]?)(f?)|([+\-=?])|([wdl]))?"
)
_RESULT_FIRST = re.compile(r"([+\-=wdl?])\s*([wb]?)\s*(\d{1,5})\s*([wb]?)(?:\s*(f)[a-z]*)?")

WORDS = {"+": "won", "w": "won", "-": "lost", "l": "lost", "=": "drawn", "d": "drawn", "?": "unknown"}
ALONE = {
    "bye": "bye", "y": "bye", "½bye": "half-bye", "1/2bye": "half-bye", "0bye": "zero-bye",
    "-": "absent", "--": "absent", "---": "absent",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Played:
    """What one competitor's cell says.

    `opponent` is None in a round off, of which `kind` is the sort. Otherwise `kind` is `played`, `forfeit`,
    `pending` or `unknown`; `outcome` is `won`, `drawn` or `lost` where the cell says it in a word, and
    `score` are half-points where it gives figures. `colour` is `w`, `b` or blank.
    """

    opponent: int | None
    kind: str = "played"
    colour: str = ""
    outcome: str = ""
    score: int | None = None
    advantage: str = ""


@lru_cache(maxsize=4096)
def read_cell(text: str) -> Played | None:
    """What a cell says; None where it is no cell of a cross table. A blank one is nothing at all."""
    plain = text.strip().rstrip("*").strip().casefold().translate(_DASHES)
    if plain in ALONE:
        return Played(None, ALONE[plain])
    if found := _NUMBER_FIRST.fullmatch(plain):
        return _number_first(found)
    return _result_first(found) if (found := _RESULT_FIRST.fullmatch(plain)) else None


def is_cell(text: str) -> bool:
    """Whether a text is one; a number alone is not yet."""
    return read_cell(text) is not None and not text.strip().isdecimal()


def _number_first(found: re.Match[str]) -> Played | None:
    """`12w1`, `12b=`, `12w+`, `12w2f`: behind the opponent `+`, `-` and `f` are forfeits, as our tables have
    them.
    """
    opponent, points, mark, forfeit, sign, word = found.group(1, 3, 4, 5, 6, 7)
    colour = found[2] or ""
    if points is not None:
        kind = "forfeit" if forfeit else "played"
        return _with_points(int(opponent), kind, colour, points, mark)
    if sign in {"+", "-"}:
        return Played(int(opponent), "forfeit", colour, WORDS[sign])
    if sign == "?":
        return Played(int(opponent), "unknown", colour)
    if sign or word:
        return Played(int(opponent), "played", colour, WORDS[sign or word])
    return Played(int(opponent), "pending", colour)


def _with_points(opponent: int, kind: str, colour: str, points: str, mark: str) -> Played | None:
    try:
        score = half_points(points)
    except ResultError:
        return None
    return Played(opponent, kind, colour, score=score, advantage=mark)


def _result_first(found: re.Match[str]) -> Played:
    """`+12`, `W12`, `=12b`: the sign in front is how the game ended."""
    sign, before, opponent, after, forfeit = found.groups()
    colour, word = before or after, WORDS[sign]
    if word == "unknown":
        return Played(int(opponent), "unknown", colour)
    return Played(int(opponent), "forfeit" if forfeit else "played", colour, word)

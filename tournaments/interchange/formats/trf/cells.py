"""The ten columns of a round in the record of a player: opponent, colour, result."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from tournaments.event.document import EventEntry

FIRST_COLUMN, WIDTH = 91, 10

Points = tuple[int, int, int]  # half-points for a win, a draw and a loss

_CELL = re.compile(r"( *[0-9]{1,4}|    ) ?([ wbWB-]?) ?(.?)")

NOT_RATED = "Not rated: decided before both had made a move."
FULL_POINT = "A requested full-point bye."
NO_OPPONENT = "A forfeit win without a named opponent."
DECIDED = "Decided by the arbiter."
"""Notes for results with a letter of their own."""

WINS, DRAWS, LOSSES = frozenset("1W"), frozenset("=D"), frozenset("0L")
PLAYED = WINS | DRAWS | LOSSES
UNRATED = frozenset("WDL")
FORFEITS = frozenset("+-")
UNKNOWN = frozenset("X?")
OPEN = frozenset(("", "*"))
BYES = frozenset("UFHZ")
_COUNTERPART = dict(zip("1=0WDL+-", "0=1LDW-+", strict=True))

KIND_ALONE = {
    "U": "bye", "F": "bye", "+": "bye", "1": "bye", "W": "bye",
    "H": "half-bye", "=": "half-bye", "D": "half-bye",
    "Z": "zero-bye", "0": "zero-bye", "L": "zero-bye", "-": "absent",
}  # fmt: skip
CODE_ALONE = {"half-bye": "H", "zero-bye": "Z", "absent": "Z"}  # as written; byes have several letters
NOTE_ALONE = {"F": FULL_POINT, "+": NO_OPPONENT, "1": NO_OPPONENT, "W": NO_OPPONENT}


@dataclass(frozen=True, slots=True)
class RoundCell:
    """A round of a player. `opponent`: 0 for none. `colour`: `w`, `b` or blank. `code`: a capital."""

    opponent: int
    colour: str
    code: str


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The result of a game: its kind, both scores in half-points (None without a result), and a note."""

    kind: str
    first: int | None = None
    second: int | None = None
    note: str = ""


PENDING, NOT_KNOWN = GameOutcome("pending"), GameOutcome("unknown")


@lru_cache(maxsize=4096)
def read_round_cell(text: str) -> RoundCell | None:
    """Return the cell, None if it is blank. Raise ValueError for other texts."""
    if not text:
        return None
    found = _CELL.fullmatch(text)
    if not found:
        raise ValueError(text)
    # Programs differ in blanks and capitals, and `-` may be an unknown colour.
    opponent = int(found[1].strip() or 0)
    colour = found[2].lower().strip(" -")
    code = found[3].strip().upper()
    if code not in PLAYED | FORFEITS | UNKNOWN | OPEN | BYES:
        raise ValueError(text)
    # A cell without opponent and result is a round that is not paired yet.
    return RoundCell(opponent, colour, code) if opponent or code not in OPEN | UNKNOWN else None


@cache
def outcome_of_codes(points: Points, own: str, other: str) -> GameOutcome | None:
    """Return the result of two codes, None if they contradict each other."""
    if {own, other} <= PLAYED:
        first, second = score_of(points, own), score_of(points, other)
        codes = {own, other}
        # No arbiter gives two wins, or a win and a draw; two losses are possible.
        if codes <= WINS | DRAWS and not codes <= DRAWS:
            return None
        if not (codes <= DRAWS or (codes & WINS and codes & LOSSES)):
            return GameOutcome("played", first, second, DECIDED)
        return GameOutcome("played", first, second, NOT_RATED if codes <= UNRATED else "")
    if {own, other} <= FORFEITS:
        won = {"+": points[0], "-": 0}
        return None if own == other == "+" else GameOutcome("forfeit", won[own], won[other])
    if {own, other} <= OPEN:
        return PENDING
    return NOT_KNOWN if {own, other} <= OPEN | UNKNOWN else None


def one_sided(own: str, other: str) -> tuple[str, str] | None:
    """Return both codes if a record has no result or has a forfeit as a game, else None."""
    if own in _COUNTERPART and other in OPEN | UNKNOWN:
        return own, _COUNTERPART[own]
    if other in _COUNTERPART and own in OPEN | UNKNOWN:
        return _COUNTERPART[other], other
    # Some programs write the win or the loss of a forfeit as that of a game.
    if {own, other} in ({"1", "-"}, {"W", "-"}):
        return ("-", "+") if own == "-" else ("+", "-")
    if {own, other} in ({"+", "0"}, {"+", "L"}):
        return ("+", "-") if own == "+" else ("-", "+")
    return None


def game_points_of(event: EventEntry) -> Points:
    """Return half-points for a win, a draw and a loss."""
    return event.game_win, event.game_draw, event.game_loss


def score_of(points: Points, code: str) -> int:
    """Return the half-points of a code in a played game."""
    return points[0] if code in WINS else points[1] if code in DRAWS else points[2]


def points_alone(event: EventEntry, code: str) -> int:
    """Return the half-points of a player on a board without an opponent."""
    if code in FORFEITS:
        return event.game_win if code == "+" else 0
    return score_of(game_points_of(event), code)


# --- writing ----------------------------------------------------------------------------------------------


def code_of(event: EventEntry, kind: str, own: int | None, other: int | None, note: str) -> str:
    """Return the code nearest to the result of a side, blank without a result."""
    if own is None or other is None:
        return " "
    if kind == "forfeit":
        return "+" if own > other else "-"
    code = _nearest_code(event, own, other)
    return "WDL"["1=0".index(code)] if note == NOT_RATED else code


def _nearest_code(event: EventEntry, own: int, other: int) -> str:
    if event.game_results and own != other:
        return "1" if own > other else "0"
    # If the other side has a decided win, half a point is not a draw.
    if own == event.game_draw < other == event.game_win:
        return "0"
    for code, points in (("1", event.game_win), ("=", event.game_draw), ("0", event.game_loss)):
        if own == points:
            return code
    return "1" if own > other else "0" if own < other else "="


def code_alone(kind: str, note: str) -> str:
    """Return the code of a round without an opponent. Engines know no win or loss there."""
    if kind == "bye":
        return "F" if note in {FULL_POINT, NO_OPPONENT} else "U"
    # An absence is written as `Z`: pairing engines pair players with a blank.
    return CODE_ALONE.get(kind, "Z")


def cell_text(opponent: int, colour: str, code: str) -> str:
    return f"{opponent:4d} {colour} {code}" if opponent else f"0000 - {code}"


BLANK = " " * 8

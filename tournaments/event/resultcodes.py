"""Format and parse results: `2-0`, `3½-½`, `1+ 1-`, `+ -`, `= =`, BYE; and short codes: `=`, `w`.

This is the only parser of typed results. It parses every text that this module formats to the same result.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from standings.engine import fraction_text
from tournaments.event.arrays import EventScoring
from tournaments.event.choices import Delay, Kind
from tournaments.event.numbers import parse_points, score_text
from tournaments.event.scores import (
    Scored,
    bye_points,
    full_score,
    game_fault,
    game_results_of,
    listed_results,
    number_of_boards,
    pairing_fault,
    usual_forfeit,
)

LONGEST = 40
ALONE = {Kind.BYE: "BYE", Kind.HALF_BYE: "½bye", Kind.ZERO_BYE: "0bye", Kind.ABSENT: "–"}


@dataclass(frozen=True, slots=True)
class PairingResult:
    """The result of a pairing or a game, named as in the models; scores in half-points."""

    kind: Kind
    first_score: int | None = None
    second_score: int | None = None
    advantage: str = ""
    games_played: int | None = None
    delayed: str = ""

    def __str__(self) -> str:
        text = result_text(self.kind, self.first_score, self.second_score, self.advantage)
        return text or self.delayed


class ResultError(ValueError):
    """The text is not a result; the message names the fault and gives examples."""


# --- formatting -------------------------------------------------------------------------------------------


def result_text(kind: str, first: int | None, second: int | None, advantage: str = "") -> str:
    """Return the result of a pairing or a game, blank before it is known. Scores in half-points."""
    sides = [side for side in side_texts(kind, first, second, advantage) if side]
    return ("-" if kind == Kind.PLAYED and not advantage else " ").join(sides)


def recorded_text(event: EventScoring, row: Scored) -> str:
    """Return the result of a pairing or a game of the event in the form in which it can be typed."""
    # Games of models and of documents have a board, pairings do not.
    is_match = event.is_team and not hasattr(row, "board")
    return text_in(event, row, of_match=is_match)


def text_in(event: EventScoring, result: Scored, *, of_match: bool) -> str:
    first, second = result.first_score, result.second_score
    text = result_text(result.kind, first, second, result.advantage)
    if result.kind != Kind.FORFEIT or first is None or second is None:
        return text
    # If the score of a forfeit is unusual, it follows the signs: `+ - (3-1)`.
    is_usual = _forfeit_scores(_signs(first, second), usual_forfeit(event, of_match=of_match)) == (
        first,
        second,
    )
    return text if is_usual else f"{text} ({score_text(first, second)})"


def side_texts(kind: str, first: int | None, second: int | None, advantage: str = "") -> tuple[str, str]:
    """Return the result as a text for each side: `("1½", "2½")`, `("+", "-")`, `("BYE", "")`."""
    if kind == Kind.UNKNOWN:
        return "?", ""
    if kind in ALONE:
        return ALONE[Kind(kind)], ""
    if first is None or second is None:
        return "", ""
    if kind == Kind.FORFEIT:
        return _signs(first, second)
    marks = {"first": ("+", "-"), "second": ("-", "+")}.get(advantage, ("", ""))
    return fraction_text(first, 2) + marks[0], fraction_text(second, 2) + marks[1]


def _signs(first: int, second: int) -> tuple[str, str]:
    """Return the signs of a forfeit: won and lost, divided, or lost twice."""
    if first == second:
        return ("=", "=") if first else ("-", "-")
    return ("+", "-") if first > second else ("-", "+")


def _forfeit_scores(signs: tuple[str, str], usual: tuple[int, int | None]) -> tuple[int, int] | None:
    """Return the half-points for the signs of a forfeit; None if the scoring has no such score."""
    win, half = usual
    worth = {"+": win, "=": half, "-": 0}
    first, second = (worth[sign] for sign in signs)
    return None if first is None or second is None else (first, second)


# --- parsing ----------------------------------------------------------------------------------------------

DASHES = str.maketrans("‐‑‒–—−", "------")  # dashes of keyboards and text editors
_POINTS = r"(?:\d+½|½|1/2|\d+(?:[.,]\d+)?)"
_SCORE = re.compile(rf"({_POINTS})\s*+[-:]\s*+({_POINTS})")
_ADVANTAGE = re.compile(rf"({_POINTS})\s*+([+-])\s*+(?>(?:[-:/]\s*+)?)({_POINTS})\s*+([+-])")
_FORFEIT = re.compile(
    rf"([+=-])\s*+(?>(?:[/:]\s*+)?)([+=-])(?:\s*+\(?({_POINTS})\s*+[-:]\s*+({_POINTS})\)?)?"
)
_GAMES = re.compile(r"^(.*)g\s*+(\d{1,3})$")
_FORFEITS = {("+", "-"), ("-", "+"), ("=", "="), ("-", "-")}
_ONE_KEY_FORFEITS = {"+": ("+", "-"), "-": ("-", "+"), "x": ("-", "-")}
DELAY_KEYS = {"p": Delay.POSTPONED.value, "j": Delay.ADJOURNED.value}
_DRAWS = frozenset({"=", "½", "1/2"})  # in every scoring; 5 only if it is not a number of points
ROUNDS_OFF = {
    **dict.fromkeys(("y", "bye"), Kind.BYE),
    **dict.fromkeys(("½bye", "1/2bye", "=", "5", "½"), Kind.HALF_BYE),
    **dict.fromkeys(("0bye", "0"), Kind.ZERO_BYE),
    **dict.fromkeys("-–", Kind.ABSENT),
}
"""The codes of a round without an opponent."""


def read_game(text: str, event: EventScoring, *, white: str = "first", note: str = "") -> PairingResult:
    """Return the result of a game of two players or of a board. Raise ResultError if the text is invalid.

    `white`: the side that has White, blank if unknown. With a `note`, which records a referee's decision, the
    score may be uneven.
    """
    code = _one_spelling(text)
    games: int | None = None
    if counted := _GAMES.match(code):
        code, games = counted[1].rstrip(), int(counted[2])
    # The order matters: a single `-` is a forfeit, not the dash of a score.
    result = _without_score(code) or _forfeit(code, event, of_match=False) or _parse_advantage(code)
    result = result or _one_key(code, event, white) or _parse_score(code)
    if result is None:
        win, draw, loss = event.game_win, event.game_draw, event.game_loss
        examples = listed_results(event) or ((win, loss), (draw, draw), (loss, win))
        raise ResultError(
            _("“%(text)s” is no result of a game. Type %(examples)s; + or - for a forfeit, ? for not known.")
            % {"text": text.strip(), "examples": ", ".join(score_text(*sides) for sides in examples)}
        )
    result = replace(result, games_played=games)
    return _possible(result, game_fault(event, result, note))


def read_match(text: str, event: EventScoring) -> PairingResult:
    """Return the total of a match without recorded boards. Raise ResultError if the text is invalid."""
    code = _one_spelling(text)
    result = _without_score(code) or _forfeit(code, event, of_match=True) or _parse_score(code)
    if result is None:
        draw = event.game_draw
        example = score_text(full_score(event) - draw, draw if number_of_boards(event) > 1 else 0)
        raise ResultError(
            _("“%(text)s” is no result of a match. Type both sides, such as %(example)s, or +- by forfeit.")
            % {"text": text.strip(), "example": example}
        )
    return _possible(result, pairing_fault(event, result))


def read_round_off(text: str, event: EventScoring) -> PairingResult:
    """Return the result of a round without an opponent. Raise ResultError if the text is invalid."""
    kind = ROUNDS_OFF.get(_one_spelling(text))
    if kind is None:
        raise ResultError(
            _("“%(text)s” is not valid without an opponent. Type bye, ½bye, 0bye, or – for absent.")
            % {"text": text.strip()}
        )
    return PairingResult(kind, bye_points(event, kind)[0])


def result_keys(event: EventScoring, white: str = "first") -> dict[str, str]:
    """Return the one-character codes of a game, and the result of each. `white` as in `read_game`."""
    keys = ("1", "=", "5", "2", "0", "w", "b", "+", "-", "x", "?", *DELAY_KEYS)
    found: dict[str, str] = {}
    for key in keys:
        with suppress(ResultError):
            found[key] = str(read_game(key, event, white=white))
    return found


# --- parts of the parser ----------------------------------------------------------------------------------


def _one_spelling(text: str) -> str:
    code = text.strip().casefold()
    if len(code) > LONGEST:
        raise ResultError(_("“%(text)s…” is too long for a result. Type it again.") % {"text": code[:12]})
    # A single long dash means absent, as in tables, and is not a minus.
    return code if code == ALONE[Kind.ABSENT] else code.translate(DASHES)


def _without_score(code: str) -> PairingResult | None:
    if delayed := DELAY_KEYS.get(code, code if code in Delay.values else ""):
        return PairingResult(Kind.PENDING, delayed=delayed)
    kinds = {"": Kind.PENDING, "?": Kind.UNKNOWN}
    return PairingResult(kinds[code]) if code in kinds else None


def _forfeit(code: str, event: EventScoring, *, of_match: bool) -> PairingResult | None:
    found = _FORFEIT.fullmatch(code)
    sides = (found[1], found[2]) if found else _ONE_KEY_FORFEITS.get(code)
    if sides is None:
        return None
    if sides not in _FORFEITS:
        raise ResultError(
            _(
                "Both sides cannot win by forfeit. Type +-, -+, == if both get half, or -- if both were "
                "absent."
            )
        )
    scores = _forfeit_scores(sides, usual_forfeit(event, of_match=of_match))
    if found and found[3]:
        scores = parse_half_points(found[3]), parse_half_points(found[4])
    # The full score is odd, so it has no half in half-points.
    if scores is None:
        raise ResultError(_("The points of this match cannot be halved. Type both sides, such as == 2-2."))
    if _signs(*scores) != sides:
        raise ResultError(
            _("In “%(text)s” the signs contradict the score. Type %(example)s.")
            % {"text": code, "example": f"{''.join(_signs(*scores))} {score_text(*scores)}"}
        )
    return PairingResult(Kind.FORFEIT, *scores)


def _parse_advantage(code: str) -> PairingResult | None:
    found = _ADVANTAGE.fullmatch(code)
    if not found:
        return None
    first, mark, second, other = found.groups()
    if mark == other or parse_half_points(first) != parse_half_points(second):
        raise ResultError(
            _("A draw with advantage has a + on one side and a - on the other. Type 1+ 1- or 1- 1+.")
        )
    return PairingResult(
        Kind.PLAYED, parse_half_points(first), parse_half_points(second), "first" if mark == "+" else "second"
    )


def _one_key(code: str, event: EventScoring, white: str) -> PairingResult | None:
    if code in {"w", "b"}:
        # Chess has no such result; in draughts a draw gives a full point.
        if event.game_draw % 2 or event.game_results:
            raise ResultError(_("A draw with advantage is a result of draughts. Type ½ for a draw."))
        if not white:
            raise ResultError(_("It is not recorded who has White here. Type 1+ 1- or 1- 1+."))
        first_is_better = (code == "w") == (white == "first")
        return _drawn(event, "first" if first_is_better else "second")
    if event.game_results:
        return _of_listed(code, event)
    if code in _DRAWS:
        return _drawn(event)
    if re.fullmatch(_POINTS, code):
        own, win, loss = parse_half_points(code), event.game_win, event.game_loss
        if own == event.game_draw:
            return _drawn(event)
        # The points of one side determine those of the other only if their sum is constant.
        if own in {win, loss} or (2 * event.game_draw == win + loss and loss <= own <= win):
            return PairingResult(Kind.PLAYED, own, win + loss - own)
    # The key of ½ on a number pad, unless 5 is a number of points.
    return _drawn(event) if code == "5" else None


def _of_listed(code: str, event: EventScoring) -> PairingResult | None:
    """Return the listed result with this number of points; None if there are none or several."""
    either = game_results_of(event)
    found = [(own, other) for own, other in either if own == other] if code in _DRAWS else []
    if re.fullmatch(_POINTS, code) and not found:
        found = [each for each in either if each[0] == parse_half_points(code)]
    return PairingResult(Kind.PLAYED, *found[0]) if len(found) == 1 else None


def _drawn(event: EventScoring, advantage: str = "") -> PairingResult:
    return PairingResult(Kind.PLAYED, event.game_draw, event.game_draw, advantage)


def _parse_score(code: str) -> PairingResult | None:
    if found := _SCORE.fullmatch(code):
        return PairingResult(Kind.PLAYED, parse_half_points(found[1]), parse_half_points(found[2]))
    return None


def parse_half_points(text: str) -> int:
    """Return points such as `2½`, `2.5`, `,5` or `1/2` as half-points. Raise ResultError otherwise."""
    text = f"0{text}" if text.startswith((".", ",")) else text
    if not re.fullmatch(_POINTS, text):
        raise ResultError(_("“%(text)s” is not a number of points. Type 2, or 2½.") % {"text": text})
    found = 2 * parse_points(text)
    if found.denominator != 1:
        raise ResultError(
            _("“%(text)s” is not a multiple of half a point. Type whole and half points, such as 2½.")
            % {"text": text}
        )
    return int(found)


def half_points_or_none(text: str) -> int | None:
    try:
        return parse_half_points(text)
    except ResultError:
        return None


# --- impossible results -----------------------------------------------------------------------------------


def _possible(result: PairingResult, fault: str | None) -> PairingResult:
    if fault:
        raise ResultError(
            _("%(score)s cannot be: %(fault)s. Type another result.")
            % {"score": score_text(result.first_score, result.second_score), "fault": fault}
        )
    return result


# --- buttons: usual results, and further results that a press reveals ---------------------------------------

FURTHER_KEYS = ("w", "b", "+", "-", "x")
"""The codes of the further results: draws with an advantage, and forfeits."""


class ResultButtons(NamedTuple):
    """Results in the form in which they are typed. `usual`: win, draw and loss, or the listed results."""

    usual: tuple[str, ...]
    further: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        return self.usual + self.further


def buttons_of(event: EventScoring, white: str = "first") -> ResultButtons:
    """Return the buttons of a game, wins of the first side first. `white` as in `read_game`."""
    keyed = result_keys(event, white)
    return ResultButtons(
        tuple(str(read_game(score_text(*each), event, white=white)) for each in game_results_of(event)),
        tuple(keyed[key] for key in FURTHER_KEYS if key in keyed),
    )

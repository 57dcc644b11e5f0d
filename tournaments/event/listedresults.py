"""The results that a game can have where an event lists them: `3-0 1½-1`, best first, the winner first."""

import re
from functools import lru_cache

from tournaments.event.numbers import points_of, score_text

LONGEST = 200
_POINTS = r"(?:\d{1,4}(?:[.,]5|½)?|½)"
_RESULT = re.compile(rf"({_POINTS})\s*[-–:]\s*({_POINTS})")

ListedResult = tuple[int, int]
"""Both scores of a game in half-points, the larger one first."""


@lru_cache(maxsize=256)
def results_of_text(text: str) -> tuple[ListedResult, ...]:
    """Return the listed results in half-points, best first; raise ValueError where it is no list."""
    found = [[int(2 * points_of(side)) for side in sides] for sides in _RESULT.findall(text)]
    if _RESULT.sub("", text).strip(" ,;\t\n"):
        raise ValueError(text)
    return tuple(sorted({(max(each), min(each)) for each in found}, reverse=True))


def text_of_results(results: tuple[ListedResult, ...]) -> str:
    """Return the results as they are kept and read: `3-0 1½-1`."""
    return " ".join(score_text(*each) for each in results)


def fault_of_results(results: tuple[ListedResult, ...]) -> str:
    """Say why an event cannot have these results; blank where it can."""
    if not any(own > other for own, other in results):
        return "One of the results is a win. Add it, such as 3-0."
    # Half of the largest result is a half-point bye, and there are no quarters of a point.
    if results[0][0] % 2:
        return "The largest number of points is a win, and half of it a half-point bye: make it a whole one."
    if len(text_of_results(results)) > LONGEST:
        return "These are more results than an event can list. Write fewer."
    return ""


def win_draw_loss(results: tuple[ListedResult, ...]) -> tuple[int, int, int]:
    """Return what a win by forfeit, a half-point bye and a loss by forfeit give, in half-points."""
    # A bye gives what a win by forfeit does.
    win = results[0][0]
    return win, win // 2, 0

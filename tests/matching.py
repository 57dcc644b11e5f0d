"""Try expressions on attacks of growing length; a program of its own, which its parent can kill.

Reads `[pattern, flags, methods, attacks]` as JSON, one a line, and writes a line for each: the attack whose
time grew faster than the text, or blank. It does not import the product.
"""

import json
import math
import re
import signal
import sys
from collections.abc import Callable
from time import thread_time

SHORT, LENGTH, TIMES = 60, 400, 4
MOST_GROWTH = 8.5
"""The maximum ratio of times for a text four times as long: 4 if it is linear, 16 if it is quadratic."""

TRIES, CONFIRMATIONS = 7, 4
"""Under load single measurements are too long, so a slow match is confirmed by the best of several tries."""

TOO_LONG = 1.0
"""A match is ended after so many CPU seconds. A linear one on the longest text takes a thousandth of it."""


class EndedError(Exception):
    """A match did not end."""


def main() -> None:
    signal.signal(signal.SIGVTALRM, _end)
    for line in sys.stdin:
        pattern, flags, methods, attacks = json.loads(line)
        sys.stdout.write(json.dumps(_worst(re.compile(pattern, flags), methods, attacks)) + "\n")
        sys.stdout.flush()


def _end(*_: object) -> None:
    raise EndedError


def _worst(compiled: re.Pattern[str], methods: list[str], attacks: list[list[str]]) -> list[object] | None:
    acts: dict[str, Callable[[str], object]]
    acts = {"match": compiled.match, "fullmatch": compiled.fullmatch, "finditer": _finds_all(compiled)}
    for method in methods:
        for attack in attacks:
            found = growth(acts[method], *attack)
            if found > MOST_GROWTH:
                return [method, *attack, round(found, 1)]
    return None


def _finds_all(compiled: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: sum(1 for _ in compiled.finditer(text))


def growth(act: Callable[[str], object], beginning: str, piece: str, end: str) -> float:
    """Return how many times as long four times the text takes; infinity if a match does not end."""
    once = LENGTH // len(piece) + 1
    texts = [beginning + piece * times + end for times in (once, once * TIMES)]
    signal.setitimer(signal.ITIMER_VIRTUAL, TOO_LONG)
    try:
        act(beginning + piece * (SHORT // len(piece) + 1) + end)
        found = math.inf
        for tries in (1, *[TRIES] * CONFIRMATIONS):
            if found > MOST_GROWTH:
                found = min(found, _ratio(act, texts, tries))
    except EndedError:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return found


def _ratio(act: Callable[[str], object], texts: list[str], tries: int) -> float:
    """Return how many times as long the second text takes, measured in turns so that load slows both."""
    short, long = texts
    pairs = [(min(_seconds(act, short) for _ in range(TIMES)), _seconds(act, long)) for _ in range(tries)]
    of_short, of_long = min(each for each, _ in pairs), min(each for _, each in pairs)
    return of_long / of_short


def _seconds(act: Callable[[str], object], text: str) -> float:
    """Return the CPU seconds of this thread, which do not include other processes."""
    began = thread_time()
    act(text)
    return thread_time() - began or 1e-9


if __name__ == "__main__":
    main()

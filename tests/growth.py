"""Growth of the cost of an act with its input, by measures that depend little on the load of the machine."""

import sys
from collections.abc import Callable
from time import thread_time


def calls(act: Callable[[], object]) -> int:
    """Count the calls that Python makes during the act: the same number on every machine."""
    count = 0

    def note(*_event: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def growth(act: Callable[[int], object], size: int, times: int, tries: int = 7) -> float:
    """Return how many times as much CPU time the act takes for `times * size` as for `size`.

    For work inside C, such as a regular expression's, whose steps cannot be counted. It is about `times` if
    the cost is linear and its square if it is quadratic: assert a bound far from both.
    """
    small, large = (min(_thread_time(act, each) for _ in range(tries)) for each in (size, times * size))
    return large / small


def _thread_time(act: Callable[[int], object], size: int) -> float:
    began = thread_time()
    act(size)
    return thread_time() - began

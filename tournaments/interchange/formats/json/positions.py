"""Positions of values in a JSON text, by the paths of findings: `rounds[3].pairings[12].score`.

The JSON parser records no positions, and few files need any, so the text of an invalid file is scanned again.
There is no recursion, so any nesting can be scanned.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from json import loads
from typing import NamedTuple

from tournaments.event.finding import cut

_SIGN = re.compile(r'"(?>[^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?\Z)|[][{}:,]|[^][{}:,"\s]+', re.DOTALL)
_NO_NUMBER = re.compile("-?(?:NaN|Infinity)")
_LINE_END = re.compile("\r\n|\n|\r")


class Spot(NamedTuple):
    """The start of a value, and its key. `first`: the first occurrence of a repeated key."""

    value: int
    key: int | None = None
    first: int | None = None


@dataclass(slots=True)
class _Inside:
    """An object or list being scanned.

    `path`: None if no value is wanted in it.
    """

    path: str | None
    is_list: bool
    index: int = 0
    key: str = ""
    key_at: int = 0
    awaits_value: bool = False

    def path_of_next(self) -> str | None:
        if self.path is None:
            return None
        if self.is_list:
            return f"{self.path}[{self.index}]"
        return f"{self.path}.{_text_of_key(self.key)}" if self.path else _text_of_key(self.key)


class Lines:
    """The line starts of a text. Positions are line and column, from 1, in characters."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(each.end() for each in _LINE_END.finditer(text))]

    def position(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1


def with_parents(path: str) -> Iterator[str]:
    """Yield a path and its parents, the innermost first; blank is the document."""
    yield path
    for at in range(len(path) - 1, 0, -1):
        if path[at] in ".[":
            yield path[:at]
    if path:
        yield ""


def spots(text: str, paths: Iterable[str]) -> dict[str, Spot]:
    """Return the positions of the values with these paths; missing values are omitted.

    The last value of a repeated key is used, as by the parser.
    """
    wanted = {parent for path in paths for parent in with_parents(path)}
    found: dict[str, Spot] = {}
    stack = [_Inside("", is_list=False, awaits_value=True)]
    for match in _SIGN.finditer(text):
        sign, here = match.group(), stack[-1]
        if sign in "}]":
            if len(stack) > 1:
                stack.pop()
        elif sign == ",":
            here.index, here.awaits_value = here.index + 1, False
        elif sign == ":":
            here.awaits_value = True
        elif not here.is_list and not here.awaits_value:
            here.key, here.key_at = sign, match.start()
        else:
            path = "" if len(stack) == 1 else here.path_of_next()
            if path is not None and path in wanted:
                earlier = found.get(path)
                at = match.start()
                first = None if earlier is None else earlier.key if earlier.first is None else earlier.first
                found[path] = Spot(at, None if here.is_list or not here.key else here.key_at, first)
            if sign in "{[":
                stack.append(_Inside(path if path in wanted else None, is_list=sign == "["))
    return found


def _text_of_key(key: str) -> str:
    try:
        return cut(str(loads(key)))
    except ValueError:
        return cut(key)


def first_no_number(text: str) -> int | None:
    """Return the position of the first NaN or Infinity outside strings."""
    signs = (each for each in _SIGN.finditer(text) if _NO_NUMBER.fullmatch(each.group()))
    return next((each.start() for each in signs), None)


def first_beyond(text: str, depth: int) -> int | None:
    nested = 0
    for sign in _SIGN.finditer(text):
        nested += (sign.group() in "{[") - (sign.group() in "}]")
        if nested > depth:
            return sign.start()
    return None

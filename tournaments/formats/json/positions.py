"""Where in a JSON text each value stands, by the path that findings name: `rounds[3].pairings[12].score`.

The reader of JSON keeps no places, and few files need any: the text is gone through once more where something
is wrong with it. Nothing here calls itself, so that no nesting is too deep for it.
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


class Position(NamedTuple):
    """A line of a text and a column in it, both counted from 1, in characters."""

    line: int
    column: int


class Spot(NamedTuple):
    """Where a value begins, and its key; `first` is the first key if it stands there more than once."""

    value: int
    key: int | None = None
    first: int | None = None


@dataclass(slots=True)
class _Inside:
    """An object or a list that is gone through, and how far.

    `path` is None where nothing is looked for in it.
    """

    path: str | None
    is_list: bool
    index: int = 0
    key: str = ""
    key_at: int = 0
    awaits_value: bool = False

    def path_of_next(self) -> str | None:
        """Return the path of the value that comes next."""
        if self.path is None:
            return None
        if self.is_list:
            return f"{self.path}[{self.index}]"
        return f"{self.path}.{_text_of(self.key)}" if self.path else _text_of(self.key)


class Lines:
    """The lines of a text, to tell where in it a character stands."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(each.end() for each in _LINE_END.finditer(text))]

    def position(self, at: int) -> Position:
        """Return the line and the column of a character."""
        line = bisect_right(self._starts, at)
        return Position(line, at - self._starts[line - 1] + 1)


def with_parents(path: str) -> Iterator[str]:
    """Yield a path and those of all that it stands in, the innermost first; blank is the whole."""
    yield path
    for at in range(len(path) - 1, 0, -1):
        if path[at] in ".[":
            yield path[:at]
    if path:
        yield ""


def spots(text: str, paths: Iterable[str]) -> dict[str, Spot]:
    """Return where the values of these paths stand; those that are not there are left out.

    Where a key stands in an object twice its last value counts, as it does to the reader.
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
                found[path] = _spot(found.get(path), match.start(), here)
            if sign in "{[":
                stack.append(_Inside(path if path in wanted else None, is_list=sign == "["))
    return found


def _spot(earlier: Spot | None, at: int, inside: _Inside) -> Spot:
    """Return where a value stands, and where its key stood first."""
    first = None if earlier is None else earlier.key if earlier.first is None else earlier.first
    return Spot(at, None if inside.is_list or not inside.key else inside.key_at, first)


def _text_of(key: str) -> str:
    """Return the text of a key as paths have it, and a key that is no text as it stands."""
    try:
        return cut(str(loads(key)))
    except ValueError:
        return cut(key)


def first_no_number(text: str) -> int | None:
    """Return where the first NaN or Infinity stands, outside of texts."""
    signs = (each for each in _SIGN.finditer(text) if _NO_NUMBER.fullmatch(each.group()))
    return next((each.start() for each in signs), None)


def first_beyond(text: str, depth: int) -> int | None:
    """Return where objects and lists are first nested deeper than that."""
    nested = 0
    for sign in _SIGN.finditer(text):
        nested += (sign.group() in "{[") - (sign.group() in "}]")
        if nested > depth:
            return sign.start()
    return None

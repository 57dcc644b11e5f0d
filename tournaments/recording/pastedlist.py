"""A list that was pasted: looked at line by line first, then all of it is entered or nothing."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


class PastedLine(Protocol):
    """A line as it was read.

    `line` counts from 1 in the pasted text, `text` is as it was written; `fault` says what is wrong and what
    to do, blank where nothing is.
    """

    @property
    def line(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def fault(self) -> str: ...


AnyPastedLine = TypeVar("AnyPastedLine", bound=PastedLine)


@dataclass(frozen=True, slots=True)
class PastedList(Generic[AnyPastedLine]):
    """The lines of a list; blank ones are left out."""

    lines: tuple[AnyPastedLine, ...]

    @property
    def faults(self) -> tuple[AnyPastedLine, ...]:
        """The lines that hinder all of them."""
        return tuple(each for each in self.lines if each.fault)

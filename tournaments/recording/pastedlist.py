"""Pasted lists: parsed line by line, then entered completely or not at all."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from tournaments.recording.refusal import Refused


@dataclass(frozen=True, slots=True)
class PastedLine:
    """A parsed line.

    `line`: number in the pasted text, from 1. `text`: as typed. `fault`: what is wrong and what to do, or
    blank.
    """

    line: int
    text: str
    fault: str = ""


AnyPastedLine = TypeVar("AnyPastedLine", bound=PastedLine)


@dataclass(frozen=True, slots=True)
class PastedList(Generic[AnyPastedLine]):
    """The parsed lines, without blank lines."""

    lines: tuple[AnyPastedLine, ...]

    @property
    def faults(self) -> tuple[AnyPastedLine, ...]:
        """Return the lines with a fault, which prevent all lines from being entered."""
        return tuple(each for each in self.lines if each.fault)

    def refuse_faulty(self, empty: str) -> None:
        """Raise Refused with the first fault, or with `empty` if there are no lines."""
        if not self.lines:
            raise Refused(empty)
        for faulty in self.faults:
            values = {"line": faulty.line, "fault": faulty.fault}
            # All or nothing: after a partial entry, pasting again would enter lines twice.
            raise Refused(_("Line %(line)s: %(fault)s Nothing was saved.") % values)

"""A list that was pasted: looked at line by line first, then all of it is entered or nothing."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from tournaments.recording.refusal import Refused


@dataclass(frozen=True, slots=True)
class PastedLine:
    """A line as it was read.

    `line` counts from 1 in the pasted text, `text` is as it was written; `fault` says what is wrong and what
    to do, blank where nothing is.
    """

    line: int
    text: str
    fault: str = ""


AnyPastedLine = TypeVar("AnyPastedLine", bound=PastedLine)


@dataclass(frozen=True, slots=True)
class PastedList(Generic[AnyPastedLine]):
    """The lines of a list; blank ones are left out."""

    lines: tuple[AnyPastedLine, ...]

    @property
    def faults(self) -> tuple[AnyPastedLine, ...]:
        """Return the lines that hinder all of them."""
        return tuple(each for each in self.lines if each.fault)

    def refuse_faulty(self, empty: str) -> None:
        """Raise Refused with the first line that has a fault, or with `empty` where no line is there."""
        if not self.lines:
            raise Refused(empty)
        for faulty in self.faults:
            values = {"line": faulty.line, "fault": faulty.fault}
            # Whoever pastes again what was half entered gets everything twice: so it is all or nothing.
            raise Refused(_("Line %(line)s: %(fault)s Nothing was entered.") % values)

"""Exceptions for requests that cannot be stored, and pasted lists with the faults of their lines."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

from config.database.faults import UnavailableError


class Refused(Exception):  # noqa: N818 - a message for the user, not an error of the program
    """Raised if a request cannot be carried out. The text states the reason and what to do."""


class Busy(Refused, UnavailableError):  # noqa: N818 - the same
    """Raised if a lock is not available. Nothing was stored, and the request can be repeated."""

    def __init__(self) -> None:
        super().__init__(
            _("Another person is saving here right now. Your change was not saved. Try again in a moment.")
        )


class Conflict(Exception):  # noqa: N818 - the same
    """Raised if the row was saved since it was read.

    `version`: current version. `by`: who saved it, blank for an import. `at`: when, or None.
    """

    def __init__(self, version: int, by: str = "", at: datetime | None = None) -> None:
        super().__init__(version, by, at)
        self.version, self.by, self.at = version, by, at

    def __str__(self) -> str:
        if not self.by:
            return _("An import has changed this. Check it again, then choose.")
        return _("%(name)s has changed this. Check it again, then choose.") % {"name": self.by}


def unpublished(number: int) -> Refused:
    text = _("The pairings of round %(round)s are not published yet. Publish them first.")
    return Refused(text % {"round": number})


LONGEST = 10_000  # limit of event files


def required(reason: str, why: str = "") -> str:
    """Return the cleaned reason. Raise Refused with the text `why` if it is blank."""
    cleaned = prose(reason)
    if not cleaned:
        raise Refused(why or _("This needs a reason: describe it briefly."))
    return cleaned


def prose(text: str) -> str:
    """Return text without control characters and surrounding blanks.

    Raise Refused if it is too long.
    """
    lines = ("".join(_if_printable(sign) for sign in line) for line in text.splitlines())
    cleaned = "\n".join(lines).strip()
    if len(cleaned) > LONGEST:
        raise Refused(_("This text is too long: %(most)s characters fit. Shorten it.") % {"most": LONGEST})
    return cleaned


def _if_printable(character: str) -> str:
    if character.isspace():
        return " "
    return "" if unicodedata.category(character) in {"Cc", "Cs"} else character


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
        return tuple(each for each in self.lines if each.fault)

    def refuse_faulty(self, empty: str) -> None:
        """Raise Refused with the first fault, or with `empty` if there are no lines."""
        if not self.lines:
            raise Refused(empty)
        for faulty in self.faults:
            values = {"line": faulty.line, "fault": faulty.fault}
            # All or nothing: after a partial entry, pasting again would enter lines twice.
            raise Refused(_("Line %(line)s: %(fault)s Nothing was entered.") % values)

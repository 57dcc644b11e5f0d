"""Why something was not recorded."""

import unicodedata
from datetime import datetime

from django.utils.translation import gettext as _

from config.database.faults import UnavailableError
from tournaments.event.choices import UnknownFact
from tournaments.models import Event


class Refused(Exception):  # noqa: N818 - it is an answer to a person, not a fault of the program
    """Raised where something cannot be done; the text says why and what to do."""


class Busy(Refused, UnavailableError):  # noqa: N818 - the same
    """Raised where somebody else keeps what is to be changed; nothing was stored, and trying again helps."""

    def __init__(self) -> None:
        super().__init__(
            _("Somebody else is saving here at this moment, so nothing was saved. Try again in a moment.")
        )


class Conflict(Exception):  # noqa: N818 - the same
    """Raised where somebody else has saved the row since it was read.

    `version` is the row's version now; `by` who saved it, blank where it was imported; `at` when, None where
    that is not known.
    """

    def __init__(self, version: int, by: str = "", at: datetime | None = None) -> None:
        super().__init__(version, by, at)
        self.version, self.by, self.at = version, by, at

    def __str__(self) -> str:
        if not self.by:
            return _("This has been changed meanwhile by an import. Look at it again, then choose.")
        return _("%(name)s has changed this meanwhile. Look at it again, then choose.") % {"name": self.by}


def refuse_without_results(event: Event) -> None:
    """Raise Refused if only the published ranking of the event is known, so that it has no pairings."""
    if not event.knows_results:
        raise Refused(
            _(
                "Only the published ranking of this event is known, so it has no rounds to pair and no"
                " results to type. To record results, open the settings of the event and untick"
                " “%(fact)s” under “Not known”."
            )
            % {"fact": UnknownFact.RESULTS.label}
        )


LONGEST = 10_000  # what an event file holds


def required(reason: str, why: str = "") -> str:
    """Return the reason as it is recorded; Refused where there is none, with `why` one is needed."""
    cleaned = prose(reason)
    if not cleaned:
        raise Refused(why or _("This needs a reason: say in a few words why."))
    return cleaned


def prose(text: str) -> str:
    """Return a text of a form without what no file can hold: control characters, blanks around it.

    Refused where it is too long.
    """
    lines = ("".join(_printable(sign) for sign in line) for line in text.splitlines())
    cleaned = "\n".join(lines).strip()
    if len(cleaned) > LONGEST:
        raise Refused(_("This text is too long: %(most)s characters fit. Shorten it.") % {"most": LONGEST})
    return cleaned


def _printable(sign: str) -> str:
    if sign.isspace():
        return " "
    return "" if unicodedata.category(sign) in {"Cc", "Cs"} else sign

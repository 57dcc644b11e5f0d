"""The reasons that people give, as the record can hold them."""

import unicodedata

from django.utils.translation import gettext as _

from tournaments.recording.refusal import Refused

LONGEST = 10_000  # what an event file holds


def required(reason: str, why: str = "") -> str:
    """The reason as it is recorded; Refused where there is none, with `why` one is needed."""
    said = prose(reason)
    if not said:
        raise Refused(why or _("This needs a reason: say in a few words why."))
    return said


def prose(text: str) -> str:
    """A text of a form without what no file can hold: control characters, blanks around it.

    Refused where it is too long.
    """
    lines = ("".join(_printable(sign) for sign in line) for line in text.splitlines())
    said = "\n".join(lines).strip()
    if len(said) > LONGEST:
        raise Refused(_("This text is too long: %(most)s characters fit. Shorten it.") % {"most": LONGEST})
    return said


def _printable(sign: str) -> str:
    if sign.isspace():
        return " "
    return "" if unicodedata.category(sign) in {"Cc", "Cs"} else sign

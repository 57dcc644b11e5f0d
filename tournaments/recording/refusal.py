"""Why something was not recorded."""

from datetime import datetime

from django.utils.translation import gettext as _


class Refused(Exception):  # noqa: N818 - it is an answer to a person, not a fault of the program
    """What was asked for is not possible; the text says why and what to do."""


class Conflict(Exception):  # noqa: N818 - the same
    """Somebody else has saved the row since it was read.

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

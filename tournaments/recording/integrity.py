"""Messages for constraint violations.

A form that checks whether a value is free and then inserts it can lose a race. The database decides by its
constraints, and its error becomes a message of the form.
"""

import logging
import re
from collections.abc import Mapping
from typing import Any

from django.db import DatabaseError, IntegrityError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.operations.triggers.expressions import REFUSALS
from tournaments.recording.refusal import Refused

UNIQUE_VIOLATION = "23505"
ON_SQLITE = re.compile(r"^UNIQUE constraint failed: (\w+\.\w+(?:, \w+\.\w+)*)$")
ON_POSTGRESQL = re.compile(r"\(([^()]+)\)=\(")
"""Matches the columns in the detail of PostgreSQL's message, in any language."""

TAKEN: Mapping[tuple[str, str], str | Promise] = {
    ("tournaments_event", "slug"): gettext_lazy(
        "Another event has just got this address. Choose another one."
    ),
    ("tournaments_formerslug", "slug"): gettext_lazy(
        "Another event has just changed its address, and this is its former address. Choose another address."
    ),
    ("tournaments_series", "slug"): gettext_lazy("Another series has just got this address. Try again."),
    ("tournaments_series", "name"): gettext_lazy("Another series has just got this name. Try again."),
    ("tournaments_redirect", "path"): gettext_lazy(
        "Another person has just saved a redirect for this address."
    ),
    ("tournaments_competitor", "event_id, number"): gettext_lazy(
        "Another competitor has just got this number. Check the list, then try again."
    ),
    ("tournaments_round", "event_id, number"): gettext_lazy(
        "Another person has just added this round. Check it, then try again."
    ),
    ("auth_user", "username"): gettext_lazy("There is an account of that name. Choose another name."),
}
"""Messages by table and unique columns, in the order of the constraint."""

log = logging.getLogger(__name__)


class Taken(Refused, IntegrityError):  # noqa: N818 - an answer to a person, as all of them
    """Raised if another transaction has stored the same unique values since they were checked."""


def uniqueness_error(error: DatabaseError) -> Taken | None:
    """Return the exception for a unique constraint violation, otherwise None."""
    if isinstance(error, Taken):
        return error
    cause: Any = error.__cause__
    if getattr(cause, "sqlstate", "") == UNIQUE_VIOLATION:
        columns = ON_POSTGRESQL.search(cause.diag.message_detail or "")
        key = (cause.diag.table_name or "", columns[1] if columns else "")
    elif str(error).startswith("UNIQUE constraint failed: "):
        names = ON_SQLITE.match(str(error))
        parts = [each.split(".") for each in names[1].split(", ")] if names else [["", ""]]
        key = (parts[0][0], ", ".join(column for _table, column in parts))
    else:
        return None
    text = TAKEN.get(key)
    return Taken(
        str(text) if text else _("Another person has just saved the same. Check it, then try again.")
    )


def sentence_of(error: DatabaseError) -> str:
    """Return a message for a database error. The text of the driver goes only to the log."""
    if refusal := uniqueness_error(error):
        return str(refusal)
    for messages in REFUSALS.values():
        for message in messages:
            if message in str(error):
                return _("The database refused it: %(why)s.") % {"why": message}
    log.warning("The database refused a value.", exc_info=error)
    return _("The database refused a value of it.")

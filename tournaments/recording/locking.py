"""Row locks, optimistic versions and history for every write."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _
from simple_history.utils import bulk_create_with_history

from config.database.bulkhead import place_to_save
from config.database.faults import DatabaseBusyError
from tournaments.models import Event, Override
from tournaments.models.versioned import Versioned, past_of
from tournaments.recording.integrity import uniqueness_error
from tournaments.recording.refusal import Busy, Conflict, Refused

LONGEST_NAME = 120
Row = TypeVar("Row", bound=Versioned)


@contextmanager
def saving() -> Iterator[None]:
    """Run the block in a transaction. Raise Busy if a lock takes longer than the deadline.

    Raise Taken if another transaction has stored the same unique values in the meantime.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if refusal := uniqueness_error(error):
            raise refusal from error
        raise
    except DatabaseBusyError as busy:
        raise Busy from busy


@contextmanager
def lock_event(event: Event, *, lent: bool = False) -> Iterator[Event]:
    """Lock the event's row until the end of one transaction, and yield the current event.

    Raise Refused if it is gone, or if another site changes it and `lent` is false; Busy if another writer
    locks it for too long or too many wait.
    """
    try:
        with place_to_save(event.pk), saving():
            now = locked(Event.objects.filter(pk=event.pk))
            if now.home and not lent:
                raise Refused(lent_text(now))
            yield now
    except DatabaseBusyError as crowded:
        raise Busy from crowded


def lent_text(event: Event) -> str:
    text = _("This event is changed at “%(home)s”. It can be changed here when it is given or taken back.")
    return text % {"home": event.home}


def locked(rows: QuerySet[Row]) -> Row:
    """Return the single row of a query, locked. Raise Refused if it is gone.

    On SQLite a writing transaction locks the whole database.
    """
    row = rows.select_for_update(of=("self",), no_key=True).first()
    if row is None:
        raise Refused(_("This record was deleted. Go back to the list."))
    return row


def lock_row(model: type[Row], pk: int, seen: int) -> Row:
    """Return the locked row. Raise Conflict if its version is not `seen`. Needs a transaction."""
    row = locked(model._default_manager.filter(pk=pk))
    compare_version(row, seen)
    return row


def compare_version(row: Versioned, seen: int) -> None:
    if row.version != seen:
        raise Conflict(row.version, *last_saved(row))


def last_saved(row: Versioned) -> tuple[str, datetime | None]:
    """Return who saved this version of the row, and when. Blank and None after a bulk write."""
    past = past_of(type(row)).objects.filter(id=row.pk, version=row.version).select_related("history_user")
    found = past.order_by("-history_id").first()
    return (name_of_user(found.history_user), found.history_date) if found else ("", None)


def save(row: Versioned, by: User | None, reason: str = "") -> None:
    # Computed here and not in the database, because the response of the form needs the number. A new row has
    # version 0 before.
    row.version += 1
    attribute(row, by, reason)
    row.save()


def add(row: Versioned, by: User, reason: str = "") -> None:
    attribute(row, by, reason)
    row.save(force_insert=True)


def remove_row(row: Versioned, by: User, reason: str = "") -> None:
    attribute(row, by, reason)
    row.delete()


def name_of_user(user: User | None) -> str:
    """Return a user's name for the public log: full name, or username if there is none. Blank for None."""
    return (user.get_full_name() or user.get_username())[:LONGEST_NAME] if user else ""


def attribute(row: Versioned, by: User | None, reason: str = "") -> None:
    row._history_user = by  # type: ignore[attr-defined]  # read by simple-history
    row._change_reason = reason  # type: ignore[attr-defined]  # the same


def add_override(event: Event, kind: str, by: str, reason: str, **what: Any) -> Override:
    """Add the next override of a locked event. `by` is a name."""
    last = event.overrides.aggregate(Max("number"))["number__max"] or 0
    return Override.objects.create(event=event, number=last + 1, kind=kind, by=by, reason=reason, **what)


def add_all(rows: Sequence[Row], by: User, reason: str = "") -> None:
    """Insert rows of a model in bulk, with history rows: a round of a thousand players has 500."""
    if rows:
        bulk_create_with_history(rows, type(rows[0]), default_user=by, default_change_reason=reason)

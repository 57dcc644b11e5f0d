"""One writer of an event at a time; a version on every row, compared and raised; the past of each kept."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from simple_history.utils import bulk_create_with_history

from config.database.bulkhead import place_to_save
from config.database.faults import DatabaseBusyError
from tournaments.models import Event, Override
from tournaments.models.versioned import Versioned, past_of
from tournaments.recording.integrity import taken
from tournaments.recording.refusal import Busy, Conflict, Refused

LONGEST_NAME = 120
Row = TypeVar("Row", bound=Versioned)


@contextmanager
def saving() -> Iterator[None]:
    """Run the block in a transaction; Busy where something in it was locked for longer than the deadline.

    Taken if somebody else has stored the same unique values since the block looked for them.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if refusal := taken(error):
            raise refusal from error
        raise
    except DatabaseBusyError as busy:
        raise Busy from busy


@contextmanager
def in_turn(event: Event) -> Iterator[Event]:
    """Lock the event's row in one transaction until its end, and yield the event as it is now.

    Refused where it is gone; Busy where another writer keeps it for too long, or too many wait for it
    already.
    """
    try:
        with place_to_save(event.pk), saving():
            yield locked(Event.objects.filter(pk=event.pk))
    except DatabaseBusyError as crowded:
        raise Busy from crowded


def locked(rows: QuerySet[Row]) -> Row:
    """Return the one row of a query, locked (a transaction that writes on SQLite has the whole database)."""
    row = rows.select_for_update(of=("self",), no_key=True).first()
    if row is None:
        raise Refused(_("This is not there any more: somebody has removed it. Go back to the list."))
    return row


def claim(model: type[Row], pk: int, seen: int) -> Row:
    """Return the row, locked; Conflict where its version is not the one seen. Inside a transaction."""
    row = locked(model._default_manager.filter(pk=pk))
    compare(row, seen)
    return row


def compare(row: Versioned, seen: int) -> None:
    """Raise Conflict where the row's version is not the one seen."""
    if row.version != seen:
        raise Conflict(row.version, *last_saved(row))


def last_saved(row: Versioned) -> tuple[str, datetime | None]:
    """Return who saved this version of the row, and when; a blank and None where a bulk write did."""
    past = past_of(type(row)).objects.filter(id=row.pk, version=row.version).select_related("history_user")
    found = past.order_by("-history_id").first()
    if found is None:
        return "", None
    return name_of(found.history_user) if found.history_user else "", found.history_date


def save(row: Versioned, by: User, reason: str = "") -> None:
    """Write a row under its next version, with a row of history."""
    # In Python, under the lock of the event: the form needs the new number for its answer.
    row.version += 1
    attribute(row, by, reason)
    row.save()


def add(row: Versioned, by: User, reason: str = "") -> None:
    """Write a new row, with a row of history."""
    attribute(row, by, reason)
    row.save(force_insert=True)


def remove(row: Versioned, by: User, reason: str = "") -> None:
    """Delete a row, with a row of history."""
    attribute(row, by, reason)
    row.delete()


def name_of(user: User) -> str:
    """Return how a person is named in the public log: the full name, or the user name where there is none."""
    return (user.get_full_name() or user.get_username())[:LONGEST_NAME]


def attribute(row: Versioned, by: User, reason: str = "") -> None:
    """Tell the history who saves the row next, and why."""
    row._history_user = by  # type: ignore[attr-defined]  # where simple-history looks for them
    row._change_reason = reason  # type: ignore[attr-defined]  # the same


def add_override(event: Event, kind: str, by: str, reason: str, **what: Any) -> Override:
    """Add the next override of an event whose row is locked; `by` is a name."""
    last = event.overrides.aggregate(Max("number"))["number__max"] or 0
    return Override.objects.create(event=event, number=last + 1, kind=kind, by=by, reason=reason, **what)


def add_all(rows: Sequence[Row], by: User, reason: str = "") -> None:
    """Write new rows of one table at once, each with a row of history: a round of a thousand has 500."""
    if rows:
        bulk_create_with_history(rows, type(rows[0]), default_user=by, default_change_reason=reason)


def remove_all(rows: Sequence[Row], by: User, reason: str = "") -> None:
    """Delete rows of one table at once, each with a row of history."""
    if not rows:
        return
    model, past = type(rows[0]), past_of(type(rows[0]))
    told = {"history_type": "-", "history_user": by, "history_change_reason": reason}
    names = [field.attname for field in past.tracked_fields]
    now = timezone.now()
    past.objects.bulk_create(
        past(**{name: getattr(row, name) for name in names}, history_date=now, **told) for row in rows
    )
    model._default_manager.filter(pk__in=[row.pk for row in rows]).delete()

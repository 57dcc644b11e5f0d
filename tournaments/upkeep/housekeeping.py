"""Housekeeping: what may go after a while, deleted in small batches beside a live round.

Nothing of the record goes. A batch is one short transaction, since on SQLite it holds the only lock there is,
and between two of them a result that is being saved gets its turn.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from time import sleep
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from tournaments import jobs
from tournaments.models import Backup, Event, Login, LoginWait, Session, Upload
from tournaments.models.login import FORGOTTEN_AFTER

BATCH = 200
"""Rows deleted in one transaction: a few milliseconds of small rows."""

FILES_IN_A_BATCH = 10
"""Rows with a file in them that are deleted, or emptied, in one transaction: each may have many megabytes."""

PAUSE = 0.02
"""Seconds between two batches, in which another writer of SQLite finds the lock free."""


@dataclass(frozen=True, slots=True)
class Chore:
    """Something that housekeeping does away with: in words, and the function that does it.

    The function is told whether it only counts, and returns how many went, or would go.
    """

    about: str
    do: Callable[[bool], int]


def chores() -> Iterator[Chore]:
    """Yield what is done about the rows of the database, with the limits of the settings."""
    now = timezone.now()
    logins = now - timedelta(days=settings.KEEP_LOGINS_DAYS)
    proposals = now - timedelta(days=settings.KEEP_PROPOSALS_DAYS)
    yield Chore(
        "sessions that have expired",
        lambda dry: delete(Session.objects.filter(expire_date__lt=now), dry_run=dry),
    )
    yield Chore(
        f"entries of the login log older than {settings.KEEP_LOGINS_DAYS} days",
        lambda dry: delete(Login.objects.filter(at__lt=logins), dry_run=dry),
    )
    yield Chore(
        f"uploads that were not imported within {settings.KEEP_PROPOSALS_DAYS} days",
        lambda dry: delete(
            Upload.objects.filter(applied=None, at__lt=proposals), dry_run=dry, batch=FILES_IN_A_BATCH
        ),
    )
    yield Chore(
        f"files of imports older than {settings.KEEP_UPLOADS_DAYS} days, or beyond"
        f" {settings.KEEP_UPLOADS_BYTES:,} bytes in all (the imports stay in their lists)",
        lambda dry: empty_uploads(now - timedelta(days=settings.KEEP_UPLOADS_DAYS), dry_run=dry),
    )
    yield Chore(
        f"backups of events beyond the last {settings.KEEP_BACKUPS} and the first of each day",
        lambda dry: delete_backups(settings.KEEP_BACKUPS, dry_run=dry),
    )
    yield Chore("jobs that ended a while ago", lambda dry: delete(jobs.ended_long_ago(), dry_run=dry))
    yield Chore(
        "failures of logins that count no more",
        lambda dry: delete(LoginWait.objects.filter(last__lt=now - FORGOTTEN_AFTER), dry_run=dry),
    )


def delete(rows: QuerySet[Any], *, dry_run: bool, batch: int = BATCH) -> int:
    """Delete these rows batch by batch and return how many; with `dry_run` only count them."""
    if dry_run:
        return rows.count()
    deleted = 0
    for keys in batches(rows, batch):
        # Asked again with the condition: a row may have become one that stays since its key was read.
        with transaction.atomic():
            _, by_model = rows.filter(pk__in=keys).delete()
        deleted += by_model.get(rows.model._meta.label, 0)
    return deleted


def batches(rows: QuerySet[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield the keys of the rows in batches, read once and all before the first is yielded."""
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), size):
        if start:
            sleep(PAUSE)
        yield keys[start : start + size]


# --- uploads ----------------------------------------------------------------------------------------------


def empty_uploads(before: datetime, *, dry_run: bool) -> int:
    """Drop the bytes of imported files that are older, or beyond the limit of all bytes; the oldest first.

    Their rows stay, with name, checksum and who imported them. Bytes stay too where they were imported
    against objections, which belong to the record, and those of the last import of each event.
    """
    keys = list(_beyond(before))
    if dry_run:
        return len(keys)
    emptied = 0
    may_go = Upload.objects.exclude(applied=None).filter(accepted={})
    for batch in batches(may_go.filter(pk__in=keys), FILES_IN_A_BATCH):
        emptied += may_go.filter(pk__in=batch).update(file=b"")
    return emptied


def _beyond(before: datetime) -> Iterator[int]:
    """Yield the keys of uploads whose bytes go."""
    rows = (
        Upload.objects.exclude(applied=None)
        .annotate(bytes=Length("file"))
        .filter(bytes__gt=0)
        .order_by("-applied", "-pk")
        .values_list("pk", "event_id", "applied", "accepted", "bytes")
    )
    left, seen = settings.KEEP_UPLOADS_BYTES, set()
    for pk, event, applied, accepted, size in rows:
        left -= size
        is_last = event not in seen
        seen.add(event)
        if applied and (applied < before or left < 0) and not (is_last or accepted):
            yield pk


# --- backups of events ------------------------------------------------------------------------------------


def delete_backups(last: int, *, dry_run: bool) -> int:
    """Delete the backups of each event but for the last ones and the first of each day."""
    many = Event.objects.annotate(count=Count("backups")).filter(count__gt=last)
    going: list[int] = []
    for event in many.order_by("pk").values_list("pk", flat=True):
        rows = list(Backup.objects.filter(event=event).order_by("-at", "-pk").values_list("pk", "at"))
        first: dict[date, int] = {}
        for pk, at in rows:
            first[at.astimezone(UTC).date()] = pk  # the last one written is the day's first
        stay = set(first.values())
        going += [pk for pk, _ in rows[last:] if pk not in stay]
    return delete(Backup.objects.filter(pk__in=going), dry_run=dry_run, batch=FILES_IN_A_BATCH)

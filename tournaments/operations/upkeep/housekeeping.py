"""Housekeeping: delete expired data in small batches while the site runs.

Results and rulings are never deleted. A batch is a short transaction, because on SQLite it holds the only
write lock. Results are saved between two batches.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Length
from django.utils import timezone

from tournaments.accounts.models import FORGOTTEN_AFTER
from tournaments.event import federations
from tournaments.event.choices import OVER
from tournaments.event.moves import publishable_moves
from tournaments.interchange.formats.trf.publishing import publishable_lines
from tournaments.interchange.ratinglists.folder import older
from tournaments.models import (
    Backup,
    ErrorReport,
    Event,
    Game,
    LineupSent,
    Login,
    LoginWait,
    Pairing,
    Proposal,
    ResultSent,
    Session,
    SiteRevision,
    Upload,
)
from tournaments.models.versioned import past_of
from tournaments.operations import jobs
from tournaments.operations.epoch import ONLY_SITE
from tournaments.people.matching.names import form_of
from tournaments.stored import stored

BATCH = 200
"""Rows deleted per transaction: a few milliseconds for small rows."""

FILES_IN_A_BATCH = 10
"""Rows with a file that are deleted or emptied per transaction: each may have many megabytes."""

PAUSE = 0.02
"""Seconds between two batches, in which other writers of SQLite get the lock."""


@dataclass(frozen=True, slots=True)
class Chore:
    """A task of housekeeping: its label and its function.

    The function takes `dry_run` and returns the number of deleted rows, or of rows that would be deleted.
    """

    about: str
    do: Callable[..., int]


def chores() -> Iterator[Chore]:
    now = timezone.now()
    logins = now - timedelta(days=settings.KEEP_LOGINS_DAYS)
    proposals = now - timedelta(days=settings.KEEP_PROPOSALS_DAYS)
    bundles = now - timedelta(days=settings.KEEP_BUNDLES_DAYS)
    not_imported, reports = Upload.objects.filter(applied=None), ErrorReport.objects.filter(at__lt=logins)
    yield Chore(
        "sessions that have expired",
        partial(delete, Session.objects.filter(expire_date__lt=now)),
    )
    yield Chore(
        f"entries of the login log older than {settings.KEEP_LOGINS_DAYS} days",
        partial(delete, Login.objects.filter(at__lt=logins)),
    )
    yield Chore(
        f"uploads that were not imported within {settings.KEEP_PROPOSALS_DAYS} days",
        partial(delete, not_imported.filter(bundle_file=None, at__lt=proposals), batch=FILES_IN_A_BATCH),
    )
    days = settings.KEEP_UPLOADS_DAYS
    oldest = now - timedelta(days=days) if days else None
    age = f"older than {days} days, or " if days else ""
    yield Chore(
        f"files of imports {age}beyond {settings.KEEP_UPLOADS_BYTES:,} bytes in all"
        " (the imports stay in their lists)",
        partial(empty_uploads, oldest),
    )
    yield Chore(
        f"files of archives of many that were not imported within {settings.KEEP_BUNDLES_DAYS} days",
        partial(delete, not_imported.filter(bundle_file__bundle__at__lt=bundles), batch=FILES_IN_A_BATCH),
    )
    yield Chore(
        f"backups of events beyond the last {settings.KEEP_BACKUPS} and the first of each day",
        partial(delete_backups, settings.KEEP_BACKUPS),
    )
    yield Chore(
        f"rating lists beyond the newest {settings.KEEP_RATING_LISTS} of each source and kind, and what"
        " imports left behind",
        partial(delete_lists, settings.KEEP_RATING_LISTS),
    )
    yield Chore("jobs that ended a while ago", partial(delete, jobs.ended_long_ago()))
    yield Chore(
        f"from where captains and players sent, after {settings.KEEP_LOGINS_DAYS} days",
        partial(forget_networks, logins),
    )
    yield Chore(
        f"mail addresses and origins of error reports, after {settings.KEEP_LOGINS_DAYS} days",
        partial(blank, reports.exclude(address="", network=""), address="", network=""),
    )
    yield Chore(
        "proposals of rounds but the last, and what engines read for it, of events that are over for"
        f" {settings.KEEP_LOGINS_DAYS} days",
        partial(forget_proposals, logins),
    )
    yield Chore(
        "failures of logins that count no more",
        partial(delete, LoginWait.objects.filter(last__lt=now - FORGOTTEN_AFTER)),
    )
    yield Chore(
        "lines of reports, and tags and comments of games, that may hold private data",
        remove_private_data,
    )


def delete(rows: QuerySet[Any], *, dry_run: bool, batch: int = BATCH) -> int:
    """Delete rows batch by batch and return their number. With `dry_run`, only count them."""
    if dry_run:
        return rows.count()
    deleted = 0
    for keys in batches(rows, batch):
        # Filtered again: the row may have changed since its key was read.
        with transaction.atomic():
            _, by_model = rows.filter(pk__in=keys).delete()
        deleted += by_model.get(rows.model._meta.label, 0)
    return deleted


def blank(rows: QuerySet[Any], *, dry_run: bool, batch: int = BATCH, **blanks: object) -> int:
    """Set fields to these values batch by batch, and return the number of rows. The rows remain."""
    if dry_run:
        return rows.count()
    return sum(rows.filter(pk__in=keys).update(**blanks) for keys in batches(rows, batch))


def forget_networks(before: datetime, *, dry_run: bool) -> int:
    sent = (model._default_manager.filter(at__lt=before) for model in (LineupSent, ResultSent))
    return sum(blank(rows.exclude(network=""), dry_run=dry_run, network="") for rows in sent)


def forget_proposals(before: datetime, *, dry_run: bool) -> int:
    """Delete the pairing drafts of events that ended and have not changed since then.

    The last accepted draft of each round remains, without the report that its engine read.
    """
    changed = past_of(Event).objects.filter(id=OuterRef("pk"), history_date__gte=before)
    over = Event.objects.filter(~Exists(changed), state__in=OVER)
    taken_over = Proposal.objects.filter(round=OuterRef("round"), applied__isnull=False).order_by("-pk")
    rows = Proposal.objects.filter(round__event__in=over, at__lt=before)
    rows = rows.annotate(last=Subquery(taken_over.values("pk")[:1]))
    gone = delete(rows.filter(~Q(pk=F("last")) | Q(last=None)), dry_run=dry_run)
    return gone + blank(rows.filter(pk=F("last")).exclude(input=""), dry_run=dry_run, input="")


def batches(rows: QuerySet[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield the keys of the rows in batches. All keys are read before the first batch."""
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), size):
        if start:
            sleep(PAUSE)
        yield keys[start : start + size]


# --- uploads ----------------------------------------------------------------------------------------------


def empty_uploads(before: datetime | None, *, dry_run: bool) -> int:
    """Delete the content of imported files that are older, or over the total size, the oldest first.

    Name, size, checksum and user remain. The content also remains if the file was imported despite
    objections, which belong to the record, and for the first and the last import of each event.
    """
    may_go = Upload.objects.exclude(applied=None).filter(accepted={}, pk__in=list(_beyond(before)))
    return blank(may_go, dry_run=dry_run, batch=FILES_IN_A_BATCH, file=b"")


def _beyond(before: datetime | None) -> Iterator[int]:
    rows = list(
        Upload.objects.exclude(applied=None)
        .annotate(bytes=Length("file"))
        .filter(bytes__gt=0)
        .order_by("-applied", "-pk")
        .values_list("pk", "event_id", "applied", "accepted", "bytes")
    )
    # In descending order of time, so that the last value in the dict is the first import of the event.
    firsts = {event: pk for pk, event, *_ in rows}
    left, seen = settings.KEEP_UPLOADS_BYTES, set()
    for pk, event, applied, accepted, size in rows:
        left -= size
        is_end = event not in seen or firsts[event] == pk
        seen.add(event)
        is_old = before is not None and applied is not None and applied < before
        if (is_old or left < 0) and not (is_end or accepted):
            yield pk


# --- backups of events ------------------------------------------------------------------------------------


def delete_backups(last: int, *, dry_run: bool) -> int:
    """Delete the backups of each event except the `last` ones and the first of each day."""
    many = Event.objects.annotate(count=Count("backups")).filter(count__gt=last)
    going: list[int] = []
    for event in many.order_by("pk").values_list("pk", flat=True):
        rows = list(Backup.objects.filter(event=event).order_by("-at", "-pk").values_list("pk", "at"))
        first: dict[date, int] = {}
        for pk, at in rows:
            # in descending order of time, so that the last value is the first of the day
            first[at.astimezone(UTC).date()] = pk
        stay = set(first.values())
        going += [pk for pk, _ in rows[last:] if pk not in stay]
    return delete(Backup.objects.filter(pk__in=going), dry_run=dry_run, batch=FILES_IN_A_BATCH)


# --- rating lists -----------------------------------------------------------------------------------------


def delete_lists(keep: int, *, dry_run: bool) -> int:
    going = older(keep)
    for path in () if dry_run else going:
        path.unlink(missing_ok=True)
    return len(going)


log = logging.getLogger(__name__)


def remove_private_data(*, dry_run: bool) -> int:
    """Return the number of cleaned lines and games. The log names the event and the kinds of lines.

    Only events that changed since the last run are read, or all after a change of the rules.
    """
    now, rules, site = timezone.now(), _rules(), SiteRevision.objects.filter(pk=ONLY_SITE)
    events = Event.objects.order_by()
    if last := site.filter(cleaned_form=rules).values_list("cleaned_at", flat=True).first():
        # A day earlier: transactions take a while, and clocks of machines differ.
        events = events.exclude(revision__changed_at__lt=last - timedelta(days=1))
    count = sum(_of_lines(events, dry_run=dry_run)) + sum(_of_moves(events, dry_run=dry_run))
    if not dry_run:
        site.update(cleaned_form=rules, cleaned_at=now)
    return count


def _rules() -> str:
    app = Path(__file__).parents[2]
    files = (each for folder in ("event", "interchange/formats/trf") for each in (app / folder).glob("*.py"))
    return form_of(Path(__file__), *sorted(files), federations.ROWS)


def _of_lines(events: QuerySet[Event], *, dry_run: bool) -> Iterator[int]:
    for key in events.exclude(trf=[]).values_list("pk", flat=True):
        with transaction.atomic():
            event = Event.objects.select_for_update(of=("self",)).get(pk=key)
            public = publishable_lines(stored(event).document)
            removed = [each for each in event.trf if each not in public]
            if not removed:
                continue
            yield len(removed)
            if dry_run:
                continue
            event.trf = [*public]
            event.save(update_fields=["trf"])
        kinds = ", ".join(sorted({each[:3] for each in removed}))
        log.warning("%s: %s lines of a report are removed (%s)", event.slug, len(removed), kinds)


def _of_moves(events: QuerySet[Event], *, dry_run: bool) -> Iterator[int]:
    for model, path in ((Pairing, "round__event"), (Game, "pairing__round__event")):
        recorded = model._default_manager.order_by().filter(**{f"{path}__in": events}).exclude(moves="")
        rows = recorded.values_list("pk", f"{path}__slug", "moves")
        for key, slug, moves in rows.iterator(chunk_size=200):
            public = publishable_moves(moves)
            if public == moves:
                continue
            yield 1
            if not dry_run and model._default_manager.filter(pk=key, moves=moves).update(moves=public):
                log.warning("%s: tags or comments of a game are removed", slug)

"""ZIP archives kept on disk under what they were made of; the worker makes them one at a time (ADR 0031)."""

import os
from datetime import timedelta
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from time import time as clock
from typing import Any, BinaryIO, NamedTuple

from django.conf import settings
from django.utils import timezone

from config.database.faults import DatabaseBusyError
from standings.archive.making import Origin, Tell, write_zip
from standings.build import build
from standings.serving.pages import Head
from tournaments import jobs
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, Job
from tournaments.revision import present
from tournaments.served import note
from tournaments.snapshot import snapshot
from tournaments.withdrawals import withdrawn_at

MOST_BYTES = 1_000_000_000
"""The bytes that all archives together may take; beyond it those that were made longest ago go first."""

LIVE_PAUSE = 300
"""Seconds for which an event in progress keeps the archive it has: changes pour in, and each makes it old."""

MOST_WAITING = 20
"""Events whose archives wait to be made; who asks for one more is told to come back."""

FAILURE_PAUSE = timedelta(minutes=5)
"""Time for which nobody tries again what failed."""


class Kept(NamedTuple):
    """An archive that is open to be read, and the name that tells it from any other."""

    name: str
    file: BinaryIO


class Progress(Enum):
    """The ways in which an archive may not be there yet."""

    WAITING = "waiting"
    MAKING = "making"
    STUCK = "stuck"
    FAILED = "failed"
    FULL = "full"


class Awaited(NamedTuple):
    """An archive that is not there yet: so many of its pages are made, or so many jobs are done before it."""

    progress: Progress
    made: int = 0
    pages: int = 0
    ahead: int = 0


def find(head: Head, origin: Origin) -> Kept | None:
    """Return the archive of an event that is kept; no query.

    That of an event in progress may be five minutes old, unless rows were withdrawn since, such as a name. It
    says which version of the data it shows.
    """
    folder = Path(settings.ARCHIVES)
    return _opened(folder / name_of(head, origin)) or _recent(folder, head, origin)


def ask(head: Head, origin: Origin) -> Awaited:
    """Have the archive of an event made, unless it is being made; up to four queries.

    There is one for each event in the queue, whatever its version: what is made shows the present one.
    """
    last = jobs.last_job(jobs.archive_key(head.pk))
    if last is None or not last.is_open or last.turn > jobs.Turn.ASKED:
        if last and _has_just_failed(last):
            return Awaited(Progress.FAILED)
        try:
            last = jobs.ask(
                jobs.archive_job(head.pk, origin.scheme, origin.host, public=head.state in PUBLIC),
                most=MOST_WAITING,
            )
        except jobs.FullError:
            return Awaited(Progress.FULL)
        except DatabaseBusyError:  # others save all the time: who waits asks again, and gets his turn
            return Awaited(Progress.WAITING)
    return _awaited(last)


def look(head: Head) -> Awaited:
    """Return how far the archive of an event is, and ask for nothing; up to two queries."""
    last = jobs.last_job(jobs.archive_key(head.pk))
    if last is None:
        return Awaited(Progress.WAITING)
    if not last.is_open:
        return Awaited(Progress.FAILED if _has_just_failed(last) else Progress.WAITING)
    return _awaited(last)


def _has_just_failed(job: Job) -> bool:
    # Absolute: a time in the future was stored while the clock was ahead.
    return job.state == Job.State.FAILED and abs(timezone.now() - (job.ended or job.asked)) < FAILURE_PAUSE


def _awaited(job: Job) -> Awaited:
    is_stuck = jobs.is_stuck(job)
    if job.state == Job.State.RUNNING:
        return Awaited(Progress.STUCK if is_stuck else Progress.MAKING, job.parts_done, job.parts)
    if is_stuck:
        return Awaited(Progress.STUCK)
    return Awaited(Progress.WAITING, ahead=jobs.ahead_of(job))


def name_of(head: Head, origin: Origin) -> str:
    """The name of an archive: of whom, for which site and build, at which version."""
    return f"{_of(head, origin)}-{head.version}.zip"


def _of(head: Head, origin: Origin) -> str:
    """Return the name of an archive without its version."""
    # An archive that readers never saw has another name: none of them gets it for the last one of an event.
    made_for = f"{origin} {build()} {head.epoch} {head.state in PUBLIC}"
    digest = blake2b(made_for.encode(), digest_size=6).hexdigest()
    return f"{head.pk}-{digest}"


def _opened(path: Path) -> Kept | None:
    try:
        return Kept(path.stem, path.open("rb"))
    except FileNotFoundError:  # never made, or taken away this moment
        return None


def _recent(folder: Path, head: Head, origin: Origin) -> Kept | None:
    """The last archive of an event in progress, while it is young."""
    if head.state != Event.State.LIVE:
        return None
    made = ((_made_at(path), path) for path in folder.glob(f"{_of(head, origin)}-*.zip"))
    moment, last = max(made, default=(0.0, folder))
    may_show = abs(clock() - moment) < LIVE_PAUSE and withdrawn_at(head.pk) < moment
    return _opened(last) if may_show else None


def make_archive(job: Job, tell: Tell) -> dict[str, Any]:
    """Make the archive that a job asks for, as the event is now; older ones of the event go.

    Nothing is made where it was published, or withdrawn, since the one who asks was let in. The worker is the
    only one: nobody else writes into the folder.
    """
    asked = job.arguments
    origin = Origin(asked["scheme"], asked["host"])
    folder = Path(settings.ARCHIVES)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / "unfinished"  # one name for all: what a crash leaves is written over
    moment = clock()  # before anything is read: what was withdrawn later may be in it
    # One moment of the record for all pages: an event in progress may change with each of them.
    with snapshot():
        try:
            event = present(asked["event"])
        except Event.DoesNotExist:
            return {}
        if event.is_public != asked["public"]:
            return {}
        head = Head(event.pk, event.data_version or 0, event.state, site=None, epoch=event.epoch)
        note(head.epoch, {head.pk: (head.version,)})  # its standings are kept too
        path = folder / name_of(head, origin)
        if path.exists():
            return {"archive": path.name}
        try:
            write_zip(event, origin, unfinished, tell)
        except OSError:  # a full disk is not filled by what cannot be used
            unfinished.unlink(missing_ok=True)
            raise
    os.utime(unfinished, (moment, moment))
    unfinished.replace(path)
    _clear(folder, event.pk, path)
    return {"archive": path.name}


def _clear(folder: Path, pk: int, made: Path) -> None:
    """Take away the event's other archives, and the oldest of all beyond what they may take."""
    for path in folder.glob(f"{pk}-*.zip"):
        if path != made:
            path.unlink(missing_ok=True)
    left = MOST_BYTES
    for path in sorted(folder.glob("*.zip"), key=_made_at, reverse=True):
        left -= path.stat().st_size
        if left < 0 and path != made:
            path.unlink(missing_ok=True)


def _made_at(path: Path) -> float:
    """When its making began, in seconds since 1970; 0 for one that is gone."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0

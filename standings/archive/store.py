"""ZIP archives on disk, named by their source; a worker builds one at a time (ADR 0031)."""

import os
from contextlib import suppress
from datetime import timedelta
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from time import time as clock
from typing import Any, BinaryIO, NamedTuple

from django.conf import settings
from django.utils import timezone

from config.database.faults import DatabaseBusyError
from standings.archive.builder import Origin, ReportProgress, write_zip
from standings.build import build
from standings.caching.cached_pages import Head
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, Job
from tournaments.operations import jobs
from tournaments.operations.restore_guard import note
from tournaments.operations.revision import present
from tournaments.operations.snapshot import snapshot
from tournaments.operations.takedowns import withdrawn_at

MOST_BYTES = 1_000_000_000
"""The maximum size of all archives in bytes. Beyond it, the oldest are deleted."""

LIVE_PAUSE = 300
"""The seconds for which the archive of a live event is reused, since each result makes it outdated."""

MOST_WAITING = 20
"""The maximum number of waiting jobs. Further requests have to be repeated."""

FAILURE_PAUSE = timedelta(minutes=5)
"""The time before a failed archive is built again."""


class Progress(Enum):
    """The states of an archive that is not ready."""

    WAITING = "waiting"
    MAKING = "making"
    STUCK = "stuck"
    FAILED = "failed"
    FULL = "full"


class ArchiveProgress(NamedTuple):
    """The progress of an archive: the pages that are rendered, or the jobs that come before it."""

    progress: Progress
    made: int = 0
    pages: int = 0
    ahead: int = 0


def find_archive(head: Head, origin: Origin) -> BinaryIO | None:
    """Return the stored archive of an event; no query.

    For a live event it may be five minutes old, unless rows were withdrawn since, such as a name. It states
    the version of its data.
    """
    folder = Path(settings.ARCHIVES)
    return _opened(folder / archive_name(head, origin)) or _recent_archive(folder, head, origin)


def request_archive(head: Head, origin: Origin) -> ArchiveProgress:
    """Start building the archive unless a job exists; up to four queries.

    There is a single job per event for all versions: it archives the current one.
    """
    last = jobs.last_job(jobs.archive_key(head.pk))
    if last is None or not last.is_open or last.turn > jobs.Turn.ASKED:
        if last and _has_just_failed(last):
            return ArchiveProgress(Progress.FAILED)
        try:
            last = jobs.ask(
                jobs.archive_job(head.pk, origin.scheme, origin.host, public=head.state in PUBLIC),
                most=MOST_WAITING,
            )
        except jobs.FullError:
            return ArchiveProgress(Progress.FULL)
        except DatabaseBusyError:  # continuous writes of other requests: the client repeats the request
            return ArchiveProgress(Progress.WAITING)
    return _awaited(last)


def progress_of(head: Head) -> ArchiveProgress:
    """Return the progress of the archive without starting it; up to two queries."""
    last = jobs.last_job(jobs.archive_key(head.pk))
    if last is None:
        return ArchiveProgress(Progress.WAITING)
    if not last.is_open:
        return ArchiveProgress(Progress.FAILED if _has_just_failed(last) else Progress.WAITING)
    return _awaited(last)


def _has_just_failed(job: Job) -> bool:
    # Absolute: the clock may have been ahead when the time was stored.
    return job.state == Job.State.FAILED and abs(timezone.now() - (job.ended or job.asked)) < FAILURE_PAUSE


def _awaited(job: Job) -> ArchiveProgress:
    is_stuck = jobs.is_stuck(job)
    if job.state == Job.State.RUNNING:
        return ArchiveProgress(Progress.STUCK if is_stuck else Progress.MAKING, job.parts_done, job.parts)
    if is_stuck:
        return ArchiveProgress(Progress.STUCK)
    return ArchiveProgress(Progress.WAITING, ahead=jobs.ahead_of(job))


def archive_name(head: Head, origin: Origin) -> str:
    return f"{_base_name(head, origin)}-{head.version}.zip"


def _base_name(head: Head, origin: Origin) -> str:
    # The archive of an unpublished event has another name, so that it is never served as the last archive of
    # a public one.
    made_for = f"{origin} {build()} {head.epoch} {head.state in PUBLIC}"
    digest = blake2b(made_for.encode(), digest_size=6).hexdigest()
    return f"{head.pk}-{digest}"


def _opened(path: Path) -> BinaryIO | None:
    try:
        return path.open("rb")
    except FileNotFoundError:  # never built, or just deleted
        return None


def _recent_archive(folder: Path, head: Head, origin: Origin) -> BinaryIO | None:
    if head.state != Event.State.LIVE:
        return None
    made = ((_built_at(path), path) for path in folder.glob(f"{_base_name(head, origin)}-*.zip"))
    moment, last = max(made, default=(0.0, folder))
    may_show = abs(clock() - moment) < LIVE_PAUSE and withdrawn_at(head.pk) < moment
    return _opened(last) if may_show else None


def make_archive(job: Job, tell: ReportProgress) -> dict[str, Any]:
    """Build the archive of a job for the current state of the event, and delete its older archives.

    Nothing is built if the event was published or withdrawn since the request was allowed. Only workers write
    to the folder.
    """
    asked = job.arguments
    origin = Origin(asked["scheme"], asked["host"])
    folder = Path(settings.ARCHIVES)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"unfinished-{job.pk}-{job.attempts}"
    moment = clock()  # before any query: later withdrawals may be missing
    # All pages show the same state, even if a live event changes in between.
    with snapshot():
        try:
            event = present(asked["event"])
        except Event.DoesNotExist:
            return {}
        if event.is_public != asked["public"]:
            return {}
        head = Head(event.pk, event.data_version or 0, event.state, site=None, epoch=event.epoch)
        note(head.epoch, {head.pk: (head.version,)})  # its standings are cached too
        path = folder / archive_name(head, origin)
        if path.exists():
            return {"archive": path.name}
        try:
            write_zip(event, origin, unfinished, tell)
        except OSError:  # free the space on a full disk
            unfinished.unlink(missing_ok=True)
            raise
    jobs.confirm(job)
    os.utime(unfinished, (moment, moment))
    unfinished.replace(path)
    _delete_old(folder, event.pk, path)
    return {"archive": path.name}


def _delete_old(folder: Path, pk: int, made: Path) -> None:
    for path in folder.glob(f"{pk}-*.zip"):
        if path != made:
            path.unlink(missing_ok=True)
    for path in folder.glob("unfinished*"):  # the remains of a crash
        if _built_at(path) < clock() - settings.JOB_SECONDS:
            path.unlink(missing_ok=True)
    left = MOST_BYTES
    for path in sorted(folder.glob("*.zip"), key=_built_at, reverse=True):
        with suppress(FileNotFoundError):
            left -= path.stat().st_size
        if left < 0 and path != made:
            path.unlink(missing_ok=True)


def _built_at(path: Path) -> float:
    """Return the Unix time at which the build began, 0 if the archive is deleted."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0

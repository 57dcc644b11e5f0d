"""The queue of background jobs, which the worker runs one at a time per lane (ADR 0031).

Jobs are rows, so that a crash neither loses nor repeats them: they are queued in the transaction that they
belong to, and a restarted worker finds unfinished jobs. A running worker holds a file lock, which the kernel
releases when it ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files import locks
from django.db.models import Q, QuerySet
from django.utils import timezone

from tournaments.models import Job

MOST_ATTEMPTS = 3
"""A job fails after this many crashes of the worker, because it may be their cause."""

DONE_FOR, FAILED_FOR = timedelta(days=1), timedelta(days=7)
"""How long rows of finished jobs are retained."""

SILENCE = timedelta(seconds=20)
"""Time without a start or a sign of progress after which a job is stuck."""

OPEN = (Job.State.WAITING, Job.State.RUNNING)


class Turn(IntEnum):
    """Priority of jobs: imports, archives that a reader waits for, other jobs."""

    IMPORT = 0
    ASKED = 1
    BEFOREHAND = 2


@dataclass(frozen=True)
class Lane:
    """Jobs that run one at a time, in parallel to other lanes; `pause` is the polling interval in seconds."""

    name: str
    kinds: tuple[Job.Kind, ...]
    pause: float

    @property
    def jobs(self) -> Q:
        return Q(kind__in=self.kinds)


QUICK = Lane("quick", (Job.Kind.PROPOSAL,), pause=0.15)
"""Short jobs that an arbiter waits for. They never wait for an archive (ADR 0031)."""

FILES = Lane("files", (Job.Kind.TRIAL, Job.Kind.IMPORT, Job.Kind.BUNDLE, Job.Kind.RATINGS), pause=0.15)
"""Jobs that read files, which may be hostile. Archives and pairings continue meanwhile (ADR 0031)."""

OTHERS = Lane("others", (Job.Kind.ARCHIVE, Job.Kind.PAIRINGS_CHECK), pause=1.0)

LANES = (QUICK, FILES, OTHERS)

TRIAL_SECONDS = 60
"""Seconds for the preview of a file. The largest permitted files take less than a quarter of this."""


class FullError(Exception):
    """The queue is full."""


# --- queueing ---------------------------------------------------------------------------------------------


def ask(job: Job, most: int | None = None) -> Job:
    """Queue a job, or return the open job with the same key.

    Raise FullError if `most` of its kind are waiting already. Two queries, one if it is already open.
    """
    found = open_job(job.key)
    if found:
        if found.turn > job.turn and found.state == Job.State.WAITING:  # a reader waits for it now
            Job.objects.filter(pk=found.pk, state=Job.State.WAITING).update(turn=job.turn)
        return found
    if most is not None and Job.objects.filter(kind=job.kind, state=Job.State.WAITING).count() >= most:
        raise FullError
    # Concurrent requests: the constraint accepts one row, and both get it.
    Job.objects.bulk_create([job], ignore_conflicts=True)
    return open_job(job.key) or job


def archive_job(event: int, scheme: str, host: str, *, public: bool, turn: Turn = Turn.ASKED) -> Job:
    """Return a new job for an event's archive; `public` is whether it contains public data only."""
    arguments = {"event": event, "scheme": scheme, "host": host, "public": public}
    return Job(kind=Job.Kind.ARCHIVE, key=archive_key(event), arguments=arguments, turn=turn)


def archive_key(event: int) -> str:
    return f"{Job.Kind.ARCHIVE}-{event}"


def open_job(key: str) -> Job | None:
    """Return the waiting or running job with this key; one query."""
    return Job.objects.filter(key=key, state__in=OPEN).first()


def last_job(key: str) -> Job | None:
    """Return the newest job with this key, open or not; one query."""
    return Job.objects.filter(key=key).order_by("-pk").first()


def ahead_of(job: Job) -> int:
    """Return the number of jobs of its lane that run before a waiting job; one query."""
    lane = next(each for each in LANES if job.kind in each.kinds)
    earlier = Q(turn__lt=job.turn) | Q(turn=job.turn, pk__lt=job.pk)
    before = Q(state=Job.State.RUNNING) | Q(earlier, state=Job.State.WAITING)
    return Job.objects.filter(lane.jobs, before).count()


# --- running ----------------------------------------------------------------------------------------------


def is_waiting(lane: Lane) -> bool:
    """Return whether a job of the lane is waiting; one query."""
    return Job.objects.filter(lane.jobs, state=Job.State.WAITING).exists()


def take(lane: Lane = OTHERS) -> Job | None:
    """Mark the next job of a lane as running, and return it; None if the lane is empty."""
    for job in Job.objects.filter(lane.jobs, state=Job.State.WAITING):
        now = timezone.now()
        taken = Job.objects.filter(pk=job.pk, state=Job.State.WAITING).update(
            state=Job.State.RUNNING, attempts=job.attempts + 1, told=now, parts_done=0, parts=0
        )
        if taken:
            job.refresh_from_db()
            return job
    return None


def take_back(lane: Lane = OTHERS) -> list[Job]:
    """Requeue the jobs of a lane that were running when a worker crashed, and return them.

    Only call this while no worker runs jobs of the lane.
    """
    left = list(Job.objects.filter(lane.jobs, state=Job.State.RUNNING))
    for job in left:
        if job.attempts >= MOST_ATTEMPTS:
            end(job, failure=f"The worker ended unexpectedly during this job, {job.attempts} times.")
        else:
            Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(state=Job.State.WAITING)
    return left


def running(lane: Lane) -> Job | None:
    """Return the running job of a lane; one query."""
    return Job.objects.filter(lane.jobs, state=Job.State.RUNNING).first()


def seconds_for(job: Job) -> int:
    """Return the seconds after which the job's process is killed."""
    seconds: int = settings.JOB_SECONDS
    return min(TRIAL_SECONDS, seconds) if job.kind == Job.Kind.TRIAL else seconds


def give_up(job: Job) -> None:
    """Handle a job that was killed because of its time.

    A preview fails. Other jobs are requeued, as after a crash, until the third attempt.
    """
    seconds = seconds_for(job)
    if job.kind == Job.Kind.TRIAL:
        end(job, failure=f"Reading the file took longer than {seconds} s. Cut the file, or save it again.")
    elif job.attempts >= MOST_ATTEMPTS:
        end(job, failure=f"It took longer than {seconds} s, {job.attempts} times.")


def save_progress(job: Job, parts_done: int, parts: int) -> None:
    """Save the progress of a running job, which also proves that it is alive."""
    Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(
        parts_done=parts_done, parts=parts, told=timezone.now()
    )


def end(job: Job, *, result: dict[str, Any] | None = None, failure: str = "") -> None:
    job.state = Job.State.FAILED if failure else Job.State.DONE
    job.result, job.failure, job.ended = result or {}, failure[:300], timezone.now()
    job.save(update_fields=["state", "result", "failure", "ended"])


def ended_long_ago() -> QuerySet[Job]:
    now = timezone.now()
    done = Q(state=Job.State.DONE, ended__lt=now - DONE_FOR)
    failed = Q(state=Job.State.FAILED, ended__lt=now - FAILED_FOR)
    return Job.objects.filter(done | failed)


# --- state of the worker ----------------------------------------------------------------------------------


def lock_file() -> Path:
    """Return the worker's lock file, in a folder that it shares with the web processes."""
    return Path(settings.ARCHIVES) / "worker.lock"


@contextmanager
def only_worker() -> Iterator[bool]:
    """Try to lock the worker's file for the block, and yield whether this succeeded."""
    path = lock_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    lock: BinaryIO
    with path.open("ab") as lock:
        held = locks.lock(lock, locks.LOCK_EX | locks.LOCK_NB)
        try:
            yield held
        finally:
            if held:
                locks.unlock(lock)


def worker_runs() -> bool:
    """Return whether a worker holds the lock; it may be idle."""
    try:
        with lock_file().open("rb") as lock:
            # A shared lock, so that concurrent checks do not take each other for the worker.
            free = locks.lock(lock, locks.LOCK_SH | locks.LOCK_NB)
            if free:
                locks.unlock(lock)
            return not free
    except OSError:
        return False


def is_stuck(job: Job | None) -> bool:
    """Return whether an open job shows no progress and no worker runs that could continue it."""
    if job is None or not job.is_open:
        return False
    # Absolute, because the stored time is in the future if the clock was ahead.
    return abs(timezone.now() - (job.told or job.asked)) > SILENCE and not worker_runs()

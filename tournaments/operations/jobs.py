"""The queue of background jobs, which workers run one at a time per lane and worker (ADR 0031).

Jobs are rows, so that a crash neither loses nor repeats them: they are queued in the transaction that they
belong to, and claimed by a worker on any machine. If it is silent, another worker repeats its job. Times are
those of the database, because the clocks of machines differ.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from tournaments.models import Job, Worker

MOST_ATTEMPTS = 3
"""A job fails after this many crashes of the worker, because it may be their cause."""

DONE_FOR, FAILED_FOR = timedelta(days=1), timedelta(days=7)
"""How long rows of finished jobs are retained."""

SILENCE = timedelta(seconds=20)
"""Time without a heartbeat after which a worker is gone and another one repeats its job."""

HEARTBEAT = 10.0
"""Seconds between two heartbeats of a worker, which may be idle. A running job has one each second."""

DISCONNECT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = ANY(%s) AND usename = current_user AND pid <> pg_backend_pid()
"""

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


QUICK = Lane("quick", (Job.Kind.PROPOSAL,), pause=0.25)
"""Short jobs that an arbiter waits for. They never wait for an archive (ADR 0031)."""

FILES = Lane("files", (Job.Kind.TRIAL, Job.Kind.IMPORT, Job.Kind.BUNDLE, Job.Kind.RATINGS), pause=0.25)
"""Jobs that read files, which may be hostile. Archives and pairings continue meanwhile (ADR 0031)."""

OTHERS = Lane("others", (Job.Kind.ARCHIVE, Job.Kind.PAIRINGS_CHECK), pause=1.0)

LANES = (QUICK, FILES, OTHERS)

TRIAL_SECONDS = 60
"""Seconds for the preview of a file. The largest permitted files take less than a quarter of this."""

logger = logging.getLogger(__name__)


class FullError(Exception):
    """The queue is full."""


class JobLostError(OperationalError):
    """Another worker has taken the job, because this process was silent. It must not store anything."""


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


def _are_silent() -> Q:
    return Q(state=Job.State.RUNNING, told__lt=Now() - SILENCE)


def has_work(lane: Lane) -> bool:
    """Return whether a job of the lane waits, or its worker is silent; one query."""
    return Job.objects.filter(Q(state=Job.State.WAITING) | _are_silent(), lane.jobs).exists()


def take(lane: Lane = OTHERS, owner: str = "") -> Job | None:
    """Claim the next job of a lane for this process of a worker; None if the lane is empty."""
    take_back(_are_silent() & lane.jobs)
    with transaction.atomic():
        # SQLite locks the database instead. Other rows may be locked for long by a worker that hangs.
        rows = Job.objects.select_for_update(skip_locked=True)
        job = rows.filter(lane.jobs, state=Job.State.WAITING).first()
        if job:
            attempts = F("attempts") + 1
            Job.objects.filter(pk=job.pk).update(
                state=Job.State.RUNNING, owner=owner, attempts=attempts, told=Now(), parts_done=0, parts=0
            )
            job.refresh_from_db()
    return job


def take_back(abandoned: Q) -> list[Job]:
    """Requeue running jobs of processes that ended or are silent, and return them."""
    left = list(Job.objects.filter(abandoned, state=Job.State.RUNNING))
    if connection.vendor == "postgresql" and left:
        # A process that hangs in a transaction, or that the network separates, would still lock its rows.
        with connection.cursor() as cursor:
            cursor.execute(DISCONNECT, [[job.owner for job in left if job.owner]])
    for job in left:
        logger.warning("Job %s (%s) was left in the middle.", job.pk, job.kind)
        if job.attempts < MOST_ATTEMPTS:
            _claim(job).filter(state=Job.State.RUNNING).update(state=Job.State.WAITING)
        else:
            with suppress(JobLostError):  # it has just ended
                end(job, failure=f"The worker ended unexpectedly during this job, {job.attempts} times.")
    return left


def running(owner: str) -> Job | None:
    """Return the running job of a process; one query."""
    return Job.objects.filter(owner=owner, state=Job.State.RUNNING).first()


def is_lost(key: int, attempts: int) -> bool:
    """Return whether another worker has requeued or taken a job; one query."""
    return Job.objects.filter(Q(attempts__gt=attempts) | Q(state=Job.State.WAITING), pk=key).exists()


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


def confirm(job: Job, **progress: int) -> None:
    """Save that the job is alive, and its progress. Raise JobLostError if another worker has taken it.

    No other worker can take it before the end of a transaction around this.
    """
    if not _claim(job).exclude(state=Job.State.FAILED).update(told=Now(), **progress):
        raise JobLostError


@contextmanager
def claimed(job: Job) -> Iterator[None]:
    """Run the block in a transaction. Raise JobLostError if another worker has taken the job."""
    with transaction.atomic():
        confirm(job)
        yield


def end(job: Job, *, result: dict[str, Any] | None = None, failure: str = "") -> None:
    """Save the result of a job, or that it failed. Raise JobLostError if another worker has taken it."""
    job.state = Job.State.FAILED if failure else Job.State.DONE
    job.result, job.failure, job.ended = result or {}, failure[:300], timezone.now()
    mine = _claim(job).filter(Q(state=Job.State.RUNNING) if failure else ~Q(state=Job.State.FAILED))
    if not mine.update(state=job.state, result=job.result, failure=job.failure, ended=job.ended):
        raise JobLostError


def _claim(job: Job) -> QuerySet[Job]:
    """Return the row of the job, unless it was taken again: each time raises the number of attempts."""
    return Job.objects.filter(pk=job.pk, attempts=job.attempts)


def ended_long_ago() -> QuerySet[Job]:
    now = timezone.now()
    done = Q(state=Job.State.DONE, ended__lt=now - DONE_FOR)
    failed = Q(state=Job.State.FAILED, ended__lt=now - FAILED_FOR)
    return Job.objects.filter(done | failed)


# --- state of the workers ---------------------------------------------------------------------------------


def beat(worker: str) -> None:
    """Save that a worker runs. One query, three for the first time."""
    if not Worker.objects.filter(pk=worker).update(seen=Now()):
        Worker.objects.filter(seen__lt=Now() - 9 * SILENCE).delete()
        Worker.objects.create(pk=worker, seen=Now())


def worker_runs() -> bool:
    """Return whether a worker runs on any machine, perhaps idle; one query."""
    return Worker.objects.filter(seen__gt=Now() - SILENCE).exists()


def is_stuck(job: Job | None) -> bool:
    """Return whether an open job shows no progress and no worker runs that could continue it."""
    if job is None or not job.is_open:
        return False
    # Absolute, because the stored time is in the future if the clock was ahead.
    return abs(timezone.now() - (job.told or job.asked)) > SILENCE and not worker_runs()

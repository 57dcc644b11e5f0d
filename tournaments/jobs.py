"""The queue of long works: a page asks for one, the worker takes them one at a time (ADR 0031).

A job is a row, so it is neither lost nor done twice where a process dies: it is asked for in the transaction
that it belongs to, and the worker finds again what it had begun. That a worker runs is said by a lock on a
file, which goes with its process.
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
"""A job in which the worker died that often is told as failed: it may be what kills it."""

DONE_FOR, FAILED_FOR = timedelta(days=1), timedelta(days=7)
"""Times for which the rows of ended jobs are kept."""

SILENCE = timedelta(seconds=20)
"""Time after which a job that nobody begins, or that tells nothing, is not going on."""

OPEN = (Job.State.WAITING, Job.State.RUNNING)


class Turn(IntEnum):
    """The order in which jobs are taken: imports, archives that somebody waits for, and the others."""

    IMPORT = 0
    ASKED = 1
    BEFOREHAND = 2


@dataclass(frozen=True)
class Lane:
    """Jobs that are done one at a time, beside those of other lanes; `pause` is that between two looks."""

    name: str
    kinds: tuple[Job.Kind, ...]
    pause: float

    @property
    def jobs(self) -> Q:
        """Return the condition for the jobs of this lane."""
        return Q(kind__in=self.kinds)


QUICK = Lane("quick", (Job.Kind.PROPOSAL,), pause=0.15)
"""What somebody waits for at the board, and what takes seconds: it never waits for an archive (ADR 0031)."""

FILES = Lane("files", (Job.Kind.TRIAL, Job.Kind.IMPORT, Job.Kind.BUNDLE, Job.Kind.RATINGS), pause=0.15)
"""Jobs that read files, which may be hostile: archives and pairings go on while one is read (ADR 0031)."""

OTHERS = Lane("others", (Job.Kind.ARCHIVE, Job.Kind.PAIRINGS_CHECK), pause=1.0)

LANES = (QUICK, FILES, OTHERS)

TRIAL_SECONDS = 60
"""Seconds for the preview of one file. The largest permitted files take less than a quarter of it."""


class FullError(Exception):
    """So many jobs wait that no more are taken."""


# --- asked for --------------------------------------------------------------------------------------------


def ask(job: Job, most: int | None = None) -> Job:
    """Put a job into the queue; the open one of its key where there is one.

    FullError where `most` of its kind wait already. Two queries, one where it is open already.
    """
    found = open_job(job.key)
    if found:
        if found.turn > job.turn and found.state == Job.State.WAITING:  # somebody waits for it now
            Job.objects.filter(pk=found.pk, state=Job.State.WAITING).update(turn=job.turn)
        return found
    if most is not None and Job.objects.filter(kind=job.kind, state=Job.State.WAITING).count() >= most:
        raise FullError
    # Two who ask at once: the constraint lets one row in, and both get that one.
    Job.objects.bulk_create([job], ignore_conflicts=True)
    return open_job(job.key) or job


def archive_job(event: int, scheme: str, host: str, *, public: bool, turn: Turn = Turn.ASKED) -> Job:
    """Return the job that makes the archive of an event for the site at that host; `public` says for whom."""
    arguments = {"event": event, "scheme": scheme, "host": host, "public": public}
    return Job(kind=Job.Kind.ARCHIVE, key=archive_key(event), arguments=arguments, turn=turn)


def archive_key(event: int) -> str:
    """Return the key of the jobs that make an event's archives."""
    return f"{Job.Kind.ARCHIVE}-{event}"


def open_job(key: str) -> Job | None:
    """Return the job of a key that waits or runs; one query."""
    return Job.objects.filter(key=key, state__in=OPEN).first()


def last_job(key: str) -> Job | None:
    """Return the job of a key that was asked for last, open or not; one query."""
    return Job.objects.filter(key=key).order_by("-pk").first()


def ahead_of(job: Job) -> int:
    """Return how many jobs of its lane are done before a waiting one; one query."""
    lane = next(each for each in LANES if job.kind in each.kinds)
    earlier = Q(turn__lt=job.turn) | Q(turn=job.turn, pk__lt=job.pk)
    before = Q(state=Job.State.RUNNING) | Q(earlier, state=Job.State.WAITING)
    return Job.objects.filter(lane.jobs, before).count()


# --- done -------------------------------------------------------------------------------------------------


def is_waiting(lane: Lane) -> bool:
    """Return whether a job of a lane waits; one query."""
    return Job.objects.filter(lane.jobs, state=Job.State.WAITING).exists()


def take(lane: Lane = OTHERS) -> Job | None:
    """Take the job of a lane whose turn it is, if any waits: it runs from now on."""
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
    """Let jobs of a lane wait again in which a worker died, and return them; while none of it is done."""
    left = list(Job.objects.filter(lane.jobs, state=Job.State.RUNNING))
    for job in left:
        if job.attempts >= MOST_ATTEMPTS:
            end(job, failure=f"The worker ended unexpectedly during this job, {job.attempts} times.")
        else:
            Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(state=Job.State.WAITING)
    return left


def running(lane: Lane) -> Job | None:
    """Return the job of a lane that was begun and has not ended; one query."""
    return Job.objects.filter(lane.jobs, state=Job.State.RUNNING).first()


def seconds_for(job: Job) -> int:
    """Return the seconds after which the worker is killed that does this job."""
    seconds: int = settings.JOB_SECONDS
    return min(TRIAL_SECONDS, seconds) if job.kind == Job.Kind.TRIAL else seconds


def give_up(job: Job) -> None:
    """Note that a job was killed because of its time.

    A preview has failed then. Other jobs wait again, as after a crash, until the third time.
    """
    seconds = seconds_for(job)
    if job.kind == Job.Kind.TRIAL:
        end(job, failure=f"Reading the file took longer than {seconds} s. Cut the file, or save it again.")
    elif job.attempts >= MOST_ATTEMPTS:
        end(job, failure=f"It took longer than {seconds} s, {job.attempts} times.")


def tell(job: Job, parts_done: int, parts: int) -> None:
    """Note how far a running job is, and that it is alive."""
    Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(
        parts_done=parts_done, parts=parts, told=timezone.now()
    )


def end(job: Job, *, result: dict[str, Any] | None = None, failure: str = "") -> None:
    """Note that a job is done, or what went wrong."""
    job.state = Job.State.FAILED if failure else Job.State.DONE
    job.result, job.failure, job.ended = result or {}, failure[:300], timezone.now()
    job.save(update_fields=["state", "result", "failure", "ended"])


def ended_long_ago() -> QuerySet[Job]:
    """Return the jobs that ended a while ago, of which nobody asks any more."""
    now = timezone.now()
    done = Q(state=Job.State.DONE, ended__lt=now - DONE_FOR)
    failed = Q(state=Job.State.FAILED, ended__lt=now - FAILED_FOR)
    return Job.objects.filter(done | failed)


# --- whether somebody does them ---------------------------------------------------------------------------


def lock_file() -> Path:
    """Return the file whose lock the worker holds; it and the web processes share its folder."""
    return Path(settings.ARCHIVES) / "worker.lock"


@contextmanager
def only_worker() -> Iterator[bool]:
    """Yield whether this is the only worker, as long as it lasts."""
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
    """Say whether a worker holds the lock; it says nothing of what it does."""
    try:
        with lock_file().open("rb") as lock:
            # Shared: those who look do not take each other for the worker.
            free = locks.lock(lock, locks.LOCK_SH | locks.LOCK_NB)
            if free:
                locks.unlock(lock)
            return not free
    except OSError:
        return False


def is_stuck(job: Job | None) -> bool:
    """Say whether an open job tells nothing for a while and no worker runs that could go on with it."""
    if job is None or not job.is_open:
        return False
    # Absolute: a time in the future was stored while the clock was ahead.
    return abs(timezone.now() - (job.told or job.asked)) > SILENCE and not worker_runs()

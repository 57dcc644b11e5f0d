"""The worker: runs background jobs, one at a time in each lane. There may be several, on any machines."""

import logging
import os
import signal
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from math import inf
from secrets import token_hex
from threading import Event as Flag
from threading import Thread, current_thread, main_thread
from time import monotonic, sleep
from typing import Any, Self

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.db.models import Q
from django.utils.autoreload import run_with_reloader

from config.database.deadlines import within
from standings.archive.store import make_archive
from tournaments.admin.imports.bundles import run_bundle
from tournaments.admin.imports.import_jobs import run_import, run_trial
from tournaments.admin.pairings.proposing import run_proposal
from tournaments.admin.ratinglists import run_list_import
from tournaments.models import Job, Worker
from tournaments.operations import jobs
from tournaments.operations.compatibility import refuse_other_database
from tournaments.operations.processes.confinement import limit_memory, limit_processor, step_back
from tournaments.operations.processes.slots import reading_slot
from tournaments.recording.events.home import Sender
from tournaments.recording.pairings.engine_checks import run_check

logger = logging.getLogger(__name__)

Tell = Callable[[int, int], None]
Work = Callable[[Job, Tell], dict[str, Any]]
"""Runs a job, reports its progress (done, total) and returns the result.

An exception is the job's failure.
"""

WORKS: dict[str, Work] = {
    Job.Kind.ARCHIVE: make_archive,
    Job.Kind.TRIAL: run_trial,
    Job.Kind.IMPORT: run_import,
    Job.Kind.RATINGS: run_list_import,
    Job.Kind.BUNDLE: run_bundle,
    Job.Kind.PROPOSAL: run_proposal,
    Job.Kind.PAIRINGS_CHECK: run_check,
}

STANDARD_INPUT = 0

PAUSE = 1.0
"""Seconds between two checks of the lanes."""

RESTART_PAUSE = 2.0
"""Minimum seconds between two starts of a lane's process."""

FILE_MEGABYTES = 3_000
"""Address space of the process that reads files. The largest permitted import takes less than half of it."""

TOO_MUCH_MEMORY = "It needed more memory than it may have."
"""Failure of a job that reached the memory limit."""

PATIENCE = 30.0
"""Deadline in seconds of the worker's own queries."""

LONGEST_PAUSE = 30.0
"""Maximum seconds between two attempts while the database is down."""


class Pulse:
    """Saves every second that a job is alive, and its progress.

    It has its own thread and so its own connection, because the job may be inside a transaction.
    """

    INTERVAL = 1.0

    def __init__(self, job: Job) -> None:
        self.job = job
        self._parts = (0, 0)
        self._is_lost = False
        self._ended = Flag()
        self._thread = Thread(target=self._run, name="pulse", daemon=True)

    def tell(self, done: int, parts: int) -> None:
        """Set the progress, which the next heartbeat saves. Raise JobLostError if the last one could not."""
        if self._is_lost:
            raise jobs.JobLostError
        self._parts = (done, parts)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._ended.wait(self.INTERVAL):
                try:
                    with within(PATIENCE):
                        jobs.confirm(self.job, parts_done=self._parts[0], parts=self._parts[1])
                except jobs.JobLostError:
                    self._is_lost = True
                    return
                # the job gets the same error, or has the database locked
                except (DatabaseError, InterfaceError):
                    connection.close()
        finally:
            connection.close()


class LaneProcess:
    """The process that runs the jobs of a lane. It is killed if a job takes too long, and restarted."""

    def __init__(self, lane: jobs.Lane) -> None:
        self.lane = lane
        self.restart()

    def restart(self) -> None:
        self.owner = f"crosstable-{self.lane.name}-{token_hex(8)}"
        self._process, self._started = self._start(), monotonic()
        self._attempt: tuple[int, int] | None = None  # key and number of attempts of the running job
        self._deadline = inf

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def watch(self) -> None:
        """Restart the process if it ended; kill it if its job has exceeded its time.

        Raise DatabaseError if the database does not respond. The deadline of the last known job then remains.
        """
        if not self.is_alive():
            if monotonic() > self._started + RESTART_PAUSE:
                logger.warning("The process of the lane %s ended; it is started again.", self.lane.name)
                self._close()
                with within(PATIENCE):
                    jobs.take_back(Q(owner=self.owner))
                self.restart()
            return
        if monotonic() > self._deadline:
            self.kill()
        with within(PATIENCE):
            job = jobs.running(self.owner)
            attempt = (job.pk, job.attempts) if job else None
            if job is None and self._attempt and jobs.is_lost(*self._attempt):
                logger.error("Job %s was silent and is taken by another worker.", self._attempt[0])
                self.kill()
            if job is None or attempt != self._attempt:
                self._deadline = monotonic() + jobs.seconds_for(job) if job else inf
                self._attempt = attempt
            elif monotonic() > self._deadline:
                logger.error("Job %s took longer than %s s and was killed.", job.pk, jobs.seconds_for(job))
                jobs.give_up(job)
                self._attempt, self._deadline = None, inf

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._close()

    def _close(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "django", "work", "--lane", self.lane.name, "--owner", self.owner]
        # By this name of its connections another worker can close them.
        variables = os.environ | {"PGAPPNAME": self.owner}
        return subprocess.Popen(  # noqa: S603 - our own command
            command, stdin=subprocess.PIPE, process_group=0, cwd=settings.BASE_DIR, env=variables
        )


class Command(BaseCommand):
    help = "Makes archives, long imports and pairings. At least one runs at all times, on any machine."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--until-empty", action="store_true", help="end when no job waits")
        parser.add_argument("--reload", action="store_true", help="start again when the code changes")
        parser.add_argument(
            "--lane", choices=[each.name for each in jobs.LANES], help="do the jobs of one lane, as a child"
        )
        parser.add_argument("--owner", default="", help="the name of this child")
        parser.add_argument(
            "--until-closed", action="store_true", help="end with the process that holds standard input"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        refuse_other_database()
        if options["until_empty"]:
            work_off()
            return
        if options["until_closed"] or options["lane"]:
            # Ctrl-C is sent to all processes of a terminal. The parent, which holds the pipe, stops this
            # process.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            ending = signal.SIGKILL if options["lane"] else signal.SIGTERM
            Thread(target=_end_with_input, args=[ending], name="input", daemon=True).start()
        if options["lane"]:
            (lane,) = (each for each in jobs.LANES if each.name == options["lane"])
            _work_lane(lane, options["owner"])
        elif options["reload"]:
            run_with_reloader(work_for_ever)
        else:
            work_for_ever()


def work_off() -> int:
    """Run all waiting jobs, lane by lane, and return their number."""
    done = 0
    for lane in jobs.LANES:
        while _do_next(lane):
            done += 1
    return done


def work_for_ever() -> None:
    """Run jobs in a process per lane."""
    if current_thread() is main_thread():
        # Immediately, even during a job, which is repeated as after a crash.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    name, beat_at = f"crosstable-{token_hex(8)}", 0.0
    lanes = [LaneProcess(each) for each in jobs.LANES]
    Thread(target=Sender(settings.HOME).run, name="sender", daemon=True).start()
    logger.info("The worker is ready.")
    try:
        while True:
            if monotonic() >= beat_at:
                with _without_database(), within(PATIENCE):
                    jobs.beat(name)
                    beat_at = monotonic() + jobs.HEARTBEAT
            for each in lanes:
                with _without_database():
                    each.watch()
            sleep(PAUSE)
    finally:
        for each in lanes:
            each.kill()
        connection.close()  # a signal may have interrupted a query
        with _without_database(), within(PATIENCE):
            Worker.objects.filter(pk=name).delete()
            jobs.take_back(Q(owner__in=[each.owner for each in lanes]))


@contextmanager
def _without_database() -> Iterator[None]:
    """Continue after the block if the database does not respond."""
    try:
        close_old_connections()
        yield
    except (DatabaseError, InterfaceError):
        connection.close()


def _work_lane(lane: jobs.Lane, owner: str) -> None:
    if lane is jobs.FILES:
        step_back()
        limit_memory(FILE_MEGABYTES)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    pause, sure = lane.pause, True
    while True:
        try:
            close_old_connections()
            if not sure:
                with within(PATIENCE):
                    jobs.take_back(Q(owner=owner))
            sure = True
            is_done = _do_next(lane, owner, limit_processor)
            pause = lane.pause
        except (DatabaseError, InterfaceError) as away:
            # The job that the outage interrupted is still marked as running.
            sure, pause = False, min(2 * pause, LONGEST_PAUSE)
            logger.warning(
                "The database did not answer (%s); next try in %.0f s.", type(away).__name__, pause
            )
            connection.close()
            is_done = False
        if not is_done:
            sleep(pause)


def _do_next(lane: jobs.Lane, owner: str = "", limit: Callable[[int], None] = lambda _seconds: None) -> bool:
    """Run the next job of a lane and return whether there was one.

    A job that reads files first waits for a slot of the machine. Its time starts afterwards.
    """
    with within(PATIENCE):
        if not jobs.has_work(lane):
            return False
    with reading_slot() if lane is jobs.FILES else nullcontext():
        with within(PATIENCE):
            job = jobs.take(lane, owner)
        if job:
            # The parent kills earlier. This is for a hanging process whose parent was killed.
            limit(2 * jobs.seconds_for(job))
            do(job)
    return job is not None


def do(job: Job) -> None:
    """Run a job and save its result or failure. Raise DatabaseError if the database is down."""
    began = monotonic()
    try:
        with within(jobs.seconds_for(job)), Pulse(job) as pulse:
            try:
                result = WORKS[job.kind](job, pulse.tell)
            except (DatabaseError, InterfaceError):
                raise
            except Exception as failure:
                logger.exception("Job %s (%s) failed.", job.pk, job.kind)
                is_memory = isinstance(failure, MemoryError)
                jobs.end(job, failure=TOO_MUCH_MEMORY if is_memory else type(failure).__name__)
                return
        jobs.end(job, result=result)
    except jobs.JobLostError:
        logger.warning("Job %s (%s) was taken by another worker.", job.pk, job.kind)
        return
    logger.info("Job %s (%s) took %.1f s.", job.pk, job.kind, monotonic() - began)


def _end_with_input(by: signal.Signals) -> None:
    # Not sys.stdin, whose lock, if held here, would break the interpreter's exit at a reload.
    while os.read(STANDARD_INPUT, 1):
        pass
    os.kill(os.getpid(), by)

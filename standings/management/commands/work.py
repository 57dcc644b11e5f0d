"""Do the long works that pages ask for: one at a time in each lane."""

import logging
import os
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from threading import Event as Flag
from threading import Thread, current_thread, main_thread
from time import monotonic, sleep
from typing import Any, Self

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils.autoreload import run_with_reloader

from config.database.deadlines import within
from standings.archive.store import make_archive
from tournaments import jobs
from tournaments.admin.imports.bundles import run_bundle
from tournaments.admin.imports.long import run_import, run_trial
from tournaments.admin.pairings.proposing import run_proposal
from tournaments.admin.ratinglists.lists import run_list_import
from tournaments.models import Job
from tournaments.recording.pairingschecks import run_check

logger = logging.getLogger(__name__)

Tell = Callable[[int, int], None]
Work = Callable[[Job, Tell], dict[str, Any]]
"""Does a job, tells how many of how many parts are done, returns the result; an exception is its failure."""

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
"""Seconds between two looks whether another worker runs."""

PATIENCE = 30.0
"""Seconds in which the database answers what the worker asks beside its jobs."""

LONGEST_PAUSE = 30.0
"""Seconds between two looks where the database is away."""


class Pulse:
    """Tells every second that a job is alive and how far it is; ends the process where it takes too long.

    On a thread, and so on a connection, of its own: what the job reads may be inside a transaction.
    """

    INTERVAL = 1.0

    def __init__(self, job: Job) -> None:
        self.job = job
        self._parts = (0, 0)
        self._ended = Flag()
        self._deadline = monotonic() + settings.JOB_SECONDS
        self._thread = Thread(target=self._run, name="pulse", daemon=True)

    def tell(self, done: int, parts: int) -> None:
        """Note how far the job is; what is noted last is written next."""
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
                        jobs.tell(self.job, *self._parts)
                    if monotonic() > self._deadline:
                        self._give_up()
                except (DatabaseError, InterfaceError):  # the job itself will meet it, or has it open
                    connection.close()
        finally:
            connection.close()

    def _give_up(self) -> None:
        """End the process: a thread that hangs can be ended by nobody."""
        logger.error("Job %s took longer than %s s; the worker ends.", self.job.pk, settings.JOB_SECONDS)
        jobs.end(self.job, failure=f"It took longer than {settings.JOB_SECONDS} s.")
        os._exit(1)


class Command(BaseCommand):
    """Run the worker: archives and long imports, until it is told to end."""

    help = "Makes archives and runs long imports, one at a time. One runs beside the site at all times."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the two ways of running other than for ever."""
        parser.add_argument("--until-empty", action="store_true", help="end when no job waits")
        parser.add_argument("--reload", action="store_true", help="start again when the code changes")
        parser.add_argument(
            "--until-closed", action="store_true", help="end with the process that holds standard input"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Work."""
        if options["until_empty"]:
            with jobs.only_worker() as alone:
                if alone:
                    work_off()
            return
        if options["until_closed"]:
            # Ctrl-C reaches all of a terminal; who holds the input decides when this one ends.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            Thread(target=_end_with_input, name="input", daemon=True).start()
        if options["reload"]:
            run_with_reloader(work_for_ever)
        else:
            work_for_ever()


def work_off() -> int:
    """Do every job that waits, lane by lane; their number."""
    done = 0
    for lane in jobs.LANES:
        jobs.take_back(lane)
        while job := jobs.take(lane):
            do(job)
            done += 1
    return done


def work_for_ever() -> None:
    """Wait until no other worker runs, and do jobs as they come."""
    if current_thread() is main_thread():
        # At once, in the middle of a job too: it is done again, as after a crash.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    waited = False
    while True:
        with jobs.only_worker() as alone:
            if alone:
                logger.info("The worker is ready.")
                Thread(target=_beside, args=(jobs.QUICK,), name=jobs.QUICK.name, daemon=True).start()
                _work_while_alone(jobs.OTHERS)
        if not waited:
            logger.warning("Another worker runs; this one waits until it ends.")
            waited = True
        sleep(PAUSE)


def _beside(lane: jobs.Lane) -> None:
    """Work a lane on a thread; what ends it ends the process, as it does where the lane has the process."""
    try:
        _work_while_alone(lane)
    except BaseException:
        logger.exception("The %s lane broke off; the worker ends.", lane.name)
        os._exit(1)


def _work_while_alone(lane: jobs.Lane) -> None:
    pause, sure = lane.pause, False
    while True:
        try:
            close_old_connections()
            if not sure:
                with within(PATIENCE):
                    left = jobs.take_back(lane)
                for job in left:
                    logger.warning("Job %s (%s) was left in the middle.", job.pk, job.kind)
            sure = True
            with within(PATIENCE):
                taken = jobs.take(lane)
            if taken:
                do(taken)
            pause = lane.pause
        except (DatabaseError, InterfaceError) as away:
            # What runs in the database's eyes is none of ours any more once it is back.
            sure, pause = False, min(2 * pause, LONGEST_PAUSE)
            logger.warning(
                "The database did not answer (%s); next try in %.0f s.", type(away).__name__, pause
            )
            connection.close()
            taken = None
        if taken is None:
            sleep(pause)


def do(job: Job) -> None:
    """Do a job that was taken, and note how it ended; DatabaseError where the database went away."""
    began = monotonic()
    with within(settings.JOB_SECONDS), Pulse(job) as pulse:
        try:
            result = WORKS[job.kind](job, pulse.tell)
        except (DatabaseError, InterfaceError):
            raise
        except Exception as failure:
            logger.exception("Job %s (%s) failed.", job.pk, job.kind)
            jobs.end(job, failure=type(failure).__name__)
            return
    jobs.end(job, result=result)
    logger.info("Job %s (%s) took %.1f s.", job.pk, job.kind, monotonic() - began)


def _end_with_input() -> None:
    # Not by sys.stdin: its lock, held here, would be fatal to the end of the interpreter at a reload.
    while os.read(STANDARD_INPUT, 1):
        pass
    os._exit(0)

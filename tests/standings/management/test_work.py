"""The worker: order of jobs, recovery after crashes, and deletion of finished jobs."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from io import StringIO
from time import sleep
from typing import Any
from unittest.mock import MagicMock, patch

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from pytest_django import Settings

from standings.management.commands import work
from standings.management.commands.work import LaneProcess, Pulse, do, work_off
from tests.cast import create_player_event
from tournaments.models import Event, Job, Worker
from tournaments.operations import jobs

pytestmark = pytest.mark.django_db(transaction=True)


def job_named(key: str = "archive-1", **fields: Any) -> Job:
    return Job.objects.create(kind=Job.Kind.ARCHIVE, key=key, **fields)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the jobs that were run; running them has no other effect."""
    keys: list[str] = []

    def note(job: Job, tell: Callable[[int, int], None]) -> dict[str, Any]:
        keys.append(job.key)
        return {"done": True}

    monkeypatch.setitem(work.WORKS, Job.Kind.ARCHIVE, note)
    return keys


def test_jobs_run_in_order_of_priority_and_age(done: list[str]) -> None:
    job_named("later", turn=2)
    job_named("first", turn=1)
    job_named("second", turn=1)
    call_command("work", until_empty=True)
    assert done == ["first", "second", "later"]
    assert set(Job.objects.values_list("state", "attempts")) == {(Job.State.DONE, 1)}
    assert Job.objects.filter(result={"done": True}, ended__isnull=False).count() == 3


def test_pairing_does_not_wait_for_an_archive(done: list[str]) -> None:
    job_named()
    archive = jobs.take()
    proposal = Job.objects.create(kind=Job.Kind.PROPOSAL, key="proposal-1")
    assert (jobs.ahead_of(proposal), jobs.take()) == (0, None)
    assert jobs.take(jobs.QUICK) == proposal
    assert jobs.take_back(jobs.QUICK.jobs) == [proposal]
    assert Job.objects.get(state=Job.State.RUNNING) == archive


def test_job_that_reads_files_waits_for_a_slot(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    states = []

    @contextmanager
    def slot() -> Iterator[None]:
        states.append(Job.objects.get(key="import-1").state)
        yield

    monkeypatch.setattr(work, "reading_slot", slot)
    monkeypatch.setitem(work.WORKS, Job.Kind.IMPORT, work.WORKS[Job.Kind.ARCHIVE])
    Job.objects.create(kind=Job.Kind.IMPORT, key="import-1")
    job_named()
    assert work_off() == 2
    assert states == [Job.State.WAITING]


def test_a_key_has_one_open_job(done: list[str]) -> None:
    first = jobs.ask(Job(kind=Job.Kind.ARCHIVE, key="archive-1"))
    assert jobs.ask(Job(kind=Job.Kind.ARCHIVE, key="archive-1")) == first
    with pytest.raises(IntegrityError):
        job_named("archive-1")
    work_off()
    assert jobs.ask(Job(kind=Job.Kind.ARCHIVE, key="archive-1")) != first


def test_full_queue_refuses_jobs(done: list[str]) -> None:
    jobs.ask(Job(kind=Job.Kind.ARCHIVE, key="archive-1"), most=1)
    with pytest.raises(jobs.FullError):
        jobs.ask(Job(kind=Job.Kind.ARCHIVE, key="archive-2"), most=1)
    assert jobs.ask(Job(kind=Job.Kind.IMPORT, key="import-1"), most=1).pk


def test_other_processes_see_that_a_worker_runs() -> None:
    assert not jobs.worker_runs()
    for name in ("first", "second", "first"):
        jobs.beat(name)
    assert jobs.worker_runs()
    assert Worker.objects.count() == 2
    Worker.objects.update(seen=Now() - jobs.SILENCE)
    assert not jobs.worker_runs()
    jobs.beat("second")
    assert jobs.worker_runs()


def silent(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(told=Now() - jobs.SILENCE - timedelta(seconds=1))


def test_job_of_a_silent_worker_is_taken_by_another(done: list[str]) -> None:
    job = job_named()
    first = jobs.take(jobs.OTHERS, "first")
    assert first
    assert work_off() == 0, "the first worker has just taken it"
    silent(job)
    second = jobs.take(jobs.OTHERS, "second")
    assert second
    assert (second.pk, second.owner, second.attempts) == (job.pk, "second", 2)
    for continues in (jobs.confirm, jobs.end):
        with pytest.raises(jobs.JobLostError):
            continues(first)
    with pytest.raises(jobs.JobLostError):
        jobs.end(first, failure="KeyError")
    jobs.confirm(second, parts_done=1, parts=2)
    job.refresh_from_db()
    assert (job.state, job.parts_done) == (Job.State.RUNNING, 1)


def test_worker_that_lost_its_job_does_not_store_it(done: list[str]) -> None:
    """An import is slow, another worker takes it over and imports, and then the first one continues."""
    imported = create_player_event()
    name = imported.name

    def import_(job: Job, tell: Callable[[int, int], None]) -> dict[str, Any]:
        with transaction.atomic():
            Event.objects.filter(pk=imported.pk).update(name=job.owner)
            if job.owner == "first" and connection.vendor == "sqlite":
                Job.objects.filter(pk=job.pk).update(attempts=2, owner="second")
            elif job.owner == "first":
                with ThreadPoolExecutor(1) as other:
                    other.submit(take_over, job).result()
            jobs.end(job, result={"by": job.owner})
        return {"by": job.owner}

    def take_over(job: Job) -> None:
        silent(job)
        assert jobs.take(jobs.FILES, "second")
        connection.close()

    Job.objects.create(kind=Job.Kind.IMPORT, key="import-1")
    first = jobs.take(jobs.FILES, "first")
    assert first
    with patch.dict(work.WORKS, {Job.Kind.IMPORT: import_}):
        do(first)
    imported.refresh_from_db()
    assert (imported.name, Job.objects.get().result) == (name, {})


def test_process_that_lost_its_job_is_killed(hanging: LaneProcess) -> None:
    job = Job.objects.create(kind=Job.Kind.IMPORT, key="import-1")
    jobs.take(jobs.FILES, hanging.owner)
    hanging.watch()
    silent(job)
    with patch.object(jobs, "seconds_for", return_value=3600):
        assert jobs.take(jobs.FILES, "another")
        hanging.watch()
    assert not hanging.is_alive()
    job.refresh_from_db()
    assert (job.owner, job.state) == ("another", Job.State.RUNNING)


def test_lost_job_ends_at_its_next_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pulse, "INTERVAL", 0.01)
    job = job_named(attempts=2)
    job.attempts = 1
    with Pulse(job) as pulse:
        pulse._thread.join(60)
        with pytest.raises(jobs.JobLostError):
            pulse.tell(1, 2)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has a lock for all rows")
def test_transaction_that_hangs_is_ended(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker is frozen between the end of its job and the commit, so the row of the job is locked."""
    job = job_named()
    assert jobs.take(jobs.OTHERS, "frozen")
    silent(job)
    monkeypatch.setenv("PGAPPNAME", "frozen")  # as LaneProcess names its process
    hung = connection.copy()
    with hung.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE tournaments_job SET state = 'done' WHERE id = %s", [job.pk])
        assert work_off() == 1
        with pytest.raises(DatabaseError):
            cursor.execute("COMMIT")
    hung.close()
    assert done == [job.key]


def test_job_fails_after_its_third_crash_of_the_worker(done: list[str]) -> None:
    job = job_named()
    for attempt in range(1, jobs.MOST_ATTEMPTS + 1):
        taken = jobs.take()  # then the worker is killed
        assert taken
        assert taken.attempts == attempt
        assert jobs.take_back(Q()) == [job]
    job.refresh_from_db()
    assert (job.state, job.failure) == (
        Job.State.FAILED,
        "The worker ended unexpectedly during this job, 3 times.",
    )
    job_named("archive-2")
    jobs.take()
    jobs.take_back(Q())
    work_off()
    assert done == ["archive-2"]


def test_job_is_requeued_after_a_database_outage(done: list[str]) -> None:
    job = job_named()
    with patch.dict(work.WORKS, {Job.Kind.ARCHIVE: _breaks_off}), pytest.raises(DatabaseError):
        work_off()
    job.refresh_from_db()
    assert job.state == Job.State.RUNNING
    jobs.take_back(Q())
    assert work_off() == 1
    assert done == [job.key]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server")
def test_restart_of_the_database_costs_an_idle_worker_no_job(done: list[str]) -> None:
    jobs.has_work(jobs.OTHERS)
    job = job_named()
    with closing(connection.copy()) as another, another.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
    with (
        patch.object(work, "sleep", side_effect=[None, KeyboardInterrupt]),
        patch("signal.signal"),
        pytest.raises(KeyboardInterrupt),
    ):
        work._work_lane(jobs.OTHERS, "owner")
    job.refresh_from_db()
    assert (job.state, job.attempts, done) == (Job.State.DONE, 1, [job.key])


def _breaks_off(job: Job, tell: Callable[[int, int], None]) -> dict[str, Any]:
    raise DatabaseError("gone")


def test_progress_of_a_job_is_saved(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pulse, "INTERVAL", 0.01)
    job_named()
    job = jobs.take()
    assert job

    def wait_until_told(job: Job, tell: Callable[[int, int], None]) -> dict[str, Any]:
        tell(3, 7)
        for _ in range(3000):  # a minute at most
            sleep(0.02)
            job.refresh_from_db()
            if job.parts_done:
                break
        return {"seen": [job.parts_done, job.parts]}

    with patch.dict(work.WORKS, {Job.Kind.ARCHIVE: wait_until_told}):
        do(job)
    assert Job.objects.get().result == {"seen": [3, 7]}


class HangingLane(LaneProcess):
    """A lane with a process that blocks the GIL and never ends."""

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-c", "while True: pass"]
        return subprocess.Popen(command, stdin=subprocess.PIPE, process_group=0)


@pytest.fixture
def hanging(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[LaneProcess]:
    settings.JOB_SECONDS = 0
    monkeypatch.setattr(work, "RESTART_PAUSE", 0.0)
    lane = HangingLane(jobs.FILES)
    yield lane
    lane.kill()


def test_hanging_job_is_killed_and_fails_after_the_third_attempt(hanging: LaneProcess) -> None:
    job = Job.objects.create(kind=Job.Kind.IMPORT, key="import-1")
    for _ in range(jobs.MOST_ATTEMPTS):
        assert jobs.take(jobs.FILES, hanging.owner) == job
        hanging.watch()
        assert hanging.is_alive()
        hanging.watch()
        assert not hanging.is_alive()
        hanging.watch()
        assert hanging.is_alive()
    job.refresh_from_db()
    assert (job.state, job.failure) == (Job.State.FAILED, "It took longer than 0 s, 3 times.")


def test_hanging_preview_fails_at_once(hanging: LaneProcess) -> None:
    job = Job.objects.create(kind=Job.Kind.TRIAL, key="import-1")
    jobs.take(jobs.FILES, hanging.owner)
    hanging.watch()
    hanging.watch()
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "Cut the file" in job.failure


def test_other_lanes_continue_while_a_job_hangs(hanging: LaneProcess) -> None:
    Job.objects.create(kind=Job.Kind.IMPORT, key="import-1")
    archive = job_named()
    jobs.take(jobs.FILES, hanging.owner)
    assert jobs.take(jobs.OTHERS) == archive
    hanging.watch()
    hanging.watch()
    archive.refresh_from_db()
    assert (archive.state, archive.attempts) == (Job.State.RUNNING, 1)


def test_lane_that_reads_files_has_less_memory_and_a_lower_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = []
    monkeypatch.setattr(work, "_do_next", MagicMock(side_effect=SystemExit))
    monkeypatch.setattr(work, "signal", MagicMock())
    monkeypatch.setattr(work, "step_back", lambda: limits.append("priority"))
    monkeypatch.setattr(work, "limit_memory", lambda _megabytes: limits.append("memory"))
    for lane in jobs.LANES:
        limits.append(lane.name)
        with pytest.raises(SystemExit):
            work._work_lane(lane, "")
    assert limits == ["quick", "files", "priority", "memory", "others"]


def test_every_kind_of_job_has_one_lane() -> None:
    kinds = [kind for lane in jobs.LANES for kind in lane.kinds]
    assert sorted(kinds) == sorted(Job.Kind)


def test_rows_of_finished_jobs_are_deleted() -> None:
    now = timezone.now()
    for key, state, ago in (
        ("done", Job.State.DONE, jobs.DONE_FOR),
        ("failed", Job.State.FAILED, jobs.FAILED_FOR),
        ("done-lately", Job.State.DONE, timedelta()),
        ("failed-lately", Job.State.FAILED, jobs.DONE_FOR),
    ):
        job_named(key, state=state, ended=now - ago - timedelta(seconds=1))
    job_named("open", asked=now - timedelta(days=9))
    call_command("housekeeping", stdout=StringIO())
    assert set(Job.objects.values_list("key", flat=True)) == {"done-lately", "failed-lately", "open"}

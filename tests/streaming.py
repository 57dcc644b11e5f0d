"""A streaming replica of the tests' PostgreSQL server."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tools import withpg

DEADLINE = 60.0
"""Seconds after which a replica hangs."""


class Replica:
    """A replica that can be paused, stopped, frozen and promoted."""

    def __init__(self, primary: str, folder: Path) -> None:
        """`primary` is the folder of its socket."""
        self.folder = folder
        self._primary = primary
        self._slot = f"replica_{os.getpid()}"  # without it the primary deletes WAL that the replica needs
        self._account = withpg.server_account()
        self._programs = withpg.find_programs()
        if self._account:
            os.chown(folder, self._account["user"], self._account["group"])
        subprocess.run(
            [
                *(self._programs / "pg_basebackup", "--pgdata", folder / "data", "--host", primary),
                *("--username=test", "--write-recovery-conf", "--checkpoint=fast", "--no-sync"),
                *("--create-slot", "--slot", self._slot),
            ],
            env=withpg.server_environment(folder),
            cwd=folder,
            **self._account,
            check=True,
        )
        self.start()

    def start(self) -> None:
        self._process = withpg.start(self._programs, self.folder, self._account)
        withpg.wait_until_ready(self._process, self.folder)
        self.folder.chmod(0o711)

    def stop(self) -> None:
        withpg.stop(self._process)

    def remove(self) -> None:
        self.stop()
        with psycopg.connect(host=self._primary, user="test", dbname="postgres") as primary:
            primary.execute("SELECT pg_drop_replication_slot(%s)", [self._slot])

    @contextmanager
    def stopped(self) -> Iterator[None]:
        self.stop()
        try:
            yield
        finally:
            self.start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all processes of the server, so that it accepts connections and does not answer."""
        server = self._process.pid
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        processes = [server, *map(int, children)]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Replay no changes, as a replica that lags."""
        self.catch_up()
        self.query("SELECT pg_wal_replay_pause()")
        self._wait_for("SELECT pg_get_wal_replay_pause_state() = 'paused'")
        try:
            yield
        finally:
            self.query("SELECT pg_wal_replay_resume()")

    def catch_up(self) -> None:
        """Wait until everything committed until now is replayed."""
        with psycopg.connect(host=self._primary, user="test", dbname="postgres") as primary:
            [written] = primary.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone() or ()
        self._wait_for(f"SELECT pg_last_wal_replay_lsn() >= '{written}'")

    def query(self, query: str) -> bool:
        with psycopg.connect(host=str(self.folder), user="test", dbname="postgres") as replica:
            [found] = replica.execute(query.encode()).fetchone() or ()
            return bool(found)

    def _wait_for(self, query: str) -> None:
        end = time.monotonic() + DEADLINE
        while not self.query(query):
            assert time.monotonic() < end, query
            time.sleep(0.01)


@contextmanager
def streaming_replica(primary: str) -> Iterator[Replica]:
    """Run a replica of the server with its socket in that folder. Skip if its programs are missing."""
    if not (withpg.find_programs() / "pg_basebackup").exists():
        pytest.skip("PostgreSQL comes without pg_basebackup here")
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        replica = Replica(primary, Path(folder))
        try:
            yield replica
        finally:
            replica.remove()

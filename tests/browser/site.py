"""A site in a separate process with the test's database: it can block responses, be killed and restart."""

import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection

ROOT = Path(__file__).parents[2]


class Site:
    """A site process; `url` responds while it runs."""

    def __init__(self, database: str) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = os.environ | {
            "DATABASE_URL": database,
            "DJANGO_SETTINGS_MODULE": "tests.browser.holding",
            "PYTHONUNBUFFERED": "1",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *, hold: bool) -> None:
        """Start it and wait until it listens. `hold`: it does not respond to a POST."""
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{self.port}"],
            cwd=ROOT,
            env=self.environment | {"HOLD": str(int(hold))},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout
        assert any(b"Starting development server" in line for line in self.process.stdout)

    def kill(self) -> None:
        """Kill the process immediately."""
        if self.process:
            self.process.kill()
            self.process.communicate()


@contextmanager
def shared_database(folder: Path) -> Iterator[str]:
    """Yield the URL of the test's database for another process; SQLite's in-memory database is a file until
    then.
    """
    if connection.vendor == "postgresql":
        parts = urlsplit(os.environ["DATABASE_URL"])
        yield parts._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
        return
    connection.ensure_connection()
    memory, name, path = connection.connection, connection.settings_dict["NAME"], folder / "site.sqlite3"
    with closing(sqlite3.connect(path)) as file:
        memory.backup(file)
    connection.settings_dict["NAME"], connection.connection = str(path), None
    yield f"sqlite:///{path}"
    connection.close()
    connection.settings_dict["NAME"], connection.connection = name, memory

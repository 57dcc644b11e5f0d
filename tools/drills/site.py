"""A production-like site in a temporary folder."""

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any, Self

from tools.drills.servers import ROOT, Nginx, Postgres, Process, Service, Unit, wait_for_socket

HOST = "crosstable.example"
SECONDS_TO_MANAGE = 300
KEPT = ("PATH", "LANG", "LC_ALL", "HOME", "PG_BINDIR", "PYTHONPATH", "TMPDIR")
"""Environment variables of the caller that are passed on; none is a setting of the site."""


class Prepared:
    """Migrated and filled databases, and static files, from which every drill starts with a copy.

    Processes that run drills in parallel share the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.static = folder / "static"

    def of(self, database: str) -> dict[str, Any]:
        path = self.folder / f"{database}.json"
        with (self.folder / "lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not path.exists():
                path.write_text(self._made(database))
        return dict(json.loads(path.read_text()))

    def secret(self) -> str:
        """Return the SECRET_KEY of all sites of this run, which signs the stored sessions."""
        path = self.folder / "secret"
        if not path.exists():
            path.write_text(secrets.token_urlsafe(64))
        return path.read_text()

    def copy(self, database: str, folder: Path) -> None:
        source = self.folder / database
        if database == "sqlite":
            shutil.copy(source / "db.sqlite3", folder)
        else:
            shutil.copytree(source / "data", folder / "data")
            user = Postgres(folder).account.get("user")
            if user is not None:  # the folder must belong to the account of the server
                for path in (folder / "data", *(folder / "data").rglob("*")):
                    os.chown(path, user, -1)

    def _made(self, database: str) -> str:
        folder = self.folder / database
        folder.mkdir(parents=True)
        with ExitStack() as stack:
            if database == "postgresql":
                # The path of a socket has at most 107 bytes, so the database is filled in a short folder.
                short = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp")))
                server = Postgres(short)
                server.make()
                server.start()
                stack.callback(shutil.copytree, short / "data", folder / "data")
                stack.callback(server.stop)  # before the copy
                url = server.url
            else:
                url = f"sqlite:///{folder / 'db.sqlite3'}"
            environment = environment_of(url, self.static, self.secret())
            manage(environment, "migrate", "--verbosity=0")
            manage(environment, "collectstatic", "--no-input", "--verbosity=0")
            return run(environment, "-m", "tools.drills.record", "fill")


@dataclass(frozen=True)
class Surroundings:
    """The environment of a site: nginx or not, and additional variables of its unit.

    In their values {folder} is replaced with the folder of the drill.
    """

    nginx: bool
    environment: dict[str, str]


class Site:
    """The site of a drill, which runs within the context.

    `url`: the application's socket, or nginx. `short`: run the drill's short form, which takes seconds.
    """

    def __init__(self, prepared: Prepared, database: str, around: Surroundings, *, short: bool) -> None:
        self.prepared, self.database, self.around, self.short = prepared, database, around, short
        self.told = prepared.of(database)

    def __enter__(self) -> Self:
        # Short, because the path of a socket has at most 107 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="drill-", dir="/tmp"))
        self.folder.chmod(0o711)
        self.unit = Unit("crosstable", self.folder)
        self.socket = self.folder / "run" / "http.sock"
        self.postgres = self._postgres()
        self.environment = self._environment()
        self.service = Service(self.unit, self.folder / "site.log", self.environment)
        server = f"unix:{self.socket}"
        self.nginx = Nginx(self.folder / "nginx", self.prepared.static, server) if self.around.nginx else None
        try:
            if self.postgres:
                self.postgres.start()
            self.start()
            if self.nginx:
                self.nginx.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self.nginx:
            self.nginx.stop()
        if self.service.runs:
            self.stop()
        if self.postgres:
            self.postgres.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        self.service.start()
        wait_for_socket(self.socket)

    def stop(self) -> None:
        self.service.stop()

    @property
    def application(self) -> Process:
        """The process of the last start."""
        return self.service.process

    def seconds(self, long: float, short: float) -> float:
        return short if self.short else long

    @property
    def log(self) -> str:
        return (self.folder / "site.log").read_text(errors="replace")

    def manage(self, *command: str) -> str:
        return manage(self.environment, *command)

    def stored(self, database: str = "") -> dict[int, tuple[int, int, int]]:
        """Return the results in this database or the site's: pairing to scores (half-points) and version."""
        environment = self.environment | ({"DATABASE_URL": database} if database else {})
        found = json.loads(run(environment, "-m", "tools.drills.record", "stored"))
        return {int(pairing): tuple(values) for pairing, values in found.items()}

    def _postgres(self) -> Postgres | None:
        if self.database == "sqlite":
            self.prepared.copy("sqlite", self.folder / "lib")
            return None
        self.prepared.copy("postgresql", self.folder)
        return Postgres(self.folder)

    def _environment(self) -> dict[str, str]:
        url = self.postgres.url if self.postgres else f"sqlite:///{self.folder / 'lib' / 'db.sqlite3'}"
        extra = {name: value.format(folder=self.folder) for name, value in self.around.environment.items()}
        told = environment_of(url, self.prepared.static, self.prepared.secret())
        return told | self.unit.environment | extra


def environment_of(database: str, static: Path, secret: str) -> dict[str, str]:
    return {name: os.environ[name] for name in KEPT if name in os.environ} | {
        "DATABASE_URL": database,
        "EPOCH_FILE": "",  # for processes without a unit
        "SECRET_KEY": secret,
        "ALLOWED_HOSTS": HOST,
        "PROXIES": "1",
        "STATIC_ROOT": str(static),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }


def manage(environment: dict[str, str], *command: str) -> str:
    return run(environment, "manage.py", *command)


def run(environment: dict[str, str], *command: str) -> str:
    """Return the output of a Python program. Raise RuntimeError with its stderr if it fails."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS_TO_MANAGE,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout

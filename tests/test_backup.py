"""Backups by docs/deployment.md: a restored database has the same data and continues its revisions."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection

from tests.cast import create_team_event
from tools.withpg import find_programs

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parent.parent
RENAMED = """
from tournaments.models import Competitor, Revision
was = Revision.objects.get(event__slug="two-teams").number
Competitor.objects.filter(name="Reds").update(name="Crimsons")
print(Revision.objects.get(event__slug="two-teams").number > was)
"""


def test_what_is_restored_says_the_same_and_counts_on(tmp_path: Path) -> None:
    slug, told = create_team_event().slug, StringIO()
    call_command("export_event", slug, stdout=told)
    with restored(tmp_path) as database:
        assert manage(database, "export_event", slug) == told.getvalue()
        assert manage(database, "shell", "--verbosity=0", "--command", RENAMED) == "True\n"


@contextmanager
def restored(folder: Path) -> Iterator[str]:
    """The address of a new database, restored from a backup of the current database."""
    yield from of_postgresql(folder) if connection.vendor == "postgresql" else of_sqlite(folder)


def of_sqlite(folder: Path) -> Iterator[str]:
    copy = folder / "copy.sqlite3"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(copy)])
    yield f"sqlite:///{copy}"


def of_postgresql(folder: Path) -> Iterator[str]:
    name, dump, programs = f"restored_{uuid4().hex}", folder / "crosstable.dump", find_programs()
    run(
        programs / "pg_dump",
        "--format=custom",
        f"--file={dump}",
        address_of(connection.settings_dict["NAME"]),
    )
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        restore = ("--no-owner", "--exit-on-error", "--single-transaction")
        run(programs / "pg_restore", *restore, f"--dbname={address_of(name)}", dump)
        yield address_of(name)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name}")


def address_of(name: str) -> str:
    """Return the address of another database of the same server."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def manage(database: str, *command: str) -> str:
    """Return the output of the command for that database."""
    told = os.environ | {"DATABASE_URL": database, "DEBUG": "1", "DJANGO_SETTINGS_MODULE": "config.settings"}
    return run(sys.executable, ROOT / "manage.py", *command, told=told)


def run(*command: str | Path, told: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=told, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout

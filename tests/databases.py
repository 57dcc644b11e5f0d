"""Test databases that are migrated once and then copied, for each worker and for later runs."""

import fcntl
import hashlib
import os
import platform
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.db import connection
from django.db.backends.base.creation import TEST_DATABASE_PREFIX
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "test-databases"
TEMPLATE_PREFIX = f"{TEST_DATABASE_PREFIX}template_"


@contextmanager
def migrated_database() -> Iterator[None]:
    """Point the connection at a new database with all migrations applied, which is dropped at the end.

    The first process that needs it runs the migrations and stores a template; the others wait and copy it.
    On SQLite the template is a file that later runs use too; on PostgreSQL it lives as long as the server.
    """
    production_name, code = connection.settings_dict["NAME"], _code_hash()
    with _lock():
        if connection.vendor == "sqlite":
            _create_on_sqlite(FOLDER / f"{code}.sqlite3")
        else:
            _create_on_postgresql(f"{TEMPLATE_PREFIX}{code}")
    yield
    if connection.vendor == "postgresql":
        name = connection.settings_dict["NAME"]
        _use(production_name)
        _drop_on_postgresql(name)
    else:
        connection.creation.destroy_test_db(production_name, verbosity=0)
        connection.close()  # Django leaves a database in memory open until it has its old name again


def _create_on_sqlite(template: Path) -> None:
    if not template.exists():
        _migrate_from_nothing()
        for older in FOLDER.glob("*.sqlite3"):
            older.unlink()
        unfinished = template.with_suffix(".unfinished")
        unfinished.unlink(missing_ok=True)
        with sqlite3.connect(unfinished) as copy:
            connection.connection.backup(copy)
        copy.close()
        unfinished.rename(template)
        return
    _use(_creation()._get_test_db_name())
    connection.ensure_connection()
    source = sqlite3.connect(f"file:{template}?mode=ro", uri=True)
    source.backup(connection.connection)
    source.close()


def _create_on_postgresql(template: str) -> None:
    name = _creation()._get_test_db_name()
    with _creation()._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [TEMPLATE_PREFIX])
        templates = {row[0] for row in cursor.fetchall()}
        for older in templates - {template}:
            cursor.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(older)))
    if template not in templates:
        _migrate_from_nothing()
        connection.close()
        with _creation()._nodb_cursor() as cursor:
            cursor.execute(_create_database(template, name))
        return
    _drop_on_postgresql(name)
    with _creation()._nodb_cursor() as cursor:
        cursor.execute(_create_database(name, template))
    _use(name)


def _drop_on_postgresql(name: str) -> None:
    """Drop a database also if a request that a browser no longer waits for still has a connection to it."""
    with _creation()._nodb_cursor() as cursor:
        cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _creation() -> Any:
    """Return Django's helper that creates test databases, whose private methods the stubs leave out."""
    return connection.creation


def _migrate_from_nothing() -> None:
    connection.creation.create_test_db(verbosity=0, autoclobber=True)


def _create_database(name: str, template: str) -> sql.Composed:
    return sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))


def _use(name: str) -> None:
    connection.close()
    settings.DATABASES[connection.alias]["NAME"] = name
    connection.settings_dict["NAME"] = name


def _is_template_there() -> bool:
    return connection.vendor == "sqlite" and (FOLDER / f"{_code_hash()}.sqlite3").exists()


@contextmanager
def _lock() -> Iterator[None]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _code_hash() -> str:
    """Return a hash of everything that a migrated, empty database depends on."""
    versions = (platform.python_version(), django.__version__, sqlite3.sqlite_version)
    digest = hashlib.sha256(" ".join(versions).encode())
    code = [path for folder in ("config", "tournaments") for path in (ROOT / folder).rglob("*.py")]
    for path in sorted([*code, ROOT / "requirements.txt", ROOT / "tests" / "settings.py"]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":  # tests/startup.py
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    if not _is_template_there():
        with migrated_database():
            pass

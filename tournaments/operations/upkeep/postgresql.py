"""Dumps of a PostgreSQL database with pg_dump, restored into a scratch database on the same server."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import environ
import psycopg
from django.db import connection, connections
from psycopg import pq, sql
from psycopg.conninfo import make_conninfo

from tournaments.operations.snapshot import snapshot
from tournaments.operations.upkeep.dumpfolder import NotDumpedError, NotEqualError, NotTriedError

ENDING = ".dump"
COPIES = 1
"""Maximum size of a dump as a multiple of the database's: an incompressible dump."""

SCRATCH = "_backup_check"
"""Suffix of the scratch database's name."""

MARK = "crosstable_scratch"
"""Schema that marks a scratch database, which may be emptied."""

WAIT_FOR_LOCKS = "--lock-wait-timeout=60s"
NO_OWNER = ("--no-owner", "--no-privileges")
AS_IT_WAS = (*NO_OWNER, "--exit-on-error", "--single-transaction")
EMPTY = "DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public"
ALPHABET = "SELECT pg_encoding_to_char(encoding), datcollate, datctype FROM pg_database WHERE datname = %s"
Connection = psycopg.Connection[tuple[Any, ...]]


def size() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


@contextmanager
def moment(seconds: float) -> Iterator[str]:
    """Hold a snapshot of the database and yield its name for pg_dump."""
    with snapshot(), connection.cursor() as cursor:
        # The transaction is idle while pg_dump works, which takes longer than any request.
        for limit in ("idle_in_transaction_session_timeout", "statement_timeout"):
            cursor.execute("SELECT set_config(%s, %s, true)", [limit, f"{int(seconds)}s"])
        cursor.execute("SELECT pg_export_snapshot()")
        yield str(cursor.fetchone()[0])


def dump(path: Path, name: str, seconds: float) -> None:
    """Write the snapshot to a file. Raise NotDumpedError."""
    arguments = ("--format=custom", WAIT_FOR_LOCKS, f"--snapshot={name}", f"--file={path}")
    try:
        _run_program("pg_dump", arguments, connection.settings_dict, seconds)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise NotDumpedError(_reason_of_failure(problem)) from problem


def restore(path: Path, seconds: float) -> None:
    """Replace the content of the site's database in a transaction. Raise NotEqualError."""
    about, script = connection.settings_dict, Path(f"{path}.sql")
    psql = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
    connection.close()
    try:
        _run_program("pg_restore", (*NO_OWNER, f"--file={script}", str(path)), about, seconds)
        _run_program("psql", (*psql, f"--command={EMPTY}", f"--file={script}"), about, seconds)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise NotEqualError([_reason_of_failure(problem)]) from problem
    finally:
        script.unlink(missing_ok=True)


@contextmanager
def restored(path: Path, _folder: Path, url: str, seconds: float) -> Iterator[dict[str, Any]]:
    """Restore the dump into a scratch database and yield the settings for Django.

    The scratch database is that of `url`, which must be empty, or is created on the site's server. Raise
    NotTriedError if there is none, NotEqualError if the dump cannot be restored.
    """
    with _given(url) if url else _created() as about:
        try:
            _run_program("pg_restore", (*AS_IT_WAS, f"--dbname={about['NAME']}", str(path)), about, seconds)
        except OSError as problem:
            raise NotTriedError(_reason_of_failure(problem)) from problem
        except subprocess.CalledProcessError as problem:
            raise NotEqualError([_reason_of_failure(problem)]) from problem
        yield about


# --- scratch databases ------------------------------------------------------------------------------------


@contextmanager
def _created() -> Iterator[dict[str, Any]]:
    about = connection.settings_dict
    # Always the same name, so that the next run drops the database of a run that was killed.
    name = f"{about['NAME'][:40]}{SCRATCH}"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    create = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING {} LC_COLLATE {} LC_CTYPE {}")
    try:
        # A separate connection: CREATE DATABASE fails inside a transaction.
        with closing(_connect(about)) as own:
            own.execute(drop)
            # Encoding, collation and character type of the database may differ from the server's.
            alphabet = own.execute(ALPHABET, [own.info.dbname]).fetchone() or ()
            own.execute(create.format(sql.Identifier(name), *map(sql.Literal, alphabet)))
            try:
                yield {**about, "NAME": name}
            finally:
                own.execute(drop)
    except (psycopg.errors.InsufficientPrivilege, psycopg.OperationalError) as problem:
        raise NotTriedError(
            f"No scratch database could be created: {str(problem).strip()}. Give the site's user the right"
            " CREATEDB, or name an empty database in SCRATCH_DATABASE_URL."
        ) from problem


@contextmanager
def _given(url: str) -> Iterator[dict[str, Any]]:
    """Use an empty database as scratch, and empty it at the end. Raise NotTriedError."""
    own, found = connection.settings_dict, environ.Env.db_url_config(url)
    about = {**own, **{key: found.get(key) or "" for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}}
    about["OPTIONS"] = found.get("OPTIONS", {})
    try:
        with closing(_connect(about)) as scratch:
            _claim_scratch(scratch)
            try:
                yield about
            finally:
                scratch.execute(EMPTY)
                scratch.execute(sql.SQL("DROP SCHEMA {}").format(sql.Identifier(MARK)))
    except psycopg.OperationalError as problem:
        raise NotTriedError(f"The scratch database does not answer: {str(problem).strip()}.") from problem


def _claim_scratch(scratch: Connection) -> None:
    """Mark the scratch database as one that may be emptied. It must be empty or already marked."""
    which = "SELECT current_database(), pg_postmaster_start_time()"
    with connection.cursor() as cursor:
        cursor.execute(which)
        if cursor.fetchone() == scratch.execute(which).fetchone():
            raise NotTriedError("SCRATCH_DATABASE_URL is the database of the site itself.")
    tables = scratch.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").fetchall()
    marked = scratch.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [MARK]).fetchone()
    if tables and not marked:
        raise NotTriedError(f"The scratch database is not empty: it has {len(tables)} tables.")
    scratch.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(MARK)))
    scratch.execute(EMPTY)


# --- programs ---------------------------------------------------------------------------------------------


def _run_program(program: str, arguments: Sequence[str], about: Mapping[str, Any], seconds: float) -> None:
    """Run a program of PostgreSQL without password prompt.

    Raise FileNotFoundError if it is missing, TimeoutError if it takes longer, CalledProcessError if it fails.
    """
    found = shutil.which(program, path=os.environ.get("PG_BINDIR"))
    if not found:
        raise FileNotFoundError(f"{program} was not found: install the PostgreSQL client, or set PG_BINDIR.")
    try:
        subprocess.run(  # noqa: S603 - a program by its path, no shell
            [found, "--no-password", *arguments],
            env=os.environ | _environment(about),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=max(seconds, 1),
            check=True,
        )
    except subprocess.TimeoutExpired as late:
        raise TimeoutError(f"{program} did not end in time and was stopped.") from late


def _reason_of_failure(problem: OSError | subprocess.CalledProcessError) -> str:
    if isinstance(problem, OSError):
        return str(problem)
    return f"{Path(problem.cmd[0]).name} failed: {problem.stderr.strip()[-500:]}"


def _connect(about: Mapping[str, Any]) -> Connection:
    found = {"connect_timeout": "10", **_parameters(about)}
    return psycopg.connect(make_conninfo(**found), autocommit=True)


def _environment(about: Mapping[str, Any]) -> dict[str, str]:
    """Return libpq's environment variables; unlike arguments, other users cannot read them."""
    variables = {
        option.keyword.decode(): option.envvar.decode()
        for option in pq.Conninfo.get_defaults()
        if option.envvar
    }
    return {variables[key]: value for key, value in _parameters(about).items() if key in variables}


def _parameters(about: Mapping[str, Any]) -> dict[str, str]:
    keywords = {option.keyword.decode() for option in pq.Conninfo.get_defaults()} - {"options"}
    wanted = type(connections[connection.alias])(dict(about), connection.alias).get_connection_params()
    return {key: str(value) for key, value in wanted.items() if key in keywords and value is not None}

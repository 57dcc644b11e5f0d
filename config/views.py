"""Views that belong to no app."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path
from shutil import disk_usage

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.database.faults import DatabaseBusyError, DatabaseNotWritableError
from config.database.replica import replica_lag
from tournaments.models import SiteRevision
from tournaments.operations.jobs import worker_runs
from tournaments.operations.restore_guard import check_age

VALID = timedelta(days=30)
"""Validity of `security.txt`, from the time of the request (RFC 9116, 2.5.5)."""


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django passes it
    """Return an error page for a form with an invalid CSRF token. Django logs the reason."""
    return render(request, "403_csrf.html", status=403)


@never_cache
@require_safe
def security_txt(_request: HttpRequest) -> HttpResponse:
    """Return the operator's contacts in the format of RFC 9116; 404 if the settings have none."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (datetime.now(UTC) + VALID).replace(microsecond=0)
    contacts = [f"Contact: {each}" for each in settings.SECURITY_CONTACT]
    languages = ", ".join(code for code, _name in settings.LANGUAGES)
    lines = [*contacts, f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}", f"Preferred-Languages: {languages}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


WRITES_NO_ROW = f"UPDATE {SiteRevision._meta.db_table} SET number = number WHERE 1 = 0"  # noqa: S608 - our table

WAITS_FOR_REPLICA = """
    SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'
        AND state_change < clock_timestamp() - interval '2 seconds')
"""
"""Whether a commit of this user, or for a privileged user of any, waits for a synchronous replica."""


@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """Return 200 while the process runs, without any checks."""
    return _word("ok")


@never_cache
def readyz(_request: HttpRequest) -> HttpResponse:
    """Return 200 if the database and the cache respond and can grow, else 503 with the first failure."""
    for name, check in (("database", _asks_database), ("cache", _keeps)):
        try:
            answers = check()
        except Exception:  # noqa: BLE001 - each cache has exceptions of its own, and every one means the same
            answers = False
        if not answers:
            return _word(f"no {name}", status=503)
    if not _can_write_database():
        return _word("the database cannot be written", status=503)
    if connection.vendor == "postgresql" and _waits_for_replica():
        return _word("no synchronous replica", status=503)
    for name, folder in _folders():
        if _free_bytes(folder) < settings.LEAST_FREE_BYTES:
            return _word(f"no room for the {name}", status=503)
    # Only archives need the worker, and nothing needs the replica, so the site remains ready for traffic.
    lag = replica_lag() or 0
    behind = "replica away" if lag == inf else f"replica {lag:.0f} s behind" if lag >= 1 else ""
    return _word(", ".join(filter(None, ("ok", "" if worker_runs() else "no worker", behind))))


def _asks_database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        answers = bool(cursor.fetchone() == (1,))
    if answers:
        check_age()
    return answers


def _can_write_database() -> bool:
    try:
        # Uses the driver's own connection, because ours waits seconds for the lock of another writer.
        with connection.wrap_database_errors:
            connection.connection.execute(WRITES_NO_ROW)
    except DatabaseNotWritableError:
        return False
    except DatabaseBusyError:  # another process is writing
        pass
    return True


def _waits_for_replica() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITS_FOR_REPLICA)
        return bool(cursor.fetchone()[0])


def _keeps() -> bool:
    cache.set("readyz", "kept", 10)
    return bool(cache.get("readyz") == "kept")


def _folders() -> Iterator[tuple[str, Path]]:
    """Yield the folders that the site writes to. PostgreSQL and Redis monitor their own."""
    database = settings.DATABASES["default"]
    if connection.vendor == "sqlite":
        yield "database", Path(database["NAME"]).parent
    yield "archives", settings.ARCHIVES
    for kept in settings.CACHES.values():
        if kept["BACKEND"].endswith("FileBasedCache"):
            yield "cache", Path(kept["LOCATION"])


def _free_bytes(folder: Path) -> int:
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    return disk_usage(there).free


def _word(word: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{word}\n", status=status, content_type="text/plain; charset=utf-8")

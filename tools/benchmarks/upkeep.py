"""The cost of running a large site: backup, restore, migrations, housekeeping, lists and archives.

    BENCHMARKS_DATABASE_URL=sqlite:////tmp/copy.sqlite3 python -m tools.benchmarks.upkeep [FOLDER]

The database is a copy of one that `tools.benchmarks.importing` filled. It is changed: revisions rise, and a
restore replaces it. Run it with copies of several sizes to see the slope. FOLDER, by default a temporary one,
needs space for two backups. Each step runs in a process of its own; its peak memory includes about 100 MB of
the program, 100 MB of files that SQLite maps, and programs of PostgreSQL that it runs. The cost per event is
CPU time, with PostgreSQL's server wall time.
"""

import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, models
from django.test import Client
from django.urls import reverse

from standings.archive.builder import Origin
from standings.archive.site import Site
from tools.benchmarks.folder import slug_of
from tournaments.models import Event, MedalCount, Pairing, PersonRevision
from tournaments.operations.triggers import install_triggers, set_triggers_aside
from tournaments.operations.upkeep.dumping import DIALECTS, restore_backup

PAGES = {
    "sitemap": "sitemap",
    "feed": "feed",
    "home": "events",
    "list of events of the desk": "admin:tournaments_event_changelist",
}
USER = "benchmarks"

Change = Callable[[Any], object]
"""Called with the schema editor."""


def report(folder: Path) -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    logging.disable()
    events, size = Event.objects.count(), DIALECTS[connection.vendor].size()
    print(f"{events:,} events, {size / 1e6:,.0f} MB, {size / 1e3 / events:,.0f} kB per event")
    print(f"{'':44}{'s':>8}{'CPU s':>8}{'ms/event':>10}{'peak MB':>9}", flush=True)
    for name, work in _steps(folder):
        connection.close()  # a connection cannot be shared with a process
        start, process = monotonic(), os.fork()
        if not process:
            _run(work)
        _, status, used = os.wait4(process, 0)
        wall, cpu = monotonic() - start, used.ru_utime + used.ru_stime
        failed = f"  failed ({status})" if status else ""
        each = 1000 * (cpu if connection.vendor == "sqlite" else wall) / events
        columns = f"{wall:8.1f}{cpu:8.1f}{each:10.2f}{used.ru_maxrss / 1024:9.0f}{failed}"
        print(f"{name:44}{columns}", flush=True)


def _run(work: Callable[[], object]) -> None:
    try:
        work()
    except BaseException as problem:  # noqa: BLE001 - it must not return to the code of the parent
        print(f"{type(problem).__name__}: {problem}", flush=True)
        os._exit(1)
    os._exit(0)


def _steps(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the steps in their order: the lists are refreshed before pages read them."""
    yield "start of the worker, without jobs", _start_worker
    yield "migrate, nothing to do", _run_migrate
    for kind, (change, undo) in _migrations().items():
        yield f"migration that adds {kind} to pairings", partial(_change_tables, change)
        _change_tables(undo)
    yield "backup", partial(call_command, "backup", str(folder), stdout=StringIO())
    dump = max(each for each in folder.glob("crosstable-*") if each.suffix in {".sqlite3", ".dump"})
    yield "backup --check", partial(call_command, "backup", check=dump, stdout=StringIO())
    yield "restore", partial(restore_backup, dump)
    yield "housekeeping", partial(call_command, "housekeeping", stdout=StringIO())
    update_lists = partial(call_command, "update_lists", stdout=StringIO())
    MedalCount.objects.update(build=0)
    yield "update_lists after an update of the program", update_lists
    yield "update_lists, nothing to do", update_lists
    PersonRevision.objects.update(tallied=0)
    yield "update_lists, all persons", update_lists
    User.objects.get_or_create(username=USER, defaults={"is_staff": True, "is_superuser": True})
    for name, page in PAGES.items():
        yield f"{name}, the first in a process", partial(_get, reverse(page))
    archive = ("publish_archive", slug_of(3), "--address", "https://crosstable.example")
    yield (
        "archive of an event",
        partial(call_command, *archive, "--out", str(folder / "archive"), stdout=StringIO()),
    )
    yield "archive of the site, without its events", _make_site_parts


def _start_worker() -> None:
    subprocess.run([sys.executable, "-m", "django", "work", "--until-empty"], check=True)


def _run_migrate() -> None:
    call_command("migrate", verbosity=0)


def _migrations() -> dict[str, tuple[Change, Change]]:
    column = models.CharField(max_length=20, null=True)
    column.set_attributes_from_name("benchmark")
    index = models.Index(fields=["first_score"], name="benchmark_index")
    check = models.CheckConstraint(condition=models.Q(table__gte=0), name="benchmark_check")
    return {
        "a column": (
            lambda editor: editor.add_field(Pairing, column),
            lambda editor: editor.remove_field(Pairing, column),
        ),
        "an index": (
            lambda editor: editor.add_index(Pairing, index),
            lambda editor: editor.remove_index(Pairing, index),
        ),
        "a constraint": (
            lambda editor: editor.add_constraint(Pairing, check),
            lambda editor: editor.remove_constraint(Pairing, check),
        ),
    }


def _change_tables(change: Change) -> None:
    """Do as `migrate` does: on SQLite without triggers, which count every revision again afterwards."""
    set_triggers_aside("default", [(None, False)])
    with connection.schema_editor() as editor:
        change(editor)
    install_triggers("default")


def _get(address: str) -> None:
    client = Client(SERVER_NAME="crosstable.example")
    client.force_login(User.objects.get(username=USER))
    response = client.get(address, secure=True)
    assert response.status_code == 200, response.status_code


def _make_site_parts() -> None:
    site = Site(Origin("https", "crosstable.example", "https://archive.example/"))
    for part in site.own_parts():
        for _name, _content in part.make():
            pass


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary, suppress(BrokenPipeError):
        report(Path(sys.argv[1] if sys.argv[1:] else temporary))

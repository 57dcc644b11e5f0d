"""Two servers mount one folder at different paths: what one of them writes, the other reads."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connections, transaction
from pytest_django import Settings

from standings.archive.builder import Origin
from standings.management.commands.work import work_off
from tests import ratinglists
from tests.cast import create_player_event
from tournaments.models import Person
from tournaments.operations import jobs
from tournaments.operations.revision import present
from tournaments.operations.takedowns import withdraw
from tournaments.people.hiding.hidden_marks import save_hidden_marks

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = {
    "ARCHIVES": "archives",
    "HIDDEN_FILE": "hidden.json",
    "MARKS": "marks",
    "RATING_LISTS": "ratinglists",
}
"""The settings that docs/deployment.md names for several servers."""

OTHER_SERVER = """
import json, sys
import django
django.setup()
from django.conf import settings
from django.db import connections
from standings.archive.builder import Origin
from standings.archive.store import find_archive
from standings.caching.cached_pages import Head
from tournaments.interchange.ratinglists.folder import newest
from tournaments.interchange.ratinglists.lookup import look_up
from tournaments.operations.takedowns import withdrawn_at
from tournaments.people.hiding.hidden_marks import hidden_marks
given = json.loads(sys.argv[1])
for name, value in given["files"].items():
    setattr(settings, name, value)
connections.settings["default"] |= given["database"]
pk, version, state, epoch = given["head"]
archive = find_archive(Head(pk, version, state, site=None, epoch=epoch), Origin("https", "testserver"))
used = newest("fide")
print(json.dumps({
    "archive": archive is not None and archive.read(2) == b"PK",
    "is_withdrawn": withdrawn_at(pk) > 0,
    "players": [each.name for each in look_up(used, "Leko", "standard")] if used else [],
    "hidden": [each.name for each in hidden_marks()],
}))
"""


def seen_by_other_server(folder: Path, given: dict[str, Any]) -> dict[str, Any]:
    files = {name: str(folder / path) for name, path in NAMES.items()}
    process = subprocess.run(
        [sys.executable, "-c", OTHER_SERVER, json.dumps(given | {"files": files})],
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
        check=True,
        capture_output=True,
        timeout=120,
    )
    found: dict[str, Any] = json.loads(process.stdout)
    return found


def test_files_of_one_server_are_used_by_the_other(settings: Settings, tmp_path: Path) -> None:
    mounts = tmp_path / "one", tmp_path / "two"
    (tmp_path / "exported").mkdir()
    for mount in mounts:
        mount.symlink_to(tmp_path / "exported")
    for name, path in NAMES.items():
        setattr(settings, name, str(mounts[0] / path))
    event = present(create_player_event().pk)
    database = connections.settings["default"]
    given = {
        "database": {name: database[name] for name in ("HOST", "PORT", "NAME")},
        "head": [event.pk, event.data_version, event.state, event.epoch],
    }
    nothing = {"archive": False, "is_withdrawn": False, "players": [], "hidden": []}
    assert seen_by_other_server(mounts[1], given) == nothing
    origin = Origin("https", "testserver")
    jobs.ask(jobs.archive_job(event.pk, origin.scheme, origin.host, public=True))
    assert work_off() == 1
    with transaction.atomic():
        withdraw(event.pk)
        save_hidden_marks([Person.objects.create(name="Quist, Ada", hidden=True).pk])
    ratinglists.imported(tmp_path)
    assert seen_by_other_server(mounts[1], given) == {
        "archive": True,
        "is_withdrawn": True,
        "players": ["Leko, Peter"],
        "hidden": ["Quist, Ada"],
    }

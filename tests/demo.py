"""The demo events: their files, and recorded in the tests' database as `make run` does it."""

from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection

from tests.replay import built_once, has_stored_nothing
from tests.snapshots import Snapshot, take_snapshot
from tournaments.models import SiteRevision

DEMO = Path(__file__).parents[1] / "tournaments" / "demo"
DEMO_EVENTS = sorted(file.stem for file in DEMO.glob("*.json"))
EACH_DEMO_EVENT = [
    pytest.param(name, marks=pytest.mark.exhaustive) if name.startswith("olympiad") else name
    for name in DEMO_EVENTS
]
"""For parametrize: the two olympiads, of 8,000 games, in `make test-all` only."""

SMALLEST_DEMO_EVENT = [
    pytest.param(name, marks=() if name == "1947-vierkamp-den-haag" else pytest.mark.exhaustive)
    for name in DEMO_EVENTS
]
"""For parametrize: the event with the fewest pages, and the others in `make test-all` only."""

BATUMI = "/events/olympiad-2018-open/"
CHENNAI = "/events/olympiad-2022-open/"
DEN_HAAG = "/events/1947-vierkamp-den-haag/"
OUAGADOUGOU = "/events/2022-ouagadougou-open/"
WORLD_1948 = "/events/1948-world-championship/"

FILLED_BY_MIGRATIONS = {ContentType, Permission, Group, SiteRevision}

_recorded: dict[tuple[str, ...], Snapshot] = {}
"""For each list of events: the database after they were recorded into an empty one."""


def record(*events: str) -> None:
    """Record demo events, given by their slugs or addresses.

    A test with transactions and an empty database gets a copy of the import of another test.
    """
    slugs = tuple(event.strip("/").split("/")[-1] for event in events)
    if connection.in_atomic_block or _holds_anything():
        _import(*slugs)
    elif slugs in _recorded:
        _recorded[slugs].restore()
    else:
        _import(*slugs)
        _recorded[slugs] = take_snapshot()


@built_once
def _import(*slugs: str) -> None:
    for slug in slugs:
        call_command("import_event", str(DEMO / f"{slug}.json"), verbosity=0)


def _holds_anything() -> bool:
    if has_stored_nothing():
        return False
    models = set(apps.get_models(include_auto_created=True)) - FILLED_BY_MIGRATIONS
    return any(model._base_manager.exists() for model in models if model._meta.managed)

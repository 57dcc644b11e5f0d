"""Fixtures and hooks of all tests."""

import gc
import os
import platform
import sqlite3
from collections.abc import Iterator
from itertools import count
from unittest.mock import patch

import psycopg
import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import TransactionTestCase
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from standings.caching import outage_copies
from standings.catalogue import filters as catalogue
from standings.catalogue import outcomes
from standings.management.commands.work import work_off
from tests.databases import migrated_database
from tests.forking import ForkedProcess, is_forked
from tests.programs import pytest_terminal_summary  # noqa: F401 - a hook of pytest
from tests.replay import OWN_FOLDERS, begin_test
from tests.snapshots import take_snapshot
from tests.startup import MigratingProcess, compile_share
from tournaments.admin.imports import import_jobs
from tournaments.operations.processes import confinement

# make test has the same examples in each run, so that no unrelated change fails; make test-all has others.
hypothesis_settings.register_profile("same", deadline=None, derandomize=True, max_examples=20)
hypothesis_settings.register_profile("random", deadline=None)
hypothesis_settings.load_profile(os.environ.get("EXAMPLES", "same"))

_numbers = count()


def pytest_report_header() -> str:
    """Print the database and its version, so that a failure can be reproduced on another machine."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        return f"{platform.platform()}, SQLite {sqlite3.sqlite_version}"
    with psycopg.connect(url) as connection:
        version = connection.info.parameter_status("server_version")
    return f"{platform.platform()}, PostgreSQL {version}"


def pytest_configure(config: pytest.Config) -> None:
    """Share the preparations before the first test between the two processes of `make test`."""
    if config.getoption("numprocesses", None) and not config.getoption("collectonly"):
        config.pluginmanager.register(MigratingProcess())


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile a share of the tests, if this process has one."""
    worker = getattr(session.config, "workerinput", None)
    if worker:
        compile_share(session.config, int(worker["workerid"].removeprefix("gw")), worker["workercount"])


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a database: only these run on PostgreSQL."""
    for item in items:
        fixtures = {"db", "transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
        if fixtures or item.get_closest_marker("django_db"):
            item.add_marker(pytest.mark.database)


def pytest_collection_finish() -> None:
    """Collect garbage seldom, and never the objects from before the first test.

    Five thousand cases, Django and numpy stay to the end; scanning them each time took a tenth of a run.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Create the test database, and restore it after each test that commits."""
    with django_db_blocker.unblock(), migrated_database():
        migrated = take_snapshot()
        with (
            django_db_blocker.block(),
            patch.object(TransactionTestCase, "_fixture_teardown", lambda _case: migrated.restore()),
        ):
            yield


@pytest.fixture(autouse=True)
def nothing_of_other_tests(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Remove the cached pages, archives, withdrawals, rating lists and locks of other tests.

    Builders of rows know that the database is empty. This is a single fixture instead of several plugins,
    which took 50 per cent of the time of most of 8,000 tests.
    """
    forget()
    begin_test()
    # Not tmp_path: most tests write no file, and a folder for each is slow to create and to remove.
    folder = tmp_path_factory.getbasetemp() / f"site-{next(_numbers)}"
    with pytest.MonkeyPatch.context() as patched:
        for name in OWN_FOLDERS:
            patched.setattr(settings, name, folder / name.lower())
        # No worker runs in most tests: the request that asks for a preview or an import does the job itself.
        patched.setattr(import_jobs, "wait_for_job", lambda _job: work_off())
        if is_forked(request.node):
            patched.setattr(confinement, "MeasuredProcess", ForkedProcess)
        yield
    forget()


def forget() -> None:
    """Clear all caches of data."""
    cache.clear()
    catalogue._LAST.clear()
    outcomes._CACHE.clear()
    outage_copies._LAST.clear()
    outage_copies._HIDDEN.clear()

"""A filled database goes through the migrations: nothing is lost, and no kept page is answered again."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command

from tests.cast import create_team_event
from tournaments.files.stored import load
from tournaments.files.writer import write
from tournaments.revision import revision_of
from tournaments.triggers import missing_triggers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def back_to_now() -> Iterator[None]:
    yield
    call_command("migrate", verbosity=0)


@pytest.mark.usefixtures("back_to_now")
def test_a_filled_database_is_migrated() -> None:
    """SQLite rebuilds a table to add a column: the triggers must not break the tables that point to it."""
    event = create_team_event()
    before, revision = write(load(event.slug)), revision_of(event.pk)
    call_command("migrate", "tournaments", "0001", verbosity=0)
    call_command("migrate", verbosity=0)
    assert write(load(event.slug)) == before
    assert revision_of(event.pk) >= revision
    assert missing_triggers("default") == []

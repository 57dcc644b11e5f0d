"""Migrating a filled database loses no data and invalidates cached pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.cast import create_team_event
from tournaments import migrations
from tournaments.models import Event, Revision
from tournaments.operations.revision import revision_of
from tournaments.operations.triggers import missing_triggers, set_triggers_aside

pytestmark = pytest.mark.django_db(transaction=True)

MIGRATIONS = sorted(file.stem for file in Path(migrations.__file__).parent.glob("0*.py"))


@pytest.fixture
def back_to_now() -> Iterator[None]:
    yield
    call_command("migrate", verbosity=0)


def test_migrate_without_migrations_changes_no_revision() -> None:
    event = create_team_event()
    before, changed_at = revision_of(event.pk), Revision.objects.get(event=event).changed_at
    call_command("migrate", verbosity=0)
    assert revision_of(event.pk) == before
    assert Revision.objects.get(event=event).changed_at == changed_at
    Event.objects.update(name="Renamed")
    assert revision_of(event.pk) > before


@pytest.mark.usefixtures("back_to_now")
def test_migrate_after_an_interrupted_one_raises_revisions() -> None:
    event = create_team_event()
    before = revision_of(event.pk)
    set_triggers_aside(using="default", plan=[(None, True)])
    Event.objects.update(name="Renamed")  # no trigger counts it
    assert revision_of(event.pk) == before
    call_command("migrate", verbosity=0)
    assert revision_of(event.pk) > before
    assert missing_triggers("default") == []

"""Locks of events, and the last save of a row."""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at
from tournaments.models import Event
from tournaments.recording.locking import last_saved, lock_event, save
from tournaments.recording.refusal import Refused


def test_deleted_event_cannot_be_locked(swiss: Event) -> None:
    Event.objects.all().delete()
    with pytest.raises(Refused, match="This record was deleted"), lock_event(swiss):
        pass


def test_last_save_has_no_name_after_its_account_is_deleted(swiss: Event, arbiter: User) -> None:
    row = at(swiss, 2, 1)
    save(row, arbiter)
    name, moment = last_saved(row)
    assert (name, moment is None) == ("Anna Maas", False)

    arbiter.delete()
    assert last_saved(row) == ("", moment)

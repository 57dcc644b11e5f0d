"""The last save of a row."""

from django.contrib.auth.models import User

from tests.tournaments.recording.desk import at
from tournaments.models import Event
from tournaments.recording.locking import last_saved, save


def test_last_save_has_no_name_after_its_account_is_deleted(swiss: Event, arbiter: User) -> None:
    row = at(swiss, 2, 1)
    save(row, arbiter)
    name, moment = last_saved(row)
    assert (name, moment is None) == ("Anna Maas", False)

    arbiter.delete()
    assert last_saved(row) == ("", moment)

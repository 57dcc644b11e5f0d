"""A backup is an event file. Restored, it is the same event with another slug."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.cast import stored_event
from tests.tournaments.interchange.formats import samples
from tests.tournaments.recording.desk import at, file_of, typed
from tournaments.crosstable import crosstable_of
from tournaments.models import Backup, Event, Pairing
from tournaments.models.versioned import past_of
from tournaments.recording.corrections import places_by_number
from tournaments.recording.events.backups import back_up, restore
from tournaments.recording.events.publication import publish
from tournaments.recording.overrides import override_place, undo_override
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter

ROOT = Path(__file__).parents[4]


def same_but_for_its_address(copy: Event, file: str) -> bool:
    """Return whether the copy exports the same file, byte by byte, with its own slug and as a draft."""
    data, own = json.loads(file), json.loads(file_of(copy))
    assert own["event"]["slug"] == copy.slug
    assert own["event"]["state"] == "draft"
    Event.objects.filter(pk=copy.pk).update(state=data["event"].get("state", "final"))
    kept = file_of(copy).replace(f'"slug": "{copy.slug}"', f'"slug": "{data["event"]["slug"]}"')
    former = data["event"].get("former_slugs")
    if former:
        kept = kept.replace('"name": ', f'"former_slugs": {json.dumps(former)},\n  "name": ', 1)
    return kept == file


def test_changes_by_the_desk_are_restored(swiss: Event, arbiter: User) -> None:
    enter(swiss, [typed(at(swiss, 1, 1), "0-2", reason="A slip.")], arbiter)
    undo_override(override_place(swiss, 4, 1, arbiter, "As ruled."), arbiter, "It was wrong.")
    override_place(swiss, 3, 4, arbiter, "As ruled.")
    before = file_of(swiss)
    copy = restore(back_up(swiss, arbiter, "To be sure"), "a-copy", arbiter)
    assert same_but_for_its_address(copy, before)
    assert places_by_number(copy) == places_by_number(swiss)
    assert (copy.changes.count(), copy.overrides.count()) == (1, 3)


@pytest.mark.parametrize(
    "sample",
    [samples.players, samples.teams, samples.olympiad, samples.changed_rules],
    ids=lambda s: s.__name__,
)
def test_every_fact_comes_back(arbiter: User, sample: Callable[[], dict[str, Any]]) -> None:
    event = stored_event(sample())
    before = file_of(event)
    copy = restore(back_up(event, arbiter, "To be sure"), "a-copy", arbiter)
    assert same_but_for_its_address(copy, before)


def test_a_real_event_comes_back(arbiter: User) -> None:
    event = stored_event(json.loads((ROOT / "tournaments/demo/2022-ouagadougou-open.json").read_text()))
    before = file_of(event)
    copy = restore(back_up(event, arbiter, "To be sure"), "a-copy", arbiter)
    assert same_but_for_its_address(copy, before)
    assert (crosstable_of(copy).game_points == crosstable_of(event).game_points).all()


def test_later_changes_do_not_touch_it(swiss: Event, arbiter: User) -> None:
    before = file_of(swiss)
    backup = back_up(swiss, arbiter, "To be sure")
    enter(swiss, [typed(at(swiss, 2, 1), "2-0")], arbiter)
    assert same_but_for_its_address(restore(backup, "a-copy", arbiter), before)


def test_an_identical_backup_is_not_stored_twice(swiss: Event, arbiter: User) -> None:
    one = back_up(swiss, arbiter, "To be sure")
    assert back_up(swiss, arbiter, "To be surer") == one
    enter(swiss, [typed(at(swiss, 2, 1), "2-0")], arbiter)
    assert back_up(swiss, arbiter, "To be surer") != one


def test_arbiters_are_those_of_now(swiss: Event, arbiter: User, other: User) -> None:
    swiss.arbiters.add(other)
    copy = restore(back_up(swiss, arbiter, "To be sure"), "a-copy", arbiter)
    assert set(copy.arbiters.all()) == {arbiter, other}
    assert past_of(Event).objects.filter(id=copy.pk).first().history_user == arbiter


def test_a_taken_address_is_refused(swiss: Event, arbiter: User) -> None:
    backup = back_up(swiss, arbiter, "To be sure")
    with pytest.raises(Refused, match="address"):
        restore(backup, "four-players", arbiter)
    assert Pairing.objects.count() == 4


def test_a_damaged_backup_is_refused(swiss: Event, arbiter: User) -> None:
    backup = back_up(swiss, arbiter, "To be sure")
    Backup.objects.update(file=bytes(backup.file).replace(b"Ann", b"Eve"))
    backup.refresh_from_db()
    with pytest.raises(Refused, match="damaged"):
        restore(backup, "a-copy", arbiter)


@pytest.mark.parametrize(
    "page",
    [
        "",
        "standings/",
        "standings/after/1/",
        "crosstable/",
        "rounds/1/",
        "competitors/",
        "competitors/1/",
        "changes/",
    ],
)
def test_a_copy_shows_the_same_pages(swiss: Event, arbiter: User, client: Client, page: str) -> None:
    enter(swiss, [typed(at(swiss, 1, 1), "0-2", reason="A slip.")], arbiter)
    override_place(swiss, 3, 4, arbiter, "As ruled.")
    copy = restore(back_up(swiss, arbiter, "To be sure"), "a-copy", arbiter)
    publish(copy, "live", arbiter)
    shown, again = (client.get(f"/events/{slug}/{page}") for slug in ("four-players", "a-copy"))
    assert shown.status_code == 200
    plain, other = (
        re.sub(r"revision[=-]?\d+|[Vv]ersion \d+", "", each.content.decode()) for each in (shown, again)
    )
    assert other.replace("a-copy", "four-players") == plain

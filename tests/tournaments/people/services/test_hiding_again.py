"""Hidden persons in copies of an event and in repeated imports; namesakes."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.hiding import FIDE_ID, NAME, imported, link, players_file
from tournaments.models import (
    Event,
    Pairing,
    PeopleAct,
    Person,
    Player,
    Revision,
    Round,
    WithheldRow,
)
from tournaments.people.services.hiding import hide, show_person
from tournaments.people.services.history import undo_people_act
from tournaments.recording.events.backups import back_up, restore
from tournaments.recording.events.creation import clone_event
from tournaments.recording.imports.importing import ImportRequest, import_file
from tournaments.recording.rounds.rewinding import go_back, rewind_of
from tournaments.stored import stored

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = ("csv", "xlsx", "trf")
"""Extensions of files that are imported into an event."""


def names_in(slug: str) -> str:
    """Return the public event file."""
    return Client().get(f"/events/{slug}.json").content.decode().casefold()


# --- copies made while a person is hidden, and earlier ones ----------------------------------------------


def test_a_backup_made_while_hidden_restores_all_values_once_she_is_shown(
    otto: User, events: list[Event], zora: Person
) -> None:
    before = stored(events[0]).document
    hide(zora, otto, "Asked.", seen=zora.version)
    revision = Revision.objects.get(event=events[0]).number
    backup = back_up(events[0], otto, "Meanwhile.")
    assert Revision.objects.get(event=events[0]).number == revision
    hidden = restore(backup, "hidden", otto)
    assert hidden.competitors.get(number=4).name == f"N.N. {zora.pk}"
    assert "quixley" not in repr(values_of(hidden)).casefold()
    zora.refresh_from_db()
    show_person(zora, otto, "Asked.", seen=zora.version)

    for made in (hidden, restore(backup, "shown", otto)):
        assert stored(made).document.competitors == before.competitors, made.slug
        assert stored(made).document.rounds == before.rounds, made.slug


def values_of(event: Event) -> list[Any]:
    """Return all values of its rows."""
    tables = (event.competitors.all(), Pairing.objects.filter(round__event=event), event.overrides.all())
    return [*Event.objects.filter(pk=event.pk).values(), *(row for table in tables for row in table.values())]


def test_a_clone_made_while_hidden_is_complete_once_she_is_shown(
    otto: User, events: list[Event], zora: Person
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    clones = [clone_event(each, f"{each.slug}-again", "Again", otto) for each in events]
    for each in clones:
        assert "quixley" not in repr([*each.competitors.values(), *players_of(each)]).casefold()
    zora.refresh_from_db()
    show_person(zora, otto, "Asked.", seen=zora.version)

    assert clones[0].competitors.get(number=4).fide_id == FIDE_ID
    assert [each["name"] for each in players_of(clones[1])].count(NAME) == 1


def players_of(event: Event) -> list[Any]:
    return [*Player.objects.filter(competitor__event=event).values()]


def test_a_public_export_of_the_time_of_hiding_brings_no_pseudonym_once_she_is_shown(
    otto: User, events: list[Event], zora: Person
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    files = [json.loads(Client().get(f"/events/{each.slug}.json").content) for each in events]
    zora.refresh_from_db()
    show_person(zora, otto, "Asked.", seen=zora.version)
    before = [stored(each).document.competitors for each in events]
    for file in files:
        imported(file)

    assert [stored(each).document.competitors for each in events] == before


@pytest.mark.parametrize("ending", ["trf", "csv", "xlsx", "json"])
@pytest.mark.parametrize("when", ["earlier", "later"])
def test_every_public_file_may_be_imported_again(
    otto: User, events: list[Event], zora: Person, ending: str, when: str
) -> None:
    """No name and no new person appears, and after showing her all values are restored."""
    before = stored(events[0]).document.competitors
    address = f"/events/six-hidden.{ending}"
    earlier = content_of(address)
    hide(zora, otto, "Asked.", seen=zora.version)
    file = earlier if when == "earlier" else content_of(address)
    wishes = ImportRequest(by="otto", reason="As it has it.", into="six-hidden" if ending in TABLES else "")
    import_file(f"six-hidden.{ending}", file, announce=lambda _proposal: None, wishes=wishes)
    event = Event.objects.get(slug="six-hidden")

    assert event.competitors.count() == 6
    assert event.competitors.get(number=4).name == f"N.N. {zora.pk}"
    assert "quixley" not in names_in("six-hidden")
    assert Person.objects.filter(name__startswith="N.N.").count() == 0
    zora.refresh_from_db()
    show_person(zora, otto, "Asked.", seen=zora.version)
    assert [(each.number, each.name, each.fide_id) for each in stored(event).document.competitors] == [
        (each.number, each.name, each.fide_id) for each in before
    ]


def content_of(address: str) -> bytes:
    answer = Client().get(address)
    return b"".join(answer) if answer.streaming else answer.content


class TestNamesakes:
    """Two entries with the same name in an event, of which a single person is hidden."""

    @pytest.fixture
    def event(self, db: None) -> Event:
        file = players_file()
        file["competitors"][5] |= {"name": NAME}
        file["event"]["trf"].append(f"001    6 m   {NAME:33} 1999 NED {'':11} 1990/00/00  0.0    6")
        return imported(file)

    def test_the_other_stays_in_rows_texts_and_files(self, otto: User, event: Event) -> None:
        earlier = json.loads(Client().get("/events/six-hidden.json").content)
        zora = Person.objects.get(identifiers__value=str(FIDE_ID))
        hide(zora, otto, "Asked.", seen=zora.version)
        for file in (None, earlier, json.loads(Client().get("/events/six-hidden.json").content)):
            if file:
                imported(file)
            named = dict(event.competitors.values_list("number", "name"))
            assert (named[4], named[6]) == (f"N.N. {zora.pk}", NAME)
            event.refresh_from_db()
            assert event.notes == f"{NAME} won the best game."
            assert f"001    4      N.N. {zora.pk}" in event.trf[0]
            assert NAME in event.trf[-1]
            assert str(FIDE_ID) not in json.dumps(event.trf)

    def test_a_text_names_neither_of_two_hidden_namesakes(self, otto: User, event: Event) -> None:
        zora = Person.objects.get(identifiers__value=str(FIDE_ID))
        other = Person.objects.create(name=NAME, key="quiksley zora")
        link(other, event.competitors.get(number=6))
        hide(zora, otto, "Asked.", seen=zora.version)
        hide(other, otto, "Asked too.", seen=other.version)
        event.refresh_from_db()

        assert event.notes == "N.N. won the best game."
        assert {f"N.N. {zora.pk}", f"N.N. {other.pk}"} <= {*event.competitors.values_list("name", flat=True)}
        undo_people_act(PeopleAct.objects.filter(kind="hide").latest("pk"), otto, "A mistake.")
        event.refresh_from_db()
        assert event.notes == f"{NAME} won the best game."


def test_rewinding_does_not_reveal_her(otto: User, events: list[Event], zora: Person) -> None:
    """Neither in the preview nor afterwards."""
    event = events[0]
    Event.objects.filter(pk=event.pk).update(state="live")
    event.refresh_from_db()
    backup = back_up(event, otto, "Before round 4.")
    opened = Round(event=event, number=4, state="draft")
    opened.save()
    first, second = event.competitors.order_by("number")[:2]
    Pairing.objects.create(round=opened, table=1, first=first, second=second, kind="pending")
    hide(zora, otto, "Asked.", seen=zora.version)
    opened = Round.objects.select_related("event").get(pk=opened.pk)
    rewind = rewind_of(opened)
    assert rewind.backup == backup
    assert [each for each in rewind.others if each.table != "event"] == []
    event = go_back(opened, otto, "Paired too early.", rewind.seen)

    assert event.competitors.get(number=4).name == f"N.N. {zora.pk}"
    assert "quixley" not in names_in("six-hidden")


def test_texts_do_not_name_her_once_her_entry_is_gone(otto: User, events: list[Event], zora: Person) -> None:
    """Its link waits, and another act processes the event again."""
    hide(zora, otto, "Asked.", seen=zora.version)
    zora.links.filter(event=events[0]).update(competitor=None)
    link(Person.objects.create(name="Bea", key="bea"), events[0].competitors.get(number=2))
    other = Person.objects.get(name="Bea")
    hide(other, otto, "Asked too.", seen=other.version)
    events[0].refresh_from_db()

    assert events[0].notes == f"N.N. {zora.pk} won the best game."
    imported(players_file())
    events[0].refresh_from_db()
    assert events[0].notes == f"N.N. {zora.pk} won the best game."
    assert events[0].competitors.get(number=4).name == f"N.N. {zora.pk}"


def test_a_name_only_in_the_file_is_removed_from_texts(otto: User, events: list[Event], zora: Person) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    file = players_file()
    file["competitors"][3]["name"] = "Marlow, Zora"
    file["event"]["notes"] = "Zora Marlow won."
    imported(file)

    assert "marlow" not in names_in("six-hidden")


def test_deleting_an_event_deletes_the_original_values(otto: User, events: list[Event], zora: Person) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    Event.objects.get(slug="six-hidden").delete()

    assert WithheldRow.objects.exclude(event__slug="teams-hidden").count() == 0
    zora.refresh_from_db()
    show_person(zora, otto, "Asked.", seen=zora.version)
    assert Player.objects.filter(name=NAME).count() == 1

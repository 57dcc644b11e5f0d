"""Hidden persons are hidden again after a restore of an older database."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from tests.cast import browser_of
from tests.hiding import FIDE_ID, NAME, imported, link, players_file
from tournaments.models import (
    Competitor,
    Event,
    LinkProposal,
    PeopleAct,
    Person,
    PersonIdentifier,
    PersonLink,
    PersonName,
    Player,
    WithheldRow,
)
from tournaments.people.hiding.hidden_marks import hidden_marks
from tournaments.people.hiding.withheld import MODELS
from tournaments.people.matching.entrants import entrants_of
from tournaments.people.services.decisions import link_entry_by_hand as link_by_hand
from tournaments.people.services.hiding import hide, hide_again, show_person
from tournaments.people.services.history import undo_people_act
from tournaments.people.services.merging import merge, split

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def zora(events: list[Event]) -> Person:
    return Person.objects.get(identifiers__value=str(FIDE_ID))


@pytest.fixture
def hidden_file(settings: Settings, tmp_path: Path) -> Path:
    settings.HIDDEN_FILE = str(tmp_path / "hidden.json")
    return tmp_path / "hidden.json"


def entries() -> Iterator[Competitor | Player]:
    """Yield Zora's entries."""
    for each in (
        PersonLink.objects.filter(number__in=(1, 4)).select_related("competitor", "player").order_by("pk")
    ):
        if entry := each.player or each.competitor:
            yield entry


def told(slug: str) -> str:
    """Return the public event file."""
    return Client().get(f"/events/{slug}.json").content.decode().casefold()


def older(zora: Person) -> None:
    """Restore the state before she was hidden."""
    Person.objects.filter(pk=zora.pk).update(hidden=False)
    for row in reversed(WithheldRow.objects.all()):
        if row.table in {"competitor", "player"}:
            MODELS[row.table]._default_manager.filter(pk=row.key).update(**row.before)
    WithheldRow.objects.all().delete()
    PeopleAct.objects.all().delete()


def test_database_with_other_hosts_hides_the_same_persons(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    hide(zora, otto, "She asked for it.")
    key, marks = json.loads(hidden_file.read_text()).popitem()
    name = key.split(" ", 2)[2]
    hidden_file.write_text(json.dumps({f"10.0.0.11,10.0.0.12 5432,5432 {name}": marks}))
    older(zora)
    hide_again()
    zora.refresh_from_db()
    assert zora.hidden


def test_a_restored_database_hides_her_again(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    assert [each.person for each in hidden_marks()] == [zora.pk]
    older(zora)
    assert {each.name for each in entries()} == {NAME}
    call_command("renew_epoch", verbosity=0)

    assert {each.name for each in entries()} == {f"N.N. {zora.pk}"}
    assert PeopleAct.objects.get().kind == "hide"


def test_each_migrate_hides_her_again_after_an_interruption(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    older(zora)
    call_command("migrate", verbosity=0)
    assert {each.name for each in entries()} == {f"N.N. {zora.pk}"}

    acts = PeopleAct.objects.count()
    call_command("migrate", verbosity=0)
    assert PeopleAct.objects.count() == acts


def test_a_file_of_an_earlier_release_hides_her_too(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    marks = json.loads(hidden_file.read_text())
    for told in marks.values():
        told[str(zora.pk)] = told[str(zora.pk)][:2]
    hidden_file.write_text(json.dumps(marks))
    older(zora)
    hide_again()

    assert {each.name for each in entries()} == {f"N.N. {zora.pk}"}


def test_a_backup_without_the_person_and_the_links_hides_her_too(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    older(zora)
    PersonLink.objects.filter(person=zora).delete()
    LinkProposal.objects.all().delete()
    Person.objects.filter(pk=zora.pk).delete()
    hide_again()

    assert {each.name for each in entries()} == {f"N.N. {zora.pk}"}


def test_a_person_shown_again_is_not_hidden(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    zora.refresh_from_db()
    show_person(zora, otto, "Asked.")
    hide_again()

    assert hidden_marks() == []
    assert {each.name for each in entries()} == {NAME}


def test_marks_of_another_database_are_ignored(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    hidden_file.write_text(json.dumps({"elsewhere 5432 other": {str(zora.pk): [NAME, [], [], []]}}))
    hide_again()

    assert not Person.objects.get(pk=zora.pk).hidden


def test_an_entry_that_was_linked_after_the_backup_is_linked_again(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    """In the backup she was hidden already, and the entry had no link."""
    file = players_file()
    file["event"]["slug"] = "another"
    del file["competitors"][3]["fide_id"], file["event"]["trf"]
    another = imported(file)
    hide(zora, otto, "Asked.", seen=zora.version)
    [entrant] = [each for each in entrants_of(another) if each.number == 4]
    link_by_hand(entrant, zora, otto, "It is her.")
    rows_before(another)
    PersonLink.objects.filter(event=another, person=zora).delete()
    assert "quixley" in told("another")
    hide_again()
    acts = PeopleAct.objects.count()
    hide_again()

    assert "quixley" not in told("another")
    assert PeopleAct.objects.count() == acts


def test_an_entry_of_another_person_in_the_backup_is_linked_to_her(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    """She was split off later, and only she is hidden."""
    entry = PersonLink.objects.get(person=zora, event=events[0])
    split(zora, [entry], otto, "Somebody else.", name=NAME)
    new = Person.objects.get(links__event=events[0], links__number=4)
    hide(new, otto, "Asked.", seen=new.version)
    rows_before(*events)
    PersonLink.objects.filter(pk=entry.pk).update(person=zora)
    PersonIdentifier.objects.update(person=zora)
    Person.objects.filter(pk=new.pk).delete()
    hide_again()

    assert "quixley" not in told("six-hidden")
    assert "quixley" in told("teams-hidden")


def test_a_person_merged_in_the_backup_is_hidden_with_the_merge_target(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    bea = Person.objects.create(name="Bea", key="bea")
    undo_people_act(merge(bea, zora, otto, "The same."), otto, "Not the same.")
    zora.refresh_from_db()
    hide(zora, otto, "Asked.", seen=zora.version)
    rows_before(*events)
    Person.objects.filter(pk=zora.pk).update(hidden=False, merged_into=bea)
    PersonLink.objects.filter(person=zora).update(person=bea)
    hide_again()

    assert Person.objects.get(pk=bea.pk).hidden
    assert "quixley" not in told("six-hidden")


def test_names_and_ids_that_were_learnt_after_the_backup_are_known_again(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    Event.objects.filter(pk=events[0].pk).update(notes="Nova Starling won.")
    PersonName.objects.create(person=zora, name="Nova Starling")
    PersonIdentifier.objects.create(person=zora, scheme="fmjd", value="55443322")
    hide(zora, otto, "Asked.", seen=zora.version)
    older(zora)
    rows_before(*events)
    Event.objects.filter(pk=events[0].pk).update(notes="Nova Starling won.")
    PersonName.objects.filter(person=zora).delete()
    PersonIdentifier.objects.filter(person=zora, scheme="fmjd").delete()
    hide_again()

    assert "starling" not in told("six-hidden")
    assert zora.identifiers.filter(scheme="fmjd").count() == 1


def test_an_entry_only_in_the_backup_is_hidden(
    otto: User, events: list[Event], zora: Person, hidden_file: Path
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    older(zora)
    file = players_file()
    file["event"]["slug"] = "another"
    del file["competitors"][3]["fide_id"], file["event"]["trf"]
    link(zora, imported(file).competitors.get(number=4))
    hide_again()

    assert "quixley" not in told("another")


def rows_before(*events: Event) -> None:
    """Restore the original values of the rows, as in a backup."""
    for row in WithheldRow.objects.filter(event__in=events).order_by("-pk"):
        MODELS[row.table]._default_manager.filter(pk=row.key).update(**row.before)
        row.delete()


def test_an_unwritable_file_is_reported_at_once(
    otto: User, events: list[Event], zora: Person, hidden_file: Path, settings: Settings
) -> None:
    browser = browser_of(otto)
    address = reverse("admin:person-hide", args=[zora.pk])
    values = {"asked": "1", "reason": "Asked."}
    message = "the list of hidden persons (HIDDEN_FILE) could not be saved"
    settings.HIDDEN_FILE = str(hidden_file.parent / "a file" / "hidden.json")
    (hidden_file.parent / "a file").touch()
    answer = browser.post(address, {**values, "seen": str(zora.version)}, follow=True)
    assert message in answer.content.decode()
    zora.refresh_from_db()
    assert zora.hidden

    settings.HIDDEN_FILE = str(hidden_file)
    for _turn in range(2):
        answer = browser.post(address, {**values, "seen": str(zora.version)}, follow=True)
        assert message not in answer.content.decode()
        zora.refresh_from_db()

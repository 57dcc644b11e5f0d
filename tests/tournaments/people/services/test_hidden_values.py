"""The original values of hidden entries stay with their links, and return when the person is shown."""

import json
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from tests.hiding import imported
from tests.tournaments.people.services.events import entrant, imported_teams, make_person, person_of
from tests.tournaments.people.services.test_namesakes_hidden import (
    BEA,
    CORA,
    HER,
    NAME,
    OTHER,
    file_of,
    hide,
    names,
    shown,
)
from tournaments.models import Competitor, EntryName, Event, Person, PersonLink, Player, WithheldRow
from tournaments.people.matching.names import name_key
from tournaments.people.services.decisions import unlink
from tournaments.people.services.hiding import hide as hide_person
from tournaments.people.services.hiding import show_person
from tournaments.people.services.history import undo_people_act

pytestmark = pytest.mark.django_db(transaction=True)


def export() -> dict[str, Any]:
    """Return the public event file."""
    found: dict[str, Any] = json.loads(Client().get("/events/namesakes.json").content)
    return found


def values(number: int) -> tuple[str, str, int | None]:
    found = Competitor.objects.get(number=number)
    return found.name, found.born, found.fide_id


def absent(otto: User) -> tuple[Event, Person, dict[str, Any]]:
    """Hide a player, and import a file without her. Return the former public file too."""
    event = imported(file_of({1: BEA, 2: {**HER, "fide_id": 99887766}, 3: CORA}))
    person = person_of(event, NAME)
    assert person
    hide_person(person, otto, "Asked.")
    file = export()
    imported(file_of({1: BEA, 3: CORA}))
    return event, person, file


def test_values_wait_while_the_player_is_absent_and_other_acts_are_undone(otto: User) -> None:
    event, person, file = absent(otto)
    act = make_person(entrant(event, "Bea"), otto, "x")
    undo_people_act(undo_people_act(act, otto), otto)
    imported(file)
    assert names() == {1: "Bea", 2: shown(person), 3: "Cora"}

    show_person(person, otto, "Asked.")
    assert values(2) == (NAME, "1950", 99887766)
    assert EntryName.objects.filter(competitor__number=2, key=name_key(NAME)).exists()
    assert not WithheldRow.objects.exists()


def test_values_wait_for_a_removed_link_that_is_restored(otto: User) -> None:
    _event, person, file = absent(otto)
    undo_people_act(unlink(PersonLink.objects.get(), otto, "x"), otto)
    imported(file)
    assert names()[2] == shown(person)

    show_person(person, otto, "Asked.")
    assert values(2) == (NAME, "1950", 99887766)


def test_values_of_two_absent_players_stay_apart(otto: User) -> None:
    event = imported(file_of({1: BEA, 2: HER, 3: CORA, 4: OTHER}))
    her, other = hide(event, 2, otto), hide(event, 4, otto)
    file = export()
    imported(file_of({1: BEA, 3: CORA}))
    for person in (her, other):
        undo_people_act(unlink(PersonLink.objects.get(person=person), otto, "x"), otto)
    imported(file)
    assert names() == {1: "Bea", 2: shown(her), 3: "Cora", 4: shown(other)}

    show_person(her, otto, "Asked.")
    show_person(other, otto, "Asked.")
    assert (values(2), values(4)) == ((NAME, "1950", None), (NAME, "1990", None))


def test_waiting_values_are_replaced_by_those_of_a_newer_file(otto: User) -> None:
    _event, person, _file = absent(otto)
    imported(file_of({1: BEA, 2: {**HER, "born": "1951"}, 3: CORA}))
    assert names()[2] == shown(person)
    assert WithheldRow.objects.filter(table="competitor").count() == 1

    show_person(person, otto, "Asked.")
    assert values(2) == (NAME, "1951", None)


def test_two_hidden_namesakes_who_swap_numbers_get_their_own_values(otto: User) -> None:
    event = imported(file_of({1: BEA, 2: HER, 3: CORA, 4: OTHER}))
    her, other = hide(event, 2, otto), hide(event, 4, otto)
    imported(file_of({1: BEA, 2: OTHER, 3: CORA, 4: HER}))
    assert names() == {1: "Bea", 2: shown(other), 3: "Cora", 4: shown(her)}

    show_person(her, otto, "Asked.")
    assert (values(2), values(4)) == ((shown(other), "", None), (NAME, "1950", None))
    show_person(other, otto, "Asked.")
    assert (values(2), values(4)) == ((NAME, "1990", None), (NAME, "1950", None))


def test_a_hidden_player_who_joins_the_team_of_a_namesake_stays_linked(otto: User) -> None:
    her = {**HER, "fide_id": 99887766}
    event = imported_teams("namesakes", {"Reds": [her, "Bea"], "Blues": [OTHER, "Cora"]}, state="live")
    person = Person.objects.get()
    hide_person(person, otto, "Asked.")
    imported_teams("namesakes", {"Reds": ["Cora", "Bea"], "Blues": [OTHER, her]}, state="live")
    link = PersonLink.objects.get()
    assert link.player == Player.objects.get(competitor__number=2, board=2)
    assert link.player
    assert link.player.name == shown(person)

    undo_people_act(make_person(entrant(event, "Bea"), otto, "x"), otto)
    show_person(person, otto, "Asked.")
    found = Player.objects.get(competitor__number=2, board=2)
    assert (found.name, found.born, found.fide_id) == (NAME, "1950", 99887766)
    assert not WithheldRow.objects.exists()


def test_values_of_an_overwritten_text_are_deleted(otto: User) -> None:
    event = imported(file_of({1: BEA, 2: HER}, notes=f"{NAME} won."))
    hide(event, 2, otto)
    assert WithheldRow.objects.filter(table="event").exists()
    imported(file_of({1: BEA, 2: HER}, notes="Bea won."))
    assert not WithheldRow.objects.filter(table="event").exists()


def test_values_stored_by_release_1_0_get_their_link(otto: User) -> None:
    event = imported(file_of({1: BEA, 2: HER, 3: CORA}))
    person = hide(event, 2, otto)
    of_entries = WithheldRow.objects.filter(table="competitor")
    [link] = of_entries.values_list("link", flat=True)
    for update in (
        lambda: import_module("tournaments.migrations.0059_link_of_withheld_values").store_links(apps, None),
        lambda: undo_people_act(make_person(entrant(event, "Bea"), otto, "x"), otto),
    ):
        of_entries.update(link=None)
        update()
        assert [*of_entries.values_list("link", flat=True)] == [link]
    show_person(person, otto, "Asked.")
    assert values(2) == (NAME, "1950", None)


def test_values_of_an_absent_player_stored_by_release_1_0_wait_too(otto: User) -> None:
    _event, person, file = absent(otto)
    WithheldRow.objects.update(link=None, key=Competitor.objects.latest("pk").pk + 1)
    import_module("tournaments.migrations.0059_link_of_withheld_values").store_links(apps, None)
    imported(file)

    show_person(person, otto, "Asked.")
    assert values(2) == (NAME, "1950", 99887766)


def test_newer_of_two_values_of_a_link_counts(otto: User) -> None:
    event = imported(file_of({1: BEA, 2: HER, 3: CORA}))
    person = hide(event, 2, otto)
    [newer] = WithheldRow.objects.filter(table="competitor")
    before = {**newer.before, "born": "1949"}
    # As release 1.0.0 stored it for an entry that was overwritten since.
    older = WithheldRow.objects.create(
        event=event,
        table="competitor",
        key=newer.key,
        link=newer.link,
        before=before,
        after={"name": "N.N. 99"},
    )
    WithheldRow.objects.filter(pk=newer.pk).delete()
    newer.pk = older.pk + 1
    newer.save(force_insert=True)

    show_person(person, otto, "Asked.")
    assert values(2) == (NAME, "1950", None)


def test_texts_of_a_hidden_entry_move_with_it(otto: User) -> None:
    her = {
        **HER,
        "fide_id": 99887766,
        "adjustments": [{"round": 1, "game": -0.5, "reason": f"{NAME} came late"}],
    }
    event = imported(file_of({1: BEA, 2: her, 3: CORA}))
    person = person_of(event, NAME)
    assert person
    hide_person(person, otto, "Asked.")
    imported(file_of({1: BEA, 2: CORA, 3: her}))
    found = Competitor.objects.get(name=shown(person))
    assert (found.number, found.adjustments[0]["reason"]) == (3, f"{shown(person)} came late")

    undo_people_act(make_person(entrant(event, "Bea"), otto, "x"), otto)
    show_person(person, otto, "Asked.")
    found.refresh_from_db()
    assert (found.name, found.adjustments[0]["reason"]) == (NAME, f"{NAME} came late")

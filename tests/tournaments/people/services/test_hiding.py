"""A hidden person through imports, restores, merges and undo."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from tests.hiding import (
    BORN,
    FIDE_ID,
    NAME,
    OTHER_NAME,
    create_person,
    imported,
    link,
    players_file,
)
from tournaments.models import (
    Competitor,
    Event,
    LinkProposal,
    PeopleAct,
    Person,
    PersonLink,
    Player,
    WithheldRow,
)
from tournaments.people.hiding.anonymise import anonymise_again
from tournaments.people.matching.entrants import entrants_of
from tournaments.people.services.decisions import link_entry_by_hand as link_by_hand
from tournaments.people.services.hiding import hide, hide_after_migrate, show_person
from tournaments.people.services.history import undo_people_act
from tournaments.people.services.linking import link_entries
from tournaments.people.services.merging import merge
from tournaments.prizes.members import members_of
from tournaments.recording.events.backups import back_up, restore
from tournaments.recording.refusal import Conflict, Refused
from tournaments.stored import stored

pytestmark = pytest.mark.django_db(transaction=True)


def entries() -> Iterator[Competitor | Player]:
    """Yield Zora's entries."""
    for each in (
        PersonLink.objects.filter(number__in=(1, 4)).select_related("competitor", "player").order_by("pk")
    ):
        if entry := each.player or each.competitor:
            yield entry


def names_in(slug: str) -> str:
    """Return the public event file."""
    return Client().get(f"/events/{slug}.json").content.decode().casefold()


def shown_names(event: Event) -> list[str]:
    return [each.name for each in event.competitors.all()]


def test_values_of_a_hidden_person_are_not_given_to_another(otto: User, zora: Person) -> None:
    """An import can put another person into the row that a hidden person had."""
    hide(zora, otto, "Asked by mail on 3 May.", seen=zora.version)
    players = Player.objects.filter(name=f"N.N. {zora.pk}")
    row, event = players[0].pk, players[0].competitor.event_id
    PersonLink.objects.filter(player=row).update(player=None)
    Player.objects.filter(pk=row).update(name="Starling, Cora")
    anonymise_again([event])
    cora = Player.objects.get(pk=row)
    assert (cora.name, cora.born, cora.fide_id) == ("Starling, Cora", "", None)


def test_new_program_hides_labels_that_the_one_before_did_not(otto: User, zora: Person) -> None:
    hide(zora, otto, "Asked by mail on 3 May.", seen=zora.version)
    labels = 0
    for row in WithheldRow.objects.all():
        row.after.pop("categories", None)
        if found := row.before.pop("categories", None):
            model = apps.get_model("tournaments", row.table)
            labels += model._default_manager.filter(pk=row.key).update(categories=found)
        row.save()
    slugs = list(Event.objects.values_list("slug", flat=True))
    assert labels
    assert "vexburg juniors" in "".join(map(names_in, slugs))
    hide_after_migrate(using="default", plan=[object()])
    assert "vexburg juniors" not in "".join(map(names_in, slugs))


def test_hidden_everywhere_and_shown_again_as_it_was(otto: User, events: list[Event], zora: Person) -> None:
    before = [stored(each).document for each in Event.objects.order_by("pk")]
    public = [names_in(each.slug) for each in events]
    revisions = [each.revision.number for each in Event.objects.order_by("pk").select_related("revision")]
    act = hide(zora, otto, "Asked by mail on 3 May.", seen=zora.version)
    zora.refresh_from_db()

    assert (act.kind, act.by, act.reason) == ("hide", "otto", "Asked by mail on 3 May.")
    assert {each.name for each in entries()} == {f"N.N. {zora.pk}"}
    assert {each.fide_id for each in entries()} == {None}
    for was, event in zip(revisions, Event.objects.order_by("pk").select_related("revision"), strict=True):
        assert event.revision.number > was
    for each in events:
        assert "quixley" not in names_in(each.slug)

    show_person(zora, otto, "Asked to be there again.", seen=zora.version)
    assert [stored(each).document for each in Event.objects.order_by("pk")] == before
    assert [names_in(each.slug) for each in events] == public
    assert not WithheldRow.objects.exists()


def test_an_act_of_hiding_is_undone_like_any_other(otto: User, events: list[Event], zora: Person) -> None:
    undo_people_act(hide(zora, otto, "Asked.", seen=zora.version), otto, "A mistake.")

    assert {each.name for each in entries()} == {NAME}


def test_is_refused_without_a_reason_twice_and_after_a_change(
    otto: User, events: list[Event], zora: Person
) -> None:
    with pytest.raises(Refused, match="reason"):
        hide(zora, otto, " ")
    with pytest.raises(Conflict):
        hide(zora, otto, "Asked.", seen=zora.version + 1)
    hide(zora, otto, "Asked.", seen=zora.version)
    with pytest.raises(Refused, match="already"):
        hide(zora, otto, "Asked.")


def test_a_public_export_brings_neither_the_name_nor_the_pseudonym(
    otto: User, events: list[Event], zora: Person
) -> None:
    """Exports from before hiding, from during hiding, and both again after she is shown."""
    earlier = [json.loads(Client().get(f"/events/{each.slug}.json").content) for each in events]
    hide(zora, otto, "Asked.", seen=zora.version)
    later = [json.loads(Client().get(f"/events/{each.slug}.json").content) for each in events]
    for file in (*earlier, *later):
        imported(file)
        assert {each.name for each in entries()} == {f"N.N. {zora.pk}"}, file["event"]["slug"]
        assert PersonLink.objects.filter(person=zora).exclude(competitor=None, player=None).count() == 2
        assert "quixley" not in names_in(file["event"]["slug"])
        assert 4 in members_of(Event.objects.get(slug="six-hidden"))["U20"].numbers
    assert not LinkProposal.objects.filter(why="renamed").exists()

    show_person(zora, otto, "Asked.")
    assert {each.name for each in entries()} == {NAME}
    assert {each.fide_id for each in entries()} == {FIDE_ID}


def test_a_new_event_with_her_id_hides_her_at_once(otto: User, events: list[Event], zora: Person) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    file = players_file()
    file["event"]["slug"] = "another"
    another = imported(file)

    assert another.competitors.get(number=4).name == f"N.N. {zora.pk}"
    assert "quixley" not in names_in("another")


def test_only_entries_linked_to_her_are_hidden(otto: User, events: list[Event], zora: Person) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    file = players_file()
    file["event"]["slug"] = "another"
    del file["competitors"][3]["fide_id"], file["event"]["trf"]
    another = imported(file)
    assert another.competitors.get(number=4).name == NAME
    [entrant] = [each for each in entrants_of(another) if each.number == 4]
    act = link_by_hand(entrant, zora, otto, "It is her.")
    assert another.competitors.get(number=4).name == f"N.N. {zora.pk}"
    undo_people_act(act, otto, "It is not.")

    assert another.competitors.get(number=4).name == NAME


def test_a_merge_with_her_is_hidden_and_its_undoing_shows_the_other(
    otto: User, events: list[Event], zora: Person
) -> None:
    bea = Person.objects.create(name="Bea", key="bea")
    link(
        bea,
        Competitor.objects.get(
            event=imported(players_file() | {"event": {**players_file()["event"], "slug": "third"}}), number=2
        ),
    )
    hide(zora, otto, "Asked.", seen=zora.version)
    PersonLink.objects.filter(event__slug="third", person=zora).delete()
    act = merge(zora, bea, otto, "The same.")
    assert Competitor.objects.get(event__slug="third", number=2).name == f"N.N. {zora.pk}"
    undo_people_act(act, otto, "Not the same.")

    assert Competitor.objects.get(event__slug="third", number=2).name == "Bea"
    assert {f"N.N. {zora.pk}"} <= {each.name for each in entries()}


def test_an_older_backup_of_the_event_hides_her_too(otto: User, events: list[Event], zora: Person) -> None:
    backup = back_up(events[0], otto, "Before.")
    hide(zora, otto, "Asked.", seen=zora.version)
    made = restore(backup, "restored", otto)

    assert made.competitors.get(number=4).name == f"N.N. {zora.pk}"


def test_typed_again_it_is_hidden_again(otto: User, events: list[Event], zora: Person) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    Competitor.objects.filter(event=events[0], number=4).update(name="Zora Quixley", born=BORN)
    link_entries(events[0])
    again = Competitor.objects.get(event=events[0], number=4)

    assert (again.name, again.born) == (f"N.N. {zora.pk}", "")


@pytest.mark.parametrize(
    "values",
    [{"name": "Zora QUIXLEY"}, {"name": OTHER_NAME}, {"name": "Z.", "fide_id": FIDE_ID}],
    ids=["name", "other name", "id"],
)
def test_typed_entries_of_a_hidden_person_are_hidden_until_each_is_decided(
    otto: User, events: list[Event], zora: Person, values: dict[str, Any]
) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    typed = []
    for number in (7, 8):
        typed.append(Competitor.objects.create(event=events[0], number=number, **values))
        link_entries(events[0])
        assert not [name for name in shown_names(events[0]) if name[0] == "Z"]

    undo_people_act(PeopleAct.objects.filter(kind="doubt")[0], otto, "Somebody else.")
    link_entries(events[0])
    assert [each for each in shown_names(events[0]) if each[0] == "Z"] == [typed[1].name]


def test_a_typed_namesake_with_other_data_is_shown(otto: User, events: list[Event], zora: Person) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    Competitor.objects.create(event=events[0], number=7, name=NAME, born="1950")
    link_entries(events[0])
    assert NAME in shown_names(events[0])


def test_a_person_without_an_entry_is_hidden(otto: User) -> None:
    person = create_person()
    hide(person, otto, "Asked.")

    assert Person.objects.get(pk=person.pk).hidden

"""A hidden person's id with another name, sex or birth is hidden until an organiser decides."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.people.services.events import Who, imported
from tournaments.models import Event, LinkProposal, PeopleAct, Person, PersonLink
from tournaments.people.matching.entrants import entrants_of
from tournaments.people.services.decisions import confirm, link_entry_by_hand, refuse_link, unlink
from tournaments.people.services.hiding import hide
from tournaments.people.services.history import undo_people_act

pytestmark = pytest.mark.django_db(transaction=True)

HER: dict[str, Any] = {"name": "Quixley, Zora", "fide_id": 99887766}
MARRIED: Who = {"name": "Starling, Nova", "fide_id": 99887766}


@pytest.fixture
def zora(otto: User) -> Person:
    """A hidden person with an id."""
    imported("one", HER, "Bea", state="live")
    person = Person.objects.get()
    hide(person, otto, "Asked.")
    return person


def told() -> str:
    """Return the public file of the event in which the id has another name."""
    return Client().get("/events/two.json").content.decode()


def doubt() -> PeopleAct:
    return PeopleAct.objects.get(kind="doubt")


def married(*more: Who, **about: str) -> Event:
    notes = "Nova Starling came by train."
    return imported("two", MARRIED, "Bea", *more, state="live", notes=notes, **about)


def test_is_hidden_until_a_decision(otto: User, zora: Person) -> None:
    married()

    assert "Starling" not in told()
    assert "99887766" not in told()
    assert f"hidden person N.N. {zora.pk}" in doubt().reason
    browser = Client()
    browser.force_login(otto)
    [asked] = browser.get(reverse("admin:people-links")).context["doubts"]
    assert asked["undo"] == reverse("admin:people-undo", args=[doubt().pk])


def test_is_not_hidden_again_once_that_was_undone(otto: User, zora: Person) -> None:
    married()
    undo_people_act(doubt(), otto, "Somebody else: a typing error.")
    assert "Starling" in told()
    married("Cora")

    assert "Starling" in told()
    assert PeopleAct.objects.filter(kind="doubt").count() == 1


def test_is_not_hidden_again_once_the_link_was_refused(otto: User, zora: Person) -> None:
    married()
    undo_people_act(doubt(), otto, "Somebody else.")
    refuse_link(LinkProposal.objects.get(why="contradiction"), otto, "A typing error.")
    married("Cora")

    assert "Starling" in told()


def test_stays_hidden_by_the_next_file(otto: User, zora: Person) -> None:
    married()
    married("Cora")

    assert "Starling" not in told()
    assert doubt()


def test_confirmed_it_is_the_hidden_person(otto: User, zora: Person) -> None:
    married()
    confirm(LinkProposal.objects.get(why="contradiction"), otto, "She has married.")

    assert PersonLink.objects.get(event__slug="two").person == zora
    assert f"N.N. {zora.pk}" in told()
    assert "Starling" not in told()


def test_a_hidden_persons_id_wins_over_a_visible_persons_id(otto: User, zora: Person) -> None:
    imported("three", {"name": "Quixley, Zora", "fmjd_id": 5}, state="live")
    imported("two", {**HER, "fmjd_id": 5}, state="live")

    assert "Quixley" not in told()


def test_an_id_of_another_person_in_the_event_does_not_hide(otto: User) -> None:
    """Another event has a wrong link for the id; in this event a namesake has it."""
    imported("one", HER, "Bea", state="live")
    her = Person.objects.get()
    other = Person.objects.create(name="Quixley, Zora", key="quikslei zora")
    files: list[Who] = [HER, {"name": "Quixley, Zora", "born": "1950"}]
    event = imported("two", *files, state="live")
    unlink(PersonLink.objects.get(event__slug="one"), otto, "Wrong.")
    link_entry_by_hand(entrants_of(Event.objects.get(slug="one"))[0], other, otto, "Wrong again.")
    link_entry_by_hand(entrants_of(event)[1], other, otto, "It is the elder.")
    hide(other, otto, "Asked.")
    imported("two", *files, "Cora", state="live")

    assert event.competitors.get(number=2).name == f"N.N. {other.pk}"
    assert PersonLink.objects.get(person=her, event=event).competitor == event.competitors.get(number=1)

"""Hidden persons are in no list and no count, even while lists are outdated."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from standings.careers import directory
from tests.cast import create_account
from tests.hiding import FIDE_ID, NAME, imported, link, players_file
from tournaments.accounts.services.roles import Role
from tournaments.models import Person
from tournaments.people.services.hiding import hide
from tournaments.people.services.merging import merge

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "/api/people/?q=quixley"


@pytest.fixture
def otto(db: None) -> User:
    return create_account("otto", Role.ORGANISER)


@pytest.fixture
def zora(db: None) -> Person:
    """A listed person; the lists are not updated from now on."""
    imported(players_file())
    return Person.objects.get(identifiers__value=str(FIDE_ID))


@pytest.fixture
def _behind(zora: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert listed() == (1, [NAME])
    monkeypatch.setattr(directory, "refresh_tallies", lambda _kind: 1)


def listed() -> tuple[int, list[str]]:
    found = json.loads(Client().get(ADDRESS).content)
    return found["total"], [each["name"] for each in found["listed"]]


@pytest.mark.usefixtures("_behind")
def test_outdated_list_does_not_count_a_hidden_person(otto: User, zora: Person) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)

    assert listed() == (0, [])
    bea = Person.objects.create(name="Bea", key="bea")
    assert Client().get(f"/people/{bea.pk}/against/?q=quixley").status_code == 200


@pytest.mark.usefixtures("_behind")
def test_outdated_list_does_not_show_the_name_of_a_merged_person(otto: User, zora: Person) -> None:
    bea = Person.objects.create(name="Bea", key="bea", hidden=True)
    event = imported(players_file() | {"event": {**players_file()["event"], "slug": "third", "trf": []}})
    link(bea, event.competitors.get(number=2))
    zora.links.filter(event=event).delete()
    merge(bea, zora, otto, "The same.")

    assert listed() == (0, [])

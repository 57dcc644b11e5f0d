"""A changed folding of names: after a `migrate` links, refusals and undo work as before."""

import pytest
from django.contrib.auth.models import User

from tests.cast import create_account
from tests.replay import forget_rows
from tests.tournaments.people.services.events import entrant, imported, imported_teams, make_person
from tests.tournaments.people.services.test_history import state
from tournaments.accounts.services.roles import Role
from tournaments.models import (
    EntryName,
    Event,
    LinkProposal,
    LinkRefusal,
    PeopleAct,
    Person,
    PersonName,
    SiteRevision,
    Team,
)
from tournaments.people.matching import names
from tournaments.people.services.decisions import confirm, refuse_link
from tournaments.people.services.editing import create_owner, edit
from tournaments.people.services.hiding import hide, show_person
from tournaments.people.services.history import undo_people_act
from tournaments.people.views.search import find_owners
from tournaments.recording.rebuild import rebuild_stale_indexes

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> User:
    return create_account("ada", Role.ORGANISER)


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Fold names as in an older version, in which `Wit` and `Vit` differ."""
    spellings = tuple(each for each in names._SPELLINGS if each[0].pattern != "w")
    names.name_key.cache_clear()
    monkeypatch.setattr(names, "_SPELLINGS", spellings)
    forget_rows()  # the rows of other tests have the keys of today
    return monkeypatch


def migrated(older: pytest.MonkeyPatch) -> None:
    """Migrate to the current version."""
    older.undo()
    names.name_key.cache_clear()
    SiteRevision.objects.update(names_form="older")
    rebuild_stale_indexes("default")


def test_namesakes_are_found_by_the_new_folding(older: pytest.MonkeyPatch, organiser: User) -> None:
    imported("one", "Anna Wit")
    imported_teams("clubs", {"Witte": ["Cor Wit"]})
    create_owner(Person(name="Bea Wit"), organiser, "x", names=[{"name": "Bea de Wit"}])
    create_owner(Team(name="Witte Zwart"), organiser, "x")
    imported("two", "Anna Vit", start="2021")
    assert not LinkProposal.objects.exists()
    migrated(older)

    assert {each.key for each in EntryName.objects.all()} == {"ana vit", "vite", "kor vit"}
    assert Person.objects.get().key == "bea vit"
    assert PersonName.objects.get().key == "bea de vit"
    assert Team.objects.get().key == "vite zvart"
    assert [each.owner.name for each in find_owners(Person, "bea vit")] == ["Bea Wit"]
    assert LinkProposal.objects.count() == 1  # namesakes by the new folding


def test_refusals_stay_and_can_be_undone(older: pytest.MonkeyPatch, organiser: User) -> None:
    imported("one", "Anna Wit")
    imported("two", "Anna Wit", start="2021")
    before = LinkProposal.objects.values_list("one", "other").get()
    refusal = refuse_link(LinkProposal.objects.get(), organiser)
    migrated(older)

    assert LinkRefusal.objects.values_list("one", "other").get() != before
    assert not LinkProposal.objects.exists()
    refusal.refresh_from_db()
    undo_people_act(refusal, organiser)
    assert not LinkRefusal.objects.exists()
    confirm(LinkProposal.objects.get(), organiser)


def test_acts_of_before_are_undone_exactly(older: pytest.MonkeyPatch, organiser: User) -> None:
    event = imported("one", "Anna Wit")
    make_person(entrant(event, "Anna Wit"), organiser, "x")
    person = Person.objects.get()
    act = edit(person, 1, organiser, name="Anna Witte", names=[{"name": "A. Wit"}])
    assert act
    migrated(older)
    undo_people_act(act, organiser)
    assert (Person.objects.get().name, Person.objects.get().key) == ("Anna Wit", "ana vit")
    undo_people_act(PeopleAct.objects.latest("pk"), organiser)
    assert Person.objects.get().key == "ana vite"
    assert PersonName.objects.get().key == "a vit"


def test_a_hidden_person_can_be_shown_again(older: pytest.MonkeyPatch, organiser: User) -> None:
    event = imported("one", "Anna Wit", "Bea Zwart")
    make_person(entrant(event, "Anna Wit"), organiser, "x")
    hide(Person.objects.get(), organiser, "x")
    migrated(older)

    shown = f"N.N. {Person.objects.get().pk}"
    assert event.competitors.get(number=1).name == shown
    show_person(Person.objects.get(), organiser, "x")
    assert event.competitors.get(number=1).name == "Anna Wit"
    assert {each.key for each in EntryName.objects.all()} == {"ana vit", "bea zvart"}


def test_an_unchanged_folding_writes_no_rows(organiser: User) -> None:
    imported("one", "Anna Wit")
    imported("two", "Anna Wit", start="2021")
    before, revisions = state(), [each.revision.number for each in Event.objects.order_by("pk")]
    SiteRevision.objects.update(names_form="older")
    rebuild_stale_indexes("default")

    assert state() == before
    assert [each.revision.number for each in Event.objects.order_by("pk")] == revisions
    assert SiteRevision.objects.get().names_form == names.names_form()

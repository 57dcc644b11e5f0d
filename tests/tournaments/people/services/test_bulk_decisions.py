"""Answers of a form are judged together, in any order and without conflicts."""

from itertools import permutations

import pytest
from django.contrib.auth.models import User

from tests.cast import create_account
from tests.tournaments.people.services.events import entrant, imported, make_person, person_of
from tests.tournaments.people.services.test_history import state
from tournaments.accounts.services.roles import Role
from tournaments.models import Event, LinkProposal, Person, PersonLink
from tournaments.people.matching.candidates import suggestion_of
from tournaments.people.matching.weighing import evidence_checksum, weigh_suggestions
from tournaments.people.services.decisions import Answer, confirm, refuse_link, store_answers

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> User:
    return create_account("ada", Role.ORGANISER)


@pytest.fixture
def three() -> list[Event]:
    """Three events with an entry of the same name, each proposed with the others."""
    events = [imported(f"in-{year}", "Anna Wit", start=year) for year in ("2001", "2002", "2003")]
    LinkProposal.objects.all().delete()
    one, two, last = (entrant(each, "Anna Wit") for each in events)
    for entry, other in ((two, one), (last, two), (last, one)):
        suggestion_of(entry, other, "name").save()
    return events


def answered(confirmed: str, by: User, order: tuple[int, ...] = (0, 1, 2)) -> dict[int, str]:
    """Answer the suggestions in this order with current evidence: y, n, or - for later."""
    shown = weigh_suggestions(list(LinkProposal.objects.order_by("pk").select_related("person", "team")))
    listed = [shown[at] for at in order if confirmed[at] != "-"]
    signs = [confirmed[at] for at in order if confirmed[at] != "-"]
    answers = [
        Answer(each.suggestion, sign == "y", evidence_checksum(each))
        for each, sign in zip(listed, signs, strict=True)
    ]
    return store_answers(answers, by)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_confirming_all_joins_them_in_any_order(
    three: list[Event], organiser: User, order: tuple[int, ...]
) -> None:
    """Every answer changes the evidence of the others, and the last follows from them."""
    assert answered("yyy", organiser, order) == {}

    assert PersonLink.objects.filter(person=Person.objects.get()).count() == 3
    assert not LinkProposal.objects.exists()


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_confirmation_and_refusals_together(
    three: list[Event], organiser: User, order: tuple[int, ...]
) -> None:
    assert answered("ynn", organiser, order) == {}

    assert person_of(three[1], "Anna Wit") == person_of(three[0], "Anna Wit") == Person.objects.get()
    assert not LinkProposal.objects.exists()


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_contradicting_answers_are_reported_and_not_stored(
    three: list[Event], organiser: User, order: tuple[int, ...]
) -> None:
    before = state()
    faults = answered("yyn", organiser, order)

    assert {*faults} == {*LinkProposal.objects.values_list("pk", flat=True)}
    for fault in faults.values():
        assert "contradict" in fault
        assert all(each.name in fault for each in three)
    assert state() == before


def test_other_answers_are_stored_despite_contradictions(three: list[Event], organiser: User) -> None:
    for year in ("2011", "2012"):
        imported(f"in-{year}", "Bea Zwart", start=year)
    faults = answered("yyny", organiser, (0, 1, 2, 3))

    assert len(faults) == 3
    assert [each.name for each in Person.objects.all()] == ["Bea Zwart"]


def test_a_change_since_the_display_is_reported(three: list[Event], organiser: User) -> None:
    shown = weigh_suggestions(list(LinkProposal.objects.order_by("pk")))
    confirm(shown[0].suggestion, organiser)  # by another user
    found = store_answers(
        [Answer(each.suggestion, True, evidence_checksum(each)) for each in shown], organiser
    )

    assert found[shown[0].suggestion.pk] == (
        "Another person has already decided this, or the entry was deleted. Go back to the list."
    )
    assert "has changed since you opened" in found[shown[1].suggestion.pk]
    assert PersonLink.objects.count() == 2


def test_an_earlier_refusal_is_reported(three: list[Event], organiser: User) -> None:
    refuse_link(LinkProposal.objects.order_by("pk")[2], organiser, "her niece")
    LinkProposal.objects.filter(event=three[2]).exclude(other_competitor__event=three[1]).delete()
    faults = answered("yy", organiser, (0, 1))

    [fault] = faults.values()
    assert "her niece" in fault
    assert PersonLink.objects.count() == 2


def test_a_person_cannot_be_two_players_of_an_event(organiser: User) -> None:
    imported("in-2001", "Anna Wit", "Anna de Wit", start="2001")
    imported("in-2002", "Anna Wit", start="2002")
    LinkProposal.objects.all().delete()
    event = Event.objects.get(slug="in-2001")
    other = entrant(Event.objects.get(slug="in-2002"), "Anna Wit")
    for name in ("Anna Wit", "Anna de Wit"):
        suggestion_of(other, entrant(event, name), "name").save()
    faults = answered("yy", organiser, (0, 1))

    [fault] = faults.values()
    assert "“In-2001”" in fault
    assert PersonLink.objects.count() == 2


def test_a_person_and_an_entry_with_equal_keys_differ(three: list[Event], organiser: User) -> None:
    """A person and an entry may have the same primary key."""
    make_person(entrant(three[0], "Anna Wit"), organiser, "x")
    assert answered("nn-", organiser, (0, 1)) == {}

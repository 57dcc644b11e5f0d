"""Refusals are in force exactly as long as an act that made them."""

import pytest
from django.contrib.auth.models import User

from tests.cast import create_account
from tests.tournaments.people.services.events import entrant, imported, make_person
from tests.tournaments.people.services.test_history import state
from tournaments.accounts.services.roles import Role
from tournaments.models import EntryName, Event, LinkProposal, PeopleAct, Person
from tournaments.people.matching.candidates import suggestion_of
from tournaments.people.services.decisions import confirm, link_entry_by_hand, refuse_link
from tournaments.people.services.history import undo_people_act
from tournaments.people.services.linking import link_entries
from tournaments.people.services.merging import merge
from tournaments.recording.refusal import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> User:
    return create_account("ada", Role.ORGANISER)


class TestRefusals:
    """A refusal is in force exactly as long as an act that made it."""

    @pytest.fixture
    def three(self, organiser: User) -> list[Event]:
        return [imported(f"in-{year}", "Anna Wit", start=year) for year in ("2001", "2002", "2003")]

    def test_a_refusal_of_two_acts_ends_when_both_are_undone(self, organiser: User) -> None:
        events = [imported(f"in-{year}", "Anna Wit", start=year) for year in ("2001", "2002")]
        for each in events:
            make_person(entrant(each, "Anna Wit"), organiser, "x")
        imported("in-2003", "Anna Wit", start="2003")
        first, second = Person.objects.order_by("pk")
        refusal = refuse_link(LinkProposal.objects.get(person=first), organiser)
        refuse_link(LinkProposal.objects.get(person=second), organiser)
        merging = merge(first, second, organiser, "one person")

        undo_people_act(refusal, organiser)
        assert not _whom("in-2003")
        undo_people_act(merging, organiser)
        assert _whom("in-2003") == {first}

    def test_an_inherited_refusal_ends_with_its_act(self, three: list[Event], organiser: User) -> None:
        refusal = refuse_link(
            LinkProposal.objects.get(event__slug="in-2003"), organiser
        )  # not the entry of 2002
        confirm(LinkProposal.objects.get(event__slug="in-2002"), organiser)
        assert not _whom("in-2003")

        undoing = undo_people_act(refusal, organiser)
        confirm(LinkProposal.objects.get(), organiser)
        assert Person.objects.get().links.count() == 3
        undo_people_act(PeopleAct.objects.latest("pk"), organiser)
        undo_people_act(undoing, organiser)
        assert not _whom("in-2003")

    def test_confirming_respects_refusals_of_other_entries(self, three: list[Event], organiser: User) -> None:
        one, two, three_ = (entrant(each, "Anna Wit") for each in three)
        make_person(one, organiser, "x")
        person = Person.objects.get()
        suggestion = suggestion_of(three_, two, "name")
        LinkProposal.objects.all().delete()
        other = suggestion_of(three_, one, "name")
        other.save()
        refusal = refuse_link(other, organiser, "her niece")
        LinkProposal.objects.all().delete()
        link_entry_by_hand(two, person, organiser, "the same")
        suggestion.save()
        before = state()

        with pytest.raises(Refused, match=r"ada.*her niece.*Undo that refusal first") as error:
            confirm(suggestion, organiser)
        assert f"{refusal.at:%H:%M} UTC" in str(error.value)
        assert state() == before
        undo_people_act(refusal, organiser)
        confirm(suggestion, organiser)
        assert person.links.count() == 3

    def test_refusing_applies_to_the_owner_of_the_other_entry(
        self, three: list[Event], organiser: User
    ) -> None:
        """The person may have been created from the other entry after the suggestion."""
        make_person(entrant(three[0], "Anna Wit"), organiser, "x")
        [person] = Person.objects.all()
        refuse_link(LinkProposal.objects.get(event__slug="in-2003"), organiser)
        assert not LinkProposal.objects.filter(event__slug="in-2003", person=person).exists()


def _whom(slug: str) -> set[Person]:
    """Return the persons that are proposed for the entry of an event by a new search."""
    event = Event.objects.get(slug=slug)
    LinkProposal.objects.filter(event=event).delete()
    EntryName.objects.filter(event=event).delete()
    link_entries(event)
    return {each.person for each in LinkProposal.objects.filter(event=event) if each.person}

"""Links made by an id stay with the id, independent of numbers."""

import pytest

from tests.tournaments.people.services.events import Who, imported, imported_teams
from tournaments.models import Event, LinkProposal, Person, PersonLink

pytestmark = pytest.mark.django_db

HER: Who = {"name": "Anna Wit", "fide_id": 7}
NIECE: Who = {"name": "Anna Wit", "fide_id": 8}
OTHER = "Anna Wit"


def number_of(event: Event, fide_id: int) -> int | None:
    """Return the number of the entry that is linked to the person with that id."""
    link = PersonLink.objects.filter(event=event, person__identifiers__value=str(fide_id)).get()
    return link.competitor.number if link.competitor else None


def test_a_namesake_with_the_number_of_before_is_not_the_person_too() -> None:
    imported("cup", HER, "Bea Zwart", OTHER)
    event = imported("cup", OTHER, "Bea Zwart", HER)

    assert number_of(event, 7) == 3
    assert PersonLink.objects.count() == 1


def test_two_namesakes_with_ids_are_not_each_other() -> None:
    imported("cup", HER, NIECE)
    event = imported("cup", NIECE, HER)

    assert (number_of(event, 7), number_of(event, 8)) == (2, 1)
    assert Person.objects.count() == PersonLink.objects.count() == 2


def test_an_entry_without_its_link_is_proposed_to_others() -> None:
    imported("cup", HER, OTHER)
    imported("league", "Anna Wit", start="2019")
    LinkProposal.objects.all().delete()
    event = imported("cup", OTHER, HER)

    [suggestion] = LinkProposal.objects.all()
    assert suggestion.competitor == event.competitors.get(number=1)


def test_links_by_hand_stay_and_the_other_entry_is_proposed() -> None:
    event = imported("cup", HER, OTHER)
    PersonLink.objects.update(how="hand")
    imported("cup", OTHER, HER)

    assert number_of(event, 7) == 1
    suggestion = LinkProposal.objects.get(why="contradiction")
    assert suggestion.competitor == event.competitors.get(number=2)


def test_a_player_who_changes_teams_has_both_entries() -> None:
    imported_teams("match", {"Reds": [HER], "Blues": ["Cora"]})
    imported_teams("match", {"Reds": [HER], "Blues": ["Cora", HER]})

    assert PersonLink.objects.exclude(player=None).count() == 2


def test_a_waiting_link_returns_to_no_opponent_of_the_person() -> None:
    """She left and returned under another name with her id, and a namesake was added."""
    imported("cup", HER, "Bea Zwart")
    imported("cup", "Bea Zwart")
    imported("cup", "Bea Zwart", {"name": "Anna de Boer", "fide_id": 7})
    imported("cup", "Bea Zwart", {"name": "Anna de Boer", "fide_id": 7}, OTHER)

    assert PersonLink.objects.exclude(competitor=None).count() == 1

"""Entries of persons and owners of entries, in a single query each."""

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_player_event, create_team_event
from tournaments.models import Competitor, Person, PersonLink, Player, Team, TeamLink
from tournaments.people.entries import (
    Leading,
    linked_people,
    linked_teams,
    owner_at,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> Person:
    return Person.objects.create(name="Ann")


def link(person: Person, entry: Competitor | Player, *, waits: bool = False) -> PersonLink:
    team = entry.competitor if isinstance(entry, Player) else entry
    return PersonLink.objects.create(
        person=person,
        event=team.event,
        competitor=None if waits or isinstance(entry, Player) else entry,
        player=entry if isinstance(entry, Player) and not waits else None,
        how="hand",
        number=team.number,
        name=entry.name,
    )


def test_an_event_leads_to_its_people(ann: Person, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    event, teams = create_player_event(), create_team_event()
    player = Player.objects.create(competitor=teams.competitors.get(number=1), name="Ann Wit", fide_id=77)
    link(ann, event.competitors.get(number=1))
    link(ann, player)
    link(ann, event.competitors.get(number=2), waits=True)
    leading = Leading(ann.pk, "Ann", "ann")
    with django_assert_num_queries(1):
        found = linked_people(event)
    assert (found.competitors, found.players) == ({1: leading}, {})
    found = linked_people(teams)
    assert (found.competitors, found.players, found.by_key) == ({}, {(1, 77): leading}, {player.pk: leading})
    Person.objects.update(hidden=True)
    assert linked_people(event).competitors == {1: Leading(ann.pk, f"N.N. {ann.pk}", "", is_hidden=True)}


def test_an_event_leads_to_its_teams(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    event = create_team_event()
    team = Team.objects.create(name="Grey Club")
    TeamLink.objects.create(
        team=team, event=event, competitor=event.competitors.get(number=1), how="hand", number=1, name="x"
    )
    TeamLink.objects.create(team=team, event=event, how="hand", number=2, name="gone")
    with django_assert_num_queries(1):
        assert linked_teams(event) == {1: Leading(team.pk, "Grey Club", "grey-club", is_team=True)}


def test_merged_numbers_lead_on(ann: Person) -> None:
    second = Person.objects.create(name="Ann", merged_into=ann)
    third = Person.objects.create(name="Ann", merged_into=second)
    assert owner_at(Person, third.pk) == owner_at(Person, ann.pk) == ann
    assert owner_at(Person, 0) is None
    club = Team.objects.create(name="Club")
    assert owner_at(Team, Team.objects.create(name="Old club", merged_into=club).pk) == club
    assert owner_at(Team, 0) is None


def test_an_event_takes_its_links_with_it_and_not_the_person(ann: Person) -> None:
    event = create_player_event()
    link(ann, event.competitors.get(number=1))
    event.delete()
    assert not PersonLink.objects.exists()
    assert Person.objects.get() == ann


def test_the_link_of_an_entry_that_goes_waits(ann: Person) -> None:
    event = create_team_event()
    player = Player.objects.create(competitor=event.competitors.get(number=1), name="Ann Wit")
    link(ann, player)
    player.delete()
    waiting = PersonLink.objects.get()
    assert (waiting.person, waiting.player, waiting.name, waiting.number) == (ann, None, "Ann Wit", 1)

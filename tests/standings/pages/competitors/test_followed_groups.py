"""The groups of an event that readers can follow: federations, clubs, persons and teams."""

from typing import Any

import pytest
from django.test import Client

from tests.cast import create_player_event, create_team_event
from tests.hiding import create_person, link
from tournaments.models import Competitor, Event, Pairing, Player

pytestmark = pytest.mark.django_db


def groups(client: Client, event: Event) -> dict[str, Any]:
    answer = client.get(f"/events/{event.slug}/followed/")
    assert answer["Content-Type"] == "application/json"
    found: dict[str, Any] = answer.json()
    return found


def test_groups_are_federations_and_clubs_with_the_best_place_first(client: Client) -> None:
    event = create_player_event()
    Competitor.objects.filter(event=event, number=1).update(code="NED", club="Damlust")
    Competitor.objects.filter(event=event, number=2).update(code="nl", club="DAMLUST")
    Pairing.objects.update(first_score=0, second_score=4)
    found = groups(client, event)
    assert found["federation:NED"] == {"name": "Netherlands", "numbers": [2, 1]}
    assert found["club:damlust"]["numbers"] == [2, 1]


def test_card_of_a_player_names_the_groups_that_readers_can_follow(client: Client) -> None:
    event = create_player_event()
    Competitor.objects.filter(event=event, number=1).update(club="Damlust")
    card = client.get(f"/events/{event.slug}/competitors/1/").content.decode()
    assert '<span data-group="federation:NED"><span class="name">Netherlands</span></span>' in card
    assert '<span data-group="club:damlust"><span class="name">Damlust</span></span>' in card


def test_team_of_clubs_is_a_club_and_has_its_players(client: Client) -> None:
    event = create_team_event()
    Event.objects.update(teams_are=Event.TeamsAre.CLUBS)
    player = Player.objects.filter(competitor__number=1)[0]
    person = link(create_person(), player).person
    found = groups(client, event)
    assert found["club:reds"] == {"name": "Reds", "numbers": [1]}
    assert found[f"person:{person.pk}"]["numbers"] == [1]


def test_hidden_person_is_no_group(client: Client) -> None:
    event = create_player_event()
    person = link(create_person(), Competitor.objects.get(event=event, number=1)).person
    assert f"person:{person.pk}" in groups(client, event)
    type(person).objects.update(hidden=True)
    Event.objects.update(name="A later revision")
    assert f"person:{person.pk}" not in groups(client, event)

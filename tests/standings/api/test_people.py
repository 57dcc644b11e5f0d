"""Persons and teams over events as data."""

import pytest
from django.test import Client

from tests.demo import DEN_HAAG, WORLD_1948, record
from tests.linked import league, named, person, players_named, team, world_champions
from tournaments.models import Person

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_person_with_every_event_and_game(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    told = client.get(f"/api/people/{roozenburg.pk}/").json()
    assert (told["name"], told["born"], told["is_hidden"]) == ("Piet Roozenburg", "1924", False)
    assert told["page"] == f"http://testserver/people/{roozenburg.pk}-piet-roozenburg/"
    assert [(each["event"], each["place"], each["ranked"], each["points"]) for each in told["events"]] == [
        ("1947-vierkamp-den-haag", "1", 4, "4"),
        ("1948-world-championship", "1", 11, "37"),
    ]
    met = [game for game in told["events"][1]["games"] if game["opponent_id"] == ghestem.pk]
    assert [(game["round"], game["own"], game["theirs"], game["ended"]) for game in met] == [
        (11, "1", "1", "drawn"),
        (22, "2", "0", "won"),
    ]


def test_of_who_is_hidden_the_pseudonym_alone(client: Client) -> None:
    record(DEN_HAAG)
    _, ghestem = world_champions()
    Person.objects.filter(pk=ghestem.pk).update(hidden=True)
    told = client.get(f"/api/people/{ghestem.pk}/").json()
    assert told["name"] == f"N.N. {ghestem.pk}"
    assert {name for name, value in told.items() if value} == {"id", "name", "is_hidden", "page"}
    assert [each["name"] for each in client.get("/api/people/").json()["listed"]] == ["Piet Roozenburg"]


def test_a_team_and_the_lists(client: Client) -> None:
    league(2001)
    ann = person("Ann", *players_named("Ann"))
    club = team("Eindhoven", *named("Dam Eindhoven"))
    told = client.get(f"/api/teams/{club.pk}/").json()
    assert [(each["name"], each["place"], each["won"], each["lost"]) for each in told["events"]] == [
        ("Dam Eindhoven", "2", 1, 1)
    ]
    game = client.get(f"/api/people/{ann.pk}/").json()["events"][0]["games"][0]
    assert (game["board"], game["colour"], game["opponent"]) == (1, "white", "Dov")
    found = client.get("/api/teams/").json()
    assert (found["total"], found["listed"][0]["address"]) == (1, f"http://testserver/api/teams/{club.pk}/")
    assert client.get("/api/people/", {"q": "ann"}).json()["total"] == 1
    assert client.get("/api/people/", {"page": "2"}).status_code == 404
    assert client.get("/api/people/99/").status_code == 404

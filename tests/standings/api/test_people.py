"""Persons and teams as data."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.demo import DEN_HAAG, WORLD_1948, record
from tests.linked import league, named, person, players_named, team, world_champions
from tests.standings.pages.reading import read, rows
from tournaments.models import Person, PersonFederation, PersonTitle, Team, TeamName

pytestmark = pytest.mark.django_db(transaction=True)


def both_ways(one: Person, other: Person) -> list[str]:
    """Return what addresses of all games of two have below those of persons."""
    return [f"{one.pk}/against/{other.pk}/", f"{other.pk}/against/{one.pk}/"]


def tallied(tally: dict[str, Any]) -> list[str]:
    """Return a tally as a table prints it: how many games, won, drawn, lost, and the share."""
    return [str(tally[key]) for key in ("games", "won", "drawn", "lost", "percent")]


def test_a_person_with_every_event_and_game(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    data = client.get(f"/api/people/{roozenburg.pk}/").json()
    assert (data["name"], data["born"], data["is_hidden"]) == ("Piet Roozenburg", "1924", False)
    assert data["page"] == f"http://testserver/people/{roozenburg.pk}-piet-roozenburg/"
    assert [(each["event"], each["place"], each["ranked"], each["points"]) for each in data["events"]] == [
        ("1947-vierkamp-den-haag", "1", 4, "4"),
        ("1948-world-championship", "1", 11, "37"),
    ]
    met = [game for game in data["events"][1]["games"] if game["opponent_id"] == ghestem.pk]
    assert [(game["round"], game["own"], game["theirs"], game["ended"]) for game in met] == [
        (11, "1", "1", "drawn"),
        (22, "2", "0", "won"),
    ]


def test_hidden_person_has_only_a_pseudonym(client: Client) -> None:
    record(DEN_HAAG)
    roozenburg, ghestem = world_champions()
    # Cached before, and invalidated at once.
    met = client.get(f"/api/people/{roozenburg.pk}/against/").json()["opponents"]
    assert [each["name"] for each in met] == ["Pierre Ghestem"]
    assert [client.get(f"/api/people/{each}").status_code for each in both_ways(roozenburg, ghestem)] == [
        200
    ] * 2
    Person.objects.filter(pk=ghestem.pk).update(hidden=True)
    data = client.get(f"/api/people/{ghestem.pk}/").json()
    assert data["name"] == f"N.N. {ghestem.pk}"
    assert {name for name, value in data.items() if value} == {"id", "name", "is_hidden", "page"}
    for address in (f"{ghestem.pk}/against/", *both_ways(roozenburg, ghestem)):
        assert client.get(f"/api/people/{address}").status_code == 404, address
    assert client.get(f"/api/people/{roozenburg.pk}/against/").json()["opponents"] == []
    assert "Ghestem" not in client.get(f"/api/people/{roozenburg.pk}/").content.decode()
    assert [each["name"] for each in client.get("/api/people/").json()["listed"]] == ["Piet Roozenburg"]


def test_a_team_and_the_lists(client: Client) -> None:
    league(2001)
    ann = person("Ann", *players_named("Ann"))
    club = team("Eindhoven", *named("Dam Eindhoven"))
    data = client.get(f"/api/teams/{club.pk}/").json()
    assert [(each["name"], each["place"], each["won"], each["lost"]) for each in data["events"]] == [
        ("Dam Eindhoven", "2", 1, 1)
    ]
    game = client.get(f"/api/people/{ann.pk}/").json()["events"][0]["games"][0]
    assert (game["board"], game["colour"], game["opponent"]) == (1, "white", "Dov")
    found = client.get("/api/teams/").json()
    assert (found["total"], found["listed"][0]["address"]) == (1, f"http://testserver/api/teams/{club.pk}/")
    assert client.get("/api/people/", {"q": "ann"}).json()["total"] == 1
    assert client.get("/api/people/", {"page": "2"}).status_code == 404
    assert client.get("/api/people/99/").status_code == 404


def test_totals_are_those_of_the_page(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    for each in world_champions():
        totals = client.get(f"/api/people/{each.pk}/").json()["totals"]
        page = read(client, f"/people/{each.pk}/")
        found = [[str(one["year"]), str(one["events"]), *tallied(one["tally"])] for one in totals["years"]]
        assert found == rows(page, "years")
        white, black = (
            [name, *tallied(totals[key])] for name, key in (("White", "white"), ("Black", "black"))
        )
        assert [[cells[0].split()[-1], *cells[1:]] for cells in rows(page, "colours")] == [white, black]
        found = [tallied(one["tally"]) for one in totals["federations"]]
        assert found == [cells[1:] for cells in rows(page, "against")]
        assert [
            (one["start"][:4], one["game"]["opponent"], str(one["game"]["round"]), one["game"]["result"])
            for one in totals["best_wins"]
        ] == [(cells[0], cells[1], cells[3], cells[-1]) for cells in rows(page, "best")]


def test_totals_of_a_world_champion(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    data = client.get(f"/api/people/{roozenburg.pk}/").json()
    totals = data["totals"]
    # 1 + ½ + ½ of 3 in 1947, 17 wins and 3 draws in 1948, of which no game was against somebody unpaired.
    assert totals["all"] == {
        "games": 23, "won": 18, "drawn": 5, "lost": 0, "points": "20.5", "percent": "89.1",
        "forfeits_won": 0, "forfeits_lost": 0,
    }  # fmt: skip
    assert (totals["medals"], totals["medals_with_teams"]) == ([2, 0, 0], [0, 0, 0])
    assert [(each["placed"], each["ranked"], each["medal"]) for each in data["events"]] == [
        (1, 4, 1),
        (1, 11, 1),
    ]
    best = totals["best_wins"][-1]
    assert (best["game"]["opponent_id"], best["game"]["round"]) == (ghestem.pk, 22)
    assert client.get(best["game"]["page"]).status_code == 200
    met = client.get(data["opponents"]).json()
    (opponent,) = met["opponents"]
    assert (opponent["id"], opponent["name"]) == (ghestem.pk, "Pierre Ghestem")
    assert tallied(opponent["tally"]) == ["3", "1", "2", "0", "66.7"]
    assert client.get(opponent["address"]).json()["page"] == opponent["page"]
    assert [client.get(each).status_code for each in (data["feed"], met["page"])] == [200, 200]


def test_two_against_each_other(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    ways = both_ways(roozenburg, ghestem)
    told, turned = (client.get(f"/api/people/{each}").json() for each in ways)
    assert told["first"] == {
        "id": roozenburg.pk, "name": "Piet Roozenburg", "events": 2, "first_year": 1947, "last_year": 1948,
        "address": f"http://testserver/api/people/{roozenburg.pk}/",
    }  # fmt: skip
    assert (told["second"], told["turned"]) == (turned["first"], f"http://testserver/api/people/{ways[1]}")
    assert (tallied(told["tally"]), told["tally"]["points"]) == (["3", "1", "2", "0", "66.7"], "2")
    assert (tallied(turned["tally"]), turned["tally"]["points"]) == (["3", "0", "2", "1", "33.3"], "1")
    games = [(each["event"], each["game"]["round"], each["game"]["result"]) for each in told["games"]]
    assert games == [
        ("1947-vierkamp-den-haag", 3, "1-1"),
        ("1948-world-championship", 11, "1-1"),
        ("1948-world-championship", 22, "2-0"),
    ]
    assert turned["games"][-1]["game"]["result"] == "0-2"
    assert [(each["first"], each["second"]) for each in told["events"]] == [
        ([{"number": 2, "place": "1", "ranked": 4}], [{"number": 1, "place": "1", "ranked": 4}]),
        ([{"number": 1, "place": "1", "ranked": 11}], [{"number": 3, "place": "3", "ranked": 11}]),
    ]
    for nobody in (
        f"{roozenburg.pk}/against/{roozenburg.pk}/",
        f"{roozenburg.pk}/against/99/",
        "99/against/",
    ):
        assert client.get(f"/api/people/{nobody}").status_code == 404, nobody


def test_a_team_with_its_members_and_opponents(client: Client) -> None:
    editions = [league(2001), league(2003, "DV Eindhoven")]
    ann = person("Anna Vos", *players_named("Ann"))
    club = team("Eindhoven", *(each.competitors.get(number=1) for each in editions), kind="clubs")
    huizen = team("Huizen", *named("Huizen"))
    TeamName.objects.create(team=club, name="DV Eindhoven", key="x", since="2002")
    data = client.get(f"/api/teams/{club.pk}/").json()
    assert [(each["text"], each["since"]) for each in data["names"]] == [("DV Eindhoven", "2002")]
    assert data["written"] == ["Dam Eindhoven"]
    # Each edition: Ann 1-0 and ½-½, Bea by forfeit and 0-1.
    members = [
        (each["id"], each["name"], [one["year"] for one in each["editions"]], each["points"])
        for each in data["members"]
    ]
    assert members == [(ann.pk, "Anna Vos", [2001, 2003], "3"), (None, "Bea", [2001, 2003], "2")]
    assert tallied(data["members"][1]["tally"]) == ["2", "0", "0", "2", "0.0"]
    assert data["members"][1]["tally"]["forfeits_won"] == 2
    # 2-0 and ½-1½ in each edition; the bye of the third round is no match.
    assert tallied(data["totals"]["all"]) == ["4", "2", "0", "2", "50.0"]
    assert (data["totals"]["medals"], data["totals"]["white"]["games"]) == ([0, 2, 0], 0)
    met = client.get(data["opponents"]).json()["opponents"]
    assert [(each["id"], tallied(each["tally"])) for each in met] == [
        (huizen.pk, ["2", "2", "0", "0", "100.0"])
    ]
    both = client.get(f"/api/teams/{club.pk}/against/{huizen.pk}/").json()
    assert [each["game"]["result"] for each in both["games"]] == ["2-0", "2-0"]
    assert client.get(both["turned"]).json()["tally"]["lost"] == 2


def test_federation_and_title_come_from_events_if_not_recorded(client: Client) -> None:
    league(2001)
    ann = person("Anna Vos", *players_named("Ann"))
    data = client.get(f"/api/people/{ann.pk}/").json()
    assert data["federations"] == [{"text": "NED", "since": "2001", "until": "2001"}]
    assert (data["titles"][0]["text"], data["written"], data["names"]) == ("WCM", ["Ann"], [])
    assert (data["events"][0]["federation"], data["events"][0]["title"]) == ("NED", "WCM")
    assert data["totals"]["medals_with_teams"] == [0, 1, 0]
    PersonFederation.objects.create(person=ann, code="BEL", since="1999")
    PersonTitle.objects.create(person=ann, title="WGM")
    data = client.get(f"/api/people/{ann.pk}/").json()
    assert [each["text"] for each in (*data["federations"], *data["titles"])] == ["BEL", "WGM"]


def test_a_merged_number_leads_on_for_now(client: Client) -> None:
    found, gone, other = person("Jan"), person("J."), person("Piet")
    Person.objects.filter(pk=gone.pk).update(merged_into=found)
    club, old = team("Club"), team("Old")
    Team.objects.filter(pk=old.pk).update(merged_into=club)
    for asked, expected in (
        (f"/api/people/{gone.pk}/", f"/api/people/{found.pk}/"),
        (f"/api/people/{gone.pk}/against/", f"/api/people/{found.pk}/against/"),
        (f"/api/people/{other.pk}/against/{gone.pk}/", f"/api/people/{other.pk}/against/{found.pk}/"),
        (f"/api/teams/{old.pk}/", f"/api/teams/{club.pk}/"),
        (f"/api/teams/{old.pk}/against/", f"/api/teams/{club.pk}/against/"),
    ):
        answer = client.get(asked)
        assert (answer.status_code, answer["Location"]) == (302, expected)
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert client.get(expected).status_code == 200
    # The two that were merged are one, who has no games against itself.
    assert client.get(f"/api/people/{found.pk}/against/{gone.pk}/").status_code == 404
    Person.objects.filter(pk=found.pk).update(hidden=True)
    assert client.get(f"/api/people/{gone.pk}/against/").status_code == 404


@pytest.mark.parametrize("editions", [3, 20])
def test_answers_cost_the_same_queries_however_long_a_career_is(
    client: Client, editions: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for year in range(1980, 1980 + editions):
        league(year)
    ann, fay = person("Ann", *players_named("Ann")), person("Fay", *players_named("Fay"))
    club, other = team("Eindhoven", *named("Dam Eindhoven")), team("Huizen", *named("Huizen"))
    own, both = f"/api/people/{ann.pk}/", f"/api/people/{ann.pk}/against/{fay.pk}/"
    of_club, of_both = f"/api/teams/{club.pk}/", f"/api/teams/{club.pk}/against/{other.pk}/"
    addresses = (own, f"{own}against/", both, of_club, f"{of_club}against/", of_both)
    for address in addresses:
        client.get(address)
    # Change the state of all persons: standings stay cached, responses do not.
    Person.objects.update(note="x")
    Team.objects.update(note="x")
    # The stamps, the person, and the career (tests/standings/careers/test_careers.py); the page of the person
    # alone, and once the standings again, because they name persons; the members of a team; of two both.
    for address, queries in zip(addresses, (18, 8, 20, 13, 6, 16), strict=True):
        with django_assert_num_queries(queries):
            data = json.loads(client.get(address).content)
        assert len(data.get("events", data.get("opponents"))) in {editions, 1}

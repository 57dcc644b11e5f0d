"""Careers do not count events in progress as finished, or unplayed games as played."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from tests.cast import create_event_to_come, stored_event
from tests.linked import league, named, person, players_named, team
from tests.standings.drawn import visible
from tests.standings.pages.reading import read, rows
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

ATOM = "{http://www.w3.org/2005/Atom}"

PLAYED_AND_NOT: list[dict[str, Any]] = [
    {"first": 1, "second": 2, "score": [1, 0]},
    {"first": 2, "second": 1, "kind": "forfeit", "score": [0, 1]},
    {"first": 1, "second": 2, "kind": "forfeit", "score": [0, 0]},
    {"first": 1, "kind": "bye", "score": [1, None]},
    {"first": 1, "kind": "half-bye", "score": [0.5, None]},
    {"first": 1, "kind": "absent", "score": [0, None]},
    {"first": 2, "second": 1, "kind": "pending"},
]
"""Seven rounds of Ann, number 1: a win, a forfeit win, a double forfeit, three without an opponent."""


def played_and_not() -> Event:
    """Record an event in progress with a round of each kind."""
    return stored_event(
        {
            "format": "crosstable-event",
            "version": 1,
            "event": {
                "slug": "unplayed", "name": "Unplayed", "state": "live", "start": "2026-05-01",
                "discipline": "chess", "entrants": "players", "schedule": "swiss", "rounds": 9,
                "scoring": {"game": [1, 0.5, 0]}, "system": "fide-swiss",
            },
            "competitors": [
                {"number": 1, "name": "Ann", "rating": 2000}, {"number": 2, "name": "Bob", "rating": 2100},
            ],
            "rounds": [
                {"number": number, "pairings": [{"table": 1, **pairing}]}
                for number, pairing in enumerate(PLAYED_AND_NOT, 1)
            ],
        }
    )  # fmt: skip


def test_unplayed_rounds_count_in_the_points_of_the_event_only(client: Client) -> None:
    played_and_not()
    ann, bob = person("Ann", *named("Ann")), person("Bob", *named("Bob"))
    page = read(client, f"/people/{ann.pk}/")
    # 1 by the game, 1 by forfeit, 1 and a half by byes.
    (event,) = rows(page, "events")
    assert event[1:7] == ["Unplayed in progress", "1 of 2", "3½", "1", "1", "0"]
    assert rows(page, "years") == []
    assert rows(page, "met") == [["Bob", "1", "1", "0", "0", "100.0"]]
    assert rows(page, "best") == [["2026", "Bob", "2100", "Unplayed", "1", "○", "1-0"]]
    assert [cells[1] for cells in rows(page, "colours")] == ["1", "0"]
    assert "By forfeit: 1 won, 1 lost." in page
    assert "Medals" not in page
    data = client.get(f"/api/people/{bob.pk}/").json()
    games = [
        (each["round"], each["kind"], each["ended"], each["result"]) for each in data["events"][0]["games"]
    ]
    assert games == [
        (1, "played", "lost", "0-1"),
        (2, "forfeit", "lost", "- +"),
        (3, "forfeit", "lost", "- -"),
    ]
    totals = data["totals"]["all"]
    assert (totals["games"], totals["lost"], totals["forfeits_lost"], totals["points"]) == (1, 1, 2, "0")
    assert (data["events"][0]["state"], data["events"][0]["medal"]) == ("live", None)


def test_place_in_an_event_in_progress_is_marked(client: Client) -> None:
    for year in (2001, 2003, 2005):
        league(year)
    Event.objects.filter(slug="league-2005").update(state="live")
    ann, dov = person("Ann", *players_named("Ann")), person("Dov", *players_named("Dov"))
    page = read(client, f"/people/{ann.pk}/")
    assert [each[1] for each in rows(page, "events")] == [
        "League 2005 in progress",
        "League 2003",
        "League 2001",
    ]
    assert "Places in 2 events, the best is 2." in page
    assert "Ratings from 1800 to 1800 in 3 events." in page
    both = rows(read(client, f"/people/{ann.pk}/against/{dov.pk}/"), "shared")
    assert [each[1] for each in both] == ["League 2005 in progress", "League 2003", "League 2001"]
    feed = ET.fromstring(client.get(f"/people/{ann.pk}/feed.atom").content)  # noqa: S314 - our own
    titles = [each.findtext(f"{ATOM}title") for each in feed.iter(f"{ATOM}entry")]
    assert titles == ["League 2005: in progress", "League 2003: place 2 of 3", "League 2001: place 2 of 3"]


def test_places_of_team_players_are_those_of_the_team(client: Client) -> None:
    for year in (2001, 2003):
        league(year)
    ann = person("Ann", *players_named("Ann"))
    assert "<title>League 2001 · Dam Eindhoven: 2 of 3</title>" in read(client, f"/people/{ann.pk}/")
    club = team("Eindhoven", *named("Dam Eindhoven"))
    assert "<title>League 2001: 2 of 3</title>" in read(client, f"/teams/{club.pk}/")


def test_future_event_has_no_place(client: Client) -> None:
    create_event_to_come()
    ann = person("Ann", *named("Ann"))
    page = read(client, f"/people/{ann.pk}/")
    assert [each[0] for each in rows(page, "events")] == ["To come in progress"]
    assert " of 1" not in visible(page)
    (told,) = client.get(f"/api/people/{ann.pk}/").json()["events"]
    assert (told["place"], told["placed"], told["ranked"], told["games"]) == ("", None, 0, [])


def test_unlisted_opponents_are_mentioned(client: Client) -> None:
    league(2001)
    ann = person("Ann", *players_named("Ann"))
    others = "Other opponents are not listed."
    person("Dov", *players_named("Dov"))
    assert others in read(client, f"/people/{ann.pk}/")
    person("Fay", *players_named("Fay"))
    assert others not in read(client, f"/people/{ann.pk}/")

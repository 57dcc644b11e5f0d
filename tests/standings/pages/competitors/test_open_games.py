"""The open games at the top of a competitor's page."""

from typing import Any

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from standings.pages.competitors.open_games import open_games
from standings.pages.people import career
from tests.cast import stored_event, swiss_file
from tests.linked import person
from tournaments.models import Competitor, Event, Pairing, Round

pytestmark = pytest.mark.django_db

ANN, BEA, CAS, DOV = 1, 2, 3, 4
OPEN, WON = {"kind": "pending"}, {"score": [2, 0]}


def stored(*later: list[dict[str, Any]], **about: Any) -> Event:
    """Store four players with a complete round 1 and these pairings of later rounds."""
    file = swiss_file()
    file["event"] |= about
    file["rounds"][1:] = [
        {"number": number, "state": "published", "pairings": pairings}
        for number, pairings in enumerate(later, start=2)
    ]
    return stored_event(file)


def met(table: int, first: int, second: int, **about: Any) -> dict[str, Any]:
    return {"table": table, "first": first, "second": second, **about}


def listed(event: Event, number: int) -> list[tuple[str, str]]:
    return [(game.label, game.text) for game in open_games(event, number)]


def test_next_game_has_table_colour_opponent_and_the_time_of_the_round() -> None:
    event = stored([met(1, ANN, CAS, **OPEN), met(2, DOV, BEA, **OPEN)], time_zone="Europe/Amsterdam")
    Round.objects.filter(number=2).update(date="2026-05-02", time="14:00")
    when = "Round 2 · Table 1, 2 May 2026, 14:00 (Europe/Amsterdam)"
    assert listed(event, ANN) == [("Next game", f"{when}: white against Cas")]
    assert listed(event, CAS) == [("Next game", f"{when}: black against Ann")]


def test_unknown_time_and_colour_are_left_out() -> None:
    event = stored([met(1, ANN, CAS, **OPEN), met(2, DOV, BEA, **OPEN)], unknown=["colours"])
    assert listed(event, ANN) == [("Next game", "Round 2 · Table 1: against Cas")]


def test_game_is_current_once_the_round_has_a_result() -> None:
    event = stored([met(1, ANN, CAS, **OPEN), met(2, DOV, BEA, **WON)])
    assert [label for label, _text in listed(event, ANN)] == ["In progress"]
    assert listed(event, DOV) == []


def test_postponed_and_missing_games_of_earlier_rounds_follow_the_current_game() -> None:
    event = stored(
        [met(1, ANN, CAS, **OPEN), met(2, DOV, BEA, **OPEN)],
        [met(1, ANN, DOV, **OPEN), met(2, BEA, CAS, **WON)],
    )
    Pairing.objects.filter(round__number=2, first__number=ANN).update(delayed="postponed")
    event = Event.objects.get(pk=event.pk)
    assert listed(event, ANN) == [
        ("In progress", "Round 3 · Table 1: white against Dov"),
        ("", "Round 2 · Table 1: white against Cas, postponed"),
    ]
    assert listed(event, BEA) == [("Result still to come", "Round 2 · Table 2: black against Dov")]


def test_of_rounds_paired_in_advance_only_the_next_is_listed() -> None:
    event = stored(
        [met(1, ANN, CAS, **OPEN), met(2, DOV, BEA, **OPEN)],
        [met(1, ANN, DOV, **OPEN), met(2, BEA, CAS, **OPEN)],
    )
    assert [text for _label, text in listed(event, ANN)] == ["Round 2 · Table 1: white against Cas"]


def test_bye_is_listed_until_its_round_is_over() -> None:
    off = {"table": 2, "first": BEA, "kind": "bye", "score": [2, None]}
    event = stored([met(1, ANN, CAS, **OPEN), off])
    assert listed(event, BEA) == [("", "Round 2: bye")]
    Pairing.objects.filter(round__number=2, first__number=ANN).update(
        kind="played", first_score=2, second_score=2
    )
    assert listed(Event.objects.get(pk=event.pk), BEA) == []


def test_past_event_has_no_open_games() -> None:
    event = stored([met(1, ANN, CAS, **OPEN)])
    event.state = Event.State.FINAL
    assert open_games(event, ANN) == []


def test_card_begins_with_the_next_game_then_points_place_rounds_and_performance(client: Client) -> None:
    file = swiss_file()
    for competitor in file["competitors"]:
        competitor["rating"] = 2000 + competitor["number"]
    event = stored_event(file)
    page = client.get(f"/events/{event.slug}/competitors/{ANN}/").content.decode()
    [card] = LexborHTMLParser(page).css("#live")
    text = " ".join(card.text(separator=" ").split())
    parts = (
        "In progress",
        "White against Cas",
        "Total score",
        "place 1",
        "Ann, round by round",
        "Performance rating",
    )
    positions = [text.index(part) for part in parts]
    assert positions == sorted(positions)


def test_page_of_a_person_over_events_begins_with_the_open_games(client: Client) -> None:
    event = stored([met(1, ANN, CAS, **OPEN), met(2, DOV, BEA, **OPEN)])
    ann = person("Ann", Competitor.objects.get(event=event, number=ANN))
    page = LexborHTMLParser(client.get(f"/people/{ann.pk}/", follow=True).content.decode())
    [game] = page.css("h2:has(a[href$='/competitors/1/']) + .open-games li")
    assert " ".join(game.text(separator=" ").split()) == "Next game Round 2 · Table 1 White against Cas"


def test_page_of_a_person_has_open_games_of_the_latest_events_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(career, "MOST_LIVE", 1)
    entries = []
    for slug, start in (("later", "2026-05-02"), ("earlier", "2026-05-01")):
        event = stored([met(1, ANN, CAS, **OPEN), met(2, DOV, BEA, **OPEN)], slug=slug, start=start)
        entries.append(Competitor.objects.get(event=event, number=ANN))
    ann = person("Ann", *entries)
    page = LexborHTMLParser(client.get(f"/people/{ann.pk}/", follow=True).content.decode())
    [link] = page.css("h2:has(+ .open-games) a")
    assert link.attributes["href"] == "/events/later/competitors/1/"

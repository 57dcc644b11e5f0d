"""The standings shown first: after the last complete round, while the next round is played."""

import csv
from io import BytesIO, StringIO

import pytest
from django.test import Client
from django.utils.translation import override
from openpyxl import load_workbook
from selectolax.lexbor import LexborHTMLParser

from standings.downloads.views import FORMATS
from tests.cast import create_players, play
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round, Series

pytestmark = pytest.mark.django_db

EVENT = "/events/open/"
RUNNING = "?running=shown"


@pytest.fixture
def event() -> Event:
    """A live Swiss: Ann, Bea, Cas and Dov after two rounds, with one of two results of round 3."""
    event = create_players("open", ["Ann", "Bea", "Cas", "Dov"], 4, name="Open", state="live")
    play(event, [(1, 1, 1, 2, 2), (1, 2, 3, 4, 1), (2, 1, 1, 3, 2), (2, 2, 2, 4, 1)])
    players = {each.number: each for each in Competitor.objects.filter(event=event)}
    third = Round.objects.get(event=event, number=3)
    Pairing.objects.create(round=third, table=1, first=players[1], second=players[4])
    Pairing.objects.create(
        round=third,
        table=2,
        first=players[3],
        second=players[2],
        kind=Kind.PLAYED,
        first_score=2,
        second_score=0,
    )
    return event


def page(client: Client, address: str) -> LexborHTMLParser:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return LexborHTMLParser(answer.content.decode())


def words(client: Client, address: str, css: str) -> str:
    return " ".join(" ".join(each.text(separator=" ") for each in page(client, address).css(css)).split())


def points(client: Client, address: str) -> dict[str, str]:
    """Return the points of the players in the order of the table."""
    found = page(client, address).css("tbody tr[data-number]")
    told = [(row.css_first(".who .name"), row.css_first("td.lead")) for row in found]
    return {name.text(): lead.text().strip() for name, lead in told if name and lead}


AFTER_TWO = {"Ann": "2", "Dov": "1", "Bea": "½", "Cas": "½"}
WITH_RUNNING = {"Ann": "2", "Cas": "1½", "Dov": "1", "Bea": "½"}


@pytest.mark.parametrize("address", ["standings/", ""])
def test_default_table_ends_after_the_last_complete_round(event: Event, client: Client, address: str) -> None:
    assert points(client, f"{EVENT}{address}") == AFTER_TWO
    assert points(client, f"{EVENT}{address}{RUNNING}") == WITH_RUNNING


def test_default_table_shows_running_results_in_its_cells(event: Event, client: Client) -> None:
    heads = words(client, f"{EVENT}standings/", "thead th")
    assert "R3" in heads
    cas = page(client, f"{EVENT}standings/").css_first("tr[data-number='3']")
    assert cas
    assert [" ".join(each.text().split()) for each in cas.css("td.r a")][-1].endswith("w1")


def test_default_table_states_its_round_and_links_to_running_results(event: Event, client: Client) -> None:
    rests = f"{EVENT}standings/", ".rests"
    assert words(client, *rests) == "After round 2. Round 3: 1 of 2 results in. With running results"
    link = page(client, f"{EVENT}standings/").css_first("a.running")
    assert link
    assert link.attributes["href"] == RUNNING
    text = words(client, f"{EVENT}standings/{RUNNING}", ".rests")
    assert text == "During round 3: 1 of 2 results in. Without round 3"
    back = page(client, f"{EVENT}standings/{RUNNING}").css_first("a.running")
    assert back
    assert back.attributes["href"] == "./"


def test_values_link_to_their_explanation_after_the_same_round(event: Event, client: Client) -> None:
    link = page(client, f"{EVENT}standings/").css_first("td.lead a")
    assert link
    assert (link.attributes["href"] or "").endswith("?after=2")
    of_card = page(client, f"{EVENT}competitors/3/").css_first(".facts a[href*='total-score']")
    assert of_card
    assert (of_card.attributes["href"] or "").endswith("?after=2")


def test_moves_compare_complete_rounds_only(event: Event, client: Client) -> None:
    assert page(client, f"{EVENT}standings/").css("td.move")
    for address in (f"{EVENT}standings/{RUNNING}", f"{EVENT}standings/after/3/"):
        assert not page(client, address).css("td.move")
    Pairing.objects.filter(kind=Kind.PENDING).update(kind=Kind.PLAYED, first_score=1, second_score=1)
    assert page(client, f"{EVENT}standings/").css("td.move")


def test_completed_round_is_the_default_immediately(event: Event, client: Client) -> None:
    Pairing.objects.filter(kind=Kind.PENDING).update(kind=Kind.PLAYED, first_score=1, second_score=1)
    assert points(client, f"{EVENT}standings/") == {"Ann": "2½", "Cas": "1½", "Dov": "1½", "Bea": "½"}
    assert words(client, f"{EVENT}standings/", ".rests") == "After round 3."
    assert not page(client, f"{EVENT}standings/").css("a.running")


def test_running_round_without_results_has_no_link_to_running_results(event: Event, client: Client) -> None:
    running = Pairing.objects.filter(round__number=3)
    running.update(kind=Kind.PENDING, first_score=None, second_score=None)
    assert words(client, f"{EVENT}standings/", ".rests") == "After round 2. Round 3: 0 of 2 results in."


def test_first_round_has_no_complete_round_before_it(event: Event, client: Client) -> None:
    Round.objects.filter(number__gt=1).delete()
    Pairing.objects.filter(table=1).update(kind=Kind.PENDING, first_score=None, second_score=None)
    assert points(client, f"{EVENT}standings/") == {"Cas": "½", "Dov": "½", "Ann": "0", "Bea": "0"}
    assert words(client, f"{EVENT}standings/", ".rests") == "During round 1: 1 of 2 results in."


def test_finished_event_keeps_the_table_of_all_results(event: Event, client: Client) -> None:
    Event.objects.update(state=Event.State.FINAL)
    assert points(client, f"{EVENT}standings/") == WITH_RUNNING
    assert not page(client, f"{EVENT}standings/").css("a.running")


def test_open_game_of_an_earlier_round_does_not_move_the_default_back(event: Event, client: Client) -> None:
    """Only the last complete round matters; the sentence names the open game."""
    Pairing.objects.filter(round__number=1, table=1).update(
        kind=Kind.PENDING, first_score=None, second_score=None
    )
    text = words(client, f"{EVENT}standings/", ".rests")
    assert text.startswith("After round 2, 1 result of an earlier round missing. Round 3: 1 of 2 results in.")


def test_incomplete_round_does_not_count_during_the_next_round(event: Event, client: Client) -> None:
    Pairing.objects.filter(round__number=2, table=1).update(
        kind=Kind.PENDING, first_score=None, second_score=None
    )
    assert words(client, f"{EVENT}standings/", ".rests") == (
        "After round 1. Round 3: 1 of 2 results in, 1 result of an earlier round missing."
        " With running results"
    )


def test_embed_has_the_default_table_and_its_switch(event: Event, client: Client) -> None:
    embed = f"/embed{EVENT}standings/"
    assert points(client, embed) == AFTER_TWO
    assert points(client, f"{embed}{RUNNING}") == WITH_RUNNING
    link = page(client, embed).css_first("a.running")
    assert link
    assert (link.attributes["href"], link.attributes["target"]) == (f"{embed}{RUNNING}", "_self")


def test_hall_screen_shows_the_default_table(event: Event, client: Client) -> None:
    names = f"{EVENT}screen/?show=standings", ".standings tbody th.who"
    assert words(client, *names) == "Ann Dov Bea Cas"
    title = page(client, names[0]).css_first("section.standings")
    assert title
    assert title.attributes["data-title"] == "after round 2"
    running = f"{EVENT}screen/?show=standings&running=shown", ".standings tbody th.who"
    assert words(client, *running) == "Ann Cas Dov Bea"


def csv_names(client: Client, address: str) -> list[str]:
    lines = list(csv.reader(StringIO(client.get(address).content.decode("utf-8-sig"))))
    return [line[2] for line in lines[1:5]]


def test_csv_has_the_default_table(event: Event, client: Client) -> None:
    assert csv_names(client, "/events/open.csv") == ["Ann", "Dov", "Bea", "Cas"]
    assert csv_names(client, f"/events/open.csv{RUNNING}") == ["Ann", "Cas", "Dov", "Bea"]
    assert page(client, f"{EVENT}standings/{RUNNING}").css_first(f"a[href='/events/open.csv{RUNNING}']")
    downloads = page(client, f"{EVENT}downloads/")
    assert downloads.css_first(f"a[href='/events/open.csv{RUNNING}']")
    assert "The standings are those after round 2." in downloads.text()


def test_files_state_which_rounds_their_standings_count(event: Event, client: Client) -> None:
    """The cells have results of round 3 that do not count, so a file must state this."""
    both = "After round 2. Round 3: 1 of 2 results in."
    last = client.get("/events/open.csv").content.decode("utf-8-sig").splitlines()[-3:]
    assert last == ["", "about,text", f"standings,{both}"]
    assert client.get(f"/events/open.csv{RUNNING}").text.splitlines()[-1] == (
        "standings,During round 3: 1 of 2 results in."
    )
    book = load_workbook(BytesIO(client.get("/events/open.xlsx").content))
    assert [[cell.value for cell in row] for row in book["about"]] == [["about", "text"], ["standings", both]]


def test_files_are_in_english_in_a_dutch_archive(event: Event) -> None:
    with override("nl"):
        texts = [str(each.public(event)) for each in FORMATS if each.ending in {"csv", "crosstable.csv"}]
    assert ["During round 3: 1 of 2 results in." in each for each in texts] == [True, True]


def test_cross_table_file_states_that_it_counts_running_results(event: Event, client: Client) -> None:
    lines = client.get("/events/open.crosstable.csv").content.decode("utf-8-sig").splitlines()
    heading = next(at for at, line in enumerate(lines) if line.startswith("Rk."))
    assert lines[heading - 1].rstrip(";") == "During round 3: 1 of 2 results in."


def test_cards_and_followed_players_have_the_place_of_the_default_table(event: Event, client: Client) -> None:
    facts = words(client, f"{EVENT}competitors/3/", ".facts")
    assert "place 3" in facts
    assert "after round 2" in facts
    places = [each.text() for each in page(client, f"{EVENT}competitors/3/").css(".rounds-of td:last-child")]
    assert [each.strip() for each in places][-1] == ""
    assert client.get(f"{EVENT}followed/3/").json()["place"] == "place 3 after round 2"
    assert "place" in words(client, f"{EVENT}competitors/3/{RUNNING}", ".facts")


def test_event_list_names_the_leader_after_the_last_complete_round(event: Event, client: Client) -> None:
    Pairing.objects.filter(round__number=2, table=1).update(first_score=1, second_score=1)
    assert points(client, f"{EVENT}standings/") == {"Ann": "1½", "Cas": "1", "Dov": "1", "Bea": "½"}
    assert next(iter(points(client, f"{EVENT}standings/{RUNNING}"))) == "Cas"
    live = words(client, "/", "#events, main")
    assert "Ann" in live
    assert "Cas" not in live


def test_contenders_state_that_running_results_count(event: Event, client: Client) -> None:
    """The points differ from those of the table next to it."""
    message = "The results of round 3 so far are included here."
    assert message in words(client, f"{EVENT}live/", ".proof")
    assert message not in words(client, f"{EVENT}live/{RUNNING}", ".proof")


def test_prizes_are_those_of_the_default_table(event: Event, client: Client) -> None:
    prize = {"category": "", "place": 1, "name": "", "amount": 10000, "goods": ""}
    Event.objects.update(prizes=[prize], prizes_public=True)
    Pairing.objects.filter(round__number=2, table=1).update(first_score=1, second_score=1)
    for query, winner in (("", "Ann"), (RUNNING, "Cas")):
        assert words(client, f"{EVENT}prizes/{query}", ".prizelist tbody th a") == winner


def test_pasted_table_is_the_default_table(event: Event, client: Client) -> None:
    def names(address: str) -> list[str]:
        return [each.text() for each in page(client, address).css("td a")]

    assert names("/events/open.html") == ["Ann", "Dov", "Bea", "Cas"]
    assert names(f"/events/open.html{RUNNING}") == ["Ann", "Cas", "Dov", "Bea"]


def test_cross_table_is_in_the_order_of_the_default_table(event: Event, client: Client) -> None:
    names = [each.text() for each in page(client, f"{EVENT}crosstable/").css("tbody .name")]
    assert names == ["Ann", "Dov", "Bea", "Cas"]
    met = page(client, f"{EVENT}crosstable/").css_first("a[href$='rounds/3/2/']")
    assert met
    assert met.text().strip() in {"0", "1"}


def test_incomplete_round_has_no_leader(event: Event, client: Client) -> None:
    leaders = [
        " ".join(each.text().split()) for each in page(client, f"{EVENT}rounds/").css("tbody td.leaders")
    ]
    assert leaders[1:] == ["Ann 2", "–"]


def test_incomplete_round_has_no_places(event: Event, client: Client) -> None:
    rounds = client.get("/api/events/open/competitors/1/").json()["rounds"]
    assert [each["place"] for each in rounds] == [1, 1, None]
    for address in (f"{EVENT}standings/after/2/", f"{EVENT}{RUNNING}", f"{EVENT}"):
        assert "after round 2" in words(client, address, ".race")
        assert "after round 3" not in words(client, address, ".race")
    race = "a[href$='#race']"
    assert words(client, f"{EVENT}standings/", race) == "The race"

    Pairing.objects.filter(table=1).update(kind=Kind.PENDING, first_score=None, second_score=None)
    assert not page(client, f"{EVENT}{RUNNING}").css(".race")
    assert not page(client, f"{EVENT}standings/").css(race)
    assert {each["place"] for each in client.get("/api/events/open/competitors/1/").json()["rounds"]} == {
        None
    }


def test_series_has_the_first_places_after_the_last_complete_round(event: Event, client: Client) -> None:
    series = Series.objects.create(slug="opens", name="Opens")
    Event.objects.filter(pk=event.pk).update(series=series)
    edition = words(client, "/series/opens/", "ol.events > li")
    assert "after round 2" in edition
    assert "Dov" in edition
    assert "Cas" not in edition


def test_api_has_standings_and_after_complete(event: Event, client: Client) -> None:
    api = f"/api{EVENT}standings/"

    def told(address: str) -> tuple[int, str, list[str]]:
        answer = client.get(address).json()
        return answer["after"], answer["rests_on"], [row["name"] for row in answer["rows"]]

    assert told(api) == (3, "during round 3: 1 of 2 results in", ["Ann", "Cas", "Dov", "Bea"])
    assert told(f"{api}?after=complete") == (2, "after round 2", ["Ann", "Dov", "Bea", "Cas"])
    assert told(f"{api}?after=1")[0] == 1
    Pairing.objects.filter(kind=Kind.PENDING).update(kind=Kind.PLAYED, first_score=1, second_score=1)
    assert client.get(f"{api}?after=complete").json() == client.get(api).json()


def test_api_has_no_complete_round_before_the_first_is_complete(event: Event, client: Client) -> None:
    Pairing.objects.update(kind=Kind.PENDING, first_score=None, second_score=None)
    assert client.get(f"/api{EVENT}standings/?after=complete").status_code == 404
    assert client.get(f"/api{EVENT}standings/?after=last").status_code == 400


def test_explanations_take_after_complete(event: Event, client: Client) -> None:
    text = words(client, f"{EVENT}competitors/3/total-score/?after=complete", "main")
    assert text == words(client, f"{EVENT}competitors/3/total-score/?after=2", "main")

"""Ratings on player cards, in tables, statistics, files and the API."""

import csv
import json
import re
from html import unescape
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from standings.pages.competitors.competitor import Cards
from tests.cast import create_player_event, create_rated_event, create_team_event
from tournaments.models import Competitor, Event, Player

pytestmark = pytest.mark.django_db

OPEN = "/events/open/"


def text(client: Client, address: str) -> str:
    """Return the visible text of a page."""
    html = client.get(address).content.decode().split("<main")[1].split("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def rows(html: str) -> list[str]:
    """Return the visible rows of the standings."""
    lines = re.findall(
        r"<tr.*?</tr>",
        html.split('id="rows"')[1].partition("</tbody>")[0],
        re.DOTALL,
    )
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", line)).split()) for line in lines]


@pytest.fixture
def event() -> Event:
    return create_rated_event()


class TestCard:
    def test_each_game_has_the_change_so_far(self, event: Event) -> None:
        card = Cards(event, 1).of(1)
        assert card is not None
        rating = card.rating_card
        assert rating is not None
        # 612 points count as 400: .92; 12 points: .52. K 40: at most 18 in 2026, and under 2300.
        assert [tuple(line)[2:] for line in rating.lines] == [
            ("1", "1400", "+612", "+400", "0.92", "+0.08", "+3.20", "2200"),
            ("½", "2000", "+12", "", "0.52", "−0.02", "+2.40", "1893"),
        ]
        assert (rating.expected, rating.score, rating.gain, rating.change) == ("1.44", "1½", "+0.06", "+2.40")

    def test_page_explains_the_change(self, client: Client, event: Event) -> None:
        page = text(client, f"{OPEN}competitors/1/")
        assert "Performance rating 1893 Expected score 1.44 Rating change +2.40" in page
        for sentence in (
            "Performance rating: the rated opponents have 1700 on average, and for 1½ of 2, 75 %,",
            "the table gives +193: 1893 (FIDE B.01, 1.4.8 and 1.4.9).",
            "Rating change: +0.06 compared with the expected score, times K 40, is +2.40; rounded +2",
            "(FIDE B.02, 8.3.4).",
            "K 40 is proposed: the rating is under 2300, and a player born in 2008 was at most 18 years",
            "old in the year of the event (8.3.3).",
            "Not recorded: a published rating of 2300 or more before; K would be 20, or 10 from 2400 on.",
            "By the rules since 1 October 2025, a difference of more than 400 points counts as 400",
            "for players rated below 2650, and in full for all others (8.3.1).",
            "Rated as standard play, as the event states.",
        ):
            assert sentence in page
        assert "2008-03-01" not in page

    def test_unrecorded_conditions_of_k_are_stated(self, client: Client, event: Event) -> None:
        page = text(client, f"{OPEN}competitors/2/")
        assert "K 20 is proposed: the rating is under 2400 (8.3.3)." in page
        assert "whether fewer than 30 games were rated before; K would be 40." in page
        assert "Not recorded: the year of birth; a junior's K would be 40." in page
        assert "A game against an opponent without a rating does not count here." in page
        assert "the year of birth" not in text(client, f"{OPEN}competitors/3/")

    def test_unrated_player_has_a_performance_only(self, client: Client, event: Event) -> None:
        page = text(client, f"{OPEN}competitors/4/")
        assert "Performance rating 1893" in page
        assert "Without a rating there is no expected score and no rating change." in page
        assert "Expected score" not in page

    def test_games_without_ratings_have_no_card(self, client: Client, event: Event) -> None:
        Competitor.objects.update(rating=None)
        assert "atings" not in client.get(f"{OPEN}competitors/1/").content.decode()

    def test_draughts_have_performances_and_explain_missing_changes(self, client: Client) -> None:
        create_player_event()
        Competitor.objects.update(rating=2000)
        page = text(client, "/events/two-players/competitors/1/")
        assert "Performance rating 2800" in page
        assert "for chess only: this site does not have the FMJD's tables and coefficients (Annex 9)" in page

    def test_no_change_and_no_k_unless_the_event_states_its_kind(self, client: Client, event: Event) -> None:
        Event.objects.update(rated_as="")
        page = text(client, f"{OPEN}competitors/1/")
        assert "Performance rating 1893" in page
        assert "does not state whether its games are rated as standard, rapid or blitz" in page
        assert "does not state which rating list its ratings are from" in page
        assert not re.search(r"Rating change|Expected score|\bK \d", page)
        assert "+2.40" not in text(client, f"{OPEN}standings/?ratings=shown")
        answer = json.loads(client.get("/api/events/open/competitors/1/").content)["standing"]["rating"]
        assert (answer["performance"], answer["k"], answer["change"]) == (1893, None, None)
        assert answer["missing"] == "kind-not-stated"
        first = next(csv.DictReader(StringIO(client.get("/events/open.csv").content.decode("utf-8-sig"))))
        assert (first["performance"], first["rating change"], first["K"]) == ("1893", "", "")

    def test_ratings_of_a_local_list_give_neither_performance_nor_change(
        self, client: Client, event: Event
    ) -> None:
        Event.objects.update(ratings_from="local")
        for address in ("competitors/1/", "standings/?ratings=shown", "statistics/"):
            page = text(client, f"{OPEN}{address}")
            assert "2012" in page
            assert not re.search(r"1893|Performance|\+2\.40|expected", page.replace("no performance", ""))
        assert "The ratings are not those of FIDE or the FMJD" in page
        assert "ratings=shown" not in client.get(f"{OPEN}standings/").text
        answer = json.loads(client.get("/api/events/open/competitors/1/").content)["standing"]["rating"]
        assert (answer["performance"], answer["missing"]) == (None, "local-list")
        head = client.get("/events/open.csv").content.decode("utf-8-sig").splitlines()[0]
        assert "performance" not in head

    def test_overview_states_the_kind_and_the_list(self, client: Client, event: Event) -> None:
        Event.objects.update(rated_as="rapid", ratings_from="local", time_control="15 minutes + 10 seconds")
        page = text(client, OPEN)
        assert "Time control 15 minutes + 10 seconds" in page
        assert "Rated as rapid play Ratings from another list, such as a national one" in page

    def test_players_of_a_team(self, client: Client) -> None:
        event = create_team_event()
        Event.objects.update(start="2026-05-01", rated_as="standard")
        Player.objects.filter(name__in=("Reds 1", "Blues 1")).update(rating=2000)
        card = Cards(event, 1).of(1)
        assert card is not None
        assert [(each.name, each.change, each.rating.performance) for each in card.rating_cards] == [
            ("Reds 1", "", 2800)  # the event was read before it had a date
        ]
        page = text(client, "/events/two-teams/competitors/1/")
        assert "Ratings of the players Reds 1 · Rp 2800 · Rtg± +10.00" in page
        assert "1 Blues 1 2000 0 0.50 1 +0.50 +10.00 2800" in page


class TestTables:
    def test_standings_have_rating_columns_on_request(self, client: Client, event: Event) -> None:
        page = client.get(f"{OPEN}standings/?ratings=shown").content.decode()
        assert 'href="../competitors/1/?ratings=shown#ratings">+2.40</a>' in page
        assert [re.findall(r"[-+−]?\d+\.\d\d", line) for line in rows(page)] == [
            ["1.44", "+2.40"],
            [],  # without a rating
            ["0.48", "+0.40"],
            ["0.08", "−1.60"],
        ]
        assert "Rp Performance rating We Expected score Rtg± Rating change" in text(
            client, f"{OPEN}standings/?ratings=shown"
        )
        assert "#ratings" not in client.get(f"{OPEN}standings/").content.decode()

    def test_columns_sort_and_choices_are_carried(self, client: Client, event: Event) -> None:
        page = client.get(f"{OPEN}standings/?ratings=shown&sort=change").content.decode()
        names = [re.findall("Ann|Bea|Cas|Dov", line)[0] for line in rows(page)]
        assert names == ["Ann", "Cas", "Bea", "Dov"]
        assert "sort=expected&amp;dir=desc&amp;ratings=shown" in page

    def test_columns_after_an_earlier_round(self, client: Client, event: Event) -> None:
        page = client.get(f"{OPEN}standings/after/1/?ratings=shown").content.decode()
        assert ">+3.20</a>" in page
        assert 'href="../../../competitors/1/?ratings=shown#ratings"' in page

    def test_no_switch_without_ratings_or_for_teams(self, client: Client, event: Event) -> None:
        assert "performances" in text(client, f"{OPEN}standings/")
        Competitor.objects.update(rating=None)
        assert "performances" not in text(client, f"{OPEN}standings/")
        create_team_event()
        assert "performances" not in text(client, "/events/two-teams/standings/")

    def test_statistics(self, client: Client, event: Event) -> None:
        page = text(client, f"{OPEN}statistics/")
        assert "Ann 2012 2 1½ 75.0 1 1 0 1893 1.44 +2.40" in page
        assert "K, how fast a rating changes, is proposed from the rating and the year of birth." in page
        Event.objects.update(start="2009")
        assert "The event began before 1 July 2009" in text(client, f"{OPEN}statistics/")

    def test_columns_in_dutch(self, client: Client, event: Event) -> None:
        page = text(client, f"/nl{OPEN}competitors/1/")
        assert "+2,40" in page
        assert "K 40 is voorgesteld" in page

    def test_columns_need_no_query(
        self, client: Client, event: Event, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        client.get(f"{OPEN}standings/")
        with CaptureQueriesContext(connection) as queries:
            client.get(f"{OPEN}standings/?notation=2-0")
        with django_assert_max_num_queries(len(queries)):
            client.get(f"{OPEN}standings/?ratings=shown")


class TestFiles:
    def test_columns_of_the_csv(self, client: Client, event: Event) -> None:
        lines = list(csv.reader(StringIO(client.get("/events/open.csv").content.decode("utf-8-sig"))))
        head, first = lines[0], lines[1]
        assert head[-6:] == ["performance", "expected score", "rating change", "K", "R1", "R2"]
        assert first[-6:-2] == ["1893", "1.44", "2.40", "40"]
        assert lines[2][-6:-2] == ["1893", "", "", ""]
        Competitor.objects.update(rating=None)
        unrated = client.get("/events/open.csv").content.decode("utf-8-sig")
        assert unrated.splitlines()[0].endswith("remarks,R1,R2")

    def test_api(self, client: Client, event: Event) -> None:
        answer = json.loads(client.get("/api/events/open/competitors/1/").content)
        assert answer["standing"]["rating"] == {
            "performance": 1893,
            "average": 1700,
            "percent": 75,
            "points": "1.5",
            "expected": "1.44",
            "gain": "0.06",
            "k": 40,
            "k_proposed": 40,
            "k_because": "junior",
            "change": "2.40",
            "missing": None,
            "rules_since": "2025-10-01",
        }
        assert answer["rated_games"][0] == {
            "round": 1,
            "opponent": 2,
            "rating": 1400,
            "difference": 612,
            "counted": 400,
            "expected": "0.92",
            "points": "1",
            "gain": "0.08",
        }
        rows = json.loads(client.get("/api/events/open/standings/").content)["rows"]
        assert [row["rating"]["missing"] for row in rows] == [None, "unrated", None, None]

"""List of rounds, and links to neighbouring rounds, matches and cards."""

from html import unescape

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tests.cast import create_event_to_come, create_team_event
from tests.demo import CHENNAI, OUAGADOUGOU, record
from tournaments.models import Event, Round

pytestmark = pytest.mark.django_db


def words(page: str) -> str:
    """Return the text of a page with single spaces."""
    return " ".join(unescape(strip_tags(page)).split())


class TestListOfRounds:
    def test_each_round_has_its_leaders_and_their_score(self, client: Client) -> None:
        record(CHENNAI)
        page = words(client.get(f"{CHENNAI}rounds/").content.decode())
        assert "Round 1 92 matches 76, each with 2 Standings up to round 1" in page
        assert "Round 8 93 matches Armenia 15 Standings up to round 8" in page
        assert "Round 11 92 matches Uzbekistan 19" in page

    def test_remaining_rounds_are_stated(self, client: Client) -> None:
        create_team_event()
        create_event_to_come()
        assert "more round" in words(client.get("/events/two-teams/rounds/").content.decode())
        assert "will be here once" in client.get("/events/to-come/rounds/").content.decode()

    def test_dates_of_coming_rounds_are_shown(self, client: Client) -> None:
        event = create_event_to_come()
        Round.objects.create(event=event, number=1, date="2026-05-01", time="14:00", state="draft")
        page = words(client.get("/events/to-come/rounds/").content.decode())
        assert "Round 1 1 May 2026, 14:00" in page
        assert "8 more rounds are still to come." in page
        assert client.get("/events/to-come/rounds/1/").status_code == 404
        Event.objects.update(state="final")
        assert "1 May 2026" not in words(client.get("/events/to-come/rounds/").content.decode())

    def test_times_are_shown_with_their_zone(self, client: Client) -> None:
        create_team_event()
        Round.objects.update(date="2026-05-01", time="14:00")
        rounds, round_ = "/nl/events/two-teams/rounds/", "/events/two-teams/rounds/1/"
        assert "1 mei 2026, 14:00" in words(client.get(rounds).content.decode())
        assert "Round 1, 1 May 2026, 14:00" in words(client.get(round_).content.decode())
        Event.objects.update(time_zone="America/New_York")
        assert "Alle tijden zijn die van America/New York." in words(client.get(rounds).content.decode())
        assert "1 May 2026, 14:00 (America/New York)" in words(client.get(round_).content.decode())


@pytest.mark.parametrize(
    ("page", "before", "behind"),
    [
        ("rounds/7/", "rounds/6/", "rounds/8/"),
        ("rounds/1/", "", "rounds/2/"),
        ("rounds/9/", "rounds/8/", ""),
        ("rounds/1/2/", "rounds/1/1/", "rounds/1/3/"),
        ("rounds/1/1/", "", "rounds/1/2/"),
    ],
)
def test_rounds_and_games_link_to_their_neighbours(
    client: Client, page: str, before: str, behind: str
) -> None:
    record(OUAGADOUGOU)
    shown = client.get(f"{OUAGADOUGOU}{page}").content.decode()
    for rel, address in (("prev", before), ("next", behind)):
        assert (f'<a rel="{rel}" href="{OUAGADOUGOU}' in shown) == bool(address)
        assert not address or f'<a rel="{rel}" href="{OUAGADOUGOU}{address}"' in shown


def test_cards_link_to_the_places_above_and_below(client: Client) -> None:
    record(OUAGADOUGOU)
    first = client.get(f"{OUAGADOUGOU}competitors/1/").content.decode()
    assert 'rel="prev"' not in first
    assert '">2 Nga, Landry<span' in first


class TestByName:
    def test_each_player_has_a_line_with_table_and_opponent(self, client: Client) -> None:
        record(OUAGADOUGOU)
        page = client.get(f"{OUAGADOUGOU}rounds/9/?sort=name").content.decode()
        text = words(page.split("<tbody")[1])
        assert "1 Nga, Landry ○ 1 : 1 Ndjofang, Jean Marc" in text
        assert "1 Ndjofang, Jean Marc ● 1 : 1 Nga, Landry" in text
        names = [words(cell) for cell in page.split('<td role="cell" class="first">')[1:]]
        assert names == sorted(names, key=str.casefold)

    def test_results_are_from_the_side_of_the_player(self, client: Client) -> None:
        record(CHENNAI)
        text = words(client.get(f"{CHENNAI}rounds/7/?sort=name").content.decode().split("<tbody")[1])
        assert "1 India 3 : 1 India 3" in text
        assert "1 India 3 1 : 3 India" in text

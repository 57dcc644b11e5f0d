"""Readers see that a game is postponed or adjourned; standings count it when it has a result."""

import pytest
from django.test import Client

from tests.cast import create_team_event, stored_event, swiss_file
from tests.tournaments.recording.desk import at
from tournaments.crosstable import judge
from tournaments.event.choices import Kind
from tournaments.models import Event, Game, Pairing
from tournaments.recording.pairings.unusual import read_histories

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss() -> Event:
    """An event whose game at table 1 of round 2 is postponed."""
    event = stored_event(swiss_file())
    Pairing.objects.filter(pk=at(event, 2, 1).pk).update(delayed="postponed")
    return event


def test_pages_and_api_show_the_mark(client: Client, swiss: Event) -> None:
    pairing = at(swiss, 2, 1)
    start = f"/events/{swiss.slug}"
    assert "<small>postponed</small>" in client.get(f"{start}/rounds/2/").content.decode()
    assert "<small>postponed</small>" in client.get(f"{start}/screen/?show=pairings").content.decode()
    live = " ".join(client.get(f"{start}/live/").content.decode().split())
    assert '<span class="table">Table 1,</span> postponed</small>' in live
    assert "Postponed." in client.get(f"{start}/rounds/2/1/").content.decode()
    player = client.get(f"{start}/competitors/{pairing.first.number}/").content.decode()
    assert "postponed</a>" in player
    assert 'title="postponed" aria-label="Round 2' in client.get(f"{start}/standings/").content.decode()
    assert ' title="postponed" aria-label="Round 2' in client.get(f"{start}/crosstable/").content.decode()
    [found] = [
        each
        for each in client.get(f"/api/events/{swiss.slug}/rounds/2/").json()["pairings"]
        if each["table"] == 1
    ]
    assert (found["kind"], found["delayed"]) == ("pending", "postponed")


def test_dutch_pages_show_uitgesteld(client: Client, swiss: Event) -> None:
    assert "uitgesteld" in client.get(f"/nl/events/{swiss.slug}/rounds/2/").content.decode()


def test_only_the_pairing_screen_counts_a_draw(swiss: Event) -> None:
    first = at(swiss, 2, 1).first.number
    rows = judge(swiss).table.numbers.tolist()
    before = judge(swiss).table.totals()[rows.index(first)]
    Pairing.objects.filter(pk=at(swiss, 2, 1).pk).update(delayed="")
    assert judge(swiss).table.totals()[rows.index(first)] == before
    Pairing.objects.filter(pk=at(swiss, 2, 1).pk).update(delayed="adjourned")
    past = read_histories(swiss, 3)[first]
    assert past.pairing_score - past.points == swiss.game_draw


def test_board_of_a_match_shows_the_mark(client: Client) -> None:
    teams = create_team_event()
    game = Game.objects.order_by("board")[0]
    Game.objects.filter(pk=game.pk).update(
        kind=Kind.PENDING, delayed="adjourned", first_score=None, second_score=None
    )
    round_, table = game.pairing.round.number, game.pairing.table
    page = client.get(f"/events/{teams.slug}/rounds/{round_}/{table}/").content.decode()
    assert '<span class="title">adjourned</span>' in page

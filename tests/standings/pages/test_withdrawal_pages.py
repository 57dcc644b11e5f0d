"""Withdrawals from a round robin on pages of pairings, which show the results as counted."""

import pytest
from django.test import Client

from tests.cast import create_player_event
from tests.markup import markup_of
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event() -> Event:
    """Four players in three rounds; Ann beat Bea in round 1, and round 3 is not played yet."""
    event = create_player_event()
    Event.objects.filter(pk=event.pk).update(planned_rounds=3, state=Event.State.LIVE)
    for number, name in ((3, "Cor"), (4, "Dan")):
        Competitor.objects.create(event=event, number=number, name=name)
    players = {each.number: each for each in Competitor.objects.filter(event=event)}
    first = Round.objects.get(event=event, number=1)
    for number, pairs in enumerate((((3, 4),), ((1, 3), (2, 4)), ((1, 4), (2, 3))), start=1):
        found = first if number == 1 else Round.objects.create(event=event, number=number, state="closed")
        played = {"kind": Kind.PLAYED, "first_score": 4, "second_score": 0} if number < 3 else {}
        for table, (one, other) in enumerate(pairs, start=2 if number == 1 else 1):
            Pairing.objects.create(
                round=found, table=table, first=players[one], second=players[other], **played
            )
    return event


def withdrawn(client: Client, after: int, page: str) -> str:
    """Return a page of the event after Bea withdrew after that round."""
    Competitor.objects.filter(number=2).update(withdrawn_after=after)
    return markup_of(client.get(f"/events/two-players/{page}"))


@pytest.mark.parametrize("page", ["rounds/1/1/", "rounds/1/", "competitors/1/", "competitors/2/"])
def test_annulled_game_is_struck_out_and_explained(event: Event, client: Client, page: str) -> None:
    told = withdrawn(client, 1, page)
    assert "annulled" in told.split("<table")[1].split("</table>")[0]
    of_the_game = page == "rounds/1/1/"
    assert ("Annulled after a withdrawal: it does not count." in told) == of_the_game
    assert ("struck out: annulled" in told) != of_the_game


@pytest.mark.parametrize("page", ["rounds/1/1/", "rounds/1/", "competitors/1/"])
def test_counted_game_is_not_struck_out(event: Event, client: Client, page: str) -> None:
    told = withdrawn(client, 3, page)
    assert "nnulled" not in told


def test_games_after_a_withdrawal_are_forfeits(event: Event, client: Client) -> None:
    told = withdrawn(client, 2, "rounds/3/2/")
    assert ">- : +</th>" in told
    assert "Decided by forfeit, after a withdrawal." in told
    assert "Not yet played" not in told
    told = withdrawn(client, 2, "rounds/3/")
    assert '<b class="x">-</b> <span>:</span> <b class="x">+</b>' in told
    assert "1 result still to come" in told

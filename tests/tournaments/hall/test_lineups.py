"""The form of a captain, used by captains and by attackers."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.signing import Signer
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_account, match_file, stored_event
from tests.tournaments.recording.desk import at, round_of
from tournaments.hall.links import CAPTAIN, GAME, captain_address
from tournaments.models import Event, LineupCall, LineupSent, Player
from tournaments.recording.teams import from_captains
from tournaments.recording.teams.from_captains import call_lineups, links_in, renew_link
from tournaments.recording.teams.lineups import BoardSeats, line_up

pytestmark = pytest.mark.django_db

NOT_FOUND, GONE, REFUSED, TOO_MANY = 404, 410, 409, 429


@pytest.fixture
def account(db: None) -> User:
    return create_account("anna")


@pytest.fixture
def match(account: User) -> Event:
    """Return two teams of four on three boards, whose captains have links."""
    event = stored_event(match_file())
    for team in event.competitors.all():
        for board in range(1, 5):
            Player.objects.create(competitor=team, board=board, name=f"{team.name} {board}")
    call_lineups(round_of(event, 1), timezone.now() + timedelta(minutes=30), "", account)
    return event


def link(event: Event, team: int = 1) -> str:
    found = next(each for each in links_in(round_of(event, 1)).values() if each.team.number == team)
    return captain_address(RequestFactory().get("/"), found).removeprefix("http://testserver")


def form(event: Event, *boards: int, team: int = 1, seen: int = 0) -> dict[str, Any]:
    """Return form data with these players of a team, by board."""
    keys = dict(
        Player.objects.filter(competitor__event=event, competitor__number=team).values_list("board", "pk")
    )
    seated = {f"board-{at}": keys[board] for at, board in enumerate(boards, start=1)}
    return {**seated, "seen": seen}


def words(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_form_begins_with_the_order_of_the_roster(client: Client, match: Event) -> None:
    page = client.get(link(match))

    assert [each["chosen"] for each in page.context["boards"]] == [
        each.pk for each in Player.objects.filter(competitor__number=1)[:3]
    ]
    assert [each["colour"] for each in page.context["boards"]] == ["white", "black", "white"]
    assert "Blues" in page.content.decode()
    assert "Blues 1" not in page.content.decode()


def test_form_begins_with_the_order_of_the_last_round_on_request(
    client: Client, match: Event, account: User
) -> None:
    keys = list(Player.objects.filter(competitor__number=1).values_list("pk", flat=True))
    line_up(at(match, 1, 1), [BoardSeats(1, 0, keys[1]), BoardSeats(2, 0, keys[3])], account)
    second = match.rounds.create(number=2, state="published")
    teams = list(match.competitors.order_by("number"))
    second.pairings.create(table=1, first=teams[1], second=teams[0])
    call_lineups(round_of(match, 2), timezone.now() + timedelta(minutes=30), "", account)
    found = next(each for each in links_in(second).values() if each.team.number == 1)
    address = captain_address(RequestFactory().get("/"), found).removeprefix("http://testserver")

    page = client.get(f"{address}?order=last")
    assert [each["chosen"] for each in page.context["boards"]] == [keys[1], keys[3], None]
    assert [each["colour"] for each in page.context["boards"]] == ["black", "white", "black"]


def test_sent_lineup_is_shown_to_its_team_and_can_be_changed(client: Client, match: Event) -> None:
    assert client.post(link(match), form(match, 1, 2, 4)).status_code == 302
    page = words(client, link(match))
    assert "<li>Reds 4</li>" in page
    assert "Reds 4" not in words(client, link(match, 2))
    client.post(link(match), form(match, 1, 3, 4, seen=1))

    assert list(LineupSent.objects.values_list("number", "network")) == [
        (1, "127.0.0.0/24"),
        (2, "127.0.0.0/24"),
    ]


def test_public_pages_omit_sent_lineups(client: Client, match: Event) -> None:
    path = f"/events/{match.slug}/rounds/1/1/"
    before = words(client, path)
    client.post(link(match), form(match, 1, 2, 4))

    assert words(client, path) == before
    assert not at(match, 1, 1).games.exists()


@pytest.mark.parametrize("boards", [(), (1, 1), (2, 1)])
def test_refused_lineup_stays_in_the_form_with_the_reason(
    client: Client, match: Event, boards: tuple[int, ...]
) -> None:
    answer = client.post(link(match), form(match, *boards))

    assert answer.status_code == REFUSED
    assert answer.context["refusal"]
    assert [each["chosen"] for each in answer.context["boards"]][: len(boards)] == [
        *form(match, *boards).values()
    ][:-1]


def test_form_takes_a_fixed_number_of_queries(
    client: Client, match: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = link(match)
    with django_assert_num_queries(6):
        client.get(address)


class TestMisuse:
    def test_a_forged_link_costs_no_query(
        self, client: Client, match: Event, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        said = link(match).split("/")[3].partition(":")[0]
        forged = [f"{said}:x", Signer(salt=GAME).sign(said), said, Signer(salt=CAPTAIN).sign("1")]
        for token in forged:
            with django_assert_num_queries(0):
                answer = client.post(f"/hall/line-up/{token}", {"seen": 0})
            assert answer.status_code == NOT_FOUND

    def test_link_of_a_team_cannot_send_the_lineup_of_another(self, client: Client, match: Event) -> None:
        assert client.post(link(match, 1), form(match, 1, 2, 3, team=2)).status_code == REFUSED
        assert not LineupSent.objects.exists()

    def test_revoked_link_shows_no_form_and_no_name(
        self, client: Client, match: Event, account: User
    ) -> None:
        old, team = link(match), match.competitors.get(number=1)
        renew_link(round_of(match, 1), team.pk, account)
        answer = client.post(old, form(match, 1, 2, 3))

        assert answer.status_code == GONE
        assert "Reds" not in answer.content.decode()
        assert client.get(link(match)).status_code == 200

    def test_lineup_after_the_deadline_is_refused(self, client: Client, match: Event) -> None:
        LineupCall.objects.update(due=timezone.now())

        assert client.post(link(match), form(match, 1, 2, 3)).status_code == GONE
        assert not LineupSent.objects.exists()

    def test_too_many_requests_have_to_wait(
        self, client: Client, match: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(from_captains, "MOST_A_MINUTE", 1)
        client.post(link(match), form(match, 1, 2, 3))
        answer = client.post(link(match, 2), form(match, 1, 2, 3, team=2))

        assert (answer.status_code, answer["Retry-After"]) == (TOO_MANY, "60")

    @pytest.mark.parametrize("value", ["-1", "9" * 50, "x", "٣", "9223372036854775807"])
    def test_invalid_form_data_is_refused(self, client: Client, match: Event, value: str) -> None:
        posted = {f"board-{board}": value for board in (1, 2, 3)} | {"seen": value}

        assert client.post(link(match), posted).status_code == REFUSED

    def test_form_is_not_cached(self, client: Client, match: Event) -> None:
        answer = client.get(link(match))

        assert "no-store" in answer["Cache-Control"]
        assert (answer["Referrer-Policy"], "noindex" in answer["X-Robots-Tag"]) == ("no-referrer", True)
        assert not answer.cookies

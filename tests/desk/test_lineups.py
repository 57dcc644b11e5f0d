"""The line-ups of a round on a single screen, and the captains' links."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.cast import browser_of, match_file, stored_event
from tests.tournaments.recording.desk import at, round_of, typed
from tournaments.models import CaptainLink, Event, Game, LineupCall, LineupSent, Player, Round
from tournaments.recording.results.submissions import enter
from tournaments.recording.teams.lineups import BoardSeats, line_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(anna: User) -> Client:
    return browser_of(anna)


@pytest.fixture
def league(db: None) -> Event:
    """Return four teams with five players each, in two matches on three boards."""
    data = match_file()
    data["competitors"] += [{"number": 3, "name": "Greens", "code": "GRN"}, {"number": 4, "name": "Greys"}]
    data["rounds"][0]["pairings"] += [{"table": 2, "first": 3, "second": 4, "kind": "pending"}]
    for each in data["competitors"]:
        each["players"] = [{"board": board, "name": f"{each['name']} {board}"} for board in range(1, 6)]
    return stored_event(data)


def address(event: Event, name: str = "round-line-ups") -> str:
    return reverse(f"admin:{name}", args=[event.pk, 1])


def sides(page: Any) -> list[Any]:
    return [side for match in page.context["matches"] for side in match.sides]


def filled(page: Any, **texts: str) -> dict[str, str]:
    """Return the form values, with other orders for some teams."""
    posted = {f"seen-{match.match.pk}": match.seen for match in page.context["matches"]}
    return posted | {f"order-{side.name}": texts.get(side.team.name, side.text) for side in sides(page)}


def seated(event: Event, table: int = 1) -> list[tuple[str, str]]:
    rows = Game.objects.filter(pairing=at(event, 1, table)).select_related("first_player", "second_player")
    return [(str(row.first_player or ""), str(row.second_player or "")) for row in rows.order_by("board")]


class TestAllMatches:
    def test_line_ups_come_before_results(self, league: Event, client: Client) -> None:
        desk = reverse("admin:event-desk", args=[league.pk])
        assert client.get(desk).context["steps"].button.label == "Enter the line-ups"
        client.post(address(league), filled(client.get(address(league))))
        assert client.get(desk).context["steps"].button.label == "Enter results"

    def test_roster_order_is_preselected_and_saved(self, league: Event, client: Client) -> None:
        page = client.get(address(league))
        assert [side.text for side in sides(page)] == ["123"] * 4
        answer = client.post(address(league), filled(page, Reds="125", Greys="-45"))

        assert answer.status_code == 302
        assert seated(league) == [("Reds 1", "Blues 1"), ("Reds 2", "Blues 2"), ("Reds 5", "Blues 3")]
        assert seated(league, 2) == [("Greens 1", ""), ("Greens 2", "Greys 4"), ("Greens 3", "Greys 5")]

    def test_wrong_order_blocks_only_its_match(self, league: Event, client: Client) -> None:
        page = client.get(address(league))
        again = client.post(address(league), filled(page, Reds="132"))
        [red] = [side for side in sides(again) if side.fault]

        assert "sits above" in red.fault
        assert (seated(league), len(seated(league, 2))) == ([], 3)
        client.post(address(league), filled(again) | {f"anyway-{red.name}": "1"})
        assert [first for first, _second in seated(league)] == ["Reds 1", "Reds 3", "Reds 2"]

    def test_other_matches_can_be_saved_again_after_a_wrong_order(
        self, league: Event, client: Client
    ) -> None:
        again = client.post(address(league), filled(client.get(address(league)), Reds="132"))
        answer = client.post(address(league), filled(again, Reds="123", Greens="125"))
        assert answer.status_code == 302
        assert [first for first, _second in seated(league, 2)] == ["Greens 1", "Greens 2", "Greens 5"]

    def test_players_move_up_for_absent_players(self, league: Event, client: Client) -> None:
        absent = Player.objects.filter(name__in=("Reds 2", "Reds 3", "Greys 1")).values_list("pk", flat=True)
        typed = filled(client.get(address(league)), Blues="125")
        page = client.post(address(league), typed | {"fill": "1", "absent": list(absent)})
        assert [side.text for side in sides(page)] == ["145", "125", "123", "234"]
        assert page.content.count(b" checked") == 3
        assert not seated(league)

    def test_typed_order_stays_without_the_absent_players(self, league: Event, client: Client) -> None:
        absent = Player.objects.filter(name__in=("Reds 2", "Blues 2", "Greys 2")).values_list("pk", flat=True)
        typed = filled(client.get(address(league)), Reds="214", Blues="Blues 3, who", Greys="")
        page = client.post(address(league), typed | {"fill": "1", "absent": list(absent)})
        assert [side.text for side in sides(page)] == ["145", "Blues 3, who", "123", "134"]

    def test_match_form_begins_with_the_first_players(self, league: Event, client: Client) -> None:
        form = reverse("admin:results-line-up", args=[league.pk, 1, 1])
        reds, blues = ([player.pk for player in team.players.all()] for team in league.competitors.all()[:2])
        chosen = [(seat["chosen"].first, seat["chosen"].second) for seat in client.get(form).context["seats"]]
        assert chosen == list(zip(reds[:3], blues[:3], strict=True))
        client.post(address(league), filled(client.get(address(league)), Reds="5"))
        chosen = [(seat["chosen"].first, seat["chosen"].second) for seat in client.get(form).context["seats"]]
        assert chosen == [(reds[4], blues[0]), (None, blues[1]), (None, blues[2])]

    def test_match_form_marks_preselected_players_as_not_saved(self, league: Event, client: Client) -> None:
        form = reverse("admin:results-line-up", args=[league.pk, 1, 1])
        assert [seat["note"] for seat in client.get(form).context["seats"]] == ["Not saved yet."] * 3
        client.post(address(league), filled(client.get(address(league))))
        assert [seat["note"] for seat in client.get(form).context["seats"]] == [""] * 3

    @pytest.mark.parametrize("state", ["published", "closed"])
    def test_match_form_preselects_no_players_after_the_match(
        self, league: Event, client: Client, state: str
    ) -> None:
        if state == "published":
            at(league, 1, 1).games.create(board=1, kind="played", first_score=2, second_score=0)
        league.rounds.update(state=state)
        page = client.get(reverse("admin:results-line-up", args=[league.pk, 1, 1]))
        seats = [
            (seat["chosen"].first, seat["chosen"].second, seat["note"]) for seat in page.context["seats"]
        ]
        assert seats == [(None, None, "")] * 3

    def test_confirmed_order_is_not_asked_again(self, league: Event, client: Client) -> None:
        page = client.get(address(league))
        red = sides(page)[0]
        client.post(address(league), filled(page, Reds="132") | {f"anyway-{red.name}": "1"})
        page = client.get(address(league))

        assert client.post(address(league), filled(page, Blues="124")).status_code == 302

    def test_free_board_order_allows_any_order(self, league: Event, client: Client) -> None:
        Event.objects.update(board_order="free")

        assert (
            client.post(address(league), filled(client.get(address(league)), Reds="321")).status_code == 302
        )

    def test_conflict_blocks_only_its_match(self, league: Event, client: Client, anna: User) -> None:
        page = client.get(address(league))
        key = Player.objects.get(name="Reds 4").pk
        line_up(at(league, 1, 1), [BoardSeats(1, 0, key)], anna)
        again = client.post(address(league), filled(page))
        [conflict] = [match for match in again.context["matches"] if match.fault]

        assert "anna" in conflict.fault
        assert seated(league) == [("Reds 4", "")]
        assert len(seated(league, 2)) == 3

    def test_line_up_keeps_result_and_colours(self, league: Event, client: Client) -> None:
        at(league, 1, 1).games.create(board=1, kind="played", first_score=2, second_score=0, white="second")
        client.post(address(league), filled(client.get(address(league))))
        game = Game.objects.get(pairing=at(league, 1, 1), board=1)

        assert (game.first_score, game.white, str(game.first_player)) == (2, "second", "Reds 1")

    def test_pasted_block_fills_fields_and_stores_no_line_up(self, league: Event, client: Client) -> None:
        block = "Reds: 1 2 5\n2;blues 3, blues 4\ngrn\t2-3\nNobody: 1\nline"
        page = client.post(address(league), {"read": "1", "block": block})

        assert [side.text for side in sides(page)] == ["1 2 5", "blues 3, blues 4", "2-3", "123"]
        assert [side.names[:1] for side in sides(page)[:2]] == [["Reds 1"], ["Blues 3"]]
        assert len(page.context["faults"]) == 2
        assert not Game.objects.exists()

    def test_closed_round_needs_reason(self, league: Event, client: Client) -> None:
        league.rounds.update(state="closed")
        page = client.get(address(league))
        again = client.post(address(league), filled(page))
        assert all("reason" in match.fault for match in again.context["matches"])

        assert client.post(address(league), filled(page) | {"reason": "A slip of paper."}).status_code == 302

    def test_pairings_page_shows_state_of_line_ups(
        self, league: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        page = client.get(address(league))
        client.post(address(league), filled(page))
        Game.objects.filter(pairing__table=1).update(second_player=None)
        with django_assert_num_queries(18):
            table = client.get(address(league, "round-pairings")).content.decode()

        told = re.findall(rf'<a href="{address(league)}">((?:both|saved) .*?)</a>', table)
        assert told == ["saved – missing", "both saved"]

    def test_line_ups_have_bounded_queries(
        self, league: Event, client: Client, django_assert_max_num_queries: Any
    ) -> None:
        client.get(address(league))
        with django_assert_max_num_queries(17):
            client.get(address(league))


class TestCaptains:
    def act(self, client: Client, event: Event, **posted: Any) -> Any:
        call = LineupCall.objects.first()
        seen = call.due.isoformat() if call else ""
        return client.post(address(event, "round-captains"), {"seen": seen, **posted})

    def test_every_team_has_link_and_qr_code(self, league: Event, client: Client) -> None:
        assert self.act(client, league, act="call", minutes="30").status_code == 302
        page = client.get(address(league, "round-captains"))
        teams = page.context["teams"]

        assert [each["team"].name for each in teams] == ["Reds", "Blues", "Greens", "Greys"]
        assert all(each["address"].startswith("http://testserver/hall/line-up/") for each in teams)
        assert all(Client().get(each["address"]).status_code == 200 for each in teams)
        assert page.content.count(b"<svg") >= 4

    @pytest.mark.parametrize(
        ("changed", "told"),
        [
            (lambda: Round.objects.update(state="draft"), "Publish the pairings first."),
            (lambda: Round.objects.update(state="closed"), "Round 1 is closed, so no link works."),
            (lambda: Event.objects.update(state="final"), "The event is not live, so no link works."),
            (lambda: LineupCall.objects.update(due=timezone.now()), "no link works any more"),
        ],
    )
    def test_links_that_do_not_work_are_not_shown(
        self, league: Event, client: Client, changed: Callable[[], object], told: str
    ) -> None:
        self.act(client, league, act="call", minutes="30")
        [first, *_] = client.get(address(league, "round-captains")).context["teams"]
        changed()
        page = client.get(address(league, "round-captains"))
        assert told in page.content.decode()
        assert not any(each["address"] or each["picture"] for each in page.context["teams"])
        assert b"Make another link" not in page.content
        assert Client().get(first["address"]).status_code == 410

    def test_result_ends_only_the_links_of_its_match(self, league: Event, client: Client, anna: User) -> None:
        self.act(client, league, act="call", minutes="30")
        before = client.get(address(league, "round-captains")).context["teams"]
        enter(league, [typed(at(league, 1, 1), "1-0", 1)], anna)
        page = client.get(address(league, "round-captains"))
        assert [bool(each["address"]) for each in page.context["teams"]] == [False, False, True, True]
        assert page.content.count(b"This match has a result, so its links do not work.") == 2
        assert [Client().get(each["address"]).status_code for each in before] == [410, 410, 200, 200]

    def test_link_can_be_revoked_and_renewed(self, league: Event, client: Client) -> None:
        self.act(client, league, act="call", minutes="30")
        [first, *_] = client.get(address(league, "round-captains")).context["teams"]
        self.act(client, league, act="revoke", team=first["team"].pk)
        assert Client().get(first["address"]).status_code == 410
        self.act(client, league, act="renew", team=first["team"].pk)
        [again, *_] = client.get(address(league, "round-captains")).context["teams"]

        assert again["address"] != first["address"]
        assert Client().get(again["address"]).status_code == 200

    def test_sent_line_up_is_preselected_after_deadline(self, league: Event, client: Client) -> None:
        self.act(client, league, act="call", minutes="30")
        reds, blues = league.competitors.order_by("number")[:2]
        keys = list(Player.objects.filter(competitor=reds, board__in=(1, 3, 5)).values_list("pk", flat=True))
        LineupSent.objects.create(
            round=round_of(league, 1), team=reds, opponent=blues, number=1, players=keys, network=""
        )
        assert sides(client.get(address(league)))[0].text == "123"
        assert sides(client.get(address(league)))[0].orders["sent"] == "135"
        self.act(client, league, act="end")
        page = client.get(address(league))
        assert sides(page)[0].text == "135"
        client.post(address(league), filled(page))

        assert [first for first, _second in seated(league)] == ["Reds 1", "Reds 3", "Reds 5"]

    @pytest.mark.parametrize(
        "posted",
        [
            {"act": "call", "minutes": "0"}, {"act": "call", "minutes": "9" * 40},
            {"act": "renew", "team": "0"}, {"act": "?"}, {},
            {"act": "call", "minutes": "30", "seen": "2026-01-01"},
        ],
    )  # fmt: skip
    def test_invalid_action_is_refused(self, league: Event, client: Client, posted: dict[str, str]) -> None:
        answer = client.post(address(league, "round-captains"), {"seen": "", **posted})

        assert answer.context["refusal"]
        assert not CaptainLink.objects.exists()

    def test_individual_event_has_no_captains(self, swiss: Event, client: Client) -> None:
        assert client.get(address(swiss, "round-captains")).status_code == 404

    def test_stale_deadline_is_refused(self, league: Event, client: Client) -> None:
        self.act(client, league, act="call", minutes="30")
        LineupCall.objects.update(due=timezone.now() + timedelta(hours=1))
        seen = (timezone.now() + timedelta(minutes=30)).isoformat()
        answer = self.act(client, league, act="end", seen=seen)

        assert "anna" in answer.context["refusal"]

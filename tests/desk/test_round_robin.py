"""A round robin at the desk: the schedule, numbers drawn by lot, and withdrawals (rules.md, section 1)."""

from typing import Any

import pytest
from django.db.models import Q
from django.test import Client
from django.urls import reverse

from tests.cast import Hall, open_round_robin
from tests.markup import markup_of
from tournaments.event.checks import check_document
from tournaments.models import Competitor, Event, Pairing
from tournaments.recording.events.publication import publish
from tournaments.recording.refusal import Refused
from tournaments.stored import load

pytestmark = pytest.mark.django_db


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def play(hall: Hall, *rounds: int) -> None:
    """Draw all games of these rounds without number 8."""
    rows = Pairing.objects.filter(round__event=hall.event, round__number__in=rounds, second__isnull=False)
    rows.exclude(first__number=8).exclude(second__number=8).update(
        kind="played", first_score=2, second_score=2
    )


@pytest.fixture
def hall() -> Hall:
    """Eight players with a schedule of seven rounds, without results."""
    hall = open_round_robin(8)
    hall.post("event-schedule", replacing=0)
    return hall


def win_games_of_8(hall: Hall, last: int) -> None:
    gone = hall.event.competitors.get(number=8)
    games = Pairing.objects.filter(round__event=hall.event, round__number__lte=last)
    games.filter(first=gone).update(kind="played", first_score=4, second_score=0)
    games.filter(second=gone).update(kind="played", first_score=0, second_score=4)


def withdraw(hall: Hall, after: int) -> Any:
    """Let number 8 win until that round, and withdraw by the form. Return the form and the answer."""
    win_games_of_8(hall, after)
    page = hall.get("event-participation", 8)
    return page, hall.browser.post(
        hall.address("event-participation", 8), {"seen": 1, "withdraw": "", "after": after}
    )


def save_withdrawal(hall: Hall, after: str) -> Any:
    """Save `withdrawn_after` of number 8 in the form of the competitor."""
    row = hall.event.competitors.get(number=8)
    data = {"number": 8, "name": row.name, "seen": row.version, "withdrawn_after": after}
    return hall.browser.post(reverse("admin:tournaments_competitor_change", args=[row.pk]), data)


def test_schedule_seats_a_competitor_at_the_fixed_table_in_every_round() -> None:
    hall = open_round_robin(8)
    hall.event.competitors.filter(number=2).update(fixed_table=3)
    hall.post("event-schedule", replacing=0)
    rows = Pairing.objects.filter(Q(first__number=2) | Q(second__number=2), round__event=hall.event)
    assert [row.table for row in rows] == [3] * 7
    assert {*Pairing.objects.values_list("table", flat=True)} == {1, 2, 3, 4}


class TestWithdrawals:
    def test_form_offers_every_round_since_the_last_played(self, hall: Hall) -> None:
        page, done = withdraw(hall, 2)
        assert list(page.context["rounds"]) == [2, 3, 4, 5, 6]
        assert '<option value="2">2</option>' in text_of(page)
        assert "Rounds that are still to be paired" not in text_of(page)
        assert done.status_code == 302
        assert Competitor.objects.get(number=8).withdrawn_after == 2

    def test_player_without_a_game_can_withdraw(self, hall: Hall) -> None:
        withdraw(hall, 0)
        assert Competitor.objects.get(number=8).withdrawn_after == 0

    def test_player_with_a_result_in_the_last_round_cannot_withdraw(self, hall: Hall) -> None:
        page, _done = withdraw(hall, 7)
        assert 'name="withdraw"' not in text_of(page)

    @pytest.mark.parametrize(
        ("after", "effect", "decided"),
        [
            (2, "With 2 of 7 games played all results of Player 8 are annulled.", "annulled"),
            (5, "With 5 of 7 games played the others are lost by forfeit.", "decided by forfeit"),
        ],
    )
    def test_effect_is_shown_before_and_after_and_no_result_is_written(
        self, hall: Hall, after: int, effect: str, decided: str
    ) -> None:
        page, _done = withdraw(hall, after)
        assert effect in text_of(page)
        shown = text_of(hall.get("event-participation", 8))
        assert f"Player 8 has withdrawn after round {after}." in shown
        assert shown.count(effect) == 2  # the message, and the screen
        later = Pairing.objects.filter(round__number__gt=after)
        assert set(later.values_list("kind", flat=True)) == {"pending"}
        results = text_of(hall.get("results", 7))
        assert f"Player 4 against Player 8, {decided}" in results or (
            f"Player 8 against Player 4, {decided}" in results
        )
        assert results.count("<tr data-line") == 3

    def test_no_slip_is_printed_for_a_game_decided_by_a_withdrawal(self, hall: Hall) -> None:
        withdraw(hall, 5)
        address = reverse("round-printout", args=[hall.event.pk, 7, "slips"])
        slips = text_of(hall.browser.get(address))
        assert "Player 8" not in slips
        assert "Player 7" in slips

    @pytest.mark.parametrize("after", [2, 5])
    def test_games_of_a_withdrawn_player_need_no_results(self, hall: Hall, after: int) -> None:
        withdraw(hall, after)
        play(hall, *range(1, 8))
        assert (
            "missing" not in text_of(hall.get("event-rounds")).split("Last backups")[0].split("</thead>")[1]
        )
        assert "The checks found no problems." in text_of(hall.get("round-close", 7))
        assert not [each for each in check_document(load(hall.event.slug)) if "withdr" in each.code]
        hall.post("event-rounds-close")
        assert set(hall.event.rounds.values_list("state", flat=True)) == {"closed"}
        publish(hall.event, Event.State.FINAL, hall.people["anna"])

    def test_game_before_the_withdrawal_still_needs_its_result(self, hall: Hall) -> None:
        withdraw(hall, 5)
        Pairing.objects.filter(round__number=4, table=1).update(
            kind="pending", first_score=None, second_score=None
        )
        play(hall, *range(1, 8))
        assert [each.number for each in hall.get("event-rounds").context["rounds"] if each.missing] == [4]
        with pytest.raises(Refused, match="Round 4, table 1"):
            publish(hall.event, Event.State.FINAL, hall.people["anna"])

    def test_forfeits_are_not_counted_as_played(self, hall: Hall) -> None:
        """As the engine counts: three played games and a win by forfeit are fewer than half of seven."""
        win_games_of_8(hall, 3)
        Pairing.objects.filter(round__number=4, first__number=8).update(
            kind="forfeit", first_score=4, second_score=0
        )
        assert "With 3 of 7 games played all results" in text_of(hall.get("event-participation", 8))

    @pytest.mark.parametrize(
        ("rule", "effect"), [("forfeit", "lost by forfeit"), ("annul", "of Player 5 are annulled")]
    )
    def test_exactly_half_follows_the_rule_of_the_event(self, rule: str, effect: str) -> None:
        hall = open_round_robin(5)
        Event.objects.update(withdrawal_at_half=rule)
        hall.post("event-schedule", replacing=0)
        five = hall.event.competitors.get(number=5)
        rows = Pairing.objects.filter(round__number__lte=2)
        for side in ("first", "second"):
            rows.filter(**{side: five}, second__isnull=False).update(
                kind="played", first_score=2, second_score=2
            )
        assert effect in text_of(hall.get("event-participation", 5))

    def test_return_makes_the_results_necessary_again(self, hall: Hall) -> None:
        withdraw(hall, 2)
        answer = hall.browser.post(hall.address("event-participation", 8), {"seen": 2, "return": ""})
        assert "The games after round 2 need results again." in text_of(hall.browser.get(answer["Location"]))
        assert "<h2>Decided by a withdrawal" not in text_of(hall.get("results", 7))

    @pytest.mark.parametrize(
        ("closed", "rounds"),
        [([5], "again first: 5."), ([4, 5, 7], "again first: 4, 5, 7.")],
    )
    def test_player_cannot_return_while_later_rounds_are_closed(
        self, hall: Hall, closed: list[int], rounds: str
    ) -> None:
        withdraw(hall, 3)
        hall.event.rounds.filter(number__in=[1, *closed]).update(state="closed")
        for answer in (
            hall.browser.post(hall.address("event-participation", 8), {"seen": 2, "return": ""}),
            save_withdrawal(hall, ""),
            save_withdrawal(hall, "6"),
            hall.browser.post(
                hall.address("event-participation", 8), {"seen": 2, "withdraw": "", "after": 6}
            ),
        ):
            text = text_of(answer)
            assert "The games of Player 8 would need results. Open these closed rounds again first: " in text
        assert rounds in text_of(save_withdrawal(hall, ""))
        assert hall.event.competitors.get(number=8).withdrawn_after == 3
        hall.event.rounds.update(state="published")
        assert save_withdrawal(hall, "").status_code == 302
        assert hall.event.competitors.get(number=8).withdrawn_after is None

    def test_withdrawal_can_move_before_a_closed_round_or_while_the_opponent_is_gone(
        self, hall: Hall
    ) -> None:
        withdraw(hall, 3)
        hall.event.rounds.filter(number__in=[1, 2, 3, 7]).update(state="closed")
        assert save_withdrawal(hall, "6").status_code == 302
        last = Pairing.objects.get(Q(first__number=8) | Q(second__number=8), round__number=7)
        assert last.second
        opponent = last.second if last.first.number == 8 else last.first
        Competitor.objects.filter(pk=opponent.pk).update(withdrawn_after=6)
        assert save_withdrawal(hall, "").status_code == 302


@pytest.mark.parametrize(
    ("after", "result", "cell"),
    [
        (2, '<b class="n annulled">–</b> <span>:</span> <b class="n annulled">–</b>', "annulled"),
        (5, '<b class="x">+</b> <span>:</span> <b class="x">-</b>', "won by forfeit"),
    ],
)
def test_public_pages_show_games_after_a_withdrawal(hall: Hall, after: int, result: str, cell: str) -> None:
    withdraw(hall, after)
    play(hall, *range(1, 8))
    last = " ".join(hall.page("rounds/7/").split())
    assert result in last
    assert "still to come" not in last
    assert "Not yet played" not in hall.page("rounds/7/1/")
    assert f"Round 7, white against Player 8, {cell}" in markup_of(
        Client().get(f"/events/{hall.event.slug}/crosstable/")
    )
    assert "No result is awaited at the moment." in hall.page("live/")
    rounds = Client().get(reverse("api-event", args=[hall.event.slug])).json()["rounds"]
    assert {each["awaited"] for each in rounds} == {0}

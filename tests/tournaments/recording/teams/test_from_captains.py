"""Line-ups sent by a captain's link, for a team in a round, until the deadline."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.tournaments.recording.desk import at, round_of
from tournaments.models import CaptainLink, Event, LineupCall, LineupSent, Pairing, Player, Round
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.from_players import TooMany
from tournaments.recording.teams import from_captains
from tournaments.recording.teams.board_orders import TeamRoster, team_rosters
from tournaments.recording.teams.from_captains import (
    MOST_OF_A_TEAM,
    CaptainsMatch,
    call_lineups,
    end_call,
    lineups_sent_in,
    links_in,
    match_of,
    matches_by_table,
    renew_link,
    revoke_link,
    send_lineup,
)

pytestmark = pytest.mark.django_db

HERE = "192.0.2.0/24"


@pytest.fixture
def match(match: Event, arbiter: User) -> Event:
    """Two teams of four players for three boards; the captains have 30 minutes."""
    for team in match.competitors.all():
        for board in range(1, 5):
            Player.objects.create(competitor=team, board=board, name=f"{team.name} {board}")
    call_lineups(round_of(match, 1), timezone.now() + timedelta(minutes=30), "", arbiter)
    return match


def link(event: Event, team: int = 1) -> CaptainLink:
    return next(each for each in links_in(round_of(event, 1)).values() if each.team.number == team)


def of(event: Event, team: int = 1) -> tuple[CaptainsMatch, TeamRoster]:
    """Return the match of a team as opened by its link, and its roster."""
    found = match_of(link(event, team).pk, link(event, team).key)
    assert found
    return found, team_rosters(event, [found.link.team_id])[found.link.team_id]


def send(event: Event, text: str, seen: int = 0, team: int = 1, network: str = HERE) -> LineupSent:
    case, roster = of(event, team)
    return send_lineup(case, roster, roster.read(text, 3).order, seen, network)


def test_every_team_of_the_round_has_a_link(match: Event) -> None:
    assert sorted(each.team.number for each in links_in(round_of(match, 1)).values()) == [1, 2]
    assert len({each.key for each in CaptainLink.objects.all()}) == 2


def test_a_sent_line_up_does_not_change_the_match(match: Event) -> None:
    row = send(match, "124")
    roster = of(match)[1]

    assert (row.number, roster.text(tuple(row.players)), row.opponent.name) == (1, "124", "Blues")
    assert not at(match, 1, 1).games.exists()


def test_the_last_line_up_counts_and_duplicates_are_stored_once(match: Event) -> None:
    send(match, "124")
    again = send(match, "134", seen=1)
    send(match, "134", seen=1)
    sent = lineups_sent_in(round_of(match, 1), matches_by_table(round_of(match, 1)))

    assert list(sent.values()) == [again]
    assert LineupSent.objects.count() == 2


def test_an_unseen_line_up_is_not_replaced(match: Event) -> None:
    send(match, "124")

    with pytest.raises(Refused, match="another line-up"):
        send(match, "134", seen=0)


@pytest.mark.parametrize("text", ["", "132", "11"])
def test_invalid_line_ups_are_refused(match: Event, text: str) -> None:
    with pytest.raises(Refused):
        send(match, text)


def test_a_player_of_another_team_is_refused(match: Event) -> None:
    (case, roster), stranger = of(match), Player.objects.filter(competitor__number=2)[0]

    with pytest.raises(Refused):
        send_lineup(case, roster, (stranger.pk, None, None), 0, HERE)


def test_a_free_order_allows_any_line_up(match: Event) -> None:
    Event.objects.update(board_order="free")

    assert send(match, "321").number == 1


def test_too_often_and_too_much_at_once(match: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_captains, "MOST_A_MINUTE", 3)
    for number in range(3):
        send(match, ("124", "134")[number % 2], seen=number)
    with pytest.raises(TooMany):
        send(match, "123", team=2)
    monkeypatch.setattr(from_captains, "MOST_A_MINUTE", 1_000)
    for number in range(3, MOST_OF_A_TEAM):
        send(match, ("124", "134")[number % 2], seen=number)

    with pytest.raises(Refused, match="No more changes are possible"):
        send(match, "123", seen=MOST_OF_A_TEAM)


class TestLinks:
    def test_a_link_opens_the_match_of_the_team(self, match: Event) -> None:
        assert (of(match)[0].opponent.name, of(match, 2)[0].opponent.name) == ("Blues", "Reds")
        assert (of(match)[0].side, of(match, 2)[0].side) == ("first", "second")

    def test_a_wrong_key_opens_no_match(self, match: Event) -> None:
        assert match_of(link(match, 1).pk, link(match, 2).key) is None
        assert match_of(link(match, 1).pk, "") is None

    def test_it_ends_with_the_time(self, match: Event, arbiter: User) -> None:
        due = LineupCall.objects.get().due
        end_call(round_of(match, 1), due.isoformat(), arbiter)

        assert match_of(link(match).pk, link(match).key) is None

    def test_a_longer_time_keeps_the_links(self, match: Event, arbiter: User) -> None:
        before, due = link(match).key, LineupCall.objects.get().due
        call_lineups(round_of(match, 1), timezone.now() + timedelta(hours=2), due.isoformat(), arbiter)

        assert link(match).key == before

    def test_a_new_link_replaces_a_revoked_link(self, match: Event, arbiter: User) -> None:
        old = link(match)
        revoke_link(round_of(match, 1), old.team_id)
        assert match_of(old.pk, old.key) is None
        new = renew_link(round_of(match, 1), old.team_id, arbiter)

        assert match_of(new.pk, new.key)
        assert match_of(old.pk, old.key) is None

    @pytest.mark.parametrize("state", [Round.State.DRAFT, Round.State.CLOSED])
    def test_it_works_while_the_round_is_published(self, match: Event, state: str) -> None:
        found = link(match)
        Round.objects.update(state=state)

        assert match_of(found.pk, found.key) is None

    def test_it_works_while_the_event_is_live(self, match: Event) -> None:
        found = link(match)
        Event.objects.update(state=Event.State.FINAL)

        assert match_of(found.pk, found.key) is None

    def test_a_line_up_for_another_opponent_is_outdated(self, match: Event) -> None:
        send(match, "124")
        greens = match.competitors.create(number=3, name="Greens")
        Pairing.objects.update(second=greens)

        assert lineups_sent_in(round_of(match, 1), matches_by_table(round_of(match, 1))) == {}
        assert of(match)[0].opponent == greens


class TestTime:
    def test_simultaneous_deadlines_are_a_conflict(self, match: Event, arbiter: User, other: User) -> None:
        seen = LineupCall.objects.get().due.isoformat()
        call_lineups(round_of(match, 1), timezone.now() + timedelta(hours=1), seen, other)

        with pytest.raises(Conflict) as conflict:
            call_lineups(round_of(match, 1), timezone.now() + timedelta(hours=2), seen, arbiter)
        assert conflict.value.by == "ben"

    @pytest.mark.parametrize("minutes", [-5, 0, 60 * 24 * 15])
    def test_it_is_ahead_and_not_too_far(self, match: Event, arbiter: User, minutes: int) -> None:
        seen = LineupCall.objects.get().due.isoformat()

        with pytest.raises(Refused):
            call_lineups(round_of(match, 1), timezone.now() + timedelta(minutes=minutes), seen, arbiter)

    def test_a_draft_cannot_be_opened_to_captains(self, match: Event, arbiter: User) -> None:
        Round.objects.update(state=Round.State.DRAFT)

        with pytest.raises(Refused):
            call_lineups(round_of(match, 1), timezone.now() + timedelta(minutes=5), "", arbiter)

    def test_players_have_no_captains(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused):
            call_lineups(round_of(swiss, 2), timezone.now() + timedelta(minutes=5), "", arbiter)

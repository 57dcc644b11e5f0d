"""A team event of 12 teams and 5 rounds on four boards, run as an arbiter and twelve captains run it."""

from pathlib import Path

import pytest
from django.test import Client

from tests.cast import create_account
from tests.markup import attributes_of
from tests.plainbrowser import PlainBrowser
from tests.simulation.arbiter import ArbiterAtWork, new_event
from tests.simulation.drawing import Lots
from tests.simulation.programs import differences
from tournaments.accounts.services.roles import Role
from tournaments.models import Game, Pairing
from tournaments.recording.pairings.engine_checks import check_event

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.exhaustive]

TEAMS, ROUNDS, BOARDS = 12, 5, 4


def test_a_team_event(transactional_db: None, tmp_path: Path) -> None:
    organiser = create_account("otto", Role.ORGANISER)
    about = {"entrants": "teams", "planned_rounds": str(ROUNDS), "boards": str(BOARDS)}
    event = new_event(organiser, name="League", **about)
    arbiter = ArbiterAtWork(event, organiser)
    arbiter.enter_competitors(_rosters())
    lots = Lots("teams")
    for number in range(1, ROUNDS + 1):
        clicks = arbiter.clicks
        arbiter.propose(number)
        arbiter.publish()
        if number == 2:  # neither results nor line-ups are there yet
            assert [each["engine"] for each in check_event(event).rounds] == [None, None]
        _take_line_ups(arbiter, number)
        arbiter.enter(lambda _line: lots.result())
        arbiter.close()
        assert arbiter.clicks - clicks <= 4, arbiter.text
    seated = Game.objects.filter(pairing__round__event=event)
    assert seated.filter(first_player__name__contains="reserve").count() > 0
    assert not seated.filter(first_player=None).exists()
    met = [frozenset(pair) for pair in _matches(arbiter)]
    assert len(met) == len(set(met)) == TEAMS // 2 * ROUNDS
    report = arbiter.save_report(tmp_path)
    assert differences(report) == []


def _rosters() -> list[str]:
    """Return the lines of twelve teams, each with four players and a reserve."""
    lines = []
    for team in range(1, TEAMS + 1):
        lines.append(f"Team {team:02}; ; {2400 - 20 * team}")
        lines += [
            f"  Player {team:02}/{board}; {2450 - 20 * team - 30 * board}" for board in range(1, BOARDS + 1)
        ]
        lines.append(f"  Player {team:02}, reserve; {2250 - 20 * team}")
    return lines


def _take_line_ups(arbiter: ArbiterAtWork, number: int) -> None:
    """Have every captain send a line-up by the link of the team, and take all of them."""
    before = arbiter.clicks
    arbiter.go_to("round-captains", number)
    arbiter.press("Create links")
    links = [attributes_of(each)["href"] for each in arbiter.page.css(".link a")]
    assert len(links) == TEAMS
    for at, link in enumerate(links):
        _send_line_up(link, rests=(at + number) % 3 == 0)
    arbiter.press("End the time now")
    arbiter.go_to("round-line-ups", number)
    arbiter.press("Save the line-ups")
    arbiter.go_to("results", number)
    arbiter.clicks = before


def _send_line_up(link: str, *, rests: bool) -> None:
    """Send what the form proposes, or have the first rest: the others move up, and the reserve sits last."""
    captain = PlainBrowser(Client())
    captain.open(link)
    [form] = captain.page.css("form")
    options = [attributes_of(each)["value"] for each in form.css("#board-1 option")[1:]]
    order = options[1:] if rests else options[:BOARDS]
    captain.press("Send the line-up", {f"board-{board}": key for board, key in enumerate(order, start=1)})
    assert captain.says("The arbiter has your line-up")


def _matches(arbiter: ArbiterAtWork) -> list[tuple[int, int]]:
    rows = Pairing.objects.filter(round__event=arbiter.event, second__isnull=False)
    return list(rows.values_list("first__number", "second__number"))

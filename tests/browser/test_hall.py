"""Results and line-ups sent by phone, and their handling at the desk; the desk on a phone."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage, log_in
from tests.browser.test_results import at_desk, create_draughts, expect_all_saved, line, results_of
from tests.cast import create_account, create_event
from tests.tournaments.recording.desk import at, round_of
from tournaments.accounts.services.roles import Role
from tournaments.event.choices import PlayersEntry
from tournaments.hall.links import captain_address, entry_address
from tournaments.models import Competitor, Event, Game, LineupSent, Pairing, Player, Round
from tournaments.recording.teams.from_captains import call_lineups, links_in

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = (360, 740)
LEAST_TARGET = 44
MOST_KEYS = 30


@pytest.fixture
def anna(transactional_db: None) -> User:
    return create_account("anna", Role.ORGANISER)


@pytest.fixture
def event(anna: User) -> Event:
    """Four games of draughts without results."""
    return create_draughts(4)


@pytest.fixture
def league(anna: User) -> Event:
    """A round of six matches on four boards; twelve teams of six players."""
    event = create_event(
        "league", name="League", entrants="teams", boards=4, planned_rounds=3, system="olympiad-2010"
    )
    round_ = Round.objects.create(event=event, number=1, state=Round.State.PUBLISHED)
    teams = [Competitor.objects.create(event=event, number=at, name=f"Team {at:02}") for at in range(1, 13)]
    Player.objects.bulk_create(
        Player(competitor=team, board=board, name=f"Player {team.number}.{board}")
        for team in teams
        for board in range(1, 7)
    )
    for table in range(1, 7):
        Pairing.objects.create(round=round_, table=table, first=teams[table - 1], second=teams[table + 5])
    return event


def path(address: str) -> str:
    return re.sub(r"^https?://[^/]+", "", address)


def slip(event: Event, side: str) -> str:
    """Return the URL on the slip of a side at the first table."""
    return path(entry_address(RequestFactory().get("/"), at(event, 1, 1), side=side))


def expect_fit_for_a_phone(page: Page, targets: str) -> None:
    """Assert that the page fits, and that buttons are as large as a finger."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = [each.bounding_box() for each in page.locator(targets).all() if each.is_visible()]
    assert boxes
    assert [box for box in boxes if not box or box["height"] < LEAST_TARGET] == []


@pytest.mark.exhaustive
def test_game_at_the_desk_on_a_phone_has_three_large_buttons(
    phone_page: Page, event: Event, axe: AssertAccessible
) -> None:
    page = at_desk(phone_page, event)
    first = line(page, "1")
    expect(first.locator(".tap")).to_have_text(["2-0", "1-1", "0-2", "…"])
    # No on-screen keyboard appears.
    expect(first.locator(".typed")).to_have_attribute("inputmode", "none")
    expect_fit_for_a_phone(page, ".tap")
    axe(page)

    first.get_by_role("button", name="2-0").click()
    line(page, "2").get_by_role("button", name="other results").click()
    line(page, "2").get_by_role("button", name="+ -").click()
    expect_all_saved(page)
    assert results_of(event) == ["2-0", "+ -", "", ""]
    # A stray touch has an effect on the result only.
    expect(first.locator(".tap")).to_have_text(["2-0", "change"])
    first.get_by_role("button", name="change").click()
    first.get_by_role("button", name="1-1").click()
    expect_all_saved(page)
    assert results_of(event)[0] == "1-1"
    line(page, "3").get_by_role("button", name="other results").click()
    line(page, "3").get_by_role("button", name="type it").click()
    page.keyboard.type("2-0 g3")
    page.keyboard.press("Enter")
    expect_all_saved(page)
    assert Pairing.objects.get(table=3).games_played == 3
    axe(page)


def test_arbiter_confirms_matching_results_of_both_players(
    open_page: OpenPage, phone_page: Page, event: Event, axe: AssertAccessible
) -> None:
    Event.objects.update(players_entry=PlayersEntry.BOTH)
    desk = at_desk(open_page(), event)
    for side in ("first", "second"):
        phone_page.goto(slip(event, side))
        expect_fit_for_a_phone(phone_page, "button, summary")
        axe(phone_page)
        phone_page.get_by_role("button", name="2-0").click()
        expect(phone_page.get_by_role("status")).to_contain_text("You sent 2-0")
    expect(phone_page.get_by_role("status")).to_contain_text("opponent sent the same")
    axe(phone_page)

    # The desk's page updates automatically; no result counts before the arbiter confirms.
    expect(line(desk, "1").locator(".came")).to_contain_text("Black sent 2-0")
    assert results_of(event)[0] == ""
    axe(desk)
    desk.locator("#result-1").press("a")
    expect_all_saved(desk)
    assert results_of(event)[0] == "2-0"
    phone_page.reload()
    expect(phone_page.get_by_text("The result is in: 2-0")).to_be_visible()


@pytest.mark.exhaustive
def test_arbiter_confirms_a_result_without_javascript(plain_page: Page, event: Event) -> None:
    Event.objects.update(players_entry=PlayersEntry.ONE)
    plain_page.goto(path(entry_address(RequestFactory().get("/"), at(event, 1, 1))))
    plain_page.get_by_role("button", name="1-1").click()
    page = at_desk(plain_page, event)
    page.get_by_role("button", name="Take 1-1").click()
    expect(page.get_by_text("1 result saved.")).to_be_visible()

    assert results_of(event)[0] == "1-1"


def test_captain_sends_a_line_up_by_phone(
    open_page: OpenPage, league: Event, anna: User, axe: AssertAccessible
) -> None:
    call_lineups(round_of(league, 1), timezone.now() + timedelta(minutes=30), "", anna)
    link = next(each for each in links_in(round_of(league, 1)).values() if each.team.number == 7)
    phone = open_page(*PHONE, javascript=False)
    phone.goto(path(captain_address(RequestFactory().get("/"), link)))
    expect_fit_for_a_phone(phone, "select, button, .orders a")
    expect(phone.get_by_label("board 4")).to_have_value(str(link.team.players.get(board=4).pk))
    phone.get_by_label("board 4").select_option(label="6 Player 7.6")
    phone.get_by_role("button", name="Send the line-up").click()

    expect(phone.get_by_role("status")).to_contain_text("Player 7.6")
    assert LineupSent.objects.get().players[-1] == link.team.players.get(board=6).pk
    with_script = open_page(*PHONE)
    with_script.goto(phone.url)
    axe(with_script)


def test_line_ups_of_six_matches_take_thirty_keys(page: Page, league: Event, axe: AssertAccessible) -> None:
    log_in(page, "anna")
    page.goto(f"/admin/events/{league.pk}/rounds/1/line-ups/")
    axe(page)
    reserves = {1: "1256", 4: "2345", 8: "1346", 12: "3456"}
    keys = 0

    def press(key: str) -> None:
        nonlocal keys
        page.keyboard.press(key)
        keys += 1

    for place in range(1, 13):
        # The first table has teams 1 and 7.
        team = (place + 1) // 2 + (6 if place % 2 == 0 else 0)
        for key in reserves.get(team, ""):
            press(key)
        if place < 12:
            press("ArrowDown")
    press("Enter")
    expect(page.get_by_text("6 matches are saved.")).to_be_visible()

    assert keys <= MOST_KEYS
    rows = Game.objects.filter(pairing__table=1).order_by("board")
    assert [str(row.first_player) for row in rows] == [f"Player 1.{board}" for board in (1, 2, 5, 6)]
    assert Game.objects.count() == 24


@pytest.mark.exhaustive
def test_board_order_is_checked_during_typing(page: Page, league: Event) -> None:
    log_in(page, "anna")
    page.goto(f"/admin/events/{league.pk}/rounds/1/line-ups/")
    first: Any = page.locator(".lineup-team").first
    page.keyboard.type("1324")

    expect(first.locator(".seated li")).to_have_text([f"Player 1.{board}" for board in (1, 3, 2, 4)])
    expect(first.locator(".fault")).to_contain_text("earlier in the roster")
    first.get_by_role("textbox").select_text()
    page.keyboard.press("r")
    expect(first.locator(".fault")).to_be_hidden()


@pytest.mark.exhaustive
def test_absent_player_leaves_a_typed_order_and_returns(page: Page, league: Event) -> None:
    log_in(page, "anna")
    page.goto(f"/admin/events/{league.pk}/rounds/1/line-ups/")
    first: Any = page.locator(".lineup-team").first
    page.keyboard.type("2145")
    first.get_by_text("Roster and absent players").click()
    first.get_by_label("Player 1.4").check()
    expect(first.get_by_role("textbox")).to_have_value("2156")
    first.get_by_label("Player 1.4").uncheck()
    expect(first.get_by_role("textbox")).to_have_value("2145")


@pytest.mark.exhaustive
def test_captains_links_fit_a_phone(phone_page: Page, league: Event, axe: AssertAccessible) -> None:
    log_in(phone_page, "anna")
    phone_page.goto(f"/admin/events/{league.pk}/rounds/1/line-ups/captains/")
    phone_page.get_by_role("button", name="Create links").click()
    expect(phone_page.locator(".captains svg")).to_have_count(12)

    assert phone_page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(phone_page)

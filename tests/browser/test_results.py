"""The results screen with its script: keyboard, lost connections, conflicts, notes and corrections."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import AssertAccessible, OpenPage, Watch, log_in, type_login
from tests.browser.site import Site, shared_database
from tests.cast import create_account, create_players, create_team_event, everybody_twice, play
from tournaments.accounts.services.roles import Role
from tournaments.event.resultcodes import result_text
from tournaments.models import Change, Event, Game, Pairing, Player, Receipt, Round
from tournaments.models.versioned import past_of

pytestmark = pytest.mark.django_db(transaction=True)

KEYS = "210wb+-x21" * 3
RESULTS = ["2-0", "1-1", "0-2", "1+ 1-", "1- 1+", "+ -", "- +", "- -", "2-0", "1-1"] * 3
ALL_SAVED = "Everything is saved."
SOON = 8_000


def create_draughts(pairs: int = 30, slug: str = "city-open") -> Event:
    """Return a live Swiss of draughts players with round 1 paired and without results."""
    names = [f"Player {number:02}" for number in range(1, 2 * pairs + 1)]
    facts: dict[str, Any] = {"discipline": "draughts-100", "game_win": 4, "game_draw": 2}
    event = create_players(slug, names, 1, state=Event.State.LIVE, system="fmjd-swiss", **facts)
    Round.objects.filter(event=event).update(state=Round.State.PUBLISHED)
    players = list(event.competitors.all())
    Pairing.objects.bulk_create(
        Pairing(round=event.rounds.get(), table=at + 1, first=players[at], second=players[at + pairs])
        for at in range(pairs)
    )
    return event


def results_of(event: Event, number: int = 1) -> list[str]:
    """Return the stored results of a round by table."""
    rows = Pairing.objects.filter(round__event=event, round__number=number).order_by("table")
    return [result_text(row.kind, row.first_score, row.second_score, row.advantage) for row in rows]


def at_desk(page: Page, event: Event, name: str = "anna", number: int = 1) -> Page:
    """Log in and open the results screen."""
    log_in(page, name)
    page.goto(f"/admin/events/{event.pk}/rounds/{number}/results/")
    return page


def press(page: Page, keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def line(page: Page, label: str) -> Any:
    return page.locator(f'[data-label="{label}"]')


def typed(page: Page, label: str) -> Any:
    return line(page, label).locator(".typed")


def state(page: Page, label: str) -> Any:
    return line(page, label).locator(".state")


def expect_all_saved(page: Page, timeout: int = SOON) -> None:
    expect(page.locator("#connection")).to_have_text(ALL_SAVED, timeout=timeout)


@pytest.fixture
def people(transactional_db: None) -> None:
    """Create two users who may enter results."""
    for name in ("anna", "ben"):
        create_account(name, Role.ORGANISER)


@pytest.fixture
def event(people: None) -> Event:
    return create_draughts(8)


# --- slow and lost connections ----------------------------------------------------------------------------


@pytest.fixture
def site(transactional_db: None, tmp_path: Path) -> Iterator[Site]:
    """A site that can be stopped."""
    with shared_database(tmp_path) as database:
        site = Site(database)
        yield site
        site.kill()


@pytest.fixture
def site_page(browser: Browser, site: Site) -> Iterator[Page]:
    context = browser.new_context(base_url=site.url)
    yield context.new_page()
    context.close()


def expect_stored_once(event: Event) -> None:
    """Assert that every result is stored once, by a single entry."""
    assert results_of(event) == RESULTS
    assert Receipt.objects.count() == len(RESULTS)
    assert past_of(Pairing).objects.filter(round__event=event).count() == len(RESULTS)


@pytest.mark.exhaustive
def test_results_survive_restart_of_server(site: Site, site_page: Page) -> None:
    create_account("anna", Role.ORGANISER)
    event, page = create_draughts(), site_page
    site.start(hold=True)
    at_desk(page, event)
    with page.expect_request("**/results/entries/"):
        press(page, KEYS[:10])
    site.kill()
    press(page, KEYS[10:20])
    expect(page.locator("#connection")).to_contain_text(
        "No connection. Saved in this browser only:", timeout=SOON
    )
    site.start(hold=False)
    press(page, KEYS[20:])
    expect_all_saved(page, timeout=10_000)
    expect_stored_once(event)


class Cable:
    """The connection between a page and the server. It can lose requests or responses, or delay requests.

    Create it before opening the page: on an open page, Chromium does not intercept the next request.
    """

    def __init__(self, page: Page) -> None:
        self.loses = ""
        self.holds = False
        self.held: list[Route] = []
        page.route("**/results/entries/", self.carry)

    def carry(self, route: Route) -> None:
        if self.holds:
            return self.held.append(route)
        if not self.loses:
            return route.continue_()
        if self.loses == "answers":
            route.fetch()
        return route.abort()

    def release(self) -> None:
        """Continue the delayed requests, and all later ones."""
        self.holds = False
        for route in self.held:
            route.continue_()


def test_typing_does_not_wait_for_responses(people: None, page: Page) -> None:
    event = create_draughts()
    cable = Cable(page)
    at_desk(page, event)
    cable.holds = True
    with page.expect_request("**/results/entries/"):
        press(page, KEYS)
    expect(typed(page, "30")).to_have_value("1-1")
    assert Receipt.objects.count() == 0
    cable.release()
    expect_all_saved(page)
    expect_stored_once(event)


def test_lost_response_does_not_store_twice(event: Event, page: Page, watch: Watch) -> None:
    cable = Cable(page)
    at_desk(page, event)
    cable.loses = "answers"
    press(page, "21")
    expect(page.locator("#connection")).to_contain_text("No connection")
    cable.loses = ""
    expect_all_saved(page)
    watch.expect("net::ERR_FAILED")
    assert results_of(event)[:2] == ["2-0", "1-1"]
    assert past_of(Pairing).objects.filter(round__event=event).count() == 2


def test_unsent_results_survive_reload(event: Event, page: Page, watch: Watch) -> None:
    cable = Cable(page)
    at_desk(page, event)
    cable.loses = "requests"
    press(page, "210")
    expect(state(page, "3")).to_have_text("saving …")
    page.reload()
    expect(typed(page, "2")).to_have_value("1-1")
    expect(typed(page, "4")).to_be_focused()
    cable.loses = ""
    expect_all_saved(page)
    watch.expect("net::ERR_FAILED")
    assert results_of(event)[:3] == ["2-0", "1-1", "0-2"]
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.exhaustive
def test_several_results_of_a_line_are_sent_in_order(event: Event, page: Page) -> None:
    at_desk(page, event)
    for key in ("2", "ArrowUp", "1", "ArrowUp", "0"):
        page.keyboard.press(key)
    expect_all_saved(page)
    assert results_of(event)[0] == "0-2"
    assert Pairing.objects.get(round__event=event, table=1).version == 4


def log_out(context: BrowserContext) -> None:
    context.clear_cookies(name="sessionid")


def forgive_changed_tokens(watch: Watch) -> None:
    """Ignore 403 after a login, which changes the CSRF token: the page posts again with the new one."""
    watch.problems[:] = [problem for problem in watch.problems if "status of 403" not in problem]


def test_expired_login_keeps_unsent_results(event: Event, page: Page, watch: Watch) -> None:
    at_desk(page, event)
    log_out(page.context)
    press(page, "21")
    expect(page.locator("#connection")).to_contain_text("You are logged out. Saved in this browser only: 2.")
    expect(page.get_by_role("link", name="Log in in a new tab")).to_be_visible()
    type_login(page.context.new_page(), "anna")
    expect_all_saved(page)
    assert results_of(event)[:2] == ["2-0", "1-1"]
    forgive_changed_tokens(watch)


def test_results_are_not_sent_by_another_account(event: Event, page: Page, watch: Watch) -> None:
    at_desk(page, event)
    log_out(page.context)
    press(page, "2")
    other = page.context.new_page()
    type_login(other, "ben")
    expect(page.locator("#connection")).to_contain_text("Another account is logged in", timeout=SOON)
    other.goto(page.url)
    expect(other.locator("#others")).to_contain_text("Another account has results in this browser")
    expect(typed(other, "1")).to_have_value("")
    assert Receipt.objects.count() == 0
    page.close()  # it would repeat the request with the same response
    watch.expect("status of 409")
    forgive_changed_tokens(watch)


# --- keys -------------------------------------------------------------------------------------------------


def test_games_are_marked_by_a_key_or_from_the_list(event: Event, page: Page) -> None:
    at_desk(page, event)
    press(page, "p")
    expect(line(page, "1").locator(".typed")).to_have_value("postponed")
    expect(line(page, "1").locator(".delay")).to_have_value("postponed")
    line(page, "2").locator(".delay").select_option("adjourned")
    expect_all_saved(page)
    line(page, "1").locator(".typed").focus()
    press(page, "2")
    expect(line(page, "1").locator(".delay")).to_be_hidden()
    expect_all_saved(page)
    rows = Pairing.objects.filter(round__event=event, table__in=(1, 2)).order_by("table")
    assert [(row.kind, row.delayed) for row in rows] == [("played", ""), ("pending", "adjourned")]


def test_results_are_entered_by_keyboard(event: Event, page: Page) -> None:
    at_desk(page, event)
    expect(typed(page, "1")).to_be_focused()
    press(page, "2")
    expect(typed(page, "2")).to_be_focused()
    press(page, "g3")
    page.keyboard.press("Enter")
    expect(typed(page, "1")).to_have_value("2-0 g3")
    press(page, "1")
    page.keyboard.press("u")
    expect(typed(page, "2")).to_have_value("")
    expect(typed(page, "2")).to_be_focused()
    page.keyboard.press("Enter")
    press(page, "0-2")
    page.keyboard.press("Escape")
    expect(typed(page, "2")).to_have_value("")
    page.keyboard.press("Enter")
    press(page, "?")
    page.keyboard.press("Enter")
    expect(typed(page, "2")).to_have_value("?")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Delete")
    expect_all_saved(page)
    assert results_of(event)[:3] == ["", "?", ""]
    expect(page.locator("#keys")).to_have_attribute("open", "")
    page.keyboard.press("?")
    expect(page.locator("#keys")).not_to_have_attribute("open", "")


def test_invalid_result_remains_with_reason(event: Event, page: Page) -> None:
    at_desk(page, event)
    page.keyboard.press("Enter")
    press(page, "3-3")
    page.keyboard.press("Enter")
    expect(state(page, "1")).to_have_text(
        "not saved: 3-3 cannot be: a game gives at most 2. Type another result."
    )
    expect(typed(page, "1")).to_have_value("3-3")
    expect(page.locator("#said")).to_contain_text("Line 1 is not saved")
    page.reload()
    expect(typed(page, "1")).to_have_value("3-3")
    page.keyboard.press("ArrowUp")
    press(page, "2")
    expect_all_saved(page)
    assert results_of(event)[0] == "2-0"


@pytest.mark.exhaustive
def test_invalid_key_is_refused_immediately(event: Event, page: Page) -> None:
    at_desk(page, event)
    page.keyboard.press("q")
    expect(page.locator("#said")).to_contain_text("“q” is not a key here")
    for key in ("7", "3", "."):
        page.keyboard.press(key)
        refusal = f"“{key}” is not a key here, and no result begins with it"
        expect(page.locator("#said")).to_contain_text(refusal)
        expect(typed(page, "1")).to_have_value("")
        expect(typed(page, "1")).to_be_focused()
    assert Receipt.objects.count() == 0
    press(page, "2")  # the refused keys are not in the line
    expect_all_saved(page)
    assert results_of(event)[0] == "2-0"


@pytest.mark.exhaustive
def test_focus_moves_to_next_line_without_result(event: Event, page: Page) -> None:
    Pairing.objects.filter(table__in=(2, 3)).update(kind="played", first_score=2, second_score=2)
    at_desk(page, event)
    press(page, "2")
    expect(typed(page, "4")).to_be_focused()
    press(page, "0")
    expect_all_saved(page)
    assert results_of(event)[:4] == ["2-0", "1-1", "1-1", "0-2"]


@pytest.mark.exhaustive
def test_filter_hides_lines_with_results(event: Event, page: Page) -> None:
    at_desk(page, event)
    press(page, "21")
    page.get_by_role("link", name="Only missing").click()
    expect(line(page, "1")).to_be_hidden()
    expect(line(page, "3")).to_be_visible()
    expect_all_saved(page)
    page.reload()
    expect(line(page, "2")).to_be_hidden()
    expect(typed(page, "3")).to_be_focused()
    page.get_by_role("link", name="Only missing").click()
    expect(line(page, "1")).to_be_visible()


# --- counts -----------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_unsent_results_are_not_counted(event: Event, page: Page, watch: Watch) -> None:
    cable = Cable(page)
    at_desk(page, event)
    press(page, "2")
    expect_all_saved(page)
    expect(page.locator("#count")).to_have_text("1 of 8 results are in.")
    cable.loses = "requests"
    press(page, "2222222")
    expect(page.locator("#connection")).to_contain_text("Saved in this browser only: 7.")
    expect(page.locator("#count")).to_have_text("1 of 8 results are in.")
    cable.loses = ""
    expect_all_saved(page)
    expect(page.locator("#count")).to_have_text("8 of 8 results are in.")
    watch.expect("net::ERR_FAILED")


@pytest.mark.exhaustive
def test_the_desk_counts_what_is_not_at_the_server(
    event: Event, phone_page: Page, watch: Watch, axe: AssertAccessible
) -> None:
    page = phone_page
    cable = Cable(page)
    at_desk(page, event)
    cable.loses = "requests"
    press(page, "221")
    expect(page.locator("#connection")).to_contain_text("No connection")
    for address in ("", "rounds/", "rounds/1/close/"):
        page.goto(f"/admin/events/{event.pk}/{address}")
        expect(page.locator("#unsent")).to_contain_text("3 results in this browser are not at the server.")
        axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    cable.loses = ""
    page.get_by_role("link", name="Round 1: send 3").click()
    expect_all_saved(page)
    page.goto(f"/admin/events/{event.pk}/")
    expect(page.locator("#unsent")).to_be_hidden()
    watch.expect("net::ERR_FAILED")


# --- conflicts --------------------------------------------------------------------------------------------


@pytest.fixture
def two(event: Event, open_page: OpenPage) -> tuple[Page, Page]:
    """Return the screens of Anna and Ben."""
    first, second = open_page(1280), open_page(1280)
    return at_desk(first, event), at_desk(second, event, "ben")


@pytest.mark.exhaustive
def test_a_line_that_changed_since_it_was_shown_asks(event: Event, two: tuple[Page, Page]) -> None:
    """Ben's result came in long ago, and Anna's key is meant for another line."""
    anna, ben = two
    ben.keyboard.press("ArrowDown")
    press(ben, "1")
    expect_all_saved(ben)
    expect(typed(anna, "2")).to_have_value("1-1", timeout=SOON)
    expect(line(anna, "2")).not_to_have_class(re.compile("changed"), timeout=SOON)
    anna.keyboard.press("ArrowDown")
    expect(typed(anna, "2")).to_be_focused()
    press(anna, "0")
    expect(state(anna, "2")).to_contain_text("you typed 0-2.")
    assert results_of(event)[1] == "1-1"
    typed(anna, "2").focus()
    press(anna, "m")
    expect_all_saved(anna)
    assert results_of(event)[1] == "0-2"
    typed(anna, "2").focus()
    anna.keyboard.press("Delete")  # no question, because Anna saved this line
    expect_all_saved(anna)
    assert results_of(event)[1] == ""


@pytest.mark.parametrize(
    ("choice", "outcome"), [("k", "2-0"), pytest.param("m", "1-1", marks=pytest.mark.exhaustive)]
)
def test_conflict_shows_both_results_and_choice(
    event: Event, two: tuple[Page, Page], axe: AssertAccessible, choice: str, outcome: str
) -> None:
    anna, ben = two
    press(anna, "2")
    expect_all_saved(anna)
    press(ben, "1")
    expect(state(ben, "1")).to_contain_text("anna saved 2-0 at")
    expect(state(ben, "1")).to_contain_text("you typed 1-1.")
    expect(ben.locator("#said")).to_contain_text("Line 1: another person saved 2-0, you typed 1-1")
    ben.set_viewport_size({"width": 360, "height": 740})
    axe(ben)
    assert ben.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ben.keyboard.press("ArrowUp")
    for name in ("Keep 2-0", "Put 1-1"):
        ben.keyboard.press("Tab")
        expect(ben.get_by_role("button", name=name)).to_be_focused()
    assert results_of(event)[0] == "2-0"
    ben.reload()
    ben.keyboard.press("ArrowUp")
    press(ben, "0")
    assert results_of(event)[0] == "2-0"
    press(ben, choice)
    expect_all_saved(ben)
    expect(typed(ben, "1")).to_have_value(outcome)
    expect(typed(anna, "1")).to_have_value(outcome, timeout=SOON)
    assert results_of(event)[0] == outcome


@pytest.mark.exhaustive
def test_same_result_by_two_users_is_no_conflict(event: Event, two: tuple[Page, Page]) -> None:
    anna, ben = two
    press(anna, "2")
    expect_all_saved(anna)
    press(ben, "2")
    expect_all_saved(ben)
    assert Pairing.objects.get(round__event=event, table=1).version == 2


def test_polling_fills_lines_except_the_edited_one(event: Event, two: tuple[Page, Page]) -> None:
    anna, ben = two
    ben.keyboard.press("Enter")
    press(ben, "1-")
    press(anna, "22")
    expect(typed(ben, "2")).to_have_value("2-0", timeout=SOON)
    expect(typed(ben, "1")).to_have_value("1-")
    press(ben, "1")
    ben.keyboard.press("Enter")
    expect(state(ben, "1")).to_contain_text("anna saved 2-0", timeout=SOON)


@pytest.mark.exhaustive
def test_changed_pairings_show_notice(event: Event, page: Page) -> None:
    at_desk(page, event)
    row = Pairing.objects.get(round__event=event, table=1)
    row.first, row.second = row.second, row.first  # type: ignore[assignment]  # there are two
    row.save()
    expect(page.locator("#changed")).to_contain_text(
        "The pairings or line-ups of this round have changed", timeout=SOON
    )


@pytest.mark.exhaustive
def test_result_of_deleted_pairing_shows_notice(event: Event, page: Page) -> None:
    at_desk(page, event)
    Pairing.objects.get(round__event=event, table=1).delete()
    press(page, "2")
    expect(typed(page, "1")).to_have_value("2-0")
    expect(state(page, "1")).to_contain_text("not saved")
    page.reload()
    expect(line(page, "1")).to_have_count(0)
    expect(page.locator("#others")).to_contain_text("“2-0” is not saved, and its line is gone")
    expect_all_saved(page)
    assert page.evaluate("localStorage.length") == 0


# --- notes ------------------------------------------------------------------------------------------------


def test_note_is_written_by_keyboard(event: Event, page: Page, axe: AssertAccessible) -> None:
    at_desk(page, event)
    press(page, "2n")
    note = page.get_by_role("textbox", name="Note, shown on the public page")
    expect(note).to_be_focused()
    expect(page.get_by_role("heading", name="Note of table 2: Player 02 – Player 10")).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    expect(typed(page, "2")).to_be_focused()
    press(page, "n")
    page.keyboard.type("Both came late.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Note 2", exact=True)).to_be_visible()
    expect(typed(page, "2")).to_be_focused()
    expect_all_saved(page)
    assert Pairing.objects.get(round__event=event, table=2).note == "Both came late."
    assert results_of(event)[0] == "2-0"


@pytest.mark.exhaustive
def test_note_is_written_without_javascript(event: Event, open_page: OpenPage) -> None:
    page = at_desk(open_page(360, 740, javascript=False), event)
    expect(page.locator("#notes textarea").first).to_be_hidden()
    page.get_by_role("button", name="Add a note 3").click()
    note = page.get_by_role("textbox", name="Note, shown on the public page")
    expect(note).to_be_focused()
    note.fill("Both came late.")
    box = page.locator(".note:popover-open").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    Pairing.objects.filter(round__event=event, table=3).update(note="One came late.")
    page.get_by_role("button", name="Save the note").click()
    expect(page.get_by_role("alert")).to_contain_text("Check it again")
    expect(note).to_be_focused()
    page.get_by_role("button", name="Save the note").click()
    expect(page.locator(".messagelist")).to_contain_text("The note is saved.")
    assert Pairing.objects.get(round__event=event, table=3).note == "Both came late."


# --- pasting, corrections, matches, form ------------------------------------------------------------------


@pytest.mark.parametrize("javascript", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_block_with_invalid_line_is_not_saved(
    people: None, open_page: OpenPage, axe: AssertAccessible, javascript: bool
) -> None:
    event = create_draughts(25)
    page = at_desk(open_page(768 if javascript else 1280, javascript=javascript), event)
    page.get_by_role("link", name="Paste a block").click()
    page.get_by_label("Results").fill(
        "\n".join(["2-0"] * 16 + ["2-2"] + ["=", "½ ", "+-"] + ["20\t2-0"] + ["1-1"] * 4)
    )
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".fault").first).to_contain_text("Line 17, “2-2”: 2-2 cannot be")
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    assert set(results_of(event)) == {""}
    if javascript:
        axe(page)
    page.get_by_label("Results").fill("\n".join(["2-0"] * 17 + ["=", "½", "+-"] + ["21\t2-0"] + ["1-1"] * 4))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Save 25 results").click()
    expect(page.locator(".messagelist")).to_contain_text("25 results saved.")
    assert results_of(event) == ["2-0"] * 17 + ["1-1", "1-1", "+ -", "2-0"] + ["1-1"] * 4


def create_nine_rounds() -> Event:
    """Return a live Swiss of ten chess players with all nine rounds played."""
    names = [f"Player {number}" for number in range(1, 11)]
    event = create_players("nine-rounds", names, 9, state=Event.State.LIVE)
    play(event, (game for game in everybody_twice(10) if game[0] <= 9))
    return event


def test_correction_is_previewed_and_public(people: None, open_page: OpenPage, axe: AssertAccessible) -> None:
    event = create_nine_rounds()
    reader, page = open_page(1280), open_page(1280)
    reader.goto("/events/nine-rounds/standings/")
    before = reader.locator("#standings").inner_text()
    at_desk(page, event, number=3)
    was = results_of(event, 3)[0]
    page.locator("[data-label='1'] .typed").focus()
    press(page, "0" if was != "0-1" else "1")
    now = "0-1" if was != "0-1" else "1-0"
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"{was} changed to {now}.")
    expect(dialog).to_contain_text("Places that would move:")
    axe(page)
    assert Change.objects.count() == 0
    press(page, "Score sheet misread")
    page.keyboard.press("Enter")
    expect(state(page, "1")).to_have_text("saved", timeout=SOON)

    change = Change.objects.get()
    assert (change.round, change.table, change.was, change.now) == (3, 1, was, now)
    assert (change.reason, change.by) == ("Score sheet misread", "anna")
    assert change.moved
    expect(reader.locator("#standings")).not_to_have_text(before, use_inner_text=True, timeout=SOON)
    reader.goto("/events/nine-rounds/changes/")
    expect(reader.locator("main")).to_contain_text("Score sheet misread")


@pytest.mark.exhaustive
def test_cancelled_correction_changes_no_result(people: None, page: Page) -> None:
    event = create_nine_rounds()
    at_desk(page, event, number=3)
    was = results_of(event, 3)
    page.keyboard.press("Delete")
    expect(page.get_by_role("dialog")).to_contain_text("Places that would move:")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(".typed").first).to_have_value(was[0])
    assert results_of(event, 3) == was


@pytest.fixture
def league(people: None) -> Event:
    """Return a team event with an open match of two boards in round 2: Reds against Greens."""
    event = create_team_event()
    teams = list(event.competitors.all())
    Pairing.objects.create(round=event.rounds.get(number=2), table=1, first=teams[0], second=teams[2])
    return event


def test_match_has_line_up_boards_and_sum(league: Event, page: Page, axe: AssertAccessible) -> None:
    at_desk(page, league, number=2)
    page.get_by_role("link", name="Line-up 1").click()
    axe(page)
    page.get_by_label("Board 1, Reds").select_option("Reds 2")
    page.get_by_label("Board 2, Reds").select_option("Reds 1")
    page.get_by_label("Board 1, White").select_option("Greens")
    page.get_by_role("button", name="Save the line-up").click()
    expect(line(page, "1.1")).to_contain_text("Reds 2")
    typed(page, "1.1").focus()
    press(page, "1=")
    expect(page.locator(".sum")).to_have_text("1½ : ½")
    expect_all_saved(page)
    match = Pairing.objects.get(round__event=league, round__number=2)
    assert (match.first_score, match.second_score) == (3, 1)
    board = Game.objects.get(pairing=match, board=1)
    assert (board.first_player, board.white) == (Player.objects.get(name="Reds 2"), "second")


@pytest.mark.exhaustive
def test_match_score_without_boards(league: Event, page: Page) -> None:
    at_desk(page, league, number=2)
    page.get_by_role("link", name="Scores of matches only").click()
    page.wait_for_url("**/results/?totals=1")
    expect(page.locator(".typed")).to_be_focused()
    page.keyboard.type("1½-½")
    page.keyboard.press("Enter")
    expect_all_saved(page)
    assert results_of(league, 2) == ["1½-½"]
    assert not Game.objects.filter(pairing__round__number=2).exists()


def test_form_works_without_javascript(event: Event, plain_page: Page) -> None:
    page = at_desk(plain_page, event)
    typed(page, "1").fill("2-0")
    typed(page, "2").fill("3-3")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".messagelist")).to_contain_text("1 result saved.")
    expect(typed(page, "2")).to_have_value("3-3")
    expect(state(page, "2")).to_contain_text("Type another result.")
    assert results_of(event)[:2] == ["2-0", ""]


@pytest.mark.parametrize(
    "width", [360, *(pytest.param(width, marks=pytest.mark.exhaustive) for width in (768, 1280))]
)
@pytest.mark.exhaustive
def test_screens_are_accessible_and_fit(
    event: Event, league: Event, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    at_desk(page, event)
    for screen in (
        f"/admin/events/{event.pk}/rounds/1/results/",
        f"/admin/events/{league.pk}/rounds/2/results/",
        f"/admin/events/{league.pk}/rounds/1/results/?totals=1&missing=1",
        f"/admin/events/{league.pk}/rounds/2/results/paste/",
        f"/admin/events/{league.pk}/rounds/2/results/1/line-up/",
    ):
        page.goto(screen)
        axe(page)
        expect(page.locator(".purpose").first).not_to_be_empty()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), screen

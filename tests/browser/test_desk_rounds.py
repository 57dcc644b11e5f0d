"""Rounds in a browser: opening, pairing, publishing, changes by hand, closing and reopening."""

import pytest
from django.test import Client
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import AssertAccessible, OpenPage, Watch, log_in
from tests.cast import Hall, match_file, open_hall, open_round_robin
from tests.tournaments.recording.desk import at, round_of, seat, typed
from tournaments.models import Competitor
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.publishing import publish_pairings

SCREENS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("event-rounds", ()),
    ("event-dates", ()),
    ("round-close", (2,)),
    ("round-close", (3,)),
    ("round-reopen", (1,)),
    ("round-pairings", (1,)),
    ("round-pairings", (3,)),
    ("round-publish", (3,)),
    ("round-paste", (3,)),
    ("round-pairing", (3, 1)),
    ("round-pairing", (1, 1)),
)


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    """Return an event of eight players with round 3 open and not paired."""
    hall = open_hall()
    Competitor.objects.bulk_create(
        Competitor(event=hall.event, number=number, name=f"Player {number}") for number in range(5, 9)
    )
    enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], hall.people["anna"])
    open_round(hall.event, hall.people["anna"])
    return hall


def change_a_pairing(hall: Hall) -> None:
    """Pair and publish round 3, and turn its first pairing by hand."""
    anna, third = hall.people["anna"], round_of(hall.event, 3)
    add_pairings(third, [Seats(1, 4), Seats(2, 3)], anna)
    publish_pairings(third, anna)
    seat(third, {1: (4, 1)}, anna, "Colours.")


@pytest.mark.exhaustive
def test_round_screens_are_accessible_and_fit(hall: Hall, page: Page, axe: AssertAccessible) -> None:
    change_a_pairing(hall)
    log_in(page, "anna")
    for screen, place in SCREENS:
        page.goto(hall.address(screen, *place))
        for width in (1280, 768, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
        axe(page)  # at the smallest width, where most of the page has to be scrolled
        expect(page.locator(".purpose").first).not_to_be_empty()


@pytest.mark.exhaustive
def test_schedule_is_previewed_and_paired(
    transactional_db: None, open_page: OpenPage, axe: AssertAccessible
) -> None:
    hall = open_round_robin(7)
    page = open_page(768)
    log_in(page, "anna")
    page.goto(hall.address("event-rounds"))
    page.get_by_role("link", name="Pair all rounds").click()
    axe(page)
    expect(page.get_by_text("4 Player 4 rests")).to_have_count(1)
    page.get_by_role("button", name="Pair all 7 rounds").click()
    expect(page.get_by_text("7 rounds are paired.")).to_be_visible()
    assert [len(hall.seats(number)) for number in range(1, 8)] == [4] * 7


@pytest.mark.exhaustive
def test_match_points_are_awarded(transactional_db: None, open_page: OpenPage, axe: AssertAccessible) -> None:
    hall = open_hall(match_file())
    row = at(hall.event, 1, 1)
    enter(hall.event, [typed(row, "1-0", board) for board in (1, 2, 3)], hall.people["anna"])
    page = open_page(768)
    log_in(page, "anna")
    page.goto(hall.address("round-pairing", 1, 1))
    axe(page)
    page.get_by_label("Match points awarded").fill("1-1")
    page.get_by_label("Reason").fill("Both teams were late.")
    page.get_by_role("button", name="Save the match points").click()
    expect(page.get_by_text("The match points are saved.")).to_be_visible()
    page.get_by_role("link", name="Public page of this pairing").click()
    expect(page.get_by_text("Match points awarded: 1-1.")).to_be_visible()


def pair(page: Page, text: str) -> None:
    """Submit a command in the field of the pairing screen."""
    field = page.get_by_label("Two numbers or names to pair them")
    field.fill(text)
    field.press("Enter")


def test_round_is_paired_by_keyboard(hall: Hall, page: Page) -> None:
    log_in(page, "anna")
    page.goto(hall.address("round-pairings", 3))
    page.keyboard.press("/")
    for text, table in (("4 1", 1), ("player 5 player 6", 2), ("2 3", 3), ("7 bye", 4)):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.locator("#done")).to_contain_text(f"Table {table}:")
        assert page.evaluate("document.activeElement.id") == "command"
    assert hall.seats(3) == ["4-1", "5-6", "2-3", "7 bye"]

    page.get_by_label("4 Dov").focus()
    for key in ("Enter", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#done")).to_have_text("Table 1: 6 Player 6 – 1 Ann. Table 2: 5 Player 5 – 4 Dov.")
    page.keyboard.press("u")
    expect(page.locator("#done")).to_contain_text("Undone.")
    assert hall.seats(3) == ["4-1", "5-6", "2-3", "7 bye"]
    page.get_by_label("8 Player 8").focus()
    page.keyboard.press("-")
    expect(page.locator("#done")).to_have_text("Table 5: 8 Player 8, absent.")
    expect(page.get_by_text("All players are paired.")).to_be_visible()


class HeldPosts:
    """Delays the POSTs of a page until they are released. Later POSTs are not delayed."""

    def __init__(self, page: Page) -> None:
        self.held: list[Route] = []
        self.is_released = False
        page.route("**/pairings/", self.hold)

    def hold(self, route: Route) -> None:
        if route.request.method == "POST" and not self.is_released:
            self.held.append(route)
        else:
            route.continue_()

    def release(self) -> int:
        """Continue the delayed POSTs and return their number."""
        self.is_released = True
        for route in self.held:
            route.continue_()
        return len(self.held)


def test_second_enter_is_ignored_and_lost_connection_is_shown(hall: Hall, page: Page, watch: Watch) -> None:
    log_in(page, "anna")
    posts = HeldPosts(page)
    page.goto(hall.address("round-pairings", 3))
    with page.expect_request(lambda request: request.method == "POST"):
        pair(page, "5 6")
    page.keyboard.press("Enter")
    page.keyboard.type("7 8")
    page.keyboard.press("Enter")
    page.keyboard.type("1")
    assert posts.release() == 1
    expect(page.locator("#done")).to_have_text("Table 2: 7 Player 7 – 8 Player 8.")
    assert hall.seats(3) == ["5-6", "7-8"]
    expect(page.locator("#command")).to_have_value("1")
    field = page.locator("#command")
    field.fill("8 ×")
    field.press("Enter")
    expect(page.locator("#done")).to_contain_text("Not paired any more:")
    page.unroute("**/pairings/")
    page.context.set_offline(True)
    page.locator("label", has_text="Player 6").click()
    page.locator("label", has_text="Player 7").click()
    expect(page.locator("#done")).to_have_text("No connection. The pairings may have changed. Try again.")
    watch.expect("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(False)
    page.keyboard.press("Escape")
    page.locator("label", has_text="Player 6").click()
    page.locator("label", has_text="Player 7").click()
    expect(page.locator("#done")).to_contain_text("Table 1: 5 Player 5 – 7 Player 7.")
    assert hall.seats(3) == ["5-7"]


def test_names_are_paired_by_dragging(hall: Hall, page: Page, axe: AssertAccessible) -> None:
    add_pairings(round_of(hall.event, 3), [Seats(5, 6), Seats(2, 3)], hall.people["anna"])
    log_in(page, "anna")
    page.goto(hall.address("round-pairings", 3))
    page.locator("label", has_text="Player 6").drag_to(page.locator("label", has_text="Cas"))
    expect(page.locator("#done")).to_have_text("Table 1: 5 Player 5 – 3 Cas. Table 2: 2 Bea – 6 Player 6.")
    page.locator("label", has_text="Bea").drag_to(page.locator("label", has_text="Dov"))
    expect(page.locator("#done")).to_have_text("Table 2: 4 Dov – 6 Player 6. Not paired any more: 2 Bea.")
    axe(page)
    assert hall.seats(3) == ["5-3", "4-6"]


def test_names_are_tapped_on_phone_and_rematch_is_confirmed(
    hall: Hall, open_page: OpenPage, axe: AssertAccessible
) -> None:
    add_pairings(round_of(hall.event, 3), [Seats(5, 1), Seats(6, 2)], hall.people["anna"])
    page = open_page(360, 740)
    log_in(page, "anna")
    page.goto(hall.address("round-pairings", 3))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_text("Selected players:")).to_be_hidden()
    page.locator("label", has_text="Ann").click()
    expect(page.get_by_text("Selected players:")).to_be_visible()
    expect(page.locator("#about")).to_contain_text("1 Ann has met: 1. 2 Bea; 2. 3 Cas")
    expect(page.locator("label.met", has_text="Bea")).to_be_visible()
    axe(page)
    page.locator("label", has_text="Player 6").click()
    expect(page.get_by_role("heading", name="This would be unusual")).to_be_visible()
    expect(page.get_by_text("1 Ann and 2 Bea met in round 1.").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)
    page.get_by_role("link", name="Leave it").click()
    assert hall.seats(3) == ["5-1", "6-2"]
    page.locator("label", has_text="Ann").click()
    page.get_by_role("button", name="absent").click()
    answer = "Table 1: 1 Ann, absent. Not paired any more: 5 Player 5."
    expect(page.locator("#done")).to_have_text(answer)
    expect(page.locator("#command ~ .outcome", has_text=answer)).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#done")).to_contain_text("Undone.")
    assert hall.seats(3) == ["5-1", "6-2"]


@pytest.mark.exhaustive
def test_a_round_is_published_taken_back_published_again_and_played(
    hall: Hall, page: Page, axe: AssertAccessible
) -> None:
    """A round from the pairings to the end, and its public pages."""
    public = f"/events/{hall.event.slug}/rounds/3/"
    log_in(page, "anna")
    page.goto(hall.address("round-pairings", 3))
    pair(page, "1 2")
    expect(page.get_by_text("1 Ann and 2 Bea met in round 1.").first).to_be_visible()
    page.get_by_role("button", name="Do it anyway").click()
    expect(page.locator("#done")).to_contain_text("Table 1:")
    pair(page, "3 4")
    page.get_by_role("button", name="Do it anyway").click()
    expect(page.locator("#done")).to_contain_text("Table 2:")
    axe(page)
    assert reader_gets(public) == 404

    page.get_by_role("link", name="Publish pairings").click()
    expect(page.get_by_role("heading", name="Not paired yet: 4")).to_be_visible()
    expect(page.get_by_text("5 Player 5; 6 Player 6; 7 Player 7; 8 Player 8")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Publish pairings as they are").click()
    expect(page.get_by_text("The pairings of round 3 are published.")).to_be_visible()
    assert reader_gets(public) == 200
    page.go_back()
    expect(page.get_by_text("The pairings of this round are published.")).to_be_visible()

    page.get_by_role("button", name="Take the pairings back").click()
    expect(page.get_by_text("The pairings were taken back")).to_be_visible()
    assert reader_gets(public) == 404
    page.locator("label", has_text="Bea").click()
    page.locator("label", has_text="Dov").click()
    page.get_by_role("button", name="Do it anyway").click()
    for text, table in (("5 6", 3), ("7 8", 4)):
        pair(page, text)
        expect(page.locator("#done")).to_contain_text(f"Table {table}:")
    expect(page.get_by_text("All players are paired.")).to_be_visible()
    page.get_by_role("link", name="Publish pairings").click()
    expect(page.get_by_text("Every player has a pairing or a bye.")).to_be_visible()
    page.get_by_role("button", name="Publish pairings").click()
    expect(page.get_by_text("The pairings of round 3 are published.")).to_be_visible()
    assert hall.seats(3) == ["1-4", "3-2", "5-6", "7-8"]
    assert hall.overrides() == []

    expect(page.locator('[data-label="1"] .typed')).to_be_focused()
    expect(page.locator("#close-round")).to_be_hidden()
    for key in "2211":
        page.keyboard.press(key)
    expect(page.locator("#count")).to_have_text("4 of 4 results are in.")
    expect(page.get_by_role("button", name="Close round 3")).to_be_visible()
    page.get_by_role("link", name="Pairings", exact=True).click()
    expect(page.get_by_role("button", name="Take the pairings back")).to_have_count(0)
    page.goto(public)
    expect(page.get_by_role("cell", name="2 : 0")).to_have_count(2)


def reader_gets(address: str) -> int:
    """Return the status of the response to an anonymous reader."""
    return Client().get(address).status_code


@pytest.mark.exhaustive
def test_from_opening_to_closing_without_javascript(hall: Hall, plain_page: Page) -> None:
    page = plain_page
    log_in(page, "anna")
    page.goto(hall.address("round-pairings", 3))
    page.get_by_role("link", name="Paste a block").click()
    page.get_by_label("Pairings").fill("1-4\n2-9")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Line 2: There is no competitor 9.")).to_be_visible()
    page.get_by_label("Pairings").fill("1-4\n2-3\n5-6\n7-8")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Save 4 pairings").click()
    page.get_by_role("link", name="Publish pairings").click()
    page.get_by_role("button", name="Publish pairings").click()
    expect(page.get_by_text("The pairings of round 3 are published.")).to_be_visible()
    page.goto(hall.address("round-pairings", 3))
    page.get_by_label("3 Cas").check()
    page.get_by_label("4 Dov").check()
    page.get_by_role("button", name="Exchange the two").click()
    expect(page.get_by_text("1 Ann and 3 Cas met in round 2.").first).to_be_visible()
    page.get_by_label("Reason").fill("They share a car.")
    page.get_by_role("button", name="Do it anyway").click()
    expect(page.get_by_text("Table 1: 1 Ann – 3 Cas. Table 2: 2 Bea – 4 Dov.")).to_be_visible()
    assert hall.seats(3) == ["1-3", "2-4", "5-6", "7-8"]

    page.get_by_role("link", name="Public page").first.click()
    expect(page.get_by_role("cell", name="–*")).to_have_count(2)
    pairings = [at(hall.event, 3, table) for table in (1, 2, 3, 4)]
    enter(hall.event, [typed(row, "1-1") for row in pairings], hall.people["anna"])
    page.goto(hall.address("event-rounds"))
    page.get_by_role("link", name="Close round 3").click()
    page.get_by_role("button", name="Close round 3").click()
    expect(page.get_by_text("Round 3 is closed, and a backup was made.")).to_be_visible()
    page.goto(hall.address("event-rounds"))
    page.get_by_role("button", name="Open round 4").click()
    expect(page.get_by_text("Round 4 is open")).to_be_visible()
    page.goto(hall.address("event-rounds"))
    page.get_by_role("link", name="Open round 3 again").click()
    page.get_by_label("Reason").fill("A slip was found.")
    page.get_by_role("button", name="Open round 3 again").click()
    expect(page.get_by_text("Round 3 is open again.")).to_be_visible()


@pytest.mark.exhaustive
def test_two_arbiters_at_one_pairing(hall: Hall, open_page: OpenPage, axe: AssertAccessible) -> None:
    add_pairings(round_of(hall.event, 3), [Seats(5, 6), Seats(7, 8)], hall.people["anna"])
    first, second = open_page(1280), open_page(768, 800)
    for page, name in ((first, "anna"), (second, "ben")):
        log_in(page, name)
        page.goto(hall.address("round-pairings", 3))
    pair(first, "5 7")
    expect(first.locator("#done")).to_contain_text("Table 1:")
    pair(second, "5 8")

    expect(second.get_by_text("anna has changed this.")).to_be_visible()
    axe(second)
    assert hall.seats(3) == ["5-7", "6-8"]
    second.get_by_role("button", name="Change it").click()
    expect(second.locator("#done")).to_contain_text("Table 1: 5 Player 5 – 8 Player 8")
    assert hall.seats(3) == ["5-8", "6-7"]

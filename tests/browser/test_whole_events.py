"""Whole events at the desk as an arbiter runs them, with the clicks of each round counted."""

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.test_guide import Guided, guided
from tournaments.models import Event

__all__ = ["guided"]  # the fixture

PLAYERS = "\n".join(f"Player {number:02}; NED; {2400 - 20 * number}" for number in range(1, 22))
RESULTS = "1=011=0101="
"""The keys of a round with eleven games."""


def test_open_is_run_from_the_list_to_the_archive(guided: Guided, open_page: OpenPage) -> None:
    """22 players and 7 rounds, with a late entry, a bye, a no-show, a withdrawal, a postponed game, a
    correction, a manual pairing and prizes.
    """
    page = guided.page
    create_event(guided, "Harbour Open", "chess", PLAYERS, rounds=7)
    Event.objects.update(initial_colour="white")  # with the other lot, 8 and 1 are paired in round 3 already
    event = Event.objects.get()
    set_prizes(guided)
    request_bye(guided, "Player 07", "Round 3")

    propose_and_publish(guided, 1)
    play_and_close(guided, 1, RESULTS[:4] + "+" + RESULTS[5:10])  # a player of table 5 does not come
    enter_late(guided, "Player 22", "2390")
    propose_and_publish(guided, 2)
    play_and_close(guided, 2, RESULTS[:10] + "p", is_asked=True)
    propose_and_publish(guided, 3, pair="1 8")
    play_and_close(guided, 3, RESULTS[:10], is_asked=True)
    propose_and_publish(guided, 4)
    enter_again(guided, 2, table=11, key="1")
    enter_again(guided, 3, table=1, key="0", reason="The slip says 0-1.")
    play_and_close(guided, 4, RESULTS)
    withdraw(guided, "Player 21", "is not paired in rounds 5 to 7")
    for number in (5, 6, 7):
        propose_and_publish(guided, number)
        play_and_close(guided, number, RESULTS[:10])

    guided.link("Prizes")
    expect(page.get_by_role("heading", name="Present winners")).to_be_visible()
    first_screen(guided)
    finish(guided)
    event.refresh_from_db()
    assert event.state == Event.State.FINAL
    reader = open_page(360)
    reader.goto(f"/events/{event.slug}/standings/")
    expect(reader.get_by_role("link", name="Player 22").first).to_be_visible()


def test_draughts_swiss_under_a_frozen_system(guided: Guided) -> None:
    create_event(guided, "Harbour Cup", "international draughts", PLAYERS, rounds=3)
    for number in range(1, 4):
        propose_and_publish(guided, number)
        play_and_close(guided, number, "2102102101")
    finish(guided)
    event = Event.objects.get()
    assert (event.system, event.state) == ("fmjd-swiss", Event.State.FINAL)


def test_round_robin_with_a_withdrawal(guided: Guided, open_page: OpenPage) -> None:
    """Eight players, of whom one withdraws after round 3 of 7."""
    reader = open_page(360)
    eight = "\n".join(PLAYERS.splitlines()[:8])
    create_event(guided, "Harbour Masters", "chess", eight, schedule="round robin: all play all")
    before = guided.clicks
    guided.link("Pair all rounds")
    guided.button("Pair all 7 rounds")
    assert guided.clicks - before == 2
    first_screen(guided)
    for number in range(1, 8):
        if number == 4:
            withdraw(guided, "Player 05", "Player 05 has withdrawn after round 3")
        before = guided.clicks
        guided.link("Enter results")
        play_and_close(guided, number, RESULTS[: 4 if number < 4 else 3])
        assert guided.clicks - before == 2
    event = Event.objects.get()
    reader.goto(f"/events/{event.slug}/standings/")
    expect(reader.get_by_role("link", name="Player 05").first).to_be_visible()


def test_nine_teams_from_line_ups_to_the_final_table(guided: Guided) -> None:
    """Nine teams of five on four boards, paired for two rounds."""
    teams = "\n".join(
        "\n".join(
            [f"Team {team}; NED", *(f"- Player {team}{board}; {2500 - 40 * team}" for board in range(1, 6))]
        )
        for team in range(1, 10)
    )
    create_event(guided, "Harbour League", "chess", teams, rounds=2, entrants="teams")
    for number in (1, 2):
        propose_and_publish(guided, number)
        guided.link("Line-ups")
        guided.button("Save")  # of all matches, with the first four players of each team
        play_and_close(guided, number, 4 * "10=1")
    finish(guided)
    assert Event.objects.get().state == Event.State.FINAL


def create_event(guided: Guided, name: str, discipline: str, players: str, **settings: object) -> None:
    page = guided.page
    guided.link("New event")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Discipline").select_option(label=discipline)
    page.get_by_label("First day").fill("2026-11-27")
    page.get_by_label("Place").fill("Utrecht")
    if "rounds" in settings:
        page.get_by_label("Rounds:", exact=True).fill(str(settings["rounds"]))
    if "entrants" in settings:
        page.get_by_label(str(settings["entrants"]), exact=True).check()
    if "schedule" in settings:
        page.get_by_label(str(settings["schedule"]), exact=True).check()
    guided.button("Create the event")
    page.get_by_label("Competitors, a line each").fill(players)
    guided.button("Preview")
    guided.button("Enter them all")
    first_screen(guided)
    guided.link("The event is a draft and not public: publish the event.")
    guided.button("Set it live")
    assert guided.clicks == 7


def set_prizes(guided: Guided) -> None:
    """Two prizes of the event, and one for players rated below 2200."""
    page = guided.page
    guided.link("Categories")
    group = page.get_by_role("group", name="Categories 1", exact=True)
    group.get_by_label("Code").fill("R2200")
    group.get_by_label("Name:").fill("Rated below 2200")
    group.get_by_label("Rating to").fill("2199")
    guided.button("Save the categories")
    first_screen(guided)
    guided.link("Prizes")
    for number, (category, amount) in enumerate((("", "500"), ("", "300"), ("R2200", "100")), start=1):
        prize = page.get_by_role("group", name=f"Prizes {number}", exact=True)
        prize.get_by_label("Category").select_option(category)
        prize.get_by_label("Amount").fill(amount)
    guided.button("Save the prizes")
    expect(page.get_by_text("The prizes are saved.")).to_be_visible()
    first_screen(guided)


def first_screen(guided: Guided) -> None:
    """Press the name of the event."""
    guided.press(guided.page.locator(".breadcrumbs a").nth(1))


def attend(guided: Guided, name: str) -> None:
    """Open the attendance, and there the player."""
    guided.press(guided.page.get_by_role("link", name="Attendance", exact=True).first)
    guided.link(name)


def request_bye(guided: Guided, name: str, round_: str) -> None:
    attend(guided, name)
    guided.press(guided.page.get_by_role("group", name=round_).get_by_label("half-point bye"))
    guided.button("Save the byes")
    expect(guided.page.locator(".messagelist")).to_contain_text("has a half-point bye in round 3")
    first_screen(guided)


def withdraw(guided: Guided, name: str, effect: str) -> None:
    attend(guided, name)
    guided.button("Withdraw")
    expect(guided.page.locator(".messagelist")).to_contain_text(effect)
    first_screen(guided)


def enter_late(guided: Guided, name: str, rating: str) -> None:
    page = guided.page
    guided.press(page.get_by_role("link", name="Attendance", exact=True).first)
    guided.press(page.get_by_text("Late entry"))
    page.locator("#late_name").fill(name)
    page.locator("#late_rating").fill(rating)
    guided.press(page.get_by_role("button", name="Enter", exact=True))
    expect(page.locator(".messagelist")).to_contain_text(f"{name} is number 22")
    first_screen(guided)


def propose_and_publish(guided: Guided, number: int, pair: str = "") -> None:
    """Three clicks, and those of a pairing by hand."""
    page, before = guided.page, guided.clicks
    guided.button(f"Propose round {number}")
    if pair:
        page.get_by_label("Two numbers or names to pair them").fill(pair)
        page.keyboard.press("Enter")
        expect(page.locator("#board")).to_contain_text("are paired with each other")
    guided.link("Publish pairings")
    if pair:
        page.get_by_label("Reason").fill("Both live near the hall.")
    guided.button("Publish pairings")
    assert guided.clicks - before == 3


def play_and_close(guided: Guided, number: int, keys: str, *, is_asked: bool = False) -> None:
    """A key per game and a click, with a second one if there is a postponed game."""
    expect(guided.page.locator(".typed").first).to_be_focused()
    for key in keys:
        guided.page.keyboard.press(key)
    guided.button(f"Close round {number}")
    if is_asked:
        expect(guided.page.get_by_text("Round 2, table 11 is postponed")).to_be_visible()
        guided.button(f"Close round {number}")
    expect(guided.page.get_by_text(f"Round {number} is closed")).to_be_visible()


def enter_again(guided: Guided, number: int, table: int, key: str, reason: str = "") -> None:
    """Enter a result of an earlier round, and return."""
    page, rounds = guided.page, guided.page.get_by_role("navigation", name="Rounds")
    guided.press(rounds.get_by_role("link", name=str(number), exact=True))
    page.locator(f'[data-label="{table}"] .typed').focus()
    page.keyboard.press(key)
    if reason:
        page.get_by_label("Reason, shown in the public log").fill(reason)
        guided.button("Correct the result")
    expect(page.locator("#connection")).to_have_text("Everything is saved.")
    guided.press(rounds.get_by_role("link", name="4", exact=True))
    expect(page.get_by_role("heading", level=1)).to_contain_text("4")


def finish(guided: Guided) -> None:
    """Declare the event final, and take the report and the archive."""
    page = guided.page
    guided.link("Declare the event final")
    guided.button("Declare it final")
    for name, kind in (("Tournament report (TRF)", "text/plain"), ("Event file (JSON)", "application/json")):
        target = page.get_by_role("link", name=name, exact=True).get_attribute("href") or ""
        answer = page.request.get(target)
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, kind)
        guided.clicks += 1

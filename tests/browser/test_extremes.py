"""Empty, very large and unusual events: each page stays legible and usable."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import OpenPage
from tests.cast import create_event_to_come, create_player_event, create_players, everybody_twice, play
from tools.benchmarks.generated import generate
from tournaments.models import Change, Competitor, Event

LONG = "Maximiliana-Alexandrina van Oudenhoven tot Wassenaar-Duivel"
CYRILLIC = "Нина Григорьевна Долгорукова-Преображенская-Шереметевская"
HEBREW, ARABIC = "רבקה בן־דוד", "فاطمة الزهراء بنت محمد عبد الرحمن الأندلسي"
NAMES = [LONG, CYRILLIC, HEBREW, ARABIC]
GAMES = [(1, 1, 1, 2, 2), (1, 2, 3, 4, 1), (2, 1, 2, 3, 2), (2, 2, 4, 1, 0), (3, 1, 1, 3, 2), (3, 2, 2, 4, 2)]
NAMED = [
    *("", "standings/", "rounds/1/", "rounds/1/2/", "competitors/", "competitors/3/", "changes/"),
    *("competitors/3/total-score/", "compare/1/3/"),
]
HUGE, ROUNDS = 2000, 13
ROWS_LAID_OUT = """() => [...document.querySelectorAll("#standings tbody tr")]
    .filter(row => row.cells[0].checkVisibility({contentVisibilityAuto: true})).length"""

pytestmark = pytest.mark.usefixtures("live_server")


@pytest.fixture(params=[360, pytest.param(1280, marks=pytest.mark.exhaustive)])
def reader(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """A page, wide and narrow."""
    return open_page(request.param, 740)


def create_names() -> Event:
    """Create four players with names of sixty letters and in other scripts; a correction moved two."""
    event = create_players("names", NAMES, 3, name=f"Open of {HEBREW} and {LONG}")
    Competitor.objects.update(rating=2400, title="GM")
    play(event, GAMES)
    values = {"event": event, "reason": "The sheet was misread.", "by": "A"}
    Change.objects.create(round=1, table=2, was="1-0", now="½-½", moved=[[3, 2, 4], [4, 4, 3]], **values)
    return event


def fits(page: Page) -> bool:
    """Return whether the page does not scroll horizontally."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def left_of(element: Locator) -> float:
    """Return the distance from the left in pixels."""
    box = element.bounding_box()
    assert box
    return box["x"]


def test_unusual_names_fit(reader: Page) -> None:
    create_names()
    for address in NAMED:
        reader.goto(f"/events/names/{address}")
        assert fits(reader), address


@pytest.mark.exhaustive
def test_figures_stay_right_of_a_right_to_left_name(reader: Page) -> None:
    create_names()
    reader.goto("/events/names/changes/")
    for moved, places in ((HEBREW, "2 → 4"), (ARABIC, "4 → 3")):
        name = reader.get_by_role("link", name=moved)
        written = name.evaluate("link => link.nextSibling.textContent.trim()")
        assert written.startswith(places)
        places_left = name.evaluate(
            """link => {
                const range = document.createRange();
                const text = link.nextSibling, digit = text.data.search(/[0-9]/);
                range.setStart(text, digit);
                range.setEnd(text, digit + 1);
                return range.getBoundingClientRect().left;
            }"""
        )
        line = name.evaluate("link => link.getClientRects()[0].left")
        assert places_left > line
    reader.goto("/events/names/standings/")
    row = reader.locator("#standings tbody tr", has=reader.locator(".name", has_text=HEBREW))
    assert left_of(row.locator(".who")) < left_of(row.locator(".lead"))


@pytest.mark.exhaustive
def test_long_name_is_complete_on_a_phone(open_page: OpenPage) -> None:
    create_names()
    phone = open_page(360, 740)
    phone.goto("/events/names/standings/")
    for name in NAMES:
        link = phone.locator("#standings tbody .name", has_text=name)
        within = link.evaluate(
            """link => {
                const row = link.closest("tr").getBoundingClientRect();
                const lines = [...link.getClientRects()];
                return lines.every(line => line.left >= row.left && line.right <= row.right);
            }"""
        )
        assert within, name


@pytest.mark.exhaustive
def test_event_without_pairings(reader: Page) -> None:
    create_event_to_come()
    for address in ("", "standings/"):
        reader.goto(f"/events/to-come/{address}")
        expect(
            reader.get_by_text("The standings will be here once the first round is paired.")
        ).to_be_visible()
        assert fits(reader)
    reader.goto("/events/to-come/competitors/1/")
    expect(reader.get_by_text("The rounds will be here once the first round is paired.")).to_be_visible()


@pytest.mark.exhaustive
def test_two_competitors_and_one_round(reader: Page) -> None:
    create_player_event()
    reader.goto("/events/two-players/standings/")
    expect(reader.locator("#standings tbody tr")).to_have_count(2)
    expect(reader.locator(".rounds a")).to_have_text(["1"])
    reader.goto("/events/two-players/crosstable/")
    expect(reader.locator("tbody .m")).to_have_count(4)
    assert fits(reader)


@pytest.mark.exhaustive
def test_double_round_robin_of_thirty_four_rounds(reader: Page) -> None:
    event = create_players(
        "twice", [f"Player {n}" for n in range(1, 19)], 34,
        schedule="double-round-robin", system="manual-round-robin",
    )  # fmt: skip
    play(event, everybody_twice(18))
    reader.goto("/events/twice/crosstable/")
    cells = reader.locator("tbody .m:not(.self)")
    expect(cells).to_have_count(18 * 17)
    assert all(re.fullmatch(r"[01½]·[01½]", text.replace(" ", "")) for text in cells.all_text_contents())
    reader.goto("/events/twice/standings/")
    reader.locator(".rounds").scroll_into_view_if_needed()
    expect(reader.locator(".rounds [aria-current]")).to_be_in_viewport()
    reader.locator("#sort-round-34").focus()
    expect(reader.locator("#sort-round-34")).to_be_in_viewport()


@pytest.mark.exhaustive
def test_two_thousand_players_and_thirteen_rounds(page: Page, live_server: LiveServer) -> None:
    drawn = generate(HUGE, ROUNDS)
    event = create_players("huge", [f"Player {n} of the Open" for n in range(1, HUGE + 1)], ROUNDS)
    play(
        event, ((game.round, game.table, game.white + 1, game.black + 1, game.score) for game in drawn.games)
    )
    answer = page.goto("/events/huge/standings/")
    assert answer
    expect(page.locator("#standings tbody tr")).to_have_count(HUGE, timeout=60_000)
    assert answer.request.sizes()["responseBodySize"] < 60_000
    page.locator("#standings tbody tr").last.hover()
    expect(page.locator("#standings .met")).to_have_count(ROUNDS)
    # Invisible rows are not laid out, so that the list scrolls smoothly.
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(ROWS_LAID_OUT) < 100

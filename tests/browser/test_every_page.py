"""Every kind of page is accessible, fits its screen and leaves no cookie."""

from collections.abc import Callable
from typing import Literal

import pytest
from django.test import Client
from playwright.sync_api import Page, ViewportSize

from standings.pages.page_list import EVENT_PAGES
from tests.browser.conftest import AssertAccessible, Watch
from tests.cast import create_event_to_come, create_rated_event, create_team_event
from tests.demo import BATUMI, CHENNAI, DEN_HAAG, OUAGADOUGOU, WORLD_1948, record
from tests.linked import both_sides
from tests.routes import page_addresses
from tournaments.models import Change, Competitor, Event, Override, Player

CUP, TO_COME = "/events/two-teams/", "/events/to-come/"
Screen = tuple[ViewportSize, Literal["light", "dark"]]
SCREENS: list[Screen] = [
    (ViewportSize(width=360, height=740), "light"),
    (ViewportSize(width=1280, height=800), "dark"),
]


def create_cup() -> None:
    """Create a live event with a ruling and a correction, the next edition, and a future one.

    The first two are the sections of a congress.
    """
    event = create_team_event()
    Event.objects.filter(pk=create_team_event("next-cup").pk).update(name="Next Cup", start="2026-05-01")
    for slug, section in (("two-teams", "Open"), ("next-cup", "Women")):
        Event.objects.filter(slug=slug).update(congress="Festival", section=section)
    blues = Competitor.objects.get(event=event, number=2)
    values = {"event": event, "reason": "Ruled by the jury.", "by": "A"}
    Override.objects.create(number=1, kind="place", competitor=blues, place=1, **values)
    Change.objects.create(round=1, table=1, was="2-2", now="3-1", moved=[[1, 2, 1], [2, 1, 2]], **values)
    create_event_to_come()


def create_rated() -> None:
    """Create an event of players with ratings, and an event of teams with rated players."""
    create_rated_event()
    create_team_event()
    Event.objects.update(start="2026-05-01")
    Player.objects.update(rating=2000)


def create_removed() -> None:
    """Create an event that was taken down."""
    create_team_event("removed")
    Event.objects.update(state=Event.State.REMOVED)


PAGES: dict[str, tuple[Callable[[], None], list[str]]] = {
    "teams, Swiss": (
        lambda: record(BATUMI),
        [
            *(f"{BATUMI}{page}" for page in ("", "standings/", "rounds/11/1/", "competitors/155/")),
            *(f"{BATUMI}{page}" for page in ("competitors/1/dsb/", "compare/1/2/", "check/")),
            f"{BATUMI}paste/?top=10",
            *("/series/chess-olympiad/", "/series/chess-olympiad/?sort=game-points&dir=asc"),
            *("/nl/series/chess-olympiad/", f"/nl{BATUMI}", f"/nl{BATUMI}statistics/"),
        ],
    ),
    "teams with players": (
        lambda: record(CHENNAI),
        [f"{CHENNAI}{page}" for page in ("rounds/11/", "rounds/11/1/", "competitors/", "competitors/182/")],
    ),
    "players, Swiss": (
        lambda: record(OUAGADOUGOU),
        [
            *(f"{OUAGADOUGOU}standings/{page}" for page in ("", "?notation=1-0&cells=W12")),
            f"{OUAGADOUGOU}standings/after/5/?cells=%2B12w&sort=move",
            *(f"{OUAGADOUGOU}{page}" for page in ("rounds/1/1/", "competitors/3/solkoff-baliakin/")),
            f"{OUAGADOUGOU}competitors/1/",
        ],
    ),
    "ratings": (
        create_rated,
        [
            *(
                f"/events/open/{page}"
                for page in ("standings/?ratings=shown", "competitors/1/", "statistics/")
            ),
            *("/nl/events/open/competitors/2/", f"{CUP}competitors/1/"),
        ],
    ),
    "round robin": (
        lambda: record(WORLD_1948, DEN_HAAG),
        [
            *(f"{WORLD_1948}{page}" for page in ("", "standings/", "crosstable/", "changes/", "rounds/1/5/")),
            *(f"{WORLD_1948}{page}" for page in ("competitors/1/best-opponents/?after=1", "map/", "screen/")),
            f"/embed{WORLD_1948}crosstable/",
            *(
                f"{DEN_HAAG}{page}"
                for page in ("standings/after/2/?sort=name&dir=desc", "compare/1/2/?after=2")
            ),
        ],
    ),
    "list and series": (
        create_cup,
        [
            "/congresses/festival/",
            "/nl/",
            "/?q=reds",
            "/?q=nobody",
            "/?discipline=chess",
            f"/nl{CUP}standings/",
        ],
    ),
    "live, manually changed": (
        create_cup,
        [f"{CUP}standings/?as=computed", f"{CUP}competitors/2/match-points/"],
    ),
    "still to come": (
        create_cup,
        [
            f"{TO_COME}{page}"
            for page in ("", "standings/", "competitors/", "competitors/1/", "changes/", "check/")
        ],
    ),
    "criteria": (
        lambda: None,
        ["/criteria/solkoff-truncated-full/", "/criteria/manual/", "/nl/codes/"],
    ),
}
"""Pages with content that others of their kind do not have: the setup, and the URLs."""


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.exhaustive) for part in range(1, 8))]
)
def test_every_page_of_the_site_and_of_an_event(
    page: Page, axe: AssertAccessible, live_server: object, part: int
) -> None:
    """Check an eighth of the pages."""
    create_cup()
    both_sides(Event.objects.get(slug="two-teams"))
    addresses = list(page_addresses(Client()))
    assert len(addresses) > len(EVENT_PAGES)
    for address in addresses[part::8]:
        page.goto(address)
        look(page, axe, audited=SCREENS[:1])
    assert page.context.cookies() == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", PAGES)
def test_page_is_accessible_on_every_screen_and_leaves_no_cookie(
    page: Page, axe: AssertAccessible, live_server: object, kind: str
) -> None:
    create, addresses = PAGES[kind]
    create()
    for address in addresses:
        page.goto(address)
        look(page, axe)
        page.emulate_media(color_scheme="light")
        axe(page, "color-contrast")  # the only effect of a scheme
        page.set_viewport_size(SCREENS[0][0])
        page.emulate_media(color_scheme="dark")
        axe(page, "color-contrast")
    assert page.context.cookies() == []


@pytest.mark.parametrize(("address", "answer"), [("/nothing-here/", "404"), ("/events/removed/", "410")])
def test_error_page_is_accessible(
    page: Page, axe: AssertAccessible, watch: Watch, live_server: object, address: str, answer: str
) -> None:
    create_removed()
    page.goto(address)
    look(page, axe)
    watch.expect(answer)


FITS = """() => document.documentElement.scrollWidth <= innerWidth
    || (innerWidth > 600 && document.documentElement.matches(".with-table"))"""
"""On a laptop a page scrolls sideways only if it is that of a wide table."""


def look(page: Page, axe: AssertAccessible, audited: list[Screen] = SCREENS) -> None:
    """Check both screens with all details open; run axe on the audited pages.

    The scheme is light on a phone and dark on a laptop.
    """
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    for screen, scheme in SCREENS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(screen)
        assert page.evaluate(FITS), page.url
        if (screen, scheme) in audited:
            axe(page)

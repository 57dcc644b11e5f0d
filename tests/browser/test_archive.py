"""An archive opened from disk in Chromium, without server and network."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

from standings.archive.contents import criteria_pages
from standings.pages.page_list import EVENT_PAGES
from tests.archives import archived, fewer_pages
from tests.browser.conftest import AssertAccessible
from tests.cast import create_player_event, create_team_event
from tests.demo import BATUMI, CHENNAI, DEN_HAAG, OUAGADOUGOU, WORLD_1948, record
from tests.routes import VALUES, filled
from tournaments.models import Event
from tournaments.operations.revision import present

pytestmark = pytest.mark.django_db(transaction=True)

KINDS = [filled(page.route, VALUES) for page in EVENT_PAGES if page.archived]
"""A page of each kind in an archive."""
OF_NONE = ("prizes/", "standings/category/")
"""No demo event has these pages."""
NAMES = {f"{kind}index.html" for kind in KINDS if not kind.startswith(OF_NONE)}
CROSSTABLE, MAP = "crosstable/index.html", "map/index.html"

REPEATED = {"olympiad-2018-open", "1947-vierkamp-den-haag"}
"""Events with the same kinds of pages as another: they must fit and make no requests."""
UNMAPPED = {"1947-vierkamp-den-haag"}
"""An event with too few countries for a map."""
EVENTS = {address.split("/")[2]: address for address in (BATUMI, CHENNAI, DEN_HAAG, OUAGADOUGOU, WORLD_1948)}


ROUND_ROBIN = WORLD_1948.split("/")[2]
"""An event with a page of every kind."""


class Offline:
    """A browser without network; `problems` are requests and errors of pages."""

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 800})
        self.context.set_offline(True)
        self.page: Page = self.context.new_page()
        self.problems: list[str] = []
        self.page.on("request", self._note_request)
        self.page.on("requestfailed", self._note_failure)
        self.page.on("console", self._note_message)

    def open(self, file: Path) -> Page:
        self.page.goto(file.as_uri())
        return self.page

    def links(self) -> set[Path]:
        """Return the files that the open page links to."""
        # In SVG, `href` is not a string.
        whole = "links => links.map(link => new URL(link.getAttribute('href'), document.baseURI).href)"
        found = self.page.eval_on_selector_all("a[href]", whole)
        return {path_of(link) for link in found if urlsplit(link).scheme == "file"}

    def _note_request(self, request: Request) -> None:
        if urlsplit(request.url).scheme != "file":
            self.problems.append(f"asks the network: {request.url}")

    def _note_failure(self, request: Request) -> None:
        # Navigation aborts unfinished requests, such as the icon.
        stopped = request.failure == "net::ERR_ABORTED" and path_of(request.url).is_file()
        if not stopped:
            self.problems.append(f"{request.failure}: {request.url}")

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(message.text)


def path_of(address: str) -> Path:
    return Path(unquote(urlsplit(urldefrag(address)[0]).path))


@pytest.fixture
def offline(browser: Browser) -> Iterator[Offline]:
    found = Offline(browser)
    yield found
    found.context.close()
    assert found.problems == []


def create(slug: str) -> None:
    if slug in EVENTS:
        record(EVENTS[slug])
    else:
        create_team_event(slug)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "slug", ["two-teams", pytest.param("1947-vierkamp-den-haag", marks=pytest.mark.exhaustive)]
)
def test_every_link_of_the_archive_works(slug: str, offline: Offline, tmp_path: Path) -> None:
    create(slug)
    folder = archived(slug, tmp_path)
    waiting, seen = [folder / "index.html"], {folder / "index.html"}
    while waiting:
        page = offline.open(waiting.pop())
        expect(page.locator("h1")).to_have_count(1)
        new = {file for file in offline.links() if file not in seen}
        assert [file for file in new if not file.is_file()] == []
        seen |= new
        waiting += sorted(file for file in new if file.suffix == ".html")
    assert seen >= set(folder.rglob("*.html"))


@pytest.mark.parametrize(
    "slug",
    [
        slug if slug == ROUND_ROBIN else pytest.param(slug, marks=pytest.mark.exhaustive)
        for slug in sorted(EVENTS)
    ],
)
@pytest.mark.exhaustive
def test_each_kind_of_page_is_accessible_and_fits(
    slug: str, offline: Offline, axe: AssertAccessible, tmp_path: Path
) -> None:
    create(slug)
    event = present(Event.objects.get(slug=slug).pk)
    names = NAMES | {next(iter(criteria_pages(event).values()))}
    if not event.is_round_robin:
        names.discard(CROSSTABLE)
    if slug in UNMAPPED:
        names.discard(MAP)
    with fewer_pages(names):
        folder = archived(slug, tmp_path)
    for name in sorted(names):
        page = offline.open(folder / name)
        styles = page.eval_on_selector_all("link[rel=stylesheet]", "links => links.map(link => !!link.sheet)")
        assert styles
        assert all(styles)
        broken = "images => images.filter(image => image.loading !== 'lazy' && !image.naturalWidth).length"
        assert page.eval_on_selector_all("img", broken) == 0
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 740})
            is_wide_table = width > 600 and page.locator(".with-table").count()
            assert is_wide_table or page.evaluate("document.documentElement.scrollWidth") <= width
        if slug not in REPEATED:
            axe(page, colours=False)  # these belong to the site


def test_table_links_to_values_and_back(offline: Offline, tmp_path: Path) -> None:
    record(DEN_HAAG)
    page = offline.open(archived("1947-vierkamp-den-haag", tmp_path) / "index.html")
    page.get_by_role("link", name="Standings", exact=True).click()
    page.locator("td.lead a").first.click()
    expect(page.locator("h3:target")).to_contain_text("=")
    assert "index.html#" in page.url
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="JSON").wait_for()


@pytest.mark.exhaustive
def test_script_makes_unlinked_cells_lead_to_matches(offline: Offline, tmp_path: Path) -> None:
    """Cells after an earlier round lead to the round on the card; rounds and games lead to matches."""
    record(CHENNAI)
    files = ("standings/after/3/index.html", "competitors/7/index.html", "rounds/2/index.html")
    with fewer_pages(set(files)):
        standings, _card, _round = (archived("olympiad-2022-open", tmp_path) / name for name in files)
    page = offline.open(standings)
    page.locator("#c7 td.r").get_by_role("link", name="Round 3, ").click()
    expect(page.locator("tr:target th")).to_have_text("3")
    game = page.locator("[aria-labelledby=players] tbody tr").first.locator("td").nth(1).locator("a")
    expect(game).to_have_text("1")
    game.click()
    expect(page.locator("tbody:target tr").first).to_contain_text("Armenia")


@pytest.mark.parametrize("width", [620, 1280])
@pytest.mark.exhaustive
def test_reason_for_the_order_fits_the_table(width: int, offline: Offline, tmp_path: Path) -> None:
    """With few rounds the table is narrow, and the first row has the longest text."""
    record(CHENNAI)
    name = "standings/after/3/index.html"
    with fewer_pages({name}):
        page = offline.open(archived("olympiad-2022-open", tmp_path) / name)
    page.set_viewport_size({"width": width, "height": 740})
    table = page.locator("#standings").bounding_box()
    words = page.locator("#standings tbody .why").evaluate_all(
        """cells => Math.max(...cells.filter(cell => cell.textContent).map(cell => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return range.getBoundingClientRect().right;
        }))"""
    )
    assert table
    assert words <= table["x"] + table["width"]


def test_archived_site_can_be_searched_filtered_and_sorted(
    offline: Offline, axe: AssertAccessible, tmp_path: Path
) -> None:
    create_player_event("match-a")
    create_team_event()
    create_player_event("match-b")
    Event.objects.filter(slug="two-teams").update(start="2025")
    Event.objects.update(state=Event.State.FINAL)  # live events are in a separate list
    call_command("publish_archive", everything=True, out=tmp_path, verbosity=0)
    page = offline.open(tmp_path / "index.html")
    lines = page.locator("#events > li")
    expect(lines).to_have_count(3)
    axe(page)
    page.get_by_label("Teams or players").select_option("teams")
    expect(lines).to_have_count(1)
    page.get_by_label("Teams or players").select_option("")
    expect(lines).to_have_count(3)
    page.get_by_role("searchbox").fill("CÚP")
    expect(lines).to_have_count(1)
    page.get_by_role("searchbox").fill("red")
    expect(lines).to_have_count(0)
    axe(page)
    page.locator(".hits a").first.click()
    expect(page.locator("h2 .name")).to_have_text("Reds")
    page.get_by_role("link", name="Standings", exact=True).first.click()
    names = page.locator("#standings tbody .who a")
    own = names.all_inner_texts()
    page.get_by_role("button", name="team").click()
    assert names.all_inner_texts() == sorted(own)
    expect(page.locator("th[aria-sort=ascending]")).to_have_count(1)
    axe(page)
    page.get_by_role("button", name="team").click()
    assert names.all_inner_texts() == sorted(own, reverse=True)
    page.get_by_role("button", name="team").click()
    assert names.all_inner_texts() == own
    expect(page.locator("#standings tbody tr[role=row] > td[role=cell]").first).to_be_visible()
    page = offline.open(tmp_path / "404.html")
    page.get_by_role("link", name="All events").click()
    expect(lines).to_have_count(3)

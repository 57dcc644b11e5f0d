"""An archive opened from a disk, without a server and without a network, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

from standings.archive.contents import criteria_pages
from standings.pages.eventpages import EVENT_PAGES
from tests.archives import archived, fewer_pages
from tests.browser.conftest import AssertAccessible
from tests.cast import create_player_event, create_team_event
from tests.demo import BATUMI, CHENNAI, DEN_HAAG, OUAGADOUGOU, WORLD_1948, record
from tests.routes import VALUES, filled
from tournaments.models import Event
from tournaments.operations.revision import present

pytestmark = pytest.mark.django_db(transaction=True)

KINDS = [filled(page.route, VALUES) for page in EVENT_PAGES if page.archived]
"""A page of each kind that an archive holds."""
OF_NONE = ("prizes/", "standings/category/")
"""None of the demo events has them."""
NAMES = {f"{kind}index.html" for kind in KINDS if not kind.startswith(OF_NONE)}
CROSSTABLE, MAP = "crosstable/index.html", "map/index.html"

REPEATED = {"olympiad-2018-open", "1947-vierkamp-den-haag"}
"""Events whose pages are of the kinds of another's: they have to fit and to ask for nothing, as all do."""
UNMAPPED = {"1947-vierkamp-den-haag"}
"""Its players are from too few countries for a map."""
EVENTS = {address.split("/")[2]: address for address in (BATUMI, CHENNAI, DEN_HAAG, OUAGADOUGOU, WORLD_1948)}


ROUND_ROBIN = WORLD_1948.split("/")[2]
"""It has a page of every kind."""


class Offline:
    """A browser with the network off; `problems` are what a page asked for, or complained of."""

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(viewport={"width": 1280, "height": 800})
        self.context.set_offline(True)
        self.page: Page = self.context.new_page()
        self.problems: list[str] = []
        self.page.on("request", self._note_request)
        self.page.on("requestfailed", self._note_failure)
        self.page.on("console", self._note_message)

    def open(self, file: Path) -> Page:
        """The page in that file."""
        self.page.goto(file.as_uri())
        return self.page

    def links(self) -> set[Path]:
        """The files that the open page leads to."""
        # The links of a picture have no `href` that is a text.
        whole = "links => links.map(link => new URL(link.getAttribute('href'), document.baseURI).href)"
        found = self.page.eval_on_selector_all("a[href]", whole)
        return {path_of(link) for link in found if urlsplit(link).scheme == "file"}

    def _note_request(self, request: Request) -> None:
        if urlsplit(request.url).scheme != "file":
            self.problems.append(f"asks the network: {request.url}")

    def _note_failure(self, request: Request) -> None:
        # A page that is left stops what it was still loading, which may be its icon.
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
def test_every_link_opens(slug: str, offline: Offline, tmp_path: Path) -> None:
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
def test_a_page_of_each_kind(slug: str, offline: Offline, axe: AssertAccessible, tmp_path: Path) -> None:
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
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        if slug not in REPEATED:
            axe(page, colours=False)  # they are the site's


def test_from_the_table_to_a_value_and_back(offline: Offline, tmp_path: Path) -> None:
    record(DEN_HAAG)
    page = offline.open(archived("1947-vierkamp-den-haag", tmp_path) / "index.html")
    page.get_by_role("link", name="Standings", exact=True).click()
    page.locator("td.lead a").first.click()
    expect(page.locator("h3:target")).to_contain_text("=")
    assert "index.html#" in page.url
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="JSON").wait_for()


@pytest.mark.exhaustive
def test_cells_that_files_do_not_link_lead_on_by_the_script(offline: Offline, tmp_path: Path) -> None:
    """A round before the last leads to the competitor's round, and that one and its games to the match."""
    record(CHENNAI)
    files = ("standings/after/3/index.html", "competitors/7/index.html", "rounds/2/index.html")
    with fewer_pages(set(files)):
        standings, _card, _round = (archived("olympiad-2022-open", tmp_path) / name for name in files)
    page = offline.open(standings)
    cell = page.locator("#c7 td.r").nth(1)
    tint = "cell => getComputedStyle(cell).backgroundColor"
    assert cell.locator("a").evaluate(tint) == page.locator("#c7 td.r.w a").last.evaluate(tint)
    cell.get_by_role("link", name="Round 2, Andorra: AND 3").click()
    expect(page.locator("tr:target .result a")).to_have_text("3-1")
    game = page.locator("[aria-labelledby=players] tbody tr").first.locator("td").nth(1).locator("a")
    expect(game).to_have_text("1")
    game.click()
    expect(page.locator("tbody:target tr").first).to_contain_text("Armenia")


@pytest.mark.parametrize("width", [620, 1280])
@pytest.mark.exhaustive
def test_why_a_row_stands_above_the_next_is_within_the_table(
    width: int, offline: Offline, tmp_path: Path
) -> None:
    """Few rounds make a narrow table, and the words of the first row are the longest."""
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


def test_a_whole_site_searches_filters_and_sorts(
    offline: Offline, axe: AssertAccessible, tmp_path: Path
) -> None:
    create_player_event("match-a")
    create_team_event()
    create_player_event("match-b")
    Event.objects.filter(slug="two-teams").update(start="2025")
    Event.objects.update(state=Event.State.FINAL)  # live ones stand apart
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
    names = page.locator("#standings tbody .who a.name")
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

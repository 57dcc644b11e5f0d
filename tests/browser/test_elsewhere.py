"""The hall screen and embedded pages in Chromium: automatic pages, network loss, other origins."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import AssertAccessible, OpenPage, Watch
from tests.cast import create_team_event
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round

SCREEN = "/events/two-teams/screen/"
SIZES = [(1280, 720), pytest.param(1920, 1080, marks=pytest.mark.exhaustive)]


@pytest.fixture
def event() -> Event:
    return create_team_event()


def publish_round_two(event: Event) -> None:
    second = Round.objects.get(event=event, number=2)
    teams = {team.number: team for team in Competitor.objects.filter(event=event)}
    Pairing.objects.create(round=second, table=1, first=teams[3], second=teams[1], kind=Kind.PENDING)


def test_hall_screen_changes_pages_survives_network_loss_and_updates(
    event: Event, page: Page, watch: Watch, axe: AssertAccessible
) -> None:
    page.clock.install()
    page.goto(SCREEN)
    shown = page.locator("section:visible")
    expect(page.locator("#what")).to_have_text("round 1: results")
    expect(shown).to_have_count(1)
    axe(page)
    page.clock.run_for(10_000)
    expect(page.locator("#what")).to_have_text("after round 1")
    expect(page.locator("#at")).to_have_text("page 2 of 2")

    page.context.set_offline(True)
    page.clock.run_for(10_000)
    expect(page.locator("#lost")).to_contain_text("No connection since")
    expect(shown).to_have_count(1)
    page.context.set_offline(False)
    watch.expect("ERR_INTERNET_DISCONNECTED")

    publish_round_two(event)
    page.clock.run_for(20_000)
    expect(page.locator("#what")).to_have_text("round 2: pairings by table")
    expect(page.locator("#lost")).to_be_empty()


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.exhaustive
def test_full_page_of_the_hall_screen_fits(
    event: Event, open_page: OpenPage, width: int, height: int
) -> None:
    Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Schaakvereniging van de lange naam {number}")
        for number in range(4, 40)
    )
    page = open_page(width, height)
    page.goto(f"{SCREEN}?show=standings")
    page.wait_for_function("document.querySelector('#clock').textContent")
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    last = page.locator("section:visible tbody tr").last.bounding_box()
    foot = page.locator("footer").bounding_box()
    assert last
    assert foot
    assert last["y"] + last["height"] <= foot["y"] + 1


@pytest.fixture
def other_site(live_server: LiveServer) -> Iterator[str]:
    """Return the URL of a page on another origin that embeds the standings."""
    frame = f'<iframe src="{live_server.url}/embed/events/two-teams/standings/" width="720" height="640">'

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(frame.encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_other_origin_can_frame_the_standings_and_links_open_the_site(
    event: Event, page: Page, other_site: str, live_server: LiveServer, watch: Watch
) -> None:
    page.goto(other_site)
    inside = page.frame_locator("iframe")
    expect(inside.locator("#c3")).to_contain_text("Greens")
    with page.context.expect_page() as opened:
        inside.locator("#c3 .name").click()
    expect(opened.value).to_have_url(f"{live_server.url}/events/two-teams/competitors/3/")
    watch.expect("left the host")

"""How every kind of public page feels on a slow phone: Chromium with a quarter of the CPU, and slow 4G.

    python -m tools.benchmarks.phone [PART OF A ROUTE ...]

Prints the largest contentful paint, the layout shift and the interaction delay of each page, which is cached
by the server but not by the browser, and of the standings without a cache, also with cells by template tags.
A page that misses a goal is visited three times: the shortest times count, because other programs can only
lengthen them, and the largest shift.
"""

import io
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
django.setup()

from django.core.cache import cache
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.test import override_settings
from playwright.sync_api import Browser, sync_playwright

from config.urls import pages
from tests.routes import VALUES, filled
from tools.benchmarks import by_tags
from tools.benchmarks.pages import EVENT, STANDINGS, prepare
from tools.benchmarks.visitor import Visitor
from tools.prerequisites import find
from tournaments.models import Event, PersonLink, TeamLink

SLOW_4G = {"offline": False, "latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375}
"""As in Chromium's developer tools: milliseconds before an answer, and bytes a second."""

SLOWER = 4
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
SETTLED = 800
"""Milliseconds after each step in which the page may still change."""

BATUMI, LIVE, WORLD_1948 = EVENT, "2022-ouagadougou-open", "1948-world-championship"
SLUGS = {"series": ["chess-olympiad"], "congresses": ["festival"]}
EVENTS = [BATUMI, LIVE, WORLD_1948]
"""A kind of page is that of the first event that has it."""

OBSERVE = """
    window.vitals = {paint: 0, shift: 0, delay: 0};
    const observe = (type, note) => new PerformanceObserver(list => list.getEntries().forEach(note))
        .observe({type, buffered: true, durationThreshold: 16});
    observe("largest-contentful-paint", each => { vitals.paint = each.startTime; });
    observe("layout-shift", each => { if (!each.hadRecentInput) vitals.shift += each.value; });
    const isInput = each => each.interactionId > 0;
    observe("event", each => { if (isInput(each)) vitals.delay = Math.max(vitals.delay, each.duration); });
"""
TAPPED = ("main summary", "main .star", "thead[hx-boost] a", "main button[type=button]:not(.star)", "#find")
"""Of each, the first visible element is tapped."""

Vitals = dict[str, float]
GOALS: Vitals = {"paint": 2_500, "shift": 0.05, "delay": 100}


def report(*parts: str) -> None:
    program = find("chromium")
    if not program:
        print("\nChromium is not installed, so no page was opened on a slow phone.")
        return
    load_events()
    addresses = [each for each in addresses_by_route() if any(part in each[0] for part in parts or ("",))]
    print("\nSlow phone: largest contentful paint, layout shift, interaction delay")
    print(f"{'goals':56}{_text(GOALS)}")
    with serving() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for route, address in addresses:
            _visit(browser, f"/{route}", site + address)
        if not parts:
            _visit(browser, "standings, cold", site + STANDINGS, cache.clear)
            with by_tags.instead():
                _visit(browser, "the same, cells by tags", site + STANDINGS, cache.clear)
        browser.close()


def load_events() -> None:
    prepare()
    with override_settings(HTTPS=False):  # otherwise there is no demo
        call_command("demo", stdout=io.StringIO())
    prizes = [{"category": "", "place": 1, "name": "", "amount": 10_000, "goods": ""}]
    Event.objects.filter(slug=LIVE).update(
        state=Event.State.LIVE, categories=[{"code": "A"}], prizes=prizes, prizes_public=True
    )
    Event.objects.filter(slug=BATUMI).update(congress="Festival", section="Open")


def addresses_by_route() -> Iterator[tuple[str, str]]:
    visitor = Visitor()
    people = PersonLink.objects.filter(event__slug=WORLD_1948).values_list("person", flat=True)
    teams = TeamLink.objects.filter(event__slug=BATUMI).values_list("team", flat=True)
    links = {
        kind: {"key": str(keys[0]), "against": str(keys[1])}
        for kind, keys in (("people", people.order_by("pk")), ("teams", teams.order_by("pk")))
    }
    for route in dict.fromkeys(str(each.pattern) for each in pages):
        if route.endswith("poll/"):
            continue  # a part of another page
        kind = route.partition("/")[0]
        values = VALUES | {"after": "5"} | links.get(kind, {})
        for slug in SLUGS.get(kind, EVENTS):
            address = "/" + filled(route, values | {"slug": slug})
            answer = visitor.get(address)
            if answer.status == 200 and answer.headers["Content-Type"].startswith("text/html"):
                yield route, address
                break


def _visit(browser: Browser, name: str, address: str, before: Callable[[], object] = lambda: None) -> None:
    visits = [_vitals(browser, address, before)]
    if any(visits[0][each] > most for each, most in GOALS.items()):
        visits += [_vitals(browser, address, before) for _ in range(2)]
    vitals = {each: min(visit[each] for visit in visits) for each in ("paint", "delay")}
    vitals["shift"] = max(visit["shift"] for visit in visits)
    missed = [each for each, most in GOALS.items() if vitals[each] > most]
    print(f"{name:56}{_text(vitals)}  {', '.join(missed)}".rstrip(), flush=True)


def _text(vitals: Vitals) -> str:
    return f"{vitals['paint'] / 1000:6.2f} s {vitals['shift']:8.3f} {vitals['delay']:6.0f} ms"


def _vitals(browser: Browser, address: str, before: Callable[[], object]) -> Vitals:
    """Open a page in an empty browser, scroll to its end, and tap."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    tuned = context.new_cdp_session(page)
    tuned.send("Network.enable")
    tuned.send("Network.emulateNetworkConditions", SLOW_4G)
    tuned.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(OBSERVE)
    before()
    page.goto(address, wait_until="domcontentloaded")
    page.wait_for_timeout(2 * SETTLED)
    for end in ("document.body.scrollHeight / 2", "document.body.scrollHeight", "0"):
        page.evaluate(f"scrollTo(0, {end})")
        page.wait_for_timeout(SETTLED / 2)
    for css in TAPPED:
        target = page.locator(css).filter(visible=True).first
        if target.count():
            target.tap()
            page.wait_for_timeout(SETTLED)
    page.keyboard.type("ba", delay=100)
    page.wait_for_timeout(SETTLED)
    vitals: Vitals = page.evaluate("window.vitals")
    context.close()
    return vitals


@contextmanager
def serving() -> Iterator[str]:
    logging.getLogger("django.server").setLevel(logging.ERROR)
    server = ThreadedWSGIServer(("localhost", 0), WSGIRequestHandler)
    server.set_app(Visitor().application)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()


if __name__ == "__main__":
    report(*sys.argv[1:])

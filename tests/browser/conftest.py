"""Fixtures for tests in Chromium, and checks that apply to all pages."""

import os
import subprocess
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.contexts import SharedContexts, isolating_calls
from tests.browser.flaky import pytest_terminal_summary, rerun_once
from tests.cast import PASSWORD
from tests.programs import need
from tools.prerequisites import find

__all__ = ["pytest_terminal_summary"]  # the hook

# Playwright runs an event loop in this thread, in which Django refuses queries.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

HERE = Path(__file__).parent
# Only our fonts, so that widths do not depend on the machine.
os.environ["FONTCONFIG_FILE"] = str(HERE / "fonts" / "fonts.conf")
CHROMIUM_FLAGS = [
    "--no-sandbox",  # as root, the sandbox does not work
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # Optimizing scripts takes a fifth of a page's time, and pages are too short-lived to benefit.
    "--js-flags=--no-opt --no-maglev",
]
# The page of a large event can take longer than Playwright's five seconds on a busy machine.
expect.set_options(timeout=15_000)
TELL_VIOLATIONS = """document.addEventListener("securitypolicyviolation", event =>
    console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`))"""


def pytest_report_header() -> str:
    """Print the browser's version and its fonts."""
    chromium = find("chromium")
    if not chromium:
        return "Chromium: not found"
    done = subprocess.run([chromium, "--version"], capture_output=True, text=True, timeout=30, check=False)
    fonts = ", ".join(sorted(file.stem for file in (HERE / "fonts").glob("*.ttf")))
    return f"{done.stdout.strip()}, DejaVu 2.37 of tests/browser/fonts ({fonts})"


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """Mark all tests of this folder as `browser`, and rerun them once if they fail."""
    browser_tests = [item for item in items if HERE in item.path.parents]
    for item in browser_tests:
        item.add_marker(pytest.mark.browser)
    rerun_once(browser_tests, config)


@dataclass
class Watch:
    """Forbidden effects of the pages of a test."""

    host: str
    problems: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        """Record console errors, script errors, policy violations and requests to other hosts."""
        page.add_init_script(TELL_VIOLATIONS)
        page.on("console", self._note_message)
        page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        page.on("request", self._note_request)

    def expect(self, part: str) -> None:
        """Remove the problems that contain this text. At least one must have occurred."""
        remaining = [problem for problem in self.problems if part not in problem]
        assert remaining != self.problems, f"{part!r} did not occur: {self.problems}"
        self.problems[:] = remaining

    def _note_message(self, message: ConsoleMessage) -> None:
        address = message.location["url"]
        is_icon = address.endswith("/favicon.ico")  # requested by the browser itself
        if message.type == "error" and not is_icon:
            self.problems.append(f"console: {message.text} ({address})")

    def _note_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in {"data", "blob"} and address.netloc != self.host:
            self.problems.append(f"left the host: {request.url}")


@pytest.fixture
def watch(live_server: LiveServer) -> Iterator[Watch]:
    """Fail the test if a page has a forbidden effect."""
    watch = Watch(urlsplit(live_server.url).netloc)
    yield watch
    assert watch.problems == []


@pytest.fixture(scope="session", autouse=True)
def chromium() -> str:
    """Return the path of Chromium. Without it, or without Playwright's libraries, tests are skipped."""
    return need("chromium", "libatomic")


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium: str, browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the system's Chromium, so that Playwright downloads none."""
    return browser_type_launch_args | {"executable_path": chromium, "args": CHROMIUM_FLAGS}


WIDTHS = pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.exhaustive)])
"""On a phone, and in `make test-all` on a laptop too."""

PASSED = pytest.StashKey[bool]()
"""Whether all phases of a test passed so far."""

OpenPage = Callable[..., Page]
AssertAccessible = Callable[..., None]

SCROLLERS_OUT_OF_REACH = """() => [...document.querySelectorAll("body *")]
    .filter(each => each.checkVisibility() && !each.closest('[tabindex="0"], textarea'))
    .filter(each => ["auto", "scroll"].includes(getComputedStyle(each).overflowX))
    .filter(each => !each.querySelector("a[href], button, input:not([type=hidden]), select, summary"))
    .map(each => each.outerHTML.slice(0, 200))"""
"""Boxes that can scroll, but not by keyboard, even if the text fits."""

ROWS_LIKE_THE_FIRST = "tbody tr:nth-child(n + 9):not(:last-child)"
"""All rows of a table have the same markup, and checking two hundred takes ten seconds."""

TEXT_STYLES = """() => {
    const texts = new Set(document.querySelectorAll("input:not([type=hidden]), select, textarea"));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.add(walker.currentNode.parentElement);
    const styleOf = text => {
        const {color, fontSize, fontWeight, textShadow} = getComputedStyle(text);
        const style = [color, fontSize, fontWeight, textShadow];
        for (let box = text, covers = false; box; box = box.parentElement) {
            const {backgroundColor, backgroundImage, opacity, position} = getComputedStyle(box);
            const seen = covers ? [opacity] : [backgroundColor, backgroundImage, opacity, position];
            style.push(...seen.filter(each => !["rgba(0, 0, 0, 0)", "none", "1", "static"].includes(each)));
            covers ||= backgroundColor.startsWith("rgb(");  // and not rgba(), which is translucent
        }
        return style.join(" ");
    };
    return [...new Set([...texts].filter(text => text.checkVisibility()).map(styleOf))];
}"""
"""Return the colours, size and boxes of each visible text, which determine its contrast."""

RUN_AXE = f"""async ([rowsLikeTheFirst, options, measured]) => {{
    // Taken out, not excluded: axe measures each element of the document, also those that it then leaves out.
    const rows = [...document.querySelectorAll(rowsLikeTheFirst)]
        .filter(row => !row.contains(document.activeElement) && !row.querySelector("dialog[open]"));
    // Colours that are still fading in are nobody's to read yet.
    const ends = each => each.effect.getComputedTiming().endTime !== Infinity;
    await Promise.allSettled(document.getAnimations().filter(ends).map(each => each.finished));
    const gaps = rows.map(() => document.createComment("row"));
    rows.forEach((row, at) => row.replaceWith(gaps[at]));
    try {{
        const styles = ({TEXT_STYLES})();
        if (!options.runOnly && styles.every(style => measured.includes(style))) {{
            options.rules = {{"color-contrast": {{enabled: false}}}};
        }}
        return [await axe.run(document, options), styles];
    }} finally {{
        rows.forEach((row, at) => gaps[at].replaceWith(row));
    }}
}}"""
"""Run axe, without contrast if it was measured for all text styles of the page."""


@pytest.fixture(scope="session")
def shared_contexts(browser: Browser, live_server: LiveServer) -> Iterator[SharedContexts]:
    """Return the contexts that the tests of this process share."""
    contexts = SharedContexts(browser, live_server.url)
    yield contexts
    contexts.close()
    # Each open connection has a thread, which must end before the server and the database.
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(timeout=30)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Store whether a test passed, for the teardown of its fixtures."""
    report = yield
    item.stash[PASSED] = report.passed and item.stash.get(PASSED, True)
    return report


@pytest.fixture
def open_page(
    request: pytest.FixtureRequest, shared_contexts: SharedContexts, watch: Watch
) -> Iterator[OpenPage]:
    """Open a watched page of a given width, with or without JavaScript; `goto("/…")` is on the live server.

    Pages of a test have separate contexts, which later tests reuse. Contexts are closed if the test failed or
    had effects that cannot be undone.
    """
    used: list[tuple[BrowserContext, bool]] = []

    def open_page(width: int = 1280, height: int = 800, *, javascript: bool = True) -> Page:
        page = shared_contexts.new_page(width, height, javascript=javascript)
        used.append((page.context, javascript))
        watch.follow(page)
        return page

    with isolating_calls() as called:
        yield open_page
    for context, javascript in used:
        if called or not request.node.stash.get(PASSED, False):
            context.close()
        else:
            shared_contexts.give_back(context, javascript=javascript)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page on a laptop, 1,280 pixels wide."""
    return open_page(1280)


@pytest.fixture
def phone_page(open_page: OpenPage) -> Page:
    """A page on a phone, 360 pixels wide."""
    return open_page(360, 740)


@pytest.fixture
def plain_page(open_page: OpenPage) -> Page:
    """A page on a laptop without JavaScript."""
    return open_page(1280, javascript=False)


@pytest.fixture(scope="session")
def measured_styles() -> set[str]:
    """The text styles with a measured contrast."""
    return set()


@pytest.fixture
def axe(measured_styles: set[str]) -> AssertAccessible:
    """Assert that axe finds no violations: with all rules, with some by name, or with all but contrast.

    The contrast of a text style is measured once, because it takes twice as long as all other rules.
    """

    def assert_accessible(page: Page, *rules: str, colours: bool = True) -> None:
        chosen: dict[str, Any] = {"runOnly": list(rules)} if rules else {}
        if not colours:
            chosen["rules"] = {"color-contrast": {"enabled": False}}
        # Without preloading: axe resolves the style sheets of an @import against the page's URL.
        options = {"resultTypes": ["violations"], "preload": False, **chosen}
        page.wait_for_load_state()  # a page opened by a click may have no document yet
        if not page.evaluate("'axe' in window"):
            page.evaluate(Axe().axe_script)
        found, styles = page.evaluate(RUN_AXE, [ROWS_LIKE_THE_FIRST, options, sorted(measured_styles)])
        results = AxeResults(found)
        assert results.violations_count == 0, f"{page.url}: {results.generate_report()}"
        if colours and not rules:
            measured_styles.update(styles)
        assert page.evaluate(SCROLLERS_OUT_OF_REACH) == [], page.url

    return assert_accessible


def log_in(page: Page, name: str) -> None:
    """Give the browser a session of the account."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    session = client.cookies[settings.SESSION_COOKIE_NAME]
    for host in ("localhost", "127.0.0.1"):  # the live server, and a site in a separate process
        page.context.add_cookies([{"name": session.key, "value": session.value, "domain": host, "path": "/"}])


def type_login(page: Page, name: str) -> None:
    """Log in with the form."""
    page.goto("/admin/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(lambda address: "/login/" not in address)

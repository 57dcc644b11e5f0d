"""The fixtures of these tests: contexts are emptied, and a failed test is rerun once."""

from collections.abc import Iterator

import pytest
from django.core.signals import request_started
from playwright.sync_api import Page

from tests.browser.contexts import SharedContexts, isolating_calls
from tests.cast import create_team_event

PAGE = "/events/two-teams/standings/"
STORE = """async () => {
    localStorage.setItem("stored", "yes");
    sessionStorage.setItem("stored", "yes");
    document.cookie = "stored=yes";
    await caches.open("stored");
    await new Promise(resolve => indexedDB.open("stored").onsuccess = resolve);
}"""
STORED = """async () => [
    Object.keys(localStorage), sessionStorage.getItem("stored"), document.cookie,
    await caches.keys(), (await indexedDB.databases()).map(each => each.name),
    (await navigator.permissions.query({name: "clipboard-read"})).state,
]"""


@pytest.fixture
def asked(live_server: object) -> Iterator[list[str]]:
    """The paths of requests to the server."""
    paths: list[str] = []

    def note(environ: dict[str, str], **about: object) -> None:
        paths.append(environ["PATH_INFO"])

    request_started.connect(note)
    yield paths
    request_started.disconnect(note)


def test_shared_context_is_empty_for_the_next_test(shared_contexts: SharedContexts, asked: list[str]) -> None:
    create_team_event()
    page = shared_contexts.new_page(360, 740, javascript=True)
    context = page.context
    context.grant_permissions(["clipboard-read"])
    for _ in range(2):
        page.goto(PAGE)
    page.evaluate(STORE)
    assert page.evaluate(STORED) == [["stored"], "yes", "stored=yes", ["stored"], ["stored"], "granted"]
    styles = [path for path in asked if path.endswith(".css")]
    assert styles
    assert len(styles) == len(set(styles))  # the second time from the browser's cache
    page.emulate_media(media="print", color_scheme="dark")
    shared_contexts.give_back(context, javascript=True)
    asked.clear()

    page = shared_contexts.new_page(1280, 800, javascript=True)
    page.goto(PAGE)
    assert page.context is context
    assert page.evaluate(STORED) == [[], None, "", [], [], "prompt"]
    assert set(styles) <= set(asked)
    assert page.evaluate("[innerWidth, history.length, matchMedia('print').matches]") == [1280, 2, False]
    shared_contexts.give_back(context, javascript=True)


@pytest.mark.parametrize("javascript", [True, False])
def test_pages_of_a_test_have_separate_contexts(shared_contexts: SharedContexts, javascript: bool) -> None:
    pages = [shared_contexts.new_page(360, 740, javascript=javascript) for _ in range(2)]

    assert pages[0].context is not pages[1].context
    for page in pages:
        shared_contexts.give_back(page.context, javascript=javascript)


def test_lasting_effects_are_detected(page: Page) -> None:
    with isolating_calls() as called:
        page.emulate_media(media="print")
        page.context.grant_permissions(["clipboard-read"])
        assert called == []
        page.clock.install()
        page.route("**", lambda route: route.continue_())
        page.context.set_offline(True)
        assert called == ["clock", "route", "set_offline"]


def test_failed_browser_tests_are_rerun(request: pytest.FixtureRequest) -> None:
    assert [marker.kwargs for marker in request.node.iter_markers("flaky")] == [{"reruns": 1}]

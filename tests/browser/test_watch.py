"""The watch itself: a page that breaks a rule must not pass unseen."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import AssertAccessible, Watch

LOGIN = "/admin/login/"


@pytest.fixture
def login(page: Page) -> Page:
    """A page with our policy on it that exists in every version of the site."""
    page.goto(LOGIN)
    return page


def test_a_page_that_keeps_the_rules_passes(login: Page, watch: Watch) -> None:
    assert login.get_by_label("Username").is_visible()
    assert watch.problems == []


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("console.error('broken')", "console: broken"),
        ("setTimeout(() => { throw new Error('broken') })", "script error: broken"),
        ("location = 'http://elsewhere.example/'", "left the host: http://elsewhere.example/"),
        ("document.body.setAttribute('style', 'color: red')", "style-src"),
        ("document.body.append(Object.assign(document.createElement('script'), {text: '1'}))", "script-src"),
        ("document.body.append(Object.assign(new Image(), {src: 'data:,'}))", "img-src"),
        ("document.body.append(Object.assign(new Image(), {src: '/no-such.svg'}))", "404"),
    ],
)
def test_what_no_page_may_do_is_seen(login: Page, watch: Watch, script: str, problem: str) -> None:
    login.evaluate(f"() => {{ {script} }}")
    login.wait_for_timeout(300)

    watch.expect(problem)
    watch.problems.clear()  # the console and the request tell some of them once more


def test_a_problem_that_did_not_occur_cannot_be_expected(watch: Watch) -> None:
    with pytest.raises(AssertionError, match="did not occur"):
        watch.expect("404")


def test_a_phone_is_360_pixels_wide(phone_page: Page) -> None:
    assert phone_page.evaluate("innerWidth") == 360


def test_a_page_without_javascript_runs_none(plain_page: Page) -> None:
    plain_page.set_content("<noscript>plain</noscript>")

    assert plain_page.inner_text("body") == "plain"


def test_axe_names_what_it_finds(phone_page: Page, axe: AssertAccessible) -> None:
    phone_page.set_content("<img src='data:,'>")

    with pytest.raises(AssertionError, match="image-alt"):
        axe(phone_page)

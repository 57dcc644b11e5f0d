"""The `watch` fixture detects pages that break a rule."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import AssertAccessible, Watch

LOGIN = "/admin/login/"


@pytest.fixture
def login(page: Page) -> Page:
    """A page with the site's policy that exists in every version of the site."""
    page.goto(LOGIN)
    return page


def test_valid_page_passes(login: Page, watch: Watch) -> None:
    assert login.get_by_label("Username").is_visible()
    assert watch.problems == []


def test_forbidden_effects_are_detected(login: Page, watch: Watch) -> None:
    append = "document.body.append(Object.assign"
    for script, event, problem in (
        ("console.error('broken')", "console", "console: broken"),
        ("setTimeout(() => { throw new Error('broken') })", "pageerror", "script error: broken"),
        ("document.body.setAttribute('style', 'color: red')", "console", "style-src"),
        (f"{append}(document.createElement('script'), {{text: '1'}}))", "console", "script-src"),
        (f"{append}(new Image(), {{src: 'data:,'}}))", "console", "img-src"),
        (f"{append}(new Image(), {{src: '/no-such.svg'}}))", "console", "404"),
        ("location = 'http://elsewhere.example/'", "request", "left the host: http://elsewhere.example/"),
    ):
        with login.expect_event(
            event, lambda _seen, part=problem: any(part in each for each in watch.problems)
        ):
            login.evaluate(f"() => {{ {script} }}")
        watch.expect(problem)
    login.close()  # no events after this
    watch.problems.clear()  # the console repeats some of them


def test_expected_problem_must_occur(watch: Watch) -> None:
    with pytest.raises(AssertionError, match="did not occur"):
        watch.expect("404")


def test_phone_is_360_pixels_wide(phone_page: Page) -> None:
    assert phone_page.evaluate("innerWidth") == 360


def test_plain_page_runs_no_javascript(plain_page: Page) -> None:
    plain_page.set_content("<noscript>plain</noscript>")

    assert plain_page.inner_text("body") == "plain"


def test_axe_names_violations(phone_page: Page, axe: AssertAccessible) -> None:
    phone_page.set_content("<img src='data:,'>")

    with pytest.raises(AssertionError, match="image-alt"):
        axe(phone_page)


def test_axe_measures_contrast_once_per_text_style(
    phone_page: Page, axe: AssertAccessible, measured_styles: set[str]
) -> None:
    measured_styles.clear()
    page = "<html lang=en><title>T</title><main><h1>Legible</h1>{}</main>"
    phone_page.set_content(page.format("<p>Text</p>"))
    axe(phone_page)

    phone_page.set_content(page.format("<p>Text</p><p>More of it</p>"))
    before = set(measured_styles)
    axe(phone_page)
    assert measured_styles == before

    for pale in (
        "<p style='color: #ccc'>Text</p>",
        "<p style='background: #555'>Text</p>",
        "<div style='opacity: .3'><p>Text</p></div>",
        "<p><input aria-label=Name value=Text style='color: #ccc'></p>",
    ):
        phone_page.set_content(page.format(pale))
        for _twice in range(2):
            with pytest.raises(AssertionError, match="color-contrast"):
                axe(phone_page)

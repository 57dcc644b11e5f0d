"""The page that validates a file: with a valid file, an invalid one, and none."""

import json

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.conftest import AssertAccessible, OpenPage, Watch
from tests.browser.test_every_page import look
from tests.cast import swiss_file


def validate(page: Page, data: object) -> None:
    """Choose a file with this content and validate it."""
    page.goto("/validate/")
    content = json.dumps(data, indent=1).encode()
    file = FilePayload(name="cup.json", mimeType="application/json", buffer=content)
    page.get_by_label("A file").set_input_files(file)
    page.get_by_role("button", name="Validate").click()


@pytest.mark.parametrize("javascript", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_valid_invalid_and_missing_files(
    open_page: OpenPage, axe: AssertAccessible, watch: Watch, javascript: bool
) -> None:
    page = open_page(javascript=javascript)
    data = swiss_file()
    validate(page, data)
    expect(page.get_by_role("heading", name="Valid: cup.json")).to_be_visible()
    expect(page.get_by_role("table").get_by_role("row").nth(1)).to_contain_text("1")
    if javascript:  # axe and opening of details need scripts
        look(page, axe)

    validate(page, {**data, "coulours": 1})
    expect(page.get_by_role("heading", name="Not valid: cup.json")).to_be_visible()
    expect(page.get_by_text("Unknown key “coulours”.")).to_be_visible()
    if javascript:
        look(page, axe)

    page.goto("/validate/")
    page.get_by_role("button", name="Validate").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose a file")
    if javascript:
        look(page, axe)
    watch.expect("status of 422")

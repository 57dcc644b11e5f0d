"""The later rows of a long table, which follow the first ones."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import AssertAccessible, OpenPage, Watch
from tests.browser.test_live import POLL, SOON, open_live
from tests.cast import create_team_event
from tournaments.models import Competitor

FIRST_ROWS, ROWS = 20, 60
LAST = f"#c{ROWS}"
OTHER_PAGE = "**/standings/?*top=all"


def test_later_rows_are_found_followed_sorted_updated_and_printed(
    open_page: OpenPage,
    axe: AssertAccessible,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
    transactional_db: None,
) -> None:
    monkeypatch.setattr("standings.tables.rows.LONG_TABLE", ROWS - 1)
    monkeypatch.setattr("standings.pages.frame.FIRST_ROWS", FIRST_ROWS)
    event = create_team_event()
    Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Team {number}") for number in range(4, ROWS + 1)
    )
    page, requests = open_page(360, 740), list[Route]()

    def hold(route: Route) -> None:
        requests.append(route)

    page.route(OTHER_PAGE, hold)
    open_live(page, f"standings/{LAST}")
    rows, line, message = (
        page.locator("#rows > tr"),
        page.locator("#later-rows"),
        page.locator("#tools [role=status]"),
    )
    cut = f"Rows 1 to {FIRST_ROWS} of {ROWS}. All rows"
    expect(line).to_have_text(f"{cut} The other rows are loading.", use_inner_text=True)
    axe(page)
    page.locator("#options summary").click()
    field = page.get_by_label("Find in this table")
    field.fill(f"team {ROWS}")
    expect(message).to_have_text("The other rows are loading.")
    field.fill("")
    requests.pop().continue_()
    expect(line).to_have_text("All rows are loaded.", use_inner_text=True)
    expect(page.locator(LAST)).to_be_in_viewport()  # of the address
    expect(rows).to_have_count(ROWS)
    assert len({*rows.evaluate_all("rows => rows.map(row => row.id)")}) == ROWS
    expect(page.locator(f"{LAST} .star")).to_have_attribute("aria-label", f"Follow Team {ROWS}")

    page.locator(LAST).locator(".star").click()
    expect(page.locator("tbody.mine")).to_contain_text(f"Team {ROWS}")
    page.locator("#rows > tr .name").nth(FIRST_ROWS - 1).focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(FIRST_ROWS).locator(".name")).to_be_focused()

    page.locator("#sort-name").evaluate("link => link.click()")
    page.wait_for_url("**sort=name**")
    expect(line).to_contain_text("The other rows are loading.")
    expect(rows).to_have_count(FIRST_ROWS)
    requests.pop().abort()
    expect(line).to_have_text(f"{cut} The other rows could not be loaded.", use_inner_text=True)
    watch.expect("ERR_FAILED")
    page.emulate_media(media="print")
    address = page.url.partition("?")[0]
    expect(line).to_have_text(f"{cut}: {address}?sort=name&dir=asc&top=all", use_inner_text=True)
    page.emulate_media(media="screen")

    Competitor.objects.filter(number=ROWS).update(name="Crimsons")
    page.clock.run_for(POLL)
    expect(page.locator(LAST)).to_contain_text("Crimsons", timeout=SOON)
    expect(rows).to_have_count(ROWS)
    expect(line).to_be_empty()
    page.locator("#sort-name").evaluate("link => link.click()")
    expect(line).to_contain_text("The other rows are loading.")
    field.fill("team 3")
    requests.pop().continue_()
    expect(rows).to_have_count(ROWS)
    expect(message).to_have_text(re.compile("of 14$"))  # 13, 23, 30 to 39, 43, 53

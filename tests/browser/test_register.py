"""The register by keyboard, with cells pasted from a spreadsheet, and with two arbiters."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import AssertAccessible, log_in
from tests.cast import open_hall
from tournaments.models import Competitor

PASTE = """(field, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
}"""


def test_list_can_be_typed_and_pasted(transactional_db: None, page: Page, axe: AssertAccessible) -> None:
    hall = open_hall()
    log_in(page, "anna")
    page.goto(hall.address("event-register"))
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    axe(page)

    page.get_by_label("1 Ann: name").focus()
    for key in ("ArrowRight", "G", "M", "Enter", "I", "M", "ArrowUp", "Tab", "2", "1", "0", "0"):
        page.keyboard.press(key)
    expect(page.get_by_label("1 Ann: title")).to_have_value("GM")
    expect(page.get_by_label("1 Ann: rating")).to_have_value("2100")
    expect(page.locator("#changed-rows")).to_contain_text("Rows changed: 2.")

    cells = "\r\n".join(f"Player {number}\tMF\t{2000 + number}\tCMR" for number in range(1, 9))
    page.get_by_label("new: name").first.evaluate(PASTE, cells)  # more rows than exist
    expect(page.locator("#changed-rows")).to_contain_text("Cells pasted: 32.")
    page.keyboard.press("Control+s")
    expect(page.locator(".messagelist")).to_contain_text("10 rows saved.")
    stored = Competitor.objects.filter(event=hall.event).values_list(
        "number", "name", "title", "rating", "code"
    )
    assert stored[0] == (1, "Ann", "GM", 2100, "")
    assert stored[11] == (12, "Player 8", "MF", 2008, "CMR")

    # Ben changes the same cell in between: the arbiter must choose before it is overwritten.
    page.get_by_label("2 Bea: club").fill("Damlust")
    hall.event.competitors.filter(number=2).update(club="Schaakmat", version=9)
    page.get_by_label("3 Cas: rating").fill("much")
    page.get_by_role("button", name="Save").last.click()
    expect(page.get_by_text("has saved “Schaakmat”.")).to_be_visible()
    expect(page.get_by_label("3 Cas: rating")).to_have_attribute("aria-invalid", "true")
    axe(page)
    page.get_by_label("Put “Damlust”").check()
    page.get_by_label("3 Cas: rating").fill("1900")
    page.get_by_role("button", name="Save").last.click()
    expect(page.locator(".messagelist")).to_contain_text("2 rows saved.")
    assert hall.event.competitors.get(number=2).club == "Damlust"
    assert hall.event.competitors.get(number=3).rating == 1900

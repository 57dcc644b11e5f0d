"""Imports in a browser: preview, refusal, objections, and lists of editions and redirects."""

import json
import re
from io import BytesIO
from zipfile import ZipFile

import pytest
from playwright.sync_api import FilePayload, Page, expect

from standings.management.commands.work import work_off
from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, log_in
from tests.cast import Desk, create_desk
from tests.tournaments.interchange.formats import samples
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Change, Event, Redirect
from tournaments.stored import load

EDITIONS = "1950;;Dubrovnik;YUG;1950-08-20;1950-09-11\n1952;10th Cup;Helsinki;FIN;1952-08-09\n1954"
REDIRECTS = "/olympiads/1948.php,two-teams\n/table.asp?id=12,/events/two-teams/standings/\n/history,/codes/"


@pytest.fixture
def desk(transactional_db: None) -> Desk:
    """Return two events and their users."""
    return create_desk()


def look(page: Page, axe: AssertAccessible) -> None:
    """Assert that the page is accessible and fits into the window."""
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def give(page: Page, address: str, text: str, name: str = "") -> None:
    """Preview a file with that name, or pasted text if `name` is blank."""
    page.goto(address)
    if name:
        file = FilePayload(name=name, mimeType="application/octet-stream", buffer=text.encode())
        page.locator("#id_file").set_input_files(file)
    else:
        page.get_by_label("Or paste").fill(text)
    page.get_by_role("button", name="Preview").click()


def paste(page: Page, address: str, label: str, text: str) -> None:
    """Preview a pasted list."""
    page.goto(address)
    page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Preview").click()


def changed_file() -> str:
    """Return the two-teams file with another team name, another third team and another result."""
    data = json.loads(write(load("two-teams")))
    data["competitors"][1]["name"] = "Azures"
    data["competitors"][2:] = [{"number": 4, "name": "Greys", "code": "NED"}]
    match, _bye = data["rounds"][0]["pairings"]
    match["score"], match["games"][1]["score"] = [1, 1], [0, 1]
    data["rounds"][0]["pairings"] = [match]
    return samples.text(data)


@WIDTHS
def test_file_is_imported_and_repeated_import_changes_no_data(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    log_in(page, "otto")
    address, file = f"/admin/events/{desk.event.pk}/import/", changed_file()
    give(page, address, file, "two-teams.json")
    expect(page.get_by_text("Competitors: 1 added, 1 changed, 1 removed")).to_be_visible()
    for line in (
        "+ competitor 4 Greys",
        "~ competitor 2 Azures: name Blues → Azures",
        "- competitor 3 Greens",
    ):
        expect(page.get_by_text(line)).to_be_visible()
    expect(page.get_by_text("Round 1, table 1: 1½-½ (board 2: ½-½) → 1-1 (board 2: 0-1)")).to_be_visible()
    look(page, axe)

    page.get_by_label("Why").fill("The score sheet says so.")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported: two-teams.json.")).to_be_visible()
    assert [each.name for each in load("two-teams").competitors] == ["Reds", "Azures", "Greys"]
    assert Change.objects.filter(reason="The score sheet says so.").count() == 2

    give(page, address, write(load("two-teams")), "two-teams.json")
    expect(page.get_by_role("heading", name="No changes")).to_be_visible()
    expect(page.get_by_text(re.compile(r"\b0 changes"))).to_be_visible()
    expect(page.get_by_role("button", name="Import", exact=True)).to_have_count(0)


def test_pasted_list_is_imported_without_javascript(desk: Desk, plain_page: Page) -> None:
    log_in(plain_page, "anna")
    plain_page.goto("/admin/")
    plain_page.get_by_role("link", name="Cup of Teams").click()
    plain_page.get_by_role("link", name="Import", exact=True).click()
    give(plain_page, plain_page.url, "No;Name;Rating\n3;Greens;2300\n4;Greys;2100")
    expect(plain_page.get_by_text("Competitors: 1 added, 1 changed, 0 removed")).to_be_visible()
    plain_page.get_by_role("button", name="Import", exact=True).click()
    expect(plain_page.get_by_text("Imported: pasted.csv.")).to_be_visible()
    assert [each.rating for each in load("two-teams").competitors] == [None, None, 2300, 2100]


@WIDTHS
@pytest.mark.exhaustive
def test_objection_is_accepted_with_reason(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    log_in(page, "otto")
    address = f"/admin/events/{desk.event.pk}/import/"
    give(
        page,
        address,
        "A cup\nSnr;Speler;Schoen;1.Rd;2.Rd\n1;Reds;44;2:1½-½;3:2-0\n4;Greys;45;;1:0-2",
        "cup.csv",
    )
    expect(page.get_by_role("heading", name="1 objection to this file")).to_be_visible()
    expect(page.get_by_text("3 cells in 2 columns of rounds are not read, such as “2:1½-½”.")).to_be_visible()
    page.get_by_text("Read, and not read").click()
    expect(page.get_by_text("2 read, 3 not read: “Schoen”, “1.Rd”, “2.Rd”")).to_be_visible()
    look(page, axe)

    page.get_by_text("How the file is read").click()
    page.get_by_label("Encoding").select_option(label="KOI8-R, Russian")
    page.get_by_role("button", name="Preview again").click()
    expect(page.get_by_label("Encoding")).to_have_value("koi8-r")
    page.get_by_label("Import it anyway, because").fill("The results follow tomorrow.")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported: cup.csv.")).to_be_visible()
    page.goto(address)
    page.get_by_text("1 objection accepted").click()
    expect(page.get_by_text("The results follow tomorrow.")).to_be_visible()
    look(page, axe)


@pytest.mark.exhaustive
@WIDTHS
def test_refused_file_shows_place_and_reason(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    log_in(page, "otto")
    address = f"/admin/events/{desk.event.pk}/import/"
    give(page, address, "MZ", "programme.exe")
    expect(page.get_by_text("has none of the known extensions")).to_be_visible()
    look(page, axe)

    give(page, address, changed_file().replace("[1, 1]", "[2, 2]"), "two-teams.json")
    expect(page.get_by_role("heading", name="2 errors: cannot import the file")).to_be_visible()
    expect(page.get_by_text("Round 1, table 1: The games add up to 1-1, the match is 2-2.")).to_be_visible()

    give(page, address, "Snr;Speler;Elo\n1;Reds;2400\n5;Whites;strong")
    expect(page.get_by_text("row 3, column Elo: “strong” is a text")).to_be_visible()
    expect(page.get_by_role("button", name="Import", exact=True)).to_have_count(0)
    page.get_by_label("Elo").select_option(label="not read")
    page.get_by_role("button", name="Preview again").click()
    expect(page.get_by_text("+ competitor 5 Whites")).to_be_visible()
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible()
    look(page, axe)


@WIDTHS
@pytest.mark.exhaustive
def test_editions_and_redirects_are_pasted(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    log_in(page, "otto")
    editions, label = f"/admin/events/{desk.event.pk}/editions/", "Editions, a line each"
    paste(page, editions, label, f"19x\n{EDITIONS}")
    expect(page.get_by_text("Line 1, “19x”: The year comes first, in four digits.")).to_be_visible()
    look(page, axe)
    paste(page, editions, label, EDITIONS)
    expect(page.get_by_role("row")).to_have_count(4)
    look(page, axe)
    page.get_by_role("button", name="Enter them all").click()
    expect(page.get_by_text("3 drafts were made.")).to_be_visible()
    assert Event.objects.filter(series=desk.event.series, state="draft").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    label = "The list"
    paste(page, "/admin/redirects/", label, "/olympiads/1948.php,nothing-here")
    expect(page.get_by_text("“nothing-here” is neither the slug of an event nor")).to_be_visible()
    look(page, axe)
    paste(page, "/admin/redirects/", label, REDIRECTS)
    expect(page.get_by_text("2 new, 0 changed, 1 as they are.")).to_be_visible()
    page.get_by_role("button", name="Enter them all").click()
    expect(page.get_by_text("Redirects recorded: 2 new, 0 changed.")).to_be_visible()
    assert Redirect.objects.count() == 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto("/olympiads/1948.php")
    expect(page.get_by_role("heading", level=1)).to_have_text("Cup of Teams")


def many_objections() -> str:
    """Return a cross table of 400 players with 301 objections of three kinds."""
    rows = ["No;Name;1.Rd;2.Rd;3.Rd;Pts"]
    for at in range(1, 401):
        # Half of the players of round 1 won against each other, and round 3 has White on both sides.
        first = f"{at - 1 + 2 * (at % 2)}{'wb'[at % 2 == 0]}{1 if at <= 200 else at % 2}"
        second = f"{at + 200}w1" if at <= 200 else f"{at - 200}b0"
        is_upper = (at - 1) // 2 % 2 == 0
        rows.append(f"{at};Player {at};{first};{second};{at + 2 if is_upper else at - 2}w{int(is_upper)};9")
    return "Club cup 2025\n" + "\n".join(rows)


def test_questions_about_a_file_fit_on_one_screen(desk: Desk, open_page: OpenPage) -> None:
    page = open_page(1280, 800)
    log_in(page, "otto")
    give(page, "/admin/events/import/", many_objections(), "cup.csv")
    expect(page.get_by_role("heading", name="301 objections to this file")).to_be_visible()
    reasons = page.get_by_label("Import it anyway, because")
    expect(reasons).to_have_count(3)
    for each in (*reasons.all(), page.get_by_role("button", name="Import", exact=True)):
        expect(each).to_be_in_viewport()
    reasons.first.fill("The referee's list says so.")
    page.get_by_text("99 more of this kind", exact=True).click()
    expect(page.get_by_text("199 says “200w1”")).to_be_visible()


CROSS_TABLE = "Club cup\nNo;Name;R1;R2;R3\n1;Ann;2w1;3b1;\n2;Bea;1b0;;3w½\n3;Cor;;1w0;2b½"


@WIDTHS
@pytest.mark.exhaustive
def test_typed_event_settings_are_imported(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800, javascript=False)
    log_in(page, "otto")
    give(page, "/admin/events/import/", CROSS_TABLE, "cup.csv")
    page.get_by_label("First day").fill("2025-03-01")
    page.get_by_label("First day").press("Enter")
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible()
    assert not Event.objects.filter(name="Club cup").exists()
    page.get_by_label("Name:", exact=True).first.fill("Club Cup 2025")
    page.get_by_label("Address").fill("club-cup-2025")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("The data have changed since this preview.")).to_be_visible()
    expect(page.get_by_text("Club Cup 2025 –")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported: cup.csv.")).to_be_visible()
    event = Event.objects.get(slug="club-cup-2025")
    assert (event.name, event.start, event.state) == ("Club Cup 2025", "2025-03-01", Event.State.DRAFT)


@pytest.mark.exhaustive
@WIDTHS
def test_several_files_are_read_and_imported(
    desk: Desk, open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    page = open_page(width, 800)
    log_in(page, "otto")
    page.goto("/admin/events/import/")
    page.get_by_role("link", name="Import many files").click()
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("2024/cup.csv", CROSS_TABLE)
        archive.writestr("2025/cup.csv", CROSS_TABLE.replace("2w1", "2w2"))
        archive.writestr("2026/cup.json", "{")
        archive.writestr("2026/copy.xls", "{")
        archive.writestr("manifest.csv", "file;name;date\n2024/cup.csv;Cup of 2024;2024-03-02\n")
    file = FilePayload(name="years.zip", mimeType="application/zip", buffer=packed.getvalue())
    page.get_by_label("Archive").set_input_files(file)
    page.get_by_label("Series (optional)").fill("Quay Cup")
    page.get_by_role("button", name="Read the files").click()
    expect(page.get_by_text("The archive waits until the worker unpacks it.")).to_be_visible()
    look(page, axe)
    work_off()
    expect(page.get_by_text("All 4 files are read.")).to_be_visible(timeout=60_000)  # the page reloads itself
    expect(page.get_by_text("Not read: it has the same content as 2026/copy.xls.")).to_be_visible()
    expect(page.get_by_text("Cup of 2024:")).to_be_visible()
    expect(page.get_by_text("This is not JSON")).to_be_visible()
    look(page, axe)
    page.get_by_role("button", name="Import the ready file").click()
    work_off()
    expect(page.get_by_role("link", name="Cup of 2024")).to_be_visible(timeout=60_000)
    assert Event.objects.filter(name="Cup of 2024", series__name="Quay Cup").exists()
    look(page, axe)
    page.get_by_role("link", name="has errors").click()
    expect(page.get_by_text("This is not JSON")).to_be_visible()
    page.get_by_role("link", name="Import many files").click()
    expect(page.get_by_text("1 of 4 imported")).to_be_visible()
    look(page, axe)

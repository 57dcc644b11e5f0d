"""Waiting for an archive and for a large file, with and without scripts."""

import pytest
from playwright.sync_api import expect

from standings.archive import views
from standings.archive.store import Progress
from standings.management.commands.work import do, work_off
from tests.browser.conftest import WIDTHS, AssertAccessible, OpenPage, log_in
from tests.browser.test_imports import desk, give, look
from tests.cast import Desk, create_team_event
from tests.desk.test_imports import LIST
from tournaments.admin.imports import import_jobs
from tournaments.models import Job
from tournaments.operations import jobs

__all__ = ["desk"]  # the fixture
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll every second."""
    monkeypatch.setattr(views, "AGAIN", dict.fromkeys(Progress, 1))


@WIDTHS
@pytest.mark.parametrize("javascript", [True, pytest.param(False, marks=pytest.mark.exhaustive)])
def test_waiting_page_leads_to_the_archive(
    open_page: OpenPage, axe: AssertAccessible, width: int, javascript: bool
) -> None:
    create_team_event()
    page = open_page(width, javascript=javascript)
    page.goto("/events/two-teams/")
    page.get_by_role("link", name="ZIP").first.click()
    expect(page.get_by_text("This archive is next.")).to_be_visible()

    job = jobs.take()
    assert job
    jobs.confirm(job, parts_done=7, parts=20)
    expect(page.get_by_text("The archive is being made: 7 of 20 pages.")).to_be_visible()
    if javascript:
        look(page, axe)
    with page.expect_download(timeout=30_000) as download:
        do(job)
    assert download.value.suggested_filename == "two-teams.zip"
    if javascript:
        expect(page.get_by_text("The archive is ready")).to_be_visible()
        look(page, axe)


@WIDTHS
@pytest.mark.exhaustive
def test_waiting_page_is_in_the_language_of_the_request(
    open_page: OpenPage, axe: AssertAccessible, width: int
) -> None:
    create_team_event()
    page = open_page(width)
    page.goto("/nl/events/two-teams/")
    page.get_by_role("link", name="ZIP").first.click()
    expect(page.get_by_text("Dit archief is nu aan de beurt.")).to_be_visible()
    look(page, axe)


@pytest.mark.exhaustive
@WIDTHS
def test_large_file_is_read_in_the_background(
    open_page: OpenPage, axe: AssertAccessible, desk: Desk, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(import_jobs, "wait_for_job", lambda _job: None)
    page = open_page(width)
    log_in(page, "anna")
    upload = f"/admin/events/{desk.event.pk}/import/"
    give(page, upload, LIST)
    expect(page.get_by_text("The file is waiting for the worker")).to_be_visible()
    look(page, axe)

    page.goto(upload)
    expect(page.get_by_text("Not imported yet")).to_be_visible()
    look(page, axe)
    work_off()
    page.get_by_role("link", name="pasted.csv").first.click()
    expect(page.get_by_text("+ competitor 4 Greys")).to_be_visible()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("The file is waiting for the worker")).to_be_visible()
    work_off()
    expect(page.get_by_text("is imported already")).to_be_visible()
    assert set(Job.objects.values_list("state", flat=True)) == {Job.State.DONE}

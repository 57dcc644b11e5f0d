"""Downloads of an event from the desk: the archive and all files, in all states."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.http import FileResponse
from django.http.response import HttpResponseBase
from pytest_django import Settings

from standings.archive.builder import Origin
from standings.archive.store import Progress, request_archive
from standings.caching.cached_pages import Head
from standings.management.commands.work import work_off
from tests.archives import zip_of
from tests.cast import Desk
from tournaments.admin.events.desk import links_of
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

ENDINGS = ("zip", "json", "xlsx", "csv", "trf")


@pytest.fixture(autouse=True)
def served(settings: Settings, tmp_path: Path) -> None:
    """As in production, with archives in a temporary folder."""
    settings.DEBUG, settings.ARCHIVES = False, tmp_path


def downloads(desk: Desk) -> list[HttpResponseBase]:
    """Return the responses to all download links of the desk, in order."""
    arbiter = desk.browser("arbiter")
    links = links_of(Event.objects.get(pk=desk.event.pk), desk.people["arbiter"])["To take away"]
    page = arbiter.get(f"/admin/events/{desk.event.pk}/").content.decode()
    assert all(f'<a href="{address}">{screen.label}</a>' in page for screen, address in links)
    return [zip_of(arbiter, address) for _screen, address in links]


def archive_in(answer: HttpResponseBase) -> ZipFile:
    """Return the archive in the response."""
    assert isinstance(answer, FileResponse)
    return ZipFile(BytesIO(b"".join(answer)))


@pytest.mark.parametrize(
    "state",
    [
        each if each in {"draft", "removed"} else pytest.param(each, marks=pytest.mark.exhaustive)
        for each in Event.State.values
    ],
)
def test_all_downloads_work_in_all_states(desk: Desk, state: str) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state=state)
    answers = downloads(desk)
    told = [answer["Content-Disposition"] for answer in answers]
    files = [*(f"two-teams.{ending}" for ending in ENDINGS), "two-teams-by-pairing-number.trf"]
    assert told == [f'attachment; filename="{file}"' for file in files]
    archive = archive_in(answers[0])
    assert b"Reds" in archive.read("two-teams/standings/index.html")
    assert b"two-teams.json" in archive.read("two-teams/SHA256SUMS")


def test_archive_of_a_draft_is_not_public(desk: Desk) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state="draft", notes="Not for everybody yet.")
    assert b"Not for" in archive_in(downloads(desk)[0]).read("two-teams/index.html")
    assert desk.browser("nobody").get("/events/two-teams.zip").status_code == 404
    Event.objects.filter(pk=desk.event.pk).update(state="live", notes="")
    archive = archive_in(zip_of(desk.browser("nobody"), "/events/two-teams.zip"))
    assert b"Not for" not in archive.read("two-teams/index.html")


def test_archive_is_discarded_if_the_event_was_withdrawn(desk: Desk, tmp_path: Path) -> None:
    seen = Head(desk.event.pk, 1, Event.State.FINAL, site=1, epoch="")
    Event.objects.filter(pk=desk.event.pk).update(state="draft")
    assert request_archive(seen, Origin("https", "testserver")).progress is Progress.WAITING
    assert work_off() == 1
    assert not list(tmp_path.glob("*.zip"))


def test_unchanged_archive_is_304(desk: Desk) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state="draft")
    arbiter = desk.browser("arbiter")
    address = f"/admin/events/{desk.event.pk}/preview/events/two-teams.zip"
    first = zip_of(arbiter, address)
    assert archive_in(first).testzip() is None
    again = arbiter.get(address, headers={"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")

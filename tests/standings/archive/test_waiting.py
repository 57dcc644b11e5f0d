"""An archive that is not ready: clients get its progress, and the worker builds it once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.conf import settings
from django.db import connection
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone

from standings.archive import store
from standings.archive.builder import Origin, ReportProgress, write_zip
from standings.management.commands.work import WORKS, do, work_off
from tests.archives import unpacked, zip_of
from tests.cast import create_player_event, create_team_event
from tournaments.models import Event, Job
from tournaments.operations import jobs

pytestmark = pytest.mark.django_db(transaction=True)

ZIP, PROGRESS = "/events/two-teams.zip", "/events/two-teams/archive/"
BROWSER = {"accept": "text/html,application/xhtml+xml"}
HTMX = BROWSER | {"hx-request": "true"}


def status_of(answer: HttpResponseBase) -> int:
    """Return the status and close the response."""
    answer.close()
    return answer.status_code


@pytest.fixture
def event() -> Event:
    return create_team_event()


def test_program_gets_the_progress_as_json(event: Event, client: Client) -> None:
    answer = client.get(ZIP)
    assert (answer.status_code, answer["Retry-After"], answer["Location"]) == (202, "5", PROGRESS)
    assert answer["Cache-Control"] == "no-store"
    assert not answer.cookies
    assert answer.json() == {
        "status": "waiting", "pages_made": 0, "pages": 0, "ahead": 0, "retry_after": 5,
        "progress": f"http://testserver{PROGRESS}",
    }  # fmt: skip
    assert client.get(PROGRESS).json()["status"] == "waiting"
    work_off()
    assert client.get(PROGRESS).json() == {"status": "ready", "archive": f"http://testserver{ZIP}"}
    assert status_of(client.get(ZIP)) == 200


def test_browser_gets_a_page_that_polls_and_redirects(event: Event, client: Client) -> None:
    answer = client.get(ZIP, headers=BROWSER)
    page = answer.content.decode()
    assert answer.status_code == 202
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page
    assert f'hx-get="{PROGRESS}"' in page
    assert "This archive is next." in page
    assert "Dit archief is nu aan de beurt." in client.get(f"/nl{PROGRESS}", headers=BROWSER).content.decode()
    part = client.get(PROGRESS, headers=HTMX)
    assert (part.status_code, part.content.startswith(b"<!doctype")) == (200, False)

    work_off()
    ready = client.get(PROGRESS, headers=HTMX).content.decode()
    assert 'hx-trigger="load"' in ready
    assert "every" not in ready
    assert client.get(PROGRESS, headers=HTMX | {"hx-trigger": "ready"})["HX-Redirect"] == ZIP
    assert client.get(f"/nl{PROGRESS}", headers=BROWSER)["Location"] == ZIP


def test_a_page_in_dutch_leads_to_the_page_that_waits_in_dutch(event: Event, client: Client) -> None:
    assert f'<a href="/nl{PROGRESS}">ZIP</a>' in client.get("/nl/events/two-teams/").content.decode()


def test_head_request_does_not_start_a_job(event: Event, client: Client) -> None:
    head = client.head(ZIP)
    assert (head.status_code, head.content, head["Retry-After"]) == (202, b"", "5")
    assert not Job.objects.exists()
    zip_of(client, ZIP).close()
    head, got = client.head(ZIP), client.get(ZIP)
    assert head["Content-Length"] == got["Content-Length"]
    assert status_of(head) == status_of(got) == 200


def test_ten_requests_start_a_single_job(event: Event, client: Client) -> None:
    for _ in range(10):
        assert client.get(ZIP).status_code == 202
    assert Job.objects.count() == 1
    with patch.object(store, "write_zip", wraps=write_zip) as made:
        assert work_off() == 1
    assert made.call_count == 1


def test_how_many_are_made_before_it_and_how_far_it_is(event: Event, client: Client) -> None:
    create_player_event()
    client.get("/events/two-players.zip")
    client.get(ZIP)
    assert client.get(ZIP).json()["ahead"] == 1
    assert "Waiting before this archive: 1." in client.get(ZIP, headers=BROWSER).content.decode()
    jobs.end(jobs.take() or Job(), result={})
    taken = jobs.take()
    assert taken
    jobs.confirm(taken, parts_done=3, parts=20)
    assert {"status": "making", "pages_made": 3, "pages": 20}.items() <= client.get(ZIP).json().items()
    page = client.get(PROGRESS, headers=BROWSER).content.decode()
    assert "3 of 20 pages" in page
    assert '<progress max="20" value="3"' in page


def test_no_more_wait_than_so_many(event: Event, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_WAITING", 1)
    client.get(ZIP)
    create_player_event()
    answer = client.get("/events/two-players.zip", headers=BROWSER)
    assert (answer.status_code, answer["Retry-After"]) == (503, "120")
    assert "no more are accepted" in answer.content.decode()
    assert client.get(ZIP).status_code == 202
    assert Job.objects.count() == 1


@pytest.mark.skipif(
    connection.vendor == "sqlite", reason="in memory, a reader holds writers up; drills try files"
)
def test_archive_of_a_changing_event_shows_a_single_state(
    event: Event, client: Client, tmp_path: Path
) -> None:
    def make(renamed: Event, origin: Origin, to: Path, tell: ReportProgress) -> None:
        with ThreadPoolExecutor(1) as other:
            other.submit(rename).result()
        write_zip(renamed, origin, to, tell)

    def rename() -> None:
        Event.objects.update(name="Renamed", state=Event.State.FINAL)
        connection.close()

    client.get(ZIP)
    with patch.object(store, "write_zip", make):
        work_off()
    job = Job.objects.get()
    assert job.state == Job.State.DONE
    folder = unpacked((Path(settings.ARCHIVES) / job.result["archive"]).read_bytes(), tmp_path / "unpacked")
    assert not any(b"Renamed" in file.read_bytes() for file in folder.rglob("*") if file.is_file())
    assert client.get(ZIP).status_code == 202, "it is of an older version, and the event is over"


def test_failure_is_reported_and_not_retried_at_once(
    event: Event, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client.get(ZIP)
    with patch.object(store, "write_zip", side_effect=LookupError("a picture")):
        work_off()
    job = Job.objects.get()
    assert (job.state, job.failure) == (Job.State.FAILED, "LookupError")
    assert "LookupError" in caplog.text
    answer = client.get(ZIP, headers=BROWSER)
    assert (answer.status_code, answer["Retry-After"]) == (503, "300")
    assert "could not be made" in answer.content.decode()
    Job.objects.update(ended=timezone.now() + timedelta(days=1))  # by a clock that was ahead
    assert client.get(ZIP, headers=BROWSER).status_code == 202
    Job.objects.filter(state=Job.State.FAILED).update(ended=timezone.now() - store.FAILURE_PAUSE)
    assert status_of(zip_of(client, ZIP)) == 200


def test_missing_worker_is_reported_and_logged(
    event: Event, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client.get(ZIP)
    Job.objects.update(asked=timezone.now() - jobs.SILENCE - timedelta(seconds=1))
    assert jobs.is_stuck(Job.objects.get())
    Job.objects.update(asked=timezone.now() + timedelta(days=1))  # by a clock that was ahead
    answer = client.get(ZIP, headers=BROWSER)
    assert (answer.status_code, answer["Retry-After"]) == (202, "60")
    assert "takes longer than it should" in answer.content.decode()
    client.get(ZIP)
    assert [record.message for record in caplog.records].count(
        "An archive waits and no worker goes on with it. Does manage.py work run?"
    ) == 1
    jobs.beat("worker")
    assert client.get(ZIP).json()["status"] == "waiting"


def test_event_withdrawn_before_the_build_has_no_archive(event: Event, client: Client) -> None:
    """The event is withdrawn between the request and the build."""
    client.get(ZIP)
    Event.objects.update(state=Event.State.DRAFT)
    work_off()
    assert not list(Path(settings.ARCHIVES).glob("*.zip"))
    assert client.get(ZIP).status_code == 404


def test_an_event_that_is_gone(event: Event) -> None:
    job = jobs.archive_job(event.pk + 1, "http", "testserver", public=True)
    job.save()
    do(job)
    assert (job.state, job.result) == (Job.State.DONE, {})
    assert set(WORKS) <= set(Job.Kind.values)

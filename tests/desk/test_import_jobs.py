"""Import jobs: the worker reads, previews and stores; the user can leave the page and return."""

import re
from contextlib import ExitStack
from io import BytesIO
from typing import Any
from unittest.mock import patch
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.database import deadlines
from config.database.bulkhead import place_among
from standings.management.commands.work import do, work_off
from tests.cast import Desk
from tests.desk.test_imports import LIST, shown, upload
from tournaments.admin.imports import import_jobs
from tournaments.admin.imports.screens import MOST_PREVIEWS
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Backup, Competitor, Event, Job, Person, Upload
from tournaments.models.versioned import past_of
from tournaments.operations import jobs
from tournaments.operations.processes import slots
from tournaments.recording.imports.importing import store_trial
from tournaments.search.index import refresh
from tournaments.stored import load

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_request_waits(nothing_of_other_tests: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_jobs, "wait_for_job", lambda _job: None)


def last_upload() -> Upload:
    """Return the last upload."""
    return Upload.objects.latest("pk")


def preview_url(desk: Desk) -> str:
    """Return the URL of the preview of the last upload."""
    last = last_upload()
    if last.event_id is None:
        return reverse("admin:import-preview", args=[last.pk])
    return reverse("admin:event-import-preview", args=[desk.event.pk, last.pk])


def previewed(desk: Desk, who: str = "arbiter", **chosen: str) -> Any:
    """Return the preview after the worker has finished it."""
    browser = desk.browser(who)
    if browser.get(preview_url(desk), chosen).status_code == 202:
        work_off()
    return browser.get(preview_url(desk), chosen)


def pressed(desk: Desk, page: Any, who: str = "arbiter", **more: str) -> Any:
    """Press the button of a preview, with the fields of its form."""
    form = re.search(r'<form method="post".*?</form>', page.content.decode(), re.DOTALL)
    assert form
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form[0]))
    return desk.browser(who).post(preview_url(desk), {"apply": "Import", **fields, **more}, follow=True)


def test_worker_previews_and_imports_an_upload(desk: Desk) -> None:
    page = upload(desk, "arbiter", desk.event, text=LIST)
    assert (page.status_code, page["Refresh"], page["Retry-After"]) == (
        202,
        f"3; url={preview_url(desk)}",
        "3",
    )
    assert "The file is waiting for the worker" in shown(page)
    assert f">{last_upload().name}</a>" in shown(desk.browser("arbiter").get(import_of(desk)))

    page = previewed(desk)
    assert page.status_code == 200
    assert "+ competitor 4 Greys" in shown(page)
    assert import_jobs.TOKEN not in page.content.decode()
    assert not Competitor.objects.filter(event=desk.event, number=4).exists()

    waiting = pressed(desk, page)
    assert (waiting.status_code, "is waiting for the worker" in shown(waiting)) == (202, True)
    work_off()
    assert "is imported already" in shown(desk.browser("arbiter").get(preview_url(desk), follow=True))
    greys = Competitor.objects.get(event=desk.event, number=4)
    assert greys.name == "Greys"
    assert Backup.objects.filter(event=desk.event, reason="Before an import").count() == 1


def test_page_explains_that_all_import_slots_are_taken(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "usable_cores", lambda: 1)
    with slots.reading_slot():
        page = upload(desk, "arbiter", desk.event, text=LIST)
    assert page.status_code == 202
    assert "The server is busy with other files." in shown(page)


def test_account_loads_few_previews_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    ready = previewed(desk)
    monkeypatch.setitem(deadlines._process, "serves", True)
    arbiter, url = desk.people["arbiter"], preview_url(desk)
    with ExitStack() as loading:
        for _ in range(MOST_PREVIEWS):
            loading.enter_context(place_among(("previews", arbiter.pk), MOST_PREVIEWS))
        page = desk.browser("arbiter").get(url)
        assert (page.status_code, page["Refresh"], page["Retry-After"]) == (503, "2", "2")
        assert "You loaded too many pages of this kind at once" in shown(page)
        sent = pressed(desk, ready)
        assert (sent.status_code, sent.has_header("Refresh")) == (503, False)
        assert "Nothing was saved. Send it again." in shown(sent)
        assert '<input type="hidden" name="apply" value="Import">' in sent.content.decode()
        assert desk.browser("organiser").get(import_of(desk)).status_code == 200
    assert desk.browser("arbiter").get(url).status_code == 200


def test_waiting_page_does_not_load_the_file(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    browser, url = desk.browser("arbiter"), preview_url(desk)
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(url).status_code == 202
    column = f'"{Upload._meta.db_table}"."file"'
    assert not [each["sql"] for each in queries if column in each["sql"]]


def _zipped(*names: str) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w") as opened:
        for name in names:
            opened.writestr(f"folder/{name}", LIST)
    return packed.getvalue()


def test_archive_with_one_file_is_unpacked_by_the_worker(desk: Desk) -> None:
    with patch.object(archives, "opened", side_effect=AssertionError("opened within the request")):
        page = upload(desk, "arbiter", desk.event, "list.zip", file=_zipped("players.csv"))
    assert page.status_code == 202
    page = previewed(desk)
    assert "+ competitor 4 Greys" in shown(page)
    assert (last_upload().name, bytes(last_upload().file)) == ("players.csv", LIST.encode())
    assert pressed(desk, page).status_code == 202
    work_off()
    assert Competitor.objects.filter(event=desk.event, number=4).exists()


def test_archive_with_two_files_is_rejected(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, "list.zip", file=_zipped("a.csv", "b.csv"))
    page = previewed(desk)
    assert page.status_code == 200
    assert "The archive has 2 files that can be imported" in shown(page)


def test_import_refreshes_the_search_index(desk: Desk) -> None:
    for most in (10, 10_000):
        person = Person.objects.create(name="Zoë", key=f"zoe-{most}")
        upload(desk, "arbiter", desk.event, text=LIST if most == 10 else LIST.replace("Greys", "Golds"))
        assert refresh() > 0
        Person.objects.filter(pk=person.pk).update(name="Zoe")
        pressed(desk, previewed(desk))
        work_off()
        assert Competitor.objects.filter(event=desk.event, name="Greys" if most == 10 else "Golds").exists()
        assert refresh() == 0


def import_of(desk: Desk) -> str:
    """Return the URL of the upload form."""
    return reverse("admin:event-import", args=[desk.event.pk])


def test_other_encoding_is_previewed_again(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, "a.csv", file="No;Name\n4;Жёлтые\n".encode("koi8-r"))
    assert "Жёлтые" in shown(previewed(desk))  # the encoding is detected
    assert "Жёлтые" not in shown(previewed(desk, encoding="cp1252"))
    assert "Жёлтые" in shown(previewed(desk, encoding="koi8-r"))
    assert "Жёлтые" in shown(desk.browser("arbiter").get(preview_url(desk)))


def test_import_is_rejected_if_the_event_changed(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    page = previewed(desk)
    Event.objects.filter(pk=desk.event.pk).update(notes="Changed.")
    pressed(desk, page)
    work_off()
    refused = desk.browser("arbiter").get(preview_url(desk))
    assert "The data have changed since this preview" in shown(refused)
    pressed(desk, refused)
    work_off()
    assert Competitor.objects.filter(event=desk.event, number=4).exists()


def test_import_fails_if_the_user_lost_the_role(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    pressed(desk, previewed(desk))
    desk.event.arbiters.remove(desk.people["arbiter"])
    work_off()
    assert (Job.objects.latest("pk").state, Job.objects.latest("pk").failure) == ("failed", "PermissionError")
    assert not Competitor.objects.filter(event=desk.event, number=4).exists()
    assert desk.browser("arbiter").get(preview_url(desk)).status_code == 404


def test_imported_event_is_a_draft_with_its_user_in_the_history(desk: Desk) -> None:
    content = write(load("two-teams")).replace('"two-teams"', '"two-more"')
    upload(desk, "organiser", None, "two-more.json", file=content.encode())
    pressed(desk, previewed(desk, "organiser"), "organiser")
    work_off()
    event = Event.objects.get(slug="two-more")
    assert (event.state, last_upload().event) == (Event.State.DRAFT, event)
    past = past_of(Event).objects.filter(id=event.pk)
    assert {each.history_user for each in past} == {desk.people["organiser"]}


def test_import_is_stored_once_if_the_worker_dies(desk: Desk) -> None:
    before = write(load("two-teams"))
    upload(desk, "arbiter", desk.event, text=LIST)
    pressed(desk, previewed(desk))

    def store_and_die(*args: Any) -> None:
        store_trial(*args)
        raise SystemExit

    with (
        patch("tournaments.recording.imports.importing.store_trial", store_and_die),
        pytest.raises(SystemExit),
    ):
        work_off()
    assert write(load("two-teams")) == before
    assert Job.objects.latest("pk").state == Job.State.RUNNING
    jobs.take_back(jobs.FILES.jobs)
    work_off()
    after = write(load("two-teams"))
    assert "Greys" in after

    # Killed after the import was stored, but before the job was marked as done.
    Job.objects.filter(kind=Job.Kind.IMPORT).update(state=Job.State.RUNNING)
    work_off()
    assert write(load("two-teams")) == after
    assert Backup.objects.filter(event=desk.event, reason="Before an import").count() == 1


def test_failed_import_shows_its_reason_and_can_be_repeated(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    with patch.object(import_jobs, "try_upload", side_effect=RuntimeError("a mistake of ours")):
        work_off()
    page = desk.browser("arbiter").get(preview_url(desk))
    assert "Nothing was saved. Reason: RuntimeError" in shown(page)
    assert "RuntimeError" in caplog.text
    desk.browser("arbiter").post(preview_url(desk))
    work_off()
    assert "+ competitor 4 Greys" in shown(desk.browser("arbiter").get(preview_url(desk)))


def test_page_explains_that_memory_was_exceeded(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    with patch.object(import_jobs, "try_upload", side_effect=MemoryError):
        work_off()
    page = desk.browser("arbiter").get(preview_url(desk))
    assert "Nothing was saved. Reason: It needed more memory than it may have." in shown(page)


def test_upload_has_at_most_one_open_job(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    page = previewed(desk)
    pressed(desk, page)
    pressed(desk, page)
    assert Job.objects.filter(kind=Job.Kind.IMPORT).count() == 1
    taken = jobs.take(jobs.FILES)
    assert taken
    do(taken)
    assert last_upload().applied

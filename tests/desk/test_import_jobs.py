"""Long imports at the desk: the worker reads, compares and stores; who uploaded may leave and come back."""

import re
from io import BytesIO
from typing import Any
from unittest.mock import patch
from zipfile import ZipFile

import pytest
from django.urls import reverse

from standings.management.commands.work import do, work_off
from tests.cast import Desk
from tests.desk.test_imports import LIST, shown, upload
from tournaments.admin.imports import import_jobs
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Backup, Competitor, Event, Job, Person, Upload
from tournaments.models.versioned import past_of
from tournaments.operations import jobs
from tournaments.operations.processes import slots
from tournaments.recording.imports import store
from tournaments.search.index import refresh
from tournaments.stored import load

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_request_waits(import_jobs_are_done_at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_jobs, "wait_for", lambda _job: None)


def last_upload() -> Upload:
    """What was uploaded last."""
    return Upload.objects.latest("pk")


def address_of(desk: Desk) -> str:
    """The preview of the last upload."""
    last = last_upload()
    if last.event_id is None:
        return reverse("admin:import-preview", args=[last.pk])
    return reverse("admin:event-import-preview", args=[desk.event.pk, last.pk])


def previewed(desk: Desk, who: str = "arbiter", **chosen: str) -> Any:
    """The preview that the worker has made."""
    browser = desk.browser(who)
    if browser.get(address_of(desk), chosen).status_code == 202:
        work_off()
    return browser.get(address_of(desk), chosen)


def pressed(desk: Desk, page: Any, who: str = "arbiter", **more: str) -> Any:
    """What follows the button of a preview; the fields are those of its form."""
    form = re.search(r'<form method="post".*?</form>', page.content.decode(), re.DOTALL)
    assert form
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form[0]))
    return desk.browser(who).post(address_of(desk), {"apply": "Import", **fields, **more}, follow=True)


def test_it_is_previewed_and_imported_by_the_worker(desk: Desk) -> None:
    page = upload(desk, "arbiter", desk.event, text=LIST)
    assert (page.status_code, page["Refresh"], page["Retry-After"]) == (202, "3", "3")
    assert "The file waits until the worker takes it" in shown(page)
    assert f">{last_upload().name}</a>" in shown(desk.browser("arbiter").get(import_of(desk)))

    page = previewed(desk)
    assert page.status_code == 200
    assert "+ competitor 4 Greys" in shown(page)
    assert import_jobs.TOKEN not in page.content.decode()
    assert not Competitor.objects.filter(event=desk.event, number=4).exists()

    waiting = pressed(desk, page)
    assert (waiting.status_code, "waits until the worker takes it" in shown(waiting)) == (202, True)
    work_off()
    assert "is imported already" in shown(desk.browser("arbiter").get(address_of(desk), follow=True))
    greys = Competitor.objects.get(event=desk.event, number=4)
    assert greys.name == "Greys"
    assert Backup.objects.filter(event=desk.event, reason="Before an import").count() == 1


def test_page_says_that_the_server_reads_as_many_files_as_it_can(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "usable_cores", lambda: 1)
    with slots.reading_slot():
        page = upload(desk, "arbiter", desk.event, text=LIST)
    assert page.status_code == 202
    assert "The server is reading as many files as it can at a time." in shown(page)


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


def test_archive_with_two_files_is_refused_in_the_preview(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, "list.zip", file=_zipped("a.csv", "b.csv"))
    page = previewed(desk)
    assert page.status_code == 200
    assert "The archive holds 2 files that can be imported" in shown(page)


def test_the_first_search_after_it_has_nothing_to_make(desk: Desk) -> None:
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
    """The screen that files are uploaded at."""
    return reverse("admin:event-import", args=[desk.event.pk])


def test_a_choice_is_read_anew(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, "a.csv", file="No;Name\n4;Жёлтые\n".encode("koi8-r"))
    assert "Жёлтые" in shown(previewed(desk))  # which is found out
    assert "Жёлтые" not in shown(previewed(desk, encoding="cp1252"))
    assert "Жёлтые" in shown(previewed(desk, encoding="koi8-r"))
    assert "Жёлтые" in shown(desk.browser("arbiter").get(address_of(desk)))


def test_an_event_that_changed_is_compared_anew(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    page = previewed(desk)
    Event.objects.filter(pk=desk.event.pk).update(notes="Changed.")
    pressed(desk, page)
    work_off()
    refused = desk.browser("arbiter").get(address_of(desk))
    assert "Something has changed since this preview" in shown(refused)
    pressed(desk, refused)
    work_off()
    assert Competitor.objects.filter(event=desk.event, number=4).exists()


def test_who_lost_the_role_meanwhile_imports_nothing(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    pressed(desk, previewed(desk))
    desk.event.arbiters.remove(desk.people["arbiter"])
    work_off()
    assert (Job.objects.latest("pk").state, Job.objects.latest("pk").failure) == ("failed", "PermissionError")
    assert not Competitor.objects.filter(event=desk.event, number=4).exists()
    assert desk.browser("arbiter").get(address_of(desk)).status_code == 404


def test_an_organiser_imports_a_whole_event(desk: Desk) -> None:
    content = write(load("two-teams")).replace('"two-teams"', '"two-more"')
    upload(desk, "organiser", None, "two-more.json", file=content.encode())
    pressed(desk, previewed(desk, "organiser"), "organiser")
    work_off()
    event = Event.objects.get(slug="two-more")
    assert (event.state, last_upload().event) == (Event.State.DRAFT, event)
    past = past_of(Event).objects.filter(id=event.pk)
    assert {each.history_user for each in past} == {desk.people["organiser"]}


def test_a_worker_that_dies_in_the_middle_stores_it_once(desk: Desk) -> None:
    before = write(load("two-teams"))
    upload(desk, "arbiter", desk.event, text=LIST)
    pressed(desk, previewed(desk))

    def store_and_die(*args: Any) -> None:
        store(*args)
        raise SystemExit

    with patch("tournaments.admin.imports.trial.store", store_and_die), pytest.raises(SystemExit):
        work_off()
    assert write(load("two-teams")) == before
    assert Job.objects.latest("pk").state == Job.State.RUNNING
    work_off()
    after = write(load("two-teams"))
    assert "Greys" in after

    # Killed after it was stored, and before anybody noted that the job is done.
    Job.objects.filter(kind=Job.Kind.IMPORT).update(state=Job.State.RUNNING)
    work_off()
    assert write(load("two-teams")) == after
    assert Backup.objects.filter(event=desk.event, reason="Before an import").count() == 1


def test_what_went_wrong_is_told_and_tried_again(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    with patch.object(import_jobs, "try_upload", side_effect=RuntimeError("a mistake of ours")):
        work_off()
    page = desk.browser("arbiter").get(address_of(desk))
    assert "Nothing was stored. Reason: RuntimeError" in shown(page)
    assert "RuntimeError" in caplog.text
    desk.browser("arbiter").post(address_of(desk))
    work_off()
    assert "+ competitor 4 Greys" in shown(desk.browser("arbiter").get(address_of(desk)))


def test_page_says_that_a_file_needed_too_much_memory(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    with patch.object(import_jobs, "try_upload", side_effect=MemoryError):
        work_off()
    page = desk.browser("arbiter").get(address_of(desk))
    assert "Nothing was stored. Reason: It needed more memory than it may have." in shown(page)


def test_two_jobs_of_an_upload_are_never_open(desk: Desk) -> None:
    upload(desk, "arbiter", desk.event, text=LIST)
    page = previewed(desk)
    pressed(desk, page)
    pressed(desk, page)
    assert Job.objects.filter(kind=Job.Kind.IMPORT).count() == 1
    taken = jobs.take(jobs.FILES)
    assert taken
    do(taken)
    assert last_upload().applied

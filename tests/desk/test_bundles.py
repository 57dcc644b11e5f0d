"""Bundles: archives of many files that are previewed and imported one by one."""

import csv
import html
import re
from dataclasses import replace
from io import BytesIO, StringIO
from typing import Any
from unittest.mock import patch
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from standings.management.commands.work import do, work_off
from tests.cast import Desk
from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.trf.reports import HALF_BYES, PLAYERS
from tournaments.admin.imports import bundles, trial
from tournaments.admin.imports.import_jobs import MOST_AT_ONCE
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.models import Bundle, BundleFile, Event, Job, Person, Series, Upload
from tournaments.operations import jobs
from tournaments.search.index import refresh
from tournaments.stored import load

pytestmark = pytest.mark.django_db(transaction=True)


def event_file(slug: str, name: str = "", series: str = "") -> str:
    """Return an event file with a new slug."""
    document = load("two-teams")
    document = replace(document, event=replace(document.event, series=series))
    content = write(document).replace('"two-teams"', f'"{slug}"')
    return content.replace('"Cup of Teams"', f'"{name or slug.title()}"')


def archive(**files: str) -> bytes:
    """Return a ZIP archive. In the names of files, `_` stands for the dot before the extension."""
    packed = BytesIO()
    with ZipFile(packed, "w") as opened:
        for name, content in files.items():
            opened.writestr(".".join(name.rsplit("_", 1)), content)
    return packed.getvalue()


def uploaded(desk: Desk, content: bytes, who: str = "organiser", **more: Any) -> Any:
    """Upload an archive and return the response."""
    data = {"file": SimpleUploadedFile("years.zip", content), "state": "file", **more}
    return desk.browser(who).post(reverse("admin:bundles"), data, follow=True)


def unpacked(desk: Desk, content: bytes, **more: Any) -> Any:
    """Return the page of an archive that was unpacked, and of which all files wait."""
    uploaded(desk, content, **more)
    job = jobs.take(jobs.FILES)
    assert job
    with patch.object(bundles, "_waiting_files", return_value=[]):
        do(job)
    return desk.browser("organiser").get(bundle_url())


def pressed(desk: Desk, wish: str) -> Any:
    """Press a button of the last bundle and return the response."""
    return desk.browser("organiser").post(bundle_url(), {"wish": wish}, follow=True)


def bundle_url() -> str:
    """Return the URL of the last bundle."""
    return reverse("admin:bundle", args=[Bundle.objects.latest("pk").pk])


def shown(answer: Any) -> str:
    """Return the text of a page."""
    return re.sub(r"\s+", " ", answer.content.decode())


def has_stored_archives() -> bool:
    """Return whether an archive or its manifest is still stored."""
    return Upload.objects.filter(name__in=("years.zip", "manifest.csv")).exists()


def states() -> list[str]:
    """Return the states of the files of the last bundle, in order."""
    return list(Bundle.objects.latest("pk").files.values_list("state", flat=True))


def test_all_files_are_previewed_before_import_and_a_bad_file_stops_no_other(desk: Desk) -> None:
    files = {"a_json": event_file("a"), "b_json": "{", "c_json": event_file("c"), "d_json": "[]"}
    page = unpacked(desk, archive(**files))
    assert (page.status_code, page["Refresh"]) == (200, f"3; url={bundle_url()}")
    assert "0 of 4 files are done" in shown(page)
    work_off()
    assert states() == ["ready", "faulty", "ready", "faulty"]
    page = desk.browser("organiser").get(bundle_url())
    assert "Refresh" not in page
    assert "All 4 files are read. Nothing is saved until you import them." in shown(page)
    assert "Import the 2 ready files" in shown(page)
    assert not Event.objects.filter(slug__in="ac").exists()

    Person.objects.create(name="Zoë", key="zoe")
    pressed(desk, "import")
    work_off()
    assert refresh() == 0
    assert states() == ["imported", "faulty", "imported", "faulty"]
    assert set(Event.objects.filter(slug__in="ac").values_list("slug", "state")) == {
        ("a", "live"),
        ("c", "live"),
    }
    kept = Upload.objects.get(event__slug="a")
    assert (kept.name, bytes(kept.file), bool(kept.applied)) == ("a.json", event_file("a").encode(), True)


def test_stopped_bundle_continues_with_the_next_file(desk: Desk) -> None:
    names = "abcd"
    uploaded(desk, archive(**{f"{name}_json": event_file(name) for name in names}))
    tried = []

    def stopping(*given: Any, **more: Any) -> Any:
        tried.append(given[0].name)
        if len(tried) == 2:
            pressed(desk, "stop")
        return bundles_try(*given, **more)

    bundles_try = trial.try_upload
    with patch.object(bundles, "try_upload", stopping):
        work_off()
    assert states() == ["ready", "ready", "waiting", "waiting"]
    page = shown(desk.browser("organiser").get(bundle_url()))
    assert "Paused: 2 of 4 files are done, 2 remain." in page
    pressed(desk, "go_on")
    work_off()
    assert states() == ["ready"] * 4


def test_file_that_kills_the_worker_repeatedly_is_skipped(desk: Desk) -> None:
    uploaded(desk, archive(a_json=event_file("a"), b_json=event_file("b"), c_json=event_file("c")))

    class Killed(BaseException):
        """The end of the worker process."""

    def dying(upload: Upload, *given: Any, **more: Any) -> Any:
        if upload.name == "b.json":
            raise Killed
        return original(upload, *given, **more)

    original = trial.try_upload
    with patch.object(bundles, "try_upload", dying):
        for _attempt in range(jobs.MOST_ATTEMPTS):
            job = jobs.take(jobs.FILES)
            assert job
            with pytest.raises(Killed):
                do(job)
            Job.objects.filter(pk=job.pk).update(attempts=1)
            jobs.take_back(jobs.FILES.jobs)
    assert states() == ["ready", "waiting", "waiting"]
    work_off()
    assert states() == ["ready", "faulty", "ready"]
    assert "The worker stopped while it read this file" in BundleFile.objects.get(position=1).findings[0]
    pressed(desk, "again")
    work_off()
    assert states() == ["ready"] * 3


def test_worker_that_lost_the_job_stores_no_file(desk: Desk) -> None:
    uploaded(desk, archive(a_json=event_file("a")))
    job = jobs.take(jobs.FILES)
    assert job
    Job.objects.filter(pk=job.pk).update(attempts=2)  # by another worker
    do(job)
    assert states() == []
    assert Job.objects.get(pk=job.pk).state == Job.State.RUNNING


def test_long_bundle_lets_other_jobs_run(desk: Desk) -> None:
    uploaded(desk, archive(a_json=event_file("a"), b_json=event_file("b")))
    with patch.object(bundles, "MAX_SECONDS", 0.0):
        job = jobs.take(jobs.FILES)
        assert job
        do(job)
        assert states() == ["ready", "waiting"]
        waiting = jobs.last_job(job.key)
        assert waiting
        assert (waiting.pk != job.pk, waiting.state) == (True, "waiting")
        work_off()
    assert states() == ["ready", "ready"]


def test_file_is_previewed_again_if_the_event_changed(desk: Desk) -> None:
    uploaded(desk, archive(a_json=write(load("two-teams")).replace("Cup of Teams", "Cup of Cups")))
    work_off()
    Event.objects.filter(slug="two-teams").update(notes="Changed.")
    pressed(desk, "import")
    work_off()
    file = BundleFile.objects.get()
    assert file.state == "ready"
    assert "The data have changed since this preview" in file.findings[0]
    pressed(desk, "import")
    work_off()
    assert states() == ["imported"]


def test_file_can_be_imported_in_its_own_preview(desk: Desk) -> None:
    uploaded(desk, archive(a_json=event_file("a"), b_json=event_file("b")))
    work_off()
    page = desk.browser("organiser").get(bundle_url()).content.decode()
    (preview,) = re.findall(r'href="([^"]+)">b.json', page)
    answer = desk.browser("organiser").get(html.unescape(preview))
    assert shown(answer).count(f'href="{bundle_url()}"') == 2  # above and below the preview
    data = {"apply": "Import", "token": answer.context["trial"].token, **answer.context["chosen"]}
    answer = desk.browser("organiser").post(preview.partition("?")[0], data, follow=True)
    assert answer.redirect_chain[-1][0] == bundle_url()
    assert "Imported: b.json." in shown(answer)
    assert states() == ["ready", "imported"]


def test_organisers_see_only_their_own_bundles(desk: Desk) -> None:
    assert desk.browser("arbiter").get(reverse("admin:bundles")).status_code == 403
    assert uploaded(desk, archive(a_json=event_file("a")), "arbiter").status_code == 403
    uploaded(desk, archive(a_json=event_file("a")))
    for address in (bundle_url(), f"{bundle_url()}report.csv"):
        assert desk.browser("arbiter").get(address).status_code == 403
        assert desk.browser("superuser").get(address).status_code == 404
    assert pressed(desk, "burn").status_code == 403


def test_bundle_fails_if_the_user_lost_the_role(desk: Desk) -> None:
    uploaded(desk, archive(a_json=event_file("a")))
    desk.people["organiser"].groups.clear()
    work_off()
    assert (Job.objects.latest("pk").state, Job.objects.latest("pk").failure) == ("failed", "PermissionError")
    assert states() == []


def test_report_lists_all_files(desk: Desk) -> None:
    uploaded(desk, archive(a_json=event_file("a"), **{"=b_json": "{"}))
    work_off()
    pressed(desk, "import")
    work_off()
    text = desk.browser("organiser").get(f"{bundle_url()}report.csv").content.decode("utf-8-sig")
    first, second = sorted(csv.DictReader(StringIO(text)), key=lambda row: row["event"], reverse=True)
    assert (first["file"], first["state"], first["event"]) == ("a.json", "imported", "a")
    assert (second["file"], second["state"]) == ("'=b.json", "refused: has errors")
    assert second["findings"]
    assert not second["findings"].startswith("error")


def test_page_and_report_name_answers_and_unread_parts(desk: Desk) -> None:
    table = TABLE.replace("R1", "R1;Shoe;Pts").replace("2w1", "2w1;42;5").replace("1b0", "1b0;44;0")
    uploaded(desk, archive(a_csv=f"Open 1998\n{table}"))
    work_off()
    desk.browser("organiser").post(bundle_url(), {"wish": "answer", "accept-printed-points": "As printed."})
    work_off()
    pressed(desk, "import")
    work_off()
    assert states() == ["imported"]
    page = shown(desk.browser("organiser").get(bundle_url()))
    text = desk.browser("organiser").get(f"{bundle_url()}report.csv").content.decode("utf-8-sig")
    for line in (
        "columns: 4 read, 1 not read: “Shoe”",
        "Given by otto: accepted because: As printed.",
    ):
        assert line in page
        assert line in text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"no archive", "The archive cannot be opened"),
        (archive(), "The archive contains no file"),
        (archive(a_json="{}", manifest_csv="file;name\nb.json;B\n"), "no such file is there"),
        (archive(a_json="{}", manifest_csv="file;colour\na.json;red\n"), "“colour” is unknown"),
    ],
)
def test_invalid_archive_is_rejected_with_the_reason(desk: Desk, content: bytes, text: str) -> None:
    page = unpacked(desk, content)
    assert page.status_code == 200
    assert "Refresh" not in page
    assert "The archive was refused" in shown(page)
    assert text in shown(page)
    assert "Report (CSV)" not in shown(page)
    assert not BundleFile.objects.exists()
    assert not has_stored_archives()


def test_page_lists_all_files_of_the_archive(desk: Desk) -> None:
    files = {
        "a_png": "x",
        "b_md": "%PDF-1.4",
        "__MACOSX/._a_json": "x",
        "c_tab": write_report(samples.document(samples.players())),
    }
    uploaded(desk, archive(**files))
    work_off()
    lines = BundleFile.objects.values_list("name", "state")
    assert list(lines) == [
        ("a.png", "unknown"),
        ("b.md", "unknown"),
        ("c.tab", "ready"),
        ("__MACOSX/._a.json", "skipped"),
    ]
    assert "[unknown-format]" in BundleFile.objects.get(name="a.png").findings[0]
    assert "This is a PDF" in BundleFile.objects.get(name="b.md").findings[0]
    page = desk.browser("organiser").get(bundle_url())
    assert "All 4 files are read." in shown(page)
    assert "Not read: it is a hidden file." in shown(page)


def test_request_opens_neither_archive_nor_manifest(desk: Desk) -> None:
    manifest = SimpleUploadedFile("manifest.csv", b"file;name\na.json;A\n")
    never = AssertionError("read within the request")
    with (
        patch.object(archives, "opened", side_effect=never),
        patch.object(bundles, "read_manifest", side_effect=never),
    ):
        page = uploaded(desk, archive(a_json=event_file("a")), manifest=manifest)
    assert page["Refresh"] == f"3; url={bundle_url()}"
    assert "The archive waits until the worker unpacks it" in shown(page)
    work_off()
    assert states() == ["ready"]
    assert not has_stored_archives()


def test_unpacking_restarts_after_the_worker_died(desk: Desk) -> None:
    uploaded(desk, archive(a_json=event_file("a"), b_json=event_file("b")))

    class Killed(BaseException):
        """The end of the worker process."""

    def dying(job: Job, bundle: Bundle, position: int, *given: Any) -> None:
        if position == 1:
            raise Killed
        original(job, bundle, position, *given)

    original = bundles._store_file
    job = jobs.take(jobs.FILES)
    assert job
    with patch.object(bundles, "_store_file", dying), pytest.raises(Killed):
        do(job)
    jobs.take_back(jobs.FILES.jobs)
    work_off()
    assert states() == ["ready", "ready"]
    assert Upload.objects.filter(name__in=("a.json", "b.json")).count() == 2
    assert not has_stored_archives()


def test_open_bundles_per_user_are_limited(desk: Desk) -> None:
    for _turn in range(MOST_AT_ONCE):
        assert "waits until the worker unpacks it" in shown(uploaded(desk, archive(a_json="{}")))
    assert f"{MOST_AT_ONCE} of your archives are being read" in shown(uploaded(desk, archive(a_json="{}")))
    assert Bundle.objects.count() == MOST_AT_ONCE


TABLE = "No;Name;R1\n1;Ann;2w1\n2;Bea;1b0\n"


def test_manifest_supplies_facts_of_events(desk: Desk) -> None:
    rows = "file;name;start;discipline;schedule\na.csv;Open 1998;1998-07-11;chess;swiss\nb.json;Other;;;\n"
    files = {"a_csv": TABLE, "b_json": event_file("b"), "c_csv": TABLE}
    page = uploaded(desk, archive(**files, manifest_csv=rows))
    assert page.status_code == 200
    work_off()
    assert states() == ["ready", "ready", "objected"]
    assert "“Other” replaces “B” of the file, as chosen." in BundleFile.objects.get(name="b.json").findings[0]
    pressed(desk, "import")
    work_off()
    event = Event.objects.get(name="Open 1998")
    assert (event.start, event.discipline, event.schedule) == ("1998-07-11", "chess", "swiss")
    assert Event.objects.get(slug="b").name == "Other"


def test_files_become_editions_of_a_series(desk: Desk) -> None:
    Series.objects.create(name="Harbour Cup", slug="harbour")
    files = {
        "1998_csv": TABLE,
        "1999_csv": TABLE.replace("Bea", "Cas"),
        "b_json": event_file("b", series="Other Cup"),
    }
    rows = "file;start?;discipline?;schedule?\n1998.csv;;chess;swiss\n1999.csv;;chess;swiss\nb.json;;;\n"
    uploaded(desk, archive(**files, manifest_csv=rows), series="HARBOUR cup")
    work_off()
    pressed(desk, "import")
    work_off()
    editions = Event.objects.filter(series__slug="harbour").order_by("start")
    assert list(editions.values_list("name", "slug")) == [
        ("HARBOUR cup 1998", "harbour-cup-1998"),
        ("HARBOUR cup 1999", "harbour-cup-1999"),
    ]
    assert Event.objects.filter(slug="b", series__name="Other Cup").exists()


def test_second_file_with_the_same_content_is_skipped(desk: Desk) -> None:
    uploaded(desk, archive(a_json=event_file("a"), b_json=event_file("a")))
    work_off()
    assert states() == ["ready", "skipped"]
    assert BundleFile.objects.get(name="b.json").findings == ["Not read: it has the same content as a.json."]


def test_editions_with_the_same_file_name_become_different_events(desk: Desk) -> None:
    files = {
        "2011/open_trf": PLAYERS.replace("2026/05", "2011/05"),
        "2026/open_trf": PLAYERS,
        "copy/open_trf": PLAYERS.replace("Ash, Ann", "Ash, Amy"),
    }
    uploaded(desk, archive(**files), series="Open of Four")
    work_off()
    assert states() == ["ready"] * 3
    for expected in (["imported", "ready", "ready"], ["imported", "imported", "faulty"]):
        pressed(desk, "import")
        work_off()
        assert states() == expected
    assert list(Event.objects.filter(name="Open of Four").order_by("start").values_list("slug", "start")) == [
        ("open", "2011-05-14"),
        ("open-of-four-2026", "2026-05-14"),
    ]
    (finding,) = [each for each in BundleFile.objects.get(position=2).findings if "[address-taken]" in each]
    assert "“2026/open.trf” of this archive is imported as this event" in finding


def test_file_does_not_replace_the_event_of_another_file_of_the_archive(desk: Desk) -> None:
    files = {"a_json": event_file("a"), "b_json": event_file("b")}
    uploaded(desk, archive(**files, manifest_csv="file;slug\na.json;b\nb.json;b\n"))
    work_off()
    pressed(desk, "import")
    work_off()
    assert states() == ["imported", "faulty"]
    assert Event.objects.get(slug="b").name == "A"


def test_same_table_with_another_year_in_its_name_is_read(desk: Desk) -> None:
    uploaded(desk, archive(**{"Open 1998_csv": TABLE, "Open 1999_csv": TABLE, "b/Open 1999_csv": TABLE}))
    work_off()
    assert states() == ["ready", "ready", "skipped"]


def test_reason_in_the_manifest_accepts_an_objection(desk: Desk) -> None:
    table = TABLE.replace("R1", "R1;Pts").replace("2w1", "2w1;5")
    rows = "file;name;start;accept\na.csv;Open A;1998;\nb.csv;Open B;1998;As printed.\n"
    uploaded(desk, archive(a_csv=table, b_csv=table, manifest_csv=rows))
    work_off()
    assert states() == ["objected", "ready"]
    pressed(desk, "import")
    work_off()
    assert states() == ["objected", "imported"]
    assert Upload.objects.get(event__name="Open B").accepted["reason"] == "As printed."


def test_question_about_several_files_is_answered_once(desk: Desk) -> None:
    files = {f"{name}_trf": HALF_BYES.replace("Harbour", name.title()) for name in ("a", "b")}
    uploaded(desk, archive(**files))
    work_off()
    assert states() == ["objected", "objected"]
    page = shown(desk.browser("organiser").get(bundle_url()))
    assert (
        page.count("half-point byes left blank?") == 5
    )  # the question, its list, and the finding of each file
    assert "<li>a.trf: line " in page
    assert "[half-byes]" not in page

    desk.browser("organiser").post(bundle_url(), {"wish": "answer", "half_byes": "yes"})
    work_off()
    assert states() == ["ready", "ready"]
    pressed(desk, "import")
    work_off()
    accepted = {"by": "otto", "reason": "", "objections": [], "answers": {"half_byes": "yes"}}
    assert [each.accepted for each in Upload.objects.filter(bundle_file__state="imported")] == [
        accepted,
        accepted,
    ]

    uploaded(desk, archive(**files))  # the answers are used again
    work_off()
    assert states() == ["unchanged", "unchanged"]


def test_answer_to_files_that_are_read_again_is_used(desk: Desk) -> None:
    uploaded(desk, archive(a_trf=HALF_BYES, b_trf=HALF_BYES.replace("Harbour", "Quay")))
    work_off()
    pressed(desk, "again")
    asked: list[str] = []

    def answering(upload: Upload, *given: Any) -> Any:
        if asked:
            bundles.answer(Bundle.objects.get(), {"half_byes": "yes"})
        asked.append(upload.name)
        return bundles_try(upload, *given)

    bundles_try = trial.try_upload
    with patch.object(bundles, "try_upload", answering):
        work_off()
    assert states() == ["ready", "ready"]


def test_missing_facts_and_objections_of_several_files_are_answered_once(desk: Desk) -> None:
    table = "No;Name;R1;Pts\n1;Ann;2w3;5\n2;Bea;1b0;0\n"  # no known game has this scoring
    uploaded(desk, archive(a_csv=f"Open 1998\n{table}", b_csv=f"Open 1999\n{table}"))
    work_off()
    assert states() == ["objected", "objected"]
    names = list(bundles.questions_of(Bundle.objects.get()))
    desk.browser("organiser").post(
        bundle_url(), {"wish": "answer", "discipline": "chess", "schedule": "swiss"}
    )
    work_off()
    assert names == ["discipline"]
    assert states() == ["objected", "objected"]

    too_long = {"wish": "answer", "accept-printed-points": "x" * 2001}
    assert "at most 2000 characters" in shown(desk.browser("organiser").post(bundle_url(), too_long))
    assert states() == ["objected", "objected"]
    desk.browser("organiser").post(bundle_url(), {"wish": "answer", "accept-printed-points": "As printed."})
    work_off()
    assert states() == ["ready", "ready"]


def test_drafts_of_a_bundle_are_published_together(desk: Desk) -> None:
    table = "Rk;Name;Pts\n1;Ann;3\n2;Bea;2\n"
    facts = {"discipline": "chess", "schedule": "swiss", "rounds": "3", "results": "unknown", "start": "1998"}
    uploaded(desk, archive(a_json=event_file("a"), b_csv=f"Open B\n{table}"), state="draft")
    work_off()
    desk.browser("organiser").post(bundle_url(), {"wish": "answer", **facts})
    work_off()
    pressed(desk, "import")
    work_off()
    assert set(Event.objects.values_list("slug", "state")) >= {("a", "draft"), ("open-b-1998", "draft")}

    page = pressed(desk, "publish")
    assert set(Event.objects.values_list("slug", "state")) >= {("a", "live"), ("open-b-1998", "final")}
    assert "imported draft" not in shown(page)


def test_start_rounds_and_results_are_asked_once(desk: Desk) -> None:
    ranking = "Rk;Name;Pts\n1;Ann;3\n2;Bea;2\n3;Cas;1\n"
    uploaded(desk, archive(a_csv=f"Open A\n{ranking}", b_csv=f"Open B\n{ranking}"))
    work_off()
    facts = {"start": "1998", "discipline": "chess", "schedule": "swiss", "rounds": "3", "results": "unknown"}
    asked = bundles.questions_of(Bundle.objects.get())
    assert asked.keys() <= facts.keys()
    assert asked["rounds"][0][0] == "The file lacks how many rounds there are."
    desk.browser("organiser").post(bundle_url(), {"wish": "answer", **facts})
    work_off()
    assert states() == ["ready", "ready"]

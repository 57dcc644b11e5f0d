"""Archives of the site can be imported as a folder, as a ZIP and by upload."""

import io
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from standings.archive.builder import write_zip
from tests.archives import ORIGIN, fewer_pages, unpacked
from tests.cast import create_desk, create_player_event, create_team_event
from tests.tournaments.interchange.formats import samples
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.sources import only_file_of
from tournaments.interchange.public import public_document
from tournaments.models import Competitor, Event
from tournaments.operations.revision import present
from tournaments.stored import load

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _few_pages() -> Iterator[None]:
    with fewer_pages():
        yield


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    event = create_team_event()
    Competitor.objects.filter(event=event, number=1).update(born="1990-05-04")
    file = tmp_path / "two-teams.zip"
    write_zip(present(event.pk), ORIGIN, file)
    return file


def imported(*paths: Path) -> str:
    """Return the output of the command; raise CommandError if a file has an error."""
    out, err = io.StringIO(), io.StringIO()
    call_command("import_event", *map(str, paths), stdout=out, stderr=err)
    assert "error" not in err.getvalue()
    return out.getvalue()


def test_importing_the_zip_over_its_event_changes_no_data(zipped: Path) -> None:
    assert "two-teams: 0 changes" in imported(zipped)
    assert load("two-teams").competitors[0].born == "1990-05-04"


def test_the_zip_fills_another_site(zipped: Path) -> None:
    told = write(public_document(Event.objects.get()))
    Event.objects.all().delete()

    imported(zipped)
    assert write(load("two-teams")) == told


def test_folders_of_an_event_and_of_the_site_are_imported(tmp_path: Path, zipped: Path) -> None:
    create_player_event()
    Event.objects.update(state=Event.State.FINAL)
    call_command("publish_archive", out=tmp_path / "site", everything=True, stdout=io.StringIO())
    Event.objects.all().delete()

    imported(unpacked(zipped.read_bytes(), tmp_path / "alone"))
    assert [each.slug for each in Event.objects.all()] == ["two-teams"]
    assert "2 files: " in imported(tmp_path / "site")
    assert {each.slug for each in Event.objects.all()} == {"two-teams", "two-players"}


def test_other_files_of_an_archive_are_imported_too(zipped: Path, tmp_path: Path) -> None:
    folder = unpacked(zipped.read_bytes(), tmp_path / "alone")
    more = samples.players()
    (folder / "more").mkdir()
    (folder / "more" / "four.json").write_text(samples.text(more))
    (folder / "notes.csv").write_text("Round;White;Black;Result\n")

    with pytest.raises(CommandError, match="1 of 3 files had errors"):
        imported(folder)
    assert {each.slug for each in Event.objects.all()} == {"two-teams", "four-players"}


def test_folder_without_checksums_is_not_an_archive(zipped: Path, tmp_path: Path) -> None:
    folder = unpacked(zipped.read_bytes(), tmp_path / "alone")
    (folder / "SHA256SUMS").unlink()
    with pytest.raises(CommandError, match=r"of \d+ files had errors"):
        imported(folder)


def test_standings_of_an_archive_and_of_its_folder(zipped: Path, tmp_path: Path) -> None:
    folder = unpacked(zipped.read_bytes(), tmp_path / "alone")
    for path in (zipped, folder):
        out = io.StringIO()
        call_command("standings", str(path), stdout=out)
        assert "Greens" in out.getvalue()


def test_over_the_web(zipped: Path) -> None:
    content = zipped.read_bytes()
    Event.objects.all().delete()
    desk = create_desk()
    desk.event.delete()
    data = {"text": "", "file": SimpleUploadedFile("two-teams.zip", content)}
    preview = desk.browser("organiser").post(reverse("admin:import"), data, follow=True)

    assert preview.context["upload"].name == "two-teams.json"
    assert preview.context["document"].event.slug == "two-teams"
    assert preview.context["is_new"]


def test_an_archive_of_several_files_is_not_chosen_from() -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("a.json", samples.text(samples.players()))
        archive.writestr("b.json", samples.text(samples.teams()))
    _, _, problem = only_file_of(packed.getvalue())

    assert problem is not None
    assert (problem.code, "2 files" in problem.message) == ("not-one-file", True)
    assert only_file_of(b"PK\x03\x04")[2] is not None

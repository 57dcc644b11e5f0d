"""Rating lists at the desk: upload, import by the worker, and lookup of names."""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from standings.management.commands.work import work_off
from tests import ratinglists
from tests.cast import Desk
from tests.desk.test_imports import shown
from tests.ratinglists import imported
from tournaments.admin.ratinglists import KEY
from tournaments.interchange.ratinglists.folder import folder, lists
from tournaments.operations import jobs

ADDRESS = "/admin/rating-lists/"


@pytest.fixture
def file(tmp_path: Path) -> SimpleUploadedFile:
    """A rating list with an invalid row."""
    path = ratinglists.written(tmp_path / "players_list_foa.txt", "12")
    return SimpleUploadedFile(path.name, path.read_bytes())


@pytest.mark.django_db(transaction=True)
def test_worker_imports_an_uploaded_list(desk: Desk, file: SimpleUploadedFile) -> None:
    browser = desk.browser("organiser")
    sent = browser.post(ADDRESS, {"file": file, "source": "fide", "date": "2026-05-01"}, follow=True)
    assert "“players_list_foa.txt” waits" in shown(sent)
    assert sent["Refresh"] == f"3; url={ADDRESS}"

    file.seek(0)
    again = browser.post(ADDRESS, {"file": file, "source": "fide", "date": "2026-05-01"}, follow=True)
    assert "is being imported. Wait for its end." in shown(again)
    work_off()

    page = browser.get(ADDRESS)
    assert "FIDE 2026-05-01" in shown(page)
    assert "Line 9: The line is too short." in shown(page)
    assert "Refresh" not in page
    assert [(each.rows, each.bad, each.by) for each in lists()] == [(7, 1, desk.people["organiser"].username)]
    assert list((folder() / "incoming").iterdir()) == []


@pytest.mark.django_db(transaction=True)
def test_file_without_ratings_is_rejected_by_the_worker(desk: Desk, tmp_path: Path) -> None:
    imported(tmp_path)
    file = SimpleUploadedFile("letter.txt", b"Dear arbiter,\nhere it is\n")
    desk.browser("organiser").post(ADDRESS, {"file": file, "source": "fide"})
    work_off()

    page = shown(desk.browser("organiser").get(ADDRESS))
    assert "“letter.txt” was not imported: The heading names no columns of a rating list" in page
    assert len(lists()) == 1
    assert list((folder() / "incoming").iterdir()) == []


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"date": "soon"}, "“soon” is no day. Write 2018-10-06."),
        ({"file": ""}, "This field is required."),
        ({"source": "uscf"}, "Select a valid choice."),
    ],
)
def test_invalid_form_queues_no_job(
    desk: Desk, file: SimpleUploadedFile, given: dict[str, str], why: str
) -> None:
    sent = desk.browser("organiser").post(ADDRESS, {"file": file, "source": "fide"} | given)

    assert why in shown(sent)
    assert jobs.last_job(KEY) is None


def test_oversized_file_is_rejected(desk: Desk, file: SimpleUploadedFile, settings: Settings) -> None:
    settings.RATING_LIST_MOST_BYTES = 100
    sent = desk.browser("organiser").post(ADDRESS, {"file": file, "source": "fide"})

    assert "The file is larger than 0 MB." in shown(sent)
    assert not folder().exists()


def test_arbiter_cannot_import_lists(desk: Desk, file: SimpleUploadedFile) -> None:
    assert "A new list" not in shown(desk.browser("arbiter").get(ADDRESS))
    assert desk.browser("arbiter").post(ADDRESS, {"file": file, "source": "fide"}).status_code == 403


def test_lookup_returns_json_for_scripts(
    desk: Desk, tmp_path: Path, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    imported(tmp_path)
    browser, address = desk.browser("arbiter"), reverse("admin:rating-lookup")
    browser.get(address)
    with django_assert_num_queries(5):  # for the user; none for the list
        answer = browser.get(
            address, {"q": "carl", "source": "fide", "kind": "blitz"}, headers={"accept": "application/json"}
        )

    assert json.loads(answer.content) == {
        "list": "FIDE 2026-05-01",
        "players": [
            {
                "name": "Carlsen, Magnus", "title": "GM", "rating": 2881, "code": "NOR", "sex": "m",
                "born": "1990", "fide_id": 1503014, "is_inactive": False,
            }
        ],
    }  # fmt: skip


def test_lookup_has_a_page_without_javascript(desk: Desk, tmp_path: Path) -> None:
    address = reverse("admin:rating-lookup")
    assert "No list of this source is here." in shown(desk.browser("arbiter").get(address, {"q": "carl"}))
    imported(tmp_path)

    assert "Muller-Schmidt, Hanna" in shown(desk.browser("arbiter").get(address, {"q": "hanna"}))
    assert "No player with this name" in shown(desk.browser("arbiter").get(address, {"q": "<nobody>"}))
    assert "No list of this source" in shown(desk.browser("arbiter").get(address, {"source": "fmjd"}))

"""/readyz checks the free space."""

from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from config import views

pytestmark = pytest.mark.django_db

ENOUGH = 64 * 1024 * 1024


def answer_where_free(
    client: Client, monkeypatch: pytest.MonkeyPatch, free: dict[str, int]
) -> tuple[int, bytes]:
    """Return status and text of /readyz if these folders have so many free bytes."""
    monkeypatch.setattr(views, "_free_bytes", lambda folder: free.get(folder.name, ENOUGH))
    answer = client.get("/readyz")
    return answer.status_code, answer.content


@pytest.mark.parametrize(("free", "status"), [(ENOUGH, 200), (ENOUGH - 1, 503), (0, 503)])
def test_readyz_fails_if_the_disk_is_full(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, free: int, status: int
) -> None:
    settings.ARCHIVES = Path("/srv/zips")
    monkeypatch.setattr(views, "_free_bytes", lambda folder: free if folder.name == "zips" else ENOUGH)
    answer = client.get("/readyz")

    assert answer.status_code == status
    assert answer.content == (b"ok, no worker\n" if status == 200 else b"no room for the archives\n")


def test_readyz_checks_each_folder_that_the_site_writes_to(settings: Settings) -> None:
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
            "LOCATION": "/srv/kept",
        }
    }
    folders = dict(views._folders())

    assert folders["cache"] == Path("/srv/kept")
    assert folders["archives"] == settings.ARCHIVES
    assert ("database" in folders) is (connection.vendor == "sqlite")


def test_missing_folder_has_the_free_space_of_its_parent(tmp_path: Path) -> None:
    assert views._free_bytes(tmp_path / "not" / "there") == views._free_bytes(tmp_path) > 0

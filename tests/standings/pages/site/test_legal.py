"""Imprint and privacy: pages with the operator's texts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from standings.build import build
from standings.pages.site.legal import text_of
from tests.conftest import forget


@pytest.fixture
def texts(settings: Settings, tmp_path: Path) -> Iterator[Path]:
    settings.SITE_TEXTS = str(tmp_path)
    for cached in (text_of, build):
        cached.cache_clear()
    yield tmp_path
    for cached in (text_of, build):
        cached.cache_clear()
    forget()


@pytest.mark.django_db
def test_text_is_in_the_page_language_or_the_default(client: Client) -> None:
    assert "1 Main Street" in client.get("/imprint/").content.decode()
    assert '<a href="mailto:club@example.org">' in client.get("/imprint/").content.decode()
    assert "De vereniging" in client.get("/nl/imprint/").content.decode()
    assert "The club of the tests is responsible." in client.get("/nl/privacy/").content.decode()


@pytest.mark.django_db
def test_privacy_lists_stored_data_and_every_page_links_to_it(client: Client) -> None:
    page = client.get("/privacy/").content.decode()
    assert "deleted after 90 days" in page
    assert not client.get("/privacy/").cookies
    assert '<a href="/privacy/">Privacy</a>' in client.get("/").content.decode()


@pytest.mark.django_db
def test_without_a_text_there_is_no_page_or_link(client: Client, texts: Path) -> None:
    assert client.get("/imprint/").status_code == client.get("/privacy/").status_code == 404
    assert "imprint" not in client.get("/criteria/").content.decode()


@pytest.mark.django_db
def test_text_is_escaped(client: Client, texts: Path) -> None:
    (texts / "imprint.txt").write_text("<b>Ann</b>\n\nSecond", encoding="utf-8")
    page = client.get("/imprint/").content.decode()
    assert "<p>&lt;b&gt;Ann&lt;/b&gt;</p>" in page
    assert "/privacy/" not in page


def test_text_is_part_of_the_build_hash(texts: Path) -> None:
    before = build()
    build.cache_clear()
    (texts / "imprint.txt").write_text("Ann", encoding="utf-8")
    assert build() != before

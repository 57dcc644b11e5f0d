"""Size limits of nginx and of the application agree, so that the application refuses uploads itself."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.cast import Desk, create_desk
from tournaments.admin.imports.screens import MOST_SIGNS
from tournaments.interchange.formats.json.parsing import MOST_BYTES

NGINX = (Path(settings.BASE_DIR) / "deploy" / "nginx.conf").read_text()
UNITS = {"": 1, "k": 1024, "m": 1024**2}
MEGABYTE = 1024**2


def most_bytes_of(location: str) -> int:
    """Return nginx's body limit for a location, or the server's limit for ""."""
    begins = NGINX.index(f"location {location} {{") if location else NGINX.index("listen 443")
    found = re.search(r"client_max_body_size\s+(\d+)([km]?);", NGINX[begins:])
    assert found
    return int(found[1]) * UNITS[found[2]]


def test_largest_upload_passes_nginx_with_a_margin() -> None:
    for location in ("/admin/", "/api/write/"):
        assert most_bytes_of(location) >= settings.IMPORT_MOST_BYTES + 4 * MEGABYTE
    assert settings.IMPORT_MOST_BYTES >= MOST_BYTES


def test_largest_rating_list_passes_nginx() -> None:
    assert most_bytes_of("/admin/rating-lists/") >= settings.RATING_LIST_MOST_BYTES + 4 * MEGABYTE


def test_largest_file_to_validate_passes_nginx() -> None:
    assert most_bytes_of("~ ^(/[a-z]+)?/validate/$") >= MOST_BYTES + 64 * 1024


def test_bodies_of_readers_are_limited() -> None:
    assert most_bytes_of("") <= 64 * 1024


def test_longest_paste_passes_nginx_in_every_script() -> None:
    longest = 4  # bytes of a character in UTF-8
    assert longest * MOST_SIGNS + MEGABYTE <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert most_bytes_of("/admin/") >= settings.DATA_UPLOAD_MAX_MEMORY_SIZE


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/hall/line-up/token", ""),
        ("/admin/events/1/import/", "/admin/"),
        ("/api/write/events/open/file", "/api/write/"),
        ("/admin/rating-lists/", "/admin/rating-lists/"),
        ("/nl/validate/", "~ ^(/[a-z]+)?/validate/$"),
    ],
)
def test_nginx_names_the_limit_of_each_location(path: str, location: str) -> None:
    texts = NGINX[NGINX.index("map $uri $crosstable_largest {") :].partition("}\n")[0]
    default, *others = re.findall(r'^    (?:default|"~(.+?)") +"(\d+) (kB|MB)[^"]*";', texts, re.MULTILINE)
    found = next((each for each in others if re.search(each[0], path)), default)
    assert int(found[1]) * {"kB": 1024, "MB": MEGABYTE}[found[2]] == most_bytes_of(location)
    assert "This is larger than $crosstable_largest." in NGINX


@pytest.mark.parametrize("location", ["@too_many", "@too_large"])
def test_413_page_of_nginx_has_a_reason_and_is_not_cached(location: str) -> None:
    said = NGINX[NGINX.index(f"location {location} {{") :].partition("}\n")[0]
    assert "no-store always" in said
    assert re.search(r'return (429|413) "[A-Z].*\.\\n";', said)


@pytest.fixture
def desk(db: None) -> Desk:
    return create_desk()


@pytest.mark.parametrize("sign", ["a", "Ж", "漢", "𝌆"])
def test_form_refuses_a_paste_that_is_too_long(desk: Desk, sign: str) -> None:
    address = f"/admin/events/{desk.event.pk}/import/"
    answer = desk.browser("arbiter").post(address, {"text": sign * (MOST_SIGNS + 1)})

    assert answer.status_code == 200
    assert "1,000,000" in answer.content.decode() or "1000000" in answer.content.decode()


def test_form_with_a_thousand_games_is_accepted(desk: Desk) -> None:
    browser: Client = desk.browser("arbiter")
    address = f"/admin/events/{desk.event.pk}/rounds/1/results/"
    answer = browser.post(address, {f"result-{number}": "1-0" for number in range(6_000)})

    assert answer.status_code != 400

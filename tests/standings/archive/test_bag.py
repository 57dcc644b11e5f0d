"""An archive as a bag meets RFC 8493, and is imported like the archive."""

from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.cast import create_team_event
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

DOI = "10.5281/zenodo.1234567"


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    """Return the folder of the bag of a finished event with a DOI."""
    event = create_team_event()
    facts = {"state": "final", "start": "2026-05-01", "name": "Cup  of 100% Teams", "doi": DOI}
    Event.objects.filter(pk=event.pk).update(**facts, licence="CC-BY-4.0")
    publish(tmp_path)
    return tmp_path / "two-teams"


def publish(folder: Path) -> str:
    out = StringIO()
    address = ("--address", "https://testserver")
    call_command("publish_archive", "two-teams", "--bagit", "--out", str(folder), *address, stdout=out)
    return out.getvalue()


def manifest(path: Path) -> dict[str, str]:
    return {name: digits for digits, name in (line.split("  ") for line in path.read_text().splitlines())}


def test_every_file_has_its_checksum(bag: Path) -> None:
    payload, tags = manifest(bag / "manifest-sha256.txt"), manifest(bag / "tagmanifest-sha256.txt")
    data = {each.relative_to(bag).as_posix() for each in (bag / "data").rglob("*") if each.is_file()}
    assert payload.keys() == data
    assert {"data/index.html", "data/two-teams.json", "data/SHA256SUMS"} <= data
    assert tags.keys() == {"bagit.txt", "bag-info.txt", "manifest-sha256.txt"}
    for name, digits in (payload | tags).items():
        assert sha256((bag / name).read_bytes()).hexdigest() == digits


def test_bag_info_describes_the_event(bag: Path) -> None:
    assert (bag / "bagit.txt").read_text() == "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
    info = dict(line.split(": ", 1) for line in (bag / "bag-info.txt").read_text().splitlines())
    files = [each for each in (bag / "data").rglob("*") if each.is_file()]
    assert info["Payload-Oxum"] == f"{sum(each.stat().st_size for each in files)}.{len(files)}"
    assert info["External-Identifier"] == f"https://doi.org/{DOI}"
    assert info["External-Description"].startswith("Cup of 100% Teams. ")
    assert "Bagging-Date" not in info
    assert info["Internal-Sender-Description"].endswith("/events/two-teams/")
    assert info["Licence"] == "CC BY 4.0 https://creativecommons.org/licenses/by/4.0/"


def test_made_again_it_is_the_same(bag: Path) -> None:
    assert "0 changed" in publish(bag.parent)


def test_it_is_imported_as_the_archive_in_it(bag: Path) -> None:
    out = StringIO()
    call_command("import_event", str(bag), stdout=out)
    assert "\ntwo-teams: 0 changes\n" in out.getvalue()


def test_a_site_is_no_bag(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--bagit"):
        call_command("publish_archive", "--all", "--bagit", "--out", str(tmp_path))

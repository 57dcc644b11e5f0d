"""Private particulars are removed from public files, and importing such a file does not erase them."""

from unittest.mock import patch

from tests.tournaments.interchange.formats import samples
from tournaments.event.document import Document
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.imports.differences import with_private_kept
from tournaments.interchange.public import PRIVATE_PARTICULARS, public


def teams(club: str, born: str) -> Document:
    """Return three teams. The first team and its first player have this club and birth."""
    data = samples.teams()
    team = data["competitors"][0]
    for entry in (team, team["players"][0]):
        entry |= {"club": club, "born": born}
    return samples.document(data)


@patch.dict(PRIVATE_PARTICULARS, {"club": lambda _: ""})
def test_import_of_the_public_file_keeps_private_values() -> None:
    stored = teams("Red Rooks", "1990-05-04")
    assert public(stored).competitors == teams("", "1990").competitors
    assert with_private_kept(stored, public(stored)).competitors == stored.competitors


def test_fixed_tables_are_only_in_the_complete_file() -> None:
    data = samples.teams()
    data["competitors"][0]["fixed_table"] = 3
    stored = samples.document(data)
    assert '"fixed_table":3' in write(stored).replace(" ", "")
    assert "fixed_table" not in write(public(stored))
    assert with_private_kept(stored, public(stored)).competitors == stored.competitors


@patch.dict(PRIVATE_PARTICULARS, {"club": lambda _: ""})
def test_other_private_values_are_imported() -> None:
    proposed = teams("Blue Rooks", "1991")
    assert with_private_kept(teams("Red Rooks", "1990-05-04"), proposed) == proposed

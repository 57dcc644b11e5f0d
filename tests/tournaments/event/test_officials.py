"""Format and parse officials, also in reports."""

import pytest

from tests.tournaments.interchange.formats.trf.reports import PLAYERS, document_of
from tournaments.event.document import Official
from tournaments.event.officials import OfficialError, official_text, read_official, signed
from tournaments.interchange.formats.json import reader, writer

CHIEF = Official(role="chief", title="IA", name="Jansen, Piet", fide_id=1234567)


@pytest.mark.parametrize(
    "text",
    [
        "chief: IA Jansen, Piet (1234567)",
        " Chief:  IA Jansen,  Piet (FIDE 1234567) ",
        "chief: IA Jansen, Piet (FIDE id: 1234567)",
    ],
)
def test_an_official_is_read_as_it_is_written(text: str) -> None:
    assert read_official(text) == CHIEF
    assert official_text(CHIEF) == "chief: IA Jansen, Piet (1234567)"


def test_name_that_begins_like_a_title_and_name_without_title_or_id() -> None:
    assert read_official("organiser: IA") == Official(role="organiser", title="", name="IA", fide_id=None)
    assert read_official("arbiter: Club (Gent)")["name"] == "Club (Gent)"
    assert signed("chief", "   ") is None


@pytest.mark.parametrize(
    "text", ["", "Jansen, Piet", "boss: Jansen", "chief:", "chief: (123)", f"chief: {'x' * 121}"]
)
def test_invalid_official_is_refused(text: str) -> None:
    with pytest.raises(OfficialError, match="is not an official"):
        read_official(text)


def test_an_official_without_a_fide_id_comes_back_without_one() -> None:
    document = document_of(PLAYERS + "112 FA Bea Deputy (200017)\n")
    assert [each["fide_id"] for each in document.event.officials] == [None, 200017]

    again = reader.read(writer.write(document)).document
    assert again is not None
    assert again.event.officials == document.event.officials

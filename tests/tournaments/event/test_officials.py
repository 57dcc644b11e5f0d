"""Officials in reports."""

import pytest

from tests.tournaments.interchange.formats.trf.reports import PLAYERS, document_of
from tournaments.event.document import Official
from tournaments.event.officials import signature, signed
from tournaments.interchange.formats.json import reader, writer

CHIEF = Official(role="chief", title="IA", name="Jansen, Piet", fide_id=1234567)


@pytest.mark.parametrize(
    "text",
    ["IA Jansen, Piet (1234567)", "IA Jansen,  Piet (FIDE 1234567) ", "IA Jansen, Piet (FIDE id: 1234567)"],
)
def test_notations_of_an_official(text: str) -> None:
    assert signed("chief", text) == CHIEF
    assert signature(CHIEF) == "IA Jansen, Piet (1234567)"


def test_name_that_begins_like_a_title_and_name_without_title_or_id() -> None:
    assert signed("organiser", "IA") == Official(role="organiser", title="", name="IA", fide_id=None)
    club = signed("arbiter", "Club (Gent)")
    assert club is not None
    assert club["name"] == "Club (Gent)"


@pytest.mark.parametrize("text", ["   ", "(123)", "x" * 121])
def test_text_without_a_name_is_no_official(text: str) -> None:
    assert signed("chief", text) is None


def test_an_official_without_a_fide_id_comes_back_without_one() -> None:
    document = document_of(PLAYERS + "112 FA Bea Deputy (200017)\n")
    assert [each["fide_id"] for each in document.event.officials] == [None, 200017]

    again = reader.read(writer.write(document)).document
    assert again is not None
    assert again.event.officials == document.event.officials

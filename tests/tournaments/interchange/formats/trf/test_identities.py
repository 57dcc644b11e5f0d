"""Personal data in the columns of a player's record, as fields of the event and as published."""

import pytest

from tests.tournaments.interchange.formats.trf.reports import PLAYERS, TEAMS, document_of, found, reading_of
from tournaments.event.document import Document
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.interchange.public import public

NATIONAL = "BEL    1      Ash, Ann                          2310 BEL       12345 1990/01/02\n"


def born(document: Document) -> list[str]:
    """Return the births of the competitors, or of the players of teams."""
    people = [each for one in document.competitors for each in one.players] or document.competitors
    return [each.born for each in people]


def lines_of_players(text: str) -> list[str]:
    return [line for line in text.split("\r\n") if line.startswith("001")]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("28.7.05   ", "2005-07-28"), ("28. 07. 2005", "2005-07-28"), ("07/28/2005", "2005-07-28"),
        ("1990.01.02", "1990-01-02"), ("1991/00/00", "1991"), ("          ", ""), ("0000/00/00", ""),
        ("31.12.47  ", "1947-12-31"),
    ],
)  # fmt: skip
def test_birth_notations(written: str, said: str) -> None:
    report = PLAYERS.replace("200001 1990/01/02  2.5", f"200001 {written:12}2.5")
    reading = reading_of(report)
    assert reading.document is not None
    assert born(reading.document)[0] == said
    assert "points-differ" not in {each.code for each in reading.findings}


def test_two_digit_year_is_a_warning() -> None:
    assert ("line 14", "short-year") in found(PLAYERS.replace("1990/01/02", "28.7.05   "))


def test_ambiguous_birth_is_a_question() -> None:
    assert ("line 14", "ambiguous-date") in found(PLAYERS.replace("1990/01/02", "07/08/2005"))


@pytest.mark.parametrize("report", [PLAYERS, TEAMS])
def test_only_the_year_of_birth_is_public(report: str) -> None:
    document = document_of(report)
    told = public(document)

    assert "1990/01/02" in write_report(document)
    assert "1990-01-02" in write(document)
    for text in (write_report(told), write(told)):
        assert "1990/01/02" not in text
        assert "1990-01-02" not in text
    assert lines_of_players(write_report(told))[0][69:79] == "1990/00/00"

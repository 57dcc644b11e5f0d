"""Who somebody is: out of the columns of his record into the event's fields, and what of it is public."""

from dataclasses import replace

import pytest

from tests.tournaments.formats import samples
from tests.tournaments.formats.trf.reports import PLAYERS, TEAMS, document_of, found, reading_of
from tournaments.event.document import Document
from tournaments.formats.json.reader import read
from tournaments.formats.json.writer import write
from tournaments.formats.trf.identities import public_line
from tournaments.formats.trf.writing import write_report
from tournaments.imports.applying import apply
from tournaments.imports.proposal import propose
from tournaments.public import public

NATIONAL = "BEL    1      Ash, Ann                          2310 BEL       12345 1990/01/02\n"


def born(document: Document) -> list[str]:
    """The births of the competitors, or of the players of teams."""
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
def test_a_birth_however_it_is_written(written: str, said: str) -> None:
    report = PLAYERS.replace("200001 1990/01/02  2.5", f"200001 {written:12}2.5")
    reading = reading_of(report)
    assert reading.document is not None
    assert born(reading.document)[0] == said
    assert "points-differ" not in {each.code for each in reading.findings}


def test_two_figures_for_a_year_are_said() -> None:
    assert ("line 14", "short-year") in found(PLAYERS.replace("1990/01/02", "28.7.05   "))


def test_a_birth_that_may_be_two_days_is_asked_about() -> None:
    assert ("line 14", "ambiguous-date") in found(PLAYERS.replace("1990/01/02", "07/08/2005"))


@pytest.mark.parametrize("report", [PLAYERS, TEAMS])
def test_the_public_is_told_the_year(report: str) -> None:
    document = document_of(report)
    told = public(document)

    assert "1990/01/02" in write_report(document)
    assert "1990-01-02" in write(document)
    for text in (write_report(told), write(told)):
        assert "1990/01/02" not in text
        assert "1990-01-02" not in text
    assert lines_of_players(write_report(told))[0][69:79] == "1990/00/00"


def test_no_kept_line_says_a_day_of_birth() -> None:
    document = document_of(PLAYERS + NATIONAL)

    assert NATIONAL.strip() in document.event.trf
    told = public(document)
    assert NATIONAL.strip().replace("1990/01/02", "1990/00/00") in told.event.trf
    assert "1990/01/02" not in write_report(told)
    assert write_report(told).count("1990/00/00") == 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("### born 1990/01/02", "### born 1990/01/02"),
        ("XXC white1", "XXC white1"),
        ("001    1                                                             02.01.1990",
         "001    1                                                             1990/00/00"),
        ("001    1                                                             someday",
         "001    1"),
    ],
)  # fmt: skip
def test_of_a_kept_line_the_year_is_public(line: str, told: str) -> None:
    assert public_line(line) == told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("### Ash, 1990/01/02", "### Ash, 1990"),
        ("### Ash, 2.1.1990!", "### Ash, 1990!"),
        ("### Ash, 01/02/1990, made 1990/01/03", "### Ash, 1990, made 1990/01/03"),
        ("bel    1 born 1990-01-02", "bel    1 born 1990"),
        ("BEL    1 Ash 19900102", "BEL    1 Ash 1990"),
    ],
)
def test_no_kept_line_says_a_day_that_the_event_knows(line: str, told: str) -> None:
    assert public_line(line, {"1990-01-02", "1980"}) == told

    document = document_of(PLAYERS + line + "\n")
    assert line in document.event.trf
    assert told in public(document).event.trf


class TestEventFilesOfBefore:
    """They hold what reports said of people in kept lines."""

    LINE = "001 {:4d} w                                               {:>11} {:10}"

    def test_players(self) -> None:
        data = samples.players()
        data["competitors"][1]["born"] = "1980"
        data["event"]["trf"] = [self.LINE.format(1, 77, "1990/01/02"), self.LINE.format(2, "", "1999/01/02")]
        document = samples.document(data)

        ann, bea = document.competitors[:2]
        assert (ann.sex, ann.born, ann.fide_id) == ("w", "1990-01-02", 77)
        assert (bea.sex, bea.born) == ("w", "1980")
        assert document.event.trf == ()

    def test_players_of_teams_by_their_start_numbers(self) -> None:
        document = document_of(TEAMS)
        without = replace(
            document,
            competitors=tuple(
                replace(team, players=tuple(replace(each, sex="", born="") for each in team.players))
                for team in document.competitors
            ),
            event=replace(document.event, trf=(*document.event.trf, self.LINE.format(3, "", "1990/01/02"))),
        )
        again = read(write(without)).document

        assert again is not None
        assert born(again) == ["", "", "1990-01-02", "", "", ""]
        assert again.event.trf == document.event.trf

    def test_what_no_field_takes_stays(self) -> None:
        data = samples.players()
        data["event"]["trf"] = [self.LINE.format(1, "NED-17", "1990/01/02")]
        document = samples.document(data)

        assert document.event.trf == ("001    1" + "NED-17".rjust(60),)
        assert document.competitors[0].born == "1990-01-02"


@pytest.mark.django_db
@pytest.mark.parametrize("report", [PLAYERS, TEAMS, PLAYERS + "### Ash, 1990/01/02\n", PLAYERS + NATIONAL])
def test_a_public_file_takes_no_day_away(report: str) -> None:
    document = document_of(report)
    apply(propose(document))

    again = propose(public(document))
    assert again.differences.is_empty
    assert "1990-01-02" in born(again.document)

    other = write(public(document)).replace('"born": "1990"', '"born": "1989"')
    corrected = read(other).document
    assert corrected is not None
    assert "1989" in born(propose(corrected).document)

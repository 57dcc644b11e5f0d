"""Facts chosen for a file of any format, which its content decides."""

from typing import Any

import pytest

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.trf.reports import PLAYERS
from tournaments.interchange.formats.file_formats import read
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.outline import outline_of
from tournaments.interchange.formats.trf.writing import write_records

TABLE = "Harbour Open\nNo;Name;R1\n1;Ann;2w1\n2;Bea;1b0\n"
PAGE = "<table><tr><th>No<th>Name<th>R1<tr><td>1<td>Ann<td>2w1<tr><td>2<td>Bea<td>1b0</table>"
NEEDED = {"start?": "1998", "discipline?": "chess", "schedule?": "swiss", "rounds?": "1"}


def event_file() -> str:
    return samples.text(samples.players())


def report() -> str:
    """Return a report without our comments."""
    return write_records(samples.document(samples.players()))


def chosen(text: str, file: str = "file", **facts: str) -> Reading:
    """Read a file with chosen facts; `place_` is a default of the place."""
    values = {key.replace("_", "?"): value for key, value in facts.items()}
    return read(file, text.encode(), facts=outline_of(NEEDED | values, "the manifest"))


def replaced(reading: Reading) -> list[tuple[str, str]]:
    return [(each.where, each.message) for each in reading.findings if each.code == "fact-replaced"]


@pytest.mark.parametrize(
    ("text", "name"), [(event_file(), "Four Players"), (report(), "Four Players"), (TABLE, "Harbour Open")]
)
def test_chosen_fact_replaces_that_of_the_file_and_is_reported(text: str, name: str) -> None:
    reading = chosen(text, name="Quay Cup", series="Quay", licence="CC0-1.0", place_="Delft")
    assert reading.accepted, reading.findings
    event = reading.accepted.event
    assert (event.name, event.series, event.licence) == ("Quay Cup", "Quay", "CC0-1.0")
    assert (event.place, event.start) == ("Delft", "1998")
    assert replaced(reading) == [("name", f"“Quay Cup” replaces “{name}” of the file, as chosen.")]


@pytest.mark.parametrize(("text", "name"), [(event_file(), "Four Players"), (TABLE, "Harbour Open")])
def test_default_does_not_replace_a_fact_of_the_file(text: str, name: str) -> None:
    reading = chosen(text, name_="Quay Cup")
    assert reading.accepted
    assert reading.accepted.event.name == name
    assert not replaced(reading)


@pytest.mark.parametrize(
    ("facts", "rules"),
    [
        ({}, ("swiss", "chess", "fide-swiss", "fide-2024")),
        ({"start": "1998-07-11"}, ("swiss", "chess", "fide-swiss", "fide-2009")),
        ({"schedule_": "round-robin"}, ("round-robin", "chess", "fide-round-robin", "fide-2024")),
        ({"discipline_": "draughts-100"}, ("swiss", "draughts-100", "fmjd-swiss", "")),
        (
            {"discipline": "draughts-100", "system": "fide-swiss"},
            ("swiss", "draughts-100", "fide-swiss", "fide-2024"),
        ),
    ],
)
def test_proposals_for_a_report_follow_from_its_chosen_facts(facts: dict[str, str], rules: Any) -> None:
    values = {key.replace("_", "?"): value for key, value in facts.items()}
    text = "".join(
        line
        for line in PLAYERS.replace("2026/", "2024/").splitlines(True)
        if not line.startswith(("092", "012"))
    )
    reading = read("file.trf", text.encode(), facts=outline_of({"name?": "Quay Cup", **values}, "the form"))
    assert reading.accepted, reading.findings
    event = reading.accepted.event
    assert (event.schedule, event.discipline, event.system, event.unplayed) == rules
    assert event.name == "Quay Cup"
    (proposed,) = [each.message for each in reading.findings if each.code == "proposed-rules"]
    assert event.unplayed in proposed
    assert event.start in proposed or not event.unplayed
    assert [each for each, _text in replaced(reading)] == ["start"] * ("start" in facts)


def test_invalid_start_of_a_report_is_an_error() -> None:
    reading = chosen(PLAYERS, start="soon")
    assert reading.accepted is None
    assert any("start" in each.where for each in reading.errors)


@pytest.mark.parametrize("text", [event_file(), report()])
def test_entrants_that_contradict_the_file_are_an_error(text: str) -> None:
    reading = chosen(text, entrants="teams", boards="4")
    assert "bad-fact" in [each.code for each in reading.errors]


@pytest.mark.parametrize("text", [event_file(), report()])
def test_fact_that_only_tables_use_is_reported(text: str) -> None:
    reading = chosen(text, results="unknown", published="Daily News")
    unused = [each.where for each in reading.findings if each.code == "fact-not-used"]
    assert (unused, bool(reading.accepted)) == (["results", "published"], True)


def test_chosen_fact_replaces_that_of_the_stored_event() -> None:
    stored = samples.document(samples.players())
    facts = outline_of({"name": "Quay Cup", "slug": stored.event.slug}, "the manifest")
    reading = read("file.trf", report().encode(), lambda _slug: stored, facts=facts)
    assert replaced(reading) == [("name", "“Quay Cup” replaces “Four Players” of the event, as chosen.")]


def test_scoring_of_an_event_file_is_replaced() -> None:
    reading = chosen(event_file(), scoring="1-½-0")
    assert reading.document
    assert reading.document.event.game_win == 2  # half-points
    assert ("scoring", "“game 1-0.5-0” replaces “game 2-1-0” of the file, as chosen.") in replaced(reading)


@pytest.mark.parametrize(
    ("facts", "where"),
    [({"rounds": "x"}, "rounds"), ({"end": "1901"}, "event.end"), ({"country": "XXXX"}, "event.country")],
)
def test_fact_that_contradicts_an_event_file_is_an_error(facts: dict[str, str], where: str) -> None:
    reading = chosen(event_file(), **facts)
    assert reading.accepted is None
    assert any(where in each.where for each in reading.errors)


def test_file_named_after_a_year_is_an_edition_of_the_series() -> None:
    reading = chosen(TABLE.partition("\n")[2], "years/1998.csv", series_="Harbour Cup")
    event = reading.document and reading.document.event
    assert event
    assert (event.name, event.slug) == ("Harbour Cup 1998", "harbour-cup-1998")


@pytest.mark.parametrize("text", [event_file(), report(), TABLE, PAGE])
@pytest.mark.parametrize("ending", [".dat", ".txt", ".xls", ".csv", ".json", ".trf", ""])
def test_content_decides_the_format(text: str, ending: str) -> None:
    assert chosen(text, f"file{ending}").errors == ()

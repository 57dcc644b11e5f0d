"""The chess-results crosstable: its heading, its cells, and that our importer can read it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given

from standings.downloads.crosstables import table_csv, table_rows
from standings.downloads.views import FORMATS
from tests.cast import create_team_event
from tests.demo import record
from tests.tournaments.interchange.formats.fuzzing import long_enough
from tests.tournaments.interchange.formats.generated import documents
from tournaments.event.choices import Kind
from tournaments.event.document import Document, PairingEntry
from tournaments.event.judging import judge_document
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions
from tournaments.interchange.formats.tables.reading import read_tables
from tournaments.models import Competitor, Event
from tournaments.stored import load

CSV, XLSX = (next(each for each in FORMATS if each.ending == f"crosstable.{end}") for end in ("csv", "xlsx"))
CHOSEN = ReadingOptions(layout="chess-results")


def read_again(
    base: Document, content: str | bytes, name: str, options: ReadingOptions = AS_FOUND
) -> Reading:
    """Import a table into the event without results."""
    raw = content if isinstance(content, bytes) else content.encode()
    recognised = read_by_layout(LayoutFile(name, raw, options))
    unplayed = replace(base, rounds=tuple(replace(each, pairings=()) for each in base.rounds))
    assert recognised.recognition.layout
    assert recognised.recognition.layout.code == "chess-results"
    return read_tables(unplayed, recognised.reading.tables, games=recognised.reading.games)


Played = set[tuple[Any, ...]]


def played(document: Document) -> Played:
    """Return the results by round as far as cells show them: without tables, boards and notes.

    Only the kind of byes: unusual points are in the total, as in the source.
    """
    return {
        (number, each.first, each.second, kind_of(each))
        + (() if each.second is None else (each.first_score, each.second_score))
        for number, each in document.pairings()
    }


def kind_of(pairing: PairingEntry) -> str:
    """Return the kind. `-0` and `0` are the same when imported: not paired."""
    return "absent" if pairing.kind == Kind.ZERO_BYE else pairing.kind


@pytest.mark.django_db
def test_the_table_of_teams() -> None:
    event = create_team_event()
    Competitor.objects.filter(event=event, number=1).update(code="RED")
    text = CSV.public(event)
    assert isinstance(text, str)
    lines = text.removeprefix("\ufeff").splitlines()
    assert lines == [
        "Cup of Teams" + 8 * ";",
        "Tournament type : Swiss-System" + 8 * ";",
        "Number of rounds : 2" + 8 * ";",
        "After round 1." + 8 * ";",
        "Rk.;SNo;Team;FED;1.Rd;2.Rd;Pts.;TB1;TB2",
        "1;3;Greens;;BYE;;2;0;0",
        "2;1;Reds;RED;3w1½;;2;0;0",
        "3;2;Blues;;2b½;;0;0;0",
        "# TB1: Deducted Sonneborn-Berger (dsb)" + 8 * ";",
        "# TB2: Deducted sum of match points (dsmp)" + 8 * ";",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["2022-ouagadougou-open", "1948-world-championship", "olympiad-2018-open"])
def test_a_real_event_is_read_again_as_it_was(slug: str) -> None:
    record(slug)
    base = load(slug)
    for form in (CSV, XLSX):
        read = read_again(base, form.public(Event.objects.get(slug=slug)), f"{slug}.{form.ending}")
        assert read.accepted, read.findings[:5]
        assert played(read.accepted) == played(base)


@long_enough
@given(documents())
def test_any_event_is_read_again_as_it_was(drawn: Document) -> None:
    # Generated names are covered by the tests of tables, and identical names cannot be matched.
    competitors = tuple(replace(each, name=f"Player {each.number}") for each in drawn.competitors)
    base = replace(drawn, competitors=competitors)
    # Without a game, the table is no cross table.
    assume(any(each.kind == Kind.PLAYED for _number, each in base.pairings()))
    text = table_csv(list(table_rows(base, judge_document(base))))
    read = read_again(base, text, "x.csv", CHOSEN)
    assert read.accepted, (text, read.findings[:5])
    assert played(read.accepted) == played(base)


def test_round_without_games_is_a_round() -> None:
    text = "Rk.;SNo;Name;1.Rd;2.Rd;Pts.\n1;1;Ann;0;2b1;1\n2;2;Bea;0;1w0;0\n"
    read = read_by_layout(LayoutFile("x.csv", text.encode(), CHOSEN)).reading
    assert [each.role for each in read.mappings] == ["crosstable"]

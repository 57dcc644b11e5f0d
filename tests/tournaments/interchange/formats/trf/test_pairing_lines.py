"""The pairing of an event in records 152, 250, 260, 192, XXC and XXP, read and written."""

from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats.trf.reports import PLAYERS, document_of
from tournaments.event.document import Document, EventEntry
from tournaments.event.pairingsettings import (
    forbidden_group,
    forbidden_in,
    last_accelerated,
    phases,
    virtual_points,
)
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import write_report

WITHOUT = "".join(line for line in PLAYERS.splitlines(keepends=True) if not line.startswith("XXC"))


def read_of(*lines: str) -> EventEntry:
    """Return the event of a report of players with further lines."""
    return document_of(WITHOUT + "".join(f"{line}\n" for line in lines)).event


def again(document: Document) -> Document:
    """Return the document after writing and reading."""
    found = read_report(write_report(document).encode(), "x").document
    assert found
    return found


@pytest.mark.parametrize(
    ("lines", "colour", "preserved"),
    [
        (["152 B"], "black", ()),
        (["XXC white1"], "white", ()),
        (["XXC rank black1"], "black", ("XXC rank black1",)),
        (["152 B", "XXC white1"], "black", ()),
        (["152 ?"], "", ("152 ?",)),
    ],
)
def test_initial_colour(lines: list[str], colour: str, preserved: tuple[str, ...]) -> None:
    event = read_of(*lines)
    assert event.initial_colour == colour
    assert [line for line in event.trf if line[:3] in {"152", "XXC"}] == [*preserved]


def test_forbidden_pairs_of_both_records_are_combined() -> None:
    event = read_of("260   1   2    1    3", "XXP 2 3", "260   1   9    2    3", "260   1   1    2   99")
    last = event.planned_rounds
    assert event.forbidden_pairs[0] == forbidden_group([1, 3], 0, 0 if last == 2 else 2)
    assert forbidden_group([2, 3]) in event.forbidden_pairs
    assert "260   1   1    2   99" in event.trf


def test_pairing_data_is_restored_and_written_unchanged() -> None:
    document = document_of(WITHOUT)
    event = replace(
        document.event,
        planned_rounds=9,
        initial_colour="black",
        acceleration="baku",
        accelerated_to=2,
        forbidden_pairs=(forbidden_group([1, 3]), forbidden_group([2, 3], 2, 4)),
        start_order="lots",
        start_seed="7",
        officials=(),
    )
    document = replace(document, event=event)
    text = write_report(document)
    assert {line for line in text.splitlines() if line[:3] in {"152", "250", "260", "XXC", "XXP"}} == {
        "152 B",
        "250       1.0   1   3    1    2",
        "250       0.5   4   5    1    2",
        "XXC black1",
        "XXP 1 3",
        "260   1   9    1    3",
        "260   2   4    2    3",
    }
    assert again(document).event == event
    records = "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("###"))
    assert replace(document_of(records).event, slug=event.slug).forbidden_pairs == event.forbidden_pairs
    assert (document_of(records).event.acceleration, document_of(records).event.accelerated_to) == ("baku", 2)


def test_older_comment_preserves_the_records() -> None:
    """It was written before the event had these fields, and its checksum is valid."""
    document = document_of(WITHOUT)
    text = write_report(document).replace("XXR", "152 B\r\n260   1   1    1    3\r\nXXR")
    found = read_report(text.encode(), "x")
    assert found.document
    assert found.document.event.initial_colour == "black"
    assert found.document.event.forbidden_pairs
    assert not [each for each in found.findings if each.code == "outdated-comment"]


def test_other_acceleration_is_a_preserved_line() -> None:
    event = read_of("250       2.0   1   2    1    2")
    assert (event.acceleration, event.accelerated_to) == ("", None)
    assert "250       2.0   1   2    1    2" in event.trf


class TestBaku:
    """FIDE C.04.7, 1.2 to 1.4."""

    def test_half_of_the_rounds_in_two_phases(self) -> None:
        assert [(each.points, each.first, each.last) for each in phases(9, 2)] == [(2, 1, 3), (1, 4, 5)]
        assert [(each.points, each.first, each.last) for each in phases(11, 4)] == [(4, 1, 3), (2, 4, 6)]
        assert [(each.points, each.first, each.last) for each in phases(2, 2)] == [(2, 1, 1)]

    @pytest.mark.parametrize(
        ("players", "last"), [(160, 80), (161, 82), (162, 82), (3, 2), (1, 1), (0, None)]
    )
    def test_half_of_the_players_rounded_up_to_an_even_number(self, players: int, last: int | None) -> None:
        assert last_accelerated(range(1, players + 1)) == last

    def test_virtual_points(self) -> None:
        assert [virtual_points(2, number, 9, 2, 2) for number in range(1, 7)] == [2, 2, 2, 1, 1, 0]
        assert virtual_points(3, 1, 9, 2, 2) == virtual_points(2, 1, 9, 2, None) == 0


def test_rounds_of_forbidden_pairs() -> None:
    assert forbidden_in([forbidden_group([3, 5], 2), forbidden_group([1, 2])], 1) == {frozenset({1, 2})}
    assert forbidden_in([forbidden_group([3, 5], 2), forbidden_group([1, 2], 0, 2)], 3) == {frozenset({3, 5})}

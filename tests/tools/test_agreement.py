"""Random tournaments agree with gacrux, and the table of docs/fide.md is parsed."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.cast import create_account
from tests.proposals import create_open, play_round, propose, py4swiss_command
from tools.agreement.differences import Difference, cells_of, differences_of, known, rows_of
from tools.agreement.drawn import CHUNK, Lot, compare_chunk
from tools.agreement.ours import printed
from tools.agreement.pairings import DrawnOpen, are_colours_by_number, repaired
from tools.agreement.tables import NOTHING, line_of
from tools.agreement.tables import known as known_tables
from tools.agreement.tables import row_of as row_of_table
from tournaments.event.checks import check_document
from tournaments.event.finding import errors
from tournaments.interchange.formats.layouts.program_crosstables import TOERNOOIBASE
from tournaments.pairing.engine import PairingTask, ProposedPair
from tournaments.pairing.history import PlayHistory

DRAWN, FEW = 200, 60
"""Number of tournaments in the exhaustive run and in the normal run, which covers every kind of round."""

ONE = Difference("open.trf", "fide-2026", "BH/C1", 7, "12.5", "12")
NONE = Difference("open.trf", "fide-2026", "BH/C1", 9, "–", "1")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "first",
    [
        *range(0, FEW, CHUNK),
        *(pytest.param(each, marks=pytest.mark.exhaustive) for each in range(FEW, DRAWN, CHUNK)),
    ],
)
def test_gacrux_computes_the_same_values_for_random_tournaments(first: int) -> None:
    comparison = compare_chunk(range(first, first + CHUNK))

    assert comparison.different == []
    assert comparison.given_up == []
    assert comparison.values > 1000


def kinds(numbers: range) -> Iterator[str]:
    for number in numbers:
        for _, pairing in Lot(number).document().pairings():
            yield pairing.kind
            yield from (f"board {game.kind}" for game in pairing.games)
            yield from [f"noted {pairing.kind}"] if pairing.note else []


def test_random_tournaments_have_every_kind_of_round() -> None:
    assert set(kinds(range(40))) == {
        *("played", "forfeit", "bye", "half-bye", "zero-bye"),
        *("noted played", "noted bye", "board played", "board forfeit"),
    }


def test_random_tournaments_are_valid_and_reproducible() -> None:
    for number in range(16):
        document = Lot(number).document()
        assert not errors(check_document(document))
        assert Lot(number).document() == document


def test_rows_of_the_document_round_trip() -> None:
    (row,) = rows_of([ONE, NONE])

    assert row == "| open.trf | fide-2026 | BH/C1 | 7: 12.5, 12; 9: –, 1 |  |  |"
    assert list(differences_of(cells_of(row))) == [ONE, NONE]


def test_every_known_difference_has_an_article_and_an_explanation() -> None:
    assert len(known()) > 200


@pytest.mark.parametrize(
    ("value", "like", "rounded", "text"),
    [
        (Fraction(25, 2), "12.0", False, "12.5"),
        (Fraction(25, 2), "12", False, "25/2"),
        (Fraction(317, 24), "13.20", True, "13.21"),
        (Fraction(1, 8), "0.12", True, "0.13"),
        (Fraction(7), None, False, "7"),
    ],
)
def test_values_are_printed_like_theirs_if_this_is_exact(
    value: Fraction, like: str | None, rounded: bool, text: str
) -> None:
    assert printed(value, like, rounded=rounded) == text


@pytest.mark.django_db
def test_deleted_rounds_are_paired_again_as_they_were() -> None:
    """A small version of `python -m tools.agreement.pairings`, which uses real opens."""
    by = create_account("anna")
    event = create_open(8)
    for number in (1, 2):
        propose(event, by, number)
        play_round(event, number)
    event.competitors.filter(number=8).update(withdrawn_after=2)
    found = list(repaired(event, by, last=2))

    assert [(each.round, each.is_same, len(each.played)) for each in found] == [(2, True, 4), (1, True, 4)]


@pytest.mark.django_db
@pytest.mark.exhaustive
def test_second_engine_of_older_rules_differs_by_named_rules_only(settings: Settings) -> None:
    """py4swiss follows the rules before 2026; in this open the floats and the bye differ."""
    settings.PAIRING_COMMAND = py4swiss_command()
    drawn = DrawnOpen(23, create_account("anna", is_superuser=True))

    assert list(drawn.differences()) == []
    assert drawn.counted["that differ by the floats (1.4.3)"] == 1
    assert drawn.counted["that differ by the bye (C9)"] == 1


@pytest.mark.django_db
def test_other_pairs_of_a_command_without_a_rule_are_a_difference(settings: Settings) -> None:
    settings.PAIRING_COMMAND = r"printf '1\n1 2\n'"
    drawn = DrawnOpen(0, create_account("anna", is_superuser=True))

    assert next(drawn.differences()).endswith("the command [(1, 2)]")


@pytest.mark.parametrize(
    ("points", "rule", "is_by_number"), [(3, "E.4", True), (1, "E.4", False), (3, "E.3", False)]
)
def test_colours_by_number_contradict_the_score(points: int, rule: str, is_by_number: bool) -> None:
    """Player 5 is paired as 6 and has the lower rank by number."""
    task = PairingTask("", 3, "dutch", start_numbers={"6": 5})
    ours = [ProposedPair(5, 1, rule=rule), ProposedPair(2, None)]
    histories = {5: PlayHistory(points=points), 1: PlayHistory(points=1), 2: PlayHistory()}

    assert are_colours_by_number(task, ours, {(1, 5), (2,)}, histories) is is_by_number
    assert not are_colours_by_number(task, ours, {(1, 2), (5,)}, histories)


def test_lines_of_real_tables_round_trip() -> None:
    in_document = known_tables()

    assert in_document
    for file, (line, why) in in_document.items():
        assert cells_of(row_of_table(line, why))[0] == file
        # Every difference and finding has a reason.
        assert why != NOTHING or not line.needs_reason, file


def test_line_has_the_outcome_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "harbour.csv"
    file.write_text(TOERNOOIBASE.example.replace("2/3w;5\n", "2/3w;11\n"))

    line = line_of(file)

    assert (line.layout, line.read) == ("toernooibase", "4 in 3 rounds, 6 pairings")
    assert "points 5, 1 differ" in line.printed
    assert line.findings == "objection printed-points × 1; warning dummy-competitor × 1"
    assert line.needs_reason

"""Typed and pasted pairings."""

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.growth import growth
from tests.tournaments.recording.desk import round_of
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Round
from tournaments.recording.pairings.by_hand import Seats
from tournaments.recording.pairings.pasted_pairings import (
    ReadPairing,
    TypedPairing,
    _split_pair,
    new_pairing_of,
    read_command,
    read_pairings,
    read_typed_pairings,
)
from tournaments.recording.refusal import Refused


@pytest.fixture
def third(swiss: Event) -> Round:
    """Round 3 without pairings; Éva Novák and Eva Nováková have numbers 5 and 12."""
    Competitor.objects.create(event=swiss, number=5, name="Éva Novák", code="HUN1")
    Competitor.objects.create(event=swiss, number=12, name="Eva Nováková")
    return Round.objects.create(event=swiss, number=3)


def pairing_of(event: Event, first: str, second: str) -> Seats:
    return new_pairing_of(event, {each.number: each for each in event.competitors.all()}, first, second)


def read(round_: Round, text: str) -> list[ReadPairing]:
    return read_pairings(round_, text)


class TestCompetitorsOfTypedSides:
    @pytest.mark.parametrize(
        "text",
        ["5", " 5 ", "Éva Novák", "eva novak", "EVA NOVAK", "5 Éva Novák", "5 nov", "hun1"],
    )
    def test_number_name_and_code(self, third: Round, text: str) -> None:
        assert pairing_of(third.event, text, "1") == Seats(5, 1)

    def test_a_unique_part_of_a_name(self, third: Round) -> None:
        assert pairing_of(third.event, "kov", "do") == Seats(12, 4)

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("9", "There is no competitor 9."),
            ("123456789", "There is no competitor"),
            ("5 Bea", "Competitor 5 is Éva Novák."),
            ("Zoe", "“Zoe” is not a competitor here."),
            ("nov", "may be 5 Éva Novák, 12 Eva Nováková. Type the number."),
            (" ", "A player is missing."),
        ],
    )
    def test_unknown_and_ambiguous_names_are_refused(self, third: Round, text: str, why: str) -> None:
        with pytest.raises(Refused, match=why):
            pairing_of(third.event, text, "1")

    def test_a_competitor_cannot_play_both_sides(self, third: Round) -> None:
        with pytest.raises(Refused, match="1 Ann cannot sit on both sides"):
            pairing_of(third.event, "1", "ann")

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("y", Kind.BYE), ("BYE", Kind.BYE), ("bye", Kind.BYE),
            ("=", Kind.HALF_BYE), ("½bye", Kind.HALF_BYE), ("half-point bye", Kind.HALF_BYE),
            ("0", Kind.ZERO_BYE), ("0bye", Kind.ZERO_BYE), ("zero-bye", Kind.ZERO_BYE),
            ("-", Kind.ABSENT), ("–", Kind.ABSENT), ("absent", Kind.ABSENT),
        ],
    )  # fmt: skip
    def test_rounds_off(self, third: Round, text: str, kind: Kind) -> None:
        assert pairing_of(third.event, "5", text) == Seats(5, None, kind)

    def test_five_is_a_number_and_not_a_score(self, third: Round) -> None:
        assert pairing_of(third.event, "1", "5") == Seats(1, 5)


class TestABlock:
    @pytest.mark.parametrize(
        ("text", "seats"),
        [
            ("5-12", Seats(5, 12, table=1)),
            ("5 – 12", Seats(5, 12, table=1)),
            ("5:12", Seats(5, 12, table=1)),
            ("5 12", Seats(5, 12, table=1)),
            ("5\t12", Seats(5, 12, table=1)),
            ("5;12", Seats(5, 12, table=1)),
            ("7;5-12", Seats(5, 12, table=7)),
            ("7\t5\t12", Seats(5, 12, table=7)),
            ("Ann - Éva Novák", Seats(1, 5, table=1)),
            ("Ann; Bea", Seats(1, 2, table=1)),
            ("5 bye", Seats(5, None, Kind.BYE, 1)),
            ("7;5 ½bye", Seats(5, None, Kind.HALF_BYE, 7)),
            ("5 –", Seats(5, None, Kind.ABSENT, 1)),
            ("Éva Novák bye", Seats(5, None, Kind.BYE, 1)),
        ],
    )
    def test_a_line(self, third: Round, text: str, seats: Seats) -> None:
        assert [each.seats for each in read(third, text)] == [seats]

    def test_tables_are_consecutive_and_blank_lines_ignored(self, third: Round) -> None:
        block = read(third, "1-2\n\n7;3-4\n5 bye\n")

        assert [(each.typed.number, each.seats and each.seats.table) for each in block] == [
            (1, 1), (3, 7), (4, 8),
        ]  # fmt: skip
        assert [each.words for each in block] == [
            "Table 1: 1 Ann against 2 Bea",
            "Table 7: 3 Cas against 4 Dov",
            "Table 8: 5 Éva Novák, bye",
        ]

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("1-2\n2-3", "2 Bea sits at table 1 already."),
            ("4;1-2\n4;3-5", "Table 4 is already used in a line above."),
            ("x;1;2", "“x” is not a table."),
            ("0;1;2", "“0” is not a table."),
            ("99999;1;2", "“99999” is not a table."),
            ("1", "A player is missing."),
            ("hello", "“hello” is not a competitor here."),
        ],
    )
    def test_faulty_lines_have_a_fault(self, third: Round, text: str, fault: str) -> None:
        last = read(third, text)[-1]

        assert last.fault.startswith(fault)
        assert last.seats is None

    def test_existing_pairings_are_respected(
        self, swiss: Event, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        second = round_of(swiss, 2)
        with django_assert_num_queries(2):
            seated, taken = read_typed_pairings(
                second, [TypedPairing(1, "1", "bye"), TypedPairing(2, "7", "8", "2")]
            )

        assert seated.fault == "1 Ann sits at table 1 already."
        assert taken.fault == "There is no competitor 7. Correct the number."
        Competitor.objects.create(event=swiss, number=7, name="Guy")
        [taken] = read_typed_pairings(second, [TypedPairing(1, "7", "bye", "2")])
        assert taken.fault == "Table 2 is taken: 4 Dov – 2 Bea. Choose another one."


class TestTheOutputOfAPairingEngine:
    """The number of lines, then `white black`; 0 is the pairing-allocated bye."""

    def test_without_an_opponent_it_is_the_pairing_allocated_bye(self, third: Round) -> None:
        block = read(third, "3\n1 5\n12 2\n3 0\n")

        assert [each.seats for each in block] == [
            Seats(1, 5, table=1), Seats(12, 2, table=2), Seats(3, None, Kind.BYE, 3),
        ]  # fmt: skip

    def test_numbers_may_be_padded_and_parted_by_tabs(self, third: Round) -> None:
        block = read(third, "2\r\n   1\t  5\r\n\r\n  12     0\r\n")

        assert [each.seats for each in block] == [
            Seats(1, 5, table=1),
            Seats(12, None, Kind.BYE, 2),
        ]

    def test_a_part_of_it_is_refused(self, third: Round) -> None:
        first, *_ = read(third, "3\n1 5\n12 2\n")

        assert first.fault == "The output announces 3 pairings, but 2 follow. Paste the complete output."

    def test_other_lines_below_a_number_are_refused(self, third: Round) -> None:
        first, *_ = read(third, "5\n1 - 2\n")

        assert first.fault.startswith("“5” is not a pairing.")

    def test_zero_is_ambiguous_without_the_number_of_lines(self, third: Round) -> None:
        block = read(third, "1 5\n3 0\n")

        assert [bool(each.fault) for each in block] == [False, True]
        assert block[1].fault.startswith("“3 0” may be a bye or no points. Write “3 bye” or “3 0bye”")
        assert block[1].seats is None


@pytest.mark.parametrize(
    ("first", "repeated", "last", "two"),
    [
        ("Ann", " ", "- Bea", ("Ann", "Bea")),
        ("Ann", " ", "", None),
        ("A", "A", "", None),
        ("", "- ", "-", ("-", "- -")),
        ("", "\u00a0", "-", None),
    ],
)
def test_cost_of_splitting_a_line_grows_with_its_length(
    first: str, repeated: str, last: str, two: tuple[str, str] | None
) -> None:
    """Some regular expressions would need quadratic time: minutes for a long line."""
    assert _split_pair(first + repeated * 3 + last) == two
    assert growth(lambda length: _split_pair(first + repeated * length + last), 250, times=16) < 64


class TestOneField:
    """Commands in the single field of the pairing screen."""

    @pytest.mark.parametrize(
        ("text", "meaning"),
        [
            ("1 2", (1, 2, "", None)),
            ("7;2-1", (2, 1, "", 7)),
            ("ann bea", (1, 2, "", None)),
            ("éva novák dov", (5, 4, "", None)),
            ("dov Eva Nováková", (4, 12, "", None)),
            ("1 Ann – 2 Bea", (1, 2, "", None)),
            ("3 bye", (3, None, "bye", None)),
            ("cas ½bye", (3, None, "half-bye", None)),
            ("3 -", (3, None, "absent", None)),
            *[(text, (3, None, "", None)) for text in ("3 x", "3×", "× 3", "x 3", "cas X", "cas *")],
        ],
    )
    def test_commands_are_parsed(
        self, swiss: Event, third: Round, text: str, meaning: tuple[int, int | None, str, int | None]
    ) -> None:
        found = read_command(swiss, {each.number: each for each in swiss.competitors.all()}, text)

        assert (found.first, found.second, found.kind, found.table) == meaning

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            (" ", "No players entered"),
            ("3", "The opponent of 3 Cas is missing"),
            ("3 3", "cannot sit on both sides"),
            ("3 44", "no competitor 44"),
            ("99999;3-4", "is not a table"),
            ("zoe ×", "not a competitor here"),
            ("zoe yan", "not a competitor here"),
        ],
    )
    def test_invalid_commands_are_refused(self, swiss: Event, third: Round, text: str, why: str) -> None:
        with pytest.raises(Refused, match=why):
            read_command(swiss, {each.number: each for each in swiss.competitors.all()}, text)

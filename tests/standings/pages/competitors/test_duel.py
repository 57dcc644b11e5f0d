"""Duel: both values by a criterion, term by term."""

from standings.pages.competitors.duel import Duel, DuelBar, duel_of
from standings.pages.competitors.verdict import answer_sentences, question
from standings.tables.sheet import StandingsSheet
from tests.engine.examples import E1
from tests.standings.drawn import sheet

A, B, C, D, E, F = range(6)


def of(drawn: StandingsSheet, first: int, second: int) -> Duel:
    return duel_of(drawn, drawn.standings.compare(first, second))


def told(drawn: StandingsSheet, first: int, second: int) -> str:
    return " ".join(each.text for each in answer_sentences(drawn, drawn.standings.compare(first, second)))


def bars(duel: Duel, side: int) -> list[DuelBar]:
    return [bar for line in duel.lines for bar in (line.first, line.second)[side]]


def test_deciding_criterion_is_shown_with_its_cuts() -> None:
    drawn = sheet(E1, "total-score", "solkoff-truncated-short")
    duel = of(drawn, B, F)
    assert [line.round for line in duel.lines] == ["1", "2", "3", "4"]
    assert [(bar.name, bar.amount, bar.why) for bar in bars(duel, 0)] == [
        ("F", "4", ""),
        ("D", "3", "lowest, cut"),
        ("A", "5", ""),
        ("C", "4", ""),
    ]
    assert [bar.length for bar in bars(duel, 0)] == ["80.0%", "60.0%", "100.0%", "80.0%"]
    assert [bar.rest for bar in bars(duel, 0)] == ["20.0%", "40.0%", "0.0%", "20.0%"]
    assert duel.sums == ("13", "12")
    assert told(drawn, B, F) == (
        "Both have 4 points. B is above F: sum of the opponents' points, without the lowest (SSolk), 13 to "
        "12."
    )


def test_answer_is_the_same_for_both_orders() -> None:
    drawn = sheet(E1, "total-score", "solkoff-truncated-short")
    compared = drawn.standings.compare(F, B)
    assert question(drawn, compared, None) == "Why is F below B?"
    assert question(drawn, compared, 3) == "Why was F below B after round 3?"
    assert told(drawn, F, B) == told(drawn, B, F)
    assert of(drawn, F, B).sums == ("12", "13")


def test_level_pair_is_shown_by_its_opponents() -> None:
    drawn = sheet(E1, "total-score", "solkoff-truncated-short", "manual")
    compared = drawn.standings.compare(B, C)
    assert question(drawn, compared, None) == "Why are B and C level?"
    assert told(drawn, B, C) == (
        "Both have 4 points. They are also level by: sum of the opponents' points, without the lowest (13)."
        " They share a place: they are level by every criterion."
    )
    assert of(drawn, B, C).criterion.code == "solkoff-truncated-short"


def test_first_different_figure_is_shown() -> None:
    drawn = sheet(E1, "total-score", "solkoff-truncated-full")
    duel = of(drawn, E, F)
    assert (duel.step, duel.sums) == (2, ("9", "8"))
    assert sum(bool(bar.why) for bar in bars(duel, 0)) == 2
    assert told(drawn, E, F).endswith("9 to 8 at step 2.")


def test_first_criterion_is_described_as_more_points() -> None:
    drawn = sheet(E1, "total-score")
    assert told(drawn, A, B) == "A has more points (Pts): 5 to 4."
    assert [bar.css for bar in bars(of(drawn, A, B), 0)] == ["drawn", "won", "lost", ""]


def test_terms_without_a_round_are_bars_of_the_event() -> None:
    drawn = sheet(E1, "total-score", "rating-a")
    duel = of(drawn, B, C)
    assert [line.round for line in duel.lines] == [""]
    assert [bar.amount for bar in (*bars(duel, 0), *bars(duel, 1))] == ["2250", "0"]
    assert [bar.address for bar in bars(duel, 0)] == [""]


def test_direct_encounter_is_only_for_level_competitors() -> None:
    drawn = sheet(E1, "total-score", "solkoff-truncated-short", "direct-encounter")
    duel = of(drawn, B, C)
    assert [(line.round, len(line.first), len(line.second)) for line in duel.lines] == [("4", 1, 1)]
    assert told(drawn, B, C).endswith("C is above B: points against each other (DE), 2/1 to 0/1.")

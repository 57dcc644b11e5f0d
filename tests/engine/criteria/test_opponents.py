"""The Solkoff family."""

from standings.engine import SYSTEMS, get_criterion, rank, read_crosstable
from tests.engine.examples import E1, order, ranked, values, vectors


def test_solkoff_of_the_worked_example() -> None:
    """A met E 4, C 4, B 4 and had a bye, which counts 0."""
    expected = [4 + 4 + 4 + 0, 4 + 3 + 5 + 4, 3 + 5 + 4 + 4, 4 + 4 + 4 + 4, 5 + 4 + 3 + 0, 4 + 4 + 4 + 3]
    assert values(E1, "solkoff") == expected == [12, 16, 16, 16, 12, 15]
    assert values(E1, "buchholz") == expected


def test_truncated_solkoff() -> None:
    assert values(E1, "solkoff-truncated-short") == [12, 13, 13, 12, 12, 12]
    assert vectors(E1, "solkoff-truncated-full") == [
        [12, 8, 4],
        [13, 9, 5],
        [13, 9, 5],
        [12, 8, 4],
        [12, 9, 5],
        [12, 8, 4],
    ]


def test_median_solkoff() -> None:
    assert values(E1, "solkoff-median") == [4 + 4, 4 + 4, 4 + 4, 4 + 4, 3 + 4, 4 + 4]
    assert values(E1, "buchholz-median") == values(E1, "solkoff-median")


def test_median_of_two_scores_is_0() -> None:
    """Without cuts the order would be F A E B C D (docs/adr/0010)."""
    assert values(E1.after(2), "solkoff-median") == [0] * 6
    assert ranked(E1.after(2), "total-score", "solkoff-median") == "A=F B=E C=D"
    assert ranked(E1.after(2), "total-score", "solkoff") == "F A E B C D"


def test_solkoff_plus_and_baliakin() -> None:
    assert values(E1, "solkoff-plus")[0] == 12 + 16 + 16 + 0
    assert values(E1, "solkoff-plus") == [44, 59, 59, 59, 43, 60]
    assert values(E1, "solkoff-baliakin")[0] == 4 * 12 + 4 * 16 + 4 * 16 + 0
    assert values(E1, "solkoff-baliakin") == [176, 232, 232, 236, 168, 224]


def test_fmjd_systems_rank_the_worked_example() -> None:
    orders = {code: order(rank(E1, SYSTEMS[code])) for code in SYSTEMS if code.startswith("fmjd")}
    assert orders == {
        "fmjd-swiss": "A B=C F E D",
        "fmjd-swiss-truncated": "A B=C E F D",
        "fmjd-swiss-median": "A B=C F E D",
        "fmjd-swiss-rating": "A F C B E D",
    }


def test_cut_term_is_named() -> None:
    """The earliest of equal terms is cut; the note names the level of each cut."""
    short = get_criterion("solkoff-truncated-short")(E1).terms.of_row(1)
    assert [(term.against, term.text, term.counted()) for term in short] == [
        ("F", "4", True),
        ("D", "3", False),
        ("A", "5", True),
        ("C", "4", True),
    ]
    full = get_criterion("solkoff-truncated-full")(E1).terms.of_row(0)
    assert [(term.against, term.until) for term in full] == [("E", 1), ("C", 2), ("B", 3), ("bye", 0)]


def test_calculation_names_its_factors() -> None:
    term = get_criterion("solkoff-baliakin")(E1).terms.of_row(0)[0]
    assert (term.round, term.opponent, term.inner) == (1, 4, "solkoff")
    assert term.amount == 4 * 12
    assert term.working == "4 pts × 12 S"


def test_no_opponents() -> None:
    table = read_crosstable("1 A bye \n 2 B –")
    assert values(table, "solkoff-truncated-short") == values(table, "solkoff-median") == [0, 0]
    assert vectors(table, "solkoff-truncated-full") == [[0], [0]]
    assert values(table.after(0), "solkoff") == [0, 0]

"""Direct encounter and best opponents."""

import pytest

from standings.engine import SYSTEMS, rank, read_crosstable
from tests.engine.examples import E1, E2, order, ranked, system_of


def texts(drawn: str, *criteria: str) -> dict[str, str]:
    """Return the cells of the last criterion by name."""
    table = read_crosstable(drawn)
    return dict(zip(table.names, rank(table, system_of(*criteria)).columns[-1].texts, strict=True))


def test_points_against_each_other() -> None:
    """B and C are level by truncated Solkoff; so are E and F after a draw."""
    standings = rank(E1, system_of("total-score", "solkoff-truncated-short", "direct-encounter"))
    assert standings.columns[-1].texts == ["", "0/1", "2/1", "", "1/1", "1/1"]
    assert standings.columns[-1].level_texts(2) == ["2"]
    assert order(standings) == "A C B E=F D"


def test_undecided_if_not_all_have_met() -> None:
    standings = rank(E1, system_of("total-score", "direct-encounter"))
    assert standings.columns[-1].texts == ["", "·", "·", "", "·", "·"]
    assert standings.columns[-1].level_texts(1) == []
    assert order(standings) == "A B=C=E=F D"


def test_undecided_if_some_met_more_often() -> None:
    drawn = """
        1 A  2:2-0  2:0-2  3:1-1  –
        2 B  1:0-2  1:2-0  –      3:1-1
        3 C  –      –      1:1-1  2:1-1
        """
    assert texts(drawn, "direct-encounter") == {"A": "·", "B": "·", "C": "·"}


def test_repeated_inside_smaller_groups() -> None:
    """A and B have four points each against the others, C and D two; then A beat B, and D beat C."""
    drawn = """
        1 A  2:2-0  3:0-2  4:2-0
        2 B  1:0-2  4:2-0  3:2-0
        3 C  4:0-2  1:2-0  2:0-2
        4 D  3:2-0  2:0-2  1:0-2
        """
    assert ranked(read_crosstable(drawn), "direct-encounter") == "A B D C"
    assert texts(drawn, "direct-encounter") == {
        "A": "4/3·2/1",
        "B": "4/3·0/1",
        "C": "2/3·0/1",
        "D": "2/3·2/1",
    }


@pytest.mark.parametrize(
    ("game", "reply", "expected"),
    [("+", "-", "A B"), ("--", "--", "A=B"), ("", "", "A=B"), ("?", "?", "A=B")],
)
def test_forfeits_count_as_encounters_and_open_games_do_not(game: str, reply: str, expected: str) -> None:
    table = read_crosstable(f"1 A  2:{game} \n 2 B  1:{reply}")
    assert ranked(table, "direct-encounter") == expected


def test_double_forfeit_is_an_encounter() -> None:
    assert texts("1 A 2:-- \n 2 B 1:--", "direct-encounter") == {"A": "0/1", "B": "0/1"}
    assert texts("1 A 2: \n 2 B 1:", "direct-encounter") == {"A": "", "B": ""}


def test_games_outside_the_competition_do_not_count() -> None:
    drawn = """
        1 A          2:2-0  3:0-2
        2 B          1:0-2  –
        3 X outside  –      1:2-0
        """
    assert texts(drawn, "direct-encounter") == {"A": "2/1", "B": "0/1", "X": ""}


def test_best_opponents_of_the_worked_example() -> None:
    """P and Q drew with each other; against V, P has 1 and Q 0."""
    standings = rank(E2, system_of("total-score", "direct-encounter", "best-opponents", "wins"))
    assert order(standings) == "V P Q W Z"
    assert standings.columns[2].texts == ["", "", "V 1", "V 0", ""]
    assert standings.columns[2].level_texts(3) == ["0"]


def test_wins_come_before_direct_encounter_in_the_round_robin_system() -> None:
    assert order(rank(E2, SYSTEMS["manual-round-robin"])) == "V Q P W Z"


SEPARATED_TIE = """
    1 V{}  2:1-1  3:1-1  4:2-0  bye=1
    2 P    1:1-1  4:2-0  5:1-1  –
    3 Q    4:0-2  1:1-1  bye=1  5:2-0
    4 R    3:2-0  2:0-2  1:0-2  bye=2
    5 X    –      –      2:1-1  3:0-2
    """


def test_tied_opponents_are_never_compared_even_when_separated() -> None:
    """V separates R from P and Q. With R as an opponent, P would be first; X is next, and Q has more."""
    assert ranked(read_crosstable(SEPARATED_TIE.format("")), "total-score", "best-opponents") == "V Q P R X"
    assert texts(SEPARATED_TIE.format(""), "total-score", "best-opponents") == {
        "V": "",
        "P": "X 1",
        "Q": "X 2",
        "R": "V 0",
        "X": "",
    }


def test_opponents_outside_the_competition_are_skipped() -> None:
    """Without V, X separates R, although the two did not meet."""
    table = read_crosstable(SEPARATED_TIE.format(" outside"))
    assert ranked(table, "total-score", "best-opponents") == "V Q P R X"
    assert texts(SEPARATED_TIE.format(" outside"), "total-score", "best-opponents")["R"] == "X 0"


def test_opponents_on_a_shared_place_count_together() -> None:
    """Of V and W, V has 0 + 1 against P and Q; of P and Q, P has 2 + 0 against V and W."""
    drawn = """
        1 V  3:0-2  4:1-1  bye  bye
        2 W  4:0-2  3:2-0  bye  bye=1
        3 P  1:2-0  2:0-2  bye=1  –
        4 Q  2:2-0  1:1-1  –    –
        """
    assert texts(drawn, "total-score", "best-opponents") == {
        "V": "P +1 1",
        "W": "P +1 2",
        "P": "V +1 2",
        "Q": "V +1 3",
    }


def test_undecided_if_no_place_separates() -> None:
    drawn = """
        1 V  2:1-1  3:1-1  bye
        2 P  1:1-1  –      –
        3 Q  –      1:1-1  –
        """
    assert texts(drawn, "total-score", "best-opponents") == {"V": "", "P": "·", "Q": "·"}

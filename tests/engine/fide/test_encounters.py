"""Direct encounters by C.07 6 and 13.3."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings

from standings.engine import CHESS, Crosstable, Scale, Scoring, rank, read_crosstable
from tests.engine.examples import system_of
from tests.engine.fide.exercises import ROUND_ROBIN, SWISS, TEAMS, under
from tests.engine.test_properties import events

FOUR_BOARDS = Scoring(game_win=2, boards=4)


def places(table: Crosstable, *criteria: str) -> str:
    """Return the cells of the last criterion, in crosstable order."""
    return " ".join(rank(table, system_of(*criteria)).columns[-1].texts)


def drawn(text: str, **about: object) -> Crosstable:
    return read_crosstable(text, scoring=CHESS, **about)


ALL_MET = drawn(
    """
    1 A  2:1-0  3:1-0  4:0-1
    2 B  1:0-1  4:1-0  3:1-0
    3 C  4:1-0  1:0-1  2:0-1
    4 D  3:0-1  2:0-1  1:1-0
    """
)

# A beat B and C, and did not meet D; D lost to both of the others, who drew.
NOT_ALL_MET = drawn(
    """
    1 A  2:1-0  3:1-0  –
    2 B  1:0-1  4:1-0  3:½-½
    3 C  4:1-0  1:0-1  2:½-½
    4 D  3:0-1  2:0-1  –
    """
)


def test_encounters_are_repeated_inside_smaller_groups() -> None:
    """A and B have 2, C and D 1; A beat B, C beat D."""
    assert places(ALL_MET, "DE") == "1 2 3 4"
    explained = rank(ALL_MET, system_of("DE")).explain(0, "DE")
    assert explained.calculations == ("2 from 3 games: place 1 (6)", "1 from 1 game: place 1 (6)")
    assert list(explained.levels) == [1, 1]
    assert [line.note for line in explained.lines] == ["step 1", "step 1", "step 1", "step 2"]


def test_cycle_of_wins_stays_level() -> None:
    circle = drawn("1 A 2:1-0 3:0-1 – \n 2 B 1:0-1 – 3:1-0 \n 3 C – 1:1-0 2:0-1")
    assert places(circle, "DE") == "0 0 0"
    assert places(circle, "PTS", "DE") == "0 0 0"
    assert rank(circle, system_of("DE")).explain(0, "DE").levels == ()


def test_no_values_without_a_tie() -> None:
    assert places(ALL_MET.after(1), "PTS", "rating-a", "manual") == "0 0 0 0"
    assert places(drawn("1 A 2:1-0 \n 2 B 1:0-1"), "PTS", "DE") == "0 0"


def test_swiss_leader_that_cannot_be_reached_is_first() -> None:
    """A has 2, the others 1½, 1½ and at most 1. Then B and C have 1½ and D 0; B and C drew."""
    assert places(NOT_ALL_MET, "DE") == "1 2 2 4"
    explained = rank(NOT_ALL_MET, system_of("DE")).explain(3, "DE")
    assert explained.calculations[0] == "0 from 2 games, at most 1 (6.3): place 2 (6)"


def test_swiss_leader_that_can_be_reached_stays_level() -> None:
    """D could reach the 2 points of A, so the others are not separated either."""
    table = drawn(
        """
        1 A  2:1-0  3:1-0  –
        2 B  1:0-1  4:0-1  3:½-½
        3 C  4:1-0  1:0-1  2:½-½
        4 D  3:0-1  2:1-0  –
        """
    )
    assert places(table, "DE") == "0 0 0 0"


def test_several_encounters_are_averaged() -> None:
    twice = drawn("1 A 2:1-0 2:½-½ 3:0-1 \n 2 B 1:0-1 1:½-½ – \n 3 C – – 1:1-0")
    assert places(twice, "DE") == "0 0 0"
    two = drawn("1 A 2:1-0 2:½-½ \n 2 B 1:0-1 1:½-½")
    explained = rank(two, system_of("DE")).explain(0, "DE")
    assert explained.calculations == ("¾ from 2 games: place 1 (6)",)
    assert places(drawn("1 A 2:1-0 2:0-1 \n 2 B 1:0-1 1:1-0"), "DE") == "0 0"


def test_forfeits_are_encounters_in_round_robins_only() -> None:
    forfeited = drawn("1 A 2:+ \n 2 B 1:-")
    assert places(forfeited, "DE") == "0 0"
    assert places(forfeited, "DE/P") == "1 2"
    assert places(replace(forfeited, games_each=1), "DE") == "1 2"
    assert places(ROUND_ROBIN, "PTS", "DE") == "1 2 2 3 2 1"


def test_direct_encounters_of_the_exercises() -> None:
    found = places(under("fide-2024", SWISS), "PTS", "DE").split()
    assert [found[row] for row in (0, 2, 3, 15)] == ["0"] * 4


# --- of teams ----------------------------------------------------------------------------------------------


def test_secondary_score_separates_after_the_primary_score() -> None:
    """All five have 4 match points of 4; of the three with 8 game points Bonobos have 5½ of 2."""
    assert places(TEAMS, "MPTS", "EDE").split()[:5] == ["3", "2", "4", "1", "5"]
    explained = rank(TEAMS, system_of("MPTS", "EDE")).explain(1, "EDE")
    assert explained.calculations[-2:] == (
        "8 from 4 games: place 2 (13.3.1)",
        "5½ from 2 games: place 2 (13.3.1)",
    )


@pytest.mark.parametrize("code", ["EDEBT", "EDEBB", "EDET", "EDEB"])
def test_boards_separate_two_teams_level_in_both_scores(code: str) -> None:
    """Koalas and Narwhals drew 2-2: board count 3½ and 6½, board 1 1-0, without the last board 2-1."""
    found = places(TEAMS, "MPTS", code).split()
    assert (found[10], found[13]) == ("1", "2")
    koalas = rank(TEAMS, system_of("MPTS", code)).explain(10, code)
    article = {"EDEBT": "12.1", "EDEBB": "12.1", "EDET": "12.2", "EDEB": "12.3"}[code]
    assert koalas.calculations[-1].endswith(f"place 1 ({article})")


def test_single_boards_separate_after_the_board_count() -> None:
    """1 + 4 and 2 + 3; A won on board 1, and without the last board B is ahead by 2-1."""
    level = read_crosstable("1 A 2:2-2/wllw \n 2 B 1:2-2/lwwl", scoring=FOUR_BOARDS, primary=Scale.MATCH)
    assert places(level, "EDE") == "0 0"
    assert places(level, "EDEBT") == places(level, "EDET") == "1 2"
    assert places(level, "EDEBB") == places(level, "EDEB") == "2 1"


@pytest.mark.parametrize("code", ["EDEBT", "EDEBB", "EDET", "EDEB"])
def test_unrecorded_boards_separate_no_teams(code: str) -> None:
    """A and B drew 4-4 without recorded boards; C and D with them, and D won on the last two."""
    text = """
    1 A 2:4-4      3:8-0/wwww 4:8-0/wwww
    2 B 1:4-4      4:8-0/wwww 3:8-0/wwww
    3 C 4:4-4/wwll 1:0-8/llll 2:0-8/llll
    4 D 3:4-4/llww 2:0-8/llll 1:0-8/llll
    """
    table = read_crosstable(text, scoring=FOUR_BOARDS, primary=Scale.MATCH)
    standings = rank(table, system_of("MPTS", code))
    column = standings.column(code)

    assert standings.place.tolist() == [1, 1, 3, 4]
    assert column.texts == ["?", "?", "1", "2"]
    assert [column.levels(row) for row in (0, 2)] == [[], [1]]
    assert rank(table, system_of("MPTS", "EDE")).column("EDE").texts == ["0", "0", "0", "0"]


def test_unrecorded_boards_do_not_affect_other_teams() -> None:
    """A, B and C are tied at first: A beat B and C, who drew 4-4 without recorded boards."""
    text = """
    1 A 2:6-2/wwwl 3:6-2 –
    2 B 1:2-6/lllw –     3:4-4
    3 C –          1:2-6 2:4-4
    """
    table = read_crosstable(text, scoring=FOUR_BOARDS, primary=Scale.MATCH)
    standings = rank(table, system_of("EDEB"))

    assert standings.place.tolist() == [1, 2, 2]
    assert standings.column("EDEB").texts == ["1", "2", "2"]


def test_boards_do_not_separate_three_teams() -> None:
    three = read_crosstable(
        """
        1 A  2:2-2/wwll  3:2-2/wwll
        2 B  1:2-2/llww  –
        3 C  –           1:2-2/llww
        """,
        scoring=FOUR_BOARDS,
        primary=Scale.MATCH,
    )
    assert places(three, "EDEBT") == "0 0 0"


def test_boards_of_a_forfeited_match_count_only_if_forfeits_are_games() -> None:
    forfeited = read_crosstable(
        "1 A 2:2-2f/wfwflflf \n 2 B 1:2-2f/lflfwfwf", scoring=FOUR_BOARDS, primary=Scale.MATCH
    )
    assert places(forfeited, "EDET") == "0 0"
    assert places(forfeited, "EDET/P") == "1 2"


def test_score_in_the_code_is_the_primary_score() -> None:
    """A and B won a match each; A has more game points."""
    twice = read_crosstable(
        "1 A 2:4-0/wwww 2:1½-2½/dwll \n 2 B 1:0-4/llll 1:2½-1½/dlww", scoring=FOUR_BOARDS, primary=Scale.MATCH
    )
    assert places(twice, "DE") == "0 0"
    assert places(twice, "DE:GP") == "1 2"
    assert places(twice, "EDE") == "1 2"


# --- compared with a literal implementation --------------------------------------------------------------


def direct(table: Crosstable, tied: list[int]) -> dict[int, int]:
    """Return the places inside a tie by 6.1 to 6.3, for each competitor; all 1 if the tie remains."""
    scored: dict[int, dict[int, list[Fraction]]] = {row: defaultdict(list) for row in tied}
    counted = table.met if table.is_round_robin else table.over_the_board
    for row in tied:
        for at in range(table.rounds):
            other = int(table.opponent[row, at])
            if counted[row, at] and other in tied:
                scored[row][other].append(Fraction(int(table.points()[row, at])))
    own = {row: sum((sum(each) / len(each) for each in scored[row].values()), Fraction(0)) for row in tied}
    missing = {row: len(tied) - 1 - len(scored[row]) for row in tied}
    most = {row: own[row] + missing[row] * table.scoring.win(table.scale) for row in tied}
    groups: list[list[int]] = []
    if table.is_round_robin or not any(missing.values()):
        groups = [
            [row for row in tied if own[row] == value] for value in sorted(set(own.values()), reverse=True)
        ]
    else:
        left = sorted(tied, key=lambda row: -own[row])
        while len(left) > 1 and all(own[left[0]] > most[row] for row in left[1:]):
            groups.append([left.pop(0)])
        groups.append(left)
    found: dict[int, int] = {}
    ahead = 0
    for group in groups:
        inner = direct(table, group) if len(groups) > 1 and len(group) > 1 else dict.fromkeys(group, 1)
        found |= {row: ahead + place for row, place in inner.items()}
        ahead += len(group)
    return found


@settings(deadline=None)
@given(events())
def test_encounters_match_a_literal_implementation(drawn_table: Crosstable) -> None:
    """The article does not cover annulled competitors and competitors outside the competition."""
    no_rows = drawn_table.outside & False
    table = replace(drawn_table, outside=no_rows, withdrawn_after=no_rows + 10**6, boards=None)
    judged = rank(table, system_of("PTS", "DE")).columns
    points = judged[0].texts
    for value in set(points):
        tied = [row for row, text in enumerate(points) if text == value]
        expected = direct(table, tied)
        is_broken = len(set(expected.values())) > 1
        assert [int(judged[1].texts[row]) for row in tied] == [
            expected[row] if is_broken else 0 for row in tied
        ]

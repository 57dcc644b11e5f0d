"""The worked examples of the rules as crosstables, and helpers that read rankings."""

from collections.abc import Callable
from fractions import Fraction

from standings.engine import (
    SYSTEMS,
    Crosstable,
    Explanation,
    Phrase,
    RankingSystem,
    Scale,
    Scoring,
    Standings,
    Term,
    get_criterion,
    performance_rating,
    rank,
    read_crosstable,
    rounded,
    score_probability,
)

FOUR_BOARDS = Scoring(game_win=2, boards=4)

E1 = read_crosstable(
    """
    1 A  2300a  5:1+-1-  3:2-0    2:0-2  bye
    2 B  2250a  6:0-2    4:2-0    1:2-0  3:0-2
    3 C  2200b  4:1--1+  1:0-2    6:1-1  2:2-0
    4 D  2150a  3:1+-1-  2:0-2    5:0-2  6:2-0
    5 E  2100a  1:1--1+  6:1--1+  4:2-0  –
    6 F         2:2-0    5:1+-1-  3:1-1  4:0-2
    """
)

E2 = read_crosstable(
    """
    1 V  2:2-0  3:1-1  4:2-0  5:1-1  bye=0
    2 W  1:0-2  5:2-0  bye=0  4:0-2  3:1-1
    3 P  4:1-1  1:1-1  5:2-0  bye=0  2:1-1
    4 Q  3:1-1  bye=0  1:0-2  2:2-0  5:2-0
    5 Z  bye=0  2:0-2  3:0-2  1:1-1  4:0-2
    """,
    games_each=4,
)

# A won by forfeit, B lost by forfeit, D and E had a bye, E was absent.
# MP: A 2+2+0 = 4, B 0+1+2 = 3, C 2+0+0 = 2, D 0+2+2 = 4, E 2+1+0 = 3.
# GP: A 4+2½+1 = 7½, B 0+2+4 = 6, C 3+1½+0 = 4½, D 1+4+3 = 8, E 4+2+0 = 6.
TEAMS = read_crosstable(
    """
    1 A  2:+    3:2½-1½  4:1-3
    2 B  1:-    5:2-2    3:4-0
    3 C  4:3-1  1:1½-2½  2:0-4
    4 D  3:1-3  bye      1:3-1
    5 E  bye    2:2-2    –
    """,
    scoring=FOUR_BOARDS,
    primary=Scale.MATCH,
)

# Draughts on three boards. A won board 1 against B in two games; B won by forfeit against C, on every board.
BOARDS = read_crosstable(
    """
    1 A  2:4-2/w2pd  3:3-3/wlp  –
    2 B  1:2-4/l2md  –          3:+
    3 C  –           1:3-3/lwm  2:-
    """,
    scoring=Scoring(game_win=4, boards=3),
    primary=Scale.MATCH,
)

LEAGUE = read_crosstable(
    """
    1 A  2:2½-1½  3:3-1  4:2-2
    2 B  1:1½-2½  4:2-2  3:4-0
    3 C  4:3-1    1:1-3  2:0-4
    4 D  3:1-3    2:2-2  1:2-2
    """,
    scoring=FOUR_BOARDS,
    primary=Scale.MATCH,
)

MICRO = read_crosstable(
    """
    1 P  3:5-0x1  4:5-0x3  3:0-5x2
    2 Q  4:5-0x2  3:5-0x3  4:0-5x4
    3 X  1:0-5x1  2:0-5x3  1:5-0x2
    4 Y  2:0-5x2  1:0-5x3  2:5-0x4
    5 N  –        –        –
    """
)


def withdrawn(after: int) -> Crosstable:
    """A round robin of three games each, which W leaves: annulled after round 1, but not after round 2."""
    second, other = ("1-1", "1-1") if after >= 2 else ("", "")
    return read_crosstable(
        f"""
        1 A                    2:2-0  3:1-1     4:1-1
        2 W  withdrawn={after} 1:0-2  4:{second}  3:
        3 B                    4:2-0  1:1-1     2:
        4 C                    3:0-2  2:{other}   1:1-1
        """,
        games_each=3,
    )


def system_of(*criteria: str, like: str = "manual-swiss") -> RankingSystem:
    """Return a system with these criteria."""
    return SYSTEMS[like].ordered_by(criteria)


def values(table: Crosstable, code: str) -> list[Fraction]:
    """Return the first figure of each row under a criterion, in points."""
    column = get_criterion(code)(table)
    return [column.value(row) for row in range(len(table.names))]


def vectors(table: Crosstable, code: str) -> list[list[Fraction]]:
    """Return all figures of each row under a criterion."""
    column = get_criterion(code)(table)
    return [[column.value(row, level) for level in range(column.levels)] for row in range(len(table.names))]


def order(standings: Standings) -> str:
    """Return the names from first to last, with `=` between shared places."""
    lines = ""
    last = None
    for row in standings.rows():
        lines += ("=" if row.place and row.place == last else " ") + standings.table.names[row.competitor]
        last = row.place
    return lines.strip()


Calculation = Callable[[list[Term]], Fraction]


def total(terms: list[Term]) -> Fraction:
    return sum((term.amount for term in terms), Fraction(0))


def average(terms: list[Term]) -> Fraction:
    return total(terms) / max(len(terms), 1)


def ratio(terms: list[Term]) -> Fraction:
    won, lost = (sum(max(sign * term.amount, Fraction(0)) for term in terms) for sign in (1, -1))
    return Fraction(won, max(lost, Fraction(1)))


def whole_average(terms: list[Term]) -> Fraction:
    return Fraction(rounded(average(terms).numerator, average(terms).denominator))


def half_points(term: Term) -> int:
    """Return the half-points in the note of a game: `scored 1`, `scored ½`."""
    assert isinstance(term.note, Phrase)
    return {"0": 0, "½": 1, "1": 2}[str(term.note.parts["points"])]


def performance(terms: list[Term]) -> Fraction:
    return Fraction(
        performance_rating([int(term.amount) for term in terms], sum(map(half_points, terms))) or 0
    )


def perfect_performance(terms: list[Term]) -> Fraction:
    """Find the perfect performance by trying each rating, from the lowest."""
    ratings, scored = [int(term.amount) for term in terms], sum(map(half_points, terms))
    own = min(ratings) - 800
    while scored and sum(score_probability(own - rating) for rating in ratings) < 50 * scored:
        own += 1
    return Fraction(own)


CALCULATIONS: dict[str, Calculation] = {
    "average-rating-opponents": average,
    "average-rating-opponents-reduced": average,
    "won-lost-ratio": ratio,
    "AOB": average,
    "ARO": whole_average,
    "APRO": whole_average,
    "APPO": whole_average,
    "TPR": performance,
    "PTP": perfect_performance,
}


def recomputed(found: Explanation) -> tuple[Fraction, ...]:
    """Recompute the figures from the explained terms. Places in direct encounters are returned unchanged."""
    if found.criterion.is_fide and found.criterion.within_tie:
        return found.computed
    fold = CALCULATIONS.get(found.criterion.plain_code, total)
    return tuple(
        fold([line.term for line in found.lines if line.term.counted(level)])
        for level in range(len(found.computed))
    )


def ranked(table: Crosstable, *criteria: str) -> str:
    """Return the order under a list of criteria."""
    return order(rank(table, system_of(*criteria)))

"""The worked examples of the rules, drawn; and how tests read a ranking."""

from fractions import Fraction

from standings.engine import SYSTEMS, Crosstable, RankingSystem, Standings, get, rank, read_crosstable

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


def system_of(*criteria: str, like: str = "manual-swiss") -> RankingSystem:
    """A system with this list of criteria."""
    return SYSTEMS[like].ordered_by(criteria)


def values(table: Crosstable, code: str) -> list[Fraction]:
    """The first figure of each row under a criterion, in points."""
    column = get(code)(table)
    return [column.value(row) for row in range(len(table.names))]


def ladders(table: Crosstable, code: str) -> list[list[Fraction]]:
    """All figures of each row under a criterion."""
    column = get(code)(table)
    return [[column.value(row, level) for level in range(column.levels)] for row in range(len(table.names))]


def order(standings: Standings) -> str:
    """The names from first to last, `=` between those who share a place."""
    lines = ""
    last = None
    for row in standings.rows():
        lines += ("=" if row.place and row.place == last else " ") + standings.table.names[row.competitor]
        last = row.place
    return lines.strip()


def ranked(table: Crosstable, *criteria: str) -> str:
    """The order under a list of criteria."""
    return order(rank(table, system_of(*criteria)))

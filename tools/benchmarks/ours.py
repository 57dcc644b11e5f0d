"""Computes a generated tournament with our engine."""

from dataclasses import replace

import numpy as np

from standings.engine import CHESS, SYSTEMS, Crosstable, Ints, RankingSystem, RoundKind, Row, rank
from tools.benchmarks.generated import Tournament

BYES = {
    "F": (2, 0, 0, RoundKind.BYE),
    "H": (1, 0, 0, RoundKind.HALF_BYE),
    "Z": (0, 0, 0, RoundKind.ZERO_BYE),
}
"""Half-points, colour, table and kind of a bye."""


def crosstable_of(tournament: Tournament) -> Crosstable:
    opponent, points, colour, table, kind = _both_sides(tournament)
    return Crosstable.of(
        tuple(f"Player {number}" for number in range(1, tournament.players + 1)),
        tournament.rounds,
        scoring=CHESS,
        opponent=opponent,
        kind=kind,
        game_points=points,
        games=(kind == RoundKind.PLAYED).astype(np.int64),
        colour=colour,
        table_number=table,
        rating=np.array(tournament.ratings, dtype=np.int64),
    )


def _both_sides(tournament: Tournament) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Return opponents, half-points, colours, tables and kinds, each of shape (n, rounds)."""
    number, table, white, black, score, forfeit = np.array(tournament.games, dtype=np.int64).T
    kind = np.where(forfeit > 0, RoundKind.FORFEIT, RoundKind.PLAYED)
    sides = ((white, black, score, 1), (black, white, 2 - score, -1))
    made = np.zeros((5, tournament.players, tournament.rounds), dtype=np.int64)
    for own, other, points, colour in sides:
        made[:, own, number - 1] = other, points, np.full_like(own, colour), table, kind
    for bye in tournament.byes:
        made[:, bye.player, bye.round - 1] = (-1, *BYES[bye.letter])
    return made[0], made[1], made[2], made[3], made[4]


def ordered_by(criteria: tuple[str, ...]) -> RankingSystem:
    return SYSTEMS["manual-swiss"].ordered_by(criteria)


def judge(table: Crosstable, system: RankingSystem) -> tuple[Ints, list[Ints]]:
    """Return places and values, computed without cached properties of the crosstable."""
    standings = rank(replace(table), system)
    return standings.place, [judged.column.keys() for judged in standings.columns]


def judge_and_print(table: Crosstable, system: RankingSystem) -> tuple[list[Row], list[list[str]]]:
    """Return also the data for a printed table: the lines, and the cells of every criterion."""
    standings = rank(replace(table), system)
    return list(standings.rows()), [judged.texts for judged in standings.columns]

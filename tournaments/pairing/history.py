"""The history of each competitor for the pairing: points, colours, floats, opponents, byes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from standings.engine import Crosstable, RoundKind

MET = (RoundKind.PLAYED, RoundKind.PENDING, RoundKind.UNKNOWN)
"""The kinds of round in which two met. After a forfeit they may be paired again (FIDE C.04.1)."""


@dataclass(frozen=True, slots=True)
class PlayHistory:
    """The games of a competitor before a round; `colours` and `floats` have a letter per round.

    `points`: half-points. `virtual`: half-points for the pairing only, of an acceleration and of delayed
    games. `colours`: w, b or - for none. `floats`: d, u or . for none. `met`: rounds by the
    opponent's number. `byes`: the rounds with points without a game, which are byes of the pairing and wins
    by forfeit.
    """

    points: int = 0
    colours: str = ""
    floats: str = ""
    met: Mapping[int, Sequence[int]] = field(default_factory=dict)
    byes: Sequence[int] = ()
    virtual: int = 0

    @property
    def pairing_score(self) -> int:
        return self.points + self.virtual

    def in_a_row(self, colour: str) -> int:
        """Return how many games in a row would have this colour if the next game had it."""
        runs = [(sign, len(list(signs))) for sign, signs in groupby(self.colours.replace("-", ""))]
        return 1 + (runs[-1][1] if runs and runs[-1][0] == colour else 0)

    def difference_with(self, colour: str) -> int:
        """Return the surplus of this colour over the other if the next game had it."""
        other = "b" if colour == "w" else "w"
        return self.colours.count(colour) + 1 - self.colours.count(other)


def play_histories(table: Crosstable, before: int, *, are_draws: bool = False) -> dict[int, PlayHistory]:
    """Return the histories before a round by number. `are_draws`: delayed pairings count as draws."""
    past = table.with_rounds(before - 1).after(before - 1)
    numbers = past.numbers.tolist()
    totals = past.totals().tolist()
    is_met = np.isin(past.state, MET) & (past.opponent >= 0)
    is_given = (past.state == RoundKind.BYE) | ((past.state == RoundKind.FORFEIT) & (past.outcome > 0))
    signs = np.where(is_met & (past.colour != 0), np.where(past.colour > 0, "w", "b"), "-")
    draw = past.scoring.draw(past.scale) // 4  # from eighths of a point to half-points
    virtual = are_draws * draw * ((past.state == RoundKind.PENDING) & (past.delayed > 0)).sum(axis=1)
    floats = _floats(past)
    found = {}
    for row, number in enumerate(numbers):
        met: dict[int, list[int]] = {}
        for column in np.flatnonzero(is_met[row]).tolist():
            met.setdefault(numbers[past.opponent[row, column]], []).append(column + 1)
        byes = (np.flatnonzero(is_given[row]) + 1).tolist()
        colours, floated = "".join(signs[row]), "".join(floats[row])
        found[number] = PlayHistory(totals[row], colours, floated, met, byes, int(virtual[row]))
    return found


def _floats(past: Crosstable) -> Any:
    """Return the float of each round: d or u if the scores differed, d also for points without a game."""
    points = past.points() + past.bonus(past.scale)
    before = points.cumsum(axis=1) - points
    theirs = past.of_opponent(before) if before.size else before
    is_played = (past.state == RoundKind.PLAYED) & (past.opponent >= 0)
    between = np.where(before > theirs, "d", np.where(before < theirs, "u", "."))
    # Points without a game are a float down; an absent competitor was not paired at all.
    idle = np.where(points > 0, "d", ".")
    return np.where(is_played, between, idle)

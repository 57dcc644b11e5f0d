"""The past of each competitor as pairing looks at it: points, colours, floats, opponents, byes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from standings.engine import Crosstable, RoundKind

MET = (RoundKind.PLAYED, RoundKind.PENDING, RoundKind.UNKNOWN)
"""The rounds in which two met: a forfeit is none, and they may be paired again (FIDE C.04.1)."""


@dataclass(frozen=True, slots=True)
class PlayHistory:
    """What somebody has played before a round; one sign a round in `colours` and `floats`.

    `points` are half-points, `virtual` those that an acceleration adds for the pairing alone; `colours` w, b
    or - for none; `floats` d, u or . for none; `met` the rounds by the opponent's number; `byes` the rounds
    of points without a game: byes of the pairing, wins by forfeit.
    """

    points: int = 0
    colours: str = ""
    floats: str = ""
    met: Mapping[int, Sequence[int]] = field(default_factory=dict)
    byes: Sequence[int] = ()
    virtual: int = 0

    @property
    def pairing_score(self) -> int:
        """Return the half-points by which somebody is paired."""
        return self.points + self.virtual

    @property
    def played_colours(self) -> str:
        """Return the colours of the games that were played, without the rounds between."""
        return self.colours.replace("-", "")

    def in_a_row(self, colour: str) -> int:
        """Return how many games in a row would have this colour, if the next one had it."""
        runs = [(sign, len(list(signs))) for sign, signs in groupby(self.played_colours)]
        return 1 + (runs[-1][1] if runs and runs[-1][0] == colour else 0)

    def difference_with(self, colour: str) -> int:
        """Return how many more games with this colour than with the other there would be with one more."""
        other = "b" if colour == "w" else "w"
        return self.colours.count(colour) + 1 - self.colours.count(other)


def play_histories(table: Crosstable, before: int) -> dict[int, PlayHistory]:
    """Return the past of everybody before a round, by start number."""
    past = table.with_rounds(before - 1).after(before - 1)
    numbers = past.numbers.tolist()
    totals = past.totals().tolist()
    is_met = np.isin(past.state, MET) & (past.opponent >= 0)
    is_given = (past.state == RoundKind.BYE) | ((past.state == RoundKind.FORFEIT) & (past.outcome > 0))
    signs = np.where(is_met & (past.colour != 0), np.where(past.colour > 0, "w", "b"), "-")
    floats = _floats(past)
    found = {}
    for row, number in enumerate(numbers):
        met: dict[int, list[int]] = {}
        for column in np.flatnonzero(is_met[row]).tolist():
            met.setdefault(numbers[past.opponent[row, column]], []).append(column + 1)
        byes = (np.flatnonzero(is_given[row]) + 1).tolist()
        found[number] = PlayHistory(totals[row], "".join(signs[row]), "".join(floats[row]), met, byes)
    return found


def _floats(past: Crosstable) -> Any:
    """Return the float of each round: d and u between different scores, d also where nothing was played."""
    points = past.points() + past.bonus(past.scale)
    before = points.cumsum(axis=1) - points
    theirs = past.of_opponent(before) if before.size else before
    is_played = (past.state == RoundKind.PLAYED) & (past.opponent >= 0)
    between = np.where(before > theirs, "d", np.where(before < theirs, "u", "."))
    # Whoever scores without a game has floated down too; who was away has not been paired at all.
    idle = np.where(points > 0, "d", ".")
    return np.where(is_played, between, idle)

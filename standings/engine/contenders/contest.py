"""The open pairings of an event, and the points that each of them can give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from standings.engine.arrays import Bools, Ints, RoundKind
from standings.engine.contenders.search import PairingScore
from standings.engine.crosstable import Crosstable
from standings.engine.registry import get_criterion
from standings.engine.scoring import Scale
from standings.engine.standings import Standings

SCALES = {
    "total-score": None,
    "PTS": None,
    "match-points": Scale.MATCH,
    "MPTS": Scale.MATCH,
    "game-points": Scale.GAME,
    "GPTS": Scale.GAME,
}
"""The criteria that are points, by plain code, with their score; None for the primary score."""

BELOW_ALL = -(10**9)  # fewer half-points than possible, even with penalties


class Proof(StrEnum):
    """The method that found the contenders."""

    TIEBREAKS = "tiebreaks"
    POINTS = "points"
    SCHEDULE = "schedule"
    REACH = "reach"


class OpenPairing(NamedTuple):
    """A pairing of two rows without a result. `round` and `table` are 0 if the round is not paired yet."""

    round: int
    table: int
    first: int
    second: int


class Demand(NamedTuple):
    """A pairing of other competitors, the scores with which it may end, and all that are possible."""

    pairing: OpenPairing
    scores: tuple[PairingScore, ...]
    possible: tuple[PairingScore, ...]


class OwnResult(NamedTuple):
    """A result with which a contender can still be first.

    `score`: from the contender's side, None without an open game. `certain`: first regardless of other
    results. `alone`: the contender can be first without sharing the place; `certain_alone`: is so regardless
    of other results. `demands`: all other results that are needed; if they depend on each other, `ways` is
    the number of sufficient combinations and the total.
    """

    score: PairingScore | None
    certain: bool
    alone: bool
    certain_alone: bool
    demands: tuple[Demand, ...] = ()
    ways: tuple[int, int] | None = None


class Contender(NamedTuple):
    """A row that can still be first, with its half-points now and at most.

    `pairing` and `results` are about the last pairing. `needed`: the fewest half-points still needed, if a
    schedule was searched.
    """

    row: int
    points: int
    most: int
    pairing: OpenPairing | None = None
    results: tuple[OwnResult, ...] = ()
    needed: int | None = None


class Contenders(NamedTuple):
    """All contenders in the order of the standings.

    `scores`: the possible scores of a pairing. `left`: rounds that are not paired yet. `pairings`: the open
    pairings. `competitors`: the number of competitors who can take a place.
    """

    proof: Proof
    scale: Scale
    scores: tuple[PairingScore, ...]
    left: int
    pairings: tuple[OpenPairing, ...]
    competitors: int
    each: tuple[Contender, ...]


def with_withdrawals(table: Crosstable) -> Crosstable:
    """Return the results after recorded withdrawals take effect.

    In a Swiss, the opponent wins an open pairing of a competitor who has withdrawn. In a round robin, the
    table applies withdrawals itself as soon as it has columns for the missed rounds.
    """
    if not (table.withdrawn_after < table.planned_rounds).any():
        return table
    if table.is_round_robin:
        return table.with_rounds(table.planned_rounds)
    rounds = np.arange(table.rounds)
    is_open = table.kind == RoundKind.PENDING
    gone = is_open & (table.withdrawn_after[:, None] <= rounds)
    won = is_open & ~gone & gone[table.opponent, rounds]
    if not gone.any():
        return table
    changed = {"kind": np.where(gone | won, RoundKind.FORFEIT, table.kind)}
    for scale, name in ((Scale.GAME, "game_points"), (Scale.MATCH, "match_points")):
        points = np.where(gone, 0, getattr(table, name))
        changed[name] = np.where(won, table.scoring.win(scale), points)
    return table.derived(**changed)


class Contest:
    """The standings, and what each open pairing can still change.

    `games` are the possible results of a pairing in game points, `game_scores` the same in the score that
    decides first, and `scores` without duplicates, from the best for the first side. A match in progress has
    fewer possible scores, see `scores_of`. `open_counts` and `rounds_left` (n,): open pairings, and unpaired
    rounds, of each row.
    """

    def __init__(self, standings: Standings, game_results: Sequence[tuple[int, int]]) -> None:
        self.standings, self.table = standings, with_withdrawals(standings.table)
        deciding = get_criterion(standings.criteria[0]) if standings.criteria else None
        self.is_points = deciding is not None and deciding.plain_code in SCALES
        scale = deciding.scale or SCALES.get(deciding.plain_code) if deciding else None
        self.scale = scale or self.table.scale
        table = self.table
        is_match = self.scale is Scale.MATCH
        final = table.final_match_bonus if is_match else table.final_game_bonus
        coming = table.coming_match_bonus if is_match else table.coming_game_bonus
        self.points: Ints = table.totals(self.scale) + final + coming + self._won_without_playing
        self.ranked: Bools = ~(table.outside | table.annulled)
        self.game_results = game_results
        self.games = _match_results(game_results, table.scoring.boards)
        self.left = max(table.planned_rounds - standings.table.rounds, 0)

    # --- preconditions ---------------------------------------------------------------------------

    @property
    def is_provable(self) -> bool:
        """Return whether points decide first, and no recorded result can change."""
        table = self.table
        ruled = any(ruling.kind in {"place", "value", "rules"} for ruling in self.standings.overrides)
        # An open game from before a withdrawal may decide whether all games of the competitor are annulled.
        before = np.arange(table.rounds) < table.withdrawn_after[:, None]
        # A competitor who leaves later may have all games annulled.
        leaves = table.withdrawn_after
        leaves_later = (leaves > self.standings.table.rounds) & (leaves < table.planned_rounds)
        _, kinds, _ = table.board_arrays
        unknown_boards = (table.state == RoundKind.PENDING)[:, :, None] & (kinds == RoundKind.UNKNOWN)
        unsettled = table.withdrawn[:, None] & before & (table.kind == RoundKind.PENDING)
        return bool(
            self.is_points
            and self.games
            and self.ranked.any()
            and table.rounds
            and not ruled
            and not unsettled.any()
            and not (table.is_round_robin and leaves_later.any())
            and not (table.state == RoundKind.UNKNOWN).any()
            and not unknown_boards.any()
            and not (table.games > 1).any()  # the result of a micro-match cannot be enumerated
        )

    # --- withdrawals -----------------------------------------------------------------------------

    @property
    def _missing(self) -> Ints:
        """Return (n, n) how many pairings of a round robin are not scheduled yet, above the diagonal."""
        table, n = self.table, len(self.table.names)
        met = np.zeros((n, n), dtype=np.int64)
        rows, rounds = np.nonzero(table.opponent >= 0)
        np.add.at(met, (rows, table.opponent[rows, rounds]), 1)
        missing: Ints = np.triu(np.maximum(table.games_each // max(n - 1, 1) - met, 0), 1)
        return missing

    @property
    def _won_without_playing(self) -> Ints:
        if not self.table.withdrawn.any():
            return np.zeros(len(self.table.names), dtype=np.int64)
        forfeits = self.table.withdrawn & ~self.table.annulled
        missing = self._missing + self._missing.T
        games = (missing * forfeits).sum(axis=1) * ~self.table.withdrawn
        won: Ints = games * self.table.scoring.win(self.scale)
        return won

    @cached_property
    def rounds_left(self) -> Ints:
        last = np.minimum(self.table.withdrawn_after, self.table.planned_rounds)
        left: Ints = np.clip(last - self.standings.table.rounds, 0, self.left)
        return left

    # --- open pairings ---------------------------------------------------------------------------

    @cached_property
    def pairings(self) -> tuple[OpenPairing, ...]:
        table, n = self.table, len(self.table.names)
        above = np.arange(n)[:, None] < table.opponent
        white = (table.colour > 0) | ((table.colour == 0) & above)
        rounds, rows = np.nonzero(((table.state == RoundKind.PENDING) & white).T)
        opponents, tables = table.opponent[rows, rounds], table.table_number[rows, rounds]
        found = zip((rounds + 1).tolist(), tables.tolist(), rows.tolist(), opponents.tolist(), strict=True)
        return (*sorted(map(OpenPairing._make, found)), *self.scheduled)

    @cached_property
    def scheduled(self) -> tuple[OpenPairing, ...]:
        if not (self.left and self.table.is_round_robin):
            return ()
        stay = ~self.table.withdrawn
        missing = self._missing * stay[:, None] * stay
        pairs = np.argwhere(missing).tolist()
        return tuple(OpenPairing(0, 0, a, b) for a, b in pairs for _ in range(int(missing[a, b])))

    @property
    def knows_schedule(self) -> bool:
        left_by_some = self.table.is_round_robin and bool(self.table.withdrawn.any())
        return not self.left or bool(self.scheduled) or left_by_some

    @cached_property
    def open_counts(self) -> Ints:
        sides = [row for pairing in self.pairings for row in (pairing.first, pairing.second)]
        return np.bincount(np.array(sides, dtype=np.int64), minlength=len(self.table.names))

    @property
    def most_open(self) -> int:
        return int(self.open_counts.max(initial=0))

    @cached_property
    def game_scores(self) -> list[PairingScore]:
        return self._in_deciding_score(self.games)

    def _in_deciding_score(self, games: Sequence[tuple[int, int]]) -> list[PairingScore]:
        if self.scale is Scale.GAME:
            return [PairingScore(*game) for game in games]
        first, second = np.array(games, dtype=np.int64).T
        kind = np.full(len(first), RoundKind.PLAYED)
        given = self.table.scoring.match_points
        sides = given(first, second, kind).tolist(), given(second, first, kind).tolist()
        return list(map(PairingScore, *sides))

    @cached_property
    def scores(self) -> tuple[PairingScore, ...]:
        return _from_best(self.game_scores)

    @cached_property
    def _in_progress(self) -> dict[OpenPairing, tuple[PairingScore, ...]]:
        if self.table.board_kind is None:
            return {}
        points, open_boards = self.table.in_progress
        found = {}
        for pairing in self.pairings:
            column = pairing.round - 1
            if pairing.round and (boards := int(open_boards[pairing.first, column])):
                sides = (int(points[row, column]) for row in (pairing.first, pairing.second))
                games = _match_results(self.game_results, boards, *sides)
                found[pairing] = _from_best(self._in_deciding_score(games))
        return found

    def scores_of(self, pairing: OpenPairing) -> tuple[PairingScore, ...]:
        """Return the possible scores of a pairing, from the best for the first side."""
        return self._in_progress.get(pairing, self.scores)

    def scores_for(self, pairing: OpenPairing, row: int) -> tuple[PairingScore, ...]:
        scores = self.scores_of(pairing)
        return scores if row == pairing.first else _from_best(PairingScore(b, a) for a, b in scores)

    @cached_property
    def most_left(self) -> Ints:
        """Return (n,) the half-points that each row can still get from its open pairings."""
        return self._left(max, self.pairings)

    @cached_property
    def certain_left(self) -> Ints:
        """Return (n,) the half-points that each row gets at least from its matches in progress."""
        return self._left(min, self._in_progress)

    def _left(self, pick: Callable[[Iterable[int]], int], pairings: Iterable[OpenPairing]) -> Ints:
        found = np.zeros(len(self.table.names), dtype=np.int64)
        for pairing in pairings:
            scores = self.scores_of(pairing)
            found[pairing.first] += pick(score.first for score in scores)
            found[pairing.second] += pick(score.second for score in scores)
        return found

    def index_of_open(self, row: int) -> int | None:
        sides = ((pairing.first, pairing.second) for pairing in self.pairings)
        return next((at for at, pair in enumerate(sides) if row in pair), None)

    def result(self, proof: Proof, each: Sequence[Contender]) -> Contenders:
        found = tuple(one for one in each if one.results or proof in (Proof.SCHEDULE, Proof.REACH))
        competitors = int(np.count_nonzero(self.ranked))
        scores = _from_best({*self.scores, *(score for each in self._in_progress.values() for score in each)})
        return Contenders(proof, self.scale, scores, self.left, self.pairings, competitors, found)


def _from_best(scores: Iterable[PairingScore]) -> tuple[PairingScore, ...]:
    return tuple(sorted(set(scores), key=lambda score: (-score.first, score.second)))


def _match_results(
    game_results: Sequence[tuple[int, int]], boards: int, first_has: int = 0, second_has: int = 0
) -> list[tuple[int, int]]:
    sums = {(first_has, second_has)}
    for _ in range(boards):
        sums = {(a + first, b + second) for a, b in sums for first, second in game_results}
    return sorted(sums, reverse=True) if game_results else []

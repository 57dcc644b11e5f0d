"""The results of an event as integer arrays, validated once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Self

import numpy as np

from standings.engine.arrays import WITH_OPPONENT, BoardFigure, Bools, Ints, RoundKind, is_any
from standings.engine.policies import UnplayedPolicy
from standings.engine.scoring import CHESS, Scale, Scoring

PerRound = Annotated[Ints, "(n, rounds)"]
PerCompetitor = Annotated[Ints, "(n,)"]
Flags = Annotated[Bools, "(n,)"]
PER_BOARD = ("board_points", "board_kind", "board_colour")
NEVER = 10**6  # `withdrawn_after` of competitors who stay


@dataclass(frozen=True, eq=False)
class PublishedRanking:
    """The published ranking of an event without known results.

    `places` (n,): the published place of each row, 0 for none. `columns`: by printed heading, the text of
    each row, blank for none. `printed_by`: the publisher or another source, blank if unknown.
    """

    places: Ints
    columns: Mapping[str, Sequence[str]]
    printed_by: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Record:
    """The record of n competitors.

    Arrays (n, rounds) of int64, where column r is round r + 1. `opponent`: row of the opponent, or -1.
    `kind`: a RoundKind. `game_points` and `match_points`: half-points, byes and forfeits as awarded.
    `advantage`: 1 for 1+, -1 for 1-. `games`: number of games in a micro-match. `colour`: 1 White, -1 Black,
    0 none or unknown (in team events, on board 1). `table_number` of the pairing, or 0. `delayed`: 1 if a
    pending pairing is postponed, 2 if adjourned, only to be shown. `game_bonus` and `match_bonus`: bonus
    half-points from that round on, negative for a penalty; they count in the own score only.

    Team events also have `boards` (n, rounds, len(BoardFigure)), the recorded boards of each match; None for
    players, whose pairings have a single board. The single boards are (n, rounds, boards): `board_points` in
    half-points, `board_kind`, a RoundKind, ABSENT if nothing is recorded, and `board_colour`, like `colour`;
    None if no board is recorded.

    Arrays (n,). `numbers`: start numbers. `pairing_numbers`: FIDE's TPN, usually the same. `rating`: 0 if
    unrated. `rating_a`: the list marks the rating with an "a". `manual`: the arbiter's number, which counts
    from round `manual_after` on. `outside`: outside the
    competition. `withdrawn_after`: the last round before a withdrawal, else NEVER. `final_game_bonus` and
    `final_match_bonus`: bonus half-points that count in the final standings only, and in no tie-break.
    `coming_game_bonus` and `coming_match_bonus`: bonus half-points for rounds that have no column yet.

    `primary`: the main score, unless the ranking system fixes another. `unplayed`: the policy of the event,
    None for the system's policy. `games_each`: number of games per competitor in a round robin, 0 in a Swiss.
    `planned_rounds`: by default the number of columns. `unrated`: the rating of unrated opponents in C.07 10,
    0 to leave them out, None if the event does not decide it. `byes_are_wins` and `half_annuls`: the settings
    `wins_count_byes` and `withdrawal_at_half`. `order_known`: the rounds were played in this order.
    `published`: the published ranking, if the results are unknown.

    Raise ValueError if an array has the wrong shape or type, or if the two sides of a pairing contradict each
    other.
    """

    names: tuple[str, ...]
    opponent: PerRound
    kind: PerRound
    game_points: PerRound
    match_points: PerRound
    advantage: PerRound
    games: PerRound
    colour: PerRound
    table_number: PerRound
    delayed: PerRound
    game_bonus: PerRound
    match_bonus: PerRound
    numbers: PerCompetitor
    pairing_numbers: PerCompetitor
    rating: PerCompetitor
    rating_a: Flags
    manual: PerCompetitor
    manual_after: PerCompetitor
    outside: Flags
    withdrawn_after: PerCompetitor
    final_game_bonus: PerCompetitor
    final_match_bonus: PerCompetitor
    coming_game_bonus: PerCompetitor
    coming_match_bonus: PerCompetitor
    scoring: Scoring = CHESS
    primary: Scale = Scale.GAME
    unplayed: UnplayedPolicy | None = None
    games_each: int = 0
    byes_are_wins: bool = False
    half_annuls: bool = False
    planned_rounds: int = 0
    unrated: int | None = None
    order_known: bool = True
    published: PublishedRanking | None = None
    boards: Ints | None = None
    board_points: Ints | None = None
    board_kind: Ints | None = None
    board_colour: Ints | None = None

    @classmethod
    def of(cls, names: tuple[str, ...], rounds: int, *, scoring: Scoring = CHESS, **given: Any) -> Self:
        """Return a record. Fields that are not given are blank: absent, 0 points, unrated, not withdrawn.

        Match points are computed from the game points, unless they are given.
        """
        n = len(names)
        arrays: dict[str, Any] = {name: np.zeros((n, rounds), dtype=np.int64) for name in PER_ROUND}
        arrays |= {name: np.zeros(n, dtype=np.int64) for name in PER_COMPETITOR}
        arrays |= {name: np.zeros(n, dtype=bool) for name in FLAGS}
        arrays |= {"opponent": arrays["opponent"] - 1, "withdrawn_after": arrays["withdrawn_after"] + NEVER}
        arrays |= {"numbers": np.arange(1, n + 1), "planned_rounds": rounds} | given
        arrays["pairing_numbers"] = given.get("pairing_numbers", arrays["numbers"])
        if "match_points" not in given:
            own = arrays["game_points"]
            opponent = arrays["opponent"] % max(n, 1)  # rows out of range are refused below
            theirs = own[opponent, np.arange(rounds)] if own.size else own
            arrays["match_points"] = scoring.match_points(own, theirs, arrays["kind"])
        return cls(names=names, scoring=scoring, **arrays)

    def derived(self, **changed: Any) -> Self:
        """Return a copy with other values in some fields, without validation and without cached values."""
        copy = object.__new__(type(self))
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        copy.__dict__.update(values | changed | _empty_caches(self))
        return copy

    @property
    def rounds(self) -> int:
        return int(self.opponent.shape[1])

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.names), self.rounds

    # --- validation ------------------------------------------------------------------------------

    def __post_init__(self) -> None:
        n, rounds = len(self.names), self.opponent.shape[-1]
        self._check_arrays(PER_ROUND, (n, rounds), np.dtype(np.int64))
        if self.boards is not None:
            self._check_arrays(("boards",), (n, rounds, len(BoardFigure)), np.dtype(np.int64))
        if self.board_points is not None:
            self._check_arrays(PER_BOARD, self.board_points.shape, np.dtype(np.int64))
        self._check_arrays(PER_COMPETITOR, (n,), np.dtype(np.int64))
        self._check_arrays(FLAGS, (n,), np.dtype(np.bool_))
        if self.opponent.size:
            self._check_range("opponent", -1, n - 1)
            self._check_range("kind", RoundKind.ABSENT, RoundKind.UNKNOWN)
            self._check_pairings()

    def _check_arrays(self, names: tuple[str, ...], shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        for name in names:
            array = getattr(self, name)
            if array.shape != shape or array.dtype != dtype:
                raise ValueError(f"{name} is {array.dtype} {array.shape}, not {dtype} {shape}")

    def _check_range(self, name: str, low: int, high: int) -> None:
        array = getattr(self, name)
        if array.min() < low or array.max() > high:
            raise ValueError(f"{name} goes from {array.min()} to {array.max()}, not from {low} to {high}")

    def _check_pairings(self) -> None:
        own = np.arange(len(self.names))[:, None]
        paired = self.opponent >= 0
        theirs = self.opponent[self.opponent, np.arange(self.rounds)]
        for wrong, fault in (
            (paired & (self.opponent == own), "is paired with itself"),
            (paired & (theirs != own), "has an opponent who has another one"),
            (paired != is_any(self.kind, WITH_OPPONENT), "has a result without an opponent, or the reverse"),
        ):
            if wrong.any():
                row, at = np.argwhere(wrong)[0].tolist()
                raise ValueError(f"{self.names[row]} {fault} in round {at + 1}")

    # --- pickling --------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        # Without cached values, and in the narrowest integer types: standings are cached in great numbers.
        state = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        for name, value in state.items():
            if isinstance(value, np.ndarray) and value.dtype != np.bool_:
                low, high = value.min(initial=0), value.max(initial=0)
                narrow = (
                    t
                    for t in (np.int8, np.int16, np.int32)
                    if np.iinfo(t).min <= low and high <= np.iinfo(t).max
                )
                state[name] = value.astype(next(narrow, np.int64))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            is_integer = isinstance(value, np.ndarray) and value.dtype != np.bool_
            self.__dict__[name] = value.astype(np.int64) if is_integer else value
        self.__dict__.update(_empty_caches(self))


PER_ROUND, PER_COMPETITOR, FLAGS = (
    tuple(each.name for each in fields(Record) if each.type == shape)
    for shape in (PerRound, PerCompetitor, Flags)
)
"""The names of the arrays by shape."""


def _empty_caches(record: Record) -> dict[str, Any]:
    return {each.name: each.default_factory() for each in fields(record) if callable(each.default_factory)}

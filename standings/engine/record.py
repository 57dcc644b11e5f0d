"""The record of an event as integer arrays, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from standings.engine.arrays import WITH_OPPONENT, BoardFigure, Bools, Ints, RoundKind, is_any
from standings.engine.policies import UnplayedPolicy
from standings.engine.scoring import CHESS, Scale, Scoring

PER_ROUND = (
    "opponent",
    "kind",
    "game_points",
    "match_points",
    "advantage",
    "games",
    "colour",
    "table_number",
    "game_bonus",
    "match_bonus",
)
PER_BOARD = ("board_points", "board_kind", "board_colour")
PER_COMPETITOR = (
    "numbers",
    "rating",
    "manual",
    "manual_after",
    "withdrawn_after",
    "final_game_bonus",
    "final_match_bonus",
    "coming_game_bonus",
    "coming_match_bonus",
)
FLAGS = ("rating_a", "outside")
NEVER = 10**6  # the round after which nobody withdraws


@dataclass(frozen=True, eq=False)
class PublishedRanking:
    """The ranking of an event whose results are unknown, as its source prints it.

    `places` (n,): the published place of each row, 0 for none. `columns`: by printed label, the figure of
    each row as text, blank for none.
    """

    places: Ints
    columns: Mapping[str, Sequence[str]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Record:
    """The record of n competitors.

    Of shape (n, rounds), int64; column r is round r + 1: `opponent` row of the opponent, -1 for nobody;
    `kind` a RoundKind; `game_points` and `match_points` in half-points, byes and forfeits as awarded;
    `advantage` 1 for 1+, -1 for 1-; `games` played in a micro-match; `colour` 1 White, -1 Black, 0 none or
    unknown (teams: on board 1); `table_number` of the pairing, 0 for none. `game_bonus` and `match_bonus`:
    half-points given beside the results from that round on, below 0 for a penalty; they count in the own
    score only.

    Of teams also `boards`, (n, rounds, len(BoardFigure)): what became of the boards of a match, as far as
    they are recorded. None where competitors are players, and each pairing is one board. And board by board,
    (n, rounds, boards): `board_points` in half-points, `board_kind` a RoundKind, ABSENT where nothing is
    recorded, `board_colour` like `colour`. None where no board is.

    Of shape (n,): `numbers` start numbers; `rating` 0 for none; `rating_a` whether the list marks it "a";
    `manual` the arbiter's number, which counts from round `manual_after` on; `outside` the competition;
    `withdrawn_after` the last round before the withdrawal, NEVER for none; `final_game_bonus` and
    `final_match_bonus` half-points that count in the final standings alone, and in no tie-break;
    `coming_game_bonus` and `coming_match_bonus` those dated to planned rounds that have no column yet.

    Of the event: `primary` the score that totals mean, unless the system fixes another; `unplayed` its own
    policy, None for the system's; `games_each` scheduled in a round robin, 0 in a Swiss; `planned_rounds`,
    those that are shown where it is not given; `unrated`, the rating of who has none in the criteria of
    C.07 10, 0 to leave these out, None where the event does not say; `byes_are_wins` and `half_annuls`, its
    switches `wins_count_byes` and `withdrawal_at_half`; `order_known`: the rounds were played in this order;
    `published`: the ranking that is the only known fact of an event without results, None for all others.

    ValueError where an array has another shape or type, or a pairing is not one from both sides.
    """

    names: tuple[str, ...]
    opponent: Ints
    kind: Ints
    game_points: Ints
    match_points: Ints
    advantage: Ints
    games: Ints
    colour: Ints
    table_number: Ints
    game_bonus: Ints
    match_bonus: Ints
    numbers: Ints
    rating: Ints
    rating_a: Bools
    manual: Ints
    manual_after: Ints
    outside: Bools
    withdrawn_after: Ints
    final_game_bonus: Ints
    final_match_bonus: Ints
    coming_game_bonus: Ints
    coming_match_bonus: Ints
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
        """Return a record; what is not given is blank: absent, no points, unrated, never withdrawn.

        Match points that are not given follow from the game points.
        """
        n = len(names)
        made: dict[str, Any] = {name: np.zeros((n, rounds), dtype=np.int64) for name in PER_ROUND}
        made |= {name: np.zeros(n, dtype=np.int64) for name in PER_COMPETITOR}
        made |= {name: np.zeros(n, dtype=bool) for name in FLAGS}
        made |= {"opponent": made["opponent"] - 1, "withdrawn_after": made["withdrawn_after"] + NEVER}
        made |= {"numbers": np.arange(1, n + 1), "planned_rounds": rounds} | given
        if "match_points" not in given:
            own = made["game_points"]
            opponent = made["opponent"] % max(n, 1)  # one beyond the last is refused below
            theirs = own[opponent, np.arange(rounds)] if own.size else own
            made["match_points"] = scoring.match_points(own, theirs, made["kind"])
        return cls(names=names, scoring=scoring, **made)

    def derived(self, **changed: Any) -> Self:
        """Return the same record but for some fields, unchecked and with nothing computed of it."""
        made = object.__new__(type(self))
        given = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        made.__dict__.update(given | changed | _computed(self))
        return made

    @property
    def rounds(self) -> int:
        """Return how many rounds there are."""
        return int(self.opponent.shape[1])

    @property
    def shape(self) -> tuple[int, int]:
        """Return the numbers of competitors and of rounds."""
        return len(self.names), self.rounds

    # --- checked once ----------------------------------------------------------------------------

    def __post_init__(self) -> None:
        """Refuse what does not fit together."""
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

    # --- pickled small ---------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone, without anything computed; integers as narrow as they fit."""
        return {each.name: _narrow(getattr(self, each.name)) for each in fields(self) if each.init}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the fields in full width."""
        self.__dict__.update({name: _widened(value) for name, value in state.items()} | _computed(self))


def _computed(record: Record) -> dict[str, Any]:
    """Return what a record has computed before it computed anything."""
    return {each.name: each.default_factory() for each in fields(record) if callable(each.default_factory)}


def _narrow(value: Any) -> Any:
    if not isinstance(value, np.ndarray) or value.dtype == np.bool_:
        return value
    low, high = value.min(initial=0), value.max(initial=0)
    widths = (np.int8, np.int16, np.int32)
    return value.astype(
        next((t for t in widths if np.iinfo(t).min <= low and high <= np.iinfo(t).max), np.int64)
    )


def _widened(value: Any) -> Any:
    return value.astype(np.int64) if isinstance(value, np.ndarray) and value.dtype != np.bool_ else value

"""Merges the pairings in a table into the rounds of an event. Other pairings remain."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import count
from typing import Any

from tournaments.event.choices import SCORELESS, PairingColours
from tournaments.event.completing import pairing_of
from tournaments.event.dates import parse_day
from tournaments.event.document import EventEntry, GameEntry, PairingEntry, RoundEntry
from tournaments.event.resultcodes import PairingResult
from tournaments.interchange.formats.log import Log, read_object
from tournaments.interchange.formats.tables.grid import RowPlace

Seat = tuple[int, int]  # round and table


@dataclass
class TabledPairing:
    """A pairing.

    `raw`: as in an event file. `boards`: the rows of its games. `is_sided`: the table has the order of the
    sides. `is_known`: the table does not contradict itself about the result.
    """

    round: int
    place: RowPlace
    raw: dict[str, Any]
    boards: list[tuple[RowPlace, dict[str, Any]]] = field(default_factory=list)
    date: str = ""
    time: str = ""
    is_sided: bool = True
    is_known: bool = True

    @property
    def pair(self) -> frozenset[int]:
        return frozenset(each for each in (self.raw["first"], self.raw.get("second")) if each is not None)


def score(half_points: int) -> Decimal:
    # A Decimal is exact, like the numbers that the parser of event files reads.
    return Decimal(half_points) / 2


def raw_result(result: PairingResult) -> dict[str, Any]:
    raw: dict[str, Any] = {"kind": str(result.kind)}
    if result.first_score is not None:
        second = None if result.second_score is None else score(result.second_score)
        raw["score"] = [score(result.first_score), second]
    if result.advantage:
        raw["advantage"] = result.advantage
    if result.delayed:
        raw["delayed"] = result.delayed
    if result.games_played is not None:
        raw["games_played"] = result.games_played
    return raw


class Rounds:
    """The rounds of an event with the changes of tables. `places`: the row of each pairing."""

    def __init__(self, event: EventEntry, rounds: Iterable[RoundEntry], log: Log) -> None:
        self.event, self.log = event, log
        self.by_number = {each.number: each for each in rounds}
        self.places: dict[Seat, RowPlace] = {}

    def merge(self, tabled: Iterable[TabledPairing]) -> None:
        """Add the pairings to their rounds. Invalid pairings are omitted with a finding."""
        by_round: dict[int, list[TabledPairing]] = defaultdict(list)
        for each in tabled:
            by_round[each.round].append(each)
        for number, pairings in by_round.items():
            self._merge_round(number, pairings)

    def all(self) -> tuple[RoundEntry, ...]:
        return tuple(self.by_number[number] for number in sorted(self.by_number))

    def _merge_round(self, number: int, tabled: list[TabledPairing]) -> None:
        round_ = self.by_number.get(number) or RoundEntry(number=number, state="")
        there = {frozenset(each.numbers): each for each in round_.pairings}
        seats = [(each, there.get(each.pair)) for each in tabled]
        busy = frozenset(each for one in tabled for each in one.pair)
        # A competitor who is paired again leaves the earlier pairing of the round.
        staying = [each for pair, each in there.items() if not pair & busy]
        taken = {each.table for each in staying}
        taken |= {known.table for _, known in seats if known}
        taken |= {each.raw["table"] for each in tabled if isinstance(each.raw.get("table"), int)}
        free = (table for table in count(1) if table not in taken)
        made = [self._pairing(each, known, free) for each, known in seats]
        pairings = (*staying, *(each for each in made if each))
        if pairings:
            date = next((each.date for each in tabled if each.date), round_.date)
            time = next((each.time for each in tabled if each.time), round_.time)
            is_open = any(each.kind in SCORELESS for each in pairings)
            self.by_number[number] = replace(
                round_,
                date=date,
                time=time if parse_day(date) else "",  # a year has no hours
                state=round_.state or ("published" if is_open else "closed"),
                pairings=pairings,
            )

    def _pairing(self, tabled: TabledPairing, known: PairingEntry | None, free: Any) -> PairingEntry | None:
        table = tabled.raw.get("table") or (known.table if known else next(free))
        raw = {**tabled.raw, "table": table}
        if "second" in raw and not (tabled.is_sided or self.event.is_team):
            raw["colours"] = PairingColours.UNKNOWN.value
        entry = read_object(PairingEntry, raw, tabled.place, self.log)
        games = [read_object(GameEntry, raw, place, self.log) for place, raw in tabled.boards]
        sound = tuple(each for each in games if each)
        if entry is None or len(sound) < len(games):
            return None
        read = replace(pairing_of(self.event, entry), games=sound)
        self.places[tabled.round, read.table] = tabled.place
        return _with_known_data(read, known, tabled) if known else read


def _with_known_data(read: PairingEntry, known: PairingEntry, tabled: TabledPairing) -> PairingEntry:
    if not tabled.is_sided:
        read = replace(_swapped(read) if read.first == known.second else read, colours=known.colours)
    if not tabled.is_known:
        return known
    if read.moves and read.kind in SCORELESS and known.kind not in SCORELESS:
        # A file of games may be older than the result in the event.
        read = replace(read, kind=known.kind, first_score=known.first_score, second_score=known.second_score)
    is_same = (read.kind, read.first_score, read.second_score) == (
        known.kind,
        known.first_score,
        known.second_score,
    )
    # Boards and match points belong to their score, so another score removes them.
    if is_same and not tabled.boards:
        read = replace(
            read,
            games=known.games,
            first_match_points=known.first_match_points,
            second_match_points=known.second_match_points,
            advantage=read.advantage or known.advantage,
            games_played=read.games_played or known.games_played,
        )
    games = {each.board: each for each in known.games}
    read = replace(
        read,
        moves=read.moves or known.moves,
        games=tuple(_with_moves(each, games.get(each.board)) for each in read.games),
    )
    return read if "note" in tabled.raw else replace(read, note=known.note)


def _with_moves(read: GameEntry, known: GameEntry | None) -> GameEntry:
    if read.moves or known is None or not known.moves:
        return read
    is_same = all(
        mine is None or theirs is None or mine.name == theirs.name
        for mine, theirs in (
            (read.first_player, known.first_player),
            (read.second_player, known.second_player),
        )
    )
    return replace(read, moves=known.moves) if is_same else read


def _swapped(read: PairingEntry) -> PairingEntry:
    sides = {"first": "second", "second": "first", "": ""}
    return replace(
        read, first=read.second or 0, second=read.first, first_score=read.second_score,
        second_score=read.first_score, advantage=sides[read.advantage],
    )  # fmt: skip

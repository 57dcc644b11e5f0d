"""Pairings as a table tells them → the rounds of an event. What the table does not tell of stays."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from typing import Any

from tournaments.event.document import SCORELESS, EventEntry, GameEntry, PairingEntry, RoundEntry
from tournaments.formats.json import keys
from tournaments.formats.json.read_rounds import board as read_board
from tournaments.formats.json.read_rounds import pairing as read_pairing
from tournaments.formats.node import Log, Node
from tournaments.formats.tables.grid import RowPlace
from tournaments.formats.tables.told import Told

Seat = tuple[int, int]
"""Round and table."""


class Rounds:
    """The rounds of an event as tables change them; `places` says which row a pairing was read from."""

    def __init__(self, event: EventEntry, rounds: Iterable[RoundEntry], log: Log) -> None:
        self.event, self.log = event, log
        self.by_number = {each.number: each for each in rounds}
        self.places: dict[Seat, RowPlace] = {}

    def merge(self, told: Iterable[Told]) -> None:
        """Put the pairings into their rounds; a faulty one is left out and told of."""
        by_round: dict[int, list[Told]] = defaultdict(list)
        for each in told:
            by_round[each.round].append(each)
        for number, pairings in by_round.items():
            self._merge_round(number, pairings)

    def all(self) -> tuple[RoundEntry, ...]:
        """Every round by number."""
        return tuple(self.by_number[number] for number in sorted(self.by_number))

    def _merge_round(self, number: int, told: list[Told]) -> None:
        round_ = self.by_number.get(number) or RoundEntry(number, state="")
        there = {frozenset(each.numbers): each for each in round_.pairings}
        seats = [(each, there.get(each.pair)) for each in told]
        busy = frozenset(each for one in told for each in one.pair)
        staying = [each for pair, each in there.items() if not pair & busy]
        taken = {each.table for each in staying}
        taken |= {known.table for _, known in seats if known}
        taken |= {each.raw["table"] for each in told if isinstance(each.raw.get("table"), int)}
        free = (table for table in count(1) if table not in taken)
        made = [self._pairing(each, known, free) for each, known in seats]
        pairings = (*staying, *(each for each in made if each))
        if pairings:
            date = next((each.date for each in told if each.date), round_.date)
            self.by_number[number] = replace(
                round_, date=date, state=_state(round_, pairings), pairings=pairings
            )

    def _pairing(self, told: Told, known: PairingEntry | None, free: Any) -> PairingEntry | None:
        table = told.raw.get("table") or (known.table if known else next(free))
        before = len(self.log.findings)
        node = Node({**told.raw, "table": table}, keys.PAIRING, told.place, self.log)
        read = replace(read_pairing(node, self.event), games=self._games(told))
        if len(self.log.findings) > before:
            return None
        self.places[told.round, read.table] = told.place
        return _completed(read, known, told) if known else read

    def _games(self, told: Told) -> tuple[GameEntry, ...]:
        return tuple(read_board(Node(raw, keys.GAME, place, self.log)) for place, raw in told.boards)


def _completed(read: PairingEntry, known: PairingEntry, told: Told) -> PairingEntry:
    """The pairing with what the event knows and a table does not tell: boards, match points, a note."""
    if not told.is_sided and read.first == known.second:
        read = _turned(read)
    is_same = (read.kind, read.first_score, read.second_score) == (
        known.kind,
        known.first_score,
        known.second_score,
    )
    if is_same and not told.boards:
        read = replace(
            read,
            games=known.games,
            first_match_points=known.first_match_points,
            second_match_points=known.second_match_points,
            advantage=read.advantage or known.advantage,
            games_played=read.games_played or known.games_played,
        )
    return read if "note" in told.raw else replace(read, note=known.note)


def _turned(read: PairingEntry) -> PairingEntry:
    """The same pairing seen from the other side."""
    sides = {"first": "second", "second": "first", "": ""}
    return replace(
        read, first=read.second or 0, second=read.first, first_score=read.second_score,
        second_score=read.first_score, advantage=sides[read.advantage],
    )  # fmt: skip


def _state(round_: RoundEntry, pairings: Iterable[PairingEntry]) -> str:
    """The state that the round has; a new one is closed once every result is in."""
    is_open = any(each.kind in SCORELESS for each in pairings)
    return round_.state or ("published" if is_open else "closed")

"""Row-by-row differences between a stored event and an imported one.

A competitor is matched by name, so pairings are compared by the new numbers. A pairing is matched by its
two competitors. Players are matched by FIDE id, then name, then board.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from operator import eq
from typing import Any, Generic, TypeVar, cast

from tournaments.event.document import (
    AcknowledgementEntry,
    ChangeEntry,
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    OverrideEntry,
    PairingEntry,
    PlayerEntry,
    PublishedEntry,
    RoundEntry,
)
from tournaments.interchange.formats.trf.publishing import publishable_lines, published_lines
from tournaments.interchange.public import public_particulars

T = TypeVar("T")

Seat = tuple[int | None, int | str | None]
"""A player: number of the team in the import, and identity within the team."""


@dataclass(frozen=True, slots=True)
class RowChange(Generic[T]):
    """A row as stored and as imported, None if missing. `is_same`: both are equal."""

    old: T | None
    new: T | None
    is_same: bool = False

    @property
    def either(self) -> T:
        return cast("T", self.old if self.new is None else self.new)

    @property
    def verb(self) -> str:
        if self.is_same:
            return "unchanged"
        return "added" if self.old is None else "removed" if self.new is None else "changed"


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """A changed player, and the row of the team."""

    team: RowChange[CompetitorEntry]
    row: RowChange[PlayerEntry]


@dataclass(frozen=True, slots=True)
class PairingChange:
    """A changed pairing with its changed games, or with all games if it is relocated.

    `is_relocated`: the pairing has another table or another competitor.
    """

    round: int
    row: RowChange[PairingEntry]
    games: list[RowChange[GameEntry]]
    is_relocated: bool


@dataclass(frozen=True, slots=True)
class Differences:
    """Changed rows by table."""

    event: RowChange[EventEntry]
    former_slugs: tuple[str, ...] = ()  # to add; a redirecting slug is never removed
    competitors: list[RowChange[CompetitorEntry]] = field(default_factory=list)
    players: list[PlayerChange] = field(default_factory=list)
    rounds: list[RowChange[RoundEntry]] = field(default_factory=list)
    pairings: list[PairingChange] = field(default_factory=list)
    overrides: list[RowChange[OverrideEntry]] = field(default_factory=list)
    changes: list[RowChange[ChangeEntry]] = field(default_factory=list)
    acknowledged: list[RowChange[AcknowledgementEntry]] = field(default_factory=list)
    published: list[RowChange[PublishedEntry]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return self.event.is_same and not any(getattr(self, each.name) for each in fields(self)[1:])

    @property
    def touches_entries(self) -> bool:
        """Return whether competitors or players changed, so that links to persons must be updated."""
        return bool(self.competitors or self.players)


def differences(stored: Document | None, proposed: Document) -> Differences:
    """Return the differences between the stored event, or None for a new one, and the imported one."""
    # Unchanged events are imported most often, and comparing thousands of games takes time.
    if stored == proposed:
        return Differences(RowChange(proposed.event, proposed.event, is_same=True))
    return _Comparison(stored, proposed).differences()


def with_records_kept(stored: Document, proposed: Document) -> Document:
    """Return the imported document with data that it lacks and the database has.

    These are the rounds from which overrides count, overrides of the rules with their undo records (an import
    creates them itself, and the same file may be imported again), and planned rounds, which are not public.
    """
    rules = {each.number for each in stored.overrides if each.kind == "rules"}
    numbers = {each.number for each in proposed.overrides}
    # Created by an earlier import, so the file does not contain them.
    unknown = tuple(
        each for each in stored.overrides if {each.number, each.undoes} & rules and each.number not in numbers
    )
    manual = {each.name: each.manual_after for each in stored.competitors if each.manual is not None}
    after = {each.number: each.after for each in stored.overrides}
    competitors = tuple(
        replace(each, manual_after=manual[each.name]) if each.manual_pinned and each.name in manual else each
        for each in proposed.competitors
    )
    overrides = tuple(
        replace(each, after=after[each.number]) if each.pinned and each.number in after else each
        for each in proposed.overrides
    )
    overrides = tuple(sorted((*overrides, *unknown), key=lambda each: each.number))
    known = {each.number for each in proposed.rounds}
    planned = (
        each
        for each in stored.rounds
        if each.is_draft and not each.pairings and each.number not in known
        if each.number <= proposed.event.planned_rounds
    )
    rounds = tuple(sorted((*proposed.rounds, *planned), key=lambda each: each.number))
    return replace(proposed, competitors=competitors, overrides=overrides, rounds=rounds)


def with_private_kept(stored: Document, proposed: Document) -> Document:
    """Return the imported document with the private stored values of which it has the public part.

    Public files contain only the year of birth, for example, and their import must not lose the date.
    """
    players = {(team.name, each.identity): each for team in stored.competitors for each in team.players}
    own = {(each.number, each.name): each for each in stored.competitors}
    competitors = (
        replace(
            each,
            **_private_values(each, own.get((each.number, each.name))),
            players=tuple(
                replace(player, **_private_values(player, players.get((each.name, player.identity))))
                for player in each.players
            ),
        )
        for each in proposed.competitors
    )
    stored_lines = dict(zip(published_lines(stored), publishable_lines(stored), strict=True))
    lines = tuple(stored_lines.get(each, each) for each in proposed.event.trf)
    return replace(proposed, competitors=tuple(competitors), event=replace(proposed.event, trf=lines))


def _private_values(
    entry: CompetitorEntry | PlayerEntry, stored: CompetitorEntry | PlayerEntry | None
) -> dict[str, Any]:
    parts = public_particulars(stored) if stored else {}
    return {name: getattr(stored, name) for name, part in parts.items() if getattr(entry, name) == part}


def matched(
    old: Iterable[T],
    new: Iterable[T],
    keys: Iterable[Callable[[T, bool], Hashable]],
    same: Callable[[T, T], bool] = eq,
) -> list[RowChange[T]]:
    """Return all rows, matched by the first key, then by the next, then the unmatched ones.

    A key function gets a row and whether it is stored. A key of None matches nothing.
    """
    left, right = list(old), list(new)
    rows: list[RowChange[T]] = []
    for key in keys:
        named: dict[Hashable, deque[T]] = defaultdict(deque)
        for each in left:
            named[key(each, True)].append(each)
        # Two players without a FIDE id are not the same player.
        named.pop(None, None)
        others = []
        for each in right:
            if found := named.get(key(each, False)):
                stored = found.popleft()
                rows.append(RowChange(stored, each, same(stored, each)))
            else:
                others.append(each)
        # By identity, because two equal rows, as of namesakes, must be matched separately.
        taken = {id(row.old) for row in rows}
        left, right = [each for each in left if id(each) not in taken], others
    return [*rows, *(RowChange(each, None) for each in left), *(RowChange(None, each) for each in right)]


def differing(rows: Iterable[RowChange[T]]) -> list[RowChange[T]]:
    return [each for each in rows if not each.is_same]


class _Comparison:
    """Two documents with their matched rows."""

    def __init__(self, stored: Document | None, proposed: Document) -> None:
        self.stored, self.proposed = stored, proposed
        self.old = stored or Document(proposed.event)
        self.competitors = matched(
            self.old.competitors,
            proposed.competitors,
            (
                lambda each, _: (each.number, each.name),
                lambda each, _: each.name,
                lambda each, _: each.number,
            ),
            lambda old, new: replace(old, players=new.players) == new,
        )
        self.players = [
            PlayerChange(team, row) for team in self.competitors for row in _matched_players(team)
        ]
        self.numbers = {row.old.number: row.new.number for row in self.competitors if row.old and row.new}
        self.seats: dict[Seat, Seat] = {
            (each.team.old.number, each.row.old.identity): (each.team.new.number, each.row.new.identity)
            for each in self.players
            if each.team.old and each.row.old and each.team.new and each.row.new
        }

    def differences(self) -> Differences:
        rounds = matched(
            self.old.rounds,
            self.proposed.rounds,
            (lambda each, _: each.number,),
            lambda old, new: replace(old, pairings=new.pairings) == new,
        )
        old, new = self.stored.event if self.stored else None, self.proposed.event
        is_same = old is not None and replace(old, former_slugs=new.former_slugs) == new
        tables = RowChange(self.old.published, self.proposed.published)
        return Differences(
            event=RowChange(old, new, is_same),
            former_slugs=tuple(sorted({*new.former_slugs} - {*(old.former_slugs if old else ())})),
            competitors=differing(self.competitors),
            players=[each for each in self.players if not each.row.is_same],
            rounds=differing(rounds),
            pairings=[each for row in rounds for each in self._pairings(row)],
            overrides=self._overrides(),
            changes=self._changes(),
            acknowledged=differing(
                matched(self.old.acknowledged, self.proposed.acknowledged, (lambda each, _: each,))
            ),
            published=[tables] if tables.old != tables.new else [],
        )

    def _pairings(self, row: RowChange[RoundEntry]) -> Iterator[PairingChange]:
        old, new = (each.pairings if each else () for each in (row.old, row.new))
        keys = (lambda each, is_stored: self._place(each, is_stored)[1:], lambda each, _: each.table)
        for each in matched(old, new, keys, self._same_pairing):
            moves = bool(
                each.old and each.new and self._place(each.old, True) != self._place(each.new, False)
            )
            games = self._games(each)
            games = games if moves else differing(games)
            if games or not each.is_same:
                yield PairingChange(row.either.number, each, games, moves)

    def _place(self, pairing: PairingEntry, is_stored: bool) -> tuple[int, int | None, int | None]:
        if not is_stored:
            return pairing.table, pairing.first, pairing.second
        return pairing.table, self._number(pairing.first), self._number(pairing.second)

    def _number(self, old: int | None) -> int | None:
        return None if old is None else self.numbers.get(old, -old)

    def _same_pairing(self, old: PairingEntry, new: PairingEntry) -> bool:
        if self._place(old, True) != self._place(new, False):
            return False
        return replace(old, first=new.first, second=new.second, games=new.games) == new

    def _games(self, row: RowChange[PairingEntry]) -> list[RowChange[GameEntry]]:
        old, new = row.old, row.new

        def same(one: GameEntry, other: GameEntry) -> bool:
            if not (old and new):
                return False
            reseated = replace(one, first_player=other.first_player, second_player=other.second_player)
            seats = [seat and self.seats.get(seat, (None, None)) for seat in _game_seats(one, old)]
            return reseated == other and seats == _game_seats(other, new)

        return matched(
            old.games if old else (), new.games if new else (), (lambda each, _: each.board,), same
        )

    def _overrides(self) -> list[RowChange[OverrideEntry]]:
        def same(old: OverrideEntry, new: OverrideEntry) -> bool:
            now = replace(old, competitor=self._number(old.competitor))
            # Files written before and after a renumbering are both valid.
            return new in (now, replace(now, moved=self._moved(old)))

        return differing(
            matched(self.old.overrides, self.proposed.overrides, (lambda each, _: each.number,), same)
        )

    def _changes(self) -> list[RowChange[ChangeEntry]]:
        """Return the changes of the log. Old entries are kept even if the file lacks them (ADR 0027).

        An entry is the same if only the numbers of competitors differ.
        """
        renumbered = [self._renumbered(each) for each in self.old.changes]
        # Counted, because the log may have two equal entries.
        unknown = list((Counter(renumbered) - Counter(self.proposed.changes)).elements())
        rows = matched(
            self.old.changes,
            (*self.proposed.changes, *unknown),
            (lambda each, is_stored: self._renumbered(each) if is_stored else each,),
        )
        return differing(rows)

    def _moved(self, override: OverrideEntry) -> tuple[tuple[int, int | None, int | None], ...]:
        named = ((self.numbers.get(number), was, now) for number, was, now in override.moved)
        return tuple((number, was, now) for number, was, now in named if number)

    def _renumbered(self, change: ChangeEntry) -> ChangeEntry:
        moved = tuple((self.numbers.get(number, -number), was, now) for number, was, now in change.moved)
        return replace(change, moved=moved)


def _matched_players(team: RowChange[CompetitorEntry]) -> list[RowChange[PlayerEntry]]:
    old, new = (each.players if each else () for each in (team.old, team.new))
    if old == new:
        return [RowChange(each, each, is_same=True) for each in old]
    return matched(
        old, new, (lambda each, _: each.fide_id, lambda each, _: each.name, lambda each, _: each.board)
    )


def _game_seats(game: GameEntry, pairing: PairingEntry) -> list[Seat | None]:
    return [
        (number, player.identity) if player else None
        for number, player in ((pairing.first, game.first_player), (pairing.second, game.second_player))
    ]

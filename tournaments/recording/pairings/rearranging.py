"""Rearrange the seats of a round in a single transaction: add, change and remove tables."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import Kind
from tournaments.models import Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.locking import last_saved, lock_event, name_of_user, save
from tournaments.recording.pairings.by_hand import (
    Seats,
    Tables,
    open_for_pairing,
    record_pairings,
    reseat,
    seats_at,
    seats_text,
    tables_after,
    use_fixed_tables,
    why_recorded,
)
from tournaments.recording.refusal import Conflict, Refused, required

Seen = Mapping[int, tuple[int, int]]
"""What the page showed for each competitor: key and version of the pairing."""


class Seating:
    """The current tables of a round, and the tables that a change would produce.

    Each method returns the changed tables; no data are stored.
    """

    def __init__(self, rows: Iterable[Pairing]) -> None:
        self.rows = {row.table: row for row in rows}
        self.tables = {table: seats_at(row) for table, row in self.rows.items()}
        self.table_of = {number: table for table, seats in self.tables.items() for number in seats.numbers}

    @property
    def seen(self) -> str:
        return " ".join(
            ".".join(map(str, (row.pk, row.version, *self.tables[table].numbers)))
            for table, row in self.rows.items()
        )

    def pair(self, first: int, second: int, table: int | None = None) -> Tables:
        """Pair two competitors, `first` with White. Their former opponents are paired with each other.

        Raise Refused if `table` is taken by others.
        """
        places = [self.table_of.get(number) for number in (first, second)]
        left = [self.opponent_of(number) for number in (first, second)]
        home, other = places if left[0] is not None or places[0] is not None else places[::-1]
        if left[0] is None and left[1] is not None:
            home, other = places[::-1]
        home = home or next(table for table in count(1) if table not in self.tables)
        changed: dict[int, Seats | None] = {home: Seats(first, second)}
        if other is not None and other != home:
            changed[other] = self._without(other, {first, second}, [each for each in left if each])
        if table is not None and table != home:
            if table in self.tables and table != other:
                raise Refused(_("Table %(table)s is taken. Choose another one.") % {"table": table})
            changed[home], changed[table] = changed.get(table), changed[home]
        return changed

    def exchange(self, one: int, other: int) -> Tables:
        """Swap two seats. Opponents change colours; two unpaired competitors are paired."""
        places = [self.table_of.get(number) for number in (one, other)]
        if places[0] == places[1]:
            return self.turn([one]) if places[0] else self.pair(one, other)
        changed: dict[int, Seats | None] = {}
        for number, instead, table in ((one, other, places[0]), (other, one, places[1])):
            if table is None:
                continue
            seats = self.tables[table]
            # An absence or a requested bye belongs to its competitor and is not passed on.
            is_personal = seats.second is None and seats.kind != Kind.BYE
            changed[table] = None if is_personal else seats.with_instead(number, instead)
        if not any(changed.values()):
            return self.pair(one, other)
        return changed

    def turn(self, numbers: Iterable[int]) -> Tables:
        """Swap colours at the tables of these competitors. Raise Refused if one has no opponent."""
        changed: dict[int, Seats | None] = {}
        for number in numbers:
            seats = self.tables.get(self.table_of.get(number, 0))
            if seats is None or seats.second is None:
                raise Refused(_("Competitor %(number)s has no opponent here.") % {"number": number})
            changed[self.table_of[number]] = Seats(seats.second, seats.first)
        return changed

    def part(self, numbers: Iterable[int]) -> Tables:
        """Remove the tables of these competitors. Raise Refused if one is not paired."""
        numbers = list(numbers)
        if left := [number for number in numbers if number not in self.table_of]:
            raise Refused(_("Competitor %(number)s is not paired.") % {"number": left[0]})
        return {self.table_of[number]: None for number in numbers}

    def give_round_off(self, numbers: Iterable[int], kind: str) -> Tables:
        changed: dict[int, Seats | None] = {}
        free = tables_after([*self.rows.values()])
        for number in numbers:
            table = self.table_of.get(number)
            # Of two opponents the first takes the table.
            table = next(free) if table is None or table in changed else table
            changed[table] = Seats(number, kind=kind)
        return changed

    def opponent_of(self, number: int) -> int | None:
        seats = self.tables.get(self.table_of.get(number, 0))
        return seats.opponent_of(number) if seats else None

    def _without(self, table: int, gone: set[int], left: Sequence[int]) -> Seats | None:
        seats = self.tables[table]
        left = [number for number in left if number not in gone]
        if not left:
            return None
        if seats.second is None:
            return Seats(left[0], kind=Kind.BYE) if seats.kind == Kind.BYE else None
        if len(left) == 1:
            return None
        mine, theirs = left
        # The opponent who was left takes the empty seat.
        keeps = theirs if theirs in seats.numbers else mine
        comes = mine if keeps == theirs else theirs
        return Seats(keeps, comes) if seats.first == keeps else Seats(comes, keeps)


def read_seen(text: str) -> dict[int, tuple[int, int]]:
    """Parse the text of `Seating.seen`. Invalid words are ignored."""
    seen = dict[int, tuple[int, int]]()
    for word in text.split():
        figures = word.split(".")
        if 3 <= len(figures) <= 4 and all(each.isdecimal() and len(each) < 19 for each in figures):
            key, version, *numbers = map(int, figures)
            seen.update(dict.fromkeys(numbers, (key, version)))
    return seen


def arrange(round_: Round, tables: Tables, seen: Seen, by: User, reason: str = "") -> tuple[Tables, Tables]:
    """Change these tables, all or none. Return all tables of the round, before and after the change.

    Raise Conflict if a competitor sits elsewhere than in `seen`. Raise Refused if a table has a result, a
    competitor would sit twice, or fixed tables leave no change. A published round needs a reason,
    and each change is stored as an override.
    """
    with lock_event(round_.event) as event:
        locked_round = open_for_pairing(event, round_)
        rows = {row.table: row for row in locked_round.pairings.select_related("first", "second")}
        changing = {
            table: seats
            for table, seats in tables.items()
            if _seats_changed(rows.get(table), seats, locked_round.is_draft)
        }
        before = Seating(rows.values()).tables
        if not changing:
            return before, before
        required_reason = "" if locked_round.is_draft else required(reason, why_recorded(locked_round))
        _require_seen(rows, changing, seen)
        was = {row.pk: seats_text(row) for table, row in rows.items() if table in changing}
        new_rows = reseat(locked_round, rows, changing, by, required_reason)
        if not locked_round.is_draft:
            record_pairings(event, new_rows, was, by, required_reason)
        else:
            use_fixed_tables(locked_round, by)
        now = Seating(locked_round.pairings.select_related("first", "second")).tables
        if now == before:
            fixed = next(row.fixed_tables[0] for row in new_rows if row.fixed_tables)
            text = _("A player of this game has the fixed table %(table)s, so the game stays there.")
            raise Refused(text % {"table": fixed})
    return before, now


def lock(round_: Round, tables: Iterable[int], by: User, *, locked: bool) -> int:
    """Lock or unlock pairings of a draft, by table. Return the number of changes.

    Proposals leave locked pairings unchanged.
    """
    with lock_event(round_.event) as event:
        locked_round = open_for_pairing(event, round_)
        if not locked_round.is_draft:
            raise Refused(_("The pairings of this round are published, so they cannot be locked."))
        rows = list(locked_round.pairings.filter(table__in=list(tables), locked=not locked))
        for row in rows:
            row.locked = locked
            save(row, by)
    return len(rows)


def _seats_changed(row: Pairing | None, seats: Seats | None, is_draft: bool) -> bool:
    if row is None or seats is None:
        return row is not None or seats is not None
    current = seats_at(row)
    return current != seats if is_draft else not seats.same_people(current)


def _require_seen(rows: Mapping[int, Pairing], changing: Tables, seen: Seen) -> None:
    places = {number: (row.pk, row.version) for row in rows.values() for number in seats_at(row).numbers}
    old_seats = [seats_at(rows[table]) for table in changing if table in rows]
    new_seats = [seats for seats in changing.values() if seats is not None]
    for number in (number for seats in (*old_seats, *new_seats) for number in seats.numbers):
        if places.get(number) == seen.get(number):
            continue
        if number in places:
            row = next(row for row in rows.values() if row.pk == places[number][0])
            raise Conflict(row.version, *last_saved(row))
        key, version = seen[number]
        past = past_of(Pairing).objects.filter(id=key).select_related("history_user")
        last = past.order_by("-history_id").first()
        if last is None:
            raise Conflict(version)
        raise Conflict(last.version, name_of_user(last.history_user), last.history_date)

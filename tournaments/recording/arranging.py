"""Who sits at which tables of a round, changed in one act: tables new, changed and removed together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments.event.choices import Kind
from tournaments.models import Override, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.pairings import (
    NewPairing,
    members_of,
    open_for_pairing,
    record_moves,
    refuse_result,
    refuse_twice,
    seats_text,
    sit,
    why_recorded,
)
from tournaments.recording.refusal import Conflict, Refused, required
from tournaments.recording.turns import add, add_override, in_turn, last_saved, name_of, remove, save

HIGHEST_TABLE = 32_767


@dataclass(frozen=True, slots=True)
class Seats:
    """Those who sit at a table, by number; `kind` is that of a round off, where there is no `second`."""

    first: int
    second: int | None = None
    kind: str = ""
    locked: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return who sits there."""
        return (self.first,) if self.second is None else (self.first, self.second)

    def opponent_of(self, number: int) -> int | None:
        """Return who sits opposite; None where nobody does."""
        return self.second if number == self.first else self.first

    def with_instead(self, number: int, other: int) -> "Seats":
        """Return these seats with `other` in that of `number`."""
        if number == self.first:
            return replace(self, first=other)
        return replace(self, second=other)

    def same_people(self, other: "Seats | None") -> bool:
        """Say whether the same people sit in the same seats, locked or not."""
        return other is not None and replace(self, locked=other.locked) == other


Tables = Mapping[int, Seats | None]
"""What tables are to be, by their number; None for one that is to be empty."""

Seen = Mapping[int, tuple[int, int]]
"""Where a page showed each competitor: the key and version of the pairing."""


class Seating:
    """The tables of a round as they are now, and what an act on competitors would make of them.

    An act returns the tables that it changes; nothing is stored here.
    """

    def __init__(self, rows: Iterable[Pairing]) -> None:
        self.rows = {row.table: row for row in rows}
        self.tables = {table: seats_at(row) for table, row in self.rows.items()}
        self.table_of = {number: table for table, seats in self.tables.items() for number in seats.numbers}

    @property
    def seen(self) -> str:
        """Return who sits where under which version, as a form brings it back."""
        return " ".join(
            ".".join(map(str, (row.pk, row.version, *self.tables[table].numbers)))
            for table, row in self.rows.items()
        )

    def pair(self, first: int, second: int, table: int | None = None) -> Tables:
        """Pair these two, `first` with White; those whom they leave sit opposite each other.

        Refused where `table` is taken by others.
        """
        places = [self.table_of.get(number) for number in (first, second)]
        left = [self._opponent(number) for number in (first, second)]
        home, other = places if left[0] is not None or places[0] is not None else places[::-1]
        if left[0] is None and left[1] is not None:
            home, other = places[::-1]
        home = home or self.lowest_free()
        changed: dict[int, Seats | None] = {home: Seats(first, second)}
        if other is not None and other != home:
            changed[other] = self._without(other, {first, second}, [each for each in left if each])
        if table is not None and table != home:
            if table in self.tables and table != other:
                raise Refused(_("Table %(table)s is taken. Choose another one.") % {"table": table})
            changed[home], changed[table] = changed.get(table), changed[home]
        return changed

    def exchange(self, one: int, other: int) -> Tables:
        """Let two change seats; opponents turn their colours, and two who are not paired meet."""
        places = [self.table_of.get(number) for number in (one, other)]
        if places[0] == places[1]:
            return self.turn([one]) if places[0] else self.pair(one, other)
        changed: dict[int, Seats | None] = {}
        for number, instead, table in ((one, other, places[0]), (other, one, places[1])):
            if table is None:
                continue
            seats = self.tables[table]
            # An absence, or a bye that was asked for, is of that person and passes to nobody.
            is_personal = seats.second is None and seats.kind != Kind.BYE
            changed[table] = None if is_personal else seats.with_instead(number, instead)
        if not any(changed.values()):
            return self.pair(one, other)
        return changed

    def turn(self, numbers: Iterable[int]) -> Tables:
        """Turn the colours at the tables of these; Refused where one has no opponent."""
        changed: dict[int, Seats | None] = {}
        for number in numbers:
            seats = self.tables.get(self.table_of.get(number, 0))
            if seats is None or seats.second is None:
                raise Refused(_("Competitor %(number)s has no opponent here.") % {"number": number})
            changed[self.table_of[number]] = Seats(seats.second, seats.first)
        return changed

    def part(self, numbers: Iterable[int]) -> Tables:
        """Empty the tables of these; Refused where one sits at none."""
        numbers = list(numbers)
        if left := [number for number in numbers if number not in self.table_of]:
            raise Refused(_("Competitor %(number)s is not paired.") % {"number": left[0]})
        return {self.table_of[number]: None for number in numbers}

    def give_round_off(self, numbers: Iterable[int], kind: str) -> Tables:
        """Give these a round off of a kind; their opponents are not paired any more."""
        changed: dict[int, Seats | None] = {}
        free = (table for table in count(max(self.tables, default=0) + 1))
        for number in numbers:
            table = self.table_of.get(number)
            # Two who sat opposite each other: the first has the table.
            table = next(free) if table is None or table in changed else table
            changed[table] = Seats(number, kind=kind)
        return changed

    def lowest_free(self) -> int:
        """Return the lowest number that no table has."""
        return next(table for table in count(1) if table not in self.tables)

    def _opponent(self, number: int) -> int | None:
        seats = self.tables.get(self.table_of.get(number, 0))
        return seats.opponent_of(number) if seats else None

    def _without(self, table: int, gone: set[int], left: Sequence[int]) -> Seats | None:
        """Return what a table becomes whose people `gone` leave it, and whoever is `left` may take it."""
        seats = self.tables[table]
        left = [number for number in left if number not in gone]
        if not left:
            return None
        if seats.second is None:
            return Seats(left[0], kind=Kind.BYE) if seats.kind == Kind.BYE else None
        if len(left) == 1:
            return None
        mine, theirs = left
        # The seat that one of the two leaves goes to whom the other one left.
        keeps = theirs if theirs in seats.numbers else mine
        comes = mine if keeps == theirs else theirs
        return Seats(keeps, comes) if seats.first == keeps else Seats(comes, keeps)


def seats_at(row: Pairing) -> Seats:
    """Return who sits at a pairing; its first and second are loaded."""
    if row.second is None:
        return Seats(row.first.number, None, row.kind, row.locked)
    return Seats(row.first.number, row.second.number, "", row.locked)


def read_seen(text: str) -> dict[int, tuple[int, int]]:
    """Return where a page showed each competitor, out of what `Seating.seen` wrote; without what is none."""
    seen = dict[int, tuple[int, int]]()
    for word in text.split():
        figures = word.split(".")
        if 3 <= len(figures) <= 4 and all(each.isdecimal() and len(each) < 19 for each in figures):
            key, version, *numbers = map(int, figures)
            seen.update(dict.fromkeys(numbers, (key, version)))
    return seen


def arrange(round_: Round, tables: Tables, seen: Seen, by: User, reason: str = "") -> list[Pairing]:
    """Make these tables what is said, all or none, and return the pairings that are new or changed.

    Conflict where one of those concerned sits elsewhere than was `seen`. Refused where a table has a result,
    or somebody would sit twice; in a published round without a reason, where each table is an override.
    """
    with in_turn(round_.event) as event:
        now = open_for_pairing(event, round_)
        rows = {row.table: row for row in now.pairings.select_related("first", "second")}
        changing = {
            table: seats for table, seats in tables.items() if _differs(rows.get(table), seats, now.is_draft)
        }
        if not changing:
            return []
        because = "" if now.is_draft else required(reason, why_recorded(now))
        _refuse_stale(rows, changing, seen)
        was = {row.pk: seats_text(row) for table, row in rows.items() if table in changing}
        coming = _coming(now, rows, changing)
        # Taken out first and put back under their keys: the database refuses somebody twice even in passing.
        for table in changing:
            if table in rows:
                remove(rows[table], by, because)
        for row in coming:
            add(row, by, because)
        if not now.is_draft:
            record_moves(event, [row for row in coming if row.pk in was], was, by, because)
            for row in coming:
                if row.pk not in was:
                    place = {"round": now.number, "table": row.table}
                    add_override(event, Override.Kind.PAIRING, name_of(by), because, **place)
    return coming


def lock(round_: Round, tables: Iterable[int], by: User, *, locked: bool) -> int:
    """Lock pairings of a draft by their tables, or unlock them, and return how many changed.

    A locked pairing stays as it is when a program proposes the rest again.
    """
    with in_turn(round_.event) as event:
        now = open_for_pairing(event, round_)
        if not now.is_draft:
            raise Refused(_("The pairings of this round are published: there is nothing to lock."))
        rows = list(now.pairings.filter(table__in=list(tables), locked=not locked))
        for row in rows:
            row.locked = locked
            save(row, by)
    return len(rows)


def renumber_tables(round_: Round, tables: Mapping[int, int], by: User) -> dict[int, int]:
    """Give pairings of a draft, by key, other table numbers; return the numbers that those had before.

    Refused where two pairings would have one number, or the round is no draft: records name its tables.
    """
    with in_turn(round_.event) as event:
        now = open_for_pairing(event, round_)
        if not now.is_draft:
            raise Refused(_("The pairings of this round are published, and their tables keep their numbers."))
        rows = list(now.pairings.order_by("table"))
        wanted = [tables.get(row.pk, row.table) for row in rows]
        if len({*wanted}) < len(wanted):
            raise Refused(_("Somebody has changed the pairings meanwhile. Look at them again."))
        moving = [(row, table) for row, table in zip(rows, wanted, strict=True) if row.table != table]
        # Two steps, as no two pairings may share a number even in passing.
        keys = [row.pk for row, _table in moving]
        Pairing.objects.filter(pk__in=keys).update(table=F("table") + HIGHEST_TABLE // 2)
        before = {row.pk: row.table for row, _table in moving}
        for row, table in moving:
            row.table = table
            save(row, by)
    return before


def _differs(row: Pairing | None, seats: Seats | None, is_draft: bool) -> bool:
    """Say whether a table is to become another one; a lock alone counts in a draft only."""
    if row is None or seats is None:
        return row is not None or seats is not None
    now = seats_at(row)
    return now != seats if is_draft else not seats.same_people(now)


def _coming(round_: Round, rows: Mapping[int, Pairing], changing: Tables) -> list[Pairing]:
    """Return the new rows of the tables that are not to be empty, by table.

    Refused where an old one has a result, somebody would sit twice, or a table of a published round is to go.
    """
    members, after = members_of(round_.event), dict(rows)
    for table, seats in sorted(changing.items()):
        old = after.pop(table, None)
        if old is not None:
            refuse_result(old)
        if seats is not None:
            after[table] = _seated(round_, old, table)
            sit(round_.event, after[table], members, NewPairing(seats.first, seats.second, seats.kind))
            after[table].locked = seats.locked and round_.is_draft
        elif not round_.is_draft:
            raise Refused(_("The pairings of this round stand. Make it a bye or an absence instead."))
    refuse_twice(after.values())
    return [after[table] for table in sorted(changing) if table in after]


def _seated(round_: Round, old: Pairing | None, table: int) -> Pairing:
    """Return a new row for a table, under the key and with the note of the one that it takes the place of."""
    if old is None:
        if not 1 <= table <= HIGHEST_TABLE:
            raise Refused(_("There is no table %(table)s.") % {"table": table})
        return Pairing(round=round_, table=table)
    return Pairing(pk=old.pk, round=round_, table=table, note=old.note, version=old.version + 1)


def _refuse_stale(rows: Mapping[int, Pairing], changing: Tables, seen: Seen) -> None:
    """Raise Conflict where somebody concerned does not sit where the page showed it."""
    place = {number: (row.pk, row.version) for row in rows.values() for number in seats_at(row).numbers}
    there = [seats_at(rows[table]) for table in changing if table in rows]
    coming = [seats for seats in changing.values() if seats is not None]
    for number in (number for seats in (*there, *coming) for number in seats.numbers):
        if place.get(number) == seen.get(number):
            continue
        if number in place:
            row = next(row for row in rows.values() if row.pk == place[number][0])
            raise Conflict(row.version, *last_saved(row))
        raise _removed(seen[number])


def _removed(seen: tuple[int, int]) -> Conflict:
    """Return the conflict with whoever took a pairing out of the round, or seated others there."""
    past = past_of(Pairing).objects.filter(id=seen[0]).select_related("history_user")
    last = past.order_by("-history_id").first()
    if last is None:
        return Conflict(seen[1])
    return Conflict(last.version, name_of(last.history_user) if last.history_user else "", last.history_date)

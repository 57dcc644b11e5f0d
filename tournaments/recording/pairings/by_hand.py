"""Pairings by hand. In a published round each change is an override with a reason (rules § 3)."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event.choices import ALONE, Kind, is_settled
from tournaments.event.scores import bye_points, own_match_points
from tournaments.event.values import LARGEST
from tournaments.models import Competitor, Event, Override, Pairing, Round
from tournaments.recording.locking import (
    add,
    add_override,
    lock_event,
    lock_row,
    name_of_user,
    remove_row,
    save,
)
from tournaments.recording.refusal import Refused, prose, required
from tournaments.recording.rounds.opening import back_up_before, locked_round
from tournaments.recording.teams.match_scores import has_result


@dataclass(frozen=True, slots=True)
class Seats:
    """The competitors at a table, by number. `kind`: kind of the round off if `second` is None.

    `table`: where they are to sit, None for any table. `locked`: proposals leave the pairing unchanged, which
    is right for pairings by hand.
    """

    first: int
    second: int | None = None
    kind: str = ""
    table: int | None = None
    locked: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    def opponent_of(self, number: int) -> int | None:
        return self.second if number == self.first else self.first

    def with_instead(self, number: int, other: int) -> "Seats":
        if number == self.first:
            return replace(self, first=other)
        return replace(self, second=other)

    def same_people(self, other: "Seats | None") -> bool:
        return other is not None and replace(self, locked=other.locked) == other


Tables = Mapping[int, Seats | None]
"""Wanted seats by table. None removes the table."""


def add_pairings(round_: Round, seats: Sequence[Seats], by: User, reason: str = "") -> list[Pairing]:
    """Add pairings, all or none. In a published round each is an override. Raise Refused if one is taken."""
    with lock_event(round_.event) as event:
        current = open_for_pairing(event, round_)
        required_reason = required(reason, why_recorded(current)) if seats and not current.is_draft else ""
        back_up_before(current, by)
        rows = {row.table: row for row in current.pairings.select_related("first", "second")}
        tables, free = dict[int, Seats | None](), tables_after(rows.values())
        for each in seats:
            table = each.table or next(table for table in free if table not in tables)
            if table in rows or table in tables:
                raise Refused(_("Table %(table)s is taken. Choose another one.") % {"table": table})
            tables[table] = each
        added = reseat(current, rows, tables, by, required_reason)
        if current.is_draft:
            use_fixed_tables(current, by)
        else:
            record_pairings(event, added, {}, by, required_reason)
    return added


def annotate(pairing: Pairing, note: str, seen: int, by: User) -> Pairing:
    """Set the note of a pairing, such as a referee's decision, which allows an uneven score."""
    with lock_event(pairing.round.event):
        row = lock_row(Pairing, pairing.pk, seen)
        row.note = prose(note)
        save(row, by)
    return row


# --- shared with undo and schedules -----------------------------------------------------------------------


def competitors_by_number(event: Event) -> dict[int, Competitor]:
    return {each.number: each for each in event.competitors.all()}


def seats_at(row: Pairing) -> Seats:
    """Return the seats of a pairing. Its first and second must be loaded."""
    if row.second is None:
        return Seats(row.first.number, kind=row.kind, locked=row.locked)
    return Seats(row.first.number, row.second.number, locked=row.locked)


def seats_text(row: Pairing) -> str:
    """Return the competitors of a pairing by number: `5-7`, or `5 bye`."""
    return f"{row.first.number}-{row.second.number}" if row.second else f"{row.first.number} {row.kind}"


def reseat(
    round_: Round, rows: Mapping[int, Pairing], tables: Tables, by: User, reason: str
) -> list[Pairing]:
    """Change these tables, and return their new rows. `rows` are all rows of the round by table.

    Raise Refused if an old row has a result, a competitor would sit twice, or a table of a published round
    would be removed.
    """
    members, after = competitors_by_number(round_.event), dict(rows)
    for table, seats in sorted(tables.items()):
        old = after.pop(table, None)
        if old is not None and has_result(old):
            text = _("Table %(table)s has a result. Clear it first, then change the pairing.")
            raise Refused(text % {"table": table})
        if seats is not None:
            after[table] = _seated(round_, old, table, members, seats)
        elif not round_.is_draft:
            raise Refused(_("The pairings of this round are published. Record a bye or an absence instead."))
    # Before any row is written: the trigger would refuse only the second row, without a name in its message.
    seated = Counter(each.number for row in after.values() for each in (row.first, row.second) if each)
    if twice := [number for number, times in seated.items() if times > 1]:
        raise Refused(
            _("Competitor %(number)s would sit at two tables. Change both pairings at once.")
            % {"number": twice[0]}
        )
    new_rows = [after[table] for table in sorted(tables) if table in after]
    # Removed first and added again with the same keys: the database refuses a competitor at two tables,
    # even for a moment.
    for table in tables:
        if table in rows:
            remove_row(rows[table], by, reason)
    for row in new_rows:
        add(row, by, reason)
    return new_rows


def _seated(
    round_: Round, old: Pairing | None, table: int, members: Mapping[int, Competitor], seats: Seats
) -> Pairing:
    if old is None and not 1 <= table <= LARGEST:
        raise Refused(_("There is no table %(table)s.") % {"table": table})
    row = Pairing(round=round_, table=table, locked=seats.locked and round_.is_draft)
    if old is not None:
        # The row has no result, so score and match points need not be copied.
        row.pk, row.note, row.version = old.pk, old.note, old.version + 1
    row.first = competitor_numbered(members, seats.first)
    if seats.second is None:
        if seats.kind and seats.kind not in ALONE:
            raise Refused(
                _("Without an opponent, choose a bye, a half-point bye, a zero-point bye or absent.")
            )
        round_off(round_.event, row, seats.kind or Kind.BYE)
        return row
    if seats.second == seats.first:
        raise Refused(_("Competitor %(number)s cannot sit on both sides.") % {"number": seats.first})
    row.second, row.kind = competitor_numbered(members, seats.second), Kind.PENDING
    return row


def record_pairings(
    event: Event, rows: Iterable[Pairing], was: Mapping[int, str], by: User, reason: str
) -> None:
    """Add an override for each new or changed pairing. `was`: the former seats of those changed, by key."""
    # The undo of a swap finds the other pairing by the time.
    at = timezone.now()
    for row in rows:
        what = {"at": at, "was": was[row.pk]} if row.pk in was else {}
        place = {"round": row.round.number, "table": row.table}
        add_override(event, Override.Kind.PAIRING, name_of_user(by), reason, **what, **place)


def round_off(event: Event, row: Pairing, kind: str) -> None:
    """Make a row a bye or an absence, with the points that the event gives for it."""
    game, match = bye_points(event, kind)
    row.kind, row.first_score, row.second, row.delayed = Kind(kind), game, None, ""
    if event.is_team:
        row.first_match_points, _none = own_match_points(event, kind, (game, None), (match, None))


def tables_after(rows: Collection[Pairing]) -> Iterator[int]:
    """Return the free tables after the last one that is not fixed."""
    taken = {row.table for row in rows}
    last = max((row.table for row in rows if row.table not in row.fixed_tables), default=0)
    return (table for table in count(last + 1) if table not in taken)


def renumber_tables(round_: Round, tables: Mapping[int, int], by: User) -> dict[int, int]:
    """Renumber tables of a draft, by key of the pairing. Return the old numbers.

    Raise Refused if two pairings would have the same number, or the round is not a draft: records refer to
    its tables.
    """
    with lock_event(round_.event) as event:
        current = open_for_pairing(event, round_)
        if not current.is_draft:
            raise Refused(_("The pairings of this round are published, and their tables keep their numbers."))
        rows = list(current.pairings.order_by("table"))
        wanted = [tables.get(row.pk, row.table) for row in rows]
        if len({*wanted}) < len(wanted):
            raise Refused(_("Another person has changed the pairings. Check them again."))
        moving = [(row, table) for row, table in zip(rows, wanted, strict=True) if row.table != table]
        if not moving:
            return {}
        # Two steps, because no two pairings may share a number even for a moment.
        keys = [row.pk for row, _table in moving]
        Pairing.objects.filter(pk__in=keys).update(table=F("table") + LARGEST)
        before = {row.pk: row.table for row, _table in moving}
        for row, table in moving:
            row.table = table
            save(row, by)
    return before


def tables_in_order(rows: Sequence[Pairing], free: Iterable[int]) -> list[int]:
    """Return a table for each pairing: the fixed one of its competitors, otherwise the next one of `free`."""
    fixed = {row.fixed_tables[0]: row.first_id for row in rows if row.fixed_tables}
    at = {first: table for table, first in fixed.items()}
    others = (table for table in free if table not in fixed)
    return [at.get(row.first_id) or next(others) for row in rows]


def use_fixed_tables(round_: Round, by: User) -> None:
    """Move games of a draft to the fixed tables of their competitors. The others keep their order."""
    rows = list(round_.pairings.select_related("first", "second").order_by("table"))
    tables = tables_in_order(rows, [row.table for row in rows])
    renumber_tables(round_, {row.pk: table for row, table in zip(rows, tables, strict=True)}, by)


# --- checks -----------------------------------------------------------------------------------------------


def open_for_pairing(event: Event, round_: Round) -> Round:
    now = locked_round(event, round_)
    if is_settled(event.state, now.state):
        raise Refused(_("Round %(round)s is settled. Open it again first.") % {"round": now.number})
    return now


def why_recorded(round_: Round) -> str:
    return _(
        "The pairings of round %(round)s are published. A manual change needs a reason and is marked * "
        "in public."
    ) % {"round": round_.number}


def competitor_numbered(members: Mapping[int, Competitor], number: int) -> Competitor:
    if number not in members:
        raise Refused(_("There is no competitor %(number)s. Correct the number.") % {"number": number})
    return members[number]

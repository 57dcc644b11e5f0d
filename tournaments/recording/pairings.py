"""Pairings by hand. Once a round is set, each change is an override with its reason (rules § 3)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event.choices import ALONE, Kind, is_settled
from tournaments.event.scores import bye_points, own_match_points
from tournaments.models import Competitor, Event, Override, Pairing, Round
from tournaments.recording.matches import has_result
from tournaments.recording.refusal import Refused, prose, refuse_without_results, required
from tournaments.recording.turns import (
    add,
    add_override,
    claim,
    in_turn,
    locked,
    name_of,
    remove,
    save,
)


@dataclass(frozen=True, slots=True)
class NewPairing:
    """The two of a new table, by number; `table` None is the next one. `kind` is that of a round off.

    `locked`: it stays when the rest of the draft is proposed again, as what a person seats should.
    """

    first: int
    second: int | None = None
    kind: str = ""
    table: int | None = None
    locked: bool = False


@dataclass(frozen=True, slots=True)
class PairingMove:
    """The two who are to sit at a pairing, given by its key and the version seen. `kind` as above."""

    pairing: int
    seen: int
    first: int
    second: int | None = None
    kind: str = ""


def add_pairing(round_: Round, seats: NewPairing, by: User, reason: str = "") -> Pairing:
    """Add a pairing. Refused where somebody is paired already, or the table is taken."""
    [row] = add_pairings(round_, [seats], by, reason)
    return row


def add_pairings(round_: Round, seats: Sequence[NewPairing], by: User, reason: str = "") -> list[Pairing]:
    """Add pairings, all or none, refused as one would be. In a set round each is an override."""
    with in_turn(round_.event) as event:
        now = open_for_pairing(event, round_)
        because = required(reason, why_recorded(now)) if seats and not now.is_draft else ""
        rows = list(now.pairings.select_related("first", "second"))
        members, added = members_of(event), list[Pairing]()
        for each in seats:
            added.append(_seated(event, now, members, each, [*rows, *added]))
            added[-1].locked = each.locked and now.is_draft
        # Checked before any row is written: the trigger would refuse the second only, with no name in its
        # text.
        refuse_twice([*rows, *added])
        for row in added:
            add(row, by, because)
            if not now.is_draft:
                add_override(
                    event, Override.Kind.PAIRING, name_of(by), because, round=now.number, table=row.table
                )
    return added


def annotate(pairing: Pairing, note: str, seen: int, by: User) -> Pairing:
    """Write the note of a pairing, such as a referee's decision, which lets a score be uneven."""
    with in_turn(pairing.round.event):
        row = claim(Pairing, pairing.pk, seen)
        row.note = prose(note)
        save(row, by)
    return row


# --- shared with undoing and with schedules ---------------------------------------------------------------


def members_of(event: Event) -> dict[int, Competitor]:
    """Return the competitors of an event by number."""
    return {each.number: each for each in event.competitors.all()}


def seats_text(row: Pairing) -> str:
    """Return who sits at a pairing, by number: `5-7`, or `5 bye`."""
    return f"{row.first.number}-{row.second.number}" if row.second else f"{row.first.number} {row.kind}"


def reseat(
    event: Event, rows: Mapping[int, Pairing], moves: Iterable[PairingMove], by: User, reason: str
) -> list[Pairing]:
    """Seat these rows of a round anew; all rows of the round are given.

    They are taken out and put back under their keys: the database refuses a competitor twice even in passing.
    """
    members, keys = members_of(event), [move.pairing for move in moves]
    for key in keys:
        refuse_result(rows[key])
    after = {row.pk: row for row in rows.values()}
    for move in moves:
        old = rows[move.pairing]
        # A result cannot stand here, so score and match points need not be carried over.
        after[old.pk] = Pairing(
            pk=old.pk, round=old.round, table=old.table, note=old.note, version=old.version + 1
        )
        sit(event, after[old.pk], members, move)
    refuse_twice(after.values())
    for key in keys:
        remove(rows[key], by, reason)
    for key in keys:
        add(after[key], by, reason)
    return [after[key] for key in keys]


def record_moves(
    event: Event, changed: Iterable[Pairing], was: Mapping[int, str], by: User, reason: str
) -> None:
    """Record an override for each pairing that changed; those of one act have the same moment."""
    # One moment for all of them: by it an undoing finds the other half of a swap.
    at = timezone.now()
    for row in changed:
        place = {"round": row.round.number, "table": row.table}
        add_override(event, Override.Kind.PAIRING, name_of(by), reason, at=at, was=was[row.pk], **place)


def round_off(event: Event, row: Pairing, kind: str) -> None:
    """Make a row a round without an opponent, with the points that the event gives for it."""
    game, match = bye_points(event, kind)
    row.kind, row.first_score, row.second = Kind(kind), game, None
    if event.is_team:
        row.first_match_points, _none = own_match_points(event, kind, (game, None), (match, None))


def next_table(round_: Round) -> int:
    """Return the first table after all others."""
    return (round_.pairings.aggregate(Max("table"))["table__max"] or 0) + 1


# --- what may sit where -----------------------------------------------------------------------------------


def open_for_pairing(event: Event, round_: Round) -> Round:
    now = locked(Round.objects.filter(pk=round_.pk, event=event))
    # The locked event at hand, not another copy of it by a further query.
    now.event = event
    refuse_without_results(event)
    if is_settled(event.state, now.state):
        raise Refused(_("Round %(round)s is settled. Open it again first.") % {"round": now.number})
    return now


def why_recorded(round_: Round) -> str:
    return _(
        "The pairings of round %(round)s stand. A change by hand needs a reason, and carries a * in public."
    ) % {"round": round_.number}


def _seated(
    event: Event, round_: Round, members: Mapping[int, Competitor], seats: NewPairing, rows: Sequence[Pairing]
) -> Pairing:
    """Return a new row of the round, beside those that are there."""
    table = seats.table or max((row.table for row in rows), default=0) + 1
    if any(row.table == table for row in rows):
        raise Refused(_("Table %(table)s is taken. Choose another one.") % {"table": table})
    row = Pairing(round=round_, table=table)
    sit(event, row, members, seats)
    return row


def sit(
    event: Event, row: Pairing, members: Mapping[int, Competitor], seats: NewPairing | PairingMove
) -> None:
    row.first = _member(members, seats.first)
    if seats.second is None:
        if seats.kind and seats.kind not in ALONE:
            raise Refused(_("Without an opponent it is a bye, a half-point bye, a zero-point bye or absent."))
        round_off(event, row, seats.kind or Kind.BYE)
        return
    if seats.second == seats.first:
        raise Refused(_("Competitor %(number)s cannot sit on both sides.") % {"number": seats.first})
    row.second, row.kind = _member(members, seats.second), Kind.PENDING


def _member(members: Mapping[int, Competitor], number: int) -> Competitor:
    if number not in members:
        raise Refused(_("There is no competitor %(number)s. Correct the number.") % {"number": number})
    return members[number]


def refuse_result(row: Pairing) -> None:
    if has_result(row):
        raise Refused(
            _("Table %(table)s has a result. Clear it first, then change the pairing.") % {"table": row.table}
        )


def refuse_twice(rows: Iterable[Pairing]) -> None:
    seated = Counter(each.number for row in rows for each in (row.first, row.second) if each)
    twice = [number for number, times in seated.items() if times > 1]
    if twice:
        raise Refused(
            _("Competitor %(number)s would sit at two tables. Change both pairings at once.")
            % {"number": twice[0]}
        )

"""Attendance: who is at the door before a round, and who is not to be paired in it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from tournaments.event.choices import OVER, REQUESTED, Kind, Presence
from tournaments.models import Attendance, Competitor, Event, Round
from tournaments.recording.entries import EntryOutcome, Recording, enter
from tournaments.recording.pairings import NewPairing, add_pairings
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results import StoredResult
from tournaments.recording.turns import name_of, remove


@dataclass(frozen=True, slots=True)
class PresenceEntry:
    """One mark as somebody made it.

    `id` is made by the client, once for each mark; `competitor` is a primary key; `text` a state of
    `Presence`, blank to take a mark back; `seen` the key of the mark that was shown, 0 without one.
    """

    id: UUID
    competitor: int
    round: int
    text: str
    seen: int


@dataclass(frozen=True, slots=True)
class AttendanceCount:
    """How many are there before a round: `expected` are all who neither withdrew nor have it off."""

    expected: int
    present: int
    late: int
    absent: int
    off: int

    @property
    def there(self) -> int:
        """Return how many are at the door, or on their way."""
        return self.present + self.late

    @property
    def unmarked(self) -> int:
        """Return how many nobody has looked for."""
        return self.expected - self.present - self.late - self.absent


def marks_of(event: Event, number: int) -> dict[int, Attendance]:
    """Return the mark that holds of each competitor before a round, by the competitor's key; one query."""
    rows = (
        Attendance.objects.filter(competitor__event=event, round=number).select_related("by").order_by("pk")
    )
    return {row.competitor_id: row for row in rows}


def rounds_off(
    event: Event, number: int, members: Iterable[Competitor] | None = None
) -> dict[int, Kind | None]:
    """Return everybody who is not to be paired in a round, by start number, and the kind of round off.

    A bye that was asked for goes before an absence at the door; of somebody who withdrew before the round
    nothing is recorded, and the kind is None. Who is late is paired. Two queries; one with the `members`
    given.
    """
    members = event.competitors.all() if members is None else members
    return _off(members, marks_of(event, number), number)


def _off(
    competitors: Iterable[Competitor], marks: Mapping[int, Attendance], number: int
) -> dict[int, Kind | None]:
    off: dict[int, Kind | None] = {}
    for each in competitors:
        asked = each.requested_byes.get(str(number))
        mark = marks.get(each.pk)
        if each.withdrawn_after is not None and each.withdrawn_after < number:
            off[each.number] = None
        elif asked in REQUESTED:
            off[each.number] = Kind(asked)
        elif mark and mark.state == Presence.ABSENT:
            off[each.number] = Kind.ABSENT
    return off


def count(event: Event, number: int) -> AttendanceCount:
    """Return how many are there before a round; one query."""
    last = Attendance.objects.filter(competitor=OuterRef("pk"), round=number).order_by("-pk").values("state")
    competitors = list(event.competitors.annotate(presence=Subquery(last[:1])))
    off = _off(competitors, {}, number)
    expected = [each for each in competitors if each.number not in off]
    states = Counter(each.presence for each in expected)
    return AttendanceCount(
        expected=len(expected),
        present=states[Presence.PRESENT],
        late=states[Presence.LATE],
        absent=states[Presence.ABSENT],
        off=len(competitors) - len(expected),
    )


def seat_rounds_off(round_: Round, by: User) -> int:
    """Give everybody who has a draft round off, and sits nowhere in it, a pairing of that kind.

    Return how many were added. Inside a turn, before the pairings are published.
    """
    seats = round_.pairings.values_list("first__number", "second__number")
    seated = {number for seat in seats for number in seat}
    missing = sorted(
        (number, kind)
        for number, kind in rounds_off(round_.event, round_.number).items()
        if kind and number not in seated
    )
    add_pairings(round_, [NewPairing(number, kind=kind) for number, kind in missing], by)
    return len(missing)


def unseat_rounds_off(round_: Round, by: User) -> int:
    """Take the pairings out of a draft that `seat_rounds_off` has made; those given by hand stay.

    Else somebody who was absent when the round was published, and is there when it is paired again, would
    sit it out. Return how many were taken out. Inside a turn.
    """
    off = rounds_off(round_.event, round_.number)
    rows = round_.pairings.filter(second=None).exclude(kind=Kind.BYE).select_related("first")
    seated = [row for row in rows if off.get(row.first.number) == row.kind]
    for row in seated:
        remove(row, by)
    return len(seated)


def mark(event: Event, entries: Sequence[PresenceEntry], by: User) -> list[EntryOutcome]:
    """Take in each mark for itself, as `entries.enter` does results."""
    return enter(event, entries, by, Recording(_record, _stored_at))


def mark_others_absent(event: Event, number: int, by: User) -> int:
    """Mark everybody absent who is expected in a round and has no mark; return how many. Inside a turn."""
    off, marks = rounds_off(event, number), marks_of(event, number)
    rows = [
        Attendance(competitor=each, round=number, state=Presence.ABSENT, by=by)
        for each in event.competitors.all()
        if each.number not in off and not (each.pk in marks and marks[each.pk].state)
    ]
    Attendance.objects.bulk_create(rows)
    return len(rows)


def _record(event: Event, entry: PresenceEntry, by: User) -> tuple[StoredResult, str]:
    """Store one mark, and return it with an empty note. The event's row is locked.

    Conflict where another mark holds than the one seen; Refused where nobody is expected to come.
    """
    competitor = _competitor(event, entry)
    if entry.text not in ("", *Presence.values):
        raise Refused(_("“%(text)s” is none of present, absent and late.") % {"text": entry.text[:20]})
    if event.state in OVER:
        raise Refused(_("This event is over."))
    if competitor.withdrawn_after is not None and competitor.withdrawn_after < entry.round:
        values = {"name": competitor.name, "round": competitor.withdrawn_after}
        raise Refused(_("%(name)s withdrew after round %(round)s. Let them return first.") % values)
    last = _last_mark(competitor, entry.round)
    if (last.pk if last else 0) != entry.seen:
        raise Conflict(last.pk if last else 0, _name_of(last), last.at if last else None)
    if entry.text != (last.state if last else ""):
        last = Attendance.objects.create(competitor=competitor, round=entry.round, state=entry.text, by=by)
    return StoredResult(entry.text, last.pk if last else 0), ""


def _stored_at(event: Event, entry: PresenceEntry) -> tuple[StoredResult, str]:
    last = _last_mark(_competitor(event, entry), entry.round)
    return StoredResult(last.state if last else "", last.pk if last else 0), entry.text


def _competitor(event: Event, entry: PresenceEntry) -> Competitor:
    competitor = event.competitors.filter(pk=entry.competitor).first()
    if competitor is None:
        raise Refused(_("This competitor is not there any more: somebody has removed it. Reload the page."))
    return competitor


def _last_mark(competitor: Competitor, number: int) -> Attendance | None:
    return competitor.attendances.filter(round=number).select_related("by").order_by("pk").last()


def _name_of(row: Attendance | None) -> str:
    return name_of(row.by) if row and row.by else ""

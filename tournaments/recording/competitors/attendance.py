"""Attendance before a round: who is present, and who is not to be paired."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from tournaments.event.choices import OVER, REQUESTED, Kind, Presence
from tournaments.models import Attendance, Competitor, Event, Round
from tournaments.recording.locking import name_of_user, remove_row
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.storing import StoredResult
from tournaments.recording.results.submissions import Recording, SubmissionOutcome, enter


@dataclass(frozen=True, slots=True)
class AttendanceMark:
    """A mark by a user.

    `id`: created by the client, unique for each mark. `competitor`: primary key. `text`: state of
    `Presence`, or blank to remove the mark. `seen`: key of the displayed mark, 0 if there was none.
    """

    id: UUID
    competitor: int
    round: int
    text: str
    seen: int


@dataclass(frozen=True, slots=True)
class AttendanceCount:
    """Attendance numbers of a round. `expected`: competitors who have not withdrawn and have no bye."""

    expected: int
    present: int
    late: int
    absent: int
    off: int

    @property
    def there(self) -> int:
        return self.present + self.late

    @property
    def unmarked(self) -> int:
        return self.expected - self.present - self.late - self.absent


def current_marks(event: Event, number: int) -> dict[int, Attendance]:
    """Return the current mark of each competitor before a round, by competitor key. A single query."""
    rows = (
        Attendance.objects.filter(competitor__event=event, round=number).select_related("by").order_by("pk")
    )
    return {row.competitor_id: row for row in rows}


def rounds_off(
    event: Event,
    number: int,
    members: Iterable[Competitor] | None = None,
    marks: Mapping[int, Attendance] | None = None,
) -> dict[int, Kind | None]:
    """Return the competitors who are not to be paired in a round, by number, with the kind of round off.

    A requested bye takes precedence over an absence. A competitor who withdrew before has kind None. Late
    competitors are paired. Two queries, one less for each of `members` and `marks` that is given.
    """
    members = event.competitors.all() if members is None else members
    marks = current_marks(event, number) if marks is None else marks
    off: dict[int, Kind | None] = {}
    for each in members:
        requested = each.requested_byes.get(str(number))
        mark = marks.get(each.pk)
        if each.withdrawn_after is not None and each.withdrawn_after < number:
            off[each.number] = None
        elif requested in REQUESTED:
            off[each.number] = Kind(requested)
        elif mark and mark.state == Presence.ABSENT:
            off[each.number] = Kind.ABSENT
    return off


def count_attendance(event: Event, number: int) -> AttendanceCount:
    """Return the attendance numbers of a round. A single query."""
    last = Attendance.objects.filter(competitor=OuterRef("pk"), round=number).order_by("-pk").values("state")
    competitors = list(event.competitors.annotate(presence=Subquery(last[:1])))
    off = rounds_off(event, number, competitors, {})
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
    """Add a pairing of its kind for every competitor with a draft round off and no pairing.

    Games move to fixed tables. Return how many were added. The event must be locked.
    """
    seats = round_.pairings.values_list("first__number", "second__number")
    seated = {number for seat in seats for number in seat}
    missing = sorted(
        (number, kind)
        for number, kind in rounds_off(round_.event, round_.number).items()
        if kind and number not in seated
    )
    add_pairings(round_, [Seats(number, kind=kind) for number, kind in missing], by)
    return len(missing)


def unseat_rounds_off(round_: Round, by: User) -> int:
    """Remove the pairings that `seat_rounds_off` added; those added by hand stay.

    Otherwise a competitor who was absent when the round was published, but is present when it is paired
    again, would sit out. Return how many were removed. The event must be locked.
    """
    off = rounds_off(round_.event, round_.number)
    rows = round_.pairings.filter(second=None).exclude(kind=Kind.BYE).select_related("first")
    seated = [row for row in rows if off.get(row.first.number) == row.kind]
    for row in seated:
        remove_row(row, by)
    return len(seated)


def mark(event: Event, entries: Sequence[AttendanceMark], by: User) -> list[SubmissionOutcome]:
    """Store each mark independently, as `submissions.enter` does with results."""
    return enter(event, entries, by, Recording(_record_mark, _stored_at))


def mark_others_absent(event: Event, number: int, by: User) -> int:
    """Mark every expected competitor without a mark absent. Return how many. The event must be locked."""
    off, marks = rounds_off(event, number), current_marks(event, number)
    rows = [
        Attendance(competitor=each, round=number, state=Presence.ABSENT, by=by)
        for each in event.competitors.all()
        if each.number not in off and not (each.pk in marks and marks[each.pk].state)
    ]
    Attendance.objects.bulk_create(rows)
    return len(rows)


def _record_mark(event: Event, entry: AttendanceMark, by: User) -> tuple[StoredResult, str]:
    """Store a mark. Return it with an empty note. The event must be locked.

    Raise Conflict if the current mark is not the one seen, Refused if the competitor is not expected.
    """
    competitor = _expected_competitor(event, entry)
    if entry.text not in ("", *Presence.values):
        raise Refused(
            _("“%(text)s” is not valid: enter present, absent or late.") % {"text": entry.text[:20]}
        )
    if event.state in OVER:
        raise Refused(_("This event is over."))
    if competitor.withdrawn_after is not None and competitor.withdrawn_after < entry.round:
        values = {"name": competitor.name, "round": competitor.withdrawn_after}
        raise Refused(_("%(name)s withdrew after round %(round)s. Let them return first.") % values)
    last = _last_mark(competitor, entry.round)
    if (last.pk if last else 0) != entry.seen:
        raise Conflict(last.pk, name_of_user(last.by), last.at) if last else Conflict(0)
    if entry.text != (last.state if last else ""):
        last = Attendance.objects.create(competitor=competitor, round=entry.round, state=entry.text, by=by)
    return StoredResult(entry.text, last.pk if last else 0), ""


def _stored_at(event: Event, entry: AttendanceMark) -> tuple[StoredResult, str]:
    last = _last_mark(_expected_competitor(event, entry), entry.round)
    return StoredResult(last.state if last else "", last.pk if last else 0), entry.text


def _expected_competitor(event: Event, entry: AttendanceMark) -> Competitor:
    competitor = event.competitors.filter(pk=entry.competitor).first()
    if competitor is None:
        raise Refused(_("This competitor was deleted. Reload the page."))
    return competitor


def _last_mark(competitor: Competitor, number: int) -> Attendance | None:
    return competitor.attendances.filter(round=number).select_related("by").order_by("pk").last()

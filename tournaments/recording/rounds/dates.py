"""The schedule: date and time of every round, also of rounds that are not paired yet."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import OVER
from tournaments.event.dates import ends_before, is_date, start_of
from tournaments.models import Event, Round
from tournaments.recording.locking import add_all, lock_event, save
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds.opening import next_round, refuse_further_round


@dataclass(frozen=True, slots=True)
class RoundStart:
    """Date and time of a round, as stored. Either may be blank."""

    date: str = ""
    time: str = ""

    def __str__(self) -> str:
        return f"{self.date} {self.time}".strip()

    def is_before(self, earlier: "RoundStart") -> bool:
        """Return whether a round begins before an earlier one, as far as both are known."""
        if self.date == earlier.date and self.time and earlier.time:
            return self.time < earlier.time
        return ends_before(earlier.date, self.date)


Starts = Mapping[int, RoundStart]
"""Starts of rounds by number."""


class StartsChanged(Refused):
    """Raised if another user has changed rounds in the meantime. `stored`: their present starts."""

    def __init__(self, stored: Starts) -> None:
        self.stored = stored
        rounds = "; ".join(
            _("round %(round)s: %(start)s") % {"round": number, "start": str(start) or _("no date")}
            for number, start in stored.items()
        )
        text = _("Another person has saved %(rounds)s. Your form is not saved. Save again to replace that.")
        super().__init__(text % {"rounds": rounds})


def starts_of(event: Event) -> dict[int, RoundStart]:
    """Return the starts of all rounds, also of planned rounds that do not exist yet. A single query."""
    starts = {each.number: RoundStart(each.date, each.time) for each in event.rounds.order_by("number")}
    if event.state not in OVER and event.knows_results:
        planned = range(max(starts, default=0) + 1, event.planned_rounds + 1)
        starts |= dict.fromkeys(planned, RoundStart())
    return starts


def set_starts(event: Event, wanted: Starts, seen: Starts, by: User) -> int:
    """Save changed starts, and return their number. `seen`: the stored starts when the form was opened.

    Planned rounds up to the last date are created as drafts without pairings. Raise StartsChanged if another
    user has changed a round that is to be changed, and Refused if a date or time is invalid, a changed round
    is not in order, or a round is not planned.
    """
    changed = {number: start for number, start in wanted.items() if start != seen.get(number, RoundStart())}
    for start in changed.values():
        if start.date and not is_date(start.date):
            text = _("“%(date)s” is not a date. Write 2026-05-17, or leave it empty.")
            raise Refused(text % {"date": start.date[:20]})
        if start.time and not start_of(start.date, start.time, ""):
            raise Refused(_("Write the time as 14:00 after the date of the round, or leave it blank."))
    with lock_event(event) as now:
        rounds = {each.number: each for each in now.rounds.all()}
        stored = {number: RoundStart(each.date, each.time) for number, each in rounds.items()}
        current = {number: stored.get(number, RoundStart()) for number in sorted(changed)}
        expected = {number: (seen.get(number, RoundStart()), start) for number, start in changed.items()}
        if conflicts := {each: start for each, start in current.items() if start not in expected[each]}:
            raise StartsChanged(conflicts)
        _refuse_disorder(stored | changed, changed)
        last = max((number for number, start in changed.items() if start.date), default=0)
        new = range(next_round(now), last + 1)
        if new:
            refuse_further_round(now, last)
        for number in sorted(changed.keys() & rounds.keys()):
            row, start = rounds[number], changed[number]
            if start != stored[number]:
                row.date, row.time = start.date, start.time
                save(row, by)
        starts = [(number, changed.get(number, RoundStart())) for number in new]
        add_all([Round(event=now, number=n, date=each.date, time=each.time) for n, each in starts], by)
    return len(changed)


def _refuse_disorder(starts: Starts, changed: Collection[int]) -> None:
    dated = [(number, starts[number]) for number in sorted(starts) if starts[number].date]
    for (number, start), (following, later) in pairwise(dated):
        # Old records can have rounds out of order; other rounds can be changed nevertheless.
        if (number in changed or following in changed) and later.is_before(start):
            values = {"round": following, "earlier": number}
            raise Refused(
                _("Round %(round)s begins before round %(earlier)s. Correct one of the two.") % values
            )


def spread(numbers: Iterable[int], first: date, times: Sequence[Sequence[str]]) -> dict[int, RoundStart]:
    """Return starts for these rounds from the first day on. `times`: the times of each weekday, from Monday;
    a time may be blank.
    """
    days = map(date.fromordinal, range(first.toordinal(), date.max.toordinal()))
    slots = (RoundStart(day.isoformat(), time) for day in days for time in times[day.weekday()])
    return dict(zip(numbers, slots, strict=False))

"""The schedule of a round robin: every round at once."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Override, Pairing, Round
from tournaments.pairing.berger import Meeting, berger
from tournaments.recording.backups import back_up
from tournaments.recording.matches import DECIDED
from tournaments.recording.pairings import round_off
from tournaments.recording.refusal import Refused, refuse_without_results
from tournaments.recording.turns import add, in_turn, remove, save

Match = tuple[Competitor, Competitor | None]
"""Who meets, White first; None opposite whoever rests."""


@dataclass(frozen=True, slots=True)
class ProposedSchedule:
    """The schedule that would be made: its rounds in order, and how many pairings it would replace."""

    rounds: list[list[Match]]
    replaced: int


def schedule_of(event: Event) -> ProposedSchedule:
    """Return what `generate_schedule` would make; Refused as there, but for pairings without results."""
    drawn = _drawn(event)
    rounds = [[_match(drawn, meeting) for meeting in each] for each in _berger(event, drawn)]
    return ProposedSchedule(rounds, _replaced(event))


def generate_schedule(event: Event, by: User, *, replacing: int = 0) -> int:
    """Pair every round of a round robin by Berger tables, and say how many rounds that made.

    Competitors take the numbers of the tables in the order of their own; who withdrew is left out. The number
    of planned rounds becomes that of the tables. Whoever rests has a bye. A backup is kept first. Refused for
    a Swiss, with fewer than two competitors, once there is a result or a ruling on a pairing, and where other
    pairings are there than those that it is said to be `replacing`, by their number.
    """
    with in_turn(event) as now:
        drawn, replaced = _drawn(now), _replaced(now)
        # The page showed so many pairings; somebody who made others meanwhile must not lose them.
        if replaced != replacing:
            raise Refused(_("There are pairings already. Look at what the schedule would replace."))
        back_up(now, by, _("Before the schedule was made"))
        rounds = _berger(now, drawn)
        _clear(now, len(rounds), by)
        if now.planned_rounds != len(rounds):
            now.planned_rounds = len(rounds)
            save(now, by)
        there = {each.number: each for each in now.rounds.all()}
        for number, meetings in enumerate(rounds, start=1):
            _store(now, there.get(number) or Round(event=now, number=number), meetings, drawn, by)
    return len(rounds)


def _drawn(event: Event) -> list[Competitor]:
    if not event.is_round_robin:
        raise Refused(
            _("Only a round robin has a schedule made beforehand. A Swiss is paired round by round.")
        )
    refuse_without_results(event)
    _refuse_begun(event)
    # By start number: that is the number drawn for the tables (FIDE handbook C.05, annex 1).
    drawn = list(event.competitors.filter(withdrawn_after=None).order_by("number"))
    if len(drawn) < 2:
        raise Refused(_("A round robin takes two competitors or more. Enter them first."))
    return drawn


def _refuse_begun(event: Event) -> None:
    """Raise Refused once there is a result, or a ruling on a pairing: then the schedule stands."""
    if Pairing.objects.filter(DECIDED, round__event=event).exists():
        raise Refused(_("There are results already. Change single pairings, round by round."))
    if event.rounds.filter(state=Round.State.CLOSED).exists():
        raise Refused(_("A round is closed already. Open it again before the schedule is made."))
    if event.overrides.filter(kind=Override.Kind.PAIRING, undone_by=None).exists():
        raise Refused(_("Pairings were changed by hand. Undo these changes first."))


def _replaced(event: Event) -> int:
    return Pairing.objects.filter(round__event=event).count()


def _clear(event: Event, rounds: int, by: User) -> None:
    """Take the pairings out, and the rounds that the schedule does not have."""
    for row in Pairing.objects.filter(round__event=event):
        remove(row, by)
    for surplus in event.rounds.filter(number__gt=rounds):
        remove(surplus, by)


def _berger(event: Event, drawn: list[Competitor]) -> list[list[Meeting]]:
    return berger(len(drawn), is_double=event.schedule == Event.Schedule.DOUBLE_ROUND_ROBIN)


def _match(drawn: list[Competitor], meeting: Meeting) -> Match:
    first, second = meeting
    return drawn[first - 1], None if second is None else drawn[second - 1]


def _store(event: Event, round_: Round, meetings: list[Meeting], drawn: list[Competitor], by: User) -> None:
    # A schedule is public at once: it is known beforehand to everybody in a round robin.
    round_.state = Round.State.PUBLISHED
    if round_._state.adding:
        add(round_, by)
    else:
        save(round_, by)
    for table, meeting in enumerate(meetings, start=1):
        first, second = _match(drawn, meeting)
        row = Pairing(round=round_, table=table, first=first, second=second, kind=Kind.PENDING)
        if second is None:
            round_off(event, row, Kind.BYE)
        add(row, by)

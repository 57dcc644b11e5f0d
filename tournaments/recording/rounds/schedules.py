"""Create all rounds of a round robin."""

from dataclasses import dataclass
from itertools import count

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Override, Pairing, Round
from tournaments.pairing.berger import berger
from tournaments.recording.events.backups import back_up
from tournaments.recording.locking import add, lock_event, remove_row, save
from tournaments.recording.pairings.by_hand import round_off, tables_in_order
from tournaments.recording.refusal import Refused
from tournaments.recording.teams.match_scores import DECIDED

Match = tuple[Competitor, Competitor | None]
"""White and Black, or a resting competitor and None."""


@dataclass(frozen=True, slots=True)
class ProposedSchedule:
    """A planned schedule. `replaced`: the number of pairings that it would replace. `dated_surplus`: the
    dated rounds that it would remove.
    """

    rounds: list[list[Match]]
    replaced: int
    dated_surplus: list[Round]


def schedule_of(event: Event) -> ProposedSchedule:
    """Return the schedule that `generate_schedule` would create. Accepts existing pairings."""
    drawn = _competitors_to_pair(event)
    meetings = berger(len(drawn), is_double=event.schedule == Event.Schedule.DOUBLE_ROUND_ROBIN)
    rounds = [
        [(drawn[first - 1], None if second is None else drawn[second - 1]) for first, second in each]
        for each in meetings
    ]
    replaced = Pairing.objects.filter(round__event=event).count()
    dated_surplus = event.rounds.filter(number__gt=len(rounds)).exclude(date="").order_by("number")
    return ProposedSchedule(rounds, replaced, list(dated_surplus))


def generate_schedule(event: Event, by: User, *, replacing: int = 0) -> int:
    """Pair all rounds of a round robin by Berger tables. Return the number of rounds.

    Competitors take the table numbers in the order of their own; withdrawn competitors are left out and a
    resting one gets a bye. `planned_rounds` is adjusted. A backup is stored first. Raise Refused for a
    Swiss, with fewer than two competitors, if there is a result or a pairing override, or if the number of
    existing pairings is not `replacing`.
    """
    with lock_event(event) as now:
        proposed = schedule_of(now)
        # The page showed this number; pairings added since must not be lost.
        if proposed.replaced != replacing:
            raise Refused(_("There are already pairings. Check below what is replaced."))
        back_up(now, by, _("Before all rounds were paired"))
        rounds = proposed.rounds
        for row in Pairing.objects.filter(round__event=now):
            remove_row(row, by)
        for surplus in now.rounds.filter(number__gt=len(rounds)):
            remove_row(surplus, by)
        if now.planned_rounds != len(rounds):
            now.planned_rounds = len(rounds)
            save(now, by)
        rounds_by_number = {each.number: each for each in now.rounds.all()}
        for number, matches in enumerate(rounds, start=1):
            round_ = rounds_by_number.get(number) or Round(event=now, number=number, version=0)
            # Published at once: the schedule of a round robin is known in advance.
            round_.state = Round.State.PUBLISHED
            save(round_, by)
            rows = [Pairing(round=round_, first=one, second=two, kind=Kind.PENDING) for one, two in matches]
            for row, table in zip(rows, tables_in_order(rows, count(1)), strict=True):
                row.table = table
                if row.second is None:
                    round_off(now, row, Kind.BYE)
                add(row, by)
    return len(rounds)


def _competitors_to_pair(event: Event) -> list[Competitor]:
    if not event.is_round_robin:
        raise Refused(
            _("Only a round robin has all rounds paired beforehand. A Swiss is paired round by round.")
        )
    if Pairing.objects.filter(DECIDED, round__event=event).exists():
        raise Refused(_("There are results already. Change single pairings, round by round."))
    if event.rounds.filter(state=Round.State.CLOSED).exists():
        raise Refused(_("A round is closed already. Open it again before all rounds are paired."))
    if event.overrides.filter(kind=Override.Kind.PAIRING, undone_by=None).exists():
        raise Refused(_("Pairings were changed by hand. Undo these changes first."))
    # The start number is the number drawn for the tables (FIDE handbook C.05, annex 1).
    drawn = list(event.competitors.filter(withdrawn_after=None).order_by("number"))
    if len(drawn) < 2:
        raise Refused(_("A round robin takes two competitors or more. Enter them first."))
    return drawn

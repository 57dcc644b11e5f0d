"""Open, close and reopen rounds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.choices import OVER, Kind
from tournaments.event.finding import Finding, Severity
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.models.pairing import delayed, missing_result
from tournaments.recording.events.backups import back_up
from tournaments.recording.events.rulings import about_round, open_findings
from tournaments.recording.locking import add, lock_event, locked, remove_row, save
from tournaments.recording.refusal import Refused, required, unpublished
from tournaments.recording.rounds.missing_data import IS_UNKNOWN, EmptyBoards, empty_boards, unknown_texts


@dataclass(frozen=True, slots=True)
class Closing:
    """What is unfinished in a round before it is closed.

    `missing`: pairings without a result. `delayed`: postponed and adjourned pairings of this and earlier
    rounds, which do not prevent closing. `unpaired`: competitors without a pairing, who count as absent.
    `gaps`: sentences about unknown results, which do not prevent closing. `empty`: boards without players,
    about which the user must state why. `findings`: unacknowledged findings of the round and of the event.
    `confirmed`: findings and absences that were confirmed when the round was published.
    """

    missing: list[Pairing]
    delayed: list[Pairing]
    unpaired: list[Competitor]
    gaps: Sequence[str]
    empty: Sequence[EmptyBoards]
    findings: tuple[Finding, ...]
    confirmed: Mapping[str, Any]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.findings if each.severity is Severity.ERROR)

    @property
    def statement(self) -> str:
        """Return the reason for closing the round with its empty boards, blank if there are none."""
        text = _("Not played, or players not known: %(boards)s.")
        return text % {"boards": "; ".join(map(str, self.empty))} if self.empty else ""

    @property
    def says_something(self) -> bool:
        """Return whether there is anything that was not confirmed when the round was published."""
        confirmed_messages, unpaired = self.confirmed.get("findings", ()), self.confirmed.get("unpaired", ())
        return (
            bool(self.missing or self.delayed or self.errors or self.gaps or self.empty)
            or any(each.message not in confirmed_messages for each in self.findings)
            or any(each.number not in unpaired for each in self.unpaired)
        )

    @property
    def is_possible(self) -> bool:
        """Return whether the round can be closed. Warnings and absences do not prevent it."""
        return not (self.missing or self.errors)


def open_round(event: Event, by: User, expected: int | None = None) -> Round:
    """Open the next round as an empty draft.

    Raise Refused if all planned rounds exist, the event is over or has no results, or the next round is not
    `expected`.
    """
    with lock_event(event) as now:
        number = next_round(now)
        # If two users press the button at once, the second must not open another round.
        if expected not in (None, number):
            raise Refused(_("Another person has already opened round %(round)s.") % {"round": expected})
        refuse_further_round(now, number)
        opened = Round(event=now, number=number, state=Round.State.DRAFT)
        add(opened, by)
    return opened


def refuse_further_round(event: Event, number: int) -> None:
    if event.state in OVER:
        raise Refused(_("This event is over. Set it live again before a further round."))
    if number > event.planned_rounds:
        raise Refused(
            _("All %(rounds)s planned rounds are there. Raise their number in the settings first.")
            % {"rounds": event.planned_rounds}
        )


def back_up_before(round_: Round, by: User) -> None:
    """Store a backup before a round gets its first pairing: a round of the schedule exists long before."""
    if not round_.pairings.exists():
        back_up(round_.event, by, _("Before round %(round)s") % {"round": round_.number})


def remove_round(event: Event, number: int, by: User) -> None:
    """Remove the last round. Raise Refused if it has pairings or is not the last, or the event is over."""
    with lock_event(event) as now:
        if now.is_over:
            raise Refused(_("This event is over. Set it live again before a round is removed."))
        row = locked(now.rounds.filter(number=number))
        if number + 1 != next_round(now) or row.pairings.exists():
            raise Refused(_("Only the last round can be removed, and only if it has no pairings."))
        remove_row(row, by)


def doubt_before_opening(event: Event) -> str:
    """Return a sentence why another round may be too early. Blank if it is not. A single query."""
    drafts = event.rounds.filter(state=Round.State.DRAFT).order_by("number")
    found = drafts.annotate(paired=Count("pairings")).first()
    if found is None:
        return ""
    values = {"round": found.number}
    if found.paired:
        return _("The pairings of round %(round)s are not published yet.") % values
    return _("Round %(round)s has no pairings yet.") % values


def next_round(event: Event) -> int:
    """Return the number of the next round. A single query."""
    return (event.rounds.aggregate(Max("number"))["number__max"] or 0) + 1


def before_closing(round_: Round, findings: Sequence[Finding] | None = None) -> Closing:
    """Return what is unfinished in a round, in a fixed number of queries.

    `findings`: open findings of the event if the caller has them.
    """
    # A match is pending until all its boards have results, so boards are not checked separately.
    without = round_.pairings.filter(missing_result() | IS_UNKNOWN)
    rows = list(without.select_related("first", "second"))
    missing = [row for row in rows if row.kind == Kind.PENDING]
    unknown = [(round_.number, row.table) for row in rows if row.kind != Kind.PENDING]
    found = open_findings(round_.event) if findings is None else findings
    of_round = about_round(found, round_.number)
    unpaired, gaps, empty = unpaired_of(round_), unknown_texts(unknown), empty_boards([round_])
    open_games = Pairing.objects.filter(
        delayed(), round__event=round_.event, round__number__lte=round_.number
    )
    open_games = open_games.select_related("round", "first", "second").order_by("round__number", "table")
    return Closing(missing, list(open_games), unpaired, gaps, empty, of_round, round_.confirmed)


def to_be_confirmed(round_: Round, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the findings and absences that publishing a round confirms, as JSON. Two queries."""
    return {
        "findings": [each.message for each in about_round(findings, round_.number)],
        "unpaired": [each.number for each in unpaired_of(round_)],
    }


def unpaired_of(round_: Round) -> list[Competitor]:
    """Return the competitors without a pairing who have not withdrawn before, by number. Two queries."""
    seats = round_.pairings.values_list("first_id", "second_id")
    paired = {key for seat in seats for key in seat if key is not None}
    # A competitor who withdrew after this round still played in it.
    staying = Q(withdrawn_after=None) | Q(withdrawn_after__gte=round_.number)
    return list(Competitor.objects.filter(staying, event=round_.event).exclude(pk__in=paired))


def close_round(round_: Round, by: User, statements: Collection[str] = ()) -> Closing:
    return close_rounds(round_.event, [round_.number], by, statements)[0]


def complete_rounds(event: Event) -> list[Round]:
    """Return the published rounds with all results that are not closed. A single query."""
    published = event.rounds.filter(state=Round.State.PUBLISHED).order_by("number")
    awaited = Count("pairings", filter=missing_result("pairings__"))
    counted = published.annotate(paired=Count("pairings"), awaited=awaited)
    return list(counted.filter(awaited=0, paired__gt=0))


def close_rounds(
    event: Event, numbers: Collection[int], by: User, statements: Collection[str] = ()
) -> list[Closing]:
    """Close rounds, all or none, then store a backup. `unknown` counts as a result.

    `statements`: contains each `Closing.statement` if the user has confirmed it. The history of the round
    keeps it. Raise Refused without it, if a result is missing or if the event has an error.
    """
    with lock_event(event) as now:
        findings = open_findings(now)
        rounds = list(now.rounds.filter(number__in=numbers).order_by("number"))
        if not rounds:
            raise Refused(_("These rounds were deleted. Reload the page."))
        closings = [_close_locked(now, each, findings, by, statements) for each in rounds]
        title = ngettext("After round %(rounds)s", "After rounds %(rounds)s", len(rounds))
        back_up(now, by, title % {"rounds": ", ".join(str(each.number) for each in rounds)})
    return closings


def reopen_round(round_: Round, by: User, reason: str) -> Round:
    with lock_event(round_.event) as event:
        now = locked_round(event, round_)
        if not now.is_closed:
            raise Refused(_("Round %(round)s is open already.") % {"round": now.number})
        now.state = Round.State.PUBLISHED
        save(now, by, required(reason))
    return now


def current_round(event: Event) -> int:
    """Return the number of the last round with a result, 0 if there is none. A single query."""
    decided = Pairing.objects.filter(round__event=event, kind__in=(Kind.PLAYED, Kind.FORFEIT))
    return decided.aggregate(Max("round__number"))["round__number__max"] or 0


def _close_locked(
    event: Event, round_: Round, findings: Sequence[Finding], by: User, statements: Collection[str]
) -> Closing:
    current = locked_round(event, round_)
    if current.is_closed:
        raise Refused(_("Round %(round)s is closed already.") % {"round": current.number})
    if current.is_draft:
        raise unpublished(current.number)
    closing = before_closing(current, findings)
    if closing.missing:
        tables = ", ".join(str(each.table) for each in closing.missing)
        raise Refused(
            _("Results are missing at table %(tables)s. Enter them, ? if unknown, or p if postponed.")
            % {"tables": tables}
        )
    if closing.errors:
        raise Refused(_("This round has an error: %(error)s") % {"error": closing.errors[0].message})
    if closing.statement and closing.statement not in statements:
        text = _("Boards of round %(round)s have no players. Enter the line-ups, or confirm: %(statement)s")
        raise Refused(text % {"round": current.number, "statement": closing.statement})
    current.state = Round.State.CLOSED
    save(current, by, closing.statement)
    return closing


def locked_round(event: Event, round_: Round) -> Round:
    now = locked(Round.objects.filter(pk=round_.pk, event=event))
    # The locked instance, to avoid a query for another copy.
    now.event = event
    return now

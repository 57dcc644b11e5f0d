"""Rounds: opened one after another, closed when nothing is missing, opened again for a reason."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _

from tournaments.event.choices import OVER, Kind, is_settled
from tournaments.event.dates import is_date
from tournaments.event.finding import Finding, Severity
from tournaments.models import Competitor, Event, Override, Pairing, Round
from tournaments.recording.backups import back_up
from tournaments.recording.corrections import is_built_upon
from tournaments.recording.matches import decided_in
from tournaments.recording.refusal import Refused, required
from tournaments.recording.rulings import open_findings
from tournaments.recording.turns import add, in_turn, locked, save


@dataclass(frozen=True, slots=True)
class Closing:
    """The findings and gaps that stand before the closing of a round.

    `missing` are its pairings without a result; `unpaired` who is in no pairing of it, and so is absent;
    `findings` those of the round and of the event as a whole that nobody has acknowledged.
    """

    missing: list[Pairing]
    unpaired: list[Competitor]
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Return the findings that keep the round open."""
        return tuple(each for each in self.findings if each.severity is Severity.ERROR)

    @property
    def is_possible(self) -> bool:
        """Say whether the round can be closed; warnings and absences do not keep it open."""
        return not (self.missing or self.errors)


def open_round(event: Event, by: User, date: str = "", meant: int | None = None) -> Round:
    """Open the next round, a draft still without pairings; a backup of the event is kept first.

    Refused where the date is none, every planned round is there, the event is over, or the next round is not
    the one `meant`.
    """
    if date and not is_date(date):
        raise Refused(_("“%(date)s” is no date. Write 2026-05-17, or nothing.") % {"date": date[:20]})
    with in_turn(event) as now:
        number = next_round(now)
        # Two who press the button at once mean the same round; the second must not open one more.
        if meant not in (None, number):
            raise Refused(_("Somebody has opened round %(round)s meanwhile.") % {"round": meant})
        if now.state in OVER:
            raise Refused(_("This event is over. Set it live again before a further round."))
        if number > now.planned_rounds:
            raise Refused(
                _("All %(rounds)s planned rounds are there. Raise their number in the settings first.")
                % {"rounds": now.planned_rounds}
            )
        back_up(now, by, _("Before round %(round)s") % {"round": number})
        opened = Round(event=now, number=number, date=date, state=Round.State.DRAFT)
        add(opened, by)
    return opened


def doubt_before_opening(event: Event) -> str:
    """Return why a further round may be too early, in a sentence; blank where it is not. One query."""
    drafts = event.rounds.filter(state=Round.State.DRAFT).order_by("number")
    found = drafts.annotate(paired=Count("pairings")).first()
    if found is None:
        return ""
    values = {"round": found.number}
    if found.paired:
        return _("The pairings of round %(round)s are not published yet.") % values
    return _("Nobody is paired in round %(round)s yet.") % values


def next_round(event: Event) -> int:
    """Return the number that a further round would have; one query."""
    return (event.rounds.aggregate(Max("number"))["number__max"] or 0) + 1


def before_closing(round_: Round) -> Closing:
    """Return what is missing in a round, who is not paired, and its findings; a fixed number of queries."""
    # A match is pending until all its boards are in, so boards need no look of their own.
    awaited = round_.pairings.filter(kind=Kind.PENDING).select_related("first", "second")
    findings = tuple(each for each in open_findings(round_.event) if each.round in (None, round_.number))
    return Closing(list(awaited), unpaired_of(round_), findings)


def unpaired_of(round_: Round) -> list[Competitor]:
    """Return who is in no pairing of a round and has not withdrawn before it, by number; two queries."""
    seats = round_.pairings.values_list("first_id", "second_id")
    paired = {key for seat in seats for key in seat if key is not None}
    # Who withdrew after this very round still played in it.
    staying = Q(withdrawn_after=None) | Q(withdrawn_after__gte=round_.number)
    return list(Competitor.objects.filter(staying, event=round_.event).exclude(pk__in=paired))


def close_round(round_: Round, by: User) -> Closing:
    """Close a round; a backup of the event is kept after it. `unknown` is a result, nothing is none.

    Refused while a result is missing, or the event has an error.
    """
    with in_turn(round_.event) as event:
        now = _locked(event, round_)
        if now.is_closed:
            raise Refused(_("Round %(round)s is closed already.") % {"round": now.number})
        if now.is_draft:
            raise Refused(
                _("The pairings of round %(round)s are not published yet. Publish them first.")
                % {"round": now.number}
            )
        closing = before_closing(now)
        _refuse_unfinished(closing)
        now.state = Round.State.CLOSED
        save(now, by)
        back_up(event, by, _("After round %(round)s") % {"round": now.number})
    return closing


def reopen_round(round_: Round, by: User, reason: str) -> Round:
    """Open a closed round again; the reason stands in its history."""
    with in_turn(round_.event) as event:
        now = _locked(event, round_)
        if not now.is_closed:
            raise Refused(_("Round %(round)s is open already.") % {"round": now.number})
        now.state = Round.State.PUBLISHED
        save(now, by, required(reason))
    return now


def publish_pairings(round_: Round, by: User) -> Round:
    """Show the pairings of a round to readers: from now on a change by hand is an override.

    Refused where there are none, and in a Swiss while an earlier round is a draft.
    """
    with in_turn(round_.event) as event:
        now = _locked(event, round_)
        if not now.pairings.exists():
            raise Refused(_("Round %(round)s has no pairings yet. Pair it first.") % {"round": now.number})
        earlier = (
            event.rounds.filter(number__lt=now.number, state=Round.State.DRAFT).order_by("number").first()
        )
        if earlier and not event.is_round_robin:
            raise Refused(
                _("The pairings of round %(round)s are not published yet. Publish them first.")
                % {"round": earlier.number}
            )
        if now.is_draft:
            now.state = Round.State.PUBLISHED
            save(now, by)
    return now


def take_back_pairings(round_: Round, by: User) -> Round:
    """Make the pairings of a round a draft again, which no reader sees and which is changed freely.

    Refused once a result of the round stands, once the record says that something of it was changed by hand
    or corrected, and where later rounds are built upon it.
    """
    with in_turn(round_.event) as event:
        now = _locked(event, round_)
        if refusal := why_published(event, now):
            raise Refused(refusal)
        if not now.is_draft:
            now.state = Round.State.DRAFT
            save(now, by)
    return now


def why_published(event: Event, round_: Round) -> str:
    """Return why the pairings of a round cannot be taken back; blank where they can. Four queries at most."""
    values = {"round": round_.number}
    if is_settled(event.state, round_.state):
        return _("Round %(round)s is settled. Open it again first.") % values
    if decided_in(round_):
        return _("A result of round %(round)s stands: its pairings stay published.") % values
    ruled = event.overrides.filter(kind=Override.Kind.PAIRING, round=round_.number)
    # Readers were told of those changes: a draft would make the public record point at nothing.
    if ruled.exists() or event.changes.filter(round=round_.number).exists():
        message = _("The public record tells of changes in round %(round)s: its pairings stay published.")
        return message % values
    if is_built_upon(event, round_):
        return _("A later round is built upon round %(round)s: its pairings stay published.") % values
    return ""


def current_round(event: Event) -> int:
    """Return the number of the last round with a result, 0 before the first; one query."""
    decided = Pairing.objects.filter(round__event=event, kind__in=(Kind.PLAYED, Kind.FORFEIT))
    return decided.aggregate(Max("round__number"))["round__number__max"] or 0


def _locked(event: Event, round_: Round) -> Round:
    now = locked(Round.objects.filter(pk=round_.pk, event=event))
    now.event = event
    return now


def _refuse_unfinished(closing: Closing) -> None:
    if closing.missing:
        tables = ", ".join(str(each.table) for each in closing.missing)
        raise Refused(
            _("Results are missing at table %(tables)s. Type them, or ? where nobody knows.")
            % {"tables": tables}
        )
    if closing.errors:
        raise Refused(_("This round has an error: %(error)s") % {"error": closing.errors[0].message})

"""The states of an event: who may see it, and whether it is over."""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.event.choices import OVER, PUBLIC, Kind
from tournaments.models import Event, Pairing, Round
from tournaments.recording.backups import back_up
from tournaments.recording.refusal import Refused, prose, required
from tournaments.recording.turns import in_turn, save
from tournaments.withdrawals import withdraw

State = Event.State

MEANING = {
    State.DRAFT: gettext_lazy("Only the desk sees it. Its addresses answer as if there were no event."),
    State.LIVE: gettext_lazy("Everybody sees it, and its pages bring themselves up to date."),
    State.FINAL: gettext_lazy("It is over. Everybody sees it; a change of a result is a correction."),
    State.ARCHIVED: gettext_lazy("It is over and kept for good, as it was; corrections stay possible."),
    State.REMOVED: gettext_lazy("It was public and is no more. Its addresses say that it was removed."),
}
"""What each state means, in a sentence."""

_ORDER = (State.DRAFT, State.LIVE, State.FINAL, State.ARCHIVED, State.REMOVED)


def publish(event: Event, state: str, by: User, reason: str = "") -> Event:
    """Bring an event into a state. Forward, states may be left out; back, and removal, need a reason.

    Refused where it has that state, where it would be over with results missing or a round open, or where it
    would be public with nobody in it.
    """
    with in_turn(event) as now:
        wanted = State(state)
        if wanted == now.state:
            raise Refused(_("This event is in that state already."))
        if wanted in (State.LIVE, *OVER) and not now.competitors.exists():
            raise Refused(_("Nobody takes part yet. Enter the competitors first."))
        reason_text = required(reason) if needs_reason_for(now, wanted) else prose(reason)
        # Only on the way to its end: a draft with gaps may go live, since it is still being played.
        if wanted in OVER:
            _refuse_unfinished(now)
            back_up(now, by, _("Before it became %(state)s") % {"state": wanted.label})
        if now.is_public and wanted not in PUBLIC:
            _withdraw(now)
        now.state = wanted
        save(now, by, reason_text)
    return now


def _withdraw(event: Event) -> None:
    """Mark the event, and those beside it in its series, which name it."""
    beside = Event.objects.filter(series=event.series_id) if event.series_id else Event.objects.none()
    for pk in {event.pk, *beside.values_list("pk", flat=True)}:
        withdraw(pk)


def needs_reason_for(event: Event, state: str) -> bool:
    """Say whether that step goes back, or takes a public event away."""
    was, becomes = _ORDER.index(State(event.state)), _ORDER.index(State(state))
    return becomes < was or state == State.REMOVED


def _refuse_unfinished(event: Event) -> None:
    pending = Pairing.objects.filter(round__event=event, kind=Kind.PENDING).order_by("round__number", "table")
    if missing := pending.values_list("round__number", "table").first():
        values = dict(zip(("round", "table"), missing, strict=True))
        raise Refused(
            _("Round %(round)s, table %(table)s has no result yet. Type it, or ? where nobody knows.")
            % values
        )
    if open_ := event.rounds.exclude(state=Round.State.CLOSED).order_by("number").first():
        raise Refused(_("Round %(round)s is open. Close it first.") % {"round": open_.number})

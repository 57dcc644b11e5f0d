"""States of an event: who may see it, and whether it is over."""

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.event.choices import OVER, PUBLIC
from tournaments.models import Event, Pairing, Round
from tournaments.models.pairing import without_result
from tournaments.operations.takedowns import withdraw
from tournaments.recording.events.backups import back_up
from tournaments.recording.locking import lock_event, save
from tournaments.recording.refusal import Refused, prose, required
from tournaments.recording.rounds.missing_data import delayed_text

State = Event.State

MEANING = {
    State.DRAFT: gettext_lazy("Only the desk sees it. Its addresses answer as if there were no event."),
    State.LIVE: gettext_lazy("Public. Its pages update by themselves."),
    State.FINAL: gettext_lazy("The event is over and public. Changed results count as corrections."),
    State.ARCHIVED: gettext_lazy("The event is over and archived. Corrections remain possible."),
    State.REMOVED: gettext_lazy(
        "The event was public and has been removed. Its addresses show that it was removed."
    ),
}
"""Meaning of each state, in a sentence."""

_ORDER = (State.DRAFT, State.LIVE, State.FINAL, State.ARCHIVED, State.REMOVED)


def publish(event: Event, state: str, by: User, reason: str = "") -> Event:
    """Change the state of an event. Moving back and removing need a reason; states may be skipped forward.

    Raise Refused if the event has that state, if it would be over with missing results or an open round,
    or public without competitors.
    """
    with lock_event(event) as now:
        wanted = State(state)
        if wanted == now.state:
            raise Refused(_("This event is in that state already."))
        if wanted in (State.LIVE, *OVER) and not now.competitors.exists():
            raise Refused(_("There are no competitors yet. Enter the competitors first."))
        reason_text = required(reason) if needs_reason_for(now, wanted) else prose(reason)
        # Not checked for going live, because the event is still being played.
        if wanted in OVER:
            _require_finished(now)
            back_up(now, by, _("Before the status changed to %(state)s") % {"state": wanted.label})
        if now.is_public and wanted not in PUBLIC:
            editions = Event.objects.filter(series=now.series_id) if now.series_id else Event.objects.none()
            for pk in {now.pk, *editions.values_list("pk", flat=True)}:
                withdraw(pk)
        now.state = wanted
        save(now, by, reason_text)
    return now


def needs_reason_for(event: Event, state: str) -> bool:
    was, target = _ORDER.index(State(event.state)), _ORDER.index(State(state))
    return target < was or state == State.REMOVED


def _require_finished(event: Event) -> None:
    pending = Pairing.objects.filter(without_result(), round__event=event).order_by("round__number", "table")
    if missing := pending.select_related("round", "first", "second").first():
        if missing.delayed:
            text = _("%(game)s. Enter the result, or ? if it will not be known.")
            raise Refused(text % {"game": delayed_text(missing)})
        values = {"round": missing.round.number, "table": missing.table}
        raise Refused(
            _("Round %(round)s, table %(table)s has no result yet. Enter it, or ? if it is unknown.") % values
        )
    not_played = Q(state=Round.State.DRAFT, pairings__isnull=True)
    if open_ := event.rounds.exclude(Q(state=Round.State.CLOSED) | not_played).order_by("number").first():
        raise Refused(_("Round %(round)s is open. Close it first.") % {"round": open_.number})

"""The states of an event: what each means, and the step from one to another, asked before it is taken."""

from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view, may_publish
from tournaments.event.choices import OVER, PUBLIC
from tournaments.models import Event
from tournaments.operations.jobs import Turn, archive_job
from tournaments.operations.jobs import ask as ask_for
from tournaments.recording.gaps import before_final
from tournaments.recording.publication import MEANING, needs_reason_for, publish
from tournaments.recording.refusal import Refused
from tournaments.recording.rulings import open_findings

State = Event.State

NAMES = {
    State.DRAFT: gettext_lazy("draft"),
    State.LIVE: gettext_lazy("live"),
    State.FINAL: gettext_lazy("final"),
    State.ARCHIVED: gettext_lazy("archived"),
    State.REMOVED: gettext_lazy("removed"),
}
VERBS = {
    State.DRAFT: gettext_lazy("Take it back to draft"),
    State.LIVE: gettext_lazy("Set it live"),
    State.FINAL: gettext_lazy("Declare it final"),
    State.ARCHIVED: gettext_lazy("Archive it"),
    State.REMOVED: gettext_lazy("Remove it from the public site"),
}


class StateRow(NamedTuple):
    """A state as the screen lists it; `verb` is blank where no step leads there."""

    state: str
    name: str
    meaning: str
    is_now: bool
    verb: str | Promise


class PublicationForm(forms.Form):
    """Why; asked where a step goes back or takes something away."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, *args: Any, required: bool) -> None:
        super().__init__(*args)
        # Going on needs no reason, but may have one.
        self.fields["reason"].required = required


@desk_view(may_publish)
def publication(request: HttpRequest, event: Event) -> HttpResponse:
    """Show every state, which of them the event has, and the steps to the others."""
    return page(
        request,
        event,
        "event_publication",
        _("Publication"),
        _("Says who sees the event, and whether it is over. Nothing happens before you confirm it."),
        stages=[_stage(event, state) for state in State],
    )


@desk_view(may_publish)
def publish_as(request: HttpRequest, event: Event, state: str) -> HttpResponse:
    """Ask before the step, and take it."""
    if state not in State.values:
        raise Http404
    wanted = State(state)
    # The way back of the browser asks for a step that was taken; that is no error.
    if not _leads_to(event, wanted):
        messages.info(request, _no_step(event, wanted))
        return redirect("admin:event-publication", event.pk)
    needed = needs_reason_for(event, wanted)
    form = PublicationForm(request.POST if request.method == "POST" else None, required=needed)
    if form.is_valid():
        try:
            with transaction.atomic():
                publish(event, wanted, who(request), form.cleaned_data["reason"])
                if wanted in OVER:
                    # In the same transaction: where this process dies, both are stored or neither.
                    at = (request.scheme or "http", request.get_host())
                    ask_for(archive_job(event.pk, *at, public=True, turn=Turn.BEFOREHAND))
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The event is now: %(state)s.") % {"state": NAMES[wanted]})
            return redirect("admin:event-desk", event.pk)
    return page(
        request,
        event,
        "event_publish",
        capfirst(str(VERBS[wanted])),
        _("Asks once more before readers see a difference."),
        now=name_of_state(event),
        stage=_stage(event, wanted),
        form=form,
        needed=needed,
        consequence=consequence(event, wanted),
        **_gaps(event, wanted),
    )


def _gaps(event: Event, wanted: str) -> dict[str, Any]:
    """Return what is not recorded and how many warnings are open, if the event is to be over."""
    if wanted not in OVER or event.is_over:
        return {}
    return {"gaps": before_final(event), "findings_count": len(open_findings(event))}


def name_of_state(event: Event) -> str:
    """Return the event's state in a word."""
    return str(NAMES[State(event.state)])


def consequence(event: Event, wanted: str) -> str:
    """Return what readers will notice of the step, in a sentence."""
    was, will = event.is_public, wanted in PUBLIC
    values = {"address": f"/events/{event.slug}/"}
    if will and not was:
        return _("From this moment everybody can read it at %(address)s.") % values
    if was and not will:
        return _("From this moment nobody but the desk can read it at %(address)s any more.") % values
    return _("Readers go on finding it at %(address)s.") % values if was else _("Readers notice nothing.")


def _no_step(event: Event, wanted: str) -> str:
    """Return why no step leads to a state, as for who goes back to a step that he has taken."""
    if wanted == event.state:
        return _("The event is %(state)s already.") % {"state": name_of_state(event)}
    return _("No step leads from %(now)s to %(state)s.") % {
        "now": name_of_state(event), "state": NAMES[State(wanted)],
    }  # fmt: skip


def _stage(event: Event, state: str) -> StateRow:
    is_now, known = event.state == state, State(state)
    verb = VERBS[known] if _leads_to(event, known) else ""
    return StateRow(state, capfirst(str(NAMES[known])), str(MEANING[known]), is_now, verb)


def _leads_to(event: Event, state: str) -> bool:
    """Say whether there is such a step; what was never public is not removed from the public."""
    return event.state != state and (event.state, state) != (State.DRAFT, State.REMOVED)

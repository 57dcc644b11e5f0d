"""The states of an event: their meaning, and the confirmed change from one state to another."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import add_redirect_message, page, refusal_in, who
from tournaments.admin.permissions import desk_view, may_organise
from tournaments.event.choices import OVER, PUBLIC, EventState
from tournaments.models import Event
from tournaments.operations.jobs import Turn, archive_job
from tournaments.operations.jobs import ask as ask_for
from tournaments.recording.events.home import end_lending, give_back, is_borrowed, unsent
from tournaments.recording.events.publication import MEANING, needs_reason_for, publish
from tournaments.recording.events.rulings import open_findings
from tournaments.recording.rounds.missing_data import before_final

State = Event.State

VERBS = {
    State.DRAFT: gettext_lazy("Take it back to draft"),
    State.LIVE: gettext_lazy("Set it live"),
    State.FINAL: gettext_lazy("Declare it final"),
    State.ARCHIVED: gettext_lazy("Archive it"),
    State.REMOVED: gettext_lazy("Remove it from the public site"),
}


class PublicationForm(forms.Form):
    """The reason, optional if the event goes on to a later state."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3})
    )


@desk_view(may_organise)
def publication(request: HttpRequest, event: Event) -> HttpResponse:
    return page(
        request,
        event,
        "event_publication",
        _("Publication"),
        _("Set who can see the event, and if it is over. Nothing changes until you confirm."),
        stages=[_state_row(event, state) for state in State],
    )


@desk_view(may_organise)
def publish_as(request: HttpRequest, event: Event, state: str) -> HttpResponse:
    if state not in State.values:
        raise Http404
    new_state = State(state)
    # After "back" in the browser, the form may ask for a change that was made.
    if not _is_possible(event, new_state):
        values = {"now": name_of_state(event), "state": new_state.label.lower()}
        already, no_step = _("The event is %(state)s already."), _("No step leads from %(now)s to %(state)s.")
        add_redirect_message(request, (already if new_state == event.state else no_step) % values)
        return redirect("admin:event-publication", event.pk)
    is_reason_required = needs_reason_for(event, new_state)
    form = PublicationForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].required = is_reason_required
    if form.is_valid():
        with refusal_in(form):
            with transaction.atomic():
                publish(event, new_state, who(request), form.cleaned_data["reason"])
                if new_state in OVER:
                    # In the same transaction, so that a crash stores both or neither.
                    origin = (request.scheme or "http", request.get_host())
                    ask_for(archive_job(event.pk, *origin, public=True, turn=Turn.BEFOREHAND))
            messages.success(request, _("The event is now: %(state)s.") % {"state": new_state.label.lower()})
            return redirect("admin:event-desk", event.pk)
    gaps: dict[str, Any] = {}
    if new_state in OVER and not event.is_over:
        gaps = {"gaps": before_final(event), "findings_count": len(open_findings(event))}
    return page(
        request,
        event,
        "event_publish",
        capfirst(str(VERBS[new_state])),
        _("Nothing changes until you confirm."),
        now=name_of_state(event),
        stage=_state_row(event, new_state),
        form=form,
        needed=is_reason_required,
        consequence=consequence(event, new_state),
        **gaps,
    )


def name_of_state(event: Event) -> str:
    return State(event.state).label.lower()


def consequence(event: Event, new_state: str) -> str:
    was_public, is_public = event.is_public, new_state in PUBLIC
    values = {"address": f"/events/{event.slug}/"}
    if is_public and not was_public:
        return _("When you confirm, everyone can see it at %(address)s.") % values
    if was_public and not is_public:
        return _("When you confirm, only the desk can see it. %(address)s stops working.") % values
    if was_public:
        return _("The public can still read it at %(address)s.") % values
    return _("No visible change for the public.")


def _state_row(event: Event, state: EventState) -> dict[str, Any]:
    return {
        "state": state.value,
        "name": state.label,
        "meaning": MEANING[state],
        "is_now": event.state == state,
        "verb": VERBS[state] if _is_possible(event, state) else "",
    }


def _is_possible(event: Event, state: str) -> bool:
    return event.state != state and (event.state, state) != (State.DRAFT, State.REMOVED)


@desk_view(may_organise)
def home(request: HttpRequest, event: Event) -> HttpResponse:
    """Show where the event is changed. Give a borrowed event back, or take a lent one back with a reason."""
    form = PublicationForm(request.POST if request.method == "POST" else None)
    form.fields["reason"].required = bool(event.home)
    if form.is_valid() and (event.home or event.shown_at):
        with refusal_in(form):
            if event.home:
                end_lending(event, who(request), form.cleaned_data["reason"])
                messages.success(request, _("The event is changed here again."))
            else:
                give_back(event, who(request))
                messages.success(request, _("It is given back as soon as the site can be reached."))
            return redirect("admin:event-desk", event.pk)
    context = {"form": form, "is_borrowed": is_borrowed(event), "unsent": unsent(event)}
    purpose = _("One Crosstable at a time changes an event. Others show it.")
    return page(request, event, "event_home", _("Home of the event"), purpose, **context)

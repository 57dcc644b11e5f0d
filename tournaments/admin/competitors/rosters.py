"""Paste competitors as a list: a preview, then all rows are recorded together."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.competitors.pasted_list import (
    RosterList,
    enter_roster,
    read_roster,
    with_rated_players,
)
from tournaments.recording.events.rulings import left_out
from tournaments.recording.refusal import Refused

MOST_SIGNS = 100_000


class RosterForm(forms.Form):
    """The pasted list. Indented lines are players of a team."""

    text = PastedField(gettext_lazy("Competitors, a line each"), rows=16, most_signs=MOST_SIGNS)


@desk_view()
def roster(request: HttpRequest, event: Event) -> HttpResponse:
    form = RosterForm(request.POST or None)
    is_pasted = form.is_valid()
    if is_pasted and "enter" in request.POST:
        listed_keys = {whole_number(each) or 0 for each in request.POST.getlist("listed")}
        try:
            entered = enter_roster(event, form.cleaned_data["text"], who(request), listed_keys)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            values = {"competitors": entered.competitors, "players": entered.players}
            if entered.players:
                text = _("Entered: teams %(competitors)s, players of them %(players)s.")
            else:
                text = _("Competitors entered: %(competitors)s.")
            messages.success(request, text % values)
            for each in left_out(event):
                messages.warning(request, each.message)
            return redirect("admin:event-register", event.pk)
    entered = read_roster(event, form.cleaned_data["text"]) if is_pasted else RosterList(())
    if not entered.faults:
        entered = with_rated_players(event, entered)
    return page(
        request,
        event,
        "event_roster",
        _("Paste competitors"),
        _("Enter a complete list, from a spreadsheet or an email. You see a preview first."),
        form=form,
        pasted=entered,
        is_ready=bool(entered.lines) and not entered.faults and "change" not in request.POST,
        there=event.competitors.count(),
        has_proposals=any(each.listed for each in entered.lines),
    )

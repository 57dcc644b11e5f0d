"""Competitors pasted as a list: a preview first, then all of them or none."""

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
from tournaments.recording.refusal import Refused
from tournaments.recording.rosters import RosterList, enter_roster, read_roster, with_rated_players
from tournaments.recording.rulings import left_out

MOST_SIGNS = 100_000


class RosterForm(forms.Form):
    """The list as it was pasted; blanks in front tell a team's players."""

    text = PastedField(gettext_lazy("Competitors, a line each"), rows=16, most_signs=MOST_SIGNS)


@desk_view()
def roster(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the form, then what it would enter, line by line; enter that once it was looked at."""
    form = RosterForm(request.POST or None)
    is_pasted = form.is_valid()
    if is_pasted and "enter" in request.POST and _enter(request, event, form):
        return redirect("admin:event-register", event.pk)
    entered = read_roster(event, form.cleaned_data["text"]) if is_pasted else RosterList(())
    if not entered.faults:
        entered = with_rated_players(event, entered)
    return page(
        request,
        event,
        "event_roster",
        _("Paste competitors"),
        _("Enters a whole list at once, from a spreadsheet or a mail. You see first what it makes of it."),
        form=form,
        pasted=entered,
        is_ready=bool(entered.lines) and not entered.faults and "change" not in request.POST,
        there=event.competitors.count(),
        has_proposals=any(each.listed for each in entered.lines),
    )


def _enter(request: HttpRequest, event: Event, form: RosterForm) -> bool:
    """Say whether all was entered; why not stands at the form."""
    try:
        taken = {whole_number(each) or 0 for each in request.POST.getlist("listed")}
        entered = enter_roster(event, form.cleaned_data["text"], who(request), taken)
    except Refused as refused:
        form.add_error(None, str(refused))
        return False
    values = {"competitors": entered.competitors, "players": entered.players}
    if entered.players:
        messages.success(request, _("Entered: teams %(competitors)s, players of them %(players)s.") % values)
    else:
        messages.success(request, _("Competitors entered: %(competitors)s.") % values)
    for each in left_out(event):
        messages.warning(request, each.message)
    return True

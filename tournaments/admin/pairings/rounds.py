"""The rounds of an event, opening the next one, and the schedule of a round robin."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.steps import rounds_of
from tournaments.event.dates import partial_date, time_of_day
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.competitors.start_numbers import why_numbers_stand
from tournaments.recording.events.rulings import left_out
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds.opening import doubt_before_opening, next_round, open_round
from tournaments.recording.rounds.schedules import generate_schedule, schedule_of

SHOWN_BACKUPS = 5


class OpeningForm(forms.Form):
    """Date, time and number of the next round. With the number, simultaneous POSTs open a single round."""

    date = forms.CharField(
        label=gettext_lazy("Date"),
        required=False,
        max_length=10,
        validators=[partial_date],
        help_text=gettext_lazy("Such as 2026-05-17. May be left blank."),
    )
    time = forms.CharField(
        label=gettext_lazy("Time"),
        required=False,
        max_length=5,
        validators=[time_of_day],
        help_text=gettext_lazy("When it starts, by the clocks of the place: 14:00. May be left blank."),
    )
    number = forms.IntegerField(widget=forms.HiddenInput)


@desk_view()
def rounds(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the rounds. A POST opens the next round, after a question if the last one is incomplete."""
    following, doubt = next_round(event), ""
    # A draft is often prepared long before its first round.
    date = localdate().isoformat() if event.state == Event.State.LIVE else ""
    form = OpeningForm(request.POST or None, initial={"number": following, "date": date})
    if form.is_valid():
        is_next = form.cleaned_data["number"] == following
        # “anyway” is the second button of the question, which is shown only once.
        doubt = doubt_before_opening(event) if is_next and "anyway" not in request.POST else ""
    if form.is_valid() and not doubt:
        values = form.cleaned_data
        number = values["number"]
        refusal = refusal_of(
            lambda: open_round(event, who(request), values["date"], values["time"], expected=number)
        )
        if not refusal:
            messages.success(
                request,
                _("Round %(round)s is open, and a backup was made. Now pair it.") % {"round": number},
            )
            return redirect("admin:round-pairings", event.pk, number)
        form.add_error(None, refusal)
    return page(
        request,
        event,
        "rounds",
        _("Rounds"),
        PURPOSE,
        form=form,
        doubt=doubt,
        **_rounds_context(event, following),
    )


PURPOSE = gettext_lazy("Open the rounds one by one, and close each round when its results are complete.")


def _rounds_context(event: Event, following: int) -> dict[str, Any]:
    """Return the rounds, the next round that can be opened, and the last backups; two queries."""
    found = list(rounds_of(event))
    return {
        "rounds": found,
        "last": found[-1] if found else None,
        "following": following if following <= event.planned_rounds and not event.is_over else None,
        "is_over": event.is_over,
        "is_shown": event.is_public,
        # A competitor entered after the schedule was made is in no round, which is easily overlooked.
        "findings": left_out(event),
        "backups": event.backups.defer("file")[:SHOWN_BACKUPS],
    }


@desk_view()
def schedule(request: HttpRequest, event: Event) -> HttpResponse:
    refusal, preview = "", None
    try:
        if request.method == "POST":
            replacing = whole_number(request.POST.get("replacing", "")) or 0
            count = generate_schedule(event, who(request), replacing=replacing)
            text = ngettext("%(count)s round is paired.", "%(count)s rounds are paired.", count)
            messages.success(request, text % {"count": count})
            return redirect("admin:event-rounds", event.pk)
    except Refused as refused:
        refusal = str(refused)
    try:
        preview = schedule_of(event)
    except Refused as refused:
        refusal = str(refused)
    purpose = _("Pairs every round of a round robin by Berger tables, in the order of the start numbers.")
    context = {
        "refusal": refusal,
        "schedule": preview,
        "games": sum(second is not None for each in preview.rounds for _first, second in each)
        if preview
        else 0,
        "numbers_stand": why_numbers_stand(event),
        "is_changing": preview is not None and len(preview.rounds) != event.planned_rounds,
    }
    return page(request, event, "schedule", _("Schedule"), purpose, **context)

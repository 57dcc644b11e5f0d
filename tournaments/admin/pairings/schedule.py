"""The schedule of a round robin: shown as a whole before any of it is stored."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.refusal import Refused
from tournaments.recording.schedules import Schedule, generate_schedule, schedule_of


@desk_view()
def schedule(request: HttpRequest, event: Event) -> HttpResponse:
    """Every round of the schedule; after a post the rounds, paired."""
    refusal, made = "", None
    try:
        if request.method == "POST":
            _generate(request, event)
            return redirect("admin:event-rounds", event.pk)
    except Refused as refused:
        refusal = str(refused)
    try:
        made = schedule_of(event)
    except Refused as refused:
        refusal = str(refused)
    purpose = _("Pairs every round of a round robin by Berger tables, in the order of the start numbers.")
    told = {"refusal": refusal, "schedule": made, "is_changing": bool(made and _changes(event, made))}
    return page(request, event, "schedule", _("Schedule"), purpose, **told)


def _changes(event: Event, made: Schedule) -> bool:
    """Whether the number of planned rounds becomes another one."""
    return len(made.rounds) != event.planned_rounds


def _generate(request: HttpRequest, event: Event) -> None:
    replacing = whole_number(request.POST.get("replacing", "")) or 0
    rounds = generate_schedule(event, who(request), replacing=replacing)
    paired = ngettext("%(count)s round is paired.", "%(count)s rounds are paired.", rounds)
    messages.success(request, paired % {"count": rounds})

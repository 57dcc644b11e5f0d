"""The rounds of a competitor: requested byes, withdrawal and return."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournaments.admin.competitors.attendance import note_of
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view
from tournaments.event.choices import Kind, Presence
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event, Round
from tournaments.recording.competitors.participation import (
    come_back,
    last_played,
    next_to_pair,
    request_bye,
    why_no_bye,
    withdraw_competitor,
    withdrawal_effect,
)
from tournaments.recording.locking import lock_event
from tournaments.recording.refusal import Conflict, Refused

MAX_MARKS = 20


@desk_view()
def participation(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    competitor = get_object_or_404(event.competitors, number=number)
    competitor.event = event
    error = ""
    if request.method == "POST":
        try:
            notices = _store_change(request, competitor)
        except (Refused, Conflict) as fault:
            error = str(fault)
        else:
            for each in notices:
                messages.success(request, each)
            return redirect(request.get_full_path())
    first, allowance = next_to_pair(event), ""
    published = {*event.rounds.exclude(state=Round.State.DRAFT).values_list("number", flat=True)}
    last = last_played(competitor) if event.is_round_robin else first - 1
    if event.half_byes is not None:
        requested = [*competitor.requested_byes.values()].count(Kind.HALF_BYE)
        values = {"asked": requested, "most": event.half_byes}
        allowance = _("Requested half-point byes: %(asked)s of %(most)s.") % values
    return page(
        request,
        event,
        "event_participation",
        _("%(number)s %(name)s: rounds") % {"number": competitor.number, "name": competitor.name},
        _("Byes for rounds that are still to be paired, withdrawal and return."),
        competitor=competitor,
        refusal=error,
        first=first,
        to_pair=[
            _bye_choices(event, competitor, each)
            for each in range(first, event.planned_rounds + 1)
            if each not in published
        ],
        rounds=range(last, event.planned_rounds),
        effect=withdrawal_effect(
            event, competitor, last if competitor.withdrawn_after is None else competitor.withdrawn_after
        ),
        allowance=allowance,
        marks=[
            (each.round, Presence(each.state).label if each.state else "–", note_of(each))
            for each in competitor.attendances.select_related("by").order_by("-pk")[:MAX_MARKS]
        ],
    )


def _bye_choices(event: Event, competitor: Competitor, number: int) -> dict[str, Any]:
    kinds = (
        ("", _("plays"), ""),
        (Kind.HALF_BYE.value, _("half-point bye"), why_no_bye(event, competitor, number, Kind.HALF_BYE)),
        (Kind.ZERO_BYE.value, _("zero-point bye"), why_no_bye(event, competitor, number, Kind.ZERO_BYE)),
    )
    requested = competitor.requested_byes.get(str(number), "")
    return {"number": number, "asked": requested, "kinds": kinds}


def _store_change(request: HttpRequest, competitor: Competitor) -> list[str]:
    posted, by = request.POST, who(request)
    seen = whole_number(posted.get("seen", "")) or 0
    if "withdraw" in posted:
        if (after := whole_number(posted.get("after", ""))) is None:
            raise Refused(_("Choose the round of the withdrawal."))
        return withdraw_competitor(competitor, after, seen, by)
    if "return" in posted:
        return come_back(competitor, seen, by)
    notices: list[str] = []
    # All byes that differ from the stored ones, in a single transaction.
    with lock_event(competitor.event) as event:
        for number in range(next_to_pair(event), event.planned_rounds + 1):
            kind = posted.get(f"round-{number}")
            if kind is None or kind == competitor.requested_byes.get(str(number), ""):
                continue
            notices += request_bye(competitor, number, str(kind), seen, by)
            seen += 1
    return notices or [_("No changes.")]

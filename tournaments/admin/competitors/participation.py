"""Who plays in which rounds: byes asked for, withdrawal and return of one competitor, on one screen."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.admin.competitors.attendance import note_of
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import User, desk_view
from tournaments.event.choices import Kind, Presence
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event
from tournaments.recording.locking import lock_event
from tournaments.recording.participation import (
    come_back,
    next_to_pair,
    request_bye,
    why_no_bye,
    withdraw,
)
from tournaments.recording.refusal import Conflict, Refused

LATEST_MARKS = 20


@desk_view()
def participation(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the rounds that are still to be paired and the marks at the door; store one change."""
    competitor = event.competitors.filter(number=number).first()
    if competitor is None:
        raise Http404
    competitor.event = event
    refusal = ""
    if request.method == "POST":
        try:
            told = _changed(request, competitor)
        except (Refused, Conflict) as fault:
            refusal = str(fault)
        else:
            for each in told:
                messages.success(request, each)
            return redirect(request.get_full_path())
    first = next_to_pair(event)
    return page(
        request,
        event,
        "event_participation",
        _("%(number)s %(name)s: rounds") % {"number": competitor.number, "name": competitor.name},
        _("Byes for rounds that are still to be paired, withdrawal and return."),
        competitor=competitor,
        refusal=refusal,
        first=first,
        to_pair=[_choices(event, competitor, each) for each in range(first, event.planned_rounds + 1)],
        rounds=range(first, event.planned_rounds + 1),
        allowance=_allowance(event, competitor),
        marks=[
            (each.round, Presence(each.state).label if each.state else "–", note_of(each))
            for each in competitor.attendances.select_related("by").order_by("-pk")[:LATEST_MARKS]
        ],
    )


def _choices(event: Event, competitor: Competitor, number: int) -> dict[str, Any]:
    """Return a round, what is asked for in it, and what may be; each with the reason why not, if any."""
    kinds = (
        ("", _("plays"), ""),
        (Kind.HALF_BYE.value, _("half-point bye"), why_no_bye(event, competitor, number, Kind.HALF_BYE)),
        (Kind.ZERO_BYE.value, _("bye without points"), why_no_bye(event, competitor, number, Kind.ZERO_BYE)),
    )
    asked = competitor.requested_byes.get(str(number), "")
    return {"number": number, "asked": asked, "kinds": kinds}


def _allowance(event: Event, competitor: Competitor) -> str:
    """Return how many half-point byes are left, in a sentence; blank where the event does not say."""
    asked = [*competitor.requested_byes.values()].count(Kind.HALF_BYE)
    if event.half_byes is None:
        return ""
    values = {"asked": asked, "most": event.half_byes}
    return _("Half-point byes asked for: %(asked)s of %(most)s.") % values


def _changed(request: HttpRequest, competitor: Competitor) -> list[str]:
    """Do what the form asks; return what it touches, in sentences."""
    posted, by = request.POST, who(request)
    seen = whole_number(posted.get("seen", "")) or 0
    if "withdraw" in posted:
        from_round = whole_number(posted.get("from", ""))
        if not from_round:
            raise Refused(_("Choose the first round without them."))
        return withdraw(competitor, from_round - 1, seen, by)
    if "return" in posted:
        return come_back(competitor, seen, by)
    return _ask_for_byes(competitor, {key: str(value) for key, value in posted.items()}, seen, by)


def _ask_for_byes(competitor: Competitor, posted: dict[str, str], seen: int, by: User) -> list[str]:
    """Ask for every bye that differs from what is stored, all of them or none."""
    told: list[str] = []
    with lock_event(competitor.event) as event:
        for number in range(next_to_pair(event), event.planned_rounds + 1):
            kind = posted.get(f"round-{number}")
            if kind is None or kind == competitor.requested_byes.get(str(number), ""):
                continue
            told += request_bye(competitor, number, kind, seen, by)  # type: ignore[arg-type]  # is logged in
            seen += 1
    return told or [_("Nothing was changed.")]

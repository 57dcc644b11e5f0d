"""The history of a round, and rewinding the event to the state before it."""

from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.admin.steps import pairings_text
from tournaments.models import Event, Pairing, Proposal, Round
from tournaments.models.versioned import past_of
from tournaments.recording.locking import name_of_user
from tournaments.recording.pairings.by_hand import seats_text
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds.rewinding import go_back, rewind_of

DRAFT, PUBLISHED, CLOSED = Round.State.DRAFT, Round.State.PUBLISHED, Round.State.CLOSED

ACTS: dict[tuple[str, str], str | Promise] = {
    (DRAFT, PUBLISHED): gettext_lazy("pairings published"),
    (PUBLISHED, DRAFT): gettext_lazy("pairings taken back"),
    (PUBLISHED, CLOSED): gettext_lazy("closed"),
    (CLOSED, PUBLISHED): gettext_lazy("opened again"),
}
"""Texts by state before and after."""


class PastAct(NamedTuple):
    at: datetime
    by: str
    what: str
    why: str


@desk_view()
def history(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the actions on all rounds that had this number, including deleted ones, the latest first."""
    round_ = round_of(event, number)
    proposals = Proposal.objects.filter(round=round_).defer("input")
    # Only pairings made by hand are added with a lock.
    by_hand = past_of(Pairing).objects.filter(round_id=round_.pk, history_type="+", locked=True)
    by_hand = by_hand.exclude(first__number=None).select_related("history_user", "first", "second")
    acts = [
        *acts_on(event, number),
        *(PastAct(each.at, each.by, _proposal_label(each), each.problem) for each in proposals),
        *(_act_of(each, _("by hand: %(pair)s") % {"pair": seats_text(each)}) for each in by_hand),
    ]
    return page(
        request,
        event,
        "round_history",
        _("History of round %(round)s") % {"round": number},
        _("Who proposed, published, took back, closed or reopened the round, with time and reason."),
        **of_round(round_, acts=sorted(acts, key=lambda act: act.at, reverse=True)),
    )


def acts_on(event: Event, number: int) -> list[PastAct]:
    """Return the actions on the rounds with this number; two queries."""
    rows = past_of(Round).objects.filter(event_id=event.pk, number=number)
    saves = list(rows.select_related("history_user").order_by("id", "history_date", "history_id"))
    acts = []
    for before, save in pairwise([None, *saves]):
        is_same_row = before is not None and before.id == save.id
        what = _act_label(before if is_same_row else None, save)
        if what:
            acts.append(_act_of(save, what))
    return acts


def _act_of(save: Any, what: str) -> PastAct:
    by = name_of_user(save.history_user)
    return PastAct(save.history_date, by, what, save.history_change_reason or "")


def _act_label(before: Any, save: Any) -> str:
    if save.history_type == "-":
        return _("removed")
    start = f"{save.date} {save.time}".strip()
    if before is None and not start:
        return _("opened")
    if before is None or (
        (before.date, before.time) != (save.date, save.time) and before.state == save.state
    ):
        return _("date: %(date)s") % {"date": start or _("none")}
    return str(ACTS.get((before.state, save.state), ""))


def _proposal_label(proposal: Proposal) -> str:
    engine = proposal.version or proposal.engine
    if proposal.problem:
        return _("pairing with %(engine)s failed") % {"engine": engine}
    if proposal.applied is None:
        return _("pairings requested from %(engine)s") % {"engine": engine}
    byes = sum(each["black"] is None for each in proposal.pairs)
    pairings = pairings_text(len(proposal.pairs) - byes, byes)
    return _("%(pairings)s proposed by %(engine)s") % {"pairings": pairings, "engine": engine}


@desk_view()
def rewind(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    round_, refusal, way = round_of(event, number), "", None
    if request.method == "POST":
        reason, seen = request.POST.get("reason", ""), request.POST.get("seen", "")
        refusal = refusal_of(lambda: go_back(round_, who(request), reason, seen))
        if not refusal:
            text = _("The event is as it was before round %(round)s. A backup of the removed data was made.")
            messages.success(request, text % {"round": number})
            return redirect("admin:event-desk", event.pk)
    try:
        way = rewind_of(round_)
    except Refused as refused:
        refusal = str(refused)
    return page(
        request,
        event,
        "round_rewind",
        _("Back to before round %(round)s") % {"round": number},
        _("Restores the event as it was before the round was paired. You see first what will be removed."),
        **of_round(round_, rewind=way, refusal=refusal, reason=request.POST.get("reason", "")),
    )

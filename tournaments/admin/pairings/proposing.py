"""Proposals of pairings, computed by an engine in the worker."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tournaments.admin.frame import job_page, of_round, page, wait_for_job, who
from tournaments.admin.pairings.publishing import linked_doubts
from tournaments.admin.permissions import desk_view, may_record
from tournaments.admin.results.sheet import round_of
from tournaments.admin.steps import pairings_text
from tournaments.models import Event, Job, Proposal
from tournaments.operations import jobs
from tournaments.pairing.engine import Progress
from tournaments.recording.pairings.differences import before_proposing
from tournaments.recording.pairings.drafts import ask_for_proposal, help_text, make_proposal, proposal_key
from tournaments.recording.refusal import Refused
from tournaments.stored import stored

PATIENCE = 3.0
"""Seconds that the request waits for the proposal. A hundred players take a second."""


@desk_view()
@require_POST
def propose(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Request a proposal and redirect to it, or to the waiting page.

    If the input of the engine has doubts, a page with its own button shows them first.
    """
    if "anyway" not in request.POST and (doubts := before_proposing(stored(event).document, number)):
        return page(
            request,
            event,
            "round_propose",
            _("Propose round %(round)s") % {"round": number},
            _("You confirm on this page before the engine pairs the round."),
            number=number,
            doubts=linked_doubts(event, doubts, who(request)),
            engine=request.POST.get("engine", ""),
        )
    back = reverse("admin:round-pairings", args=[event.pk, number])
    try:
        proposal = ask_for_proposal(event, who(request), number, request.POST.get("engine", ""))
    except Refused as refused:
        messages.error(request, str(refused))
        is_there = event.rounds.filter(number=number).exists()
        return redirect(back if is_there else reverse("admin:event-rounds", args=[event.pk]))
    if wait_for(proposal):
        return _redirect_to_pairings(request, event, number)
    return redirect("admin:round-proposal", event.pk, number)


@desk_view()
def proposal(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    round_ = round_of(event, number)
    job = jobs.last_job(proposal_key(round_))
    if job is None:
        return redirect("admin:round-pairings", event.pk, number)
    if job.state == Job.State.DONE:
        return _redirect_to_pairings(request, event, number)
    return job_page(
        request,
        event,
        "round_proposal",
        _("The pairings of round %(round)s are being made") % {"round": number},
        _("The pairings are made in the background, so that you need not wait."),
        job,
        **of_round(round_),
    )


def wait_for(proposal: Proposal) -> bool:
    """Wait for the job of a proposal. Return whether it is done; False immediately if no worker runs."""
    job = jobs.last_job(proposal_key(proposal.round))
    if job and jobs.worker_runs():
        wait_for_job(job, PATIENCE)
        job.refresh_from_db()
    return job is not None and job.state == Job.State.DONE


def _redirect_to_pairings(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    found = Proposal.objects.filter(round__event=event, round__number=number).defer("input").first()
    if found and found.problem:
        messages.error(request, found.problem)
    elif found:
        messages.success(request, _proposal_text(event, found))
    return redirect("admin:round-pairings", event.pk, number)


def _proposal_text(event: Event, proposal: Proposal) -> str:
    text = ngettext(
        "%(pairings)s is proposed by %(engine)s in %(seconds)s s.",
        "%(pairings)s are proposed by %(engine)s in %(seconds)s s.",
        len(proposal.pairs),
    )
    byes = sum(each["black"] is None for each in proposal.pairs)
    values: dict[str, Any] = {
        "pairings": pairings_text(len(proposal.pairs) - byes, byes),
        "engine": proposal.version or proposal.engine,
        "seconds": f"{proposal.seconds or 0:.1f}",
    }
    return " ".join([text % values, _("Only the desk sees them for now."), help_text(event, proposal)])


def run_proposal(job: Job, tell: Progress) -> dict[str, Any]:
    """Compute the proposal of a job in the worker. Raise PermissionDenied if the user lost the event."""
    proposal = Proposal.objects.select_related("round__event", "user").get(pk=job.arguments["proposal"])
    if proposal.user is None or not (
        proposal.user.is_active and may_record(proposal.user, proposal.round.event)
    ):
        raise PermissionDenied
    # A worker that was stopped after applying the proposal does not apply it again.
    if proposal.applied is None:
        make_proposal(proposal, proposal.user, tell, partial(jobs.confirm, job))
    return {"proposal": proposal.pk}

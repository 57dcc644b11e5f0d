"""Closing rounds, individually or together, and reopening them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.finding import Finding, Severity
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.events.rulings import acknowledge, open_findings
from tournaments.recording.rounds.missing_data import delayed_text
from tournaments.recording.rounds.opening import (
    before_closing,
    close_round,
    close_rounds,
    complete_rounds,
    reopen_round,
)


@desk_view()
def close(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show missing results and findings. A POST accepts a warning or closes the round.

    The button of the step strip closes the round immediately if there are no findings. Otherwise this page
    asks with its own button.
    """
    round_, refusal = round_of(event, number), ""
    if request.method == "POST" and "finding" in request.POST:
        finding, reason = request.POST["finding"], request.POST.get("reason", "")
        place = [whole_number(request.POST.get(name, "")) or None for name in ("round", "table")]
        refusal = refusal_of(lambda: acknowledge(event, finding, who(request), reason, *place))
        if not refusal:
            messages.success(request, _("The warning is accepted."))
            # This page again, because the round may be ready to close now.
            return redirect(request.path)
    elif request.method == "POST":
        # Closed rounds and drafts are refused with their own message.
        needs_no_question = "anyway" in request.POST or round_.is_closed or round_.is_draft
        if needs_no_question or not before_closing(round_).says_something:
            statements = request.POST.getlist("statement")
            refusal = refusal_of(lambda: close_round(round_, who(request), statements))
            if not refusal:
                text = _(
                    "Round %(round)s is closed, and a backup was made. Later changes count as corrections."
                )
                messages.success(request, text % {"round": number})
                return redirect("admin:event-desk", event.pk)
    closing = before_closing(round_)
    linked = [(each, finding_address(event, each)) for each in closing.findings]
    return page(
        request,
        event,
        "round_close",
        _("Close round %(round)s") % {"round": number},
        _("Shows missing data, then closes the round. A result changed later is a correction."),
        **of_round(round_, refusal=refusal),
        closing=closing,
        delayed=[(each, delayed_text(each)) for each in closing.delayed],
        errors=[pair for pair in linked if pair[0].severity is Severity.ERROR],
        warnings=[pair for pair in linked if pair[0].severity is Severity.WARNING],
    )


def finding_address(event: Event, finding: Finding) -> str:
    """Return the screen on which a finding is corrected, blank if it concerns the entire event."""
    if finding.round is None:
        return ""
    if finding.table is None:
        return reverse("admin:round-pairings", args=[event.pk, finding.round])
    return reverse("admin:round-pairing", args=[event.pk, finding.round, finding.table])


@desk_view()
def reopen(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    round_, refusal = round_of(event, number), ""
    if request.method == "POST":
        reason = request.POST.get("reason", "")
        refusal = refusal_of(lambda: reopen_round(round_, who(request), reason))
        if not refusal:
            messages.success(request, _("Round %(round)s is open again.") % {"round": number})
            return redirect("admin:results", event.pk, number)
    return page(
        request,
        event,
        "round_reopen",
        _("Open round %(round)s again") % {"round": number},
        _("Reopen a closed round to change its results and pairings, with a reason."),
        **of_round(round_, refusal=refusal),
    )


@desk_view()
def close_several(request: HttpRequest, event: Event) -> HttpResponse:
    """Close the complete rounds of a round robin together, after a question if there are findings."""
    complete, refusal = complete_rounds(event), ""
    findings = open_findings(event)
    closings = [(each, before_closing(each, findings)) for each in complete]
    shown = " ".join(str(each.number) for each in complete)
    is_clear = not any(closing.says_something for _round, closing in closings)
    # Close exactly the rounds that were shown: one that was completed since has not been checked.
    if request.method == "POST" and (is_clear or request.POST.get("shown") == shown):
        numbers, statements = [each.number for each in complete], request.POST.getlist("statement")
        refusal = refusal_of(lambda: close_rounds(event, numbers, who(request), statements))
        if not refusal:
            messages.success(
                request, _("Rounds %(rounds)s are closed, and a backup was made.") % {"rounds": shown}
            )
            return redirect("admin:event-desk", event.pk)
    return page(
        request,
        event,
        "rounds_close",
        _("Close the complete rounds"),
        _("Closes all rounds with complete results in one step."),
        closings=closings,
        delayed=[delayed_text(each) for _round, closing in closings[-1:] for each in closing.delayed],
        shown=shown,
        is_possible=bool(complete) and all(closing.is_possible for _round, closing in closings),
        refusal=refusal,
    )

"""Pasted results: a preview, then all are stored or none."""

from dataclasses import replace
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.fields import pasted_block
from tournaments.admin.frame import of_round, page, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sending import needs_of, parse_result, preview_of, results_json
from tournaments.admin.results.sheet import round_of
from tournaments.admin.wire import Malformed, decoded, list_of
from tournaments.models import Event
from tournaments.recording.results.preview import preview_results
from tournaments.recording.results.sheets import read_block
from tournaments.recording.results.submissions import SAVED, SubmissionOutcome, distinct_notes, enter_together


@desk_view()
def paste(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    round_ = round_of(event, number)
    text = pasted_block(request, "text")
    totals = "totals" in request.GET
    refusals: list[str] = []
    if "entries" in request.POST:
        refusals = _store_entries(request, event)
        if not refusals:
            return redirect(_results_address(event, number, totals=totals))
    # Control characters are in no result, and the database cannot store them.
    printable = "".join(sign for sign in text if sign.isprintable() or sign in "\n\t")
    block = read_block(round_, printable, totals=totals)
    entries, needs = list(block.entries), needs_of(event, round_)
    trial = preview_results(event, entries, who(request)) if needs and entries else None
    return page(
        request,
        event,
        "results_paste",
        _("Paste results of round %(round)s") % {"round": number},
        _("Paste results, one per line. You see a preview before they are saved, all together."),
        # Twenty lines with the same error show it once.
        **of_round(round_, text=text, refusals=list(dict.fromkeys(refusals))),
        back=_results_address(event, number, totals=totals),
        pasted=block.lines,
        faults=block.faults,
        entries=results_json(entries),
        count=len(entries),
        needs=needs,
        **preview_of(trial),
        reason=request.POST.get("reason", ""),
    )


def _store_entries(request: HttpRequest, event: Event) -> list[str]:
    try:
        # The previewed entries are stored, not the text, whose meaning may have changed.
        entries = list_of(decoded(request.POST["entries"]), partial(parse_result, epoch=event.epoch))
    except Malformed:
        return [_("The results have changed since the preview. Check the lines again.")]
    entries = [replace(each, reason=request.POST.get("reason", "")) for each in entries]
    outcomes = enter_together(event, entries, who(request))
    refusals = [_outcome_text(each) for each in outcomes if each.state != SAVED]
    if not refusals:
        message = ngettext("%(count)s result saved.", "%(count)s results saved.", len(outcomes))
        messages.success(request, message % {"count": len(outcomes)})
        for note in distinct_notes(outcomes):
            messages.warning(request, note)
    return refusals


def _outcome_text(outcome: SubmissionOutcome) -> str:
    if outcome.mine:
        values = {"why": outcome.message, "theirs": outcome.text or _("no result"), "mine": outcome.mine}
        return _("%(why)s Stored is %(theirs)s, pasted was %(mine)s.") % values
    return outcome.message


def _results_address(event: Event, number: int, *, totals: bool) -> str:
    return reverse("admin:results", args=[event.pk, number]) + ("?totals=1" if totals else "")

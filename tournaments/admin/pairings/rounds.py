"""The rounds of an event: the next one opened, one closed when nothing is missing, one opened again."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.events.desk import rounds_of
from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.dates import partial_date
from tournaments.event.finding import Finding, Severity
from tournaments.event.numbers import whole_number
from tournaments.models import Event, Round
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds import (
    before_closing,
    close_round,
    doubt_before_opening,
    next_round,
    open_round,
    reopen_round,
)
from tournaments.recording.rulings import acknowledge, left_out
from tournaments.recording.schedules import generate_schedule, schedule_of

SHOWN_BACKUPS = 5


class OpeningForm(forms.Form):
    """The next round: its date, and its number, so that two who press at once open one round."""

    date = forms.CharField(
        label=gettext_lazy("Date"),
        required=False,
        max_length=10,
        validators=[partial_date],
        help_text=gettext_lazy("Such as 2026-05-17. May be left blank."),
    )
    number = forms.IntegerField(widget=forms.HiddenInput)


@desk_view()
def rounds(request: HttpRequest, event: Event) -> HttpResponse:
    """Show every round with what it lacks; open the next one, and ask first where one is not paired."""
    following, doubt = next_round(event), ""
    form = OpeningForm(request.POST or None, initial={"number": following, "date": _today(event)})
    if form.is_valid():
        is_next = form.cleaned_data["number"] == following
        # Asked once; “anyway” is the second button of that question.
        doubt = doubt_before_opening(event) if is_next and "anyway" not in request.POST else ""
    if form.is_valid() and not doubt:
        date_, number = form.cleaned_data["date"], form.cleaned_data["number"]
        refusal = refusal_of(lambda: open_round(event, who(request), date_, meant=number))
        if not refusal:
            messages.success(
                request,
                _("Round %(round)s is open, and a backup from before it is kept. Pair it.")
                % {"round": number},
            )
            return redirect("admin:round-pairings", event.pk, number)
        form.add_error(None, refusal)
    return page(
        request, event, "rounds", _("Rounds"), PURPOSE, form=form, doubt=doubt, **_context(event, following)
    )


PURPOSE = gettext_lazy("Opens the rounds one after another, and closes each when its results are in.")


def _context(event: Event, following: int) -> dict[str, Any]:
    """Return the rounds, which of them may be opened next, and the last backups; two queries."""
    found = list(rounds_of(event))
    return {
        "rounds": found,
        "last": found[-1] if found else None,
        "following": following if following <= event.planned_rounds and not event.is_over else None,
        "is_over": event.is_over,
        "is_shown": event.is_public,
        # A competitor entered after the schedule was made sits in no round, and nobody would notice.
        "findings": left_out(event),
        "backups": event.backups.defer("file")[:SHOWN_BACKUPS],
    }


def _today(event: Event) -> str:
    """Return today for an event under way: a draft is often set up long before."""
    return localdate().isoformat() if event.state == Event.State.LIVE else ""


@desk_view()
def close(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show what is missing and what the checks found; accept a warning, or close the round."""
    round_, refusal = round_of(event, number), ""
    if request.method == "POST":
        accepts = "finding" in request.POST
        # One address for both: accepting leads back here, where the round may now be closed.
        refusal = refusal_of(lambda: (_accept if accepts else _close)(request, round_))
        if not refusal:
            return redirect(request.path if accepts else reverse("admin:event-rounds", args=[event.pk]))
    return page(
        request,
        event,
        "round_close",
        _("Close round %(round)s") % {"round": number},
        _("Shows what is still missing, then declares the results of the round settled."),
        **of_round(round_, refusal=refusal, **_before_closing(round_)),
    )


def _before_closing(round_: Round) -> dict[str, Any]:
    """Return the context of the closing, each finding with the address where it is mended."""
    closing = before_closing(round_)
    mended = [(each, address_of(round_.event, each)) for each in closing.findings]
    return {
        "closing": closing,
        "errors": [pair for pair in mended if pair[0].severity is Severity.ERROR],
        "warnings": [pair for pair in mended if pair[0].severity is Severity.WARNING],
    }


def _close(request: HttpRequest, round_: Round) -> None:
    close_round(round_, who(request))
    message = _("Round %(round)s is closed, and a backup is kept. From now on a change is a correction.")
    messages.success(request, message % {"round": round_.number})


def _accept(request: HttpRequest, round_: Round) -> None:
    posted = request.POST
    place = [whole_number(posted.get(name, "")) or None for name in ("round", "table")]
    acknowledge(round_.event, posted["finding"], who(request), posted.get("reason", ""), *place)
    messages.success(request, _("The warning is accepted."))


def address_of(event: Event, finding: Finding) -> str:
    """Return the address where a finding is mended; blank where it is about the event as a whole."""
    if finding.round is None:
        return ""
    if finding.table is None:
        return reverse("admin:round-pairings", args=[event.pk, finding.round])
    return reverse("admin:round-pairing", args=[event.pk, finding.round, finding.table])


@desk_view()
def reopen(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Ask why, and open a closed round again."""
    round_, refusal = round_of(event, number), ""
    if request.method == "POST":
        reason = request.POST.get("reason", "")
        refusal = refusal_of(lambda: reopen_round(round_, who(request), reason))
        if not refusal:
            messages.success(request, _("Round %(round)s is open again.") % {"round": number})
            return redirect("admin:event-rounds", event.pk)
    return page(
        request,
        event,
        "round_reopen",
        _("Open round %(round)s again") % {"round": number},
        _("Asks why, and lets the results and pairings of a closed round be changed again."),
        **of_round(round_, refusal=refusal),
    )


@desk_view()
def schedule(request: HttpRequest, event: Event) -> HttpResponse:
    """Show every round of the schedule; a post pairs them."""
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
    context = {
        "refusal": refusal,
        "schedule": made,
        "is_changing": made is not None and len(made.rounds) != event.planned_rounds,
    }
    return page(request, event, "schedule", _("Schedule"), purpose, **context)


def _generate(request: HttpRequest, event: Event) -> None:
    replacing = whole_number(request.POST.get("replacing", "")) or 0
    rounds = generate_schedule(event, who(request), replacing=replacing)
    paired = ngettext("%(count)s round is paired.", "%(count)s rounds are paired.", rounds)
    messages.success(request, paired % {"count": rounds})

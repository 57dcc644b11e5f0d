"""Publishing rounds, taking them back, closing and reopening them, after a confirmation."""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view, may_organise
from tournaments.admin.results.sheet import round_of
from tournaments.event.choices import ALONE, Kind
from tournaments.event.finding import Finding, Severity
from tournaments.event.numbers import whole_number
from tournaments.models import Event, Round
from tournaments.recording.competitors.attendance import rounds_off
from tournaments.recording.events.rulings import about_round, acknowledge, open_findings, open_findings_of
from tournaments.recording.pairings.by_hand import seats_text
from tournaments.recording.pairings.differences import before_publishing
from tournaments.recording.pairings.drafts import departures
from tournaments.recording.pairings.unusual import Doubt, find_doubts
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds.missing_data import delayed_text
from tournaments.recording.rounds.opening import (
    before_closing,
    close_round,
    close_rounds,
    complete_rounds,
    reopen_round,
    unpaired_of,
)
from tournaments.recording.rounds.publishing import publish_pairings, publish_rounds, take_back_pairings
from tournaments.stored import stored

UNPAIRED, REMATCH, MET_BEFORE = "unpaired", "rematch", "met-before"
"""Codes of the doubts about unpaired competitors and rematches, and of the finding about rematches."""

CHANGED = gettext_lazy(
    "The pairings or their findings have changed since you opened this page. Check them again."
)


@desk_view()
def publish_round(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show unpaired competitors and findings. A POST publishes the pairings that the user has seen."""
    round_, refusal = round_of(event, number), ""
    if request.method == "POST":
        refusal = refusal_of(lambda: _publish_seen(request, round_))
        if not refusal:
            message = _(
                "The pairings of round %(round)s are published. You can take them back until the first "
                "result is entered."
            )
            messages.success(request, message % {"round": number})
            return redirect("admin:results", event.pk, number)
    return page(
        request,
        event,
        "round_publish",
        _("Publish the pairings of round %(round)s") % {"round": number},
        _("You confirm before the pairings become public."),
        **of_round(round_, refusal=refusal, reason=request.POST.get("reason", "")),
        **(_confirmation_context(request, round_) if round_.is_draft else {}),
        is_shown=event.is_public,
        is_dated=event.rounds.exclude(date="").exists(),
    )


def _confirmation_context(request: HttpRequest, round_: Round) -> dict[str, Any]:
    off, without_pairing = rounds_off(round_.event, round_.number), unpaired_of(round_)
    all_findings, doubts = _findings_and_doubts(round_)
    unpaired = {number for each in doubts if each.code == UNPAIRED for number in each.numbers}
    # Doubts already show rematches, with names. In a round robin only the findings do.
    shown_tables = {each.table for each in doubts if each.code == REMATCH}
    findings = [each for each in all_findings if each.code != MET_BEFORE or each.table not in shown_tables]
    return {
        "doubts": linked_doubts(
            round_.event, [each for each in doubts if each.code != UNPAIRED], who(request)
        ),
        "findings": findings,
        "unpaired": [each for each in without_pairing if each.number in unpaired],
        "byes": round_.pairings.filter(kind__in=ALONE).select_related("first"),
        "resting": [(each, Kind(kind).label) for each in without_pairing if (kind := off.get(each.number))],
        "departures": departures(round_),
        "shown": _round_checksum(round_, all_findings, doubts),
    }


def _findings_and_doubts(round_: Round) -> tuple[Sequence[Finding], list[Doubt]]:
    document = stored(round_.event).document
    doubts = [*before_publishing([round_], document), *find_doubts(round_)]
    return about_round(open_findings_of(document), round_.number), doubts


def _publish_seen(request: HttpRequest, round_: Round) -> None:
    if round_.is_draft and request.POST.get("shown", "") != _round_checksum(
        round_, *_findings_and_doubts(round_)
    ):
        raise Refused(CHANGED)
    publish_pairings(round_, who(request), request.POST.get("reason", ""))


def _round_checksum(round_: Round, findings: Sequence[Finding], doubts: Sequence[Doubt]) -> str:
    """Return a checksum of seats, unpaired competitors, findings and doubts; three queries."""
    rows = round_.pairings.select_related("first", "second").order_by("table")
    seats = [f"{row.table}:{seats_text(row)}" for row in rows]
    unpaired = [str(each.number) for each in unpaired_of(round_)]
    texts = [*(each.message for each in findings), *(each.text for each in doubts)]
    # If another user changes the round, the checksum differs and the confirmation is refused.
    return f"{crc32(' '.join([*seats, '|', *unpaired, '|', *texts]).encode()):x}"


@desk_view()
@require_POST
def take_back(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Make the pairings a draft again. No confirmation, because no data is lost and publishing asks again."""
    round_ = round_of(event, number)
    reason = request.POST.get("reason", "")
    refusal = refusal_of(lambda: take_back_pairings(round_, who(request), reason))
    text = _("The pairings were taken back: they are a draft, and no longer public.")
    messages.add_message(request, messages.ERROR if refusal else messages.SUCCESS, refusal or text)
    return redirect("admin:round-pairings", event.pk, number)


@desk_view()
def publish_several(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the drafts of a round robin with their doubts.

    A POST publishes the drafts that the user has seen.
    """
    drafts = (
        event.rounds.filter(state=Round.State.DRAFT, pairings__isnull=False).distinct().order_by("number")
    )
    found, refusal = list(drafts) if event.is_round_robin else [], ""
    findings: tuple[Finding, ...] = ()
    doubts: list[Doubt] = []
    if found:
        document = stored(event).document
        findings, doubts = open_findings_of(document), before_publishing(found, document)
    shown = " ".join(
        f"{each.number}:{_round_checksum(each, about_round(findings, each.number), doubts)}" for each in found
    )
    if request.method == "POST" and found:
        numbers, refusal = [each.number for each in found], str(CHANGED)
        if request.POST.get("shown", "") == shown:
            refusal = refusal_of(lambda: publish_rounds(event, numbers, who(request)))
        if not refusal:
            published = ngettext(
                "The pairings of %(count)s round are published.",
                "The pairings of %(count)s rounds are published.",
                len(found),
            )
            messages.success(request, published % {"count": len(found)})
            return redirect("admin:event-desk", event.pk)
    return page(
        request,
        event,
        "rounds_publish",
        _("Publish all rounds"),
        _("You confirm before the pairings of all rounds become public."),
        is_dated=event.rounds.exclude(date="").exists(),
        rounds=[(each, each.pairings.exclude(second=None).count(), unpaired_of(each)) for each in found],
        doubts=linked_doubts(event, doubts, who(request)),
        findings=[each for each in findings if each.round in {None, *(draft.number for draft in found)}],
        shown=shown,
        is_shown=event.is_public,
        refusal=refusal,
    )


def linked_doubts(event: Event, doubts: Sequence[Doubt], user: User) -> list[tuple[Doubt, str, str]]:
    rounds = (_("Rounds"), reverse("admin:event-rounds", args=[event.pk]))
    ways = {
        "start-order": (_("Register"), reverse("admin:event-register", args=[event.pk])),
        "missing-results": rounds,
        "unknown-results": rounds,
    }
    if may_organise(user, event):
        address = reverse("admin:event-publish", args=[event.pk, Event.State.LIVE])
        ways["not-public"] = (_("Set the event live"), address)
    return [(each, *ways.get(each.code, ("", ""))) for each in doubts]


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
    linked = [(each, _finding_address(event, each)) for each in closing.findings]
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


def _finding_address(event: Event, finding: Finding) -> str:
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

"""Pairings pasted as text, for example from another program: a preview, then all are stored or none."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.fields import pasted_block
from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.models import Event, Round
from tournaments.recording.pairings.by_hand import add_pairings
from tournaments.recording.pairings.pasted_pairings import (
    ReadPairing,
    TypedPairing,
    read_pairings,
    read_typed_pairings,
)

MOST_LINES = 1_000


@desk_view()
def paste(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    round_, refusal = round_of(event, number), ""
    text = pasted_block(request, "text")
    # The preview posts lines in the format of the pairing form, with names and byes already resolved.
    if "first" in request.POST:
        refusal = store_pairings(request, round_, read_typed_pairings(round_, list(typed_pairings(request))))
        if not refusal:
            return redirect("admin:round-pairings", event.pk, number)
    seated = read_pairings(round_, text)[:MOST_LINES]
    faults = sum(bool(each.fault) for each in seated)
    return page(
        request,
        event,
        "pairings_paste",
        _("Paste the pairings of round %(round)s") % {"round": number},
        _("Paste pairings, one per line. You see a preview before they are saved."),
        **of_round(
            round_,
            text=text,
            pasted=seated,
            faults=faults,
            count=0 if faults else len(seated),
            back=reverse("admin:round-pairings", args=[event.pk, number]),
            refusal=refusal,
            reason=request.POST.get("reason", ""),
        ),
    )


def typed_pairings(request: HttpRequest) -> Iterator[TypedPairing]:
    # Limits the work for a request with very many lines.
    columns = [request.POST.getlist(name)[:MOST_LINES] for name in ("table", "first", "second")]
    for number, (table, first, second) in enumerate(zip(*columns, strict=False), start=1):
        if first.strip() or second.strip():
            yield TypedPairing(number, first, second, table)


def store_pairings(request: HttpRequest, round_: Round, seated: Sequence[ReadPairing]) -> str:
    """Store all lines or none. Return the error, or an empty string."""
    faults = [each for each in seated if each.fault]
    if faults:
        text = ngettext(
            "%(count)s line is wrong. Nothing is saved yet.",
            "%(count)s lines are wrong. Nothing is saved yet.",
            len(faults),
        )
        return text % {"count": len(faults)}
    # Pairings made by hand are locked, so that a new proposal keeps them.
    seats = [replace(each.seats, locked=True) for each in seated if each.seats and not each.is_stored]
    if not seated:
        return _("No pairings entered. Type two numbers or names per line.")
    if not seats:
        # The browser posted the form again after its back button. No error, because all are stored already.
        messages.info(request, _("These pairings are saved already."))
        return ""
    refusal = refusal_of(lambda: add_pairings(round_, seats, who(request), request.POST.get("reason", "")))
    if not refusal:
        saved = ngettext("%(count)s pairing is saved.", "%(count)s pairings are saved.", len(seats))
        messages.success(request, saved % {"count": len(seats)})
    return refusal

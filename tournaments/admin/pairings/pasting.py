"""A block of pairings pasted: shown in words first, then stored as a whole or not at all."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import of_round, page
from tournaments.admin.pairings.screen import MOST_LINES, store, typed_in
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.models import Event
from tournaments.recording.seating import read_pairings, read_typed_pairings

LONGEST_BLOCK = 50_000


@desk_view()
def paste(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """A field for the block; what it says, line by line; the round with all of it, or why there is none."""
    round_, refusal = round_of(event, number), ""
    text = request.POST.get("text", "")[:LONGEST_BLOCK]
    if "first" in request.POST:
        refusal = store(request, round_, read_typed_pairings(round_, list(typed_in(request))))
        if not refusal:
            return redirect("admin:round-pairings", event.pk, number)
    seated = read_pairings(round_, text)[:MOST_LINES]
    faults = sum(bool(each.fault) for each in seated)
    return page(
        request,
        event,
        "pairings_paste",
        _("Paste the pairings of round %(round)s") % {"round": number},
        _("Takes a block of pairings, a line each, and shows it in words before any of it is saved."),
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

"""The pairings of a round shown to readers: asked once, with all that is unusual about them."""

from zlib import crc32

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.models import Event, Round
from tournaments.recording.pairings import seats_text
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds import publish_pairings, unpaired_of
from tournaments.recording.rulings import findings_in


@desk_view()
def publish_round(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Name who is unpaired and what the checks find; publish the pairings that were looked at."""
    round_, refusal = round_of(event, number), ""
    if request.method == "POST":
        refusal = refusal_of(lambda: _publish(request, round_))
        if not refusal:
            message = _(
                "The pairings of round %(round)s are published."
                " Until the first result stands they can be taken back."
            )
            messages.success(request, message % {"round": number})
            return redirect("admin:round-pairings", event.pk, number)
    unpaired, findings = unpaired_of(round_), findings_in(round_)
    return page(
        request,
        event,
        "round_publish",
        _("Publish the pairings of round %(round)s") % {"round": number},
        _("Asks once more before readers see who meets whom."),
        **of_round(round_, refusal=refusal, unpaired=unpaired, findings=findings, shown=_shown(round_)),
        everybody=event.competitors.count(),
        paired=round_.pairings.count(),
        is_shown=event.is_public,
    )


def _publish(request: HttpRequest, round_: Round) -> None:
    if round_.is_draft and request.POST.get("shown", "") != _shown(round_):
        raise Refused(_("The pairings have changed since this page was opened. Look at them again."))
    publish_pairings(round_, who(request))


def _shown(round_: Round) -> str:
    """Return a checksum of who sits where, and who sits nowhere; three queries."""
    rows = round_.pairings.select_related("first", "second").order_by("table")
    seats = [f"{row.table}:{seats_text(row)}" for row in rows]
    left = [str(each.number) for each in unpaired_of(round_)]
    # Compared with the page's own: another arbiter's change makes the question void.
    return f"{crc32(' '.join([*seats, '|', *left]).encode()):x}"

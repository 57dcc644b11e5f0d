"""The views of the desk that list and print the printouts."""

from itertools import chain

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from standings.paper.kinds import kinds_for
from standings.paper.options import SIZES, PaperOptions
from standings.paper.source import PaperSource
from standings.texts import dates_text
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view, may_organise
from tournaments.event.dates import moment_text
from tournaments.models import Event, Round
from tournaments.operations.revision import revision_of

TOGETHER = "together"
"""The kind in the URL for several printouts together."""

SLIPS = "slips"
"""The kind with QR codes."""


@desk_view()
def choice(request: HttpRequest, event: Event, number: int | None = None) -> HttpResponse:
    round_ = _round_or_404(event, number)
    offered = kinds_for(event, of_round=bool(round_))
    title = _("Print round %(number)s") % {"number": number} if round_ else _("Print")
    return page(
        request,
        event,
        "paper",
        title,
        _("Sheets for the wall and the tables. Each opens as it will be printed."),
        round=round_,
        kinds=[
            (each, _printout_url(event, each.name, number), bool(round_) and each.usual(event))
            for each in offered
        ],
        together=_printout_url(event, TOGETHER, number),
        without_codes=_lacks_codes(event),
        may_publish=may_organise(who(request), event),
        sizes=SIZES,
        rounds=event.rounds.order_by("number").values_list("number", flat=True),
        language=event.get_language_display() or dict(settings.LANGUAGES)[settings.LANGUAGE_CODE],
    )


@desk_view()
def printouts(request: HttpRequest, event: Event, kind: str, number: int | None = None) -> HttpResponse:
    round_ = _round_or_404(event, number)
    offered = kinds_for(event, of_round=bool(round_))
    names = request.GET.getlist("printout") if kind == TOGETHER else [kind]
    wanted = [each for each in offered if each.name in names]
    if not wanted and kind != TOGETHER:
        raise Http404
    options = PaperOptions.of(request.GET)
    bar = render_to_string(
        "admin/paper_bar.html",
        {
            "event": event,
            "round": round_,
            "kind": wanted[0] if kind != TOGETHER else None,
            "options": options,
            "sizes": SIZES,
            "back": _printout_url(event, "", number),
            "without_codes": _lacks_codes(event) and any(each.name == SLIPS for each in wanted),
            "may_publish": may_organise(who(request), event),
        },
        request,
    )
    language = event.language or settings.LANGUAGE_CODE
    with translation.override(language):
        source = PaperSource(request, event, options, round_)
        made = list(chain.from_iterable(each.make(source) for each in wanted))
        context = {
            "event": source.event,
            "dates": dates_text(source.event),
            "bar": bar,
            "printouts": made,
            "title": made[0].title if len(made) == 1 else source.round_text or source.event.name,
            "large": source.options.large,
            "printed": moment_text(timezone.now()),
            "version": revision_of(source.event.pk),
        }
        answer = HttpResponse(render_to_string("paper/paper.html", context, request))
    answer["Content-Language"] = language
    return answer


def _lacks_codes(event: Event) -> bool:
    """Return whether players may send results but slips lack QR codes, as no link would work."""
    return bool(event.players_entry) and event.state != Event.State.LIVE


def _round_or_404(event: Event, number: int | None) -> Round | None:
    return None if number is None else get_object_or_404(Round, event=event, number=number)


def _printout_url(event: Event, kind: str, number: int | None) -> str:
    of = "event" if number is None else "round"
    parts = [event.pk, *([] if number is None else [number])]
    return reverse(f"{of}-printout", args=[*parts, kind]) if kind else reverse(f"{of}-paper", args=parts)


EVENT, ROUND = "admin/events/<int:event_id>/paper/", "admin/events/<int:event_id>/rounds/<int:number>/paper/"

addresses = [
    path(EVENT, choice, name="event-paper"),
    path(f"{EVENT}<slug:kind>/", printouts, name="event-printout"),
    path(ROUND, choice, name="round-paper"),
    path(f"{ROUND}<slug:kind>/", printouts, name="round-printout"),
]
"""Not in the desk's URLs: printouts use the standings, which the desk must not import."""

"""The endpoints: kept pages like any other, answered as JSON in English, readable from every site."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt

from standings.api.shapes import (
    check_data,
    competitor_data,
    competitors_data,
    criteria_data,
    event_data,
    events_data,
    ranking_data,
    round_data,
    value_data,
)
from standings.catalogue.listing import Listing
from standings.engine import UnknownCriterionError
from standings.services import NoSuchRoundError, Ranked, ranked
from standings.serving.pages import choices, event_page, site_page, static_page
from tournaments.event.layout import printed
from tournaments.models import Event, Published
from tournaments.public import public_document

JSON = "application/json"
FAULTS = {
    404: "There is nothing at this address.",
    405: "This address is read by GET or HEAD and by nothing else.",
    410: "This event was removed.",
}


def answered(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The kept page as an answer of the API: JSON, its faults too, and any site may read it."""

    @csrf_exempt  # it only reads: what is no GET is 405, not a token that is missing
    @wraps(page)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = page(request, *args, **kwargs)
        except Http404:
            response = HttpResponse(status=404)
        if response.status_code in FAULTS:
            response.content = printed({"error": FAULTS[response.status_code]}) + "\n"
        if response.status_code == 200 or response.status_code in FAULTS:
            response["Content-Type"] = JSON
        response["Access-Control-Allow-Origin"] = "*"
        return response

    return answer


def _json(data: Mapping[str, Any]) -> HttpResponse:
    return HttpResponse(printed(data) + "\n")


@answered
@site_page
def events(request: HttpRequest) -> HttpResponse:
    """The public events, a page of them, searched and filtered as on the first page of the site."""
    return _json(events_data(Listing(choices(request)), request.build_absolute_uri))


@answered
@event_page
def event(request: HttpRequest, event: Event) -> HttpResponse:
    """One event: what it is, how far it has come, where everything of it is."""
    return _json(event_data(event, public_document(event), request.build_absolute_uri))


@answered
@event_page
def standings(_: HttpRequest, event: Event, after: int | None = None) -> HttpResponse:
    """The standings after the last paired round, or after an earlier one."""
    return _json(ranking_data(event, _ranked(event, after)))


@answered
@event_page
def round_(_: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The pairings and results of a round, with the boards of each match."""
    rounds = public_document(event).rounds
    found = next((each for each in rounds if each.number == number and each.pairings), None)
    if found is None:
        raise Http404
    return _json(round_data(event, found))


@answered
@event_page
def competitors(_: HttpRequest, event: Event) -> HttpResponse:
    """All competitors, teams with their players."""
    return _json(competitors_data(event, public_document(event)))


@answered
@event_page
def competitor(_: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One competitor: its place and values, and round by round whom it met and where it stood then."""
    found = ranked(event)
    return _json(competitor_data(event, public_document(event), found, _row(found, number)))


@answered
@event_page
def check(_: HttpRequest, event: Event) -> HttpResponse:
    """The standings held against the published ones: how far they agree, and every difference."""
    return _json(check_data(event, Published.objects.filter(event=event).first()))


@answered
@event_page
def explanation(request: HttpRequest, event: Event, number: int, code: str) -> HttpResponse:
    """How one competitor's value came about, term by term."""
    after = choices(request).get("after")
    found = _ranked(event, int(after) if after else None)
    try:
        return _json(value_data(event, found, _row(found, number), code))
    except UnknownCriterionError as unknown:
        raise Http404 from unknown


@answered
@static_page
def criteria(request: HttpRequest) -> HttpResponse:
    """All criteria, ranking systems and policies for unplayed rounds."""
    return _json(criteria_data(request.build_absolute_uri))


@answered
def nothing(request: HttpRequest, **_: str) -> HttpResponse:
    """Any other address below `/api/`: leads on where only the slash at its end is missing."""
    if resolve(f"{request.path_info}/").url_name:
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
    raise Http404


def _ranked(event: Event, after: int | None) -> Ranked:
    try:
        return ranked(event, after)
    except NoSuchRoundError as missing:
        raise Http404 from missing


def _row(found: Ranked, number: int) -> int:
    row = next((at for at, entry in enumerate(found.entries) if entry.number == number), None)
    if row is None:
        raise Http404
    return row

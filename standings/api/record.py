"""The record of an event in the terms of the event file; all responses together contain the file."""

from collections import Counter

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import resolve, reverse

from standings.api import event_schemas
from standings.api.lists import times_of
from standings.api.responses import endpoint, json_view
from standings.caching.cached_pages import event_view
from standings.tables.cells import RoundResult, facts_in
from standings.texts import last_recorded_day
from tournaments.event.json_writer import Lines
from tournaments.event.values import ScoreValue
from tournaments.interchange.public import public_document
from tournaments.models import Event

OF_RESULTS = frozenset({"statistics", "trf"})
"""The links that only events with results have."""

LINKED = {
    "page": "event",
    "standings": "api-standings",
    "competitors": "api-competitors",
    "categories": "api-categories",
    "prizes": "api-prizes",
    "statistics": "api-statistics",
    "changes": "api-changes",
    "published": "api-published",
    "check": "api-check",
    "event_file": "event-json",
    "csv": "event-csv",
    "xlsx": "event-xlsx",
    "trf": "event-trf",
    "archive": "event-zip",
    "citation": "event-bib",
    "feed": "event-feed",
    "calendar": "calendar",
}
"""The links of an event, by the names of their views."""


@json_view
def unknown_endpoint(request: HttpRequest, **_: str) -> HttpResponse:
    """Respond to unknown URLs below `/api/`; redirect if only the final slash is missing."""
    if resolve(f"{request.path_info}/").url_name:
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
    raise Http404


@endpoint(event_view)
def event(request: HttpRequest, event: Event) -> event_schemas.EventAnswer:
    """An event: its settings, its rounds, and links to its pages and files."""
    document = public_document(event)
    awaited = Counter(number for number, _pairing in document.without_result())

    def link(name: str, *further: object) -> str:
        return request.build_absolute_uri(reverse(name, args=[event.slug, *further]))

    return event_schemas.EventAnswer.of(
        document,
        version=event.data_version,
        **times_of(event),
        told_until=last_recorded_day(event) or None,
        competitors=len(document.competitors),
        rounds=[
            event_schemas.RoundBrief.of(
                each,
                pairings=len(each.pairings),
                awaited=awaited[each.number],
                address=link("api-round", each.number),
            )
            for each in document.rounds
        ],
        links=Lines(
            {key: link(name) for key, name in LINKED.items() if event.knows_results or key not in OF_RESULTS}
        ),
    )


@endpoint(event_view)
def round_(_: HttpRequest, event: Event, number: int) -> event_schemas.RoundAnswer:
    """The pairings and results of a round, with the boards of each match. Empty if it is not paired."""
    found = next((each for each in public_document(event).rounds if each.number == number), None)
    if found is None:
        raise Http404
    may_be_in_progress = any(each.kind == "pending" and each.games for each in found.pairings)
    results = facts_in(event, number) if may_be_in_progress else {}
    in_progress = [
        match_in_progress(each.table, result)
        for each in found.pairings
        if (result := results.get(each.first)) and result.open_boards
    ]
    return event_schemas.RoundAnswer.of(found, event=event, in_progress=in_progress)


def match_in_progress(table: int, result: RoundResult) -> event_schemas.MatchInProgress:
    score = ScoreValue().write((result.score, result.opponent_score))
    return event_schemas.MatchInProgress(table=table, score=score, open_boards=result.open_boards)


@endpoint(event_view)
def competitors(_: HttpRequest, event: Event) -> event_schemas.CompetitorsData:
    """All competitors of the event; teams with their players."""
    # As in the event file, but with the players of games, which no other key contains here.
    return event_schemas.CompetitorsData.of(public_document(event), event=event)


@endpoint(event_view)
def changes(_: HttpRequest, event: Event) -> event_schemas.ChangesData:
    """The corrected results, the rulings and the accepted warnings of the event."""
    return event_schemas.ChangesData.of(public_document(event), event=event)


@endpoint(event_view)
def published(_: HttpRequest, event: Event) -> event_schemas.PublishedAnswer:
    """The standings that the source published. The check compares them with the computed ones."""
    return event_schemas.PublishedAnswer.of(public_document(event), event=event)

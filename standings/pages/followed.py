"""A competitor in short, for readers who follow it on other pages: place, last result, next opponent.

One address for each competitor and none for several at once: what readers follow would make a page of its own
for every choice there is.
"""

from html import unescape
from typing import TypedDict

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from standings.basis import basis_of, rests_on
from standings.caching.cached_pages import event_page, only_read
from standings.engine import RoundKind, Standings
from standings.services import default_standings, ranked
from standings.tables.cells import CrosstableRound, RoundCells, rounds_of_competitor
from tournaments.models import Event


class LinkData(TypedDict):
    """Words and where they lead."""

    text: str
    address: str


class FollowedData(TypedDict):
    """A competitor in short, in the language of the address; `last` and `next` may be None."""

    event: LinkData
    competitor: LinkData
    place: str
    last: LinkData | None
    next: LinkData | None
    is_live: bool


@only_read
def followed(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return a competitor in short; as JSON in words, for a script to print."""
    answer = _followed(request, slug, number)
    if answer.status_code == 200:
        answer["Content-Type"] = "application/json"
    return answer


@event_page
def _followed(_: HttpRequest, event: Event, number: int) -> HttpResponse:
    entries, standings = ranked(event)
    row = next((at for at, entry in enumerate(entries) if entry.number == number), None)
    if row is None:
        raise Http404
    words = RoundCells(entries, str, "", players=not event.is_team)
    rounds = [each for each in rounds_of_competitor(standings.table, row) if each.table]
    played = [each for each in rounds if each.result.kind != RoundKind.PENDING]
    pending = [each for each in rounds if each.result.kind == RoundKind.PENDING]

    def told(found: list[CrosstableRound], at: int) -> LinkData | None:
        if not found:
            return None
        text = unescape(words.words(found[at]))
        if event.knows_round_order:
            text = gettext("round %(number)s: %(words)s") % {"number": found[at].round, "words": text}
        return LinkData(
            text=capfirst(text),
            address=reverse("match", args=[event.slug, found[at].round, found[at].table]),
        )

    data = FollowedData(
        event=LinkData(text=event.name, address=reverse("standings", args=[event.slug])),
        competitor=LinkData(text=entries[row].name, address=reverse("competitor", args=[event.slug, number])),
        place=place_words(default_standings(event).standings, row),
        last=told(played, -1),
        next=told(pending, 0),
        is_live=event.state == Event.State.LIVE,
    )
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False})


def place_words(standings: Standings, row: int) -> str:
    """Return `place 3 after round 9`; empty without a place, and before the first round."""
    if not standings.place[row] or not standings.has_places:
        return ""
    names = {"place": standings.place[row], "basis": rests_on(basis_of(standings.table))}
    return gettext("place %(place)s %(basis)s") % names

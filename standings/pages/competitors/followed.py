"""Summary of a competitor for readers who follow it on other pages: place, last result, next opponent.

Each competitor has its own URL. A URL for several would create a page for every selection of readers.
"""

from collections.abc import Iterator
from html import unescape
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext

from standings.basis import basis_of, basis_text
from standings.caching.cached_pages import event_view, with_content_type
from standings.careers.overevents import competitors_over_events, people_over_events
from standings.engine import RoundKind, Standings
from standings.flags import country_of, year_of
from standings.pages.competitors.open_games import open_games
from standings.pages.events.pairing_rows import PairingRow
from standings.services import default_round, ranked, row_of, standings_of
from standings.tables.cells import CrosstableRound, RoundCells, rounds_of_competitor
from standings.texts import name_of_federation
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.federations import federation
from tournaments.models import Event


@with_content_type("application/json")
@event_view
def followed(_: HttpRequest, event: Event, number: int) -> HttpResponse:
    entries, standings = ranked(event)
    row = row_of(entries, number)
    # A bye is already the last result.
    coming = next((game for game in open_games(event, number) if game.pairing.second), None)
    words = RoundCells(entries, str, "", players=not event.is_team)
    rounds = [pairing for pairing in rounds_of_competitor(standings.table, row) if pairing.table]
    last = next((each for each in reversed(rounds) if each.result.kind != RoundKind.PENDING), None)
    text = unescape(words.words(last)) if last else ""
    if last and event.knows_round_order:
        text = gettext("round %(number)s: %(words)s") % {"number": last.round, "words": text}

    def match_link(text: str, of: CrosstableRound | PairingRow) -> dict[str, str]:
        return {"text": capfirst(text), "address": reverse("match", args=[event.slug, of.round, of.table])}

    address = reverse("competitor", args=[event.slug, number])
    data = {
        "event": {"text": event.name, "address": reverse("standings", args=[event.slug])},
        "competitor": {"text": entries[row].name, "address": address},
        "place": place_after_text(standings_of(event, default_round(event)), row),
        "last": match_link(text, last) if last else None,
        "next": match_link(coming.text, coming.pairing) if coming else None,
        "is_live": event.state == Event.State.LIVE,
    }
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False})


@with_content_type("application/json")
@event_view
def followed_groups(_: HttpRequest, event: Event) -> HttpResponse:
    """Return names and start numbers by `federation:NED`, `club:…`, `person:12` and `team:5`."""
    entries, standings = ranked(event)
    groups: dict[str, dict[str, Any]] = {}

    def add(key: str, name: str, number: int) -> None:
        groups.setdefault(key, {"name": name, "numbers": []})["numbers"].append(number)

    # The best place first.
    for entry in (entries[row] for row in standings.order.tolist()):
        for key, name in groups_of(event, entry):
            add(key, name, entry.number)
    players = ((number, leading) for (number, _), leading in people_over_events(event).players.items())
    for number, leading in (*competitors_over_events(event).items(), *players):
        if not leading.is_hidden:
            add(f"{'team' if leading.is_team else 'person'}:{leading.id}", leading.name, number)
    return JsonResponse(groups, json_dumps_params={"ensure_ascii": False})


def groups_of(event: Event, entry: CompetitorInfo) -> Iterator[tuple[str, str]]:
    if found := federation(country_of(event, entry), year_of(event)):
        yield f"federation:{found.code}", name_of_federation(found)
    if club := entry.club or (entry.name if event.teams_are == Event.TeamsAre.CLUBS else ""):
        yield f"club:{club.casefold()}", club


def place_after_text(standings: Standings, row: int) -> str:
    """Return `place 3 after round 9`; empty without a place, and before the first round."""
    if not standings.place[row] or not standings.has_places:
        return ""
    names = {"place": standings.place[row], "basis": basis_text(basis_of(standings.table))}
    return gettext("place %(place)s %(basis)s") % names

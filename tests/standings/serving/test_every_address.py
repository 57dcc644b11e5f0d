"""Every public URL, requested once in each way: queries, response, caching and forbidden content.

The URLs are those of the URL configuration (tests/routes.py), so new pages are included automatically. Each
function of PROPERTIES is a subtest for each URL.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest
from django import VERSION as DJANGO
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from config.urls import files
from standings.caching.cached_pages import CHOICES
from standings.pages.page_list import EVENT_PAGES
from tests.cast import create_team_event
from tests.conftest import forget
from tests.routes import address_of, is_over_events, public_routes
from tests.snapshots import Snapshot, take_snapshot
from tests.standings.pages.promises import Page
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, FormerSlug, Game, Pairing, Player, Round, Series

EVENT = "/events/two-teams"
STANDINGS = f"{EVENT}/standings/"

# --- the addresses ----------------------------------------------------------------------------------------

NOT_KEPT = {"/healthz", "/readyz", "/metrics", "/.well-known/security.txt", f"{EVENT}.zip", "/api/x"}
NOT_PAGES = {
    *(f"{EVENT}/compare/", f"{EVENT}/poll/", f"{EVENT}/archive/", f"{EVENT}/report/", f"{EVENT}.pdn"),
    *("/event-file/examples/live.json", "/schema/event/1.json", "/api/events.ndjson"),
    *("/find/", "/suggest/", "/poll/", "/congresses/none/", "/api/congresses/none/", "/oembed/"),
}
"""Redirects, responses for scripts, and pages of another discipline."""

QUERIES = {
    "/": 12,  # standings for the leader of each event; if they are cached, a single query for all
    "/events/two-teams/": 14,  # two more, to cache the places of the race and the contenders
    "/events/two-teams/standings/": 16,  # also the contenders, categories, teams over events
    "/events/two-teams/standings/after/1/": 17,
    "/events/two-teams/rounds/1/1/": 16,
    "/events/two-teams/rounds/1/2/": 16,
    "/events/two-teams/competitors/1/": 18,  # another one for the next game
    "/events/two-teams/competitors/": 15,  # those of the standings, for the filters, and pages of teams
    "/events/two-teams/competitors/1/dsb/?after=1": 9,
    "/events/two-teams/compare/1/2/": 9,
    "/events/two-teams/crosstable/": 13,
    "/events/two-teams/rounds/1/": 15,
    "/events/two-teams/statistics/": 11,
    "/events/two-teams/changes/": 8,
    "/events/two-teams/check/": 13,
    "/events/two-teams.bib": 2,
    "/series/cup/": 9,
    "/api/events/": 6,
    "/api/events/two-teams/": 13,
    "/api/events/two-teams/standings/": 11,  # another query, to cache the contenders
    "/api/events/two-teams/rounds/1/": 12,
    "/api/events/two-teams/standings/after/1/": 12,
    "/api/events/two-teams/categories/": 9,
    "/api/events/two-teams/prizes/": 10,
    "/api/events/two-teams/statistics/": 10,
    "/api/events/two-teams/changes/": 12,
    "/api/events/two-teams/published/": 12,
    "/api/events/two-teams/check/": 12,
    "/api/series/": 10,
    "/api/series/cup/": 9,
    "/api/congresses/": 3,
    "/series/": 10,
    "/added.atom": 2,
    "/api/events/two-teams/competitors/": 12,
    "/api/events/two-teams/competitors/1/": 18,
    "/api/events/two-teams/competitors/1/dsb/": 7,
}
"""The number of queries of an address; other addresses have at most `MOST_QUERIES`.

Three queries of pages with standings look for sources that published the same places, once a revision.
"""

MOST_QUERIES = 20

ADDRESSES = sorted(
    {
        address
        for address in (*map(address_of, public_routes()), *QUERIES, "/criteria/solkoff/")
        if not is_over_events(address)
    }
    - NOT_KEPT
    - NOT_PAGES
)
"""Every cached address, and some twice, for a bye or a choice."""

FOR_PROGRAMS = {
    *("/feed.atom", "/added.atom", f"{EVENT}/feed.atom", f"{EVENT}/competitors/1/feed.atom"),
    *(f"{EVENT}/followed/1/", f"{EVENT}/rounds.ics"),
}
"""Responses for programs and scripts, in the language of the address."""

FILES = {*(file.name for file in files), "openapi-json"}
"""The names of addresses with the same response in every language."""

# --- caching ----------------------------------------------------------------------------------------------

GIVEN = {
    "sort": "name",
    "dir": "asc",
    "after": "1",
    "as": "computed",
    "notation": "2-0",
    "cells": "W12",
    "ratings": "shown",
    "layout": "wide",
    "places": "shown",
    "running": "shown",
    "columns": "none",
    "federation": "NED",
    "club": "Den Haag",
    "city": "Goes",
    "category": "A",
    "sex": "w",
    "q": "reds",
    "discipline": "chess",
    "schedule": "swiss",
    "entrants": "teams",
    "country": "NED",
    "year": "2026",
    "series": "cup",
    "place": "Amsterdam",
    "page": "2",
    "show": "standings",
    "top": "10",
    "part": "1of2",
    "seconds": "5",
    "title": "GM",
    "why": "long",
    "letter": "r",
    "colour": "white",
    "result": "won",
    "picture": "score_group_bars.png",
    "events": "two-teams",
}
"""A valid value of each parameter for a page that uses it. There is no second page."""

TABLES = ("sort", "notation", "cells", "ratings", "as", "layout", "columns", "places", "running", "why")
FILTERS = ("discipline", "schedule", "entrants", "country", "year", "series", "place")
CARRIED = TABLES[1:]
EVERY_PAGE = {
    address_of(f"/events/<slug:slug>/{page.route}"): CARRIED
    for page in EVENT_PAGES
    if page.name not in {"compare-with", "screen"}
}
KNOWN = EVERY_PAGE | {
    "/": FILTERS,
    "/api/events/": FILTERS,
    **dict.fromkeys(("/people/", "/teams/", "/api/people/", "/api/teams/"), ("sort",)),
    STANDINGS: (*TABLES, "top"),
    f"{STANDINGS}after/1/": (*TABLES, "top"),
    f"{STANDINGS}category/A/": (*TABLES, "after", "top"),
    f"{EVENT}/statistics/": (*TABLES, "picture"),
    f"{EVENT}/rounds/1/": TABLES,
    f"{EVENT}/competitors/1/dsb/": (*CARRIED, "after"),
    f"/api{EVENT}/competitors/1/dsb/": ("after",),
    f"{EVENT}/compare/1/2/": (*CARRIED, "after"),
    f"{EVENT}/paste/": (*CARRIED, "after", "top"),
    f"{EVENT}/screen/": ("page", "show", "top", "part", "seconds", "running"),
    **dict.fromkeys((f"{EVENT}.csv", f"{EVENT}.xlsx", f"{EVENT}.html"), ("running",)),
    f"/api{EVENT}/standings/": ("after",),
    f"{EVENT}/rounds/1/2/": CARRIED,
    f"/embed{EVENT}/standings/": (*TABLES, "top"),
    f"/embed{EVENT}/standings/after/1/": (*TABLES, "top"),
    f"/embed{EVENT}/rounds/1/": TABLES,
    f"/embed{EVENT}/crosstable/": CARRIED,
    f"{EVENT}/card.png": ("after",),
    "/rounds.ics": ("events",),
}
"""The choices that change the page of an address.

The event is live, so the tables of the series are empty and cannot be sorted.
"""

UNLISTED = """Another list of parameters was expected. What is missing?
- A page with the tabs of the event is an `event_page`, which accepts the parameters that links carry.
- Its own parameters are listed in `@uses_parameters` of the view, and above in KNOWN."""

BY_THEMSELVES = ("q", "page")
"""Parameters that may prevent caching, independent of the others."""

# --- requests ---------------------------------------------------------------------------------------------


_reader = Client(enforce_csrf_checks=True)  # a new client would load the middleware again


def ask(address: str, method: str = "GET", **headers: str) -> Any:
    """Return the response to a client without cookies; `queries`: the number of queries."""
    _reader.cookies.clear()
    with CaptureQueriesContext(connection) as queries:
        answer = _reader.generic(method, address, headers=headers)
    answer.queries = len(queries)  # type: ignore[attr-defined]  # ours
    return answer


def ask_anew(address: str) -> Any:
    """Return the response with an empty cache."""
    forget()
    return ask(address)


@dataclass
class Visit:
    """A URL of the event as created, and the first response."""

    address: str
    event: Event
    larger: Snapshot
    first: Any

    @cached_property
    def settled(self) -> Any:
        """The response with an empty cache after the pairings check was queued."""
        return self.first if self.is_static else ask_anew(self.address)

    @cached_property
    def dutch(self) -> Any:
        return ask_anew(f"/nl{self.address}")

    @property
    def has_dutch(self) -> bool:
        return resolve(self.address.partition("?")[0]).url_name not in FILES

    @property
    def is_page(self) -> bool:
        """Return whether a browser shows it as a page."""
        headers = self.first.headers
        is_shown = "Content-Disposition" not in headers and self.address not in FOR_PROGRAMS
        return is_shown and headers["Content-Type"].startswith("text/html")

    @property
    def is_static(self) -> bool:
        """Return whether it shows no recorded data."""
        return bool(self.first.headers["ETag"].startswith('W/"static'))


# --- properties, in the order of the subtests -------------------------------------------------------------


def first_reader_costs_its_queries(visit: Visit) -> None:
    assert visit.first.status_code == 200
    if visit.address in QUERIES:
        queries = QUERIES[visit.address]
        # Later versions of Django need fewer for a page that writes.
        assert visit.first.queries == queries or (DJANGO > (6,) and visit.first.queries < queries)
    assert visit.first.queries <= MOST_QUERIES


def next_reader_costs_one_query(visit: Visit) -> None:
    again = ask(visit.address)
    assert again.queries <= 1
    assert again.content == visit.first.content


def carries_nothing_personal(visit: Visit) -> None:
    for page in (visit.first, *([visit.dutch] if visit.has_dutch else [])):
        assert page.status_code == 200
        assert not page.cookies
        assert page.headers["Vary"] == "Accept-Encoding"
        assert page.headers["Cache-Control"].startswith("public")
        assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]


def is_304_where_unchanged(visit: Visit) -> None:
    unchanged = ask(visit.address, **{"if-none-match": visit.first.headers["ETag"]})
    assert unchanged.status_code == 304
    assert not unchanged.content


def is_read_and_nothing_else(visit: Visit) -> None:
    head = ask(visit.address, "HEAD")
    assert head.status_code == 200
    assert head.headers["Content-Type"] == visit.first.headers["Content-Type"]
    assert head.headers["Content-Length"] == visit.first.headers["Content-Length"]
    assert visit.first.headers["Content-Length"] == str(len(visit.first.content))
    assert not head.content
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        refused = ask(visit.address, method)
        if visit.address != "/validate/":  # which takes a file
            assert (method, refused.status_code) == (method, 405)
            assert {*refused.headers["Allow"].split(", ")} - {"OPTIONS"} == {"GET", "HEAD"}


def unknown_choices_share_the_page(visit: Visit) -> None:
    if "?" in visit.address or visit.address in {"/api/people/", "/api/teams/"}:  # these refuse them
        return
    wrong = "&after=x" if visit.is_page else ""  # the API refuses it
    asked = ask(f"{visit.address}?utm=x&tab=2&sort=luck&dir=up&notation=3-0&cells=x&as=%3Cb%3E{wrong}")
    assert asked.status_code == 200
    assert asked.queries == (0 if visit.is_static else 1)
    assert asked.content == visit.first.content
    assert asked.headers["ETag"] == visit.first.headers["ETag"]


def keeps_the_choices_that_its_page_knows_and_no_others(visit: Visit) -> None:
    """Unknown parameters cannot fill the cache."""
    if "?" not in visit.address:
        assert choices_kept(visit.address) == choices_known(visit.address), UNLISTED


def is_sound_html(visit: Visit) -> None:
    """Canonical address, title, language, a single h1; unique ids, no inline code, no other hosts."""
    if visit.is_page and not visit.address.startswith("/embed/"):  # the canonical page has these in full
        assert list(Page(visit.address, visit.first.content.decode()).faults()) == []
        if visit.has_dutch:
            assert list(Page(f"/nl{visit.address}", visit.dutch.content.decode()).faults()) == []


def costs_the_same_in_dutch(visit: Visit) -> None:
    if visit.has_dutch:
        english, dutch = visit.settled, visit.dutch
        assert dutch.queries == english.queries
        assert ask(f"/nl{visit.address}").queries <= 1


def is_in_the_language_of_its_address(visit: Visit) -> None:
    """A page that is cached in a language is never served in the other."""
    if visit.has_dutch:
        english, dutch = ask(visit.address), ask(f"/nl{visit.address}")
        assert english.content == visit.first.content
        assert dutch.content == visit.dutch.content
        if visit.is_page:
            assert '<html lang="en"' in english.content.decode()
            assert '<html lang="nl"' in dutch.content.decode()


def every_link_of_a_dutch_page_stays_dutch(visit: Visit) -> None:
    if visit.has_dutch and visit.is_page:
        page = visit.dutch.content.decode().partition('<nav class="foot languages"')[0]
        links = LINK.findall(page)
        assert links
        assert {resolve(link).url_name for link in links if not link.startswith("/nl/")} <= FILES


def what_programs_read_leads_to_pages_in_its_language(visit: Visit) -> None:
    if visit.address in FOR_PROGRAMS:
        assert {*OF_EVENT.findall(visit.first.content.decode())} == {""}
        assert {*OF_EVENT.findall(visit.dutch.content.decode())} == {"/nl"}


def a_change_is_on_the_next_page(visit: Visit) -> None:
    before = ask(visit.address)
    Competitor.objects.filter(event=visit.event, number=1).update(name="Crimsons")
    for player in Player.objects.filter(competitor__number=1):
        Player.objects.filter(pk=player.pk).update(name=f"Crimsons {player.board}")
    page = ask(visit.address, **{"if-none-match": before.headers["ETag"]})
    assert page.status_code == (304 if visit.is_static else 200)
    # An example of /layouts/ has a team called Reds.
    assert (b"Crimsons" in page.content) is (not visit.is_static and b"Reds" in before.content)


def a_former_slug_leads_on_but_not_to_a_draft(visit: Visit) -> None:
    if visit.address.startswith(EVENT):
        present = visit.address if "?" in visit.address else f"{visit.address}?sort=dsb"
        former = present.replace(EVENT, "/events/two")
        FormerSlug.objects.create(event=visit.event, slug="two")
        for state, status in ((Event.State.LIVE, 301), (Event.State.REMOVED, 301), (Event.State.DRAFT, 404)):
            Event.objects.update(state=state)
            moved = ask(former)
            assert (state, moved.status_code) == (state, status)
            assert moved.headers.get("Location") == (present if status == 301 else None)


def a_draft_is_not_found_and_a_removed_event_is_gone(visit: Visit) -> None:
    if visit.address.startswith(EVENT):
        for state, status in ((Event.State.DRAFT, 404), (Event.State.REMOVED, 410)):
            Event.objects.update(state=state)
            answer = ask(visit.address, **{"if-none-match": visit.first.headers["ETag"]})
            assert (state, answer.status_code) == (state, status)
            assert b"Reds" not in answer.content
            assert answer.headers["Content-Type"].startswith("text/html")
            assert "Content-Disposition" not in answer.headers


def costs_no_more_queries_of_a_larger_event(visit: Visit) -> None:
    if not visit.is_static:
        visit.larger.restore()
        assert ask_anew(visit.address).queries <= visit.first.queries


PROPERTIES = (
    first_reader_costs_its_queries,
    next_reader_costs_one_query,
    is_304_where_unchanged,
    is_read_and_nothing_else,
    unknown_choices_share_the_page,
    keeps_the_choices_that_its_page_knows_and_no_others,
    costs_the_same_in_dutch,
    is_in_the_language_of_its_address,
    carries_nothing_personal,
    is_sound_html,
    every_link_of_a_dutch_page_stays_dutch,
    what_programs_read_leads_to_pages_in_its_language,
    a_change_is_on_the_next_page,
    a_former_slug_leads_on_but_not_to_a_draft,
    a_draft_is_not_found_and_a_removed_event_is_gone,
    costs_no_more_queries_of_a_larger_event,
)

LINK = re.compile(r'<(?:a|form|button|div|link rel="(?:next|prev)")[^>]* (?:href|action|hx-get)="(/[^"]*)"')
OF_EVENT = re.compile("(/nl)?/events/")


def choices_known(address: str) -> list[str]:
    return [name for name in CHOICES if name in KNOWN.get(address, ())]


def choices_kept(address: str) -> list[str]:
    """Return the parameters that create another cached page."""
    known = KNOWN.get(address, ())
    kept = [name for name in (*known, *BY_THEMSELVES) if pages_kept_for(address, name)]
    others = [name for name in CHOICES if name not in {*known, *BY_THEMSELVES}]
    if pages_kept_for(address, *others):
        kept += [name for name in others if pages_kept_for(address, name)] or ["several at once"]
    return sorted({*kept}, key=[*CHOICES, "several at once"].index)


def pages_kept_for(address: str, *chosen: str) -> int:
    """Return the number of pages that are cached after requests with these parameters."""
    before = pages_kept()
    ask(f"{address}?{'&'.join(f'{name}={GIVEN[name]}' for name in chosen)}").close()
    return pages_kept() - before


def pages_kept() -> int:
    # The memory of this process, which tests use.
    return sum("-gzip-" in name for name in cache._cache)  # type: ignore[attr-defined]  # only of this backend


# --- the crawl --------------------------------------------------------------------------------------------


@pytest.fixture
def event(transactional_db: None) -> Event:
    event = create_team_event()
    series = Series.objects.get(slug="cup")
    Event.objects.filter(pk=event.pk).update(
        start="2026-05-01", country="NED", place="Amsterdam", series=series
    )
    return event


def test_every_address(event: Event, subtests: pytest.Subtests) -> None:
    check_every_address(event, subtests, *PROPERTIES)


@pytest.mark.exhaustive
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="test_every_address checks these too")
def test_queries_of_every_address_on_postgresql(event: Event, subtests: pytest.Subtests) -> None:
    """Every query and every trigger on PostgreSQL, for `make test`; SQLite has all properties."""
    check_every_address(event, subtests, first_reader_costs_its_queries, a_change_is_on_the_next_page)


def check_every_address(
    event: Event, subtests: pytest.Subtests, *properties: Callable[[Visit], None]
) -> None:
    """Check each address with the event as it was created and an empty cache."""
    created = take_snapshot()
    enlarge(event)
    larger = take_snapshot()
    for address in ADDRESSES:
        created.restore()
        visit = Visit(address, event, larger, ask_anew(address))
        for holds in properties:
            with subtests.test(holds.__name__, address=address):
                holds(visit)


OTHERS = {*map(address_of, public_routes())} - {*ADDRESSES}
FORMS = {
    *(f"{EVENT}/compare/", f"{EVENT}/poll/", f"{EVENT}/report/", "/find/", "/suggest/", "/oembed/"),
    *("/congresses/none/", "/api/congresses/none/", "/api/events.ndjson"),
}
"""Other parameters that need more than the choices of a page."""


def test_no_other_address_keeps_a_choice_that_it_does_not_know(
    event: Event, subtests: pytest.Subtests
) -> None:
    for address in sorted(OTHERS - FORMS):
        forget()
        ask(address).close()  # an archive is a file
        with subtests.test(address=address):
            assert choices_kept(address) == choices_known(address), UNLISTED


def enlarge(event: Event) -> None:
    """Add ten teams of two players, and a match between each pair of teams in round 2."""
    numbers = range(4, 14)
    teams = [Competitor.objects.create(event=event, number=each, name=f"Team {each}") for each in numbers]
    for team in teams:
        Player.objects.bulk_create(
            Player(competitor=team, board=board, name=f"{team.name} {board}") for board in (1, 2)
        )
    second = Round.objects.get(event=event, number=2)
    drawn = {"kind": Kind.PLAYED, "first_score": 2, "second_score": 2}
    for table, (first, other) in enumerate(zip(teams[::2], teams[1::2], strict=True), start=1):
        match = Pairing.objects.create(round=second, table=table, first=first, second=other, **drawn)
        sides = zip(first.players.order_by("board"), other.players.order_by("board"), strict=True)
        Game.objects.bulk_create(
            Game(
                pairing=match,
                board=board,
                first_player=mine,
                second_player=theirs,
                kind=Kind.PLAYED,
                first_score=1,
                second_score=1,
            )
            for board, (mine, theirs) in enumerate(sides, start=1)
        )

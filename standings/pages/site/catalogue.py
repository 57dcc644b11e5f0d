"""Pages of the site: events, series, players, teams, criteria, and search."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from standings.caching.cached_pages import (
    choices,
    mark_uncacheable,
    people_list,
    read_only,
    rendered,
    site_page,
    static_page,
    uses_parameters,
)
from standings.caching.outage_copies import BRIEFLY
from standings.careers.directory import Directory, directory_table
from standings.careers.medals import refresh_tallies
from standings.careers.records import longest_runs, most_medals, youngest_winners
from standings.careers.tables import records_table
from standings.catalogue.editions import editions_of, series_lines, series_rows
from standings.catalogue.listing import ASKED, Listing, suggestions
from standings.catalogue.series.honours import Honours, Placed, honours_of
from standings.catalogue.series.tables import all_time_table, medal_table
from standings.charts.medals import Medallist, medal_chart
from standings.charts.svg import Figure
from standings.charts.worldmap import PlacedCompetitor, map_of
from standings.criteria.descriptions import SOURCES, page_of, policies, rule_books, systems
from standings.criteria.editions import editions_page
from standings.criteria.texts import GLOSSARY
from standings.engine import UnknownCriterionError
from standings.flags import year_of
from standings.pages.people.lookup import PERSONS, TEAMS, OverEvents
from tournaments.models import Series
from tournaments.operations.revision import site_revision
from tournaments.people.services.tallies import LISTED_PERSONS


@site_page
@uses_parameters(*ASKED)
def event_list(request: HttpRequest) -> HttpResponse:
    listing = Listing(choices(request))
    if listing.is_only_shown:
        mark_uncacheable(request)
    return rendered(request, "standings/event_list.html", {"listing": listing})


@read_only
def find(request: HttpRequest) -> HttpResponse:
    listing = Listing(choices(request, ("q",)))
    address = listing.best or reverse("events") + listing.query(1)
    if listing.best and listing.hits and listing.hits.addresses - {listing.best}:
        # A fragment is no part of a cache key. suggest.js shows a link to the other matches.
        address += f"#q={quote(listing.search)}"
    response = HttpResponseRedirect(address)
    response["Cache-Control"] = BRIEFLY
    return response


@read_only
def suggest(request: HttpRequest) -> HttpResponse:
    response = JsonResponse({"items": suggestions(Listing(choices(request, ("q",))))})
    response["Cache-Control"] = BRIEFLY
    return response


@site_page
def series_list(request: HttpRequest) -> HttpResponse:
    rows = series_rows(site_revision())
    context = {
        "rows": rows,
        "lines": series_lines(rows),
        "page": "series-list",
    }
    return rendered(request, "standings/series_list.html", context)


@site_page
@uses_parameters("sort", "dir")
def series(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the editions of a series, and their totals; Http404 if no edition is public."""
    found = get_object_or_404(Series, slug=slug)
    editions = editions_of(found)
    if not editions:
        raise Http404
    chosen = choices(request)
    honours = honours_of([edition.event for edition in editions])
    medals = medal_table(honours, chosen)
    all_time = all_time_table(honours, chosen) if honours.is_team else None
    if "sort" in chosen and not (medals.sort or (all_time and all_time.sort)):
        mark_uncacheable(request)
    context = {
        "series": found,
        "editions": editions,
        "honours": honours,
        "medals": medals,
        "medal_blocks": medal_chart(list(map(_medallist, honours.medals))),
        "map": _map_of_teams(honours) if honours.is_team else None,
        "all_time": all_time,
    }
    return rendered(request, "standings/series.html", context)


def _medallist(placed: Placed) -> Medallist:
    event, result = placed.career.last
    medals = [(each.result.place, str(year_of(each.event) or "")) for each in placed.career.podiums]
    return Medallist(result.name, reverse("competitor", args=[event.slug, result.number]), medals)


def _map_of_teams(honours: Honours) -> Figure | None:
    placed = [
        PlacedCompetitor(
            career.best,
            career.last.result.name,
            reverse("competitor", args=[career.last.event.slug, career.last.result.number]),
            career.last.result.flag,
            year_of(career.last.event),
        )
        for career in (row.career for row in honours.all_time)
        if career.best
    ]
    return map_of(placed, _("Teams of all editions on the map"))


@static_page
def criteria(request: HttpRequest) -> HttpResponse:
    context = {
        "page": "criteria",
        "words": GLOSSARY,
        "rule_books": rule_books(),
        "sources": SOURCES,
        "systems": systems(),
        "policies": policies(),
    }
    return rendered(request, "standings/criteria.html", context)


@static_page
def editions(request: HttpRequest) -> HttpResponse:
    context = {"page": "criteria", "editions": editions_page()}
    return rendered(request, "standings/editions.html", context)


@static_page
def criterion(request: HttpRequest, code: str) -> HttpResponse:
    try:
        criterion_page = page_of(code)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    if criterion_page.criterion.address != code:
        return HttpResponsePermanentRedirect(criterion_page.criterion.page)
    context = {"page": "criteria", "criterion_page": criterion_page}
    return rendered(request, "standings/criterion.html", context)


PEOPLE_PARAMETERS = ("q", "country", "title", "letter", "sort", "dir", "page")
"""The query parameters of the lists of players and teams."""


def directory_of(kind: OverEvents[Any]) -> Callable[..., HttpResponse]:
    @people_list
    @uses_parameters(*PEOPLE_PARAMETERS)
    def directory_page(request: HttpRequest) -> HttpResponse:
        directory = Directory(kind.careers.listed, choices(request, PEOPLE_PARAMETERS))
        if directory.is_only_shown:
            mark_uncacheable(request)
        title = _("Teams") if kind.is_team else _("Players")
        context = {
            "directory": directory,
            "table": directory_table(directory, title, is_team=kind.is_team),
            "is_team": kind.is_team,
        }
        return rendered(request, "standings/people.html", context)

    return directory_page


persons, teams = directory_of(PERSONS), directory_of(TEAMS)


@people_list
def records(request: HttpRequest) -> HttpResponse:
    behind = refresh_tallies(LISTED_PERSONS)
    if behind:
        mark_uncacheable(request)
    runs, young = _("Most editions of a series in a row"), _("Youngest winners")
    tables = {
        "medals": records_table(most_medals(), _("Most medals"), _("medals"), _("first–second–third")),
        "runs": records_table(longest_runs(), runs, _("editions"), _("Series")),
        "young": records_table(youngest_winners(), young, _("age"), _("Event")),
    }
    context = {"tables": {key: each for key, each in tables.items() if each.rows}, "behind": behind}
    return rendered(request, "standings/records.html", context)

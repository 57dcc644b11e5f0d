"""The pages of the site itself: the events, the editions of a series, the criteria."""

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
    knows,
    only_read,
    only_shown,
    rendered,
    site_page,
    static_page,
)
from standings.caching.outage_copies import BRIEFLY
from standings.catalogue.editions import editions_of
from standings.catalogue.listing import ASKED, Listing
from standings.catalogue.series.honours import Honours, Placed, honours_of
from standings.catalogue.series.tables import all_time_table, medal_table
from standings.catalogue.seriesrows import series_lines, series_rows
from standings.catalogue.suggestions import suggestions
from standings.charts.figure import Figure
from standings.charts.medals import Medal, Medallist, medals_of
from standings.charts.worldmap import PlacedCompetitor, map_of
from standings.criteria.descriptions import SOURCES, page_of, policies, rule_books, systems
from standings.criteria.editions import editions_page
from standings.criteria.readerwords import READER_WORDS
from standings.engine import UnknownCriterionError
from standings.flags import year_of
from tournaments.models import Series
from tournaments.operations.revision import site_revision


@site_page
@knows(*ASKED)
def event_list(request: HttpRequest) -> HttpResponse:
    """Show the public events that a reader asked for, live ones first, then the most recent."""
    canonical = request.build_absolute_uri(request.path)
    listing = Listing(choices(request))
    if listing.is_only_shown:
        only_shown(request)
    context = {"listing": listing, "canonical": canonical}
    return rendered(request, "standings/event_list.html", context)


@only_read
def find(request: HttpRequest) -> HttpResponse:
    """Lead to the one whom the words of a search name, else to the list of all that it finds."""
    listing = Listing(choices(request, ("q",)))
    found = HttpResponseRedirect(listing.best or reverse("events") + listing.query(1))
    found["Cache-Control"] = BRIEFLY
    return found


@only_read
def suggest(request: HttpRequest) -> HttpResponse:
    """Tell the first few that the words of a search find, for the field in which they are typed."""
    found = JsonResponse({"items": suggestions(Listing(choices(request, ("q",))))})
    found["Cache-Control"] = BRIEFLY
    return found


@site_page
def series_list(request: HttpRequest) -> HttpResponse:
    """Show all series: how many editions each has, and who won the last one."""
    rows = series_rows(site_revision())
    context = {
        "rows": rows,
        "lines": series_lines(rows),
        "page": "series-list",
        "canonical": request.build_absolute_uri(request.path),
    }
    return rendered(request, "standings/series_list.html", context)


@site_page
@knows("sort", "dir")
def series(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the editions of a series in a row, and what they come to; not found without a public one."""
    found = get_object_or_404(Series, slug=slug)
    editions = editions_of(found)
    if not editions:
        raise Http404
    chosen = choices(request)
    honours = honours_of([edition.event for edition in editions])
    medals = medal_table(honours, chosen)
    all_time = all_time_table(honours, chosen) if honours.is_team else None
    if "sort" in chosen and not (medals.sort or (all_time and all_time.sort)):
        only_shown(request)
    context = {
        "series": found,
        "editions": editions,
        "honours": honours,
        "medals": medals,
        "medal_blocks": medals_of(list(map(_medallist, honours.medals))),
        "map": _map(honours) if honours.is_team else None,
        "all_time": all_time,
        "canonical": request.build_absolute_uri(request.path),
    }
    return rendered(request, "standings/series.html", context)


def _medallist(placed: Placed) -> Medallist:
    event, result = placed.career.last
    medals = [Medal(each.result.place, str(year_of(each.event) or "")) for each in placed.career.podiums]
    return Medallist(result.name, reverse("competitor", args=[event.slug, result.number]), medals)


def _map(honours: Honours) -> Figure | None:
    """Return the best place of each team in all editions, on the map."""
    placed = [
        PlacedCompetitor(
            career.best,
            career.last.result.name,
            reverse("competitor", args=[career.last.event.slug, career.last.result.number]),
            career.last.result.flag,
            year_of(career.last.event),
        )
        for career in (each.career for each in honours.all_time)
        if career.best
    ]
    return map_of(placed, _("Teams of all editions on the map"))


@static_page
def criteria(request: HttpRequest) -> HttpResponse:
    """Show all criteria, the ranking systems made of them, and what unplayed rounds are worth."""
    context = {
        "words": READER_WORDS,
        "rule_books": rule_books(),
        "sources": SOURCES,
        "systems": systems(),
        "policies": policies(),
    }
    about = {"page": "criteria", "canonical": request.build_absolute_uri(request.path)}
    return rendered(request, "standings/criteria.html", context | about)


@static_page
def editions(request: HttpRequest) -> HttpResponse:
    """Show what changed between the editions of FIDE's tie-breaks, on real results."""
    about = {"page": "criteria", "canonical": request.build_absolute_uri(request.path)}
    return rendered(request, "standings/editions.html", about | {"editions": editions_page()})


@static_page
def criterion(request: HttpRequest, code: str) -> HttpResponse:
    """Show one criterion: its rule, its systems, and a worked example; other spellings lead to its page."""
    try:
        criterion_page = page_of(code)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    if criterion_page.criterion.address != code:
        return HttpResponsePermanentRedirect(criterion_page.criterion.page)
    about = {"page": "criteria", "canonical": request.build_absolute_uri(request.path)}
    return rendered(request, "standings/criterion.html", about | {"criterion_page": criterion_page})

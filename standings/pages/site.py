"""The pages of the site itself: the events, the editions of a series, the criteria."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404

from standings.catalogue.editions import editions_of
from standings.catalogue.listing import ASKED, Listing
from standings.catalogue.series.honours import honours_of
from standings.catalogue.series.tables import all_time_table, medal_table
from standings.criteria.descriptions import SOURCES, page_of, policies, rule_books, systems
from standings.criteria.editions import editions_page
from standings.engine import UnknownCriterionError
from standings.serving.pages import choices, knows, only_shown, rendered, site_page, static_page
from tournaments.models import Series


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
        "all_time": all_time,
        "canonical": request.build_absolute_uri(request.path),
    }
    return rendered(request, "standings/series.html", context)


@static_page
def criteria(request: HttpRequest) -> HttpResponse:
    """Show all criteria, the ranking systems made of them, and what unplayed rounds are worth."""
    context = {"rule_books": rule_books(), "sources": SOURCES, "systems": systems(), "policies": policies()}
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

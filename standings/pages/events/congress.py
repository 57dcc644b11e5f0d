"""Page of a congress with the state of each section, and the links between sections."""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import slugify

from standings.caching.cached_pages import rendered, site_page
from standings.catalogue.editions import congress_of, sections_of_congress
from standings.catalogue.eventlines import event_lines
from standings.catalogue.outcomes import outcomes_of
from standings.pages.frame import PageLink
from standings.pages.page_list import EVENT_PAGES
from tournaments.models import Event
from tournaments.operations.revision import site_revision

PAGES_BY_ROUTE = {page.route: page for page in EVENT_PAGES}


class Congress(NamedTuple):
    """A congress, with the URL of the same page in each section."""

    name: str
    address: str
    sections: list[PageLink]


@site_page
def congress(request: HttpRequest, slug: str) -> HttpResponse:
    name = congress_of(slug)
    if not name:
        raise Http404
    events = sections_of_congress(name)
    outcomes = outcomes_of(site_revision().epoch, [event.pk for event in events])
    context = {
        "name": name,
        "events": events,
        "items": SafeString("\n".join(event_lines(events, outcomes, {}))),
    }
    return rendered(request, "standings/congress.html", context)


def congress_link(event: Event, page: str) -> Congress | None:
    """Return the congress of an event, with the same kind of page in each section, or None.

    A single query, and no query for an event without a congress. Sections that are not public are left out.
    """
    slug = slugify(event.congress)
    if not slug:
        return None
    events = sections_of_congress(event.congress)
    sections = [
        PageLink(section.section or section.name, _corresponding_page(section, page), section.pk == event.pk)
        for section in events
    ]
    return Congress(event.congress, reverse("congress", args=[slug]), sections)


def _corresponding_page(event: Event, name: str) -> str:
    """Return the URL of that page of another event; instead of a single round or competitor, of the list."""
    current = next((page for page in EVENT_PAGES if page.name == name), PAGES_BY_ROUTE[""])
    route = current.route if "<" not in current.route else f"{current.route.partition('/')[0]}/"
    page = PAGES_BY_ROUTE.get(route)
    if page is None or not page.tab or not page.is_tab(event):
        page = PAGES_BY_ROUTE[""]
    return page.address(event)

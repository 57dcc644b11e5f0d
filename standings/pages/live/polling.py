"""Polling: open pages of a live event request updates every few seconds."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve, reverse
from django.utils.translation import gettext as _

from standings.basis import Basis, basis_of, with_running
from standings.caching.cached_pages import CachedPage, Head, canonical_request, head_of, read_only
from standings.caching.outage_copies import BRIEFLY, LastPage
from standings.catalogue.listing import Listing
from standings.pages.page_list import EVENT_PAGES
from standings.pages.site.catalogue import event_list
from standings.services import ranked
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.operations.revision import site_revision

LIVE_PAGES = frozenset(page.name for page in EVENT_PAGES if page.is_live)
AGAIN = 10
"""Minimum seconds before the next poll while the database is down."""


class Polling(NamedTuple):
    """The URL that an open page polls, and the progress of the round."""

    address: str
    results_in: str


def polling_of(request: HttpRequest, event: Event) -> Polling | None:
    """Return the polling of an event's page; None if it does not poll."""
    if event.state != Event.State.LIVE or hasattr(request, "archive") or hasattr(request, "preview"):
        return None
    if resolve(request.path).url_name not in LIVE_PAGES:
        return None
    below = request.path.removeprefix(reverse("event", args=[event.slug])).removesuffix("/")
    parameters = urlencode({"revision": event.stamp, "page": below}, safe="/")
    address = f"{reverse('poll', args=[event.slug])}?{parameters}"
    return Polling(address, results_in(basis_of(ranked(event).standings.table)))


def results_in(basis: Basis) -> str:
    """Return `5 of 34 in` for the round in progress; empty before the first round."""
    values = {"known": basis.paired - basis.pending, "all": basis.paired}
    return with_running(_("%(known)s of %(all)s in") % values, basis) if basis.round else ""


def polling_of_home(request: HttpRequest, listing: Listing) -> Polling | None:
    """Return the polling of the home page; None if there are no live events, and for other lists."""
    # nginx limits searches (deploy/nginx.conf), and polling must not count as one.
    if not (listing.is_front and listing.live) or hasattr(request, "archive"):
        return None
    return Polling(f"{reverse('poll-home')}?{urlencode({'revision': str(listing.revision)})}", "")


@read_only
def poll_home(request: HttpRequest) -> HttpResponse:
    """Respond with 204, or with the current list of events; one query if there is no update."""
    stamp, shown_stamp = site_revision(), request.GET.get("revision", "")
    response = HttpResponse(status=204)
    if shown_stamp != str(stamp):
        page_request = canonical_request(request, reverse("events"), ())  # other lists do not poll
        response = event_list(page_request)
        # An older version, served during an update, that the reader already has.
        if isinstance(response, CachedPage) and f"{stamp.epoch}-{response.version}" == shown_stamp:
            response = HttpResponse(status=204)
    return _poll_response(response)


def _poll_response(response: HttpResponse) -> HttpResponse:
    if isinstance(response, LastPage):
        # The open page is as old. It shows that it is outdated, and continues polling.
        return HttpResponse(status=503, headers={"Retry-After": str(AGAIN), "Cache-Control": BRIEFLY})
    # No stale-while-revalidate: it would delay updates.
    response["Cache-Control"] = BRIEFLY
    del response["ETag"]
    return response


@read_only
def poll(request: HttpRequest, slug: str) -> HttpResponse:
    """Respond with 204, or with the current version of the open page; one query if there is no update.

    `revision` is the stamp of the open page, `page` its path below the event's. The response is the same for
    all readers, so it is cached; htmx takes the updated part from it.
    """
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    shown_stamp = request.GET.get("revision", "")
    response = HttpResponse(status=204) if shown_stamp == head.stamp else _open_page(request, slug, head)
    if isinstance(response, CachedPage) and _is_already_shown(response, shown_stamp, head):
        response = HttpResponse(status=204)
    return _poll_response(response)


def _open_page(request: HttpRequest, slug: str, head: Head) -> HttpResponse:
    below = request.GET.get("page", "")
    path = reverse("event", args=[slug]) + (f"{below}/" if below else "")
    match = resolve(path)
    if match.url_name not in LIVE_PAGES:
        raise Http404
    page_request = canonical_request(request, path)
    page_request.head = head  # type: ignore[attr-defined]  # ours
    response: HttpResponse = match.func(page_request, *match.args, **match.kwargs)
    return response


def _is_already_shown(page: CachedPage, shown_stamp: str, head: Head) -> bool:
    """Return whether this is an older version, served during an update, that the reader already has."""
    epoch, _, revision = shown_stamp.rpartition("-")
    # Revisions of different epochs cannot be compared.
    if epoch != head.epoch:
        return False
    return int(page.version) != head.version and int(page.version) <= (whole_number(revision) or 0)

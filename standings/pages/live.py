"""Polling: an open page of a live event asks every few seconds for something newer than it shows."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve, reverse
from django.utils.translation import gettext as _

from standings.basis import Basis, basis_of, with_running
from standings.caching.cached_pages import Head, KeptPage, as_asked, head_of, only_read
from standings.caching.outage_copies import BRIEFLY, LastPage
from standings.catalogue.listing import Listing
from standings.pages.eventpages import EVENT_PAGES
from standings.pages.site import event_list
from standings.services import ranked
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.operations.revision import site_revision

LIVE_PAGES = frozenset(page.name for page in EVENT_PAGES if page.is_live)
AGAIN = 10
"""Seconds after which a page asks again while the database is away, at the earliest."""


class Polling(NamedTuple):
    """How an open page asks for what is newer: the address of its poll, and how far the round has come."""

    address: str
    results_in: str


def polling_of(request: HttpRequest, event: Event) -> Polling | None:
    """Return how this page of an event polls; None where it does not."""
    if event.state != Event.State.LIVE or hasattr(request, "archive") or hasattr(request, "preview"):
        return None
    if resolve(request.path).url_name not in LIVE_PAGES:
        return None
    below = request.path.removeprefix(reverse("event", args=[event.slug])).removesuffix("/")
    asked = urlencode({"revision": event.stamp, "page": below}, safe="/")
    address = f"{reverse('poll', args=[event.slug])}?{asked}"
    return Polling(address, results_in(basis_of(ranked(event).standings.table)))


def results_in(basis: Basis) -> str:
    """Return `5 of 34 in` of the round in progress; empty before the first one is paired."""
    known = {"known": basis.paired - basis.pending, "all": basis.paired}
    return with_running(_("%(known)s of %(all)s in") % known, basis) if basis.round else ""


def polling_of_home(request: HttpRequest, listing: Listing) -> Polling | None:
    """Return how the site's first page polls; None where it has no live events, and for any other list."""
    # A search is counted at the door (deploy/nginx.conf), and a phone that is left open is no search.
    if not listing.live or hasattr(request, "archive"):
        return None
    return Polling(f"{reverse('poll-home')}?{urlencode({'revision': str(listing.revision)})}", "")


@only_read
def poll_home(request: HttpRequest) -> HttpResponse:
    """204, or the list of events as it is now; one query where nothing is new."""
    stamp, shown = site_revision(), request.GET.get("revision", "")
    answer = HttpResponse(status=204)
    if shown != str(stamp):
        asked = as_asked(request, reverse("events"), ())  # no other list polls
        asked.META.pop("HTTP_IF_NONE_MATCH", None)
        answer = event_list(asked)
        # Last bytes, served while newer ones are made, and the reader has seen them.
        if isinstance(answer, KeptPage) and f"{stamp.epoch}-{answer.version}" == shown:
            answer = HttpResponse(status=204)
    return _as_poll(answer)


def _as_poll(answer: HttpResponse) -> HttpResponse:
    if isinstance(answer, LastPage):
        # The open page is as old: it says so by itself, and goes on as soon as the database answers.
        return HttpResponse(status=503, headers={"Retry-After": str(AGAIN), "Cache-Control": BRIEFLY})
    # No stale-while-revalidate: the asking is what keeps the page young.
    answer["Cache-Control"] = BRIEFLY
    del answer["ETag"]
    return answer


@only_read
def poll(request: HttpRequest, slug: str) -> HttpResponse:
    """204, or the page that the reader has open, as it is now; one query where nothing is new.

    `revision` is the stamp of what the open page shows, `page` its address below the event's. The answer is
    the page as everybody gets it, so it is made once for all; htmx takes the part that lives out of it.
    """
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    shown = request.GET.get("revision", "")
    answer = HttpResponse(status=204) if shown == head.stamp else _page(request, slug)
    if isinstance(answer, KeptPage) and _is_no_news(answer, shown, head):
        answer = HttpResponse(status=204)
    return _as_poll(answer)


def _page(request: HttpRequest, slug: str) -> HttpResponse:
    """The page that is open; not found unless it is one of those that live."""
    below = request.GET.get("page", "")
    path = reverse("event", args=[slug]) + (f"{below}/" if below else "")
    match = resolve(path)
    if match.url_name not in LIVE_PAGES:
        raise Http404
    asked = as_asked(request, path)
    # Without the reader's ETag: a 304 has no page in it that htmx could take a part of.
    asked.META.pop("HTTP_IF_NONE_MATCH", None)
    answer: HttpResponse = match.func(asked, *match.args, **match.kwargs)
    return answer


def _is_no_news(page: KeptPage, shown: str, head: Head) -> bool:
    """Say whether these are last bytes, served while newer ones are made, and the reader has seen them."""
    epoch, _, revision = shown.rpartition("-")
    # Of another epoch, or of a page from before there were any, no revision is older or newer.
    if epoch != head.epoch:
        return False
    return int(page.version) != head.version and int(page.version) <= (whole_number(revision) or 0)

"""Polling: an open page of a live event asks every few seconds for something newer than it shows."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve, reverse

from standings.pages.eventpages import EVENT_PAGES
from standings.serving.outage import LastPage
from standings.serving.pages import Head, KeptPage, as_asked, head_of, only_read
from tournaments.event.numbers import whole_number

LIVE_PAGES = frozenset(page.name for page in EVENT_PAGES if page.is_live)
AGAIN = 10
"""Seconds after which a page asks again while the database is away, at the earliest."""

CACHE_CONTROL = "public, max-age=0, s-maxage=1"
"""No stale-while-revalidate: the asking is what keeps the page young."""


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
    if isinstance(answer, LastPage):
        # The open page is as old: it says so by itself, and goes on as soon as the database answers.
        return HttpResponse(status=503, headers={"Retry-After": str(AGAIN), "Cache-Control": CACHE_CONTROL})
    if isinstance(answer, KeptPage) and _is_no_news(answer, shown, head):
        answer = HttpResponse(status=204)
    answer["Cache-Control"] = CACHE_CONTROL
    del answer["ETag"]
    return answer


def _page(request: HttpRequest, slug: str) -> HttpResponse:
    """The page that is open; not found unless it is one of those that live."""
    path = f"{reverse('event', args=[slug])}{request.GET.get('page', '')}/"
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

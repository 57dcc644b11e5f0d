"""The archive of an event as a download, and the page of who waits for it."""

import logging
from typing import Any

from django.core.cache import cache
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response

from config.database.faults import UnavailableError
from standings.archive.making import Origin
from standings.archive.store import Awaited, Kept, Progress, ask, find, look, name_of
from standings.serving.outage import BRIEFLY, last_answer, tell_age
from standings.serving.pages import Head, head_of, only_read

logger = logging.getLogger(__name__)

AGAIN = {
    Progress.WAITING: 5,
    Progress.MAKING: 5,
    Progress.STUCK: 60,
    Progress.FAILED: 300,
    Progress.FULL: 120,
}
"""Seconds after which a browser or a program asks again."""

REFUSED = frozenset({Progress.FAILED, Progress.FULL})
"""The ways in which an archive is not on its way: 503 instead of 202."""


@only_read
def event_zip(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Answer the archive of an event; 202 and how far it is while it is made, 503 where it is not.

    While the database is away, the archive at the version that was last seen.
    """
    try:
        return _archive(request, slug)
    except UnavailableError:
        last = last_answer(slug)
        if last is None or not last.may_show(last.moment):
            raise
        found = find(last.head, _origin_of(request))
        if found is None:
            raise
    answer = _file(slug, found)
    tell_age(answer, last.moment)
    return answer


def _archive(request: HttpRequest, slug: str) -> HttpResponseBase:
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    origin = _origin_of(request)
    unchanged = _unchanged(request, name_of(head, origin).removesuffix(".zip"))
    if unchanged:
        return unchanged
    found = find(head, origin)
    if found is None:
        return _told(request, slug, _asked(request, head, origin))
    answer = _file(slug, found)
    answer["Cache-Control"], answer["ETag"] = BRIEFLY, f'"{found.name}"'
    return answer


def _file(slug: str, found: Kept) -> FileResponse:
    return FileResponse(
        found.file, as_attachment=True, filename=f"{slug}.zip", content_type="application/zip"
    )


@only_read
def archive_progress(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer how far the archive of an event is: a page that goes on to it, in any language, or JSON."""
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    origin = _origin_of(request)
    found = find(head, origin)
    if found is None:
        return _told(request, slug, _asked(request, head, origin))
    found.file.close()
    return _ready(request, slug)


def _ready(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to the archive: once by the page's script, by a link and by itself without one."""
    address = reverse("event-zip", args=[slug])
    is_htmx = bool(request.headers.get("HX-Request"))
    if is_htmx and request.headers.get("HX-Trigger") == "ready":
        answer = HttpResponse(headers={"HX-Redirect": address})
    elif is_htmx:
        answer = render(request, "standings/_archive_progress.html", {"slug": slug, "is_ready": True})
    elif _takes_html(request):
        answer = redirect(address)
    else:
        answer = JsonResponse({"status": "ready", "archive": request.build_absolute_uri(address)})
    answer["Cache-Control"] = "no-store"
    return answer


def _told(request: HttpRequest, slug: str, awaited: Awaited) -> HttpResponse:
    again, status = AGAIN[awaited.progress], 503 if awaited.progress in REFUSED else 202
    address = reverse("event-archive", args=[slug])
    answer: HttpResponse
    if not _takes_html(request):
        # What a program takes for the archive must not be a page.
        told = {"status": awaited.progress.value, "pages_made": awaited.made, "pages": awaited.pages}
        told |= {
            "ahead": awaited.ahead,
            "retry_after": again,
            "progress": request.build_absolute_uri(address),
        }
        answer = JsonResponse(told, status=status)
    elif request.headers.get("HX-Request"):
        # htmx swaps no answer of 503.
        answer = render(request, "standings/_archive_progress.html", _shown(slug, awaited))
    else:
        answer = render(request, "standings/archive_awaited.html", _shown(slug, awaited), status=status)
    answer["Retry-After"] = str(again)
    answer["Location"] = address
    answer["Cache-Control"] = "no-store"
    return answer


def _shown(slug: str, awaited: Awaited) -> dict[str, Any]:
    return {
        "slug": slug,
        "awaited": awaited,
        "again": AGAIN[awaited.progress],
        "is_on_its_way": awaited.progress not in REFUSED,
    }


def _asked(request: HttpRequest, head: Head, origin: Origin) -> Awaited:
    """Return how far the archive is; a GET has it made, a HEAD only looks."""
    awaited = look(head) if request.method == "HEAD" else ask(head, origin)
    # Once a minute, however many wait.
    if awaited.progress is Progress.STUCK and cache.add("no-worker-told", True, 60):
        logger.warning("An archive waits and no worker goes on with it. Does manage.py work run?")
    return awaited


def _origin_of(request: HttpRequest) -> Origin:
    return Origin(request.scheme or "http", request.get_host())


def _takes_html(request: HttpRequest) -> bool:
    """Say whether a browser asks: a program that takes anything is not sent a page for an archive."""
    return "text/html" in request.headers.get("Accept", "") or bool(request.headers.get("HX-Request"))


def _unchanged(request: HttpRequest, name: str) -> HttpResponseBase | None:
    """304 where the reader has that archive."""
    answer = get_conditional_response(request, etag=f'"{name}"')
    if answer is not None:
        answer["ETag"] = f'"{name}"'
    return answer

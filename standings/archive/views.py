"""The download of the archive of an event, and the page that shows its progress."""

import logging
from pathlib import Path
from typing import BinaryIO

from django.core.cache import cache
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response

from config.database.faults import UnavailableError
from standings.archive import store
from standings.archive.builder import Origin
from standings.caching.cached_pages import Head, head_of, read_only
from standings.caching.outage_copies import BRIEFLY, last_state, set_age_headers

logger = logging.getLogger(__name__)

AGAIN = {
    store.Progress.WAITING: 5,
    store.Progress.MAKING: 5,
    store.Progress.STUCK: 60,
    store.Progress.FAILED: 300,
    store.Progress.FULL: 120,
}
"""Seconds until a browser or program repeats the request."""

REFUSED = frozenset({store.Progress.FAILED, store.Progress.FULL})
"""The states without progress: 503 instead of 202."""


@read_only
def event_zip(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return the archive of an event; 202 with its progress while it is built, 503 if that is impossible.

    During an outage of the database, return the archive of the last known version.
    """
    try:
        return _archive(request, slug)
    except UnavailableError:
        last = last_state(slug)
        if last is None or not last.may_show(last.moment):
            raise
        found = store.find_archive(last.head, _origin_of(request))
        if found is None:
            raise
    answer = _file(slug, found)
    set_age_headers(answer, last.moment)
    return answer


def _archive(request: HttpRequest, slug: str) -> HttpResponseBase:
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    origin = _origin_of(request)
    etag = f'"{store.archive_name(head, origin).removesuffix(".zip")}"'
    if unchanged := get_conditional_response(request, etag=etag):
        unchanged["ETag"] = etag
        return unchanged
    found = store.find_archive(head, origin)
    if found is None:
        return _progress_response(request, slug, _requested_archive(request, head, origin))
    answer = _file(slug, found)
    answer["Cache-Control"], answer["ETag"] = BRIEFLY, f'"{Path(found.name).stem}"'
    return answer


def _file(slug: str, found: BinaryIO) -> FileResponse:
    return FileResponse(found, as_attachment=True, filename=f"{slug}.zip", content_type="application/zip")


@read_only
def archive_progress(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the progress of the archive: JSON, or a page in any language that redirects when it is ready."""
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    origin = _origin_of(request)
    found = store.find_archive(head, origin)
    if found is None:
        return _progress_response(request, slug, _requested_archive(request, head, origin))
    found.close()
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


def _progress_response(request: HttpRequest, slug: str, awaited: store.ArchiveProgress) -> HttpResponse:
    again, status = AGAIN[awaited.progress], 503 if awaited.progress in REFUSED else 202
    address = reverse("event-archive", args=[slug])
    answer: HttpResponse
    if not _takes_html(request):
        # A program must not save a page as the archive.
        told = {"status": awaited.progress.value, "pages_made": awaited.made, "pages": awaited.pages}
        told |= {
            "ahead": awaited.ahead,
            "retry_after": again,
            "progress": request.build_absolute_uri(address),
        }
        answer = JsonResponse(told, status=status)
    else:
        context = {"slug": slug, "awaited": awaited, "again": again, "is_on_its_way": status == 202}
        template = "standings/archive_awaited.html"
        if request.headers.get("HX-Request"):
            # htmx does not swap responses with status 503.
            template, status = "standings/_archive_progress.html", 200
        answer = render(request, template, context, status=status)
    answer["Retry-After"] = str(again)
    answer["Location"] = address
    answer["Cache-Control"] = "no-store"
    return answer


def _requested_archive(request: HttpRequest, head: Head, origin: Origin) -> store.ArchiveProgress:
    awaited = store.progress_of(head) if request.method == "HEAD" else store.request_archive(head, origin)
    # Once a minute, however many clients wait.
    if awaited.progress is store.Progress.STUCK and cache.add("no-worker-told", True, 60):
        logger.warning("An archive waits and no worker goes on with it. Does manage.py work run?")
    return awaited


def _origin_of(request: HttpRequest) -> Origin:
    return Origin(request.scheme or "http", request.get_host())


def _takes_html(request: HttpRequest) -> bool:
    """Return whether a browser sent the request. Programs that accept anything get no page."""
    return "text/html" in request.headers.get("Accept", "") or bool(request.headers.get("HX-Request"))

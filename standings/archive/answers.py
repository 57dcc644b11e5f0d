"""The archive of an event as a download."""

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response

from standings.archive.making import Origin
from standings.archive.store import name_of, obtain
from standings.serving.pages import head_of, only_read

AGAIN = 5
"""Seconds after which a browser asks again for an archive that is being made."""

CACHE_CONTROL = "public, max-age=0, s-maxage=60"


@only_read
def event_zip(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The archive of an event, or 503 while one is being made: who waits asks again and holds up nobody."""
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    origin = Origin(request.scheme or "http", request.get_host())
    unchanged = _unchanged(request, name_of(head, origin).removesuffix(".zip"))
    if unchanged:
        return unchanged
    found = obtain(head, origin)
    if found is None:
        return _awaited(request)
    answer = FileResponse(
        found.file, as_attachment=True, filename=f"{slug}.zip", content_type="application/zip"
    )
    answer["Cache-Control"], answer["ETag"] = CACHE_CONTROL, f'"{found.name}"'
    return answer


def _unchanged(request: HttpRequest, name: str) -> HttpResponseBase | None:
    """304 where the reader has that archive."""
    answer = get_conditional_response(request, etag=f'"{name}"')
    if answer is not None:
        answer["ETag"] = f'"{name}"'
    return answer


def _awaited(request: HttpRequest) -> HttpResponse:
    answer = render(request, "standings/archive_awaited.html", status=503)
    # Programs read the one, browsers obey the other without a script.
    answer["Retry-After"] = answer["Refresh"] = str(AGAIN)
    answer["Cache-Control"] = "no-store"
    return answer

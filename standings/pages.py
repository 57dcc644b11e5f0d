"""Whole public pages, kept under the revision of what they show, and answered by ETag (architecture § 3)."""

import hashlib
from collections.abc import Callable, Iterator
from functools import cache as once
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.core.cache import cache
from django.db.models import F
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponsePermanentRedirect,
)
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from standings.engine import ENGINE_VERSION
from tournaments.models import Event
from tournaments.revision import site_revision

CHOICES = ("sort", "dir", "after")
"""The query parameters that a public page knows; every other one is dropped, also from the key."""

CACHE_CONTROL = "public, max-age=0, s-maxage=1, stale-while-revalidate=1, stale-if-error=60"
HIDDEN = (Event.State.DRAFT,)
GONE = (Event.State.REMOVED,)

P = ParamSpec("P")
EventPage = Callable[Concatenate[HttpRequest, Event, P], HttpResponse]


def event_page(page: EventPage[P]) -> Callable[..., HttpResponse]:
    """A public page of one event, by slug: one query where it is kept, and none of it after a change.

    A draft is not found, a removed event is gone, a former slug leads to the present one. The event given to
    the page carries its `data_version`, which the page prints.
    """

    @require_safe
    @wraps(page)
    def answer(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        heads = Event.objects.filter(slug=slug).order_by()
        head = next(heads.values_list("pk", "revision__number", "state").iterator(), None)
        if head is None:
            return _moved(request, slug)
        pk, version, state = head
        if state in HIDDEN:
            raise Http404
        if state in GONE:
            return render(request, "410.html", status=410)

        def make() -> HttpResponse:
            event = (
                Event.objects.select_related("series").annotate(data_version=F("revision__number")).get(pk=pk)
            )
            return page(request, event, *args, **kwargs)

        return _kept(request, f"event-{pk}-{version}", make)

    return answer


def site_page(page: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A public page that shows events and series: kept under the site's revision."""

    @require_safe
    @wraps(page)
    def answer(request: HttpRequest) -> HttpResponse:
        own, events = site_revision()
        return _kept(request, f"site-{own}-{events}", lambda: page(request))

    return answer


def static_page(page: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """A public page that shows nothing recorded: kept for this build, without a query."""

    @wraps(page)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return _kept(request, "static", lambda: page(request, *args, **kwargs))

    return answer


def choices(request: HttpRequest) -> dict[str, str]:
    """The reader's choices that a page knows."""
    return {name: request.GET[name] for name in CHOICES if request.GET.get(name)}


def _moved(request: HttpRequest, slug: str) -> HttpResponse:
    event = Event.objects.filter(former_slugs__slug=slug).exclude(state__in=HIDDEN).first()
    if event is None:
        raise Http404
    return HttpResponsePermanentRedirect(request.get_full_path().replace(f"/{slug}/", f"/{event.slug}/", 1))


def _kept(request: HttpRequest, version: str, page: Callable[[], HttpResponse]) -> HttpResponse:
    """The page of that version: unchanged, kept, or made now."""
    shown = f"{request.get_host()}{request.path}?{sorted(choices(request).items())}"
    key = f"page-{version}-{build()}-{hashlib.blake2b(shown.encode(), digest_size=12).hexdigest()}"
    etag = f'"{key}"'
    unchanged = get_conditional_response(request, etag=etag)
    if isinstance(unchanged, HttpResponseNotModified):
        return _headed(unchanged, etag)
    body = None if settings.DEBUG else cache.get(key)
    if body is None:
        response = page()
        if response.status_code != 200:
            return response
        body = response.content
        cache.set(key, body)
    return _headed(HttpResponse(body), etag)


def _headed(response: HttpResponse, etag: str) -> HttpResponse:
    response["Cache-Control"] = CACHE_CONTROL
    if not settings.DEBUG:  # a template being worked on changes the page, and no revision tells
        response["ETag"] = etag
    return response


@once
def build() -> str:
    """A name for the code that makes the pages: another build never answers with this one's bytes."""
    digest = hashlib.blake2b(str(ENGINE_VERSION).encode(), digest_size=6)
    for path in sorted(_sources()):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    for folder, pattern in (
        ("standings", "*.py"),
        ("tournaments", "*.py"),
        ("templates", "*.html"),
        ("static", "*.css"),
    ):
        yield from (settings.BASE_DIR / folder).rglob(pattern)

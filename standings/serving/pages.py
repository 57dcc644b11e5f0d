"""Whole public pages, kept under the revision of what they show, and answered by ETag (architecture § 3)."""

import hashlib
import re
from collections.abc import Callable, Sequence
from copy import copy
from functools import wraps
from gzip import decompress
from time import time as clock
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from django.conf import settings
from django.db import connection
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    HttpResponsePermanentRedirect,
    QueryDict,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import register_converter
from django.urls.converters import IntConverter
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.safestring import SafeString
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from isal.igzip import compress

from config.database.faults import UnavailableError
from config.trace.metrics import count_page
from standings.build import build
from standings.serving.carrying import carry
from standings.serving.keeping import LEVEL, Bytes, Made, obtain
from standings.serving.outage import BRIEFLY, SITE, forget, last_answer, last_page, remember
from standings.serving.seldom import SPAN, has_room, is_seldom, is_usual_host
from standings.tables.sorting import KEY_PATTERN
from tournaments.epoch import ONLY_SITE
from tournaments.event.choices import DRAFT, PUBLIC
from tournaments.event.hiddensigns import written_out
from tournaments.models import Event
from tournaments.revision import REVISION, SITE_REVISION, present, site_revision
from tournaments.served import OF_SITE, vouched
from tournaments.times import in_zone

CHOICES = (
    *("sort", "dir", "after", "as", "notation", "cells", "ratings", "places", "layout", "running"),
    *("q", "discipline", "schedule", "entrants", "country", "year", "series", "place", "page"),
    *("show", "top", "part", "seconds", "title"),
)
"""The query parameters that public pages know; each drops those that it does not name by `knows`."""

ANY = r"(?s:.+)"
VALUES = {
    "sort": KEY_PATTERN,
    "dir": "asc|desc",
    "after": "[1-9][0-9]{0,2}|complete",
    "as": "computed",
    "ratings": "shown",
    "layout": "wide",
    "places": "shown",
    "running": "shown",
    "notation": "1-0|2-0",
    "page": "(?!1$)[1-9][0-9]{0,3}",  # the first one needs no number
    "cells": "12w1|W12|[+ ]12w",  # a bare + in an address is a space
    "show": r"(?!.*\b(\w+)\b.*\b\1\b)(?:(?:standings|pairings|names|results)(?:,|$))+(?<!,)",  # each once
    "top": "10|14|20|28|50|56|100|112|all",
    "part": "1of2|2of2|1of3|2of3|3of3|1of4|2of4|3of4|4of4",
    "seconds": "5|8|10|15|20|30|60",
    "limit": "[1-9]|[1-9][0-9]|1[0-9][0-9]|200",
}
"""The values that each parameter takes, where that is known beforehand."""

CACHE_CONTROL = f"{BRIEFLY}, stale-while-revalidate=1"

TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")

HEAD = f"""
    SELECT event.id AS pk, revision.number AS version, event.state AS state, site.number AS site,
        COALESCE(site.epoch, '') AS epoch
    FROM {Event._meta.db_table} event
    LEFT JOIN {REVISION} revision ON revision.event_id = event.id
    LEFT JOIN {SITE_REVISION} site ON site.id = {ONLY_SITE}
    WHERE event.slug = %s
"""  # noqa: S608 - our own names of tables
"""The columns are named as the fields of `Head`."""

ROWS = SafeString("<!--rows-->")
"""Stands in a template where `filled` puts the rows of a long table."""

P = ParamSpec("P")
Answer = TypeVar("Answer", bound=HttpResponseBase)
Shown = TypeVar("Shown")
MakeAsAsked = Callable[[HttpRequest], tuple[str, HttpResponse]]
EventPage = Callable[Concatenate[HttpRequest, Event, P], HttpResponse]


class Head(NamedTuple):
    """An event as one query tells of it before any page of it is made."""

    pk: int
    version: int
    state: str
    site: int | None
    epoch: str

    @property
    def name(self) -> str:
        """Return the name of its kept pages: the editions they link alter no revision but the site's own."""
        return f"event-{self.epoch}-{self.pk}-{self.site}"

    @property
    def stamp(self) -> str:
        """Return what an open page says that it shows."""
        return f"{self.epoch}-{self.version}"


class Preview(NamedTuple):
    """The mark of a request of the desk that sees an event as if it were public; `desk` is the way back."""

    event: int
    desk: str


class Archived(NamedTuple):
    """The mark of a request for a page of a static archive: nothing of it searches, sorts or asks.

    `event` is the event as it was read for the whole archive, None for a page of the site; `last_day` is the
    last one that its data tell of, in words; `alone`: the archive holds nothing of the site but this event.
    `canonical` is the whole address at which the page will stand, and `image` that of the picture which goes
    with links to the event; blank where that is not known.
    """

    event: Event | None = None
    last_day: str = ""
    alone: bool = False
    canonical: str = ""
    image: str = ""


class KeptPage(HttpResponse):
    """A page out of what is kept, or on its way there; it knows the version it shows."""

    version: str


class WholeNumber(IntConverter):
    """A number in an address, in one spelling: `/rounds/01/` would be another page of round 1.

    One of more than eighteen digits is no address: databases count no further than 2⁶³.
    """

    regex = "0|[1-9][0-9]{0,17}"


register_converter(WholeNumber, "whole")


def knows(*names: str) -> Callable[[Callable[P, Shown]], Callable[P, Shown]]:
    """Return a decorator of a page that knows these of `CHOICES`; all others are dropped from its key."""

    def mark(page: Callable[P, Shown]) -> Callable[P, Shown]:
        page.known_choices = names  # type: ignore[attr-defined]  # ours
        return page

    return mark


def known_choices(page: Any) -> Sequence[str]:
    """Return the choices that a page, or its view, knows."""
    known: Sequence[str] = getattr(page, "known_choices", ())
    return known


def only_shown(request: HttpRequest) -> None:
    """Mark the request as one whose page another address shows too, or as a search: it is kept nowhere."""
    request.is_only_shown = True  # type: ignore[attr-defined]  # ours


def only_read(answer: Callable[P, Answer]) -> Callable[P, Answer]:
    """Return a view that answers GET and HEAD; anything else is 405, also where no token comes with it."""
    return csrf_exempt(require_safe(answer))


def require_results(event: Event) -> None:
    """Raise Http404 if no results of the event are recorded, so that it has no pages of results."""
    if not event.knows_results:
        raise Http404


def event_page(page: EventPage[P]) -> Callable[..., HttpResponse]:
    """Return the view of a public page of one event, by slug: one query where it is kept.

    A draft is not found, a removed event is gone, a former slug leads to the present one. The event given to
    the page carries its `data_version`, which the page prints.
    """

    @only_read
    @wraps(page)
    def answer(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        archive: Archived | None = getattr(request, "archive", None)
        if archive and archive.event:
            with in_zone(archive.event.time_zone):
                return page(request, archive.event, *args, **kwargs)

        def fresh() -> HttpResponse:
            head = head_of(request, slug)
            if isinstance(head, HttpResponse):
                return head
            pk = head.pk

            def make(asked: HttpRequest) -> tuple[str, HttpResponse]:
                event = present(pk)
                with in_zone(event.time_zone):
                    made = page(asked, event, *args, **kwargs)
                return str(event.data_version), carry(made, event.slug, choices(asked))

            if hasattr(request, "preview"):
                return make(as_asked(request, request.path, known_choices(page)))[1]
            return as_kept(request, page, head.name, str(head.version), make)

        return _or_as_it_was(request, page, slug, fresh)

    return answer


def site_page(page: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """Return the view of a page that shows events and series: kept under the site's revision."""

    @only_read
    @wraps(page)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        def fresh() -> HttpResponse:
            moment = clock()
            stamp = site_revision()
            name, version = f"site-{stamp.epoch}", f"{stamp.number}-{stamp.total}"
            remember(SITE, name, version, moment)

            def make(asked: HttpRequest) -> tuple[str, HttpResponse]:
                return version, page(asked, *args, **kwargs)

            return as_kept(request, page, name, version, make)

        return _or_as_it_was(request, page, SITE, fresh)

    return answer


def static_page(page: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """Return the view of a page that shows nothing recorded: kept for this build, without a query."""

    @only_read
    @wraps(page)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        def make(asked: HttpRequest) -> tuple[str, HttpResponse]:
            return "", page(asked, *args, **kwargs)

        return as_kept(request, page, "static", "", make)

    return answer


def _head(slug: str) -> Head | None:
    # In SQL, because it is the first question of every request: putting it together anew costs twice what the
    # rest of a kept page does (0.75 ms against 0.34 ms with it).
    with connection.cursor() as cursor:
        cursor.execute(HEAD, [slug])
        row = cursor.fetchone()
        if row is None:
            return None
        head = Head(**dict(zip((column[0] for column in cursor.description), row, strict=True)))
    return head._replace(
        epoch=vouched(head.epoch, {OF_SITE: (head.site or 0,), head.pk: (head.version or 0,)})
    )


def head_of(request: HttpRequest, slug: str) -> Head | HttpResponse:
    """Return the event of that slug, or the answer where it has moved or was removed; one query."""
    moment = clock()  # before the question: what was committed later may not be in the answer
    head = _head(slug)
    if head is None:
        forget(slug)
        return _moved(request, slug)
    preview: Preview | None = getattr(request, "preview", None)
    if preview and preview.event == head.pk:
        return head
    if head.state in PUBLIC:
        remember(slug, head.name, str(head.version), moment, head)
        return head
    forget(slug, head.pk)
    status = 404 if head.state == DRAFT else 410
    gone = render(request, f"{status}.html", status=status)
    # In the place of what a proxy holds, which it would show while nobody answers it.
    gone["Cache-Control"] = BRIEFLY
    return gone


def rendered(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Render a public page: nothing of a session, of who is logged in, or of a message gets into it.

    A page of an archive stands at no address of ours and has no other language beside it.
    """
    if hasattr(request, "archive"):
        context = {**context, "canonical": "", "structured": ""}
    # A name must not turn the order of what stands beside it, in a title as little as in a table.
    return HttpResponse(written_out(render_to_string(template, {**context, "request": request})))


def filled(page: HttpResponse, rows: str) -> HttpResponse:
    """Return the page with these rows at ROWS: a template would copy them for every block around them."""
    page.content = page.content.replace(ROWS.encode(), written_out(rows).encode(), 1)
    return page


def as_asked(request: HttpRequest, path: str, known: Sequence[str] = CHOICES) -> HttpRequest:
    """Return the request as one for that path with the known choices only: all of them are in its key."""
    query = QueryDict(mutable=True)
    query.update(choices(request, known))
    asked = copy(request)
    asked.path = asked.path_info = path
    asked.GET = query  # type: ignore[assignment]  # the stubs want it closed
    asked.META = request.META | {"PATH_INFO": path, "QUERY_STRING": query.urlencode()}
    return asked


def choices(request: HttpRequest, known: Sequence[str] = CHOICES) -> dict[str, str]:
    """Return the reader's choices that a page knows, as far as they may mean something."""
    given = request.GET
    chosen = {name: given[name] for name in known if given.get(name)} if given else {}
    if "sort" not in chosen:
        chosen.pop("dir", None)
    return {name: value for name, value in chosen.items() if re.fullmatch(VALUES.get(name, ANY), value)}


def _moved(request: HttpRequest, slug: str) -> HttpResponse:
    event = Event.objects.filter(former_slugs__slug=slug).exclude(state=DRAFT).first()
    if event is None:
        raise Http404
    return HttpResponsePermanentRedirect(
        request.get_full_path().replace(f"/events/{slug}", f"/events/{event.slug}", 1)
    )


def as_kept(
    request: HttpRequest, page: Callable[..., HttpResponse], what: str, version: str, make: MakeAsAsked
) -> HttpResponse:
    """Return the page of that version: unchanged, kept, or made now; its last bytes while another is made."""
    known = known_choices(page)
    if settings.DEBUG or hasattr(request, "archive"):
        # A template being worked on changes the page, and no revision tells. An archive is kept as a whole.
        _, made = make(as_asked(request, request.path, known))
        return _headed(made) if made.status_code == 200 else made
    name = _name(request, page, what)
    unchanged = _unchanged(request, name, version)
    if unchanged:
        count_page("unchanged")
        return unchanged

    def make_for_keeping() -> Made:
        asked = as_asked(request, request.path, known)
        made_at, answer = make(asked)
        if hasattr(asked, "is_only_shown"):
            return Made(made_at, answer, 0)
        if choices(request, known) or is_seldom(page) or not is_usual_host(request):
            return Made(made_at, answer, SPAN if has_room() else 0)
        return Made(made_at, answer)

    found = obtain(name, version, make_for_keeping)
    if isinstance(found, HttpResponse):
        return found
    return _unchanged(request, name, found.version) or _answer(request, name, found)


def _name(request: HttpRequest, page: Callable[..., HttpResponse], what: str) -> str:
    """Return the name under which the page that is asked for is kept, whatever its version."""
    chosen = choices(request, known_choices(page))
    shown = f"{request.scheme}://{request.get_host()}{request.path}?{sorted(chosen.items())}"
    return f"{what}-{build()}-{hashlib.blake2b(shown.encode(), digest_size=12).hexdigest()}"


def _or_as_it_was(
    request: HttpRequest, page: Callable[..., HttpResponse], slug: str, fresh: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return the fresh answer; while the database is away the page as it was last known, if it is kept."""
    try:
        return fresh()
    except UnavailableError:
        # What the desk looks at beforehand, or an archive keeps for ever, is not made of what was.
        is_of_readers = not (hasattr(request, "preview") or hasattr(request, "archive"))
        answer = last_answer(slug) if is_of_readers else None
        last = answer and last_page(answer, _name(request, page, answer.name))
        if last is None:
            raise
    if _takes_gzip(request):
        last.content = compress(last.content, LEVEL, mtime=0)
        last["Content-Encoding"] = "gzip"
    return last


def _takes_gzip(request: HttpRequest) -> bool:
    return bool(TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")))


def _unchanged(request: HttpRequest, name: str, version: str) -> HttpResponse | None:
    """Return 304 where the reader has that version, in whichever coding."""
    answer = get_conditional_response(request, etag=_etag(name, version))
    return _headed(answer, _etag(name, version)) if isinstance(answer, HttpResponseNotModified) else None


def _answer(request: HttpRequest, name: str, found: Bytes) -> KeptPage:
    """Return the page as it is kept, or unpacked for one of the few who do not take gzip."""
    if _takes_gzip(request):
        page = KeptPage(found.body, headers={"Content-Encoding": "gzip"})
    else:
        page = KeptPage(decompress(found.body))
    page.version = found.version
    _headed(page, _etag(name, found.version))
    return page


def _etag(name: str, version: str) -> str:
    """Weak, because the page is the same in every coding."""
    return f'W/"{name}-{version}"'


def _headed(response: HttpResponse, etag: str = "") -> HttpResponse:
    patch_vary_headers(response, ["Accept-Encoding"])
    response["Cache-Control"] = CACHE_CONTROL
    if etag:
        response["ETag"] = etag
    return response

"""Whole public pages, cached by the revision of their data and served with ETags (architecture § 3)."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import lru_cache, partial, wraps
from gzip import decompress
from html import escape, unescape
from time import time as clock
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
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

from config.database.faults import DatabaseAwayError, UnavailableError
from config.database.replica import on_replica_if_current, read_connection
from config.trace.metrics import count_page
from standings.build import build
from standings.caching.outage_copies import BRIEFLY, SITE, forget, last_page, last_state, remember
from standings.caching.page_cache import (
    LEVEL,
    SPAN,
    Bytes,
    CachedResponse,
    get_or_make,
    has_room,
    is_usual_host,
)
from standings.tables.sorting import KEY_PATTERN
from standings.tables.switches import CARRIED, DETAILS_PATTERN
from tournaments.event.choices import DRAFT, PUBLIC
from tournaments.event.dates import in_zone
from tournaments.event.hiddensigns import MAY_REORDER, written_out
from tournaments.models import Event
from tournaments.operations.epoch import ONLY_SITE
from tournaments.operations.restore_guard import OF_SITE, checked_epoch
from tournaments.operations.revision import (
    REVISION,
    SITE_REVISION,
    PeopleStamp,
    people_stamp,
    present,
    site_revision,
)

CHOICES = (
    *("sort", "dir", "after", "as", "notation", "cells", "ratings", "places", "layout", "columns"),
    *("running", "why", "federation", "club", "city", "category", "sex"),
    *("q", "discipline", "schedule", "entrants", "country", "year", "series", "place", "page"),
    *("show", "top", "part", "seconds", "title", "letter", "colour", "result", "picture", "events"),
)
"""The query parameters of public pages. A page ignores those that it does not list in `uses_parameters`."""

ANY = r"(?s:.+)"
VALUES = {
    "sort": KEY_PATTERN,
    "dir": "asc|desc",
    "after": "[1-9][0-9]{0,2}|complete",
    "as": "computed",
    "ratings": "shown",
    "layout": "wide",
    "columns": DETAILS_PATTERN,
    "sex": "m|w",
    "places": "shown",
    "running": "shown",
    "why": "long|hidden",
    "notation": "1-0|2-0",
    "page": "(?!1$)[1-9][0-9]{0,3}",  # the first page has no number
    "cells": "12w1|W12|[+ ]12w",  # an unescaped + in a URL is a space
    "show": r"(?!.*\b(\w+)\b.*\b\1\b)(?:(?:standings|pairings|names|results)(?:,|$))+(?<!,)",  # no repetition
    "top": "10|14|20|28|50|56|100|112|all",
    "part": "1of2|2of2|1of3|2of3|3of3|1of4|2of4|3of4|4of4",
    "seconds": "5|8|10|15|20|30|60",
    "picture": r"[a-z_]+\.(png|svg)",
    "events": r"[\w-]{1,99}(,[\w-]{1,99}){0,29}",
    "limit": "[1-9]|[1-9][0-9]|1[0-9][0-9]|200",
}
"""The allowed values of parameters with a fixed set or format."""

DRAWN = ("after", "as", "running", "notation", "page", "picture")
"""The parameters of a page that change its charts. A picture ignores the others."""

PICTURE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}

CACHE_CONTROL = f"{BRIEFLY}, stale-while-revalidate=1"

HEAD = f"""
    SELECT event.id AS pk, revision.number AS version, event.state AS state, site.number AS site,
        COALESCE(site.epoch, '') AS epoch
    FROM {Event._meta.db_table} event
    LEFT JOIN {REVISION} revision ON revision.event_id = event.id
    LEFT JOIN {SITE_REVISION} site ON site.id = {ONLY_SITE}
    WHERE event.slug = %s
"""  # noqa: S608 - our own names of tables
"""The columns are the fields of `Head`."""

ROWS = SafeString("<!--rows-->")
"""The placeholder that `insert_rows` replaces by the rows of a long table."""

P = ParamSpec("P")
Answer = TypeVar("Answer", bound=HttpResponseBase)
PageT = TypeVar("PageT")
MakePage = Callable[[HttpRequest], tuple[str, HttpResponse]]
View = Callable[..., HttpResponse]
StampOf = Callable[[int], PeopleStamp | None]
"""Returns the state on which the pages of the person or team with that key depend, None if unknown."""
EventPage = Callable[Concatenate[HttpRequest, Event, P], HttpResponse]


class Head(NamedTuple):
    """The state of an event, read with one query before any of its pages."""

    pk: int
    version: int
    state: str
    site: int | None
    epoch: str

    @property
    def name(self) -> str:
        """Return the cache name of its pages; links to other editions change only the site revision."""
        return f"event-{self.epoch}-{self.pk}-{self.site}"

    @property
    def stamp(self) -> str:
        return f"{self.epoch}-{self.version}"


class Preview(NamedTuple):
    """Marks a request of the desk that previews an event as public. `desk`: the URL to return to."""

    event: int
    desk: str


class Archived(NamedTuple):
    """Marks a request for a page of a static archive, which has no search, sorting or forms.

    `event`: the event of the archive, None on pages of the site. `last_day`: the last day in its data, as
    text. `alone`: the archive contains only this event. `canonical`: the full URL of the published page.
    `image`: the URL of its preview picture. Blank if unknown.
    """

    event: Event | None = None
    last_day: str = ""
    alone: bool = False
    canonical: str = ""
    image: str = ""


class CachedPage(HttpResponse):
    """A page from the cache, or about to be cached, with its version."""

    version: str


class WholeNumber(IntConverter):
    """Matches a number without leading zeros, so that each page has a single URL.

    At most 18 digits, as integers of databases end at 2⁶³.
    """

    regex = "0|[1-9][0-9]{0,17}"


register_converter(WholeNumber, "whole")


def uses_parameters(*names: str) -> Callable[[Callable[P, PageT]], Callable[P, PageT]]:
    """Return a decorator that lists the parameters in `CHOICES` that the page uses. It ignores the others."""

    def mark(page: Callable[P, PageT]) -> Callable[P, PageT]:
        page.query_parameters = names  # type: ignore[attr-defined]  # ours
        return page

    return mark


def parameters_of(page: Any) -> Sequence[str]:
    known: Sequence[str] = getattr(page, "query_parameters", ())
    return known


def mark_uncacheable(request: HttpRequest) -> None:
    """Mark the request as not cacheable: a search, or a page with another canonical URL."""
    request.is_uncacheable = True  # type: ignore[attr-defined]  # ours


def read_only(answer: Callable[P, Answer]) -> Callable[P, Answer]:
    """Return a view that allows only GET and HEAD, else 405, even without a CSRF token."""
    return csrf_exempt(require_safe(answer))


def with_content_type(content_type: str) -> Callable[[Callable[P, HttpResponse]], Callable[P, HttpResponse]]:
    """Return a decorator for cached pages of this type, since only bodies are cached; a 304 has no type."""

    def decorate(page: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
        @wraps(page)
        def answer(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            response = page(*args, **kwargs)
            if response.status_code == 200:
                response["Content-Type"] = content_type
            return response

        return answer

    return decorate


def require_results(event: Event) -> None:
    if not event.knows_results:
        raise Http404


def event_page(page: EventPage[P]) -> Callable[..., HttpResponse]:
    """Return the view of a page of an event: an `event_view` that also uses the parameters in `CARRIED`."""
    return event_view(uses_parameters(*parameters_of(page), *CARRIED)(page))


def event_view(page: EventPage[P]) -> Callable[..., HttpResponse]:
    """Return the view of a public page or file of an event by slug: one query if it is cached.

    Drafts are 404, removed events 410, former slugs redirect. The event has its `data_version`.
    """

    @read_only
    @wraps(page)
    def answer(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        archive: Archived | None = getattr(request, "archive", None)
        if archive and archive.event:
            with in_zone(archive.event.time_zone):
                return page(request, archive.event, *args, **kwargs)

        def fresh() -> HttpResponse:
            head = getattr(request, "head", None) or head_of(request, slug)  # a poll has read it
            if isinstance(head, HttpResponse):
                return head
            pk = head.pk

            def make(asked: HttpRequest) -> tuple[str, HttpResponse]:
                event = present(pk)
                with in_zone(event.time_zone):
                    made = page(asked, event, *args, **kwargs)
                return str(event.data_version), propagate_query(made, event.slug, choices(asked))

            if hasattr(request, "preview"):
                return make(canonical_request(request, request.path, parameters_of(page)))[1]
            return cached_response(request, page, head.name, str(head.version), make, partial(_head, slug))

        response = _fresh_or_last_known(request, page, slug, fresh)
        picture = choices(request, parameters_of(page)).get("picture", "")
        if response.status_code == 200 and (
            kind := PICTURE_TYPES.get(str(kwargs.get("ending", picture[-3:])))
        ):
            response["Content-Type"] = kind
            response["Cross-Origin-Resource-Policy"] = "cross-origin"
            if picture:
                name = "-".join([slug, *map(str, kwargs.values()), picture])
                response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    return answer


def site_page(page: Callable[Concatenate[HttpRequest, P], HttpResponse]) -> Callable[..., HttpResponse]:
    @read_only
    @wraps(page)
    def answer(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        def fresh() -> HttpResponse:
            moment = clock()
            stamp = site_revision()
            name, version = f"site-{stamp.epoch}", f"{stamp.number}-{stamp.total}"
            remember(SITE, name, version, moment)

            def make(asked: HttpRequest) -> tuple[str, HttpResponse]:
                return version, page(asked, *args, **kwargs)

            return cached_response(request, page, name, version, make, site_revision)

        return _fresh_or_last_known(request, page, SITE, fresh)

    return answer


def versioned_page(page: View, state_of: Callable[..., tuple[str, str]]) -> View:
    """Return the view of a page; `state_of` returns its cache name and version from its URL arguments."""

    @read_only
    @wraps(page)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        state = partial(state_of, **kwargs)
        name, version = state()
        return cached_response(
            request, page, name, version, lambda asked: (version, page(asked, **kwargs)), state
        )

    return answer


def static_page(page: View) -> View:
    """Return the view of a page without data, cached until the next build, without a query."""
    return versioned_page(page, lambda **_: ("static", ""))


def people_page(what: str, stamp_of: StampOf, *keys: str) -> Callable[[View], View]:
    """Return a decorator for pages of persons or teams (ADR 0040). `what`: the URL arguments with their keys.

    One query per person or team if the page is cached. 404 if one is unknown. 503 while the database is
    unavailable, because a person may have been hidden since.
    """

    def state_of(**kwargs: Any) -> tuple[str, str]:
        asked_for = [kwargs[key] for key in keys]
        stamps = [stamp_of(key) for key in asked_for]
        known = [stamp for stamp in stamps if stamp is not None]
        if len(known) < len(keys):
            raise Http404
        name = "-".join([what, known[0].epoch, *map(str, asked_for)])
        return name, "-".join(stamp.version for stamp in known)

    return lambda page: versioned_page(page, state_of)


def temporary_redirect(address: str) -> HttpResponse:
    """Return a temporary redirect: names change, merges are undone, persons are hidden."""
    answer = HttpResponseRedirect(address)
    answer["Cache-Control"] = BRIEFLY
    return answer


def people_list(page: View) -> View:
    def state_of(**_: Any) -> tuple[str, str]:
        stamp = people_stamp()
        return f"people-{stamp.epoch}", stamp.version

    return versioned_page(page, state_of)


def _head(slug: str) -> Head | None:
    # Raw SQL, because every request runs this query first. Building it with the ORM takes 0.75 ms, twice as
    # long as the rest of a cached page (0.34 ms with SQL).
    with read_connection().cursor() as cursor:
        cursor.execute(HEAD, [slug])
        row = cursor.fetchone()
    if row is None:
        return None
    pk, version, state, site, epoch = row
    return Head(pk, version, state, site, checked_epoch(epoch, {OF_SITE: (site or 0,), pk: (version or 0,)}))


def head_of(request: HttpRequest, slug: str) -> Head | HttpResponse:
    """Return the state of the event, or the response if it was moved or removed; one query."""
    moment = clock()  # before the query: later commits may be missing in the result
    head = _head(slug)
    if head is None:
        forget(slug)
        event = Event.objects.filter(former_slugs__slug=slug).exclude(state=DRAFT).first()
        if event is None:
            raise Http404
        return HttpResponsePermanentRedirect(
            request.get_full_path().replace(f"/events/{slug}", f"/events/{event.slug}", 1)
        )
    preview: Preview | None = getattr(request, "preview", None)
    if preview and preview.event == head.pk:
        return head
    if head.state in PUBLIC:
        remember(slug, head.name, str(head.version), moment, head)
        return head
    forget(slug, head.pk)
    status = 404 if head.state == DRAFT else 410
    gone = render(request, f"{status}.html", status=status)
    # Replaces the copy of the proxy, which it could serve in an outage.
    gone["Cache-Control"] = BRIEFLY
    return gone


class TemplateRequest:
    """A request whose missing attributes are None in templates. Django takes 20 µs to find one missing."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    def __getattr__(self, name: str) -> Any:
        return getattr(self._request, name)

    def __getitem__(self, name: str) -> Any:
        return getattr(self._request, name, None)


def rendered(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Render a public page, independent of session, user and messages.

    Pages of an archive have no canonical URL and no other languages.
    """
    canonical = request.build_absolute_uri(request.path)
    context = {"request": TemplateRequest(request), "canonical": canonical, **context}
    if hasattr(request, "archive"):
        context |= {"canonical": "", "structured": ""}
    return HttpResponse(_encoded(render_to_string(template, context)))


def insert_rows(page: HttpResponse, rows: str) -> HttpResponse:
    """Return the page with the rows in place of ROWS. Template blocks would copy them several times."""
    page.content = page.content.replace(ROWS.encode(), _encoded(rows), 1)
    return page


def _encoded(text: str) -> bytes:
    # Names in other writing directions must not affect the text next to them, also in titles.
    content = text.encode()  # is searched in a third of the time
    return written_out(text).encode() if any(each.search(content) for each in MAY_REORDER) else content


def canonical_request(request: HttpRequest, path: str, known: Sequence[str] = CHOICES) -> HttpRequest:
    """Return a copy of the request for that path, limited to the known parameters, which are in the key."""
    query = QueryDict(mutable=True)
    query.update(choices(request, known))
    asked = copy(request)
    asked.path = asked.path_info = path
    asked.GET = query  # type: ignore[assignment]  # the stubs want it closed
    asked.META = request.META | {"PATH_INFO": path, "QUERY_STRING": query.urlencode()}
    asked.META.pop("HTTP_IF_NONE_MATCH", None)  # a 304 has no content to cache, or for htmx
    return asked


def choices(request: HttpRequest, known: Sequence[str] = CHOICES) -> dict[str, str]:
    """Return the known parameters of the request with valid values."""
    if not request.META.get("QUERY_STRING"):
        return {}  # reading GET takes as long as the look-up in the cache
    given = request.GET
    chosen = {name: given[name] for name in known if given.get(name)}
    if "sort" not in chosen:
        chosen.pop("dir", None)
    valid = {name: value for name, value in chosen.items() if re.fullmatch(VALUES.get(name, ANY), value)}
    return {name: valid[name] for name in DRAWN if name in valid} if "picture" in valid else valid


def cached_response(
    request: HttpRequest, page: View, what: str, version: str, make: MakePage, state: Callable[[], object]
) -> HttpResponse:
    """Return the page at that version: 304, cached or new. May return the last version instead.

    A new page is read from a replica if `state`, which reads what the page depends on, is equal there.
    """
    known = parameters_of(page)
    if settings.DEBUG or hasattr(request, "archive"):
        # In development, templates change without a new revision. Archives are not cached per page.
        _, made = make(canonical_request(request, request.path, known))
        return _add_headers(made) if made.status_code == 200 else made
    name = _cache_name(request, page, what)
    unchanged = _unchanged(request, name, version)
    if unchanged:
        count_page("unchanged")
        return unchanged

    def make_cacheable() -> CachedResponse:
        asked = canonical_request(request, request.path, known)
        made_at, answer = on_replica_if_current(state, lambda: make(asked))
        if hasattr(asked, "is_uncacheable"):
            return CachedResponse(made_at, answer, 0)
        # Each reader of a long table requests the page with all rows too.
        has_choices = choices(request, known) not in ({}, {"top": "all"})
        if has_choices or hasattr(page, "is_seldom") or not is_usual_host(request):
            return CachedResponse(made_at, answer, SPAN if has_room() else 0)
        return CachedResponse(made_at, answer)

    found = get_or_make(name, version, make_cacheable, accepted_coding(request) or "gzip")
    if isinstance(found, HttpResponse):
        return found
    return _unchanged(request, name, found.version) or _cached_response(request, name, found)


def _cache_name(request: HttpRequest, page: Callable[..., HttpResponse], what: str) -> str:
    chosen = choices(request, parameters_of(page))
    shown = f"{request.scheme}://{request.get_host()}{request.path}?{sorted(chosen.items())}"
    return f"{what}-{build()}-{hashlib.blake2b(shown.encode(), digest_size=12).hexdigest()}"


def _fresh_or_last_known(
    request: HttpRequest, page: Callable[..., HttpResponse], slug: str, fresh: Callable[[], HttpResponse]
) -> HttpResponse:
    """Return the response, or the last known page if the database is unavailable."""
    try:
        return fresh()
    except UnavailableError as error:
        # Previews and archives must not be built from outdated pages.
        is_of_readers = not (hasattr(request, "preview") or hasattr(request, "archive"))
        # The proxy asks another server first (deploy/nginx.conf), which could not help a busy database.
        is_left = isinstance(error, DatabaseAwayError) and request.headers.get("X-Last-Page") == "no"
        answer = last_state(slug) if is_of_readers and not is_left else None
        last = answer and last_page(answer, _cache_name(request, page, answer.name))
        if last is None:
            raise
    if accepted_coding(request, "gzip"):
        last.content = compress(last.content, LEVEL, mtime=0)
        last["Content-Encoding"] = "gzip"
    return last


def accepted_coding(request: HttpRequest, *offered: str) -> str:
    """Return the coding that the client prefers among `offered` (Brotli and gzip), blank for none."""
    return _preferred(request.META.get("HTTP_ACCEPT_ENCODING", ""), offered or ("br", "gzip"))


@lru_cache(maxsize=64)
def _preferred(accepted: str, offered: Sequence[str]) -> str:
    weights = {}
    for part in accepted.lower().split(","):
        coding, _, weight = "".join(part.split()).partition(";q=")
        # Weights from 0 to 1 are in order as texts too, if the zeros at the end are removed.
        weights[coding] = (weight or "1").rstrip("0.")
    weighed = [weights.get(coding, weights.get("*", "")) for coding in offered]
    return offered[weighed.index(max(weighed))] if any(weighed) else ""


def _unchanged(request: HttpRequest, name: str, version: str) -> HttpResponse | None:
    if "HTTP_IF_NONE_MATCH" not in request.META:
        return None
    answer = get_conditional_response(request, etag=_etag(name, version))
    return _add_headers(answer, _etag(name, version)) if isinstance(answer, HttpResponseNotModified) else None


def _cached_response(request: HttpRequest, name: str, found: Bytes) -> CachedPage:
    if accepted_coding(request, found.coding):
        page = CachedPage(found.body, headers={"Content-Encoding": found.coding})
    else:
        page = CachedPage(decompress(found.body))
    page.version = found.version
    _add_headers(page, _etag(name, found.version))
    return page


def _etag(name: str, version: str) -> str:
    return f'W/"{name}-{version}"'


def _add_headers(response: HttpResponse, etag: str = "") -> HttpResponse:
    patch_vary_headers(response, ["Accept-Encoding"])
    response["Cache-Control"] = CACHE_CONTROL
    if etag:
        response["ETag"] = etag
    return response


def propagate_query(answer: HttpResponse, slug: str, chosen: Mapping[str, str]) -> HttpResponse:
    """Return the page with the user's choices in its links to pages of the event with that slug.

    This happens once, on the rendered page, so that templates and cells need not add query strings.
    Parameters of a link take precedence. Links to files, which have an extension, are not changed.
    """
    carried = {name: chosen[name] for name in CARRIED if name in chosen}
    if not carried or not answer.get("Content-Type", "").startswith("text/html"):
        return answer

    def with_choices(link: re.Match[str]) -> str:
        own = dict(parse_qsl(unescape(link["query"] or "")))
        known = DRAWN if "picture" in own else CARRIED
        query = urlencode({name: carried[name] for name in carried if name in known} | own)
        return f'href="{link["page"]}?{escape(query)}{link["place"] or ""}"'

    languages = "|".join(f"{code}/" for code, _ in settings.LANGUAGES)
    page = rf'/(?:{languages})?events/{re.escape(slug)}/[^"?#.]*|(?:\.\./)+[^"?#.:]*'
    pattern = rf'href="(?P<page>{page})(?:\?(?P<query>[^"#]*))?(?P<place>#[^"]*)?"'
    answer.content = re.sub(pattern, with_choices, answer.content.decode()).encode()
    return answer

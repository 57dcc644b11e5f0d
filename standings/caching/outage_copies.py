"""Serve the last known pages while the database is unavailable.

Keys and versions of cached pages come from the database. The last ones are remembered, and used for an hour;
the page states its age (ADR 0036).
"""

from datetime import UTC, datetime
from time import time as clock
from typing import Any, NamedTuple

from django.core.cache import cache
from django.http import HttpResponse, HttpResponseBase
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from config.trace.metrics import count_page
from standings.build import build
from standings.caching.page_cache import stale_page
from tournaments.operations.takedowns import LONGEST_OUTAGE, withdraw, withdrawn_at

BRIEFLY = "public, max-age=0, s-maxage=1"
"""Cache-Control of responses other than current pages: the proxy caches them for a second.

A response may contain a name that will be hidden, so none is cached longer (ADR 0036).
"""

NOTICE = b'<p class="as-of" id="as-of" role="status">'
"""The start of the element for the notice, empty in templates, once on each public page."""

SITE = ""
"""The key of the site, used like the slug of an event. No slug is blank."""

PACE = 60
"""Seconds until the same state is written to the shared cache again."""


class LastState(NamedTuple):
    """The last known state of an event or the site.

    `name` and `version`: of its cached pages. `head`: of the event, None for the site. `moment`: when the
    database was queried; `shared`: when the cache was updated (Unix times).
    """

    name: str
    version: str
    head: Any
    moment: float
    shared: float

    @property
    def event(self) -> int | None:
        return self.head and int(self.head.pk)

    def may_show(self, moment: float) -> bool:
        """Return whether a page of that moment may be shown without querying the database."""
        return withdrawn_at(self.event) < moment and 0 <= clock() - moment < LONGEST_OUTAGE


class LastPage(HttpResponse):
    """A cached page with the notice about its age."""


_LAST: dict[str, LastState] = {}
"""By slug or SITE, in the memory of each process. At most one per event."""

_HIDDEN: set[int] = set()
"""The hidden events that this process has already withdrawn."""


def remember(slug: str, name: str, version: str, moment: float, head: Any = None) -> None:
    before = _LAST.get(slug)
    is_shared = before is not None and before[:3] == (name, version, head) and moment - before.shared < PACE
    shared = before.shared if before and is_shared else moment
    answer = _LAST[slug] = LastState(name, version, head, moment, shared)
    if head and head.pk in _HIDDEN:
        _HIDDEN.discard(head.pk)
    if not is_shared:
        cache.set(_key(slug), answer, LONGEST_OUTAGE)


def forget(slug: str, event: int | None = None) -> None:
    """Withdraw the event at that slug: the event with that key, or the last known."""
    last = _LAST.pop(slug, None)
    hidden = event or (last and last.event)
    if hidden and hidden not in _HIDDEN:
        _HIDDEN.add(hidden)
        cache.delete(_key(slug))
        withdraw(hidden)


def last_state(slug: str) -> LastState | None:
    found = (_LAST.get(slug), cache.get(_key(slug)))
    return max(filter(None, found), key=lambda answer: answer.moment, default=None)


def last_page(answer: LastState, name: str) -> LastPage | None:
    """Return the cached page with the notice about its age.

    None if it is not cached or must not be shown. Responses other than HTML state their age only in headers.
    """
    found = stale_page(name, answer.version, answer.moment)
    if found is None or not answer.may_show(found.moment):
        return None
    words = render_to_string("standings/as_of.html", {"moment": datetime.fromtimestamp(found.moment, UTC)})
    content = found.content.replace(NOTICE, NOTICE + words.encode(), 1)
    page = LastPage(content)
    patch_vary_headers(page, ["Accept-Encoding"])
    set_age_headers(page, found.moment)
    count_page("last")
    return page


def set_age_headers(answer: HttpResponseBase, moment: float) -> None:
    """Set the headers of an outdated response.

    It has no ETag, so that it never matches the current page.
    """
    answer["Cache-Control"] = BRIEFLY
    answer["Age"] = str(int(clock() - moment))
    answer["Warning"] = '111 - "Revalidation Failed"'


def _key(slug: str) -> str:
    return f"last-answer-{build()}-{slug}"

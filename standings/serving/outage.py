"""While the database is away: what it last said of each event and of the site, and pages as they were then.

Kept pages have names and versions that only the database tells; so what it told last is remembered, and shown
for an hour under a line that says when that was (ADR 0036).
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
from standings.serving.keeping import last_known
from tournaments.withdrawals import LONGEST_OUTAGE, withdraw, withdrawn_at

BRIEFLY = "public, max-age=0, s-maxage=1"
"""How long an answer is kept that is no page of now: a second, by the proxy.

Any answer may hold a name that is to be shown no more, so none is kept longer (ADR 0036).
"""

LINE = b'<p class="as-of" id="as-of" role="status">'
"""Begins the line, which templates leave empty; once on every page of readers."""

SITE = ""
"""Stands for the site where others stand for an event: no slug is blank."""

PACE = 60
"""Seconds after which the processes that share the cache are told the same again."""


class LastAnswer(NamedTuple):
    """What the database last said of an event, or of the site.

    `name` and `version` are those of its kept pages, and `head` is the event's; None for the site. `moment`
    is when the database was asked, in seconds since 1970, and `shared` when the cache was told.
    """

    name: str
    version: str
    head: Any
    moment: float
    shared: float

    @property
    def event(self) -> int | None:
        """Return the key of the event."""
        return self.head and int(self.head.pk)

    def may_show(self, moment: float) -> bool:
        """Say whether what was right at that moment may be shown without asking the database."""
        return withdrawn_at(self.event) < moment and 0 <= clock() - moment < LONGEST_OUTAGE


class LastPage(HttpResponse):
    """A page as it was when the database was last asked, with the line that says so."""


_LAST: dict[str, LastAnswer] = {}
"""By slug, in the memory of each process; SITE too. As many as there are events."""

_HIDDEN: set[int] = set()
"""The events that this process knows to be hidden from readers, so that it marks each once."""


def remember(slug: str, name: str, version: str, moment: float, head: Any = None) -> None:
    """Note what the database said of an event or the site when it was asked at that moment."""
    before = _LAST.get(slug)
    is_shared = before is not None and before[:3] == (name, version, head) and moment - before.shared < PACE
    shared = before.shared if before and is_shared else moment
    answer = _LAST[slug] = LastAnswer(name, version, head, moment, shared)
    if head and head.pk in _HIDDEN:
        _HIDDEN.discard(head.pk)
    if not is_shared:
        cache.set(_key(slug), answer, LONGEST_OUTAGE)


def forget(slug: str, event: int | None = None) -> None:
    """Note that readers see no event at that address, the one with that key or the one that was there."""
    last = _LAST.pop(slug, None)
    hidden = event or (last and last.event)
    if hidden and hidden not in _HIDDEN:
        _HIDDEN.add(hidden)
        cache.delete(_key(slug))
        withdraw(hidden)


def last_answer(slug: str) -> LastAnswer | None:
    """Return what the database last said, to this process or to one that shares the cache."""
    found = (_LAST.get(slug), cache.get(_key(slug)))
    return max(filter(None, found), key=lambda answer: answer.moment, default=None)


def last_page(answer: LastAnswer, name: str) -> LastPage | None:
    """Return the page of that name as it was last known, with the line that says when that was.

    None where it is not kept, or not to be shown. What is no page, such as a CSV, says it in headers alone.
    """
    found = last_known(name, answer.version, answer.moment)
    if found is None or not answer.may_show(found.moment):
        return None
    words = render_to_string("standings/as_of.html", {"moment": datetime.fromtimestamp(found.moment, UTC)})
    content = found.content.replace(LINE, LINE + words.encode(), 1)
    page = LastPage(content)
    patch_vary_headers(page, ["Accept-Encoding"])
    tell_age(page, found.moment)
    count_page("last")
    return page


def tell_age(answer: HttpResponseBase, moment: float) -> None:
    """Say in the headers of an answer that it is as old as that moment, and could not be asked for anew.

    It has no ETag, so the page of now is never taken for it, nor it for that one.
    """
    answer["Cache-Control"] = BRIEFLY
    answer["Age"] = str(int(clock() - moment))
    answer["Warning"] = '111 - "Revalidation Failed"'


def forget_all() -> None:
    """Start from nothing, as a new process does."""
    _LAST.clear()
    _HIDDEN.clear()


def _key(slug: str) -> str:
    return f"last-answer-{build()}-{slug}"

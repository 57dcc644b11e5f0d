"""Limit how many variants of unbounded URLs the cache contains.

Parameters, pairs of two thousand competitors and wildcard hosts give an unlimited number of URLs. A crawler
would fill the cache, which has room for some thousands of pages.
"""

from collections.abc import Callable
from time import time
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

MOST = 500
"""The pages that are cached within `SPAN`. Others are rendered for each request."""

SPAN = 300
"""The lifetime of such a page in seconds."""


P = ParamSpec("P")
Shown = TypeVar("Shown")


def bounded_cache(page: Callable[P, Shown]) -> Callable[P, Shown]:
    """Mark a page that has too many URLs to cache all of them."""
    page.is_seldom = True  # type: ignore[attr-defined]  # ours
    return page


def has_room() -> bool:
    name = f"seldom-{int(time() // SPAN)}"
    cache.add(name, 0, 2 * SPAN)
    try:
        return cache.incr(name) <= MOST
    except ValueError:  # evicted between the two calls
        return False


def is_usual_host(request: HttpRequest) -> bool:
    """Return whether the host is listed in `ALLOWED_HOSTS` and has the port of the server."""
    host, _, port = request.get_host().rpartition(":")
    if not port.isdecimal():  # no port: it is the host, or the end of an IPv6 address
        return request.get_host() in settings.ALLOWED_HOSTS
    return host in settings.ALLOWED_HOSTS and port == request.get_port()

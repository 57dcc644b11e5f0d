"""Pages that anybody can ask for in any number: few of them are kept, so that they displace no others.

A reader's choices, two competitors out of two thousand, a host that only a wildcard allows: each is an
address of its own, and who asks for them one by one would fill a cache that holds some thousands of pages.
"""

from collections.abc import Callable
from time import time
from typing import ParamSpec, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

MOST = 500
"""So many of them are kept in `SPAN`; any further one is made for each who asks for it."""

SPAN = 300
"""Seconds; such a page is kept for as long."""


P = ParamSpec("P")
Shown = TypeVar("Shown")


def seldom(page: Callable[P, Shown]) -> Callable[P, Shown]:
    """Return the page marked: there are too many addresses of it for all to be kept."""
    page.is_seldom = True  # type: ignore[attr-defined]  # ours
    return page


def is_seldom(page: object) -> bool:
    """Say whether the page, or its view, is marked so."""
    return hasattr(page, "is_seldom")


def has_room() -> bool:
    """Count one more of these pages, and say whether it may be kept."""
    name = f"seldom-{int(time() // SPAN)}"
    cache.add(name, 0, 2 * SPAN)
    try:
        return cache.incr(name) <= MOST
    except ValueError:  # displaced between the two
        return False


def is_usual_host(request: HttpRequest) -> bool:
    """Say whether the host is one of `ALLOWED_HOSTS` as it stands there, at the port that answers."""
    host, _, port = request.get_host().rpartition(":")
    if not port.isdecimal():  # there was none: it is the host, or the end of an address of IPv6
        return request.get_host() in settings.ALLOWED_HOSTS
    return host in settings.ALLOWED_HOSTS and port == request.get_port()

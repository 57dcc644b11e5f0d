"""Who tries to log in, and what to tell him who tried too often."""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from axes.models import AccessBase
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

HOP = re.compile(r"\[(?P<bracketed>[^]]*)\](?::\d+)?|(?P<plain>[^:]*)(?::\d+)?")
"""An address as proxies write it, perhaps with its port: `10.0.0.1:5555`, `[2001:db8::1]:443`."""

LONGEST_NAME = AccessBase._meta.get_field("username").max_length
"""How much of a name the tables of logins hold; no account's name is as long."""


def client_address(request: HttpRequest) -> str | None:
    """Return the address that the last proxy we do not run spoke to us from, without its port.

    Each of our `PROXIES` appends what it saw to X-Forwarded-For; what stands before, the client wrote. Where
    a proxy wrote no address, it is the one that speaks to us; None where that has none, as on a socket.
    """
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    nearest = request.META.get("REMOTE_ADDR", "")
    hops = [*seen, nearest]
    return _address(hops[-1 - min(settings.PROXIES, len(hops) - 1)]) or _address(nearest)


def _address(hop: str) -> str | None:
    found = HOP.fullmatch(hop)
    written = (found["bracketed"] or found["plain"] or "") if found else hop
    try:
        return str(ip_address(written.partition("%")[0]))  # which network card it was, no table holds
    except ValueError:
        return None


def name_tried(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str | None:
    """Return the name that a login is tried with, as much of it as the tables of logins hold."""
    name = (credentials or request.POST).get("username")
    return name if name is None else str(name)[:LONGEST_NAME]


@never_cache
def locked_out(
    request: HttpRequest, _response: HttpResponse | None, _credentials: dict[str, Any] | None
) -> HttpResponse:
    """Answer 429, with what to do."""
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds()) // 60
    return render(request, "admin/locked_out.html", {"minutes": minutes}, status=429)

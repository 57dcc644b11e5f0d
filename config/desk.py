"""The desk's own middleware, for which readers do not pay; and who tries to log in there too often."""

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Any

from axes.middleware import AxesMiddleware
from axes.models import AccessBase
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django_otp.middleware import OTPMiddleware
from simple_history.middleware import HistoryRequestMiddleware

Answer = Callable[[HttpRequest], HttpResponse]

DESK = "/admin/"
"""Where every address of the desk starts."""

LAYERS: tuple[Callable[[Answer], Answer], ...] = (
    HistoryRequestMiddleware,  # who is asking, for the history of what a form saves
    OTPMiddleware,  # whether he has shown his second factor
    AxesMiddleware,  # tells who tried too often to log in
)
"""Outermost first."""


def kept_for_the_way_back(response: HttpResponse) -> HttpResponse:
    """Return the answer; the browser may show it again on its way back where it answered a form.

    Django's admin forbids browsers to store anything; then the way back to a preview is an error of the
    browser, which asks for a form to be sent again.
    """
    if getattr(response, "is_for_the_way_back", False):
        response["Cache-Control"] = "private, no-cache"
    return response


def middleware(answer: Answer) -> Answer:
    """Return the layers round an answer of the desk; any other is given as it is."""
    at_the_desk = answer
    for layer in reversed(LAYERS):
        at_the_desk = layer(at_the_desk)

    def either(request: HttpRequest) -> HttpResponse:
        is_desk = request.path_info.startswith(DESK)
        return kept_for_the_way_back(at_the_desk(request)) if is_desk else answer(request)

    return either


# --- who tries to log in ----------------------------------------------------------------------------------

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

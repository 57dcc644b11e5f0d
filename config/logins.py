"""Who tries to log in, and what to tell him who tried too often."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache


def client_address(request: HttpRequest) -> str:
    """The address that the last proxy we do not run spoke to us from.

    Each of our `PROXIES` appends what it saw to X-Forwarded-For; what stands before, the client wrote.
    """
    seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    hops = [*seen, request.META.get("REMOTE_ADDR", "")]
    return str(hops[-1 - min(settings.PROXIES, len(hops) - 1)])


@never_cache
def locked_out(
    request: HttpRequest, _response: HttpResponse | None, _credentials: dict[str, Any] | None
) -> HttpResponse:
    """429, with what to do."""
    minutes = int(settings.AXES_COOLOFF_TIME.total_seconds()) // 60
    return render(request, "admin/locked_out.html", {"minutes": minutes}, status=429)

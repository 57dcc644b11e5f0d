"""What every answer forbids browsers, and where somebody who found a hole finds whom to tell."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.crossorigin import is_data

Answer = Callable[[HttpRequest], HttpResponse]

DEVICES = (
    *(
        "accelerometer",
        "autoplay",
        "camera",
        "display-capture",
        "encrypted-media",
        "fullscreen",
        "geolocation",
    ),
    *("gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "screen-wake-lock"),
    *("serial", "usb", "web-share", "xr-spatial-tracking"),
)
"""What no page of ours asks a browser for; keys of a second factor (`publickey-credentials-…`) it may."""

PERMISSIONS_POLICY = ", ".join(f"{device}=()" for device in DEVICES)

VALID = timedelta(days=30)
"""So long `security.txt` may be relied on (RFC 9116, 2.5.5); it is written anew for each who asks."""


def middleware(answer: Answer) -> Answer:
    """Return the answer with what browsers must not do with it.

    Other sites may take data into their pages; of pages, scripts and the desk nothing.
    """

    def with_policies(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        policy = "cross-origin" if is_data(request) else "same-origin"
        response.headers.setdefault("Cross-Origin-Resource-Policy", policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return with_policies


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django passes it
    """Answer a form whose CSRF token was refused, with a page of ours and 403; Django logs the reason."""
    return render(request, "403_csrf.html", status=403)


@never_cache
@require_safe
def security_txt(_request: HttpRequest) -> HttpResponse:
    """Answer with the operator's contacts as RFC 9116 has it; not found where the site names none."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (datetime.now(UTC) + VALID).replace(microsecond=0)
    contacts = [f"Contact: {each}" for each in settings.SECURITY_CONTACT]
    languages = ", ".join(code for code, _name in settings.LANGUAGES)
    lines = [*contacts, f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}", f"Preferred-Languages: {languages}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")

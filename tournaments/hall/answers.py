"""Common parts of the hall's views: privacy headers, language and templates."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from config.trace.addresses import client_address, prefix_of
from tournaments.event.dates import in_zone, zone_of
from tournaments.models import Event

View = Callable[[HttpRequest, str], HttpResponse]

PRIVATE = {
    # The URL is a secret key, so no other site, robot or cache may receive it.
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


def hall_view(view: View) -> Callable[[HttpRequest, str], HttpResponse]:
    """Protect a view with a signed URL: not cached, not indexed, no cookie.

    It has no CSRF token: such attacks misuse the cookies of a user who is logged in, and here the URL is the
    only authorisation. Django's check of a form's origin would also refuse pages that send no referrer, as
    these do to protect the URL.
    """

    @wraps(view)
    def answer(request: HttpRequest, token: str) -> HttpResponse:
        language = _visitors_language(request) or settings.LANGUAGE_CODE
        with translation.override(language), in_zone(""):
            response = view(request, token)
        for name, value in PRIVATE.items():
            response[name] = value
        add_never_cache_headers(response)
        return response

    return csrf_exempt(require_http_methods(["GET", "HEAD", "POST"])(answer))


def speak(request: HttpRequest, event: Event) -> None:
    """Use the event's time zone, and its language unless the visitor prefers an available one."""
    translation.activate(_visitors_language(request) or event.language or settings.LANGUAGE_CODE)
    timezone.activate(zone_of(event.time_zone))


def hall_page(request: HttpRequest, name: str, status: int = 200, **context: Any) -> HttpResponse:
    language = translation.get_language()
    languages = [each for each in settings.LANGUAGES if each[0] != language]
    response = render(request, f"hall/{name}.html", {"languages": languages, **context}, status=status)
    response["Content-Language"] = language
    if status == 429:
        response["Retry-After"] = "60"
    return response


def network_from(request: HttpRequest) -> str:
    """Return the network prefix of the client address: enough to count requests, but not personal."""
    return prefix_of(client_address(request))


def _visitors_language(request: HttpRequest) -> str:
    """Return the language chosen on the page or preferred by the browser; blank if it is not available."""
    ours = dict(settings.LANGUAGES)
    if (chosen := request.GET.get("language", "")) in ours:
        return chosen
    for preferred, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")[:200]):
        if (code := preferred.partition("-")[0]) in ours:
            return code
    return ""

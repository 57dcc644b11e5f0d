"""Redirect the URLs of an older site if they would be 404."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect

from tournaments.models.redirect import target_of

Answer = Callable[[HttpRequest], HttpResponse]


def middleware(answer: Answer) -> Answer:
    """Return 301 instead of 404 if the URL is in the table (docs/redirects.md)."""

    def or_led_on(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if response.status_code != 404 or request.method not in ("GET", "HEAD"):
            return response
        target = target_of(request.path_info, request.META.get("QUERY_STRING", ""))
        return HttpResponsePermanentRedirect(target) if target else response

    return or_led_on

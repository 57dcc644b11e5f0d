"""Views that belong to no app."""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

VALID = timedelta(days=30)
"""Validity of `security.txt`, from the time of the request (RFC 9116, 2.5.5)."""


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django passes it
    """Return an error page for a form with an invalid CSRF token. Django logs the reason."""
    return render(request, "403_csrf.html", status=403)


@never_cache
@require_safe
def security_txt(_request: HttpRequest) -> HttpResponse:
    """Return the operator's contacts in the format of RFC 9116; 404 if the settings have none."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (datetime.now(UTC) + VALID).replace(microsecond=0)
    contacts = [f"Contact: {each}" for each in settings.SECURITY_CONTACT]
    languages = ", ".join(code for code, _name in settings.LANGUAGES)
    lines = [*contacts, f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}", f"Preferred-Languages: {languages}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")

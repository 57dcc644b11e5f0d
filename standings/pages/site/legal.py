"""Pages about the operator and stored data, with texts by the operator.

A text is a file in the folder SITE_TEXTS: `imprint.txt` or `privacy.txt`, and `imprint.nl.txt` in another
language. Without the file there is no page and no link. The files are part of the build hash, so that cached
pages have the links of the current texts.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy

from standings.caching.cached_pages import rendered, static_page

TITLES: Mapping[str, str | Promise] = {
    "imprint": gettext_lazy("Imprint"),
    "privacy": gettext_lazy("Privacy"),
}
"""The titles by the name of the URL and file."""


@cache
def text_of(name: str, language: str) -> str:
    """Return the operator's text in the language, else in the default one, else an empty text."""
    if not settings.SITE_TEXTS:
        return ""
    for file in (f"{name}.{language}.txt", f"{name}.txt"):
        path = Path(settings.SITE_TEXTS) / file
        if path.is_file():
            return path.read_text(encoding="utf-8").strip()
    return ""


def legal_links() -> list[tuple[str, str | Promise]]:
    language = get_language() or settings.LANGUAGE_CODE
    return [(reverse(name), title) for name, title in TITLES.items() if text_of(name, language)]


@static_page
def imprint(request: HttpRequest) -> HttpResponse:
    return _legal_page(request, "imprint")


@static_page
def privacy(request: HttpRequest) -> HttpResponse:
    stored = {
        "days": settings.KEEP_LOGINS_DAYS,
        "session_hours": settings.SESSION_COOKIE_AGE // 3600,
        "writes_access_log": settings.ACCESS_LOG,
    }
    return _legal_page(request, "privacy", stored=stored)


@static_page
def following(request: HttpRequest) -> HttpResponse:
    return rendered(request, "standings/following.html", {})


def _legal_page(request: HttpRequest, name: str, **context: Any) -> HttpResponse:
    text = text_of(name, get_language() or settings.LANGUAGE_CODE)
    if not text:
        raise Http404
    return rendered(request, "standings/legal.html", {"title": TITLES[name], "text": text, **context})

"""The language of a page depends only on its URL: no prefix for English, /nl/ for Dutch."""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

GetResponse = Callable[[HttpRequest], HttpResponse]


class Version(NamedTuple):
    """A translation of a page. `shown`: it is the current one.

    `canonical`: the URL of the page. `link`: the URL with the user's choices.
    """

    code: str
    name: str
    shown: bool
    canonical: str
    link: str


def middleware(get_response: GetResponse) -> GetResponse:
    """Activate the language of the URL.

    Django's LocaleMiddleware also uses a cookie and Accept-Language, and adds them to `Vary`. A cache would
    then store several pages per URL.
    """

    def in_its_language(request: HttpRequest) -> HttpResponse:
        language = language_of(request.path_info)
        with translation.override(language):
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    return in_its_language


def language_of(path: str) -> str:
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    prefixed = first in dict(settings.LANGUAGES) and first != settings.LANGUAGE_CODE
    return first if prefixed else settings.LANGUAGE_CODE


def in_language(path: str, code: str) -> str:
    now = language_of(path)
    plain = path if now == settings.LANGUAGE_CODE else path.removeprefix(f"/{now}")
    return plain if code == settings.LANGUAGE_CODE else f"/{code}{plain}"


def versions(request: HttpRequest, path: str, query: str = "") -> list[Version]:
    """Return the page in all languages, English first."""
    now = language_of(path)
    paths = ((code, name, in_language(path, code)) for code, name in settings.LANGUAGES)
    return [
        Version(
            code, name, code == now, request.build_absolute_uri(other), f"{other}?{query}" if query else other
        )
        for code, name, other in paths
    ]

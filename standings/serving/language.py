"""The language of a page: its address says it, and nothing else. English has no prefix, Dutch has /nl/."""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

Answer = Callable[[HttpRequest], HttpResponse]


class Version(NamedTuple):
    """A page in one of the languages: the language's code and own name, and whether it is the one shown.

    `canonical` is the page's address, `link` leads to it from the page with what the reader chose.
    """

    code: str
    name: str
    shown: bool
    canonical: str
    link: str


def middleware(answer: Answer) -> Answer:
    """Answers in the language of the address.

    Django's own also looks at a cookie and at what the browser prefers, and says so in `Vary`: one address
    would be several pages, and a cache in front of us would keep them all.
    """

    def in_its_language(request: HttpRequest) -> HttpResponse:
        language = language_of(request.path_info)
        with translation.override(language):
            response = answer(request)
        response.headers.setdefault("Content-Language", language)
        return response

    return in_its_language


def language_of(path: str) -> str:
    """The code of the language that the path begins with, else that of the addresses without prefix."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    prefixed = first in dict(settings.LANGUAGES) and first != settings.LANGUAGE_CODE
    return first if prefixed else settings.LANGUAGE_CODE


def in_language(path: str, code: str) -> str:
    """The path of the same page in another language."""
    now = language_of(path)
    plain = path if now == settings.LANGUAGE_CODE else path.removeprefix(f"/{now}")
    return plain if code == settings.LANGUAGE_CODE else f"/{code}{plain}"


def versions(request: HttpRequest, path: str, query: str = "") -> list[Version]:
    """The page at that path in every language there is, English first."""
    now = language_of(path)
    paths = ((code, name, in_language(path, code)) for code, name in settings.LANGUAGES)
    return [
        Version(
            code, name, code == now, request.build_absolute_uri(other), f"{other}?{query}" if query else other
        )
        for code, name, other in paths
    ]

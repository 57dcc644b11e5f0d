"""Asks the WSGI application for pages as a server does for a browser: in this process, all middleware."""

import gzip
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.http.response import HttpResponseBase

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Raised = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


class Answer(NamedTuple):
    """What the application answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def plain(self) -> bytes:
        """The body as a browser reads it."""
        return gzip.decompress(self.body) if self.headers.get("Content-Encoding") == "gzip" else self.body


class Visitor:
    """A browser: it takes pages compressed, and says which version it has; it asks the site's application."""

    def __init__(self, application: "WSGIApplication | None" = None) -> None:
        self.application = application or _of_the_site()

    def get(self, address: str, etag: str = "") -> Answer:
        """One request, to the last byte."""
        line = StatusLine()
        response = self.application(_environ(address, etag), line)
        body = b"".join(response)
        if isinstance(response, HttpResponseBase):  # what is sent in one piece was closed before
            response.close()
        return Answer(int(line.status.split()[0]), line.headers, body)


def _of_the_site() -> "WSGIApplication":
    """Set Django up, and make this process one that serves for as long as it lives."""
    from config.wsgi import application  # noqa: PLC0415 - importing it does both

    return application


class StatusLine:
    """Takes what the application says before the body."""

    status: str
    headers: dict[str, str]

    def __call__(
        self, status: str, headers: list[tuple[str, str]], raised: Raised | None = None, /
    ) -> Callable[[bytes], object]:
        """Keep status and headers; nobody writes but by the body."""
        if raised and raised[1]:
            raise raised[1]
        self.status, self.headers = status, dict(headers)
        return bytes


def _environ(address: str, etag: str) -> dict[str, Any]:
    """The environment that a server behind a proxy gives, of a request by https."""
    path, _, query = address.partition("?")
    environ = {
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_HOST": settings.ALLOWED_HOSTS[0],
        "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_ACCEPT_ENCODING": "gzip, deflate, br",
        **({"HTTP_IF_NONE_MATCH": etag} if etag else {}),
    }
    setup_testing_defaults(environ)
    return environ

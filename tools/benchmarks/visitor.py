"""A client that calls the WSGI application in this process, with all middleware."""

import gzip
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple
from wsgiref.util import setup_testing_defaults

import brotli
from django.conf import settings
from django.http.response import HttpResponseBase

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Raised = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def plain(self) -> bytes:
        read = {"gzip": gzip.decompress, "br": brotli.decompress}.get(
            self.headers.get("Content-Encoding", "")
        )
        return read(self.body) if read else self.body


class Visitor:
    """A browser that accepts compression and sends ETags."""

    def __init__(self, application: "WSGIApplication | None" = None) -> None:
        self.application = application or _of_the_site()

    def get(self, address: str, etag: str = "") -> Answer:
        line = StatusLine()
        response = self.application(_environ(address, etag), line)
        body = b"".join(response)
        if isinstance(response, HttpResponseBase):  # a response that is not streamed is already closed
            response.close()
        return Answer(int(line.status.split()[0]), line.headers, body)


def _of_the_site() -> "WSGIApplication":
    from config.wsgi import application  # noqa: PLC0415 - importing it does both

    return application


class StatusLine:
    """Implements `start_response`."""

    status: str
    headers: dict[str, str]

    def __call__(
        self, status: str, headers: list[tuple[str, str]], raised: Raised | None = None, /
    ) -> Callable[[bytes], object]:
        """Store status and headers. The returned `write` is not supported."""
        if raised and raised[1]:
            raise raised[1]
        self.status, self.headers = status, dict(headers)
        return bytes


def _environ(address: str, etag: str) -> dict[str, Any]:
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

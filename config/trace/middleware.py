"""Outermost middleware: request ids, access log and responses to otherwise unhandled errors."""

import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from time import gmtime, perf_counter, strftime, time
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from config.trace.current import Trace, begin
from config.trace.errorpage import BARE_TYPE, bare_page
from config.trace.metrics import count_request
from config.trace.redaction import address_of

Answer = Callable[[HttpRequest], HttpResponseBase]

HEADER = "X-Request-ID"
STDERR = 2

slow = logging.getLogger("crosstable.slow")
failed = logging.getLogger("crosstable.failed")


class BrokenOffError(Exception):
    """A streamed response failed. The cause has been logged."""


class Watched:
    """A streamed response that counts its bytes and logs an exception."""

    def __init__(self, parts: Iterable[bytes], trace: Trace, end: Callable[[int], None]) -> None:
        """`end` is called with the number of bytes when the response is closed."""
        self.parts, self.trace, self.end = iter(parts), trace, end
        self.sent = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        """Raise BrokenOffError, which has no details, if the next part fails."""
        try:
            part = next(self.parts)
        except StopIteration:
            raise
        except Exception:  # noqa: BLE001 - whatever it is, it is logged
            failed.exception("The answer broke off", extra={"request_id": self.trace.id})
            raise BrokenOffError from None
        self.sent += len(part)
        return part

    def close(self) -> None:
        """Log the response, which is complete or was aborted by the client."""
        self.end(self.sent)


def middleware(answer: Answer) -> Answer:
    """Add the request id to the response headers, and log and count the request."""

    def traced(request: HttpRequest) -> HttpResponseBase:
        trace = begin(request.META)
        try:
            response = answer(request)
        except Exception:  # noqa: BLE001 - the page of an error failed: no other layer has an answer
            failed.exception("No answer for %s", address_of(request))
            response = HttpResponse(bare_page(trace.id), status=500, content_type=BARE_TYPE)
        response[HEADER] = trace.id
        if isinstance(response, StreamingHttpResponse):

            def end(sent: int) -> None:
                _tell(request, response, trace, sent)

            response.streaming_content = Watched(response.streaming_content, trace, end)  # type: ignore[arg-type]  # no answer of ours is asynchronous
        else:
            _tell(request, response, trace, response.headers.get("Content-Length", 0))
        return response

    return traced


def _tell(request: HttpRequest, response: HttpResponseBase, trace: Trace, size: int | str) -> None:
    seconds = perf_counter() - trace.began
    count_request(request, response.status_code, seconds)
    if settings.ACCESS_LOG:
        _log_access(request, trace, response.status_code, seconds, size)
    if seconds >= settings.SLOW_REQUEST_SECONDS:
        address, ms, query_ms = address_of(request), round(seconds * 1000), round(trace.query_seconds * 1000)
        slow.warning(
            "%s %s took %s ms, %s queries %s ms of them",
            *(request.method, address, ms, trace.queries, query_ms),
            extra={"request_id": trace.id, "path": address, "ms": ms, "queries": trace.queries}
            | {"method": request.method, "status": response.status_code, "query_ms": query_ms},
        )


def guarded(application: WSGIApplication) -> WSGIApplication:
    """Wrap the WSGI application, so that errors outside of all middleware get a response and a trace too.

    A response that is not streamed is passed on in one piece, which is faster.
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        trace = begin(environ)
        try:
            response = application(environ, start_response)
            if isinstance(response, HttpResponse):
                body = response.content
                response.close()
                return [body]
        except Exception:  # noqa: BLE001 - whatever it is, it is logged
            failed.exception("No answer for a request")
            headers = [("Content-Type", BARE_TYPE), (HEADER, trace.id)]
            start_response("500 Internal Server Error", headers, sys.exc_info())
            return [bare_page(trace.id)]
        return response

    return answer


def _log_access(request: HttpRequest, trace: Trace, status: int, seconds: float, size: int | str) -> None:
    # Not by `logging`, which takes 60 µs per line instead of 10. A cached page takes 400 µs.
    write = _json_line if settings.LOG_FORMAT == "json" else _line
    os.write(STDERR, f"{write(request, trace, status, seconds, size)}\n".encode())


def _line(request: HttpRequest, trace: Trace, status: int, seconds: float, size: int | str) -> str:
    told = f"{request.method} {address_of(request)} {status} {seconds * 1000:.1f} ms {size} B"
    return f"{_now()} INFO crosstable.access [{trace.id}] {told}"


def _json_line(request: HttpRequest, trace: Trace, status: int, seconds: float, size: int | str) -> str:
    return json.dumps(
        {
            "time": _now(),
            "level": "INFO",
            "logger": "crosstable.access",
            "request_id": trace.id,
            "method": request.method,
            "path": address_of(request),
            "status": status,
            "ms": round(seconds * 1000, 1),
            "bytes": int(size),
        }
    )


def _now() -> str:
    now = time()
    return f"{_second(int(now))}.{int(now * 1000) % 1000:03}Z"


@lru_cache(maxsize=2)
def _second(second: int) -> str:
    # Cached, because formatting the date takes longer than the rest of the line.
    return strftime("%Y-%m-%dT%H:%M:%S", gmtime(second))

"""Figures for Prometheus, summed over the workers: requests, kept pages, pages being made, errors.

Standings and tournaments may count here too: this module knows nothing of theirs. Nothing is counted, and
prometheus_client not even imported, where METRICS_TOKEN is not set.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0)
"""Seconds: a kept page takes half a thousandth, the longest wait of readers is 15."""

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which prometheus_client adds the workers up; it reads it itself."""

Outcome = Literal["hit", "miss", "stale", "unchanged", "last"]
"""`last`: shown with its line while the database is away."""


class Meters(NamedTuple):
    """Everything that is counted."""

    requests: "Histogram"
    pages: "Counter"
    making: "Gauge"
    errors: "Counter"


@cache
def meters() -> Meters:
    """Return the meters, made at the first count: a command that counts nothing leaves no file."""
    from prometheus_client import Counter, Gauge, Histogram  # noqa: PLC0415 - 60 ms that few sites need

    if FOLDER in os.environ:
        Path(os.environ[FOLDER]).mkdir(parents=True, exist_ok=True)
    return Meters(
        Histogram(
            "crosstable_request_seconds",
            "Requests answered, and their time.",
            ["route", "method", "status"],
            buckets=BUCKETS,
        ),
        Counter("crosstable_pages", "Public pages asked for, by what was kept of them.", ["kept"]),
        Gauge("crosstable_pages_being_made", "Pages being made now.", multiprocess_mode="livesum"),
        Counter("crosstable_errors", "Errors that were logged.", ["kind"]),
    )


def count_request(request: HttpRequest, status: int, seconds: float) -> None:
    """Count a request that was answered, under the name of its route."""
    if not settings.METRICS_TOKEN:
        return
    match = request.resolver_match
    route = match.view_name if match else "static" if _is_static(request) else "none"
    method = request.method if request.method in METHODS else "other"
    _of_requests(route, method or "other", status).observe(seconds)


def count_page(kept: Outcome) -> None:
    """Count a page that was asked for: kept, made, older bytes meanwhile, or unchanged for this reader."""
    if settings.METRICS_TOKEN:
        _of_pages(kept).inc()


@contextmanager
def making() -> Iterator[None]:
    """Count a page as being made."""
    if not settings.METRICS_TOKEN:
        yield
        return
    with meters().making.track_inprogress():
        yield


class ErrorCount(logging.Handler):
    """Counts the errors that are logged, by the class of the exception."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record."""
        if settings.METRICS_TOKEN:
            error = record.exc_info[1] if record.exc_info else None
            meters().errors.labels(type(error).__name__ if error else record.name).inc()


# Their meters are remembered: to look one up costs as much as counting does.


@cache
def _of_requests(route: str, method: str, status: int) -> "Histogram":
    return meters().requests.labels(route, method, status)


@cache
def _of_pages(kept: Outcome) -> "Counter":
    return meters().pages.labels(kept)


def _is_static(request: HttpRequest) -> bool:
    return request.path_info.startswith(settings.STATIC_URL)


# --- asked by Prometheus ----------------------------------------------------------------------------------


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the figures to who brings the token; the address is not there where none is set."""
    if not settings.METRICS_TOKEN:
        raise Http404
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not compare_digest(given.encode(), settings.METRICS_TOKEN.encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest  # noqa: PLC0415 - as above

    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_LATEST)


def _registry() -> "CollectorRegistry":
    """Return what all workers counted; of one that has died, not what it was doing."""
    from prometheus_client import REGISTRY, CollectorRegistry  # noqa: PLC0415 - as above
    from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead  # noqa: PLC0415 - only where figures are on

    meters()
    if FOLDER not in os.environ:
        return REGISTRY
    for file in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)  # asks whether it is there
        except ProcessLookupError:
            mark_process_dead(process)  # type: ignore[no-untyped-call]  # as the package has it
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # as above
    return registry

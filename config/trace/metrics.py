"""Prometheus metrics, summed over the workers: requests, cached pages, pages in generation, errors.

Used by `standings` and `tournaments` too, and independent of them. If METRICS_TOKEN is not set,
prometheus_client is not imported.
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

from config.database.replica import replica_lag

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0)
"""Seconds. A cached page takes 0.0005; readers wait at most 15."""

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable with prometheus_client's folder, in which it sums over the workers."""

Outcome = Literal["hit", "miss", "stale", "unchanged", "last"]
"""`last`: the last version, shown with a notice while the database is down."""


class Meters(NamedTuple):
    requests: "Histogram"
    pages: "Counter"
    making: "Gauge"
    errors: "Counter"
    lag: "Gauge"


@cache
def meters() -> Meters:
    """Return the meters. They are created at the first count, so that other commands write no files."""
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
        Gauge("crosstable_replica_lag_seconds", "Its lag.", ["database"], multiprocess_mode="mostrecent"),
    )


def count_request(request: HttpRequest, status: int, seconds: float) -> None:
    if not settings.METRICS_TOKEN:
        return
    match = request.resolver_match
    is_static = request.path_info.startswith(settings.STATIC_URL)
    route = match.view_name if match else "static" if is_static else "none"
    method = request.method if request.method in METHODS else "other"
    _of_requests(route, method or "other", status).observe(seconds)


def count_page(kept: Outcome) -> None:
    if settings.METRICS_TOKEN:
        _of_pages(kept).inc()


@contextmanager
def making() -> Iterator[None]:
    if not settings.METRICS_TOKEN:
        yield
        return
    with meters().making.track_inprogress():
        yield


class ErrorCount(logging.Handler):
    """Counts logged errors by the class of the exception."""

    def emit(self, record: logging.LogRecord) -> None:
        if settings.METRICS_TOKEN:
            error = record.exc_info[1] if record.exc_info else None
            meters().errors.labels(type(error).__name__ if error else record.name).inc()


# The labelled meters are cached: a lookup costs as much as the count itself.


@cache
def _of_requests(route: str, method: str, status: int) -> "Histogram":
    return meters().requests.labels(route, method, status)


@cache
def _of_pages(kept: Outcome) -> "Counter":
    return meters().pages.labels(kept)


# --- scraping -------------------------------------------------------------------------------------------


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics if the request has the token; 404 if no token is set."""
    if not settings.METRICS_TOKEN:
        raise Http404
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not compare_digest(given.encode(), settings.METRICS_TOKEN.encode()):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest  # noqa: PLC0415 - as above

    if (lag := replica_lag()) is not None:
        meters().lag.labels("replica").set(lag)
    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_LATEST)


def _registry() -> "CollectorRegistry":
    from prometheus_client import REGISTRY, CollectorRegistry  # noqa: PLC0415 - as above
    from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead  # noqa: PLC0415 - only where figures are on

    meters()
    if FOLDER not in os.environ:
        return REGISTRY
    for file in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)  # tests whether the process exists
        except ProcessLookupError:
            mark_process_dead(process)  # type: ignore[no-untyped-call]  # as the package has it
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # as above
    return registry

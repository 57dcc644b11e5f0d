"""The request that a thread is answering: its id, and the time that the database takes of it."""

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from secrets import token_hex
from time import perf_counter
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

IDS = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""The ids of requests that are taken from a proxy: they go into headers, logs and pages as they are."""

IN_ENVIRON = "crosstable.trace"


class Trace:
    """One request: its id, when it began (`perf_counter`), its queries and the seconds that they took."""

    __slots__ = ("began", "id", "queries", "query_seconds")

    def __init__(self, request_id: str) -> None:
        """Begin now."""
        self.id = request_id
        self.began = perf_counter()
        self.queries = 0
        self.query_seconds = 0.0


CURRENT: ContextVar[Trace | None] = ContextVar("trace", default=None)
"""The request of this thread; after its answer it stays until the next one begins."""


def begin(environ: dict[str, Any]) -> Trace:
    """Return the trace of a request, begun now unless it was begun before, and make it the current one.

    Its id is the one that a proxy of ours gave it. Without such a proxy anybody could choose one.
    """
    trace: Trace | None = environ.get(IN_ENVIRON)
    if trace is None:
        given = environ.get("HTTP_X_REQUEST_ID", "") if settings.PROXIES else ""
        trace = environ[IN_ENVIRON] = Trace(given if IDS.fullmatch(given) else token_hex(8))
    CURRENT.set(trace)
    return trace


def current_id() -> str:
    """Return the id of the request that this thread is answering, or an empty text."""
    trace = CURRENT.get()
    return trace.id if trace else ""


def count_queries(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Count the queries of a new connection, and their seconds, for the requests that make them."""
    if _timed not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, _timed)


def _timed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Mapping[str, Any]) -> Any:
    trace = CURRENT.get()
    if trace is None:
        return execute(sql, params, many, context)
    began = perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        trace.queries += 1
        trace.query_seconds += perf_counter() - began

"""The current request of a thread: its id, and its number of queries and their time."""

import re
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from secrets import token_hex
from time import perf_counter
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

IDS = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""Request ids that are accepted from a proxy. They are copied to headers, logs and pages unescaped."""

IN_ENVIRON = "crosstable.trace"


@dataclass(slots=True)
class Trace:
    """A request: its id, its start (`perf_counter`), and the number and seconds of its queries."""

    id: str
    began: float = field(default_factory=perf_counter)
    queries: int = 0
    query_seconds: float = 0.0


CURRENT: ContextVar[Trace | None] = ContextVar("trace", default=None)
"""Context of the thread; it is valid after the response until the next request begins."""


def begin(environ: dict[str, Any]) -> Trace:
    """Return the trace of a request and make it the current trace. It is created on the first call.

    The id is taken from the header only if there is a trusted proxy, because a client could choose any id.
    """
    trace: Trace | None = environ.get(IN_ENVIRON)
    if trace is None:
        given = environ.get("HTTP_X_REQUEST_ID", "") if settings.PROXIES else ""
        trace = environ[IN_ENVIRON] = Trace(given if IDS.fullmatch(given) else token_hex(8))
    CURRENT.set(trace)
    return trace


def current_id() -> str:
    trace = CURRENT.get()
    return trace.id if trace else ""


def count_queries(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Count the queries and their seconds on a new connection. Connected to `connection_created`."""
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

"""Logging settings, formatters and the filter for personal data (docs/deployment.md)."""

import logging
import time
from types import TracebackType
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from pythonjsonlogger.json import JsonFormatter

from config.trace.current import IN_ENVIRON, Trace, current_id
from config.trace.redaction import address_of, traceback_of

FORMATS = ("line", "json")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
"""CRITICAL is not allowed, because error pages promise that the error is logged."""

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

FIELDS = ("asctime", "levelname", "name", "request_id", "message")
NAMES = {"asctime": "time", "levelname": "level", "name": "logger", "exc_info": "traceback"}
MORE = frozenset({"method", "path", "status", "ms", "bytes", "queries", "query_ms"})
"""Extra fields that are logged. Fields of other packages may contain personal data."""


def is_told(record: logging.LogRecord) -> bool:
    """Return whether a record adds anything to the status in the access log."""
    return record.name != "django.request" or bool(record.exc_info)


def request_id_of(record: logging.LogRecord) -> str:
    request = getattr(record, "request", None)
    trace: Trace | None = request.META.get(IN_ENVIRON) if isinstance(request, HttpRequest) else None
    return getattr(record, "request_id", "") or (trace.id if trace else current_id()) or "-"


class WithoutPersonalData(logging.Filter):
    """Adds the request id to a record and removes personal data from it."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id_of(record)
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            record.msg, record.args = "%s %s", (request.method, address_of(request))
        return is_told(record)


class TracebackWithoutValues(logging.Formatter):
    """Formats an exception by its places in the code, and by its message only if that contains no data."""

    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"
    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        """Format the record without reusing a traceback that another formatter has cached."""
        record.exc_text = None
        return super().format(record)

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802 - the name that logging asks for
        return traceback_of(ei[1]) if ei[1] else ""


class LineFormatter(TracebackWithoutValues):
    """A record as a line of text, followed by the traceback."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s")


class JsonLineFormatter(TracebackWithoutValues, JsonFormatter):
    """A record, including its traceback, as a line of JSON."""

    def __init__(self) -> None:
        super().__init__(FIELDS, rename_fields=NAMES)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Remove fields that may contain personal data."""
        known = MORE.union(NAMES.get(each, each) for each in (*FIELDS, "exc_info"))
        return {name: value for name, value in log_data.items() if name in known}


def logging_settings(form: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: all records go to stderr, errors also to the admins and the metrics.

    Raise ImproperlyConfigured if the format or the level is unknown.
    """
    for name, given, known in (("LOG_FORMAT", form, FORMATS), ("LOG_LEVEL", level, LEVELS)):
        if given not in known:
            raise ImproperlyConfigured(f"{name} is one of {', '.join(known)}, not {given!r}.")
    handlers = {
        "stderr": {"class": "logging.StreamHandler", "formatter": form},
        "mail": {"class": "config.trace.mails.ErrorMails", "formatter": "line", "level": "ERROR"},
        "count": {"class": "config.trace.metrics.ErrorCount", "level": "ERROR"},
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"personal": {"()": WithoutPersonalData}},
        "formatters": {"line": {"()": LineFormatter}, "json": {"()": JsonLineFormatter}},
        "handlers": {name: each | {"filters": ["personal"]} for name, each in handlers.items()},
        "root": {"handlers": list(handlers), "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "NOTSET", "propagate": True},
            # Bots cause these errors. The access log shows them with status 400.
            "django.security.DisallowedHost": {"handlers": [], "level": "CRITICAL", "propagate": False},
            "django.security.TooManyFieldsSent": {"handlers": [], "level": "CRITICAL", "propagate": False},
            "django.security.RequestDataTooBig": {"handlers": [], "level": "CRITICAL", "propagate": False},
        },
    }

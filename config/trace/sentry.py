"""Reports errors to Sentry, or a compatible server, if SENTRY_DSN is set (docs/deployment.md)."""

from logging import ERROR, LogRecord
from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import ImproperlyConfigured

from config.trace.logs import is_told, request_id_of
from config.trace.redaction import chain_of, message_of

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

KEPT = frozenset(
    {"event_id", "timestamp", "level", "platform", "logger", "release", "environment", "exception", "sdk"}
)
"""Fields of an event that are sent.

The request, user, breadcrumbs and log arguments may contain personal data.
"""


def start(dsn: str) -> None:
    """Report logged errors to `dsn`. Raise ImproperlyConfigured if the package is missing."""
    try:
        import sentry_sdk  # noqa: PLC0415 - an optional package
        from sentry_sdk.integrations.atexit import AtexitIntegration  # noqa: PLC0415 - as above
        from sentry_sdk.integrations.logging import LoggingIntegration  # noqa: PLC0415 - as above
    except ImportError as missing:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, and sentry-sdk is not installed: pip install sentry-sdk, or unset it."
        ) from missing
    sentry_sdk.init(
        dsn,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        # All failures are logged; Django's integration would report them again, together with the request.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[LoggingIntegration(level=None, event_level=ERROR), AtexitIntegration(lambda *_: None)],
        before_send=without_personal_data,
    )


def without_personal_data(event: "Event", hint: "Hint") -> "Event | None":
    """Reduce an event to the places of the exception and the request id."""
    record: LogRecord | None = hint.get("log_record")
    if record is None or not is_told(record):
        return None
    told: Any = {name: value for name, value in event.items() if name in KEPT}
    told["tags"] = {"request_id": request_id_of(record)}
    told["message"] = record.name
    error = record.exc_info[1] if record.exc_info else None
    messages = {type(each).__name__: message_of(each) for each in chain_of(error)} if error else {}
    for each in told.get("exception", {}).get("values", ()):
        each["value"] = messages.get(each.get("type"), "(message withheld)")
    return cast("Event", told)

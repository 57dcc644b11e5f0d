"""Settings for logging and Sentry: refused values and their effects."""

import json
import logging
import sys
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from pytest_django.fixtures import Settings

from config.trace import sentry
from config.trace.logs import logging_settings
from tests.trace.conftest import Heard

pytestmark = pytest.mark.urls("tests.trace.conftest")


@pytest.mark.parametrize(("form", "level"), [("xml", "INFO"), ("line", "CRITICAL"), ("line", "info")])
def test_unknown_log_format_or_level_is_refused(form: str, level: str) -> None:
    # Above ERROR, errors would not be logged, although their page promises it.
    with pytest.raises(ImproperlyConfigured, match="is one of"):
        logging_settings(form, level)


def test_missing_sentry_package_is_an_error_with_advice() -> None:
    with (
        patch.dict(sys.modules, {"sentry_sdk": None}),
        pytest.raises(ImproperlyConfigured, match="pip install sentry-sdk"),
    ):
        sentry.start("https://key@sentry.example/1")


@pytest.fixture
def told() -> Iterator[list[dict[str, object]]]:
    """Yield the events for Sentry without sending them."""
    import sentry_sdk  # noqa: PLC0415 - only here: it listens to every logger from then on
    from sentry_sdk.transport import Transport  # noqa: PLC0415 - as above

    events: list[dict[str, object]] = []

    class Memory(Transport):
        def capture_envelope(self, envelope: object) -> None:
            events.append(envelope.get_event())  # type: ignore[attr-defined]  # typed as any

    real = sentry_sdk.init
    with patch.object(sentry_sdk, "init", lambda dsn, **options: real(dsn, transport=Memory(), **options)):
        sentry.start("https://key@sentry.example/1")
    yield events
    sentry_sdk.get_client().close(timeout=0)
    sentry_sdk.get_global_scope().set_client(None)


@pytest.mark.django_db
def test_sentry_gets_exception_place_and_request_id(reader: Client, told: list[dict[str, object]]) -> None:
    answer = reader.post("/raising/?name=Geheim", {"password": "Geheim"})
    text = json.dumps(told)

    assert len(told) == 1
    assert told[0]["tags"] == {"request_id": answer["X-Request-ID"]}
    assert "tests/trace/conftest.py" in text
    assert "Geheim" not in text
    assert "request" not in told[0]


def test_slow_request_is_a_warning_with_the_database_time(
    client: Client, settings: Settings, heard: Heard
) -> None:
    settings.SLOW_REQUEST_SECONDS = 0
    answer = client.get("/healthz")

    assert f"WARNING crosstable.slow [{answer['X-Request-ID']}] GET /healthz took" in heard.lines
    record = json.loads(heard.json.splitlines()[-1])
    assert (record["path"], record["status"], record["queries"]) == ("/healthz", 200, 0)
    assert set(record) >= {"time", "level", "logger", "request_id", "message", "method", "ms", "query_ms"}


def test_every_request_is_a_log_line_even_if_streamed(
    client: Client, settings: Settings, capfd: pytest.CaptureFixture[str]
) -> None:
    settings.ACCESS_LOG = True
    whole = client.get("/healthz?name=Geheim")
    b"".join(client.get("/flowing/").streaming_content)  # type: ignore[attr-defined]  # the client types it apart
    lines = capfd.readouterr().err.splitlines()

    assert f"INFO crosstable.access [{whole['X-Request-ID']}] GET /healthz 200" in lines[0]
    assert lines[0].endswith("ms 3 B")
    assert "GET /flowing/ 200" in lines[1]
    assert lines[1].endswith("ms 11 B")


def test_extra_fields_of_packages_are_not_logged(heard: Heard) -> None:
    logging.getLogger("some.package").warning("something", extra={"user": "Geheim"})

    assert "something" in heard.json
    assert "Geheim" not in heard.json + heard.lines

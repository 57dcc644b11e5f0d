"""Deadlines of requests, and unread bodies."""

from io import BytesIO
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from config.database.deadlines import middleware, time_left, within
from tests.clock import Clock


@pytest.mark.parametrize(("path", "seconds"), [("/events/", 15), ("/admin/events/", 50)])
def test_requests_have_a_deadline(settings: Settings, clock: Clock, path: str, seconds: float) -> None:
    settings.READER_SECONDS, settings.DESK_SECONDS = 15, 50
    left: list[float | None] = []

    def view(_request: HttpRequest) -> HttpResponse:
        left.append(time_left())
        return HttpResponse()

    middleware(view)(RequestFactory().get(path))
    assert left == [seconds]
    assert time_left() is None


def test_zero_is_no_limit_and_the_shorter_limit_applies(clock: Clock) -> None:
    with within(0):
        assert time_left() is None
        with within(5), within(50):
            clock.now += 2
            assert time_left() == 3
    assert time_left() is None


def test_unread_body_is_read_to_the_end() -> None:
    body = BytesIO(b"x" * 200_000)
    values: dict[str, Any] = {"wsgi.input": body, "CONTENT_LENGTH": "200000"}
    request = RequestFactory().post("/admin/", b"", content_type="application/json", **values)

    assert middleware(lambda _request: HttpResponse(status=302))(request).status_code == 302
    assert body.read() == b""


def test_site_uses_our_database_backend() -> None:
    assert connections[DEFAULT_DB_ALIAS].__module__.startswith("config.database.")

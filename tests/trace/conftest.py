"""Views that fail with user input and stored data, and all places that could leak these."""

import logging
from collections.abc import Iterator

import pytest
from django.core.signals import request_started
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client
from django.urls import path
from django.utils.datastructures import MultiValueDictKeyError
from pytest_django.fixtures import Settings

from config import urls as site
from config.mailing import admins
from config.trace.logs import JsonLineFormatter, LineFormatter, WithoutPersonalData
from config.trace.mails import ErrorMails


def raising(request: HttpRequest) -> HttpResponse:
    """Fail with user input in the message and in a variable."""
    typed = " ".join(map(str, [*request.POST.values(), *request.GET.values(), *request.COOKIES.values()]))
    raise ValueError(f"nobody expected {typed}")


def querying(request: HttpRequest) -> HttpResponse:
    """Fail in the database, whose message quotes the refused row."""
    quoted = " ".join(map(str, request.POST.values()))
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    raise DatabaseError(f'null value in column "name"\nDETAIL:  Failing row contains ({quoted}).')


def chained(request: HttpRequest) -> HttpResponse:
    """Fail with a chained exception."""
    try:
        return raising(request)
    except ValueError as first:
        raise MultiValueDictKeyError(request.POST["name"]) from first


def streaming(request: HttpRequest) -> StreamingHttpResponse:
    """Fail in the middle of a stream."""

    def parts() -> Iterator[bytes]:
        yield b"first"
        raise ValueError(request.POST.get("name", "") + request.GET.get("name", ""))

    return StreamingHttpResponse(parts())


def flowing(_request: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse(iter([b"first", b"second"]))


def secret(request: HttpRequest, token: str) -> HttpResponse:
    """Fail at a secret URL."""
    raise TypeError


urlpatterns = [
    path("raising/", raising),
    path("nl/raising/", raising),
    path("api/raising/", raising),
    path("querying/", querying),
    path("chained/", chained),
    path("streaming/", streaming),
    path("flowing/", flowing),
    path("reset/<str:token>/", secret),
    path("invited/<slug:token>/", secret),
    *site.urlpatterns,
]
handler500 = site.handler500

TYPED = {
    "username": "Zoë Geheim",
    "password": "correct horse battery",
    "name": "Jan Jansen",
    "code": "918273",
}
"""User input that must not be leaked."""

FAILING = ("/raising/", "/nl/raising/", "/api/raising/", "/querying/", "/chained/", "/streaming/")


class Heard(logging.Handler):
    """All outputs about errors: both log formats, mails, and log records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []
        self.line_form, self.json_form, self.mails = LineFormatter(), JsonLineFormatter(), ErrorMails()
        self.mails.setFormatter(LineFormatter())
        self.lines = self.json = ""
        self.addFilter(WithoutPersonalData())

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
        self.lines += f"{self.line_form.format(record)}\n"
        self.json += f"{self.json_form.format(record)}\n"
        if record.levelno >= logging.ERROR:
            self.mails.handle(record)


@pytest.fixture
def heard(settings: Settings) -> Iterator[Heard]:
    """Record the output during the test. There is one admin."""
    settings.ADMINS = admins(["admin@crosstable.example"])
    settings.MAIL_TIMEOUT = 60  # a test that closes the handler waits until all mails are sent
    heard = Heard()
    logging.getLogger().addHandler(heard)
    yield heard
    logging.getLogger().removeHandler(heard)
    heard.mails.close()


@pytest.fixture
def reader() -> Client:
    """A client that gets error pages as readers do."""
    return Client(raise_request_exception=False)


@pytest.fixture
def refusing_start() -> Iterator[None]:
    """Raise an error before all middleware."""

    def refuse(**_: object) -> None:
        raise ConnectionError("no start")

    request_started.connect(refuse)
    yield
    request_started.disconnect(refuse)

"""Every error has a response with the id under which it is logged."""

import re
from io import BytesIO
from typing import Any
from unittest.mock import patch
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest
from django.test import Client
from pytest_django.fixtures import Settings

from config.trace.middleware import BrokenOffError, guarded
from tests.trace.conftest import Heard

pytestmark = [pytest.mark.urls("tests.trace.conftest"), pytest.mark.django_db]


def broken(_answer: object) -> Any:
    def fail(request: HttpRequest) -> None:
        raise RuntimeError("broken")

    return fail


def answer_of_server(**environ: str) -> tuple[str, dict[str, str], bytes]:
    """Return status, headers and body from the WSGI application."""
    params: dict[str, Any] = {"HTTP_HOST": "localhost", "wsgi.input": BytesIO(), **environ}
    setup_testing_defaults(params)
    began: list[Any] = []
    answer = guarded(WSGIHandler())(params, lambda *begun: began.append(begun))  # type: ignore[arg-type]  # nobody writes by what it returns
    return began[-1][0], dict(began[-1][1]), b"".join(answer)


def test_error_page_has_the_id_of_the_logged_error(reader: Client, heard: Heard) -> None:
    answer = reader.get("/raising/")
    page = answer.content.decode()

    assert answer.status_code == 500
    assert answer["X-Request-ID"] in page
    assert "has been recorded" in page
    assert f"[{answer['X-Request-ID']}] GET /raising/\nTraceback" in heard.lines
    assert "tests/trace/conftest.py" in heard.lines
    assert "ValueError: (message withheld)" in heard.lines


def test_error_page_is_in_the_language_of_the_url(reader: Client) -> None:
    page = reader.get("/nl/raising/").content.decode()

    assert '<html lang="nl">' in page
    assert "vastgelegd" in page
    assert "vermeld dan dit:" in page


def test_api_error_is_json_with_cors(reader: Client) -> None:
    answer = reader.get("/api/raising/")

    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer.json()["detail"].endswith(answer["X-Request-ID"])


def test_error_in_middleware_is_logged(settings: Settings, heard: Heard) -> None:
    settings.MIDDLEWARE = [settings.MIDDLEWARE[0], f"{__name__}.broken"]
    answer = Client(raise_request_exception=False).get("/nl/")

    assert answer.status_code == 500
    assert '<html lang="nl">' in answer.content.decode()
    assert f"[{answer['X-Request-ID']}] GET (no page)\nTraceback" in heard.lines


def test_error_in_the_error_page_is_logged_with_the_original(reader: Client, heard: Heard) -> None:
    with patch("config.trace.errorpage.render_to_string", side_effect=RuntimeError):
        answer = reader.get("/raising/")

    assert answer.status_code == 500
    assert answer.content.decode().count(answer["X-Request-ID"]) == 2  # in English and in Dutch
    assert f"[{answer['X-Request-ID']}] No answer for /raising/" in heard.lines
    assert re.search(r"ValueError.*which led to.*RuntimeError", heard.lines, re.DOTALL)


def test_failed_stream_is_logged_and_incomplete(reader: Client, heard: Heard) -> None:
    answer = reader.get("/streaming/")
    parts = iter(answer.streaming_content)  # type: ignore[attr-defined]  # the client types it apart

    assert next(parts) == b"first"
    with pytest.raises(BrokenOffError):
        next(parts)
    assert f"[{answer['X-Request-ID']}] The answer broke off" in heard.lines


def test_error_before_all_middleware_is_answered_and_logged(refusing_start: None, heard: Heard) -> None:
    status, headers, body = answer_of_server()

    assert status.startswith("500")
    assert headers["X-Request-ID"].encode() in body
    assert f"[{headers['X-Request-ID']}] No answer for a request" in heard.lines


def test_unstreamed_response_is_passed_on_in_one_piece() -> None:
    status, headers, body = answer_of_server(PATH_INFO="/healthz")

    assert (status, body) == ("200 OK", b"ok\n")
    assert re.fullmatch("[0-9a-f]{16}", headers["X-Request-ID"])


class TestIds:
    GIVEN = "0123456789abcdef0123456789abcdef"

    def test_every_response_has_its_own_request_id(self, client: Client) -> None:
        ids = {client.get(each)["X-Request-ID"] for each in ("/", "/", "/nothing/", "/static/nothing.css")}

        assert len(ids) == 4

    def test_request_id_of_a_trusted_proxy_is_accepted(self, client: Client, settings: Settings) -> None:
        settings.PROXIES = 1

        assert client.get("/healthz", headers={"X-Request-ID": self.GIVEN})["X-Request-ID"] == self.GIVEN

    def test_clients_cannot_choose_the_request_id(self, client: Client) -> None:
        assert client.get("/healthz", headers={"X-Request-ID": self.GIVEN})["X-Request-ID"] != self.GIVEN

    @pytest.mark.parametrize(
        "given", ["", "short", "x" * 65, "<script>alert()", "a b c d e f g", "ééééééééé"]
    )
    def test_invalid_request_id_is_replaced(self, client: Client, settings: Settings, given: str) -> None:
        settings.PROXIES = 1

        assert client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"] != given

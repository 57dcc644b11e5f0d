"""nginx with the shipped configuration for one and for several application servers."""

import http.client
import re
import socket
import ssl
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.urls import reverse

from tests.programs import need
from tools.drills.servers import DEPLOY, Nginx, free_port, nginx_conf

Answer = tuple[int, str | None]
"""Status and Retry-After."""


def servers_of(text: str) -> list[str]:
    """Return the servers of each upstream block, in the order of the file."""
    blocks = re.findall(r"^upstream .*?^}", text, re.MULTILINE | re.DOTALL)
    return [" ".join(re.findall(r"^    server (\S+)", block, re.MULTILINE)) for block in blocks]


def test_every_upstream_has_all_servers() -> None:
    assert (
        servers_of(nginx_conf(("10.0.0.21:8000", "10.0.0.22:8000"))) == ["10.0.0.21:8000 10.0.0.22:8000"] * 2
    )


def test_slow_response_is_requested_from_another_server_only_if_there_is_one() -> None:
    assert nginx_conf(()) == (DEPLOY / "nginx.conf").read_text()
    for seconds in (3, 10):
        timeout = f"\n        proxy_read_timeout {seconds}s;"
        assert timeout in nginx_conf(("a:1", "b:1"))
        assert timeout not in nginx_conf(("a:1",))


OF_FORMS = (403, 413, 429)
"""Statuses of the application that nginx would repeat or replace in reply to GET."""


class Handler(BaseHTTPRequestHandler):
    """Responds with the status in the path, and to readers with 403 if they can get the last page later."""

    def do_GET(self) -> None:
        status = int(self.path.strip("/")) if self.path.strip("/").isdigit() else 200
        if status == 503 and self.headers["X-Last-Page"] == "no":
            status = 403
        self.server.requests.append(f"{self.command} {status}")  # type: ignore[attr-defined]  # ours
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.send_header("Retry-After", "7")
        self.end_headers()

    do_POST = do_GET  # noqa: N815 - the name of http.server

    def log_message(self, *_: Any) -> None:
        pass


class Front:
    """nginx in front of a server, of `dead` servers that refuse connections, and of one that hangs."""

    def __init__(self, folder: Path, dead: int, *, hanging: bool = False) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.requests: list[str] = []
        self.server.requests = self.requests  # type: ignore[attr-defined]  # ours
        Thread(target=self.server.serve_forever, daemon=True).start()
        ports = [self.server.server_port, *(free_port() for _ in range(dead))]
        self.hanging = socket.create_server(("127.0.0.1", 0))  # it accepts no connection, so none is served
        ports += [self.hanging.getsockname()[1]] * hanging
        self.nginx = Nginx(folder / "nginx", folder, *(f"127.0.0.1:{port}" for port in ports))
        file = folder / "nginx" / "nginx.conf"
        file.write_text(re.sub(r"(?<=proxy_read_timeout )(10|60)s", "1s", file.read_text()))
        self.nginx.start()

    def stop(self) -> None:
        self.nginx.stop()
        self.hanging.close()
        self.server.shutdown()
        self.server.server_close()

    def send(self, method: str, path: str, body: bytes | None = None) -> Answer:
        unverified = ssl._create_unverified_context()  # noqa: S323 - the certificate of the test
        connection = http.client.HTTPSConnection("127.0.0.1", self.nginx.port, context=unverified, timeout=30)
        connection.request(method, path, body, {"X-Last-Page": "no"})
        answer = connection.getresponse()
        connection.close()
        return answer.status, answer.headers["Retry-After"]


@pytest.fixture
def front(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Front]:
    need("nginx", "openssl")
    made = Front(tmp_path, request.param)
    yield made
    made.stop()


ONE, TWO = (pytest.mark.parametrize("front", [dead], indirect=True) for dead in (0, 1))


@ONE
def test_single_server_gets_each_request_once(front: Front) -> None:
    for status in (403, 404, 413, 429, 500, 502, 503, 504):
        assert front.send("GET", f"/{status}/") == (status, "7")
        assert front.send("POST", f"/{status}/", b"x") == (status, "7")
    assert len(front.requests) == 16


@pytest.mark.parametrize("front", [0, 1], indirect=True)
def test_limit_of_reports_has_a_time_to_retry(front: Front) -> None:
    answers = [front.send("POST", "/events/hall/report/", b"x") for _ in range(14)]
    assert answers[-1] == (429, "10")


@TWO
def test_form_is_sent_once_to_the_server_that_works(front: Front) -> None:
    assert {front.send("POST", "/hall/1/", b"x") for _ in range(8)} == {(200, "7")}
    assert [front.send("POST", f"/{status}/", b"x") for status in OF_FORMS] == [
        (each, "7") for each in OF_FORMS
    ]
    assert front.requests == ["POST 200"] * 8 + [f"POST {status}" for status in OF_FORMS]


@TWO
def test_last_page_comes_from_the_server_that_works(front: Front) -> None:
    assert {front.send("GET", "/503/") for _ in range(8)} == {(503, "7")}


@pytest.fixture
def front_of_hanging(tmp_path: Path) -> Iterator[Front]:
    need("nginx", "openssl")
    made = Front(tmp_path, 0, hanging=True)
    yield made
    made.stop()


@pytest.mark.parametrize(
    "name", ["results-entries", "results-news", "results-trial", "attendance-marks", "attendance-news"]
)
def test_entries_are_sent_to_another_server_if_one_hangs(front_of_hanging: Front, name: str) -> None:
    address = reverse(f"admin:{name}", args=[7, 1])
    assert [front_of_hanging.send("POST", address, b"x") for _ in range(2)] == [(200, "7")] * 2
    assert front_of_hanging.requests == ["POST 200"] * 2


def test_form_is_not_repeated_if_a_server_hangs(front_of_hanging: Front) -> None:
    answers = [front_of_hanging.send("POST", "/admin/events/7/dates/", b"x") for _ in range(2)]
    assert sorted(answers) == [(200, "7"), (504, None)]
    assert front_of_hanging.requests == ["POST 200"]

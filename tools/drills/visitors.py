"""Clients of a site: readers, and arbiters with a list of acknowledged results."""

import json
import socket
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Event as Signal
from threading import Lock, Thread
from typing import Any
from uuid import uuid4

from tools.drills.site import HOST, Site

PATIENCE = 60.0
"""Default timeout in seconds."""

NO_ANSWER = 0
"""Status of a request without a response: refused, broken or timed out."""

SCORES = {"1-0": (2, 0), "½-½": (1, 1), "0-1": (0, 2)}
"""Results as typed, and the stored half-points."""


@dataclass(frozen=True)
class Answer:
    """A response with its time in seconds; header names are in lower case."""

    status: int
    seconds: float
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """A browser with or without a cookie; each request has its own connection."""

    def __init__(self, site: Site, cookie: str = "", address: str = "198.51.100.7") -> None:
        self.site, self.cookie, self.address = site, cookie, address

    def get(self, path: str, patience: float = PATIENCE, **headers: str) -> Answer:
        """Return the response to GET; `_` in the names of headers is replaced with a dash."""
        return self.ask("GET", path, b"", patience, headers)

    def post(self, path: str, body: bytes, patience: float = PATIENCE, **headers: str) -> Answer:
        """Return the response to POST with a CSRF token, as from a page of the site."""
        return self.ask("POST", path, body, patience, headers)

    def ask(self, method: str, path: str, body: bytes, patience: float, headers: dict[str, str]) -> Answer:
        """Return the response to any request; its status is NO_ANSWER after a timeout."""
        begun = time.monotonic()
        connection = self.connection(patience)
        try:
            connection.request(method, path, body or None, self.headers(method, headers))
            response = connection.getresponse()
            read = response.read()
        except (OSError, HTTPException):
            return Answer(NO_ANSWER, time.monotonic() - begun)
        finally:
            connection.close()
        told = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, time.monotonic() - begun, told, read)

    def connection(self, patience: float) -> HTTPConnection:
        if self.site.nginx:
            context = ssl.create_default_context()
            # its certificate is self-signed
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            return HTTPSConnection("127.0.0.1", self.site.nginx.port, timeout=patience, context=context)
        return SocketConnection(str(self.site.socket), patience)

    def headers(self, method: str, headers: dict[str, str]) -> dict[str, str]:
        told = {"Host": HOST, "Accept-Encoding": "gzip"}
        if not self.site.nginx:  # nginx sets these
            told |= {"X-Forwarded-Proto": "https", "X-Forwarded-For": self.address}
        cookies = [self.cookie] if self.cookie else []
        if method == "POST":
            token = "t" * 32
            cookies.append(f"__Host-csrftoken={token}")
            told |= {"X-CSRFToken": token, "Referer": f"https://{HOST}/", "Content-Type": "application/json"}
        if cookies:
            told["Cookie"] = "; ".join(cookies)
        return told | {name.replace("_", "-"): value for name, value in headers.items()}


class SocketConnection(HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__(HOST, timeout=timeout)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Tally:
    """Responses from several threads: number by status, and times."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.times: list[float] = []
        self._lock = Lock()

    def add(self, answer: Answer) -> None:
        with self._lock:
            self.statuses[answer.status] += 1
            self.times.append(answer.seconds)

    @property
    def worst(self) -> float:
        return max(self.times, default=0.0)

    def __str__(self) -> str:
        times = sorted(self.times) or [0.0]
        by_status = ", ".join(
            f"{count} × {status or 'no answer'}" for status, count in sorted(self.statuses.items())
        )
        late = times[int(len(times) * 0.99) - 1] if len(times) > 1 else times[0]
        return f"{by_status}; p50 {times[len(times) // 2]:.2f} s, p99 {late:.2f} s, worst {times[-1]:.2f} s"


class Arbiter:
    """Enters results of an event's first round, each with an id, as the results screen does.

    `sent` and `acknowledged` contain the last entered text by pairing.
    """

    def __init__(self, site: Site, name: str = "first", slug: str = "hall") -> None:
        user, self.event = site.told["users"][name], site.told["events"][slug]
        self.user = user["id"]
        self.visitor = Visitor(site, user["cookie"])
        self.answers = Tally()
        self.sent: dict[int, str] = {}
        self.acknowledged: dict[int, str] = {}

    def save(self, pairing: int, text: str, patience: float = PATIENCE, entry: str = "") -> Answer:
        """Send a result once, for a game without a result, and record whether it was acknowledged."""
        self.sent[pairing] = text
        told = {"id": entry or str(uuid4()), "pairing": pairing, "board": None, "text": text, "seen": 1}
        body = json.dumps({"user": self.user, "entries": [told]}).encode()
        answer = self.visitor.post(self.event["send"], body, patience)
        self.answers.add(answer)
        if answer.status == 200 and answer.json()["outcomes"][0]["state"] == "saved":
            self.acknowledged[pairing] = text
        return answer

    def insist(self, pairing: int, text: str, until: float, pause: float = 0.5) -> bool:
        """Send a result repeatedly with the same id, as the screen does, until it is acknowledged.

        Return whether it was acknowledged before the time `until` of the monotonic clock.
        """
        entry = str(uuid4())
        while self.save(pairing, text, entry=entry).status != 200 and time.monotonic() < until:
            time.sleep(pause)
        return pairing in self.acknowledged


def lost(site: Site, arbiters: Iterable[Arbiter]) -> int:
    """Return how many acknowledged results are not in the database as they were sent."""
    stored = site.stored()
    return sum(
        stored.get(pairing, (None, None, 0))[:2] != SCORES[text]
        for arbiter in arbiters
        for pairing, text in arbiter.acknowledged.items()
    )


@contextmanager
def asking(visitor: Visitor, *paths: str, pause: float = 0.1, patience: float = PATIENCE) -> Iterator[Tally]:
    """Request the paths in turn in a thread within the context, and yield the tally."""
    tally = Tally()

    def ask() -> None:
        for path in paths:
            tally.add(visitor.get(path, patience))

    with repeating(ask, pause):
        yield tally


@contextmanager
def repeating(act: Callable[[], object], pause: float) -> Iterator[None]:
    end = Signal()

    def go_on() -> None:
        while not end.wait(pause):
            act()

    thread = Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def together(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(lambda act: act(), acts))

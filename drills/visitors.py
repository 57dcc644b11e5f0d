"""People at a site: readers who ask for pages, and arbiters who note which results were acknowledged."""

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

from drills.site import HOST, Site

PATIENCE = 60.0
"""Seconds after which a visitor gives an answer up, unless told."""

NO_ANSWER = 0
"""The status of a request that got none: the connection was refused or broke, or patience ran out."""

SCORES = {"1-0": (2, 0), "½-½": (1, 1), "0-1": (0, 2)}
"""Results as they are typed, and the half-points that the record holds then."""


@dataclass(frozen=True)
class Answer:
    """An answer, with the seconds it took; header names are in lower case."""

    status: int
    seconds: float
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> Any:
        """Return the body's JSON value."""
        return json.loads(self.body)


class Visitor:
    """A browser with a cookie or none; each request has a connection of its own."""

    def __init__(self, site: Site, cookie: str = "", address: str = "198.51.100.7") -> None:
        self.site, self.cookie, self.address = site, cookie, address

    def get(self, path: str, patience: float = PATIENCE, **headers: str) -> Answer:
        """Return the answer to GET; `_` in names of headers stands for the dash."""
        return self.ask("GET", path, b"", patience, headers)

    def post(self, path: str, body: bytes, patience: float = PATIENCE, **headers: str) -> Answer:
        """Return the answer to POST with a token against forgery, as a page of the site would send it."""
        return self.ask("POST", path, body, patience, headers)

    def ask(self, method: str, path: str, body: bytes, patience: float, headers: dict[str, str]) -> Answer:
        """Return the answer to any request; one of status NO_ANSWER where none came in time."""
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
        """Return a connection to the site, which is not open yet."""
        if self.site.nginx:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # it has signed itself
            return HTTPSConnection("127.0.0.1", self.site.nginx.port, timeout=patience, context=context)
        return SocketConnection(str(self.site.socket), patience)

    def headers(self, method: str, headers: dict[str, str]) -> dict[str, str]:
        """Return what a browser says of itself, and these."""
        told = {"Host": HOST, "Accept-Encoding": "gzip"}
        if not self.site.nginx:  # which says these itself
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
    """HTTP over a socket in the file system."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__(HOST, timeout=timeout)
        self.path = path

    def connect(self) -> None:
        """Connect to the socket."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Tally:
    """Answers as they come in from several threads: how many of each status, and how long they took."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.times: list[float] = []
        self._lock = Lock()

    def add(self, answer: Answer) -> None:
        """Note an answer."""
        with self._lock:
            self.statuses[answer.status] += 1
            self.times.append(answer.seconds)

    @property
    def worst(self) -> float:
        """Return the longest time in seconds; 0 of no answers."""
        return max(self.times, default=0.0)

    def __str__(self) -> str:
        times = sorted(self.times) or [0.0]
        by_status = ", ".join(
            f"{count} × {status or 'no answer'}" for status, count in sorted(self.statuses.items())
        )
        late = times[int(len(times) * 0.99) - 1] if len(times) > 1 else times[0]
        return f"{by_status}; p50 {times[len(times) // 2]:.2f} s, p99 {late:.2f} s, worst {times[-1]:.2f} s"


class Arbiter:
    """Somebody who enters results of an event's first round, each under an id, as the results screen does.

    `sent` and `acknowledged` hold the pairings with the text of their last entry.
    """

    def __init__(self, site: Site, name: str = "first", slug: str = "hall") -> None:
        user, self.event = site.told["users"][name], site.told["events"][slug]
        self.user = user["id"]
        self.visitor = Visitor(site, user["cookie"])
        self.answers = Tally()
        self.sent: dict[int, str] = {}
        self.acknowledged: dict[int, str] = {}

    def save(self, pairing: int, text: str, patience: float = PATIENCE, entry: str = "") -> Answer:
        """Send a result once, for a game that has none, and note whether it was acknowledged."""
        self.sent[pairing] = text
        told = {"id": entry or str(uuid4()), "pairing": pairing, "board": None, "text": text, "seen": 1}
        body = json.dumps({"user": self.user, "entries": [told]}).encode()
        answer = self.visitor.post(self.event["send"], body, patience)
        self.answers.add(answer)
        if answer.status == 200 and answer.json()["outcomes"][0]["state"] == "saved":
            self.acknowledged[pairing] = text
        return answer

    def insist(self, pairing: int, text: str, until: float, pause: float = 0.5) -> bool:
        """Send a result again and again under one id, as the screen does, until it is acknowledged.

        `until` is the moment of the monotonic clock at which it gives up; say whether it was acknowledged.
        """
        entry = str(uuid4())
        while self.save(pairing, text, entry=entry).status != 200 and time.monotonic() < until:
            time.sleep(pause)
        return pairing in self.acknowledged


def lost(site: Site, arbiters: Iterable[Arbiter]) -> int:
    """Return how many acknowledged results the database does not hold as they were sent."""
    stored = site.stored()
    return sum(
        stored.get(pairing, (None, None, 0))[:2] != SCORES[text]
        for arbiter in arbiters
        for pairing, text in arbiter.acknowledged.items()
    )


@contextmanager
def asking(visitor: Visitor, *paths: str, pause: float = 0.1, patience: float = PATIENCE) -> Iterator[Tally]:
    """Ask for the paths in turn, again and again in a thread, and yield the tally of their answers."""
    tally = Tally()

    def ask() -> None:
        for path in paths:
            tally.add(visitor.get(path, patience))

    with repeating(ask, pause):
        yield tally


@contextmanager
def repeating(act: Callable[[], object], pause: float) -> Iterator[None]:
    """Do something again and again in a thread, while the context lasts."""
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
    """Return what each act returns; all are done at once, each in a thread of its own."""
    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(lambda act: act(), acts))

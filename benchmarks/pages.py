"""What a public page costs the server: the WSGI application called in this process, all middleware included.

The page is the standings of the 43rd Chess Olympiad, 185 teams and 11 rounds, under the settings of
production on SQLite: made anew, kept, and unchanged since the reader's last visit. The yardstick is a view
that returns nothing. The process is warm: templates, flags and figures as text have been needed before; it is
the pages and the standings that are not kept. Garbage is collected as in a server.
"""

from collections.abc import Callable
from statistics import median
from types import TracebackType
from typing import Any, NamedTuple
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command

from benchmarks.clock import each
from tournaments.files.importing import import_event

EVENT = "olympiad-2018-open"
STANDINGS, EMPTY = f"/events/{EVENT}/standings/", "/empty/"
COLD, WARM, UNCHANGED, YARDSTICK = "cold: nothing kept", "warm: page kept", "304: unchanged", "empty view"
COLD_TIMES, TIMES = 60, 600

Raised = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


class Answer(NamedTuple):
    """What the application answered."""

    status: int
    headers: dict[str, str]
    body: bytes


class Visitor:
    """Asks the application for pages as a server does."""

    def __init__(self) -> None:
        from config.wsgi import application  # noqa: PLC0415 - importing it sets Django up

        self.application = application

    def get(self, address: str, etag: str = "") -> Answer:
        """One request, to the last byte."""
        line = StatusLine()
        response = self.application(_environ(address, etag), line)
        body = b"".join(response)
        response.close()
        return Answer(int(line.status.split()[0]), line.headers, body)


class StatusLine:
    """Takes what the application says before the body."""

    status: str
    headers: dict[str, str]

    def __call__(
        self, status: str, headers: list[tuple[str, str]], raised: Raised | None = None, /
    ) -> Callable[[bytes], object]:
        """Keep status and headers; nobody writes but by the body."""
        if raised and raised[1]:
            raise raised[1]
        self.status, self.headers = status, dict(headers)
        return bytes


def _environ(address: str, etag: str) -> dict[str, Any]:
    """The environment that a server behind a proxy gives, of a request by https."""
    environ = {
        "PATH_INFO": address,
        "HTTP_HOST": settings.ALLOWED_HOSTS[0],
        "HTTP_X_FORWARDED_PROTO": "https",
        **({"HTTP_IF_NONE_MATCH": etag} if etag else {}),
    }
    setup_testing_defaults(environ)
    return environ


def report() -> None:
    """Prepare, measure, print."""
    prepare()
    visitor = Visitor()
    costs = measure(visitor)
    size = len(visitor.get(STANDINGS).body) / 1000
    print(f"Standings page of Batumi 2018, {size:.0f} kB, through all middleware; CPU ms")
    print(f"{'':20}{'median':>9}{'least':>9}{'median / empty view':>24}")
    for name, cost in costs.items():
        ratio = median(cost) / median(costs[YARDSTICK])
        print(f"{name:20}{median(cost):9.2f}{min(cost):9.2f}{ratio:23.1f}×")


def prepare() -> None:
    """An empty database with the event in it, and the hashed names of the static files."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    file = settings.BASE_DIR / "tournaments" / "demo" / f"{EVENT}.json"
    import_event(file, announce=lambda _: None)


def measure(visitor: Visitor) -> dict[str, list[float]]:
    """What each kind of answer costs, once it is clear that it is of that kind."""
    made, kept = visitor.get(STANDINGS), visitor.get(STANDINGS)
    etag = made.headers["ETag"]
    unchanged, empty = visitor.get(STANDINGS, etag), visitor.get(EMPTY)
    assert [made.status, kept.status, unchanged.status, empty.status] == [200, 200, 304, 200]
    assert made.body == kept.body
    return {
        COLD: each(lambda: visitor.get(STANDINGS), COLD_TIMES, before=cache.clear),
        WARM: each(lambda: visitor.get(STANDINGS), TIMES),
        UNCHANGED: each(lambda: visitor.get(STANDINGS, etag), TIMES),
        YARDSTICK: each(lambda: visitor.get(EMPTY), TIMES),
    }

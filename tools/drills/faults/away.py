"""The database is down: readers get the last page with a notice, and no input is lost."""

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from gzip import decompress
from typing import Any

from tools.drills.drill import POSTGRESQL, DrillError, Outcome, drill
from tools.drills.servers import wait_until
from tools.drills.site import Site
from tools.drills.visitors import Answer, Arbiter, Tally, Visitor, lost, together

READ = ("/", "/events/hall/", "/events/hall/standings/", "/nl/events/hall/rounds/1/", "/events/hall.csv")
"""URLs that clients request before and during the outage."""

POLLED = "/events/hall/poll/?revision=0&page=standings"
REMOVED = ("/events/next-door/", "/events/next-door/standings/", "/events/next-door.json")
REMOVE = """
from django.contrib.auth.models import User
from tournaments.models import Event
from tournaments.recording.events.publication import publish
by = User.objects.get(username="organiser")
publish(Event.objects.get(slug="next-door"), "removed", by, "A drill.")
"""
READERS = 20
EACH_WORKER = 12
"""With this many parallel requests almost certainly every worker gets one. Each has its own cache."""

FRESH, LINE = "fresh", "with the line"


@drill("The database is killed while people read and save", POSTGRESQL)
def database_killed(site: Site) -> Outcome:
    """Kill PostgreSQL: cached pages are shown with a notice, and results are saved afterwards."""
    return _outage(site)


@drill("The database is killed behind the shipped nginx", POSTGRESQL, nginx=True)
def database_killed_behind_nginx(site: Site) -> Outcome:
    """The same with nginx, which has its own cache."""
    return _outage(site)


def _outage(site: Site) -> Outcome:
    arbiter, readers = Arbiter(site), Readers(site)
    readers.warm(*READ, *REMOVED)
    # In a separate process, so that no worker has seen the takedown.
    site.manage("shell", "--command", REMOVE)
    readers.warm(*READ)
    if site.postgres is None:
        raise TypeError("it is tried on PostgreSQL")
    site.postgres.kill()
    back = time.monotonic() + site.seconds(30, 5)

    def enter() -> float:
        for pairing in arbiter.event["pairings"][:10]:
            arbiter.insist(pairing, "1-0", back + 60)
        return time.monotonic()

    def restart(start: Callable[[], None]) -> float:
        time.sleep(max(0, back - time.monotonic()))
        start()
        return readers.wait_until_fresh()

    reading = [partial(readers.read, number, back) for number in range(READERS)]
    acts: list[Callable[[], Any]] = [partial(restart, site.postgres.start), enter, readers.refuse, *reading]
    recovered, saved, *_ = together(acts)
    if arbiter.acknowledged.keys() != arbiter.sent.keys():
        raise DrillError("a result that was typed in the outage was never saved")
    late = f"the last result was saved {saved - back:.1f} s after the database was started"
    sent, acknowledged = len(arbiter.sent), len(arbiter.acknowledged)
    return Outcome(sent, acknowledged, lost(site, [arbiter]), recovered, [*readers.remarks(), late])


class Readers:
    """Clients that read and poll, and the responses that they got."""

    def __init__(self, site: Site) -> None:
        self.visitor, self.tally = Visitor(site), Tally()
        self.kinds: Counter[str] = Counter()

    def warm(self, *paths: str) -> None:
        """Request each page often enough to reach every worker."""
        for path in paths:
            together([partial(self.visitor.get, path)] * EACH_WORKER)

    def read(self, number: int, until: float) -> None:
        """Request pages and poll until a time of the monotonic clock."""
        while time.monotonic() < until:
            for path in (READ[number % len(READ)], POLLED):
                answer = self.visitor.get(path)
                self.tally.add(answer)
                self.kinds[kind_of(path, answer)] += 1
            time.sleep(0.5)

    def refuse(self) -> None:
        for path in REMOVED:
            for answer in together([partial(self.visitor.get, path)] * EACH_WORKER):
                if answer.status == 200:
                    raise DrillError(f"{path} was removed, and is shown: {answer.headers}")

    def wait_until_fresh(self) -> float:
        begun = time.monotonic()
        for path in READ:
            wait_until(partial(self._is_fresh, path), f"{path} is not fresh again")
        return time.monotonic() - begun

    def remarks(self) -> list[str]:
        kinds = ", ".join(f"{count} × {kind}" for kind, count in sorted(self.kinds.items()))
        return [f"readers: {self.tally}", kinds]

    def _is_fresh(self, path: str) -> bool:
        return kind_of(path, self.visitor.get(path)).startswith(FRESH)


def kind_of(path: str, answer: Answer) -> str:
    """Return the kind of response as text. Raise DrillError if readers must not get it."""
    if answer.status == 503:
        if "retry-after" not in answer.headers:
            raise DrillError(f"{path}: 503 without Retry-After")
        return "503 (poll)" if path == POLLED else "503 (page)"
    if answer.status not in (200, 204):
        raise DrillError(f"{path}: {answer.status} after {answer.seconds:.1f} s")
    is_packed = answer.headers.get("content-encoding") == "gzip"
    body = decompress(answer.body) if is_packed else answer.body
    if "warning" in answer.headers or b"not updated since" in body:
        return LINE
    return f"{FRESH} {answer.headers.get('x-cache', '')}".strip()

"""Requests that must succeed during a fault, repeated while the drill runs."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event as Signal
from threading import Thread

from tools.drills.drill import DrillError
from tools.drills.site import Site
from tools.drills.visitors import Arbiter, Tally, Visitor, asking, repeating

HEALTH = "/healthz"
STATIC = "/static/css/site.css"
BUSY = 60.0
"""Timeout in seconds of the short form, which runs together with other tests."""

SAME, OTHER = "/events/hall/standings/", "/events/next-door/standings/"


class Probes:
    """The tallies of repeated requests, and an arbiter who saves results of another event."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.tallies: dict[str, Tally] = {}
        self.saver = Arbiter(site, "second", "next-door")
        self._end = Signal()

    @contextmanager
    def asking(self, *paths: str) -> Iterator[None]:
        """Request each path once, then repeatedly in a thread per path within the context."""
        visitor = Visitor(self.site)
        with ExitStack() as stack:
            for path in paths:
                # Often enough for every worker to have cached the page.
                statuses = {visitor.get(path).status for _ in range(8)}
                if statuses != {200}:
                    raise DrillError(f"{path} answers {statuses} before anything is broken")
                self.tallies[path] = stack.enter_context(asking(visitor, path, pause=0.2))
            yield

    @contextmanager
    def saving(self, until: float, pause: float = 0.3) -> Iterator[None]:
        """Save results of the other event within the context, one after another.

        Each is sent until it is acknowledged or until the time `until` of the monotonic clock.
        """
        self._end.clear()

        def save() -> None:
            for pairing in self.saver.event["pairings"]:
                if self._end.wait(pause):
                    return
                self.saver.insist(pairing, "½-½", until)

        thread = Thread(target=save)
        thread.start()
        try:
            yield
        finally:
            self._end.set()
            thread.join()

    @contextmanager
    def crowd(self, readers: int, path: str = SAME) -> Iterator[None]:
        tally = self.tallies[f"{readers} readers of {path}"] = Tally()
        visitor = Visitor(self.site)
        with ExitStack() as stack:
            for _ in range(readers):
                stack.enter_context(repeating(lambda: tally.add(visitor.get(path)), 0.5))
            yield

    def remarks(self) -> list[str]:
        lines = [f"{path}: {tally}" for path, tally in self.tallies.items()]
        return [*lines, f"saves in another event: {self.saver.answers}"]

    def hold(self, path: str, seconds: float, *statuses: int) -> None:
        """Raise DrillError if a response for the path took too long or had another status.

        In the short form, the limit is at least `BUSY` seconds.
        """
        tally, seconds = self.tallies[path], self.site.seconds(seconds, BUSY)
        unlike = set(tally.statuses) - set(statuses)
        if unlike or tally.worst > seconds:
            raise DrillError(f"{path} was to answer {statuses} within {seconds} s, and did: {tally}")

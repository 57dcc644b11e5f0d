"""A live round: many readers ask for the standings while results are written. How many answers, and how old?

Threads in this process stand for the readers and for the arbiter, so the figures are of one process, and only
the ratios mean something: the same readers while nothing is written, and of the empty view, in the same run.
"""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal
from threading import Thread
from time import monotonic, sleep

from django.db import connection

from benchmarks.pages import EMPTY, EVENT, STANDINGS
from benchmarks.visitor import Visitor
from tournaments.models import Event, Pairing
from tournaments.revision import revision_of

READERS = 100
RESULTS_A_SECOND = 5
SECONDS = 6.0
VERSION = re.compile(r"-(\d+)\"$")


class Arbiter:
    """Writes results, and knows since when each revision is in the record."""

    def __init__(self) -> None:
        self.event = Event.objects.get(slug=EVENT)
        self.committed = {revision_of(self.event.pk): monotonic()}

    def write_until(self, end: Signal) -> None:
        """A result, and another, in its own thread and connection."""
        pairings = list(Pairing.objects.filter(round__event=self.event).values_list("pk", flat=True)[:50])
        try:
            while not end.wait(1 / RESULTS_A_SECOND):
                pairings.append(pairings.pop(0))
                pairing = Pairing.objects.get(pk=pairings[0])
                pairing.first_score, pairing.second_score = pairing.second_score, pairing.first_score
                pairing.save()
                self.committed[revision_of(self.event.pk)] = monotonic()
        finally:
            connection.close()

    def age(self, version: int, asked: float) -> float:
        """For how long, when it was asked for, an answer had not been the newest any more."""
        overtaken = [moment for number, moment in list(self.committed.items()) if number > version]
        return max(0.0, asked - min(overtaken, default=asked))


def report() -> None:
    """Print the answers a second of each kind, relative to the kept page, and the age of the oldest."""
    arbiter = Arbiter()
    visitor = Visitor()
    visitor.get(STANDINGS)
    etag = visitor.get(STANDINGS).headers["ETag"]
    rates = {
        "empty view": _rate(lambda: visitor.get(EMPTY)),
        "304: unchanged": _rate(lambda: visitor.get(STANDINGS, etag)),
        "warm: page kept": _rate(lambda: visitor.get(STANDINGS)),
    }
    ages: list[float] = []
    rates[f"{RESULTS_A_SECOND} results a second"] = _rate_in_storm(arbiter, visitor, ages)
    print(f"\n{READERS} readers at once, one process; answers a second")
    print(f"{'':22}{'a second':>10}{'/ warm':>9}{'/ empty view':>14}")
    for name, rate in rates.items():
        of_warm, of_empty = rate / rates["warm: page kept"], rate / rates["empty view"]
        print(f"{name:22}{rate:10,.0f}{of_warm:8.2f}×{of_empty:13.2f}×")
    print(f"the oldest of {len(ages):,} answers was overtaken {max(ages):.2f} s before it was asked for")


def _rate_in_storm(arbiter: Arbiter, visitor: Visitor, ages: list[float]) -> float:
    end = Signal()
    writing = Thread(target=arbiter.write_until, args=(end,))
    writing.start()

    def ask() -> None:
        asked = monotonic()
        found = VERSION.search(visitor.get(STANDINGS).headers["ETag"])
        assert found
        ages.append(arbiter.age(int(found[1]), asked))

    try:
        return _rate(ask)
    finally:
        end.set()
        writing.join()


def _rate(ask: Callable[[], object]) -> float:
    """How often the readers together were answered in a second."""
    end = Signal()

    def read(_: int) -> int:
        answers = 0
        try:
            while not end.is_set():
                ask()
                answers += 1
        finally:
            connection.close()
        return answers

    with ThreadPoolExecutor(READERS) as threads:
        counting = threads.map(read, range(READERS))
        start = monotonic()
        sleep(SECONDS)
        end.set()
        total = sum(counting)
        return total / (monotonic() - start)

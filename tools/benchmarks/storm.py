"""A live round: throughput and age of responses while results are written.

Readers and the arbiter are threads in this process. Therefore only ratios matter: to the same readers without
writes, and to the empty view, in the same run.
"""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal
from threading import Thread
from time import monotonic, sleep

from django.db import connection

from tools.benchmarks.pages import EMPTY, EVENT, STANDINGS
from tools.benchmarks.visitor import Visitor
from tournaments.models import Event, Pairing
from tournaments.operations.revision import revision_of

READERS = 100
RESULTS_A_SECOND = 5
SECONDS = 6.0
VERSION = re.compile(r"-(\d+)\"$")


class Arbiter:
    """Writes results, and records the time of each revision."""

    def __init__(self) -> None:
        self.event = Event.objects.get(slug=EVENT)
        self.committed = {revision_of(self.event.pk): monotonic()}

    def write_until(self, end: Signal) -> None:
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
        """Return how long before the request a response was outdated, in seconds."""
        overtaken = [moment for number, moment in list(self.committed.items()) if number > version]
        return max(0.0, asked - min(overtaken, default=asked))


def report() -> None:
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

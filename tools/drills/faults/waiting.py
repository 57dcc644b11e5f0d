"""The database does not respond: a row is locked, or the server is frozen or killed."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

import psycopg

from tools.drills.drill import Outcome, drill
from tools.drills.probes import HEALTH, OTHER, SAME, STATIC, Probes
from tools.drills.servers import wait_until
from tools.drills.site import Site
from tools.drills.visitors import Arbiter, Visitor, lost, together

SAVERS = 12
READERS = 40
AT_ONCE = 5.0
"""Maximum seconds of requests that do not need the locked row, on a loaded machine.

All faults last longer.
"""


@drill("A row, or SQLite, is locked by somebody else while 12 save")
def locked_row(site: Site) -> Outcome:
    """Lock the event's row: other requests are not affected, and the saves succeed after the release."""
    savers, probes = [Arbiter(site) for _ in range(SAVERS)], Probes(site)
    seconds = site.seconds(60, 6)
    end = time.monotonic() + seconds + 60
    freed = [0.0]

    def hold() -> None:
        time.sleep(seconds)
        freed[0] = time.monotonic()

    def save(arbiter: Arbiter, pairing: int) -> float:
        arbiter.insist(pairing, "1-0", end)
        return time.monotonic()

    with probes.asking(HEALTH, STATIC, SAME, OTHER), probes.saving(end):
        waiting = [partial(save, *each) for each in zip(savers, savers[0].event["pairings"], strict=False)]

        def locked() -> None:
            with _lock(site):
                hold()

        moments = together([locked, *waiting])[1:]
    for path in (HEALTH, STATIC, SAME, OTHER):
        probes.hold(path, AT_ONCE, 200)
    return _outcome(site, [*savers, probes.saver], probes, max(moments) - freed[0])


@drill("PostgreSQL is frozen while results are saved", "postgresql")
def frozen_database(site: Site) -> Outcome:
    """Stop every process of the server: pages without database respond, and all recovers afterwards."""
    probes, arbiters = Probes(site), [Arbiter(site) for _ in range(4)]
    seconds = site.seconds(24, 6)
    end = time.monotonic() + seconds + 60

    def freeze() -> float:
        if site.postgres is None:
            raise TypeError("it is tried on PostgreSQL")
        time.sleep(1)
        site.postgres.freeze()
        time.sleep(seconds)
        site.postgres.thaw()
        return wait_until(lambda: Visitor(site).get("/readyz").status == 200, "it does not come back")

    with probes.asking(HEALTH, STATIC, SAME, OTHER), probes.crowd(READERS), probes.saving(end):
        recovered, *_ = together([freeze, *_entering(arbiters, end)])
    for path in (HEALTH, STATIC):
        probes.hold(path, AT_ONCE, 200)
    return _outcome(site, [*arbiters, probes.saver], probes, recovered)


@drill("PostgreSQL is killed and started again while results are saved", "postgresql")
def killed_database(site: Site) -> Outcome:
    """Kill every process of the server, and restart it; no acknowledged result is lost."""
    probes, arbiters = Probes(site), [Arbiter(site) for _ in range(4)]
    end = time.monotonic() + site.seconds(120, 60)

    def kill() -> float:
        if site.postgres is None:
            raise TypeError("it is tried on PostgreSQL")
        for _ in range(int(site.seconds(3, 1))):
            time.sleep(1)
            site.postgres.kill()
            time.sleep(site.seconds(4, 1))
            site.postgres.start()
        return wait_until(lambda: Visitor(site).get("/readyz").status == 200, "it does not come back")

    with probes.asking(HEALTH, STATIC, SAME, OTHER), probes.saving(end):
        recovered, *_ = together([kill, *_entering(arbiters, end)])
    for path in (HEALTH, STATIC):
        probes.hold(path, AT_ONCE, 200)
    return _outcome(site, [*arbiters, probes.saver], probes, recovered)


@contextmanager
def _lock(site: Site) -> Iterator[None]:
    """Lock the row of the first event, or the whole database on SQLite."""
    if site.postgres is None:
        with closing(sqlite3.connect(site.folder / "lib" / "db.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.rollback()
        return
    with psycopg.connect(site.postgres.url) as other:
        other.execute("SELECT id FROM tournaments_event WHERE slug = 'hall' FOR UPDATE")
        yield
        other.rollback()


def _entering(arbiters: list[Arbiter], end: float) -> Iterator[partial[None]]:
    """Yield a function per arbiter, which enters a part of the first event's results in sequence."""
    pairings = arbiters[0].event["pairings"]

    def enter(arbiter: Arbiter, mine: list[int]) -> None:
        for pairing in mine:
            time.sleep(0.3)
            arbiter.insist(pairing, "1-0", end)

    for number, arbiter in enumerate(arbiters):
        yield partial(enter, arbiter, pairings[number :: len(arbiters)])


def _outcome(site: Site, arbiters: list[Arbiter], probes: Probes, recovered: float) -> Outcome:
    sent = sum(len(arbiter.sent) for arbiter in arbiters)
    acknowledged = sum(len(arbiter.acknowledged) for arbiter in arbiters)
    return Outcome(sent, acknowledged, lost(site, arbiters), recovered, probes.remarks())

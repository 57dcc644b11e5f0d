"""Machines of a cluster are killed, cut off or promoted while readers read and arbiters save."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from statistics import median
from threading import Thread

from tools.drills.cluster import STREAMING, Cluster, Networked
from tools.drills.drill import POSTGRESQL, DrillError, Outcome, drill
from tools.drills.servers import wait_until
from tools.drills.site import Site
from tools.drills.visitors import SCORES, Answer, Arbiter, Tally, Visitor, lost, repeating

PAGES = ("/events/hall/standings/", "/events/next-door/", "/")
READERS = 6
FAULT = 8.0
"""Seconds that a fault lasts."""

FREEZE = 25.0
"""Seconds that a server hangs: longer than `DEADLINE`, so that it cannot answer late."""

LONGEST = 5.0
"""Seconds for which a reader may notice a fault."""

BUSY = 60.0
"""The same in the short form, which runs together with other tests."""

DEADLINE = 15.0
"""Seconds within which an arbiter gets a response."""

BOUND = 2.0
"""Seconds for which the network of the replica is cut before the primary dies. Results may be lost then."""

SYNCHRONOUS = "ALTER SYSTEM SET synchronous_standby_names = 'replica'"
EPOCH = "SELECT epoch FROM tournaments_siterevision"


class Reader:
    """Requests pages in turn. `longest`: the longest time without a good response."""

    def __init__(self, site: Site, number: int) -> None:
        self.visitor, self.tally = Visitor(site), Tally()
        self.longest, self.turn, self.good = 0.0, number, time.monotonic()

    def read(self) -> None:
        self.turn += 1
        answer = self.visitor.get(PAGES[self.turn % len(PAGES)], LONGEST * 4)
        self.tally.add(answer)
        if is_good(answer):
            now = time.monotonic()
            self.longest, self.good = max(self.longest, now - self.good), now


class Timed(Arbiter):
    """An arbiter who notes when results were acknowledged."""

    def enter(self, until: float) -> None:
        """Save results until a time of the monotonic clock; after a fault, each until it is acknowledged."""
        self.moments: dict[int, float] = {}
        for pairing in self.event["pairings"]:
            if time.monotonic() > until:
                return
            if self.insist(pairing, "1-0", until + 60):
                self.moments[pairing] = time.monotonic()
            time.sleep(0.3)


class Load:
    """Readers and arbiters of a cluster within a context."""

    def __init__(self, site: Cluster) -> None:
        self.site = site
        self.arbiters = [Timed(site, "first"), Timed(site, "second", "next-door")]
        self.readers: list[Reader] = []

    @contextmanager
    def running(self, seconds: float) -> Iterator[None]:
        """Read and save for these seconds, and until every result is acknowledged."""
        warm(self.site)
        until = time.monotonic() + seconds
        threads = [Thread(target=partial(each.enter, until)) for each in self.arbiters]
        with ExitStack() as stack:
            self.readers = [Reader(self.site, number) for number in range(READERS)]
            for reader in self.readers:
                stack.enter_context(repeating(reader.read, 0.2))
            for thread in threads:
                thread.start()
            try:
                time.sleep(1)
                yield
            finally:
                for thread in threads:
                    thread.join()
                for reader in self.readers:  # one may still be waiting
                    reader.longest = max(reader.longest, time.monotonic() - reader.good)

    def outcome(self, *remarks: str, missing: int | None = None, promotion: float = 0) -> Outcome:
        """Return the outcome. Raise DrillError if a reader or an arbiter noticed the fault for too long.

        `missing` replaces the number of lost results. `promotion`: the seconds that PostgreSQL took for it.
        """
        longest = max(reader.longest for reader in self.readers)
        usual = median(time for reader in self.readers for time in reader.tally.times)
        for arbiter in self.arbiters:
            if arbiter.sent.keys() != arbiter.acknowledged.keys():
                raise DrillError(f"a result was never saved: {arbiter.answers}")
        if longest > self.site.seconds(LONGEST, BUSY) + usual + promotion:
            raise DrillError(f"a reader noticed the fault for {longest:.1f} s: {self.readers[0].tally}")
        slowest = max(arbiter.answers.worst for arbiter in self.arbiters)
        if slowest > self.site.seconds(DEADLINE, BUSY):
            raise DrillError(f"an arbiter waited {slowest:.1f} s: {self.arbiters[0].answers}")
        return Outcome(
            sum(len(arbiter.sent) for arbiter in self.arbiters),
            sum(len(arbiter.acknowledged) for arbiter in self.arbiters),
            lost(self.site, self.arbiters) if missing is None else missing,
            longest,
            [
                f"longest time without a good response: {longest:.1f} s (usual response: {usual:.1f} s)",
                *(f"arbiter: {arbiter.answers}" for arbiter in self.arbiters),
                *remarks,
            ],
        )


def is_good(answer: Answer) -> bool:
    return answer.status == 200 and "warning" not in answer.headers


def _is_served(visitor: Visitor, path: str) -> bool:
    return is_good(visitor.get(path))


def warm(site: Cluster) -> None:
    """Request every page until both servers have answered it."""
    visitor = Visitor(site)
    for path in PAGES:
        for _ in range(8):
            wait_until(partial(_is_served, visitor, path), f"{path} is not served")


def _under(
    site: Cluster, begin: Callable[[], None], end: Callable[[], None], seconds: float = FAULT
) -> Outcome:
    load = Load(site)
    with load.running(site.seconds(seconds + 6, 6)):
        begin()
        time.sleep(site.seconds(seconds, 3))
        end()
    return load.outcome()


@drill("An application server with its worker is killed", POSTGRESQL, kind=Cluster)
def server_killed(site: Cluster) -> Outcome:
    """Kill one of two servers, and start it again; the other one serves."""
    return _under(site, site.machines[0].kill, site.machines[0].start)


@drill("An application server hangs, as if its network were cut", POSTGRESQL, kind=Cluster)
def server_frozen(site: Cluster) -> Outcome:
    """Freeze the processes of one of two servers. Results that it got are sent to the other one."""
    send = site.machines[0].site.process.signal
    return _under(site, partial(send, signal.SIGSTOP), partial(send, signal.SIGCONT), FREEZE)


@drill("The shared cache is killed", POSTGRESQL, kind=Cluster)
def redis_killed(site: Cluster) -> Outcome:
    """Kill Redis, and start it again, empty."""
    return _under(site, site.redis.kill, site.redis.start)


@drill("The replica is killed", POSTGRESQL, kind=Cluster)
def replica_killed(site: Cluster) -> Outcome:
    """Kill the asynchronous replica, and start it again: it catches up."""
    found = _under(site, site.replica.kill, site.replica.start)
    wait_until(partial(_has_caught_up, site), "the replica does not catch up")
    return found


@drill("The network between a server, the replica and the primary is cut", POSTGRESQL, kind=Networked)
def network_cut(site: Networked) -> Outcome:
    """Cut the first server and the replica off the primary."""

    def send(number: int) -> None:
        for network in site.networks.values():
            network.signal(number)

    found = _under(site, partial(send, signal.SIGSTOP), partial(send, signal.SIGCONT))
    wait_until(partial(_has_caught_up, site), "the replica does not catch up")
    return found


@drill("The primary dies and the asynchronous replica is promoted", POSTGRESQL, kind=Networked)
def promoted(site: Networked) -> Outcome:
    """Cut the replica off for `BOUND` seconds, kill the primary, and promote the replica.

    Results may be lost only if they were acknowledged while the network was cut.
    """
    load, before = Load(site), site.primary.query(EPOCH)
    with load.running(site.seconds(FAULT, 6)):
        cut = time.monotonic()
        site.networks["replica"].signal(signal.SIGSTOP)
        time.sleep(BOUND)
        site.primary.kill()
        dead = time.monotonic()
        took = _promote(site)
    _check_epoch(site, before)
    stored = site.stored()
    gone = [
        arbiter.moments[pairing]
        for arbiter in load.arbiters
        for pairing, text in arbiter.acknowledged.items()
        if stored.get(pairing, (None, None, 0))[:2] != SCORES[text]
    ]
    not_sent = sum(cut < moment < dead for moment in gone)
    remark = f"pg_promote took {took:.1f} s; {not_sent} results were lost that the replica did not have yet: "
    remark += f"acknowledged in the {dead - cut:.1f} s in which its network was cut"
    return load.outcome(remark, missing=len(gone) - not_sent, promotion=took)


@drill(
    "The synchronous replica is killed, then the primary, and the replica is promoted",
    POSTGRESQL,
    kind=Cluster,
)
def synchronous(site: Cluster) -> Outcome:
    """Nothing is saved without the replica, and this is reported. The promotion loses nothing."""
    site.primary.query(SYNCHRONOUS)
    site.primary.query("SELECT pg_reload_conf()")
    load, visitor, before = Load(site), Visitor(site), site.primary.query(EPOCH)
    with load.running(site.seconds(25, 12)):
        site.replica.kill()
        noticed = wait_until(
            lambda: b"no synchronous replica" in visitor.get("/readyz").body, "/readyz is ready"
        )
        time.sleep(site.seconds(FAULT, 3))
        held = sum(len(arbiter.acknowledged) for arbiter in load.arbiters)
        time.sleep(2)
        if sum(len(arbiter.acknowledged) for arbiter in load.arbiters) != held:
            raise DrillError("results were acknowledged without the synchronous replica")
        site.replica.start()
        wait_until(partial(_has_caught_up, site), "the replica does not catch up")
        time.sleep(2)
        site.primary.kill()
        took = _promote(site)
    _check_epoch(site, before)
    refused = sum(arbiter.answers.statuses[503] for arbiter in load.arbiters)
    if not refused:
        raise DrillError("no arbiter got 503 while the replica was away")
    told = f"/readyz was 503 after {noticed:.1f} s; {refused} saves were refused and repeated"
    return load.outcome(f"{told}; pg_promote took {took:.1f} s", promotion=took)


def _promote(site: Cluster) -> float:
    """Promote the replica, and return the seconds that PostgreSQL took for it."""
    begun = time.monotonic()
    site.replica.query("SELECT pg_promote(true, 30)")
    return time.monotonic() - begun


def _check_epoch(site: Cluster, before: str) -> None:
    if site.replica.query(EPOCH) == before:
        raise DrillError("the promotion did not renew the epoch")


def _has_caught_up(site: Cluster) -> bool:
    if site.primary.query(STREAMING) != "1":
        return False
    at = site.primary.query("SELECT pg_current_wal_flush_lsn()")
    return site.replica.query(f"SELECT pg_last_wal_replay_lsn() >= '{at}'") == "True"


@drill(
    "The worker is killed while it generates an archive, and the other server's takes over",
    POSTGRESQL,
    kind=Cluster,
)
def other_worker(site: Cluster) -> Outcome:
    """Kill the worker of one machine: that of the other machine makes the archive."""
    visitor = Visitor(site)
    visitor.get("/events/hall.zip")
    site.machines[0].worker.kill()
    took = wait_until(lambda: visitor.get("/events/hall.zip").status == 200, "there is no archive", 180, 1)
    return Outcome(1, 1, 0, took)

"""Capacity of a cluster: CPU time of each of its parts for the readers and arbiters of an olympiad.

    python -m tools.benchmarks.capacity

Readers are connections with TLS. They have several addresses of the loopback, because nginx limits the
connections of an address. Costs are CPU times of the servers' processes, without the work of the readers.
"""

import asyncio
import html
import re
import ssl
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from statistics import quantiles
from time import monotonic
from typing import NamedTuple, Self

import brotli

from tools.drills.cluster import Cluster
from tools.drills.servers import cpu_seconds
from tools.drills.site import HOST, Prepared, Surroundings
from tools.drills.visitors import SCORES, Arbiter

OLYMPIAD = "/events/olympiad-2018-open/"
LIVE = "/events/hall/"
READERS = 300
IDLE_SECONDS = 15.0
OPEN_PAGES, INTERVAL, SECONDS = 1_000, 5.0, 30.0
"""Open pages of a live round, seconds between two polls of a page, and seconds of a measurement."""

REQUESTS, CONNECTIONS = 15_000, 50
PER_ADDRESS = 150
"""Connections of one address; deploy/nginx.conf permits 200."""

TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TLS.check_hostname, TLS.verify_mode = False, ssl.CERT_NONE  # the certificate is self-signed
POLL = re.compile(rb'hx-get="([^"]+/poll/[^"]+)"')


class Connection:
    """A browser's connection to nginx."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int, number: int) -> Self:
        local = (f"127.0.0.{2 + number // PER_ADDRESS}", 0)
        streams = await asyncio.open_connection("127.0.0.1", port, ssl=TLS, local_addr=local, limit=2**20)
        connection = cls(*streams)
        await connection.get("/static/")  # nginx closes connections without a request after ten seconds
        return connection

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body."""
        request = f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n"
        self._writer.write(request.encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head[9:12])
        if status == 204:
            return status, b""
        if b"content-length:" in head:
            length = head.partition(b"content-length:")[2].partition(b"\r")[0]
            return status, await self._reader.readexactly(int(length))
        chunks = []
        while size := int(await self._reader.readline(), 16):
            chunks.append((await self._reader.readexactly(size + 2))[:-2])
        await self._reader.readline()
        return status, b"".join(chunks)

    def close(self) -> None:
        self._writer.close()


class Costs(NamedTuple):
    """CPU seconds of the parts of a cluster."""

    nginx: float
    sites: float
    primary: float
    replica: float
    redis: float

    @classmethod
    def of(cls, cluster: Cluster) -> Self:
        assert cluster.nginx
        parts = (
            cluster.nginx.process,
            *(each.site.process for each in cluster.machines),
            cluster.redis.process,
        )
        nginx, one, two, redis = (cpu_seconds(each.popen.pid) for each in parts if each)
        primary, replica = (
            cpu_seconds(each.process.pid) for each in (cluster.primary, cluster.replica) if each.process
        )
        return cls(nginx, one + two, primary, replica, redis)

    def since(self, before: "Costs") -> "Costs":
        return Costs(*(now - then for now, then in zip(self, before, strict=True)))

    def shares(self, seconds: float) -> str:
        """Return the shares of a core in so many seconds."""
        parts = ", ".join(f"{part} {cost / seconds:.1%}" for part, cost in self._asdict().items())
        return f"{sum(self) / seconds:.1%} of a core ({parts})"


async def report(cluster: Cluster) -> None:
    idle = await _report_idle(cluster)
    print(f"{'CPU ms':28}{''.join(f'{name:>9}' for name in Costs._fields)}{'a second and core':>19}")
    await _report_responses(cluster)
    await _report_results(cluster)
    await _report_cold(cluster)
    await _report_open_pages(cluster, idle)


async def _report_idle(cluster: Cluster) -> float:
    """Print and return the share of a core that a cluster without requests costs."""
    await asyncio.sleep(IDLE_SECONDS)  # the processes of the workers start
    before, workers = Costs.of(cluster), _seconds_of_workers(cluster)
    await asyncio.sleep(IDLE_SECONDS)
    costs, workers = Costs.of(cluster).since(before), _seconds_of_workers(cluster) - workers
    print(f"idle cluster: {costs.shares(IDLE_SECONDS)}, and its two workers {workers / IDLE_SECONDS:.1%}")
    return sum(costs) / IDLE_SECONDS


def _seconds_of_workers(cluster: Cluster) -> float:
    return sum(cpu_seconds(each.worker.process.popen.pid) for each in cluster.machines)


def _print(name: str, costs: Costs, count: int) -> None:
    each = [1000 * seconds / count for seconds in costs]
    print(f"{name:28}{''.join(f'{part:9.3f}' for part in each)}{1000 / sum(each):19,.0f}")


async def _report_responses(cluster: Cluster) -> None:
    """Print the costs of a new connection, and of a response of each kind."""
    before = Costs.of(cluster)
    _close(await _opened(cluster, READERS))
    _print("new connection", Costs.of(cluster).since(before), READERS)
    connections = await _opened(cluster, CONNECTIONS)
    standings = f"{OLYMPIAD}standings/"
    # A file as large as the page, which is not compressed again.
    (cluster.prepared.static / "page").write_bytes((await connections[0].get(standings))[1])
    poll = await _poll(connections[0])
    numbers = count()
    kinds: dict[str, tuple[int, Callable[[], str]]] = {
        "file as large as a page": (REQUESTS, lambda: "/static/page"),
        "page, cached by nginx": (REQUESTS, lambda: standings),
        "poll, cached by nginx": (REQUESTS, lambda: poll),
        # A parameter that the site does not use, so that nginx has another key.
        "page, cached by a site": (REQUESTS // 10, lambda: f"{standings}?n={next(numbers)}"),
    }
    for name, (requests, path) in kinds.items():
        before = Costs.of(cluster)
        await asyncio.gather(*(_repeat(each, path, requests // CONNECTIONS) for each in connections))
        _print(name, Costs.of(cluster).since(before), requests)
    _close(connections)


async def _report_results(cluster: Cluster) -> None:
    """Print the costs of a result that an arbiter saves, without those of its readers."""
    arbiter = Arbiter(cluster, "second", "next-door")
    before = Costs.of(cluster)
    await asyncio.to_thread(lambda: [arbiter.save(each, "1-0") for each in arbiter.event["pairings"]])
    _print("result saved", Costs.of(cluster).since(before), len(arbiter.acknowledged))


async def _report_cold(cluster: Cluster) -> None:
    """Print the waiting times of readers who come in the same moment, when nothing is cached."""
    draw = Random(READERS)  # the same readers in each run
    standings = f"{OLYMPIAD}standings/"
    rounds = [f"{OLYMPIAD}rounds/{number}/" for number in range(1, 12)]
    teams = [f"{OLYMPIAD}competitors/{number}/" for number in range(1, 186)]
    mixed = [draw.choice(draw.choice([[standings], rounds, teams])) for _ in range(READERS)]
    for paths in ([standings] * READERS, mixed):
        cluster.manage("renew_epoch")
        before = Costs.of(cluster)
        connections = await _opened(cluster, READERS)
        waits = await asyncio.gather(*(_waited(*each) for each in zip(connections, paths, strict=True)))
        _close(connections)
        late, pages = quantiles(waits, n=100), len(set(paths))
        if pages > 1:
            _print("page, not cached", Costs.of(cluster).since(before), pages)
        print(f"{READERS} readers of {pages} pages at once, nothing cached: p99 {late[98]:.2f} s")


async def _report_open_pages(cluster: Cluster, idle: float) -> None:
    """Print the share of a core that open pages of a live round cost, without and with results.

    `idle` is that of the idle cluster.
    """
    connections = await _opened(cluster, OPEN_PAGES)
    arbiter = Arbiter(cluster)
    for name, pause in (("no results", SECONDS), ("a result in 2 s", 2.0)):
        answers, before, end = Counter[int](), Costs.of(cluster), monotonic() + SECONDS
        entering = asyncio.create_task(_enter(arbiter, pause, end))
        first = await _poll(connections[0])
        await asyncio.gather(*(_poll_until(end, each, first, answers) for each in connections))
        await entering
        costs = Costs.of(cluster).since(before)
        statuses = ", ".join(f"{count:,} × {status}" for status, count in sorted(answers.items()))
        print(
            f"{OPEN_PAGES:,} open pages, {name}: {sum(costs) / SECONDS - idle:.1%} of a core beyond the idle"
            f" cluster, in total {costs.shares(SECONDS)}; {statuses}"
        )
    _close(connections)


async def _poll(connection: Connection) -> str:
    """Return the address that the open standings of the live event poll."""
    return _poll_in((await connection.get(f"{LIVE}standings/"))[1])


@cache
def _poll_in(page: bytes) -> str:
    found = POLL.search(brotli.decompress(page))
    assert found, "the page does not poll"
    return html.unescape(found[1].decode())


async def _poll_until(end: float, connection: Connection, address: str, answers: Counter[int]) -> None:
    await asyncio.sleep(Random(id(connection)).uniform(0, INTERVAL))
    while monotonic() < end:
        asked = monotonic()
        status, page = await connection.get(address)
        answers[status] += 1
        address = _poll_in(page) if status == 200 else address
        await asyncio.sleep(max(0.0, asked + INTERVAL - monotonic()))


async def _enter(arbiter: Arbiter, pause: float, end: float) -> None:
    """Enter a result after each pause."""
    pairings = iter(set(arbiter.event["pairings"]) - arbiter.acknowledged.keys())
    while monotonic() + pause < end:
        await asyncio.sleep(pause)
        await asyncio.to_thread(arbiter.save, next(pairings), next(iter(SCORES)))


async def _waited(connection: Connection, path: str) -> float:
    """Return the seconds until the whole page has arrived."""
    begun = monotonic()
    status, _ = await connection.get(path)
    assert status == 200, f"{path}: {status}"
    return monotonic() - begun


async def _repeat(connection: Connection, path: Callable[[], str], times: int) -> None:
    for _ in range(times):
        assert (await connection.get(path()))[0] in {200, 204}


async def _opened(cluster: Cluster, count: int) -> list[Connection]:
    assert cluster.nginx
    opened = []
    for first in range(0, count, CONNECTIONS):  # more at once would wait for each other
        numbers = range(first, min(first + CONNECTIONS, count))
        opened += await asyncio.gather(*(Connection.open(cluster.nginx.port, each) for each in numbers))
    return opened


def _close(connections: Sequence[Connection]) -> None:
    for each in connections:
        each.close()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="capacity-") as folder:
        around = Surroundings(nginx=True, environment={})
        with Cluster(Prepared(Path(folder)), "postgresql", around, short=False) as cluster:
            cluster.manage("import_event", "tournaments/demo/olympiad-2018-open.json")
            asyncio.run(report(cluster))


if __name__ == "__main__":
    main()

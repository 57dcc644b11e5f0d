"""Capacity of a machine: CPU time of nginx, the site and PostgreSQL for the readers of an olympiad.

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
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from statistics import quantiles
from time import monotonic
from typing import NamedTuple, Self

import brotli

from tools.drills.servers import cpu_seconds
from tools.drills.site import HOST, Prepared, Site, Surroundings
from tools.drills.visitors import SCORES, Arbiter

OLYMPIAD = "/events/olympiad-2018-open/"
LIVE = "/events/hall/"
READERS = 300
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
        return cls(*streams)

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
    """CPU seconds."""

    nginx: float
    site: float
    postgresql: float

    @classmethod
    def of(cls, site: Site) -> Self:
        assert site.nginx
        assert site.nginx.process
        assert site.postgres
        assert site.postgres.process
        processes = (site.nginx.process.popen, site.application.popen, site.postgres.process)
        return cls(*(cpu_seconds(each.pid) for each in processes))

    def since(self, before: "Costs") -> "Costs":
        return Costs(*(now - then for now, then in zip(self, before, strict=True)))


async def report(site: Site) -> None:
    await _report_responses(site)
    await _report_cold(site)
    await _report_open_pages(site)


async def _report_responses(site: Site) -> None:
    """Print the CPU time of each kind of response, and how many of them a core can give."""
    connections = await _opened(site, CONNECTIONS)
    # A file as large as the page, which is not compressed again.
    (site.prepared.static / "page").write_bytes((await connections[0].get(f"{OLYMPIAD}standings/"))[1])
    pages = {
        "file of that size": "/static/page",
        "standings": f"{OLYMPIAD}standings/",
        "poll, nothing new": await _poll(connections[0]),
    }
    print(f"{REQUESTS:,} requests over {CONNECTIONS} connections with TLS; CPU ms of a response")
    print(f"{'':20}{'nginx':>9}{'site':>9}{'PostgreSQL':>12}{'a second and core':>20}")
    for name, path in pages.items():
        before = Costs.of(site)
        await asyncio.gather(*(_repeat(each, path, REQUESTS // CONNECTIONS) for each in connections))
        costs = [1000 * seconds / REQUESTS for seconds in Costs.of(site).since(before)]
        print(f"{name:20}{costs[0]:9.3f}{costs[1]:9.3f}{costs[2]:12.3f}{1000 / sum(costs):20,.0f}")
    _close(connections)


async def _report_cold(site: Site) -> None:
    """Print the waiting times of readers who come in the same moment, when nothing is cached."""
    draw = Random(READERS)  # the same readers in each run
    standings = f"{OLYMPIAD}standings/"
    rounds = [f"{OLYMPIAD}rounds/{number}/" for number in range(1, 12)]
    teams = [f"{OLYMPIAD}competitors/{number}/" for number in range(1, 186)]
    mixed = [draw.choice(draw.choice([[standings], rounds, teams])) for _ in range(READERS)]
    for paths in ([standings] * READERS, mixed):
        site.manage("renew_epoch")
        connections = await _opened(site, READERS)
        waits = await asyncio.gather(*(_waited(*each) for each in zip(connections, paths, strict=True)))
        _close(connections)
        late = quantiles(waits, n=100)
        print(
            f"{READERS} readers of {len(set(paths))} pages at once, nothing cached: "
            f"p50 {late[49]:.2f} s, p99 {late[98]:.2f} s"
        )


async def _report_open_pages(site: Site) -> None:
    """Print the share of a core that open pages of a live round cost, without and with results."""
    connections = await _opened(site, OPEN_PAGES)
    arbiter = Arbiter(site)
    for name, pause in (("no results", SECONDS), ("a result in 2 s", 2.0)):
        answers, before, end = Counter[int](), Costs.of(site), monotonic() + SECONDS
        entering = asyncio.create_task(_enter(arbiter, pause, end))
        first = await _poll(connections[0])
        await asyncio.gather(*(_poll_until(end, each, first, answers) for each in connections))
        await entering
        costs = Costs.of(site).since(before)
        shares = ", ".join(f"{part} {seconds / SECONDS:.1%}" for part, seconds in costs._asdict().items())
        statuses = ", ".join(f"{count:,} × {status}" for status, count in sorted(answers.items()))
        print(
            f"{OPEN_PAGES:,} open pages, {name}: {sum(costs) / SECONDS:.1%} of a core ({shares}); {statuses}"
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


async def _repeat(connection: Connection, path: str, times: int) -> None:
    for _ in range(times):
        assert (await connection.get(path))[0] in {200, 204}


async def _opened(site: Site, count: int) -> list[Connection]:
    assert site.nginx
    opened = []
    for first in range(0, count, CONNECTIONS):  # a new TLS connection costs the server 1 ms
        numbers = range(first, min(first + CONNECTIONS, count))
        opened += await asyncio.gather(*(Connection.open(site.nginx.port, each) for each in numbers))
    return opened


def _close(connections: Sequence[Connection]) -> None:
    for each in connections:
        each.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="capacity-") as folder:
        prepared = Prepared(Path(folder))
        around = Surroundings(nginx=True, environment={"CACHE_URL": "filecache://{folder}/cache"})
        with Site(prepared, "postgresql", around, short=False) as site:
            site.manage("import_event", "tournaments/demo/olympiad-2018-open.json")
            asyncio.run(report(site))

"""The worker is killed while it generates an archive."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from zipfile import ZipFile

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.probes import BUSY
from tools.drills.servers import Process, Unit, wait_until
from tools.drills.site import Site
from tools.drills.visitors import Arbiter, Visitor, asking, lost, together

PAGE, ZIP, PROGRESS = "/events/hall/", "/events/hall.zip", "/events/hall/archive/"
CLIENTS = 10
LONGEST_READ = 8.0
"""Maximum seconds for readers while an archive is generated and results are saved, on two cores."""


class Worker:
    """The worker, started as by its unit."""

    def __init__(self, site: Site) -> None:
        self.unit = Unit("crosstable-worker", site.folder)
        self.site = site
        self.process = self._start()

    def kill(self) -> None:
        """Kill the worker, and restart it as systemd does."""
        self.process.popen.send_signal(signal.SIGKILL)
        self.process.popen.wait()
        time.sleep(self.unit.pause)
        self.process = self._start()

    def _start(self) -> Process:
        environment = self.site.environment | self.unit.environment
        return Process(self.unit.command(), self.site.folder / "worker.log", environment)


@contextmanager
def worker_of(site: Site) -> Iterator[Worker]:
    worker = Worker(site)
    try:
        yield worker
    finally:
        worker.process.stop()


@drill("An archive is asked for by ten, and the worker is killed while it makes it")
def archive_for_ten(site: Site) -> Outcome:
    """Save results and read at the same time: ten readers get the archive, and no reader waits long."""
    arbiters = [Arbiter(site, "first"), Arbiter(site, "second", "next-door")]
    count = int(site.seconds(40, 15))
    end = time.monotonic() + 180

    def enter(arbiter: Arbiter) -> int:
        return sum(
            arbiter.insist(pairing, "1-0", end, pause=0.1) for pairing in arbiter.event["pairings"][:count]
        )

    def fetch() -> bytes:
        visitor = Visitor(site)
        while time.monotonic() < end:
            answer = visitor.get(ZIP)
            if answer.status == 200:
                return answer.body
            if answer.status != 202 or "retry-after" not in answer.headers:
                raise DrillError(f"{ZIP} answered {answer.status}")
            time.sleep(0.5)
        raise DrillError("the archive did not come")

    with worker_of(site) as worker:

        def kill() -> float:
            wait_until(partial(_is_being_made, Visitor(site)), "the archive is not begun")
            worker.kill()
            return wait_until(lambda: Visitor(site).get(ZIP).status == 200, "the archive does not come")

        acts: list[Callable[[], object]] = [
            kill,
            *[fetch] * CLIENTS,
            *(partial(enter, each) for each in arbiters),
        ]
        with asking(Visitor(site), PAGE, "/events/next-door/") as reading:
            recovered, *rest = together(acts)
    for body in rest[:CLIENTS]:
        with ZipFile(BytesIO(body)) as archive:
            if archive.testzip() or "hall/SHA256SUMS" not in archive.namelist():
                raise DrillError("an archive is damaged")
    if reading.worst > site.seconds(LONGEST_READ, BUSY):
        raise DrillError(f"a reader waited {reading.worst:.1f} s")
    sent = sum(len(arbiter.sent) for arbiter in arbiters)
    acknowledged = sum(len(arbiter.acknowledged) for arbiter in arbiters)
    remarks = [f"readers: {reading}", f"{CLIENTS} archives of {len(rest[0]) // 1000} kB"]
    return Outcome(sent, acknowledged, lost(site, arbiters), recovered, remarks)


def _is_being_made(visitor: Visitor) -> bool:
    # Requests the progress, because the archive of one revision may be complete before the pages show it.
    answer = visitor.get(PROGRESS)
    return bool(answer.status == 202 and answer.json()["status"] == "making")

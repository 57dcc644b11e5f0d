"""The application's processes hang or are killed."""

import signal
import tempfile
import time
from functools import partial
from pathlib import Path

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.servers import send, wait_until
from tools.drills.site import Site
from tools.drills.visitors import Arbiter, Visitor, asking, lost, together

PAGE = "/events/hall/"


@drill("A serving process hangs, and the watchdog replaces it", "sqlite")
def hanging_worker(site: Site) -> Outcome:
    """Freeze one of two processes: it is replaced, and afterwards all requests respond immediately again."""
    visitor = Visitor(site)
    wait_until(lambda: len(site.application.workers) > 1, "there is only one process")
    frozen = site.application.workers[0]
    # A process that has not yet loaded the site has no heartbeat that could stop.
    wait_until(lambda: has_heartbeat(frozen), "the process does not start")
    send(frozen, signal.SIGSTOP)
    recovered = wait_until(lambda: frozen not in site.application.workers, "the process is not replaced")
    wait_until(lambda: len(site.application.workers) > 1, "no other process is started")
    wait_until(
        lambda: all(visitor.get(PAGE, patience=5).status == 200 for _ in range(8)), "the site does not answer"
    )
    if f"The serving process {frozen} hung and was killed." not in site.log:
        raise DrillError("the log does not say so")
    return Outcome(recovered=recovered)


def has_heartbeat(pid: int) -> bool:
    return any(Path(tempfile.gettempdir()).glob(f"heartbeats-*/{pid}"))


@drill("Workers are killed while results are saved")
def killed_workers(site: Site) -> Outcome:
    """Kill every worker repeatedly: the server starts new ones, and no acknowledged result is lost."""
    arbiters = [Arbiter(site, "first"), Arbiter(site, "second", "next-door")]
    visitor, count = Visitor(site), int(site.seconds(40, 12))
    end = time.monotonic() + site.seconds(120, 30)

    def enter(arbiter: Arbiter) -> int:
        return sum(
            arbiter.insist(pairing, "1-0", end, pause=0.1) for pairing in arbiter.event["pairings"][:count]
        )

    def kill() -> float:
        for _ in range(int(site.seconds(5, 2))):
            time.sleep(0.4)
            for worker in site.application.workers:
                send(worker, signal.SIGKILL)
        return wait_until(lambda: visitor.get("/readyz").status == 200, "the site does not come back")

    with asking(visitor, PAGE, patience=5) as reading:
        recovered, *_ = together([kill, *(partial(enter, arbiter) for arbiter in arbiters)])
    sent = sum(len(arbiter.sent) for arbiter in arbiters)
    acknowledged = sum(len(arbiter.acknowledged) for arbiter in arbiters)
    return Outcome(sent, acknowledged, lost(site, arbiters), recovered, [f"readers: {reading}"])

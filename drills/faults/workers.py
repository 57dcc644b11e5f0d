"""The application's processes end in the middle of their work."""

import signal
import time
from functools import partial

from drills.drill import Outcome, drill
from drills.servers import send, wait_until
from drills.site import Site
from drills.visitors import Arbiter, Visitor, asking, lost, together

PAGE = "/events/hall/"


@drill("Workers are killed while results are saved")
def killed_workers(site: Site) -> Outcome:
    """Kill every worker, again and again; the server starts new ones, and what was acknowledged stands."""
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

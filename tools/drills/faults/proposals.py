"""The worker pairs a thousand players under load, or exceeds the time limit."""

import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.faults.archives import worker_of
from tools.drills.servers import wait_until
from tools.drills.site import Site, run
from tools.drills.visitors import Answer, Arbiter, Tally, Visitor, lost, repeating, together

POLL = "/events/hall/poll/?page=standings&revision=none"
READERS, INTERVAL = 50, 5.0
"""Number of readers, and the seconds between two requests of each, as the page polls."""

TYPING = 0.7
"""Seconds between two results of an arbiter."""

OPEN_PLAYERS = 1_000
LATE = b"The engine took longer than it may"
"""Text on the screen."""

OVERDUE = 180.0
"""Seconds after which the drill fails if a thousand players are not paired."""


@drill("A proposal for 1,000 players is made while 50 readers poll and two arbiters type", "postgresql")
def large_proposal(site: Site) -> Outcome:
    """Compare the waiting times before and during the pairing; all acknowledged results are stored."""
    arbiters = [Arbiter(site, "first"), Arbiter(site, "second", "next-door")]
    before, beside, reader = Phase(), Phase(), Visitor(site)
    now = [before]
    for _ in range(16):  # enough to reach every worker
        reader.get(POLL)
    with worker_of(site), ExitStack() as readers:
        for _ in range(READERS):
            readers.enter_context(repeating(lambda: now[0].reads.add(reader.get(POLL)), INTERVAL))
        _type(arbiters, slice(20), before, site.seconds(TYPING, 0.2))
        now[0] = beside
        begun = time.monotonic()
        asked = _propose(site)
        _type(arbiters, slice(20, 40), beside, site.seconds(TYPING, 0.2))
        _await(site)
        took = time.monotonic() - begun
    if (pairings := _pairings(site)) != OPEN_PLAYERS // 2:
        raise DrillError(f"{pairings} pairings were proposed")
    sent = sum(len(arbiter.sent) for arbiter in arbiters)
    acknowledged = sum(len(arbiter.acknowledged) for arbiter in arbiters)
    remarks = [
        f"asked for in {asked.seconds:.1f} s, there after {took:.1f} s",
        f"before it: {before}",
        f"beside it: {beside}",
    ]
    return Outcome(sent, acknowledged, lost(site, arbiters), None, remarks)


@drill("A proposal for 1,000 players gets a second", "sqlite", environment={"PAIRING_SECONDS": "1"})
def late_proposal(site: Site) -> Outcome:
    """Request a pairing that exceeds the time limit: the screen shows this, and the round has no pairings."""
    with worker_of(site):
        _propose(site)
        led = _await(site)
        # A browser also returns the cookies that were set on the way.
        told, asker = led.headers.get("set-cookie", "").partition(";")[0], _asker(site)
        page = asker.get(site.told["open"]["screen"], Cookie=f"{asker.cookie}; {told}")
    if pairings := _pairings(site):
        raise DrillError(f"it came all the same: {pairings} pairings")
    if LATE not in page.body:
        raise DrillError("the screen does not say that it took too long")
    return Outcome(remarks=["the screen says so, and the round has no pairing"])


@dataclass
class Phase:
    """The responses to readers and to arbiters in a part of the drill."""

    reads: Tally = field(default_factory=Tally)
    saves: Tally = field(default_factory=Tally)

    def __str__(self) -> str:
        return f"readers {self.reads}; saves {self.saves}"


def _type(arbiters: list[Arbiter], which: slice, phase: Phase, pause: float) -> None:
    """Let each arbiter enter these results of an event, one after another."""

    def enter(arbiter: Arbiter) -> None:
        arbiter.answers = phase.saves
        for pairing in arbiter.event["pairings"][which]:
            time.sleep(pause)
            arbiter.insist(pairing, "½-½", time.monotonic() + OVERDUE)

    together([partial(enter, each) for each in arbiters])


def _asker(site: Site) -> Visitor:
    return Visitor(site, site.told["users"]["first"]["cookie"])


def _propose(site: Site) -> Answer:
    answer = _asker(site).post(site.told["open"]["propose"], b"")
    if answer.status != 302:
        raise DrillError(f"a proposal was asked for and answered {answer.status}: {answer.body[:300]!r}")
    return answer


def _await(site: Site) -> Answer:
    """Poll the waiting page as a browser does until it redirects; return that response."""
    asker, answers = _asker(site), list[Answer]()

    def is_over() -> bool:
        time.sleep(1.0)
        answers.append(asker.get(site.told["open"]["wait"]))
        return answers[-1].status != 202

    wait_until(is_over, "the proposal does not come", OVERDUE)
    return answers[-1]


def _pairings(site: Site) -> int:
    return int(run(site.environment, "-m", "tools.drills.record", "paired"))

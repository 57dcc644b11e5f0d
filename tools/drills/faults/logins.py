"""Sixteen clients guess passwords as fast as possible."""

import time
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.site import Site
from tools.drills.visitors import Answer, Arbiter, Tally, Visitor, asking, lost, together

GUESSERS = 16
HALL, ATTACKER = "198.51.100.7", "203.0.113.66"
PAGE = "/events/hall/"
FORM = "application/x-www-form-urlencoded"
MOST_GROWTH = 120
"""Maximum growth of the workers' memory, in MiB. Each concurrent password check takes 19."""


@drill("Sixteen clients guess passwords while readers read and an arbiter logs in", "sqlite")
def guessed_passwords(site: Site) -> Outcome:
    """Guess from one address, and from the hall's; users with a known browser log in without delay."""
    arbiter, guesses, password = Arbiter(site), Tally(), site.told["password"]
    before = [
        _log_in(site, "first", password, HALL).status for _ in range(8)
    ]  # each worker hashes, each reads
    if set(before) != {302}:
        raise DrillError(f"the arbiter does not get in before anything happens: {before}")
    for _ in range(20):
        Visitor(site).get(PAGE)
    quiet = _memory(site)
    end = time.monotonic() + site.seconds(30, 5)

    def guess(number: int) -> None:
        address = HALL if number % 4 == 0 else ATTACKER
        while time.monotonic() < end:
            name = f"name {guesses.statuses.total()}" if number % 2 else "second"
            guesses.add(_log_in(site, name, "guessed", address))

    def work() -> tuple[Answer, float]:
        time.sleep(site.seconds(5, 2))
        login = _log_in(site, "first", password, HALL)
        for pairing in arbiter.event["pairings"][: int(site.seconds(20, 5))]:
            arbiter.save(pairing, "1-0")
        return login, _memory(site)

    with asking(Visitor(site), PAGE, pause=0.02) as reading:
        (login, busy), *_ = together([work, *(partial(guess, number) for number in range(GUESSERS))])
    if login.status != 302:
        raise DrillError(f"the arbiter is answered {login.status} where he has logged in before")
    if guesses.statuses[429] + guesses.statuses[503] < guesses.statuses.total() // 2:
        raise DrillError(f"guessing is not delayed: {guesses}")
    if busy - quiet > MOST_GROWTH:
        raise DrillError(f"the workers take {busy - quiet:.0f} MiB more")
    remarks = [
        f"guesses: {guesses}",
        f"readers: {reading}",
        f"the arbiter's login: {login.seconds:.2f} s",
        f"memory of the workers: {quiet:.0f} MiB, then {busy:.0f} MiB at most",
    ]
    return Outcome(len(arbiter.sent), len(arbiter.acknowledged), lost(site, [arbiter]), None, remarks)


def _log_in(site: Site, name: str, password: str, address: str) -> Answer:
    body = urlencode({"username": name, "password": password, "next": "/admin/"}).encode()
    return Visitor(site, address=address).post("/admin/login/", body, Content_Type=FORM)


def _memory(site: Site) -> float:
    """Return the sum of the workers' maximum memory so far, in MiB."""
    status = [Path(f"/proc/{worker}/status").read_text() for worker in site.application.workers]
    peaks = [line.split()[1] for each in status for line in each.splitlines() if line.startswith("VmHWM")]
    return sum(map(int, peaks)) / 1024

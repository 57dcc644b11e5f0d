"""A backup, and housekeeping, while results are entered."""

import subprocess
import time
from functools import partial
from pathlib import Path

import psycopg

from tools.drills.drill import Outcome, drill
from tools.drills.servers import wait_until
from tools.drills.site import Site
from tools.drills.visitors import SCORES, Arbiter, Visitor, asking, lost, together
from tools.withpg import find_programs

PAGE = "/events/hall/"


@drill("A backup is made while results are entered", environment={"PG_BINDIR": str(find_programs())})
def backup_beside_saving(site: Site) -> Outcome:
    """Back up twice while arbiters save: the dump contains all results acknowledged before its start."""
    arbiters = [Arbiter(site, "first"), Arbiter(site, "second", "next-door")]
    folder, end = site.folder / "backups", time.monotonic() + site.seconds(120, 60)
    folder.mkdir()
    before: dict[int, str] = {}

    def enter(arbiter: Arbiter) -> None:
        for pairing in arbiter.event["pairings"][: int(site.seconds(40, 15))]:
            arbiter.insist(pairing, "1-0", end, pause=0.1)
            time.sleep(site.seconds(0.2, 0.1))

    def back_up() -> list[str]:
        wait_until(lambda: all(arbiter.acknowledged for arbiter in arbiters), "nothing is saved")
        for arbiter in arbiters:
            before.update(arbiter.acknowledged)
        made = site.manage("backup", str(folder))
        site.manage("housekeeping")
        return made.splitlines()

    with asking(Visitor(site), PAGE, patience=5) as reading:
        made, *_ = together([back_up, *(partial(enter, arbiter) for arbiter in arbiters)])
    missing = lost_in_dump(site, folder, before)
    sent = sum(len(arbiter.sent) for arbiter in arbiters)
    acknowledged = sum(len(arbiter.acknowledged) for arbiter in arbiters)
    remarks = [*made, f"{len(before)} results were acknowledged before; readers: {reading}"]
    return Outcome(sent, acknowledged, missing + lost(site, arbiters), None, remarks)


def lost_in_dump(site: Site, folder: Path, acknowledged: dict[int, str]) -> int:
    """Return how many of these results are missing in the folder's only dump, after restoring it."""
    (dump,) = (path for path in folder.iterdir() if path.suffix in {".sqlite3", ".dump"})
    url = f"sqlite:///{dump}"
    if site.postgres:
        url = site.postgres.url.replace("/postgres?", "/restored?")
        with psycopg.connect(site.postgres.url, autocommit=True) as own:
            own.execute("CREATE DATABASE restored")
        program = find_programs() / "pg_restore"
        subprocess.run([program, "--no-owner", "--exit-on-error", f"--dbname={url}", dump], check=True)
    held = site.stored(url)
    return sum(held.get(pairing, ())[:2] != SCORES[text] for pairing, text in acknowledged.items())

"""A backup is restored: no client gets 304 for a page of the lost state, even for an equal revision.

Other programs than `crosstable restore` restore it, as docs/deployment.md allows; this is repeated without
`renew_epoch`, and on PostgreSQL under a running site.
"""

import re
import sqlite3
import subprocess
import time
from collections.abc import Callable
from gzip import decompress

from tools.drills.drill import DrillError, Outcome, drill
from tools.drills.servers import Postgres, wait_until
from tools.drills.site import Site
from tools.drills.visitors import Answer, Arbiter, Visitor, lost

STANDINGS = "/events/hall/standings/"
READ = (
    STANDINGS,
    "/events/hall/",
    "/events/hall.csv",
    "/events/hall.json",
    "/api/events/hall/standings/",
    "/",
)
STAMP = re.compile(rb"revision=([0-9a-f]+)-([0-9]+)&")
KEPT_BY_NGINX = 3
"""Seconds after which nginx has revalidated all cached responses."""

AS_BEFORE = """
from tournaments.models import Revision
assert Revision.objects.get(event__slug="hall").number <= {event}
Revision.objects.filter(event__slug="hall").update(number={event})
"""


class Reader:
    """A browser that caches pages with their ETag, and a page that polls."""

    def __init__(self, site: Site) -> None:
        self.site, self.visitor = site, Visitor(site)
        self.pages: dict[str, Answer] = {}
        self.stamp = ("", "")

    def read(self) -> None:
        """Request every page until all match the database, and cache them."""
        wait_until(lambda: self.visitor.get(STANDINGS).status == 200, "the site does not answer")
        time.sleep(KEPT_BY_NGINX)
        for path in READ:
            self.visitor.get(path)  # nginx may respond from its cache while it revalidates
        time.sleep(1.5)
        self.pages = {path: self.visitor.get(path) for path in READ}
        found = STAMP.search(decompress(self.pages[STANDINGS].body))
        if found is None or {answer.status for answer in self.pages.values()} != {200}:
            raise DrillError("a page was not read before the restore")
        self.stamp = found[1].decode(), found[2].decode()

    def refuse(self, when: str) -> None:
        """Raise DrillError if a page or the poll is considered fresh or has the cached content."""
        for path, kept in self.pages.items():
            answer = self.visitor.get(path, If_None_Match=kept.headers["etag"])
            if answer.status != 200 or (path != "/" and answer.body == kept.body):
                raise DrillError(f"{when}: {path} is taken for fresh ({answer.status})")
            if answer.headers["etag"] == kept.headers["etag"]:
                raise DrillError(f"{when}: {path} has the ETag of what was lost")
        stamp = "-".join(self.stamp)
        polled = self.visitor.get(f"/events/hall/poll/?revision={stamp}&page=standings")
        if polled.status != 200 or stamp.encode() in decompress(polled.body):
            raise DrillError(f"{when}: an open page is not told of what changed ({polled.status})")


class SqliteBackup:
    """A copy of the file."""

    def __init__(self, site: Site) -> None:
        self.database = site.folder / "lib" / "db.sqlite3"
        self.file = site.folder / "backup.sqlite3"
        self.file.unlink(missing_ok=True)
        sqlite3.connect(self.database).execute("VACUUM INTO ?", [str(self.file)])

    def restore(self) -> None:
        """Replace the file, without the WAL of the old file."""
        for ending in ("-wal", "-shm"):
            self.database.with_name(f"{self.database.name}{ending}").unlink(missing_ok=True)
        self.file.replace(self.database)


class PostgresqlBackup:
    """A dump of pg_dump. Emptying the database ends its connections."""

    def __init__(self, site: Site, server: Postgres) -> None:
        self.server, self.file = server, site.folder / "backup.dump"
        self._run("pg_dump", "--format=custom", f"--file={self.file}", server.url)

    def restore(self) -> None:
        """Restore into a new, empty database with the same name."""
        elsewhere = self.server.url.replace("/postgres?", "/template1?")
        self._run("psql", elsewhere, "--command=DROP DATABASE postgres WITH (FORCE)")
        self._run("psql", elsewhere, "--command=CREATE DATABASE postgres")
        options = ("--no-owner", "--exit-on-error", "--single-transaction")
        self._run("pg_restore", *options, f"--dbname={self.server.url}", str(self.file))

    def _run(self, program: str, *given: str) -> None:
        subprocess.run([self.server.programs / program, *given], check=True, capture_output=True, timeout=60)


Backup = SqliteBackup | PostgresqlBackup


@drill("A backup is restored while readers keep what was lost", nginx=True)
def restored(site: Site) -> Outcome:
    """Restore a backup, and raise the revisions to their previous values; no reader gets old content."""

    def by_the_book(backup: Backup) -> None:
        site.stop()
        backup.restore()
        site.manage("migrate", "--verbosity=0")
        site.manage("renew_epoch")
        site.start()

    def without_the_command(backup: Backup) -> None:
        site.stop()
        backup.restore()
        site.start()

    def under_a_running_site(backup: Backup) -> None:
        backup.restore()

    ways = [by_the_book, without_the_command, *([under_a_running_site] if site.postgres else [])]
    ways = ways[-1:] if site.short else ways
    arbiters = [Arbiter(site) for _ in ways]
    times = [
        _restored(site, arbiter, arbiter.event["pairings"][5 * turn : 5 * turn + 5], way)
        for turn, (way, arbiter) in enumerate(zip(ways, arbiters, strict=True))
    ]
    names = ", ".join(way.__name__.replace("_", " ") for way in ways)
    return Outcome(
        sum(len(arbiter.sent) for arbiter in arbiters),
        sum(len(arbiter.acknowledged) for arbiter in arbiters),
        lost(site, arbiters),
        max(times),
        [f"restored {names}: {len(READ)} addresses and a poll at the same revision, none taken for fresh"],
    )


def _restored(site: Site, arbiter: Arbiter, pairings: list[int], restore: Callable[[Backup], None]) -> float:
    """Lose results, restore, and save until the same revision; return the seconds until saves succeeded.

    The results that the arbiter saves are in the backup, or were saved after the restore.
    """
    when = restore.__name__.replace("_", " ")
    kept, *gone = pairings
    _insist(arbiter, kept, "1-0")
    backup = PostgresqlBackup(site, site.postgres) if site.postgres else SqliteBackup(site)
    in_vain, reader = Arbiter(site), Reader(site)
    for pairing in gone:
        _insist(in_vain, pairing, "1-0")
    reader.read()
    restore(backup)
    begun = time.monotonic()
    # Before any read, so that the first comparison finds a database that is nearly up to date.
    _insist(arbiter, gone[0], "0-1")
    took = time.monotonic() - begun
    site.manage("shell", "--verbosity=0", "--command", AS_BEFORE.format(event=reader.stamp[1]))
    time.sleep(KEPT_BY_NGINX)
    reader.refuse(when)
    before = reader.stamp
    reader.read()
    if reader.stamp[1] != before[1] or reader.stamp[0] == before[0]:
        raise DrillError(f"{when}: at {'-'.join(reader.stamp)} after {'-'.join(before)} nothing is tried")
    return took


def _insist(arbiter: Arbiter, pairing: int, text: str) -> None:
    if not arbiter.insist(pairing, text, time.monotonic() + 30):
        raise DrillError(f"a result was not taken in: {arbiter.answers}")

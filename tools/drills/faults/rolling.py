"""Two machines are updated in turn: the previous and this version run alongside each other."""

import re
import subprocess
import time
from http.client import HTTPConnection
from pathlib import Path

from tools.drills.cluster import Cluster, Machine
from tools.drills.drill import POSTGRESQL, DrillError, Outcome, drill
from tools.drills.faults.machines import Load
from tools.drills.servers import ROOT, Unit, wait_until
from tools.drills.site import manage
from tools.drills.visitors import Visitor

MIGRATIONS = "tournaments/migrations"


class PreviousUnit(Unit):
    """A unit that runs the previous version of the program."""

    def __init__(self, name: str, folder: Path, tree: Path) -> None:
        super().__init__(name, folder)
        self.tree = tree

    def command(self, name: str = "ExecStart") -> list[str]:
        return ["env", f"--chdir={self.tree}", *super().command(name)]


@drill("Two machines are updated in turn, with a migration", POSTGRESQL, kind=Cluster)
def rolling_update(site: Cluster) -> Outcome:
    """Migrate and update the first machine while the second serves the previous version, and then the second.

    No request fails: nginx sends none to a machine that is being updated.
    """
    tree, last = unpack_previous(site.folder / "previous")
    for machine in site.machines:
        machine.stop()
    manage(site.environment, "migrate", "tournaments", last, "--verbosity=0")
    units = [(machine.site.unit, machine.worker.unit) for machine in site.machines]
    for machine in site.machines:
        machine.site.unit = PreviousUnit("crosstable", machine.folder, tree)
        machine.worker.unit = PreviousUnit("crosstable-worker", machine.folder, tree)
        start(site, machine)
    load, builds, nginx = Load(site), set[str](), site.nginx
    assert nginx  # noqa: S101 - a cluster has one
    with load.running(site.seconds(60, 30)):
        for machine, (serving, working) in zip(site.machines, units, strict=True):
            others = [each.address for each in site.machines if each is not machine]
            builds.add(build_of(site, machine))
            nginx.send_to(*others)
            machine.stop()
            if machine is site.machines[0]:
                manage(site.environment, "migrate", "--verbosity=0")
            machine.site.unit, machine.worker.unit = serving, working
            start(site, machine)
            builds.add(build_of(site, machine))
            nginx.send_to(*(each.address for each in site.machines))
            time.sleep(3)
    if len(builds) != 2:
        raise DrillError(f"{len(builds)} versions ran instead of 2: {builds}")
    tallies = [each.tally for each in load.readers] + [each.answers for each in load.arbiters]
    failed = sum(count for each in tallies for status, count in each.statuses.items() if status != 200)
    if failed:
        raise DrillError(f"{failed} requests failed: {'; '.join(map(str, tallies))}")
    requests = sum(each.statuses[200] for each in tallies)
    return load.outcome(f"migrated from {last}; 0 of {requests} requests failed")


class Direct(Visitor):
    """A browser that requests pages of a machine without nginx."""

    def __init__(self, site: Cluster, machine: Machine) -> None:
        super().__init__(site)
        self.port = machine.port

    def connection(self, patience: float) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=patience)

    def headers(self, method: str, headers: dict[str, str]) -> dict[str, str]:
        return super().headers(method, headers) | {"X-Forwarded-Proto": "https"}


def unpack_previous(tree: Path) -> tuple[Path, str]:
    """Unpack the program from before the newest migration, or if that is not compatible, the last commit.

    Return its folder and its last migration. Raise DrillError without the history of git.
    """
    newest = max((ROOT / MIGRATIONS).glob("0*.py"))
    revision = "HEAD"
    if "KeepsOlderPrograms(" in newest.read_text():
        revision = (
            run("git", "log", "-1", "--format=%H", "--diff-filter=A", "--", str(newest)).decode().strip()
        )
    tree.mkdir()
    run("tar", "--extract", f"--directory={tree}", given=run("git", "archive", f"{revision}^"))
    return tree, max((tree / MIGRATIONS).glob("0*.py")).stem


def run(*command: str, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(command, input=given, cwd=ROOT, check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.CalledProcessError) as fault:
        raise DrillError("there is no previous version: clone the whole history with git") from fault
    return done.stdout


def start(site: Cluster, machine: Machine) -> None:
    machine.start()
    wait_until(lambda: Direct(site, machine).get("/readyz").status == 200, "the machine is not ready")


def build_of(site: Cluster, machine: Machine) -> str:
    """Return the build of the program, which is a part of every ETag."""
    etag = Direct(site, machine).get("/").headers["etag"]
    found: str = re.findall(r"-([0-9a-f]{12})-[0-9a-f]{24}-", etag)[0]
    return found

"""Run every command of docs/deployment.md on adding a second machine and losing the first; check the site.

    sudo .venv/bin/python -m tools.drills.second_machine [--base FILE.tar] [--package FILE.deb]

Each machine is an empty Debian as in `tools/drills/deployment.py`, whose first section sets up machine 1. A
virtual cable joins their network namespaces, with the addresses of the page; nothing else is reachable. More
differences to real machines: `systemctl.py` starts PostgreSQL and Redis, and only reads the exports of NFS;
`mount` binds the exported folder without NFS; `scp` copies from the folder of machine 1 without ssh.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple
from zipfile import ZipFile

from tools.drills.deployment import (
    DELETE_ALL,
    DOWNLOADED,
    EVENT,
    EXPORT,
    FIRST,
    GUIDE,
    IS_AS_BEFORE,
    PAGE,
    RELEASES,
    SECTION,
    SITE,
    STYLE,
    VERSIONS,
    debian,
    enter,
    follow,
    in_namespaces,
    prepared,
    release,
    replace,
    sections,
)
from tools.drills.drill import DrillError
from tools.drills.servers import ROOT, wait_until

STEP = re.compile(r"^\d\. On machine (\d),(.*\n(?:(?: .*)?\n)*)", re.MULTILINE)
BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)

ADDRESSES = ONE, TWO = "10.0.0.11", "10.0.0.12"
"""Addresses of the machines on the page."""

INSTEAD = {
    "apt-get install --yes curl postgresql nfs-common": (
        "apt-get install --yes curl postgresql nfs-common python3\n"
        "systemctl start postgresql.service\n"
        "install /var/tmp/mount.nfs4 /sbin"
    ),
    "apt-get install --yes ./crosstable_1.0.0_amd64.deb": (
        "apt-get install --yes ./crosstable_1.0.0_amd64.deb\nsystemctl start nginx.service"
    ),
}
"""Packages start no services without systemd."""

SCP = f"""#!/bin/bash -e
while [ $# -gt 1 ]; do
    cd /mnt/root
    file=$(realpath "${{1#root@{ONE}:}}")
    cd "$OLDPWD"
    cp "/mnt${{file#/mnt}}" "${{@: -1}}"
    shift
done
"""
MOUNT = rf"""#!/bin/sh -e
[ "$1" = {ONE}:/ ]
folder=$(sed --quiet 's/^\(\S*\) {TWO}(rw,.*fsid=0[,)].*/\1/p' /mnt/etc/exports)
mount --bind "/mnt${{folder:?}}" "$2"
"""
READY = '[ "$(curl --insecure --resolve "$SITE:443:127.0.0.1" "https://$SITE/readyz")" = ok ]'
SECONDS = 120
OTHER = "1948-world-championship"
ACCESS = """
from django.contrib.auth.models import User
from tournaments.accounts.services.tokens import create_token

values = {"name": "drill", "actions": ["create", "results"], "all_events": True, "ends": None}
print(create_token(User.objects.get(username="anna"), values)[1])
"""


class Machine(NamedTuple):
    """A Debian, the process that has its namespaces, and its address."""

    root: Path
    holder: int
    address: str

    def run(self, commands: str) -> None:
        """Run commands as root in /root."""
        enter(self.root, f"{SITE}cd /root\n{commands}\n", self.holder)

    def output(self, commands: str) -> str:
        return enter(self.root, SITE + commands, self.holder, stdout=subprocess.PIPE).decode().strip()

    def request(self, path: str, *options: str) -> bytes:
        """Return the response of the machine's application server, and wait for it if it has just started."""
        retry = f"--retry {SECONDS} --retry-delay 1 --retry-max-time {SECONDS} --retry-all-errors"
        headers = '--header "Host: $SITE" --header "X-Forwarded-Proto: https"'
        address = f"'http://{self.address}:8000{path}'"
        command = f"curl --fail --silent --show-error {retry} {headers} {' '.join(options)} {address}"
        return enter(self.root, SITE + command, self.holder, stdout=subprocess.PIPE)

    def wait_until_ready(self, answer: str = "ok") -> None:
        expected = f"{answer}\n".encode()
        wait_until(lambda: self.request("/readyz") == expected, f"not “{answer}”", SECONDS, pause=1)

    def archive(self, slug: str) -> bytes:
        """Request the archive of an event until a worker has made it."""
        path = f"/events/{slug}.zip"
        wait_until(lambda: self.request(path).startswith(b"PK"), "no archive", SECONDS, pause=1)
        return self.request(path)


def main() -> None:
    """Set up both machines and check them; exit at the first failure."""
    with prepared(__doc__ or "") as (base, package), machines(base) as (one, two):
        release(package, one.root / RELEASES[1:], VERSIONS[:1])
        page = GUIDE.read_text()
        follow(one.root, FIRST, dict(sections(page))[FIRST], one.holder)
        one.run("crosstable backup")
        # The steps of a machine are for the same shell.
        for number, group in groupby(steps(page), itemgetter(0)):
            print(f"--- machine {number}", flush=True)
            # A shell does not stop at a failure before “&&”.
            commands = "".join(commands for _, commands in group).replace(" && ", "\n")
            (one, two)[number - 1].run(replace(commands, INSTEAD))
            if number == 1:
                one.wait_until_ready("ok, replica away")
                one.run(f"{PAGE}\n{STYLE}")
        checks = (both_serve, both_write, both_archive, replica_streams, one_is_killed, restore, one_is_lost)
        for check in checks:
            print(f"--- {check.__name__}", flush=True)
            check(one, two)
    print("Every command of the second machine was run, and the site passed all checks.")


@contextmanager
def machines(base: Path | None) -> Iterator[tuple[Machine, Machine]]:
    """Yield two Debians that are joined by a virtual cable."""
    with debian(base) as (root, holder), debian(base) as (other, other_holder):
        one, two = Machine(root, holder, ONE), Machine(other, other_holder, TWO)
        pids = [in_namespaces(each.holder)[1].partition("=")[2] for each in (one, two)]
        names = [f"name private netns {pid}" for pid in pids]
        subprocess.run(f"ip link add {names[0]} type veth peer {names[1]}".split(), check=True)
        for machine in (one, two):
            inside = in_namespaces(machine.holder, "net")
            for command in (f"addr add {machine.address}/24 dev private", "link set private up"):
                subprocess.run([*inside, "ip", *command.split()], check=True)
        bind = ["mount", "--bind", str(one.root), str(two.root / "mnt")]
        subprocess.run([*in_namespaces(two.holder, "mount"), *bind], check=True)
        for name, script in (("usr/local/bin/scp", SCP), ("var/tmp/mount.nfs4", MOUNT)):
            (two.root / name).write_text(script)
            (two.root / name).chmod(0o755)
        shutil.copy(ROOT / "tournaments" / "demo" / f"{OTHER}.json", one.root / "var" / "tmp")
        for machine, packages in ((one, "redis-server nfs-kernel-server"), (two, f"{DOWNLOADED} nfs-common")):
            download = f"apt-get update; apt-get install --yes --download-only {packages}"
            enter(machine.root, download, machine.holder, is_online=True)
        yield one, two


def steps(page: str) -> list[tuple[int, str]]:
    """Return the number of the machine and the commands of each step, in order.

    Raise ValueError if the section is missing, or has commands without a machine.
    """
    text = section(page, "Adding a second machine")
    items = STEP.findall(text)
    found = [(int(number), dedent(block)) for number, item in items for block in BLOCK.findall(item)]
    if 2 * len(found) != text.count("```") or {number for number, _ in found} != {1, 2}:
        raise ValueError("docs/deployment.md has commands that are for neither machine")
    return found


def if_one_is_lost(page: str) -> str:
    """Return the commands for the second machine if the first is lost."""
    [commands] = BLOCK.findall(section(page, "If a database fails"))
    return str(commands)


def section(page: str, title: str) -> str:
    for found, text in SECTION.findall(page):
        if found == title:
            return str(text)
    raise ValueError(f"docs/deployment.md has no section “{title}”")


def both_serve(one: Machine, two: Machine) -> None:
    for machine in (one, two):
        machine.wait_until_ready()
    page = one.request(f"/events/{EVENT}/")
    [style] = re.findall(rb"/static/css/site[^\"]*", page)[:1]
    for path in (f"/events/{EVENT}/", style.decode()):
        require(one.request(path) == two.request(path), f"The machines serve different versions of {path}.")
    one.run(f"{PAGE}\n{STYLE}")


def both_write(one: Machine, two: Machine) -> None:
    """Import an event and correct a result through the first machine: the second shows both."""
    (one.root / "var/tmp/access.py").write_text(ACCESS)
    secret = one.output("crosstable manage shell --verbosity 0 </var/tmp/access.py")
    token = f'--header "Authorization: Bearer {secret}"'
    api, page = f"/api/write/events/{OTHER}", f"/events/{OTHER}/rounds/1/"
    file = f"--upload-file /var/tmp/{OTHER}.json"
    answer = one.request(f"{api}/file?name=event.json&state=live", token, file)
    require(json.loads(answer)["state"] == "applied", answer)
    before = two.request(page)

    [first, *others] = json.loads(one.request(f"{api}/rounds/1/results", token))["results"]
    new = next(each["result"] for each in others if each["result"] not in {"", first["result"]})
    result = json.dumps({"result": new, "version": first["version"], "reason": "Wrong score sheet"})
    key = '--header "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)"'
    body = f"--request PUT --header 'Content-Type: application/json' --data '{result}'"
    answer = one.request(f"{api}/rounds/1/results/{first['table']}", token, key, body)
    require(json.loads(answer)["state"] == "saved", answer)
    require(one.request(page) == two.request(page) != before, "The second machine does not show the result.")


def both_archive(one: Machine, two: Machine) -> None:
    """The worker of one machine makes an archive, which the other machine serves."""
    for slug, asked, maker in ((EVENT, one, two), (OTHER, two, one)):
        asked.run("systemctl stop crosstable-worker.service")
        archive = asked.archive(slug)
        require(ZipFile(BytesIO(archive)).testzip() is None, "The archive is damaged.")
        require(maker.archive(slug) == archive, "The machines serve different archives.")
        asked.run("systemctl start crosstable-worker.service")


def replica_streams(one: Machine, two: Machine) -> None:
    ask = "cd /; runuser --user postgres -- psql --no-align --tuples-only --command"
    for machine, query, expected in (
        (one, "SELECT application_name, state FROM pg_stat_replication", "replica|streaming"),
        (two, "SELECT pg_is_in_recovery()", "t"),
    ):
        answer = machine.output(f'{ask} "{query}"')
        require(answer == expected, f"{query}: {answer}")


def one_is_killed(one: Machine, two: Machine) -> None:
    """The application of the first machine dies: nginx gets pages from the second."""
    one.run("kill -KILL -- -$(cat /var/tmp/crosstable.pid)")
    gone = f"curl --silent http://{one.address}:8000/healthz"
    one.run(f"sleep 2; if {gone}; then exit 1; fi")
    one.run(f"for _ in $(seq 20); do {PAGE}; {STYLE}; done")
    two.wait_until_ready()
    one.run("systemctl stop crosstable.service; systemctl start crosstable.service")
    one.wait_until_ready()


def restore(one: Machine, two: Machine) -> None:
    """The second machine is stopped while the first restores the last backup."""
    one.run(f"{EXPORT} >/var/tmp/before.json; crosstable backup")
    one.run(f"crosstable manage shell --command '{DELETE_ALL}'")
    services = "crosstable.service crosstable-worker.service"
    two.run(f"systemctl stop {services}")
    one.run('crosstable restore "$(ls /var/backups/crosstable/crosstable-*.dump | tail --lines=1)"')
    two.run(f"systemctl start {services}")
    one.run(IS_AS_BEFORE)
    both_serve(one, two)
    require(
        one.request(f"/events/{OTHER}/") == two.request(f"/events/{OTHER}/"), "Another state was restored."
    )


def one_is_lost(one: Machine, two: Machine) -> None:
    """The second machine takes over."""
    one.run("kill -KILL -1")
    two.run(if_one_is_lost(GUIDE.read_text()))
    two.run(f"for _ in $(seq {SECONDS}); do {READY} && break; sleep 1; done; {READY}; {PAGE}; {STYLE}")
    two.run("crosstable backup")


def require(holds: bool, otherwise: object) -> None:
    """Raise DrillError with the text if the condition is false."""
    if not holds:
        raise DrillError(otherwise)


if __name__ == "__main__":
    main()

"""Run every command of docs/deployment.md on an empty Debian, and the steps of deploy/Containerfile.

    sudo .venv/bin/python -m tools.drills.deployment [--base FILE.tar] [--package FILE.deb]

It needs root, debootstrap, the Debian RELEASE to build the package, and some minutes. The Debian is a chroot
with its own network namespace, so that the site can use its real ports and is not reachable. Differences to a
real machine: `tools/drills/systemctl.py` replaces systemd, the account is created without prompts, a script
replaces certbot, and the packages of Debian are downloaded before. The package is built from this tree; later
versions are copies of it with another migration.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from config import __version__
from tools.drills.servers import ROOT
from tools.release import build_package

GUIDE = ROOT / "docs" / "deployment.md"
CHAPTER = re.compile(r"^## On an empty Debian\n(.*?)^## ", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^### (.+?)\n(.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

RELEASE = "bookworm"
FILES = "FILES=https://releases.example/crosstable/1.0.0"
RELEASES = "/var/tmp/releases"  # noqa: S108 - inside the drill's chroot
VERSIONS = [
    ("1.0.0", "", ""),
    ("1.1.0", "0997_later", ""),
    ("1.2.0", "0998_table", "migrations.RunSQL('CREATE TABLE later (id integer)')"),
    ("1.3.0", "0999_fails", "migrations.RunSQL('SELECT missing')"),
]
"""Version, its migration, and the operations. 1.2.0 does not start, and the migration of 1.3.0 fails."""

SITE = f"SITE=crosstable.example\nFILES=file://{RELEASES}/1.0.0\n"
DOWNLOADED = "curl postgresql python3 nginx openssl certbot"
"""Packages that are downloaded before the chapter, which runs without a network."""

INSTEAD = {
    "crosstable manage createsuperuser": "crosstable manage createsuperuser --no-input",
    "apt-get install --yes curl postgresql": (
        "apt-get install --yes curl postgresql python3; systemctl start postgresql"
    ),
}
IS_SET = ("SITE=", "FILES=")
CERTBOT = """#!/bin/sh -e
if [ "$1" = delete ]; then exec rm -r /etc/letsencrypt/live/crosstable.example; fi
mkdir -p /etc/letsencrypt/live/crosstable.example
cd /etc/letsencrypt/live/crosstable.example
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=crosstable.example \\
    -keyout privkey.pem -out fullchain.pem
"""
EVENT = "2022-ouagadougou-open"
ASK = 'curl --fail --silent --output /var/tmp/page --insecure --resolve "$SITE:443:127.0.0.1"'
PAGE = f'{ASK} "https://$SITE/events/{EVENT}/"'
FIND_STYLE = """grep --only-matching '/static/css/site[^"]*' /var/tmp/page | head --lines=1"""
STYLE = f'{ASK} "https://$SITE$({FIND_STYLE})"'
DELETE_ALL = "from tournaments.models import Event; Event.objects.all().delete()"
EXPORT = f"crosstable manage export_event {EVENT}"
IS_AS_BEFORE = f"{EXPORT} >/var/tmp/after.json; cmp /var/tmp/before.json /var/tmp/after.json; {PAGE}; {STYLE}"
BESIDE = {
    "A site in ten commands": ("", f"crosstable manage import_event /var/tmp/{EVENT}.json\n{PAGE}\n{STYLE}"),
    "Updating": (
        f"cp {RELEASES}/1.1.0/*.deb .",
        f"""
        test "$(crosstable --version)" = "Crosstable 1.1.0"
        {EXPORT} >/var/tmp/before.json
        {IS_AS_BEFORE}
        for version in 1.2.0 1.3.0; do
            if crosstable update {RELEASES}/$version/crosstable_${{version}}_amd64.deb; then exit 1; fi
            test "$(crosstable --version)" = "Crosstable 1.1.0"
            {IS_AS_BEFORE}
        done
        crosstable update crosstable_1.1.0_amd64.deb
        dpkg --status crosstable | grep "Status: install ok installed"
        """,
    ),
    "Restoring": (
        f"""
        crosstable backup
        crosstable manage shell --command '{DELETE_ALL}'
        if {PAGE}; then echo 'still there' >&2; exit 1; fi
        """,
        IS_AS_BEFORE,
    ),
    "Moving and removing": (
        f"""
        crosstable backup
        mv "$(ls /var/backups/crosstable/*.dump | tail --lines=1)"* /root
        crosstable manage shell --command '{DELETE_ALL}'
        crosstable restore crosstable-*.dump
        {IS_AS_BEFORE}
        apt-get remove --yes crosstable
        apt-get install --yes ./crosstable_1.1.0_amd64.deb
        systemctl is-enabled crosstable.service crosstable-worker.service
        {IS_AS_BEFORE}
        """,
        "test ! -e /usr/lib/crosstable; test ! -e /etc/crosstable.env",
    ),
}
"""Commands before and after a section that check its effect."""

FIRST = next(iter(BESIDE))
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
    "DJANGO_SUPERUSER_USERNAME": "anna",
    "DJANGO_SUPERUSER_EMAIL": "anna@crosstable.example",
    "DJANGO_SUPERUSER_PASSWORD": "only for this drill",
}
READ_CONTAINER = """
for _ in $(seq 120); do
    python3 -c "from urllib.request import *; urlopen('http://127.0.0.1:8000/')" 2>/dev/null && exit
    sleep 1
done
cat /var/tmp/log; exit 1
"""


def main() -> None:
    """Create the Debian and run the commands of the page; exit at the first failure."""
    with prepared(__doc__ or "") as (base, package):
        with debian(base) as (root, holder):
            release(package, root / RELEASES[1:], VERSIONS)
            for title, commands in sections(GUIDE.read_text()):
                follow(root, title, commands, holder)
        with debian(base) as (root, holder):
            print("--- deploy/Containerfile", flush=True)
            run_container(root, package, holder)
    print("Every command of docs/deployment.md was done, and the site was as the page says.")


@contextmanager
def prepared(about: str) -> Iterator[tuple[Path | None, Path]]:
    """Read the command line. Yield the file of the empty Debian, and the package, built if it has none."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--base", type=Path, metavar="FILE.tar", help="an empty Debian made before")
    parser.add_argument("--package", type=Path, metavar="FILE.deb", help="the package, made before")
    options = parser.parse_args()
    for program in ("debootstrap", "unshare", "nsenter", "ip", "dpkg-deb"):
        if os.geteuid() or not shutil.which(program):
            sys.exit("This takes root, debootstrap, dpkg, util-linux and iproute2.")
    with tempfile.TemporaryDirectory(prefix="package-") as folder:
        yield options.base, options.package or build_package(ROOT, Path(folder))


@contextmanager
def debian(base: Path | None) -> Iterator[tuple[Path, int]]:
    """Yield the folder of an empty Debian, and the process that has its namespaces."""
    root = Path(tempfile.mkdtemp(prefix="debian-"))
    root.chmod(0o755)
    holder = None
    try:
        make(root, base)
        holder = apart(root)
        yield root, holder.pid
    finally:
        if holder:
            holder.kill()  # also kills all processes in its PID namespace
            holder.wait()
        shutil.rmtree(root, ignore_errors=True)


def release(package: Path, folder: Path, versions: Iterable[tuple[str, str, str]]) -> None:
    """Write copies of the package with these versions, and their checksums."""
    with tempfile.TemporaryDirectory(prefix="package-") as unpacked:
        subprocess.run(["dpkg-deb", "--raw-extract", package, unpacked], check=True)
        [program] = Path(unpacked).glob("usr/lib/crosstable/lib/python3*/site-packages")
        [*_, last] = sorted(each.stem for each in program.glob("tournaments/migrations/0*.py"))
        before = __version__
        for version, name, operations in versions:
            if name:
                text = "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n"
                text += f"    dependencies = [('tournaments', '{last}')]\n    operations = [{operations}]\n"
                (program / "tournaments" / "migrations" / f"{name}.py").write_text(text)
                last = name
            if version == "1.2.0":
                (program / "config" / "wsgi.py").write_text("raise SystemExit('does not start')\n")
            for file in (
                program / "config" / "__init__.py",
                Path(unpacked, "DEBIAN", "control"),
                Path(unpacked, "DEBIAN", "postinst"),
            ):
                file.write_text(file.read_text().replace(before, version))
            before = version
            target = folder / version
            target.mkdir(parents=True)
            file = target / f"crosstable_{version}_amd64.deb"
            build = ["dpkg-deb", "--root-owner-group", "-Znone", "--build"]
            subprocess.run([*build, unpacked, file], check=True)
            (target / "SHA256SUMS").write_text(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n")


def run_container(root: Path, package: Path, holder: int) -> None:
    """Do the steps of the container file, start its command, and read a page."""
    told, user = dict(ENVIRONMENT), "root"
    for line in (ROOT / "deploy" / "Containerfile").read_text().splitlines():
        step, _, text = line.partition(" ")
        if step == "RUN":
            is_online = "apt-get" in text
            enter(root, text, holder, told, is_online=is_online)
        elif step == "COPY":
            shutil.copy(package, root / text.split()[1][1:])
        elif step == "USER":
            user = text
        elif step == "ENV":
            told |= dict([text.split("=", 1)])
        elif step == "CMD":
            [program, *options] = json.loads(text)
            start = f"cd /; setpriv --reuid={user} --regid={user} --init-groups {program}"
            serve = f"{start} {' '.join(options)} >/var/tmp/log 2>&1 &\n"
            enter(root, serve + READ_CONTAINER, holder, told)
            enter(root, f"grep /admin/invitation/ /var/tmp/log; {start} backup", holder, told)


def sections(page: str) -> list[tuple[str, str]]:
    """Return titles and commands of the chapter, in order. Raise ValueError if the chapter is missing."""
    chapter = CHAPTER.search(page)
    if chapter is None:
        raise ValueError("docs/deployment.md has no chapter on an empty Debian")
    found = [(title, BLOCK.findall(text)) for title, text in SECTION.findall(chapter[1])]
    return [(title, "".join(blocks)) for title, blocks in found if blocks]


def make(root: Path, base: Path | None) -> None:
    """Create an empty Debian in the folder, with replacements of systemd and of the repository."""
    if base:
        subprocess.run(["tar", "-C", root, "-xf", base.resolve()], check=True)
    else:
        subprocess.run(["debootstrap", "--variant=minbase", RELEASE, root], check=True)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    stand_in = root / "usr" / "bin" / "systemctl"  # apt-get looks for programs here only
    stand_in.write_text(f"#!/usr/bin/python3\n{(ROOT / 'tools/drills/systemctl.py').read_text()}")
    stand_in.chmod(0o755)
    # Packages must not start services without systemd.
    policy = root / "usr" / "sbin" / "policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    certbot = root / "usr" / "local" / "bin" / "certbot"
    certbot.write_text(CERTBOT)
    certbot.chmod(0o755)
    shutil.copy(ROOT / "tournaments" / "demo" / f"{EVENT}.json", root / "var" / "tmp")


def apart(root: Path) -> "subprocess.Popen[str]":
    """Start a process with its own PID, mount and network namespaces, and return it when they exist."""
    say = f"mount -t proc proc {root}/proc && ip link set lo up && echo ready && exec sleep 7200"
    holder = subprocess.Popen(
        ["unshare", "--pid", "--mount", "--net", "--fork", "--kill-child", "sh", "-c", say],
        stdout=subprocess.PIPE,
        text=True,
    )
    if not holder.stdout or holder.stdout.readline() != "ready\n":
        sys.exit("This machine gives no namespaces.")
    return holder


def follow(root: Path, title: str, commands: str, holder: int) -> None:
    print(f"--- {title}", flush=True)
    before, after = BESIDE.get(title, ("", ""))
    commands = replace(commands, INSTEAD)
    commands = "".join(line for line in commands.splitlines(keepends=True) if not line.startswith(IS_SET))
    if title == FIRST:
        enter(
            root,
            f"apt-get update; apt-get install --yes --download-only {DOWNLOADED}",
            holder,
            is_online=True,
        )
    enter(root, f"{SITE}cd /root\n{before}\n{commands}\n{after}\n", holder)


def replace(commands: str, instead: Mapping[str, str]) -> str:
    for there, here in instead.items():
        commands = commands.replace(f"{there}\n", f"{here}\n")
    return commands


def enter(
    root: Path,
    script: str,
    holder: int,
    told: dict[str, str] | None = None,
    *,
    is_online: bool = False,
    stdout: int | None = None,
) -> bytes:
    """Run commands in the Debian, and exit if one fails. With PIPE as `stdout` return the output."""
    spaces = ["pid", "mount"] + ([] if is_online else ["net"])
    done = subprocess.run(
        [*in_namespaces(holder, *spaces), "chroot", root, "/bin/bash", "-c", f"set -ex\n{script}"],
        env=told or ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        check=False,
    )
    if done.returncode:
        sys.exit(f"A command ended with {done.returncode}")
    return done.stdout or b""


def in_namespaces(holder: int, *names: str) -> list[str]:
    """Return the start of a command that runs in namespaces of the process."""
    child = Path(f"/proc/{holder}/task/{holder}/children").read_text().split()[0]
    return ["nsenter", f"--target={child}", *(f"--{name}" for name in names)]


if __name__ == "__main__":
    main()

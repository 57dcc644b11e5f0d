"""Run every command of docs/deployment.md on an empty Debian.

    sudo .venv/bin/python -m tools.drills.deployment [--base FILE.tar]

It needs root, debootstrap, and some minutes. The Debian is a chroot with its own network namespace, so that
the site can use its real ports and is not reachable. Differences to a real machine:
`tools/drills/systemctl.py` replaces systemd, the account is created without prompts, no certificate is
requested from Let's Encrypt, and the repository is this one.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.drills.servers import ROOT

CHAPTER = re.compile(r"^## On an empty Debian\n(.*?)^## ", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^### (.+?)\n(.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

RELEASE = "bookworm"
SITE = "SITE=crosstable.example\n"
ADDRESS = "https://git.example/crosstable.git"
ONLINE = "Packages, user and code"
"""The section that downloads files; all others run without a network."""

INSTEAD = {"deploy/manage createsuperuser": "deploy/manage createsuperuser --no-input"}
NOT_DONE = "certbot certonly"
EVENT = "2022-ouagadougou-open"
ASK = 'curl --fail --silent --output /var/tmp/page --insecure --resolve "$SITE:443:127.0.0.1"'
PAGE = f'{ASK} "https://$SITE/events/{EVENT}/"'
DELETE_ALL = "from tournaments.models import Event; Event.objects.all().delete()"
BESIDE = {
    "Database": ("systemctl start postgresql", ""),
    "Updating": (f"deploy/manage import_event tournaments/demo/{EVENT}.json\n{PAGE}", ""),
    "Restoring": (
        f"""
        deploy/manage export_event {EVENT} >/var/tmp/before.json
        deploy/manage shell --command '{DELETE_ALL}'
        if {PAGE}; then echo 'still there' >&2; exit 1; fi
        """,
        f"""
        deploy/manage export_event {EVENT} >/var/tmp/after.json
        cmp /var/tmp/before.json /var/tmp/after.json
        {PAGE}
        deploy/manage backup --check "$(ls /var/backups/crosstable/*.dump | tail --lines=1)"
        """,
    ),
}
"""Commands before and after a section that check its effect."""


def main() -> None:
    """Create the Debian and run the commands of the page; exit at the first failure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base", type=Path, metavar="FILE.tar", help="an empty Debian made before")
    base = parser.parse_args().base
    for program in ("debootstrap", "unshare", "nsenter", "ip"):
        if os.geteuid() or not shutil.which(program):
            sys.exit("This takes root, debootstrap, util-linux and iproute2.")
    root = Path(tempfile.mkdtemp(prefix="debian-"))
    root.chmod(0o755)
    holder = None
    try:
        make(root, base)
        holder = apart(root)
        for title, commands in sections((ROOT / "docs" / "deployment.md").read_text()):
            print(f"--- {title}", flush=True)
            follow(root, title, commands, holder.pid)
    finally:
        if holder:
            holder.kill()  # also kills all processes in its PID namespace
            holder.wait()
        shutil.rmtree(root, ignore_errors=True)
    print("Every command of docs/deployment.md was done, and the site was as the page says.")


def sections(page: str) -> list[tuple[str, str]]:
    """Return titles and commands of the chapter, in order. Raise ValueError if the chapter is missing."""
    chapter = CHAPTER.search(page)
    if chapter is None:
        raise ValueError("docs/deployment.md has no chapter on an empty Debian")
    found = [(title, BLOCK.findall(text)) for title, text in SECTION.findall(chapter[1])]
    return [
        (title, "".join(block for block in blocks if NOT_DONE not in block))
        for title, blocks in found
        if blocks
    ]


def make(root: Path, base: Path | None) -> None:
    """Create an empty Debian in the folder, with replacements of systemd and of the repository."""
    if base:
        subprocess.run(["tar", "-C", root, "-xf", base.resolve()], check=True)
    else:
        subprocess.run(["debootstrap", "--variant=minbase", RELEASE, root], check=True)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    stand_in = root / "usr" / "local" / "bin" / "systemctl"
    stand_in.write_text(f"#!/usr/bin/python3\n{(ROOT / 'tools/drills/systemctl.py').read_text()}")
    stand_in.chmod(0o755)
    # Packages must not start services without systemd.
    policy = root / "usr" / "sbin" / "policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    bundle = root / "var" / "tmp" / "crosstable.bundle"
    subprocess.run(
        ["git", "-C", ROOT, "bundle", "create", "--quiet", bundle, "HEAD", "--branches"], check=True
    )
    (root / "etc" / "gitconfig").write_text(f'[url "/var/tmp/crosstable.bundle"]\n\tinsteadOf = {ADDRESS}\n')
    certificates = Path("/etc/ssl/certs/ca-certificates.crt")
    if certificates.exists():
        shutil.copy(certificates, root / "var" / "tmp" / "ca.pem")


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
    before, after = BESIDE.get(title, ("", ""))
    for there, here in INSTEAD.items():
        commands = commands.replace(f"{there}\n", f"{here}\n")
    script = f"set -ex\n{SITE}cd /srv/crosstable 2>/dev/null || cd /\n{before}\n{commands}\n{after}\n"
    told = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
        "PIP_CERT": "/var/tmp/ca.pem",  # noqa: S108 - inside the drill's chroot
        "DJANGO_SUPERUSER_USERNAME": "anna",
        "DJANGO_SUPERUSER_EMAIL": "anna@crosstable.example",
        "DJANGO_SUPERUSER_PASSWORD": "only for this drill",
    }
    child = Path(f"/proc/{holder}/task/{holder}/children").read_text().split()[0]
    inside = ["nsenter", f"--target={child}", "--pid", "--mount"] + ([] if title == ONLINE else ["--net"])
    done = subprocess.run(
        [*inside, "chroot", root, "/bin/bash", "-c", script], env=told, stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        sys.exit(f"{title}: a command ended with {done.returncode}")


if __name__ == "__main__":
    main()

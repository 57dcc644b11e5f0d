"""Find everything that a make target needs from the system, before anything is downloaded.

    python3 tools/prerequisites.py setup
    python3 tools/prerequisites.py run --port 8000
    python3 tools/prerequisites.py test
    python3 tools/prerequisites.py skipped FILE

`run` and `serve` check the Python, its venv module and the port; `test` checks the programs that tests start.
All problems are printed in one message. On Debian, `test` installs missing programs with apt-get if it runs
as root or sudo asks for no password; elsewhere it prints the command, and the tests that need a missing
program are skipped. With COMPLETE=1 a missing program is an error. `skipped` prints how many tests were
skipped and why, from the file that pytest wrote (tests/programs.py).

An old Python (3.6 or later) must be able to run this file up to its message: annotations of a newer kind are
strings.
"""

import argparse
import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)
POLICY = "/usr/sbin/policy-rc.d"

PACKAGES = {
    "nginx": "nginx-light",
    "redis-server": "redis-server",
    "openssl": "openssl",
    "gpg": "gnupg",
    "systemd-analyze": "systemd",
    "chromium": "chromium-headless-shell",
    "libatomic": "libatomic1",
}
"""Programs that tests need, with their Debian packages. libatomic is for Playwright's Node."""

SERVICES = {"nginx-light": "nginx", "redis-server": "redis-server"}
"""Packages that start a service when they are installed, and its name."""

# policy-rc.d is how Debian lets an administrator forbid that a package starts its service. If there is one,
# it stays as it is, and the services are stopped after the installation. The second argument names them.
INSTALL = """
policy=$1 services=$2
shift 2
mark='# Written by tools/prerequisites.py of Crosstable while it installs packages. It can be deleted.'
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export DEBIAN_FRONTEND=noninteractive
if [ ! -e "$policy" ] && [ ! -L "$policy" ] || grep -qxF "$mark" "$policy"; then
    trap 'rm -f "$policy"' EXIT
    trap 'exit 130' HUP INT TERM
    printf '#!/bin/sh\\n%s\\nexit 101\\n' "$mark" >"$policy" && chmod 755 "$policy" || exit
fi
apt-get -q update
apt-get -q --yes --no-install-recommends install "$@"
code=$?
for service in $services; do
    systemctl disable --quiet "$service" || true
    service "$service" stop || true
done >/dev/null 2>&1
exit $code
"""


# --- programs -----------------------------------------------------------------------------------------------


def find(name: str) -> "str | None":
    if name == "libatomic":
        return _find_library("libatomic.so.1")
    if name == "chromium":
        if os.environ.get("CHROMIUM"):
            return shutil.which(os.environ["CHROMIUM"])
        # The headless shell has no window, which saves four fifths of the time of a small page.
        found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        # Ubuntu's package is a snap, which can only access files in the user's home folder.
        return None if found and found.startswith("/snap/") else found
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


def _find_library(name: str) -> "str | None":
    try:
        from ctypes import CDLL  # noqa: PLC0415 - some Pythons are built without it

        CDLL(name)
    except ImportError:
        return name
    except OSError:
        return None if sys.platform == "linux" else name
    return name


def missing_programs() -> "list[str]":
    return [name for name in PACKAGES if not find(name)]


def packages_of(names: "list[str]") -> "list[str]":
    return [PACKAGES[name] for name in names]


def is_complete() -> bool:
    """Return whether COMPLETE=1 is set: no test may be skipped because a program is missing."""
    return os.environ.get("COMPLETE", "") not in {"", "0"}


# --- Debian -------------------------------------------------------------------------------------------------


def system_ids() -> "list[str]":
    """Return the ids of the system and of its parents: ["ubuntu", "debian"]."""
    try:
        text = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return []
    pairs = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return " ".join(pairs.get(key, "").strip("\"'") for key in ("ID", "ID_LIKE")).split()


def root_prefix() -> "list[str] | None":
    """Return the prefix that runs a command as root, or None if this is not allowed."""
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "-n"]
    if (
        shutil.which("sudo")
        and subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0
    ):
        return sudo
    return None


def install(packages: "list[str]", prefix: "list[str]", policy: str = POLICY) -> bool:
    """Install Debian packages without starting their services; return whether this succeeded."""
    services = [SERVICES[name] for name in packages if name in SERVICES]
    command = [*prefix, "sh", "-c", INSTALL, "sh", policy, " ".join(services), *packages]
    print(f"Installing Debian packages: {' '.join(packages)}", flush=True)
    # Ctrl-C also reaches the shell, which removes its file; this process must wait for it.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode == 0
    finally:
        signal.signal(signal.SIGINT, before)


def install_hint(packages: "list[str]") -> str:
    ids = system_ids()
    if "debian" not in ids:
        return "Install these programs with the package manager of your system."
    snap = "ubuntu" in ids and PACKAGES["chromium"] in packages
    packages = [name for name in packages if not (snap and name == PACKAGES["chromium"])]
    lines = []
    if packages:
        sudo = "" if os.geteuid() == 0 else "sudo "
        lines.append(f"Install with: {sudo}apt-get install --no-install-recommends {' '.join(packages)}")
    if snap:
        lines.append(
            "Chromium of Ubuntu is a snap, which cannot be used. Set CHROMIUM to the path of another one."
        )
    return "\n".join(lines)


# --- Python and the port ------------------------------------------------------------------------------------


def python_problems(goal: str) -> "list[str]":
    if (ROOT / ".venv" / "made.stamp").exists():
        return []
    if sys.version_info[:2] < OLDEST_PYTHON:
        names = [f"python3.{minor}" for minor in range(20, OLDEST_PYTHON[1] - 1, -1)]
        newer = next(filter(shutil.which, names), None)
        found = f"{sys.executable} is Python {_version(sys.version_info[:3])}."
        advice = f"Use: make {goal} PYTHON={newer}" if newer else "Name one with PYTHON=PATH."
        return [f"{found} Version {_version(OLDEST_PYTHON)} or later is needed. {advice}"]
    return [] if _has_venv() else [f"{sys.executable} has no venv module."]


def _version(numbers: "tuple[int, ...]") -> str:
    return ".".join(map(str, numbers))


def _has_venv() -> bool:
    try:
        import ensurepip  # noqa: F401, PLC0415 - Debian has it in a package of its own
        import venv  # noqa: F401, PLC0415 - the same
    except ImportError:
        return False
    return True


def venv_package() -> str:
    system = Path("/usr/bin/python3").resolve() == Path(sys.executable).resolve()
    return "python3-venv" if system else f"python{_version(sys.version_info[:2])}-venv"


def port_problem(goal: str, port: int) -> "str | None":
    """Return why a server cannot listen on this port of the loopback, with advice."""
    refused = _refusal(port)
    if refused is None:
        return None
    free = next((other for other in range(max(port, 1024) + 1, 65536) if _refusal(other) is None), 8000)
    way_out = f"make {goal} PORT={free}"
    if refused == errno.EADDRINUSE:
        return f"Port {port} is in use{_user_of(port)}. Stop that program, or use another port: {way_out}"
    return f"Port {port} cannot be used ({os.strerror(refused)}). Use another port: {way_out}"


def _refusal(port: int) -> "int | None":
    """Return the error number of listening on a port as Django's server does, or None."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
            tried.listen(1)
        except OSError as error:
            return error.errno
    return None


def _user_of(port: int) -> str:
    """Return the process that listens on a port, if Linux and this user's permissions allow it."""
    sockets = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            rows = [line.split() for line in Path(table).read_text(encoding="ascii").splitlines()[1:]]
        except OSError:
            continue
        sockets |= {
            f"socket:[{row[9]}]" for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port
        }
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if any(os.readlink(str(each)) in sockets for each in (process / "fd").iterdir()):  # noqa: PTH115 - Python 3.6 has no Path.readlink
                words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                return f" by process {process.name} ({words.strip()})"
        except OSError:
            continue  # the process of another user, or a process that has ended
    return ""


# --- the commands -------------------------------------------------------------------------------------------


def check_start(goal: str, port: "int | None") -> int:
    """Print all problems that prevent a target from starting; return the exit code."""
    problems = python_problems(goal)
    if problems and sys.version_info[:2] >= OLDEST_PYTHON:
        problems.append(install_hint([venv_package()]))
    occupied = port_problem(goal, port) if port is not None else None
    return refuse(goal, problems + ([occupied] if occupied else []))


def refuse(goal: str, problems: "list[str]") -> int:
    if problems:
        print("\n".join([f"make {goal} cannot start:", *(f"- {each}" for each in problems)]), file=sys.stderr)
    return 1 if problems else 0


def check_test(goal: str) -> int:
    """Install the programs of the tests if possible, print missing ones, and return the exit code."""
    fatal = python_problems(goal)
    missing = missing_programs()
    too_old = bool(fatal) and sys.version_info[:2] < OLDEST_PYTHON
    packages = packages_of(missing) + ([venv_package()] if fatal and not too_old else [])
    prefix = root_prefix() if packages and not too_old and system_ids()[:1] == ["debian"] else None
    if prefix is not None and install(packages, prefix):
        fatal, missing = python_problems(goal), missing_programs()
        packages = packages_of(missing) + ([venv_package()] if fatal else [])
    lines = list(fatal)
    if missing:
        lines.append(f"The tests need programs that are missing: {', '.join(missing)}.")
    if packages:
        lines.append(install_hint(packages))
    if fatal or (missing and is_complete()):
        return refuse(goal, lines)
    if missing:
        print(
            "\n".join([*lines, "The tests that need them are skipped; COMPLETE=1 makes this an error."]),
            flush=True,
        )
    return 0


def skipped_summary(reasons: "list[str]") -> "list[str]":
    counted = Counter(reasons)
    total = sum(counted.values())
    head = f"{total} tests were skipped:" if total != 1 else "1 test was skipped:"
    return [head, *(f"  {number}: {reason}" for reason, number in counted.most_common())] if total else []


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("goal", help="the make target, or skipped")
    parser.add_argument("file", nargs="?", type=Path, help="reasons of skipped tests, a line for each")
    parser.add_argument("--port", help="the port of run and serve")
    options = parser.parse_args()
    if options.goal == "skipped":
        reasons = options.file.read_text(encoding="utf-8").splitlines() if options.file.exists() else []
        print("".join(f"{line}\n" for line in skipped_summary(reasons)), end="")
        return 0
    if options.goal in {"test", "test-all"}:
        return check_test(options.goal)
    if options.port is None:
        return check_start(options.goal, None)
    if not options.port.isdigit() or not 0 < int(options.port) < 65536:
        return refuse(options.goal, [f"PORT={options.port} is not a port: use a number from 1024 to 65535."])
    return check_start(options.goal, int(options.port))


if __name__ == "__main__":
    sys.exit(main())

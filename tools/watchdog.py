"""Run the server and replace serving processes that hang: `python tools/watchdog.py -- COMMAND…`.

Each serving process touches a file every second (config/wsgi.py). A process whose file is not touched
for HUNG seconds is killed. If /healthz does not respond for SILENT seconds, all are killed. The server starts
new processes. The exit code is that of the command.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Thread
from time import monotonic
from types import FrameType

HUNG = 20.0
SILENT = 60.0
PAUSE = 2.0
PATIENCE = 5.0
"""Timeout of /healthz in seconds."""


class Watchdog:
    """Checks the heartbeats in a folder, and kills processes without any."""

    def __init__(self, folder: Path, server: str) -> None:
        """`server` is the path of a socket, or `host:port`."""
        self.folder, self.server = folder, server
        # by process: last heartbeat, and when it was first seen
        self._signs: dict[int, tuple[int, float]] = {}
        self._answered: float | None = None  # None until the first response

    def look(self, now: float) -> list[int]:
        """Kill hanging processes at this time of the monotonic clock, and return them."""
        signs = {}
        for file in self.folder.iterdir():
            with suppress(OSError):
                signs[int(file.name)] = file.stat().st_mtime_ns
        self._signs = {
            pid: known if (known := self._signs.get(pid, (0, now)))[0] == sign else (sign, now)
            for pid, sign in signs.items()
        }
        hung = [pid for pid, (_, seen) in self._signs.items() if now - seen > HUNG]
        if self._answers():
            self._answered = now
        elif self._answered is not None and now - self._answered > SILENT:
            hung, self._answered = list(self._signs), None
        for pid in hung:
            self._kill(pid)
        return hung

    def _kill(self, pid: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            print(f"The serving process {pid} hung and was killed.", file=sys.stderr, flush=True)
        (self.folder / str(pid)).unlink(missing_ok=True)
        self._signs.pop(pid, None)

    def _answers(self) -> bool:
        with closing(_Connection(self.server)) as connection, suppress(OSError, HTTPException):
            connection.request("GET", "/healthz", headers={"Host": "localhost"})
            return connection.getresponse().status > 0
        return False


class _Connection(HTTPConnection):
    def __init__(self, server: str) -> None:
        host = "localhost" if server.startswith("/") else server
        super().__init__(host, timeout=PATIENCE)
        self._path = server if server.startswith("/") else ""

    def connect(self) -> None:
        """Connect to the Unix socket, if the server listens on one."""
        if not self._path:
            super().connect()
            return
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(self._path)


def main(command: list[str]) -> int:
    server = os.environ.get("GRANIAN_UDS") or (
        f"{os.environ.get('GRANIAN_HOST', '127.0.0.1')}:{os.environ.get('GRANIAN_PORT', '8000')}"
    )
    with tempfile.TemporaryDirectory(prefix="heartbeats-") as folder:
        process = subprocess.Popen(command, env=os.environ | {"HEARTBEATS": folder})

        def pass_on(number: int, _frame: FrameType | None) -> None:
            process.send_signal(number)

        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, pass_on)
        watchdog = Watchdog(Path(folder), server)
        # In a thread, because a wait with a timeout checks the process twenty times a second.
        waiting = Thread(target=process.wait, daemon=True)
        waiting.start()
        while True:
            waiting.join(PAUSE)
            if not waiting.is_alive():
                code = process.returncode
                return code if code >= 0 else 128 - code  # as a shell reports the end by a signal
            watchdog.look(monotonic())


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :]))

"""Run a command together with the worker: `python -m config.withworker [--reload] -- COMMAND…`.

The worker (`manage.py work`) is restarted if it crashes, and ends with the command. It also ends if this
process is killed, because its stdin is a pipe that closes then. The exit code is the command's.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 5.0
"""Seconds for the worker to exit."""

PAUSE = 2.0
"""Seconds before a crashed worker is restarted."""


class Worker:
    """A worker that is restarted until `end` is called."""

    def __init__(self, *options: str) -> None:
        self.command = [sys.executable, "-m", "django", "work", "--until-closed", *options]
        self._environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **os.environ}
        self._ended = Event()
        self._process = self._start()
        self._watch = Thread(target=self._start_again, daemon=True)
        self._watch.start()

    def end(self) -> None:
        self._ended.set()
        _end(self._process)
        self._watch.join(PATIENCE)
        _end(self._process)  # it may have just been restarted

    def _start(self) -> subprocess.Popen[bytes]:
        # A separate process group, because with the reloader there is a second process.
        return subprocess.Popen(  # noqa: S603 - our own command
            self.command, stdin=subprocess.PIPE, process_group=0, cwd=ROOT, env=self._environment
        )

    def _start_again(self) -> None:
        while self._process.wait() is not None and not self._ended.wait(PAUSE):
            sys.stderr.write("The worker ended; it is started again.\n")
            self._process = self._start()


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.stdin:
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def main(arguments: list[str]) -> int:
    at = arguments.index("--")
    worker = Worker(*arguments[:at])
    command = subprocess.Popen(arguments[at + 1 :])  # noqa: S603 - the caller's command

    def pass_on(number: int, _frame: FrameType | None) -> None:
        command.send_signal(number)

    # A terminal also sends Ctrl-C to the command, which decides when to exit.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, pass_on)
    try:
        code = command.wait()
        return code if code >= 0 else 128 - code  # as a shell reports the end by a signal
    finally:
        worker.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Run a command with the worker beside it: `python tools/withworker.py [--reload] -- COMMAND…`.

The worker (`manage.py work`) is started again where it dies, and ends with the command: also where this
process is killed, because the worker reads from a pipe that closes then. The exit code is the command's.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from types import FrameType

MANAGE = Path(__file__).resolve().parents[1] / "manage.py"
PATIENCE = 5.0
"""Seconds for the worker to end by itself."""

PAUSE = 2.0
"""Seconds from the death of a worker to the next one."""


class Worker:
    """A worker that is always there until it is ended."""

    def __init__(self, *options: str) -> None:
        self.command = [sys.executable, str(MANAGE), "work", "--until-closed", *options]
        self._ended = Event()
        self._process = self._start()
        self._watch = Thread(target=self._start_again, daemon=True)
        self._watch.start()

    def end(self) -> None:
        """End it, and wait for that."""
        self._ended.set()
        _end(self._process)
        self._watch.join(PATIENCE)
        _end(self._process)  # the one that was being started just then

    def _start(self) -> subprocess.Popen[bytes]:
        # A group of its own: what reloads the code is a second process.
        return subprocess.Popen(self.command, stdin=subprocess.PIPE, process_group=0)

    def _start_again(self) -> None:
        while self._process.wait() is not None and not self._ended.wait(PAUSE):
            print("The worker ended; it is started again.", file=sys.stderr)
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
    """Run both until the command ends."""
    at = arguments.index("--")
    worker = Worker(*arguments[:at])
    command = subprocess.Popen(arguments[at + 1 :])

    def pass_on(number: int, _frame: FrameType | None) -> None:
        command.send_signal(number)

    # A terminal sends Ctrl-C to the command itself; it says when it has ended.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, pass_on)
    try:
        code = command.wait()
        return code if code >= 0 else 128 - code  # as a shell says that a signal ended it
    finally:
        worker.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Confined processes as forks of the test process, which has already imported what they need.

A new Python takes a second of CPU time for its imports, and hundreds of tests pair a round or read a
workbook. The tests of the processes themselves use real ones (`REAL`).
"""

import os
import resource
import runpy
import sys
import traceback
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest

from tournaments.operations.processes import confinement

REAL = ("processes", "browser", "test_hanging", "test_limits", "test_validating", "TestWhatFails")
"""Parts of the identifiers of tests that start real processes."""

_setrlimit = resource.setrlimit


def is_forked(item: pytest.Item) -> bool:
    return not any(part in item.nodeid for part in REAL)


class ForkedProcess(confinement.MeasuredProcess):
    """A process that runs `python -m MODULE` in a fork."""

    def _execute_child(self, command: list[str], *how: Any) -> None:
        environment, pipes = how[5], how[9:15]  # subprocess.Popen passes them by position
        standard_input, to_child, from_child, output, _, errors = pipes
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: this process has other threads
            self.pid = os.fork()
        if self.pid == 0:
            os.close(to_child)
            os.close(from_child)
            _run(command, environment, {0: standard_input, 1: output, 2: errors})
        with suppress(ProcessLookupError):  # as in the child: it may be killed at once
            os.setpgid(self.pid, self.pid)
        self._child_created = True
        cast("Any", self)._close_pipe_fds(*pipes)  # the stubs leave out private methods


def _run(command: list[str], environment: dict[str, str], streams: dict[int, int]) -> NoReturn:
    status = 1
    try:
        os.setpgid(0, 0)
        for number, source in streams.items():
            if source not in (-1, number):
                os.dup2(source, number)
        sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
        os.environ.clear()
        os.environ.update(environment)
        _, _, module, *arguments = command
        sys.argv = [module, *arguments]
        resource.setrlimit = _beyond_this_process
        warnings.simplefilter("ignore")
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - the process must end here in any case
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(status)


def _beyond_this_process(kind: int, limits: tuple[int, int]) -> None:
    """Set a limit. One of memory is added to that of the test process, which a new process would not have."""
    if kind == resource.RLIMIT_AS:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        soft, hard = (size + pages * resource.getpagesize() for size in limits)
        limits = soft, hard
    _setrlimit(kind, limits)

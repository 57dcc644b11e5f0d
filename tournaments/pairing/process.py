"""An engine run in a process of its own, watched from here: how far it is, how long it takes, how it ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import IO, Any

from tournaments.pairing.berger import berger
from tournaments.pairing.engine import (
    CRASHED,
    NO_PAIRING,
    OUT_OF_MEMORY,
    TIMED_OUT,
    CheckedRound,
    EngineError,
    Method,
    PairingTask,
    Progress,
    ProposedPair,
)

PROGRESS = "progress"
"""The word before how many parts of how many are done; all else on standard error is an engine's own."""

ROOT = Path(__file__).resolve().parents[2]
LONGEST_TAIL = 2_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What an engine may take: seconds, megabytes of memory; and the command of another engine, if any."""

    seconds: int = 300
    megabytes: int = 3_000
    command: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """The pairs of a round by table, by which version of which engine, in how many seconds."""

    pairs: Sequence[ProposedPair]
    version: str
    seconds: float


def nothing(_done: int, _parts: int) -> None:
    """Tell nobody how far it is."""


def make_pairs(task: PairingTask, limits: Limits, tell: Progress = nothing) -> Made:
    """Have an engine pair a round; raise EngineError where that gives no pairs."""
    began = monotonic()
    if task.method in {Method.BERGER, Method.DOUBLE_BERGER}:
        return Made(_by_tables(task), "Berger tables (FIDE C.05)", monotonic() - began)
    told = _run("pair", task, limits, tell)
    pairs = [ProposedPair.of(each) for each in told["pairs"]]
    return Made(pairs, told["version"], monotonic() - began)


def check_pairs(
    task: PairingTask, limits: Limits, tell: Progress = nothing
) -> tuple[str, list[CheckedRound]]:
    """Have gacrux pair every round of a report again; return its version and what it found of each.

    Raise EngineError where it refuses the report.
    """
    told = _run("check", task, limits, tell)
    return told["version"], [CheckedRound.of(each) for each in told["rounds"]]


def _by_tables(task: PairingTask) -> list[ProposedPair]:
    """Return a round of the Berger tables, those present taking their numbers in order."""
    drawn = [number for number in task.numbers if number not in set(task.absent)]
    try:
        rounds = berger(len(drawn), is_double=task.method == Method.DOUBLE_BERGER)
        meetings = rounds[task.round - 1]
    except (ValueError, IndexError) as fault:
        raise EngineError(NO_PAIRING, str(fault)) from fault
    return [
        ProposedPair(drawn[first - 1], None if second is None else drawn[second - 1])
        for first, second in meetings
    ]


# --- the process ------------------------------------------------------------------------------------------


def _run(work: str, task: PairingTask, limits: Limits, tell: Progress) -> dict[str, Any]:
    """Return what the process of an engine answers; raise EngineError where it fails or takes too long."""
    asked = {"work": work, "task": asdict(task), **asdict(limits)}
    process = subprocess.Popen(
        [sys.executable, "-m", "tournaments.pairing"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        # A group of its own: what an engine starts is ended with it.
        process_group=0,
    )
    assert process.stdin is not None  # noqa: S101 - for the type: all three are pipes
    assert process.stdout is not None  # noqa: S101 - likewise
    assert process.stderr is not None  # noqa: S101 - likewise
    output, others = list[str](), list[str]()
    readers = [
        Thread(target=_keep, args=(process.stdout, output.append), daemon=True),
        Thread(target=_keep, args=(process.stderr, _listener(tell, others)), daemon=True),
    ]
    for each in readers:
        each.start()
    try:
        json.dump(asked, process.stdin)
        process.stdin.close()
        code = process.wait(limits.seconds)
    except subprocess.TimeoutExpired as late:
        raise EngineError(TIMED_OUT, str(limits.seconds)) from late
    except BrokenPipeError:
        code = process.wait(limits.seconds)
    finally:
        _end(process)
        for each in readers:
            each.join()
    return _answer("".join(output), code, "".join(others)[-LONGEST_TAIL:])


def _keep(lines: IO[str], keep: Callable[[str], None]) -> None:
    with lines:
        for line in lines:
            keep(line)


def _listener(tell: Progress, others: list[str]) -> Callable[[str], None]:
    """Return what takes a line of standard error: it is told as progress, or kept."""

    def listen(line: str) -> None:
        word, *numbers = line.split()[:3] or [""]
        if word == PROGRESS and len(numbers) == 2:
            tell(int(numbers[0]), int(numbers[1]))
        else:
            others.append(line)

    return listen


def _end(process: subprocess.Popen[str]) -> None:
    """End the process, and whatever it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _answer(output: str, code: int, others: str) -> dict[str, Any]:
    """Return what was answered; raise EngineError where that is a failure, or nothing."""
    if code == -signal.SIGXCPU:
        raise EngineError(TIMED_OUT)
    try:
        told = json.loads(output)
    except ValueError as fault:
        # Python dies of a missing megabyte in more ways than one; whatever it was, nothing was paired.
        reason = OUT_OF_MEMORY if "MemoryError" in others or code == -signal.SIGKILL else CRASHED
        raise EngineError(reason, others) from fault
    if "reason" in told:
        raise EngineError(told["reason"], told["text"])
    return dict(told)

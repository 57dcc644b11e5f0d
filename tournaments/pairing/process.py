"""Run a pairing engine in a process of its own, with progress, time limit and error handling."""

import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from threading import Thread
from time import monotonic
from typing import Any

from django.conf import settings

from tournaments.operations.processes.confinement import TooMuchWorkError, run_confined
from tournaments.pairing import engine
from tournaments.pairing.berger import berger

LONGEST_TAIL = 2_000


@dataclass(frozen=True, slots=True)
class EngineResult:
    """The pairs of a round by table, with the engine, its version and the seconds that it took."""

    pairs: Sequence[engine.ProposedPair]
    version: str
    seconds: float


def ignore_progress(_done: int, _parts: int) -> None:
    pass


def make_pairs(task: engine.PairingTask, tell: engine.Progress = ignore_progress) -> EngineResult:
    """Pair a round with an engine. Raise EngineError if it returns no pairs."""
    began = monotonic()
    if task.method in {engine.Method.BERGER, engine.Method.DOUBLE_BERGER}:
        pairs = [each.renumbered(task.start_number) for each in _by_tables(task)]
        return EngineResult(pairs, "Berger tables (FIDE C.05)", monotonic() - began)
    result = _run("pair", task, tell)
    pairs = [engine.ProposedPair(**each).renumbered(task.start_number) for each in result["pairs"]]
    return EngineResult(pairs, result["version"], monotonic() - began)


def check_pairs(
    task: engine.PairingTask, tell: engine.Progress = ignore_progress
) -> tuple[str, list[engine.CheckedRound]]:
    """Pair every round of a report again with gacrux; return its version and the comparisons.

    Raise EngineError if it refuses the report.
    """
    result = _run("check", task, tell)
    checked = (engine.CheckedRound.of(each) for each in result["rounds"])
    return result["version"], [each.renumbered(task.start_number) for each in checked]


def _by_tables(task: engine.PairingTask) -> list[engine.ProposedPair]:
    """Return a round of the Berger tables; the competitors present get the numbers in order."""
    drawn = sorted(set(task.numbers) - set(task.absent))
    try:
        rounds = berger(len(drawn), is_double=task.method == engine.Method.DOUBLE_BERGER)
        meetings = rounds[task.round - 1]
    except (ValueError, IndexError) as fault:
        raise engine.EngineError(engine.NO_PAIRING, str(fault)) from fault
    return [
        engine.ProposedPair(drawn[first - 1], None if second is None else drawn[second - 1])
        for first, second in meetings
    ]


# --- the process ------------------------------------------------------------------------------------------


def _run(work: str, task: engine.PairingTask, tell: engine.Progress) -> dict[str, Any]:
    """Return the output of the process. Raise EngineError if it fails or takes too long."""
    seconds = settings.PAIRING_SECONDS
    limits = {"seconds": seconds, "megabytes": settings.PAIRING_MEGABYTES}
    values = {"work": work, "task": asdict(task), "command": settings.PAIRING_COMMAND, **limits}
    job = json.dumps(values).encode()
    others = list[str]()
    try:
        with _standard_error(tell, others) as errors:
            # No slot of file readers is needed: one proposal is computed at a time, and a user waits for it.
            slot = nullcontext(())
            answer = run_confined("tournaments.pairing", [], job, seconds, errors=errors, slot=slot)
            result = json.loads(answer)
    except TooMuchWorkError as failed:
        text, reason = "".join(others)[-LONGEST_TAIL:], engine.CRASHED
        if failed.code in (None, -signal.SIGXCPU):
            reason = engine.TIMED_OUT
        # A lack of memory can end Python in several ways; libgcc is loaded when the first thread ends.
        elif any(sign in text for sign in ("MemoryError", "libgcc_s")) or failed.code == -signal.SIGKILL:
            reason = engine.OUT_OF_MEMORY
        raise engine.EngineError(reason, text) from failed
    except ValueError as fault:
        raise engine.EngineError(engine.CRASHED, "".join(others)[-LONGEST_TAIL:]) from fault
    if "reason" in result:
        raise engine.EngineError(result["reason"], result["text"])
    return dict(result)


@contextmanager
def _standard_error(tell: engine.Progress, others: list[str]) -> Iterator[int]:
    """Yield a file descriptor. Progress lines are passed to `tell`, other lines are collected."""
    read, write = os.pipe()
    reader = Thread(target=_listen, args=(read, tell, others), daemon=True)
    reader.start()
    try:
        yield write
    finally:
        os.close(write)
        reader.join()


def _listen(descriptor: int, tell: engine.Progress, others: list[str]) -> None:
    with open(descriptor, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            word, *numbers = line.split()[:3] or [""]
            if word == engine.PROGRESS and len(numbers) == 2:
                tell(int(numbers[0]), int(numbers[1]))
            else:
                others.append(line)

"""The process of a pairing engine: a task as JSON on standard input, the result as JSON on standard output.

Standard error has lines of progress. The process limits itself before it reads anything, so that an
unexpected tournament or a defect of an engine costs the site no more than this process.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from tournaments.operations.processes.confinement import end_with, limited
from tournaments.pairing.engine import (
    BAD_REPORT,
    CRASHED,
    NOT_THERE,
    OUT_OF_MEMORY,
    PROGRESS,
    TIMED_OUT,
    EngineError,
    Method,
    PairingTask,
    ProposedPair,
)

REPORT = "{report}"
"""The placeholder for the path of the report. Without it the command reads the report on standard input."""

LONGEST_FAULT = 500
_PAIR = re.compile(r"(\d{1,5})\s+(\d{1,5})")


def report_progress(done: int, parts: int) -> None:
    sys.stderr.write(f"{PROGRESS} {done} {parts}\n")
    sys.stderr.flush()


def run_task(work: str, task: PairingTask, command: str, seconds: int) -> dict[str, Any]:
    if Method(task.method) is Method.COMMAND:
        pairs = _pair_by_command(task, command, seconds)
        return {"version": _name_of_command(command), "pairs": [asdict(each) for each in pairs]}
    # Not before: gacrux takes as long to import as to pair a small round.
    from tournaments.pairing import fide  # noqa: PLC0415 - the reason is above

    if work == "check":
        rounds = [asdict(each) for each in fide.check(task, report_progress)]
        return {"version": fide.name_and_version(), "rounds": rounds}
    return {
        "version": fide.name_and_version(),
        "pairs": [asdict(each) for each in fide.pair(task, report_progress)],
    }


def _name_of_command(command: str) -> str:
    words = shlex.split(command)
    return Path(words[0]).name[:40] if words else ""


def _pair_by_command(task: PairingTask, command: str, seconds: int) -> list[ProposedPair]:
    """Return the pairs that a command prints, such as bbpPairings and JaVaFo.

    It prints their number, then lines `white black`; a bye is `9 0`.

    Raise EngineError if it cannot be run, takes longer than `seconds`, fails, or prints anything else.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.trf"
        path.write_text(task.report, encoding="utf-8", newline="")
        words = [each.replace(REPORT, str(path)) for each in shlex.split(command)]
        try:
            run = subprocess.run(  # noqa: S603 - the command is a setting of the site
                words,
                input=task.report,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired as late:
            raise EngineError(TIMED_OUT, str(seconds)) from late
        except OSError as fault:
            raise EngineError(NOT_THERE, str(fault)) from fault
    if run.returncode:
        raise EngineError(BAD_REPORT, (run.stderr or run.stdout).strip()[-LONGEST_FAULT:])
    count, *lines = [line.strip() for line in run.stdout.splitlines() if line.strip()] or [""]
    found = [_PAIR.fullmatch(line) for line in lines]
    if count != str(len(lines)) or None in found:
        raise EngineError(BAD_REPORT, run.stdout.strip()[-LONGEST_FAULT:])
    seats = [(int(each[1]), int(each[2])) for each in found if each]
    return [ProposedPair(white or black, black if white and black else None) for white, black in seats]


def main() -> int:
    """Run the task on standard input. Standard output always has a result, also after an error."""
    Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    job = json.load(sys.stdin)
    limited(job["seconds"], job["megabytes"])
    try:
        result = run_task(job["work"], PairingTask(**job["task"]), job["command"], job["seconds"])
    except EngineError as fault:
        result = {"reason": fault.reason, "text": str(fault)}
    except MemoryError:
        result = {"reason": OUT_OF_MEMORY, "text": ""}
    except Exception as fault:  # noqa: BLE001 - a defect of an engine is a result too
        result = {"reason": CRASHED, "text": f"{type(fault).__name__}: {fault}"}
    json.dump(result, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())

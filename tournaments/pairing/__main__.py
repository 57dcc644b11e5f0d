"""The process of a pairing engine: a task as JSON on standard input, the result as JSON on standard output.

Standard error has lines of progress. The process limits itself before it reads anything, so that an
unexpected tournament or a defect of an engine costs the site no more than this process.
"""

import json
import os
import sys
from dataclasses import asdict
from threading import Thread
from typing import Any

from tournaments.operations.processes.confinement import end_with, limited
from tournaments.pairing.engine import CRASHED, OUT_OF_MEMORY, PROGRESS, EngineError, Method, PairingTask


def report_progress(done: int, parts: int) -> None:
    sys.stderr.write(f"{PROGRESS} {done} {parts}\n")
    sys.stderr.flush()


def run_task(work: str, task: PairingTask, command: str, seconds: int) -> dict[str, Any]:
    # Import only the required engine, and only now: gacrux takes as long to import as to pair a small round.
    if Method(task.method) is Method.COMMAND:
        from tournaments.pairing import external  # noqa: PLC0415 - the reason is above

        pairs = external.pair(task, command, seconds)
        return {"version": external.name_of(command), "pairs": [asdict(each) for each in pairs]}
    from tournaments.pairing import fide  # noqa: PLC0415 - the reason is above

    if work == "check":
        rounds = [asdict(each) for each in fide.check(task, report_progress)]
        return {"version": fide.name_and_version(), "rounds": rounds}
    return {
        "version": fide.name_and_version(),
        "pairs": [asdict(each) for each in fide.pair(task, report_progress)],
    }


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

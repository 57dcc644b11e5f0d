"""An external engine: a command that reads a report and prints pairs, such as bbpPairings and JaVaFo.

It runs inside the process of an engine (`__main__`), under the same limits.
"""

import re
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from tournaments.pairing import engine

REPORT = "{report}"
"""The placeholder for the path of the report. Without it the command reads the report on standard input."""

LONGEST_FAULT = 500
_PAIR = re.compile(r"(\d{1,5})\s+(\d{1,5})")


def name_of(command: str) -> str:
    words = shlex.split(command)
    return Path(words[0]).name[:40] if words else ""


def pair(task: engine.PairingTask, command: str, seconds: int) -> list[engine.ProposedPair]:
    """Return the pairs that a command prints: their number, then lines `white black`; a bye is `9 0`.

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
            raise engine.EngineError(engine.TIMED_OUT, str(seconds)) from late
        except OSError as fault:
            raise engine.EngineError(engine.NOT_THERE, str(fault)) from fault
    if run.returncode:
        raise engine.EngineError(engine.BAD_REPORT, (run.stderr or run.stdout).strip()[-LONGEST_FAULT:])
    count, *lines = [line.strip() for line in run.stdout.splitlines() if line.strip()] or [""]
    found = [_PAIR.fullmatch(line) for line in lines]
    if count != str(len(lines)) or None in found:
        raise engine.EngineError(engine.BAD_REPORT, run.stdout.strip()[-LONGEST_FAULT:])
    seats = [(int(each[1]), int(each[2])) for each in found if each]
    return [engine.ProposedPair(white or black, black if white and black else None) for white, black in seats]

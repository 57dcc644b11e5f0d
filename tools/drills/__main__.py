"""Run drills and print their table; the exit code is 1 if a drill failed."""

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

from tools.drills.drill import Drill, DrillError, Outcome, all_drills, chosen
from tools.drills.site import Prepared
from tools.withpg import leave

ROW = "{:<52} {:>5} {:>6} {:>5} {:>9} {:>7}  {}"


def main() -> int:
    """Run the drills of the command line. On SIGTERM, stop the servers too."""
    signal.signal(signal.SIGTERM, leave)
    parser = argparse.ArgumentParser(prog="python -m tools.drills", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="drills, or all of them")
    parser.add_argument("--short", action="store_true", help="the short forms")
    parser.add_argument("--list", action="store_true", help="print their names and end")
    options = parser.parse_args()
    if options.list:
        for each in all_drills():
            print(f"{each.label:<40} {each.title}")
        return 0
    try:
        found = list(chosen(options.names))
    except ValueError as fault:
        parser.error(str(fault))
    return run(found, short=options.short)


def run(found: list[Drill], *, short: bool) -> int:
    failed = 0
    print(ROW.format("drill", "sent", "acked", "lost", "recovered", "seconds", "verdict"))
    with tempfile.TemporaryDirectory(prefix="drills-") as folder:
        prepared = Prepared(Path(folder))
        for each in found:
            begun = time.monotonic()
            try:
                outcome, verdict = each.outcome(prepared, short=short), "ok"
            except (DrillError, TimeoutError, RuntimeError) as fault:
                outcome, failed = Outcome(), 1
                verdict = f"FAILED: {str(fault).strip().splitlines()[-1]}"
                print(fault, file=sys.stderr)
            _print(each, outcome, time.monotonic() - begun, verdict)
    return failed


def _print(each: Drill, outcome: Outcome, seconds: float, verdict: str) -> None:
    recovered = "–" if outcome.recovered is None else f"{outcome.recovered:.1f} s"
    title = f"{each.title} ({each.database})"
    figures = (outcome.sent, outcome.acknowledged, outcome.lost) if verdict == "ok" else ("", "", "")
    print(ROW.format(title, *figures, recovered, f"{seconds:.0f}", verdict))
    for remark in outcome.remarks:
        print(f"    {remark}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

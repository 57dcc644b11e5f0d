"""Compare our values with FIDE's exercises, with gacrux, and with published tables.

    python -m tools.agreement [DATA] [--drawn N]

DATA is a folder with `trf` and `events`. Prints the number of compared values and the differences. The exit
code is 1 if a difference is not in the table of docs/fide.md, or is in the table but no longer occurs.
`--drawn`: also compare N random tournaments with gacrux.
"""

import argparse
import os
import sys
from collections import defaultdict
from pathlib import Path

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
django.setup()


from tools.agreement import drawn
from tools.agreement.differences import Counted, known, rows_of
from tools.agreement.published import runs_of


def compare_published(data: Path) -> bool:
    """Compare all published values in a folder, print the result, and return whether there are no new
    differences.
    """
    by_source: dict[str, Counted] = defaultdict(Counted)
    for run in runs_of(data):
        by_source[run.source].add(run)
    print(f"{'values':>9} {'equal':>9} {'differ':>7}  file")
    for source, counted in by_source.items():
        for file, compared in sorted(counted.compared.items()):
            print_line(compared, counted.different[file], file)
        print_line(
            counted.compared.total(), counted.different.total(), f"{source}, {len(counted.compared)} files"
        )
    found = {each: None for counted in by_source.values() for each in counted.differences}
    in_document = known()
    new, gone = [each for each in found if each not in in_document], in_document - found.keys()
    for title, some in (("Not in docs/fide.md:", new), ("In docs/fide.md, but gone:", sorted(gone))):
        if some:
            print(title, *rows_of(some), sep="\n")
    compared, different = (
        sum(each.total() for each in counters)
        for counters in (
            [counted.compared for counted in by_source.values()],
            [counted.different for counted in by_source.values()],
        )
    )
    print(
        f"{compared:,} values compared: {compared - different:,} equal, {different:,} differ, {len(new)} new."
    )
    return not new and not gone


def print_line(compared: int, different: int, what: str) -> None:
    print(f"{compared:9,} {compared - different:9,} {different:7,}  {what}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.agreement", description=__doc__.partition("\n")[0])
    parser.add_argument("data", metavar="DATA", nargs="?", type=Path, help="a folder with trf and events")
    parser.add_argument("--drawn", metavar="N", type=int, default=0, help="tournaments drawn by lot")
    options = parser.parse_args()
    if options.data is None and not options.drawn:
        parser.error("name a folder, or --drawn N")
    agreed = options.data is None or compare_published(options.data)
    if options.drawn:
        agreed = drawn.compare_many(options.drawn) and agreed
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())

"""The cost of importing and querying a rating list of 1.6 million players: time, memory and size."""

from collections.abc import Iterator
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter, process_time

from tools.benchmarks.publishedlist import write
from tools.benchmarks.settings import FOLDER
from tournaments.interchange.ratinglists.folder import newest
from tournaments.interchange.ratinglists.lookup import look_up
from tournaments.interchange.ratinglists.storing import import_list

FILE = FOLDER / "players_list_foa.txt"
BEFORE = getrusage(RUSAGE_SELF).ru_maxrss
PLAYERS = 1_600_000
NAMES = (
    "garcia maria", "mar gar", "ma", "ivanov", "Müller, Hans", "vens", "jan", "gar", "ba an", "kowalski lau",
    "101000",
)  # fmt: skip
TIMES = 20


def report(count: int = PLAYERS) -> None:
    write(FILE, count)
    start, cpu = perf_counter(), process_time()
    made = import_list(FILE, "fide", date="2026-05-01")
    seconds, cpu = perf_counter() - start, process_time() - cpu
    most = getrusage(RUSAGE_SELF).ru_maxrss
    asked = [each for name in NAMES for each in costs(name)]
    print(f"\nA rating list of {made.rows:,} players, {FILE.stat().st_size / 1e6:.0f} MB of text")
    print(
        f"  imported in {cpu:.1f} CPU s, {made.rows / cpu:,.0f} rows a second; {seconds:.1f} s by the clock"
    )
    print(f"  memory of the process: {most / 1024:.0f} MB at most, {BEFORE / 1024:.0f} MB before")
    print(f"  on disk: {made.size / 1e6:.0f} MB")
    for what, at in (("CPU ms", 0), ("ms by the clock", 1)):
        ordered = sorted(each[at] for each in asked)
        p95 = ordered[len(ordered) * 95 // 100]
        print(f"  a name, {what}: p50 {median(ordered):.1f}, p95 {p95:.1f}, most {ordered[-1]:.1f}")


def costs(name: str) -> Iterator[tuple[float, float]]:
    """Yield CPU and wall milliseconds of each lookup of a name."""
    for _ in range(TIMES):
        cpu, clock = process_time(), perf_counter()
        used = newest("fide")
        assert used is not None
        look_up(used, name)
        yield (process_time() - cpu) * 1_000, (perf_counter() - clock) * 1_000

"""Tournament reports: the cost of reading and writing a large report, and a survey of a folder.

`python -m tools.benchmarks.reports FOLDER` reads every file of a folder and its subfolders and prints whether
it was read or refused, the reason, and whether writing it twice gives the same bytes.
"""

import os
import sys
from collections import Counter
from pathlib import Path

import django

if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
    django.setup()

from tools.benchmarks.clock import least
from tools.benchmarks.generated import generate
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import write_report

ENDINGS = frozenset({".trf", ".trfx", ".txt", ".input"})
PLAYERS, ROUNDS, TIMES = 2000, 13, 3


def large_report() -> bytes:
    """Return a report of 2,000 players and 13 rounds, in the format of another program."""
    made = generate(PLAYERS, ROUNDS)
    cells: list[list[str]] = [[] for _ in range(PLAYERS)]
    for game in made.games:
        for own, other, colour, code in _sides(game.white, game.black, game.score):
            cells[own].append(f"  {other + 1:4d} {colour} {code}")
    lines = [f"001 {at + 1:4d}      {f'Player {at + 1}':33} {made.ratings[at]:4d}" for at in range(PLAYERS)]
    rounds = [
        f"012 Large\n142 {ROUNDS}",
        *(f"{line:89}{''.join(own)}" for line, own in zip(lines, cells, strict=True)),
    ]
    return "\n".join(rounds).encode()


def _sides(white: int, black: int, score: int) -> tuple[tuple[int, int, str, str], ...]:
    return (white, black, "w", "0=1"[score]), (black, white, "b", "1=0"[score])


def report() -> None:
    content = large_report()
    reading = read_report(content, "large")
    assert reading.accepted is not None, reading.errors[:3]
    document = reading.accepted
    times = least(lambda: read_report(content, "large"), TIMES), least(lambda: write_report(document), TIMES)
    seconds = [each / 1000 for each in times]
    print(f"Tournament report of {PLAYERS:,} × {ROUNDS}, CPU seconds: ", end="")
    print(f"read {seconds[0]:.2f} (≤ 0.30), written {seconds[1]:.2f}")


def survey(folder: Path) -> None:
    counted: Counter[str] = Counter()
    for file in sorted(each for each in folder.rglob("*") if each.suffix in ENDINGS):
        said, findings = _judged(file.read_bytes())
        counted[said] += 1
        print(f"{said:8} {file.relative_to(folder)}", *findings, sep="\n         ")
    print(", ".join(f"{count} {what}" for what, count in sorted(counted.items())))


def _judged(content: bytes) -> tuple[str, list[str]]:
    reading = read_report(content, "survey")
    if reading.accepted is None:
        return "refused", [str(each) for each in reading.errors]
    first = write_report(reading.accepted)
    second = read_report(first.encode(), "survey").accepted
    same = second is not None and write_report(second) == first
    return ("stable" if same else "unstable"), [str(each) for each in reading.findings]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        survey(Path(sys.argv[1]))
    else:
        report()

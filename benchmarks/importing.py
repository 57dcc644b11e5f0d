"""A folder of a thousand events of 100 players and 9 rounds into the record: rate in CPU time, and memory.

    python -m benchmarks.importing [EVENTS]

It takes minutes, so it is no part of `make bench`.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from time import process_time

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.core.management import call_command  # noqa: E402 - the record can be imported only after setup

from benchmarks.generated import Tournament, generate  # noqa: E402
from tournaments.files.document import Competitor, Document, Event, Pairing, Round  # noqa: E402
from tournaments.files.importing import import_file  # noqa: E402
from tournaments.files.sources import sources  # noqa: E402
from tournaments.files.writer import write  # noqa: E402
from tournaments.models import Pairing as Recorded  # noqa: E402

PLAYERS, ROUNDS, EVENTS, SEEDS = 100, 9, 1_000, 20
TENTHS = 10


def report(events: int) -> None:
    """Print the rate of each tenth of the folder and the memory after it; then the same files again."""
    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        _write_files(Path(folder), events)
        _measure(Path(folder), events, "imported")
        assert Recorded.objects.count() == events * ROUNDS * PLAYERS // 2
        _measure(Path(folder), events, "the same again")


def _measure(folder: Path, events: int, what: str) -> None:
    start, step = process_time(), max(events // TENTHS, 1)
    marks: list[tuple[float, int]] = []
    for count, source in enumerate(sources([folder]), start=1):
        findings = import_file(source.name, source.read()[0], announce=lambda _: None)
        assert not findings, findings
        if count % step == 0:
            marks.append((process_time(), _megabytes()))
    seconds = process_time() - start
    rates = [f"{step / (late - early):.1f}" for (early, _), (late, _) in pairwise([(start, 0), *marks])]
    memory = [str(megabytes) for _, megabytes in marks]
    print(f"{what}: {events} events in {seconds:.1f} CPU s, {events / seconds:.1f} a second of CPU")
    print(f"  a second, tenth by tenth: {' '.join(rates)}")
    print(f"  MB of its own memory:     {' '.join(memory)}")


def _megabytes() -> int:
    """The memory of this process without the database file, which SQLite maps into it (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("RssAnon:")[2].split()[0]) // 1024


def _write_files(folder: Path, events: int) -> None:
    """Tournaments of a few seeds, each under many names: pairing them takes longer than importing."""
    played = [generate(PLAYERS, ROUNDS, seed) for seed in range(1, min(SEEDS, events) + 1)]
    for number in range(1, events + 1):
        document = _document(number, played[number % len(played)])
        (folder / f"{document.event.slug}.json").write_text(write(document), encoding="utf-8")


def _document(number: int, tournament: Tournament) -> Document:
    event = Event(
        slug=f"open-{number:04d}", name=f"Open {number}", discipline="chess", entrants="players",
        schedule="swiss", planned_rounds=tournament.rounds, game_win=2, game_draw=1, game_loss=0,
        system="fmjd-swiss", start=str(1950 + number % 75),
    )  # fmt: skip
    competitors = tuple(
        Competitor(at, f"Player {number}-{at}", rating=rating)
        for at, rating in enumerate(tournament.ratings, start=1)
    )
    return Document(event, competitors, tuple(_rounds(tournament)))


def _rounds(tournament: Tournament) -> Iterator[Round]:
    for number in range(1, tournament.rounds + 1):
        games = (game for game in tournament.games if game.round == number)
        yield Round(
            number,
            pairings=tuple(
                Pairing(
                    game.table, game.white + 1, game.black + 1,
                    first_score=game.score, second_score=2 - game.score,
                )
                for game in games
            ),
        )  # fmt: skip


if __name__ == "__main__":
    report(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)

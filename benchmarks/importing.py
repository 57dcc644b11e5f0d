"""A folder of a thousand events of 100 players and 9 rounds: how fast it comes in, and what pages cost then.

    python -m benchmarks.importing [EVENTS]

They are imported, and the same files again. Then pages are asked for in turns with a process that has the
first ten alone: whatever else the machine does, it does to both. It takes minutes, so it is no part of
`make bench`.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice, pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.core.cache import cache  # noqa: E402 - the record can be imported only after setup
from django.core.management import call_command  # noqa: E402

from benchmarks.clock import each  # noqa: E402
from benchmarks.generated import Tournament, generate  # noqa: E402
from benchmarks.visitor import Visitor  # noqa: E402
from tournaments.event.document import (  # noqa: E402
    CompetitorEntry,
    Document,
    EventEntry,
    PairingEntry,
    RoundEntry,
)
from tournaments.formats.json.writer import write  # noqa: E402
from tournaments.formats.sources import Source, sources  # noqa: E402
from tournaments.models import Competitor, Event, Pairing  # noqa: E402
from tournaments.recording.imports import import_file  # noqa: E402

PLAYERS, ROUNDS, EVENTS, FEW, SEEDS = 100, 9, 1_000, 10, 10
TENTHS, TURNS, TIMES = 10, 40, 10
HOME, EVENT, EMPTY = "/", "/events/open-0003/", "/empty/"
SEARCHES = {
    "finds nothing": "?q=nobody",
    "finds one player": "?q=player+0003017",
    "finds all events": "?q=open",
    "finds all players": "?q=player",
}


class Page(NamedTuple):
    """A page to ask for, and what is done before each time; where nothing is, the page is kept."""

    address: str
    before: Callable[[], object] = lambda: None


def report(events: int) -> None:
    """Print the rate of each tenth of the folder, the memory after it, and what pages cost then."""
    with _few_events() as few:
        _prepare()
        with tempfile.TemporaryDirectory() as folder:
            _write_files(Path(folder), events)
            _import(Path(folder), events, "imported")
            assert Pairing.objects.count() == events * ROUNDS * PLAYERS // 2
            _import(Path(folder), events, "the same again")
        _compare(few, events)


def _prepare() -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)


def _import(folder: Path, events: int, what: str) -> None:
    start, step = process_time(), max(events // TENTHS, 1)
    marks: list[tuple[float, int, int]] = []
    for count, source in enumerate(sources([folder]), start=1):
        _store(source)
        if count % step == 0:
            marks.append((process_time(), _megabytes("RssAnon"), _megabytes("RssFile")))
    seconds = process_time() - start
    rates = [f"{step / (late - early):.1f}" for (early, *_), (late, *_) in pairwise([(start, 0, 0), *marks])]
    print(f"{what}: {events:,} events in {seconds:.1f} CPU s, {events / seconds:.1f} a second of CPU")
    print(f"  a second, tenth by tenth: {' '.join(rates)}")
    print(f"  MB of its own memory:     {' '.join(str(own) for _, own, _ in marks)}")
    print(f"  MB of mapped files:       {' '.join(str(mapped) for _, _, mapped in marks)}", flush=True)


def _store(source: Source) -> None:
    findings = import_file(source.name, source.read()[0], announce=lambda _: None)
    assert not findings, findings


def _megabytes(kind: str) -> int:
    """The memory of this process (Linux): `RssAnon` is its own, `RssFile` is of files mapped into it.

    SQLite maps its database, so what was read of it counts there; the system takes that back when it likes.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(f"{kind}:")[2].split()[0]) // 1024


# --- pages --------------------------------------------------------------------------------------------------


def _pages() -> dict[str, Page]:
    """Pages that are kept, made anew, and made anew where what they are made of has changed too."""
    found = {"home": HOME, **{f"search that {what}": HOME + words for what, words in SEARCHES.items()}}
    pages = {"empty view": Page(EMPTY)}
    for name, address in {**found, "event page": EVENT}.items():
        pages[f"{name}: kept"] = Page(address)
        pages[f"{name}: made anew"] = Page(address, cache.clear)
    for name, address in islice(found.items(), 2):
        pages[f"{name}: a competitor changed"] = Page(address, _change_competitor)
        pages[f"{name}: an event changed"] = Page(address, _change_event)
    return pages


def _costs(visitor: Visitor, page: Page) -> list[float]:
    assert visitor.get(page.address).status == 200
    return each(partial(visitor.get, page.address), TIMES, before=page.before)


Ask = Callable[[str], list[float]]


@contextmanager
def _few_events() -> Iterator[Ask]:
    """What pages cost, by name, in another process that has the first events alone."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_answer, args=(theirs,), daemon=True)
    process.start()

    def ask(name: str) -> list[float]:
        ours.send(name)
        costs: list[float] = ours.recv()
        return costs

    yield ask
    ours.send("")
    process.join()


def _answer(pipe: Connection) -> None:
    """The other process, until it is asked for nothing."""
    _prepare()
    with tempfile.TemporaryDirectory() as folder:
        _write_files(Path(folder), FEW)
        for source in sources([Path(folder)]):
            _store(source)
    visitor, pages = Visitor(), _pages()
    while name := pipe.recv():
        pipe.send(_costs(visitor, pages[name]))


def _change_competitor() -> None:
    """The database counts it as a change, and the next import finds none."""
    cache.clear()
    Competitor.objects.filter(event__slug="open-0005", number=1).update(title="")


def _change_event() -> None:
    cache.clear()
    Event.objects.filter(slug="open-0005").update(place="")


def _compare(few: Ask, events: int) -> None:
    """The ratio of the least is that of the work; in the median is also what else the machine had to do."""
    print(f"\nPages with {FEW} events and with {events:,}, through all middleware, in turns; CPU ms")
    print(f"{'':48}{'least':>14}{'ratio':>10}{'median':>17}{'ratio':>10}")
    visitor = Visitor()
    for name, page in _pages().items():
        before: list[float] = []
        after: list[float] = []
        for _ in range(TURNS):
            before += few(name)
            after += _costs(visitor, page)
        print(f"{name:48}{_ratio(min(before), min(after))}   {_ratio(median(before), median(after))}")


def _ratio(before: float, after: float) -> str:
    return f"{before:7.2f}{after:7.2f}{after / before:9.2f}×"


# --- the folder ---------------------------------------------------------------------------------------------


def _write_files(folder: Path, events: int) -> None:
    """Tournaments of a few seeds, each under many names: pairing them takes longer than importing."""
    played = [generate(PLAYERS, ROUNDS, seed) for seed in range(1, min(SEEDS, events) + 1)]
    for number in range(1, events + 1):
        document = _document(number, played[number % len(played)])
        (folder / f"{document.event.slug}.json").write_text(write(document), encoding="utf-8")


def _document(number: int, tournament: Tournament) -> Document:
    event = EventEntry(
        slug=f"open-{number:04d}", name=f"Open {number}", discipline="chess", entrants="players",
        schedule="swiss", planned_rounds=tournament.rounds, game_win=2, game_draw=1, game_loss=0,
        system="fmjd-swiss", start=str(1950 + number % 75),
    )  # fmt: skip
    competitors = tuple(
        CompetitorEntry(number=at, name=f"Player {number:04d}{at:03d}", rating=rating)
        for at, rating in enumerate(tournament.ratings, start=1)
    )
    return Document(event, competitors, tuple(_rounds(tournament)))


def _rounds(tournament: Tournament) -> Iterator[RoundEntry]:
    for number in range(1, tournament.rounds + 1):
        games = (game for game in tournament.games if game.round == number)
        yield RoundEntry(
            number=number,
            pairings=tuple(
                PairingEntry(
                    table=game.table, first=game.white + 1, second=game.black + 1,
                    first_score=game.score, second_score=2 - game.score,
                )
                for game in games
            ),
        )  # fmt: skip


if __name__ == "__main__":
    report(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)

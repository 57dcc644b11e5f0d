"""The cost of a growing site: import events from a folder, and request pages at each size.

    python -m tools.benchmarks.importing [EVENTS ...]
    python tools/withpg.py sh -c 'BENCHMARKS_DATABASE_URL=$DATABASE_URL python -m tools.benchmarks.importing'

The default sizes are 100 and 1,000. At each size, requests alternate with those to a process that has only
the first ten events, so that other load on the machine affects both. Imports of a further event alternate
too. Results are printed at each size, so that an interrupted run has results. With BENCHMARKS_DATABASE_URL,
which names a database that is empty at first, the next run continues there. It takes minutes, and up to an
hour with 10,000 events, so `make bench` does not run it.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter_ns, process_time_ns
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
django.setup()

from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from standings.careers.directory import PER_PAGE
from standings.careers.medals import refresh_all
from standings.catalogue.listing import Listing
from standings.pages.people.lookup import PERSONS, TEAMS, OverEvents
from tools.benchmarks.clock import each
from tools.benchmarks.folder import Folder, fide_id_of, name_of, slug_of
from tools.benchmarks.visitor import Visitor
from tournaments.models import Competitor, Event, PersonIdentifier, PersonTally, TeamLink
from tournaments.recording.imports.importing import import_file
from tournaments.search.index import refresh

SIZES, FEW, THOUSAND = (100, 1_000), 10, 1_000
ANALYSED = 100
"""Run ANALYZE after this many events. Autovacuum does so after a growth of a tenth."""
TURNS, TIMES = 7, 5
CHANGED, EXTRA = slug_of(5), "one-more"
"""The event that is changed before some pages, and the slug of the further event."""

TEAM_EVENTS = [
    Path(__file__).parents[2] / "tournaments" / "demo" / f"olympiad-{year}-open.json" for year in (2018, 2022)
]
SEARCHES = {
    "finds nothing": "Nobody",
    "finds one player": name_of(3, 70),
    "finds a person": name_of(3, 7),
    "finds all events": "open",
    "finds all players": "player",
    "is misspelt": name_of(3, 70).removeprefix("Player ")[:-1],
}
LISTS = {
    "by federation": "country=NED",
    "of a federation, by gold": "country=NED&sort=gold",
    "by gold": "sort=gold",
    "by gold, turned": "sort=gold&dir=asc",
    "by events": "sort=events",
    "by title": "sort=title",
    "of a name": urlencode({"q": name_of(3, 7).removeprefix("Player ")}),
}
AFTER_CHANGES = ("home", "event page", "person page", "list of persons", "search that finds one player")
"""Pages that are also requested right after a change of another event."""

CLOCK = process_time_ns if connection.vendor == "sqlite" else perf_counter_ns
"""A database server has its own processes, so with a server wall time is measured."""


class Measured(NamedTuple):
    """The measured function, the preparation before each call, and the number of calls per turn."""

    work: Callable[[], object]
    before: Callable[[], object] = lambda: None
    times: int = TIMES


class Turn(NamedTuple):
    """Median cost of a turn in milliseconds, with few and with many events."""

    few: float
    many: float


def report(sizes: Sequence[int]) -> None:
    with tempfile.TemporaryDirectory() as path, _few_events() as few:
        folder = Folder(Path(path))
        _prepare()
        costs: list[float] = []
        for size in sizes:
            for at in range(Event.objects.count() - len(TEAM_EVENTS) + 1, size + 1):
                costs.append(_imported(folder.file(slug_of(at), at)))
                if at % ANALYSED == FEW:
                    _look_after("ANALYZE")
                if at == size or at % THOUSAND == 0:
                    _print_import(f"{at:6,} events, the last {len(costs):,}", costs)
                if at % THOUSAND == 0:
                    costs.clear()
            tallied = each(_tally, 1, clock=CLOCK)[0]
            print(f"Tallying and indexing what came in: {tallied / 1000:.1f} s", flush=True)
            _print_table(size, few, folder)
        again = [_imported(folder.file(slug_of(at), at)) for at in range(1, min(sizes[-1], THOUSAND) + 1)]
        _print_import(f"The first {len(again):,} files again", again)


def _prepare() -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    for file in TEAM_EVENTS if not Event.objects.exists() else ():
        _store(file)


def _tally() -> None:
    """Tally as `update_lists` does, and index as `import_event` does; requests do the same in steps."""
    assert refresh_all(lambda _left: None) == 0
    refresh()
    _look_after("VACUUM ANALYZE")


def _look_after(statement: str) -> None:
    """Run ANALYZE, which autovacuum does on a real server.

    Until then, a connection uses query plans of triggers that were made for empty tables.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(statement)


def _imported(file: Path) -> float:
    return each(partial(_store, file), 1, clock=CLOCK)[0]


def _store(file: Path) -> None:
    findings = import_file(file.name, file.read_bytes(), announce=lambda _: None)
    assert not findings, findings


def _print_import(what: str, costs: Sequence[float]) -> None:
    rate = 1000 * len(costs) / sum(costs)
    memory = f"{_megabytes('RssAnon')} MB of its own memory, {_megabytes('RssFile')} of mapped files"
    print(f"{what}: {rate:.1f} a second; {memory}", flush=True)


def _megabytes(kind: str) -> int:
    """Return the memory of this process (Linux): `RssAnon` is its own, `RssFile` that of mapped files.

    SQLite maps its database, so pages that were read count there; the kernel can reclaim them.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(f"{kind}:")[2].split()[0]) // 1024


def _print_table(size: int, few: "Ask", folder: Folder) -> None:
    """Print the medians, and the median ratio per turn, which hardly depends on the speed of the machine."""
    print(f"\nWith {FEW} events and with {size:,}, through all middleware, in turns; median ms")
    for name, measured in _all(folder).items():
        turns = [Turn(few(name), _turn(measured)) for _ in range(TURNS)]
        before, after = median(turn.few for turn in turns), median(turn.many for turn in turns)
        ratio = median(turn.many / turn.few for turn in turns)
        print(f"{name:48}{before:8.2f}{after:8.2f}{ratio:9.2f}×", flush=True)
    print()


# --- measurements -----------------------------------------------------------------------------------------


def _all(folder: Folder) -> dict[str, Measured]:
    """Return pages from the cache, generated again, and generated again after a change of their data."""
    found = {f"search that {what}": "/?" + urlencode({"q": words}) for what, words in SEARCHES.items()}
    pages = {
        "home": "/",
        "event page": reverse("event", args=[slug_of(3)]),
        "person page": _address(PERSONS, PersonIdentifier.objects.get(value=fide_id_of(3, 7)).person_id),
        "team page": _address(TEAMS, TeamLink.objects.filter(name="Netherlands").latest("pk").team_id),
        "list of persons": "/people/",
        "list of persons, in the middle": f"/people/?page={PersonTally.objects.count() // PER_PAGE // 2 + 1}",
        **{f"list of persons {what}": f"/people/?{asked}" for what, asked in LISTS.items()},
        "list of teams": "/teams/",
        **found,
    }
    visitor = Visitor()
    measured = {"empty view": _page(visitor, "/empty/")}
    for name, address in pages.items():
        measured[f"{name}: kept"] = _page(visitor, address)
        measured[f"{name}: made anew"] = _page(visitor, address, cache.clear)
        if name in AFTER_CHANGES:
            measured[f"{name}: a competitor changed"] = _page(visitor, address, _change_competitor)
            measured[f"{name}: an event changed"] = _page(visitor, address, _change_event)
    measured["home: an event on it changed"] = _page(visitor, "/", partial(_change_event, _on_home()))
    return measured | {"import of one more event": _one_more(folder)}


def _address(kind: OverEvents[Any], key: int) -> str:
    return kind.address(key, kind.known(key).slug)


def _page(visitor: Visitor, address: str, before: Callable[[], object] = lambda: None) -> Measured:
    def ask() -> None:
        assert visitor.get(address).status == 200, address

    ask()
    return Measured(ask, before)


def _change_competitor() -> None:
    """Change a column that counts as a change for the database, but not for the next import."""
    cache.clear()
    Competitor.objects.filter(event__slug=CHANGED, number=1).update(title="")


def _change_event(slug: str = CHANGED) -> None:
    cache.clear()
    Event.objects.filter(slug=slug).update(place="")


def _on_home() -> str:
    shown = Event.objects.in_bulk(Listing({}).keys).values()
    return next(event.slug for event in shown if event.slug.startswith("open-"))


def _one_more(folder: Folder) -> Measured:
    """Import another event with the players of the third event. Half of these are linked to persons."""
    file = folder.file(EXTRA, 3)
    return Measured(partial(_store, file), lambda: Event.objects.filter(slug=EXTRA).delete(), times=1)


def _turn(measured: Measured) -> float:
    return median(each(measured.work, measured.times, measured.before, CLOCK))


# --- the process with few events --------------------------------------------------------------------------

Ask = Callable[[str], float]


@contextmanager
def _few_events() -> Iterator[Ask]:
    """Yield a function that measures by name in a process with the first events only."""
    ours, theirs = get_context("spawn").Pipe()
    named = os.environ.pop("BENCHMARKS_DATABASE_URL", "")
    if connection.vendor == "postgresql":
        os.environ["BENCHMARKS_DATABASE_URL"] = _another_database(named, "crosstable_few")
    process = get_context("spawn").Process(target=_answer, args=(theirs,), daemon=True)
    process.start()

    def ask(name: str) -> float:
        ours.send(name)
        cost: float = ours.recv()
        return cost

    yield ask
    ours.send("")
    process.join()


def _another_database(ours: str, name: str) -> str:
    """Create a second database on the same server, and return its URL."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        cursor.execute(f"CREATE DATABASE {name}")
    return urlsplit(ours)._replace(path=f"/{name}").geturl()


def _answer(pipe: Connection) -> None:
    """Main loop of the other process, until it receives an empty request."""
    _prepare()
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(Path(path))
        for at in range(1, FEW + 1):
            _store(folder.file(slug_of(at), at))
        _tally()
        measured = _all(folder)
        while name := pipe.recv():
            pipe.send(_turn(measured[name]))


if __name__ == "__main__":
    report([int(size) for size in sys.argv[1:]] or SIZES)

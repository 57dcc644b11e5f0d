"""CPU time of a public page on the server: the WSGI application in this process, with all middleware.

The page is the standings of the 43rd Chess Olympiad, 185 teams and 11 rounds, with production settings on
SQLite: generated, cached, and not modified. The reference is a view with an empty response. The process is
warm: templates, flags and formatted numbers are cached, but not pages and standings. Garbage collection is
on, as on a server.
"""

from functools import partial
from statistics import median

from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from whitenoise.compress import main as compress

from standings.charts.race import race_of
from standings.pages.frame import sheet_of
from standings.services import places_after_each_round
from tools.benchmarks import by_tags
from tools.benchmarks.clock import each
from tools.benchmarks.generated import generate
from tools.benchmarks.recorded import record
from tools.benchmarks.visitor import Visitor
from tournaments.models import Event
from tournaments.operations.revision import present
from tournaments.recording.imports.importing import import_event

EVENT = "olympiad-2018-open"
STANDINGS, EMPTY = f"/events/{EVENT}/standings/", "/empty/"
COLD, TAGS = "cold: nothing kept", "cold, cells by tags"
WARM, UNCHANGED, POLL, YARDSTICK = "warm: page kept", "304: unchanged", "204: poll", "empty view"
COLD_TIMES, TAGS_TIMES, TIMES = 60, 15, 600
LARGEST = (2_000, 13)
POLLERS, EVERY = 1_000, 5
"""Number of readers with the page of a live event, and the seconds between two polls."""

Costs = dict[str, list[float]]


def report() -> None:
    prepare()
    visitor = Visitor()
    costs = measure(visitor)
    print(f"Standings page of Batumi 2018, {_size(visitor, STANDINGS)}, through all middleware; CPU ms")
    print(f"{'':20}{'median':>9}{'least':>9}{'median / empty view':>24}")
    for name, cost in costs.items():
        ratio = median(cost) / median(costs[YARDSTICK])
        print(f"{name:20}{median(cost):9.2f}{min(cost):9.2f}{ratio:23.1f}×")
    middle = {name: median(cost) for name, cost in costs.items()}
    print(f"cells by tags / ours, cold: {middle[TAGS] / middle[COLD]:.1f}×")
    rates = (f"{name} {middle[YARDSTICK] / middle[name]:.0%}" for name in (WARM, UNCHANGED))
    print(f"requests a second, of the empty view's: {', '.join(rates)}")
    core = POLLERS / EVERY * middle[POLL] / 1000
    print(f"{POLLERS:,} open pages that ask every {EVERY} s: {core:.1%} of a core")
    _report_race()
    _report_largest(visitor)


def _report_race() -> None:
    event = Event.objects.get(slug=EVENT)
    sheet, places = sheet_of(event, None), places_after_each_round(event)
    assert race_of(sheet, places) is not None
    first = median(each(lambda: race_of(sheet, places), COLD_TIMES))
    everybody = median(each(lambda: race_of(sheet, places, everybody=True), COLD_TIMES))
    print(
        f"race of the first ten: {first:.2f} CPU ms; with lines for all who may be followed: {everybody:.2f}"
    )


def _report_largest(visitor: Visitor) -> None:
    players, rounds = LARGEST
    address = f"/events/{record(generate(players, rounds)).slug}/standings/"
    print(f"\nStandings page of {players:,} × {rounds}; median CPU ms, cold")
    for rows, query in (("first rows", ""), ("all rows", "?top=all")):
        get = partial(visitor.get, address + query)
        get()
        costs = each(get, TAGS_TIMES, before=cache.clear)
        print(f"{rows:20}{median(costs):9.2f}    {_size(visitor, address + query)}")


def _size(visitor: Visitor, address: str) -> str:
    page = visitor.get(address)
    return f"{len(page.plain) / 1000:,.0f} kB ({len(page.body) / 1000:,.0f} kB compressed)"


def prepare() -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    for folder in ("css", "django_htmx", "js"):
        compress([str(settings.STATIC_ROOT / folder), "--quiet"])
    file = settings.BASE_DIR / "tournaments" / "demo" / f"{EVENT}.json"
    import_event(file, announce=lambda _: None)


def measure(visitor: Visitor) -> Costs:
    """Return the cost of each kind of response, after checking the kind."""
    made, kept = visitor.get(STANDINGS), visitor.get(STANDINGS)
    etag = made.headers["ETag"]
    stamp = present(Event.objects.get(slug=EVENT).pk).stamp
    poll = f"/events/{EVENT}/poll/?revision={stamp}&page=standings"
    unchanged, nothing_new, empty = visitor.get(STANDINGS, etag), visitor.get(poll), visitor.get(EMPTY)
    answers = (made, kept, unchanged, nothing_new, empty)
    assert [answer.status for answer in answers] == [200, 200, 304, 204, 200]
    assert made.plain == kept.plain
    return {
        COLD: each(lambda: visitor.get(STANDINGS), COLD_TIMES, before=cache.clear),
        TAGS: _by_tags(visitor, made.plain),
        WARM: each(lambda: visitor.get(STANDINGS), TIMES),
        UNCHANGED: each(lambda: visitor.get(STANDINGS, etag), TIMES),
        POLL: each(lambda: visitor.get(poll), TIMES),
        YARDSTICK: each(lambda: visitor.get(EMPTY), TIMES),
    }


def _by_tags(visitor: Visitor, ours: bytes) -> list[float]:
    """Return the cost of the same page, byte for byte, with a template for each cell."""
    with by_tags.instead():
        cache.clear()
        assert visitor.get(STANDINGS).plain == ours
        costs = each(lambda: visitor.get(STANDINGS), TAGS_TIMES, before=cache.clear)
    cache.clear()
    visitor.get(STANDINGS)
    return costs

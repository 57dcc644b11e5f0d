"""What a search costs with 10,000 names and with a million: on SQLite, or in an empty database that is named.

    python -m benchmarks.searching [FEW MANY]
    python tools/withpg.py sh -c 'BENCHMARKS_DATABASE_URL=$DATABASE_URL python -m benchmarks.searching'

The names are made up and written straight into the tables of the search, as an import of that many events of
a hundred players would leave them: the search reads nothing else of an event that it does not show. Both
sizes are measured in one process, the few first; what counts is the ratio.
"""

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
django.setup()

from django.core.management import call_command  # noqa: E402 - the record can be imported only after setup
from django.db import connection  # noqa: E402

from benchmarks.clock import each  # noqa: E402
from standings.catalogue.listing import Listing  # noqa: E402
from tournaments.models import Event, Revision, SearchEntry, SearchKind  # noqa: E402
from tournaments.search.index import ADD_WORD  # noqa: E402
from tournaments.search.texts import EventTexts  # noqa: E402

A_HUNDRED, AT_A_TIME, TIMES = 100, 200, 30
SYLLABLES = "ka ro men ti sch van ber lu do si pa ner ov ski wa jo ha del mi ra zen tu bo li gar".split()  # noqa: SIM905
FIRST = 300
"""First names that there are; of last names there are as many as syllables make."""

SEARCHES = {
    "nobody": "xyzzy",
    "one whole name": "kamen roberger0",
    "a first name": "kaka",
    "three letters": "kar",
    "one letter": "k",
    "a first and a last name": "kaka rotibe",
    "a name and a year": "kaka 1963",
    "every event": "open",
    "misspelt": "rokamenn",
}
LIST, CHANGED = "the list of home", "the same, an event changed"
FOUND_CHANGED = "a first name, an event changed"


def report(few: int, many: int) -> None:
    """Print what searches cost with so many names, and what the process keeps."""
    call_command("migrate", verbosity=0)
    costs: dict[int, dict[str, list[float]]] = {}
    for names in (few, many):
        _fill(names // A_HUNDRED)
        before = _megabytes()
        costs[names] = {what: _cost(words) for what, words in SEARCHES.items()}
        costs[names] |= {LIST: _cost(""), CHANGED: _cost("", _change), FOUND_CHANGED: _cost("kaka", _change)}
        print(f"{names:,} names: {_megabytes() - before} MB more in the process after all searches")
    print(f"\n{few:,} and {many:,} names, a hundred an event; CPU ms of this process ({connection.vendor})")
    print(f"{'':32}{'median':>17}{'ratio':>10}")
    for what in (*SEARCHES, LIST, CHANGED, FOUND_CHANGED):
        less, more = median(costs[few][what]), median(costs[many][what])
        print(f"{what:32}{less:8.2f} {more:8.2f}{more / less:9.2f}×")


def _cost(words: str, before: Callable[[], object] = lambda: None) -> list[float]:
    def search() -> None:
        listing = Listing({"q": words})
        assert len(listing.events) == min(listing.total, listing.per_page)
        assert all(each_filter.choices for each_filter in listing.filters)

    search()
    return each(search, TIMES, before)


def _change() -> None:
    Event.objects.filter(slug="open-5").update(place="")


def _megabytes() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("RssAnon:")[2].split()[0]) // 1024


def _fill(events: int) -> None:
    """Write events with the texts of a hundred names each, up to so many."""
    there = Event.objects.count()
    for start in range(there, events, AT_A_TIME):
        numbers = range(start, min(start + AT_A_TIME, events))
        made = Event.objects.bulk_create(_event(number) for number in numbers)
        texts = {event.pk: _texts(number) for event, number in zip(made, numbers, strict=True)}
        SearchEntry.objects.bulk_create(
            SearchEntry(kind=SearchKind.EVENT, key=pk, folded=one.folded, shown=one.shown)
            for pk, one in texts.items()
        )
        with connection.cursor() as cursor:
            cursor.executemany(ADD_WORD, list(_words(texts)))
    Revision.objects.update(searched=2**31)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _event(number: int) -> Event:
    return Event(
        slug=f"open-{number}", name=f"Open {number}", discipline="chess", entrants="players",
        schedule="swiss", planned_rounds=9, game_win=2, game_draw=1, system="fmjd-swiss",
        start=str(1950 + number % 75), state=Event.State.FINAL,
    )  # fmt: skip


def _texts(number: int) -> EventTexts:
    chance = random.Random(number)
    names = [_name(chance) for _ in range(A_HUNDRED)]
    folded = [f" open {number} {1950 + number % 75}", *(f" {name}" for name in names)]
    return EventTexts("\n".join(folded), "\n".join(f"{at}\t{name}\t" for at, name in enumerate(names, 1)))


def _name(chance: random.Random) -> str:
    first = SYLLABLES[chance.randrange(12)] + SYLLABLES[chance.randrange(FIRST // 12)]
    return f"{first} {''.join(chance.choices(SYLLABLES, k=3))}"


def _words(texts: dict[int, EventTexts]) -> Iterator[tuple[int, int, str]]:
    for pk, one in texts.items():
        for kind, words in ((SearchKind.EVENT, one.own_words()), (SearchKind.NAME, one.words_of_names())):
            yield from ((pk, kind.value, word) for word in words)


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    report(*given) if given else report(10_000, 1_000_000)

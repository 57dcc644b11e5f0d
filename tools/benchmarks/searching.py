"""The cost of searches among 10,000 names and a million, on SQLite or in an empty database.

    python -m tools.benchmarks.searching [FEW MANY]
    python tools/withpg.py sh -c 'BENCHMARKS_DATABASE_URL=$DATABASE_URL python -m tools.benchmarks.searching'

The names are generated and written directly to the search index, as after an import of events with a hundred
players each, with the same number of persons. The search reads other tables only for results that it shows.
Both sizes are measured in the same process; the ratio counts.
"""

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tools.benchmarks.settings"
django.setup()

from django.core.management import call_command
from django.db import connection
from django.db.models import F

from standings.catalogue.listing import Listing, suggestions
from tools.benchmarks.clock import each
from tournaments.models import (
    Competitor,
    Event,
    Person,
    PersonLink,
    PersonRevision,
    Revision,
    SearchEntry,
    SearchKind,
)
from tournaments.operations.revision import settle
from tournaments.search.folding import engine_words
from tournaments.search.index import add_spellings
from tournaments.search.texts import IN_AN_ENTRY, KINDS, SearchText, TextLine, entry_key, text_of_names

A_HUNDRED, AT_A_TIME, TIMES = 100, 200, 30
ROWS_OF = 10
"""A tenth of the persons, those that a page may show, have rows in other tables."""
SYLLABLES = "ka ro men ti sch van ber lu do si pa ner ov ski wa jo ha del mi ra zen tu bo li gar".split()  # noqa: SIM905
FIRST = 300
"""Number of first names. The number of last names follows from the syllables."""

SEARCHES = {
    "nobody": "xyzzy",
    "one whole name": "",
    "a first name": "kaka",
    "three letters": "kar",
    "two letters": "ka",
    "one letter": "k",
    "a first and a last name": "kaka rotibe",
    "a name and a year": "kaka 1963",
    "every event": "open",
    "misspelt": "",
    "first and last, both begun": "kak rotib",
    "suggested: two letters": "ka",
    "suggested: a first name": "kaka",
}
LIST, CHANGED = "the list of home", "the same, an event changed"
FOUND_CHANGED = "a first name, an event changed"


def report(few: int, many: int) -> None:
    call_command("migrate", verbosity=0)
    first, last = _names(0, SearchKind.NAMES)[0].split()
    SEARCHES.update({"one whole name": f"{last}, {first}", "misspelt": f"{last[:3]}q{last[3:]}"})
    costs: dict[int, dict[str, list[float]]] = {}
    for names in (few, many):
        _fill(names // A_HUNDRED)
        before = _megabytes()
        costs[names] = {
            what: _cost(words, suggests=what.startswith("suggested")) for what, words in SEARCHES.items()
        }
        costs[names] |= {LIST: _cost(""), CHANGED: _cost("", _change), FOUND_CHANGED: _cost("kaka", _change)}
        print(f"{names:,} names: {_megabytes() - before} MB more in the process after all searches")
    print(f"\n{few:,} and {many:,} names, a hundred an event; CPU ms of this process ({connection.vendor})")
    print(f"{'':32}{'median':>17}{'ratio':>10}")
    for what in (*SEARCHES, LIST, CHANGED, FOUND_CHANGED):
        less, more = median(costs[few][what]), median(costs[many][what])
        print(f"{what:32}{less:8.2f} {more:8.2f}{more / less:9.2f}×")


def _cost(words: str, before: Callable[[], object] = lambda: None, *, suggests: bool = False) -> list[float]:
    def search() -> None:
        listing = Listing({"q": words})
        if suggests:
            suggestions(listing)
            return
        assert listing.hits is None or listing.hits.persons is not None
        assert len(listing.events) == min(listing.total, listing.per_page)
        assert all(each_filter.choices for each_filter in listing.filters)

    search()
    return each(search, TIMES, before)


def _change() -> None:
    Event.objects.filter(slug="open-5").update(place="")


def _megabytes() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("RssAnon:")[2].split()[0]) // 1024


def _fill(hundreds: int) -> None:
    there = Event.objects.count()
    for start in range(there, hundreds, AT_A_TIME):
        numbers = range(start, min(start + AT_A_TIME, hundreds))
        made = Event.objects.bulk_create(_event(number) for number in numbers)
        SearchEntry.objects.bulk_create(
            _entry(kind, number, text)
            for event, at in zip(made, numbers, strict=True)
            for kind, number, text in _texts(event.pk, at)
        )
        _add_persons(made, numbers)
        add_spellings(
            {word for at in numbers for name in _names(at, SearchKind.NAMES) for word in name.split()}
        )
    for revisions in (Revision, PersonRevision):
        revisions.objects.update(searched=2**31)
    while Revision.objects.filter(number__gt=F("settled")).exists():
        settle()  # as the first thousand requests after such an import do
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _add_persons(events: list[Event], numbers: range) -> None:
    names = {
        (event.pk, IN_AN_ENTRY * (at + 1) + place): name
        for event, at in zip(events, numbers, strict=True)
        for place, name in enumerate(_names(at, SearchKind.PERSONS))
        if place % ROWS_OF == 0
    }
    Person.objects.bulk_create(Person(pk=pk, name=name, key=name) for (_event, pk), name in names.items())
    competitors = Competitor.objects.bulk_create(
        Competitor(event_id=event, number=pk % IN_AN_ENTRY + 1, name=name)
        for (event, pk), name in names.items()
    )
    PersonLink.objects.bulk_create(
        PersonLink(
            person_id=pk,
            event_id=event,
            competitor=each,
            number=each.number,
            name=name,
            how=PersonLink.How.ID,
        )
        for ((event, pk), name), each in zip(names.items(), competitors, strict=True)
    )


def _entry(kind: SearchKind, number: int, text: SearchText) -> SearchEntry:
    words = " ".join(sorted(text.words))
    return SearchEntry(key=entry_key(kind, number), words=words, folded=text.folded, shown=text.shown)


def _event(number: int) -> Event:
    return Event(
        slug=f"open-{number}", name=f"Open {number}", discipline="chess", entrants="players",
        schedule="swiss", planned_rounds=9, game_win=2, game_draw=1, system="fmjd-swiss",
        start=str(1950 + number % 75), state=Event.State.FINAL,
    )  # fmt: skip


def _texts(event: int, at: int) -> Iterator[tuple[SearchKind, int, SearchText]]:
    own = f" open {at} {1950 + at % 75}"
    yield SearchKind.EVENT, event, SearchText(engine_words(own), own, "")
    names = [
        TextLine(name, "", f"{one}\t{name}\t", (name,))
        for one, name in enumerate(_names(at, SearchKind.NAMES))
    ]
    yield SearchKind.NAMES, event, text_of_names(names)
    persons = [
        TextLine(name, "", f"{IN_AN_ENTRY * (at + 1) + place}\t{name}", (name,))
        for place, name in enumerate(_names(at, SearchKind.PERSONS))
    ]
    yield SearchKind.PERSONS, at + 1, text_of_names(persons)


def _names(at: int, kind: SearchKind) -> list[str]:
    chance = random.Random(KINDS * at + kind)
    return [_name(chance) for _ in range(A_HUNDRED)]


def _name(chance: random.Random) -> str:
    first = SYLLABLES[chance.randrange(12)] + SYLLABLES[chance.randrange(FIRST // 12)]
    return f"{first} {''.join(chance.choices(SYLLABLES, k=3))}"


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    report(*given) if given else report(10_000, 1_000_000)

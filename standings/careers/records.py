"""The records of the site: most medals, most editions of a series in a row, and youngest winners."""

from collections import defaultdict
from collections.abc import Iterable
from heapq import nsmallest
from html import escape
from itertools import groupby
from typing import NamedTuple

from django.db.models import F
from django.urls import reverse

from standings.flags import year_of
from tournaments.event.choices import OVER, PUBLIC
from tournaments.interchange.public import public_birth
from tournaments.models import Event, Person
from tournaments.people.entries import Leading, leading_to
from tournaments.people.services.tallies import LISTED_PERSONS
from tournaments.search.folding import sort_key

MOST = 10
"""The players in a list. Players with equal figures are all listed or all left out."""

_SHOWN = LISTED_PERSONS.links.filter(person__merged_into=None, person__hidden=False)


class Record(NamedTuple):
    """A figure of a player, with HTML about its events."""

    who: Leading
    figure: int
    about: str


def most_medals() -> list[Record]:
    """Return the players with the most first three places of their own; one query."""
    every = LISTED_PERSONS.tallied.annotate(all=F("first") + F("second") + F("third")).filter(all__gt=0)
    return _leaders(
        Record(leading_to(each.person), each.all, f"{each.first}–{each.second}–{each.third}")
        for each in every.order_by("-all")[: MOST + 1]
    )


def youngest_winners() -> list[Record]:
    """Return the youngest winners whose year of birth is public, each once; one query."""
    won = _SHOWN.filter(competitor__medal__place=1, event__state__in=OVER).exclude(person__born="")
    youngest: dict[int, Record] = {}
    for each in won.select_related("person", "event").order_by("event__start", "event"):
        born, year = public_birth(each.person.born), year_of(each.event)
        before = youngest.get(each.person_id)
        if born and year and (before is None or year - int(born) < before.figure):
            about = _link("event", each.event.slug, each.event.name)
            youngest[each.person_id] = Record(leading_to(each.person), year - int(born), about)
    return _leaders(youngest.values(), sign=1)


def longest_runs() -> list[Record]:
    """Return the most editions of a series in a row, of each player and series; two queries.

    Editions with the same date count once. A series with an edition of unknown date is left out, because
    the order of its editions is not known.
    """
    dates: dict[str, set[str]] = defaultdict(set)
    editions = Event.objects.filter(state__in=PUBLIC, series__isnull=False).order_by()
    for series, start in editions.values_list("series__slug", "start"):
        dates[series].add(start)
    ordered = {series: sorted(starts) for series, starts in dates.items() if "" not in starts}
    played: dict[tuple[int, str, str, str], set[str]] = defaultdict(set)
    names = ("person", "person__name", "event__series__slug", "event__series__name", "event__start")
    for *key, start in _SHOWN.filter(event__series__slug__in=ordered).order_by().values_list(*names):
        played[tuple(key)].add(start)
    records = []
    for (person, name, series, title), starts in played.items():
        runs = [list(run) for is_played, run in groupby(ordered[series], starts.__contains__) if is_played]
        run = max(runs, key=len)
        if len(run) > 1:
            about = f"{_link('series', series, title)} {run[0][:4]}–{run[-1][:4]}"
            records.append(Record(leading_to(Person(pk=person, name=name)), len(run), about))
    return _leaders(records)


def _link(page: str, slug: str, name: str) -> str:
    return f'<a href="{escape(reverse(page, args=[slug]))}">{escape(name)}</a>'


def _leaders(records: Iterable[Record], sign: int = -1) -> list[Record]:
    best = nsmallest(MOST + 1, records, key=lambda each: sign * each.figure)
    shown = [each for each in best[:MOST] if len(best) <= MOST or each.figure != best[MOST].figure]
    return sorted(shown, key=lambda each: (sign * each.figure, sort_key(each.who.name)))

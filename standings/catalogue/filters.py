"""Every public event in a few words: what the list filters, counts and orders, without reading the events.

Kept in the memory of each process under the site's own revision (ADR 0016).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection

from tournaments.event.choices import PUBLIC
from tournaments.models import Event
from tournaments.revision import SiteStamp

SHOWN = (
    *("slug", "name", "place", "start", "state"),
    *("discipline", "entrants", "schedule", "planned_rounds", "boards"),
)
"""The columns that a line of the list needs of an event."""

FIELDS = (
    *("pk", "discipline", "schedule", "entrants", "country"),
    *("start", "state", "series__slug", "series__name"),
)
"""The columns that records are made of and ordered by."""


class ListedEvent(NamedTuple):
    """A public event as the list sorts and filters it; empty where it has no such value."""

    pk: int
    discipline: str
    schedule: str
    entrants: str
    country: str
    year: str
    series: str
    series_name: str


class Catalogue:
    """All public events, live ones first, then the most recent."""

    def __init__(self, records: tuple[ListedEvent, ...]) -> None:
        self.records = records
        self._shown: dict[int, Event] = {}

    def events(self, keys: Sequence[int]) -> list[Event]:
        """These events in order, with what a line of the list shows; one query for those not had yet."""
        missing = [pk for pk in keys if pk not in self._shown]
        if missing:
            self._shown |= Event.objects.only(*SHOWN).in_bulk(missing)
        # One that was deleted since the records were read is not there any more.
        return [self._shown[pk] for pk in keys if pk in self._shown]

    @cached_property
    def counts(self) -> dict[str, Counter[str]]:
        """For each field, how many events have each value."""
        return {field: count(self.records, field) for field in ListedEvent._fields[1:]}

    @cached_property
    def examples(self) -> dict[str, dict[str, ListedEvent]]:
        """For each field, an event for each of its values."""
        return {
            field: {getattr(record, field): record for record in self.records}
            for field in ListedEvent._fields[1:]
        }


def catalogue(site: SiteStamp) -> Catalogue:
    """The public events; one query, none while they are kept. What is not committed yet is not kept."""
    return _read() if connection.in_atomic_block else _kept(site.epoch, site.number)


def count(records: Sequence[ListedEvent], field: str) -> Counter[str]:
    """How many of these events have each value of that field."""
    return Counter(map(attrgetter(field), records))


def _read() -> Catalogue:
    events = Event.objects.filter(state__in=PUBLIC).order_by("name", "pk")
    rows = sorted(events.values(*FIELDS), key=lambda row: row["start"], reverse=True)
    # Sorting is stable: among the live ones, as among the others, the most recent stay first.
    rows.sort(key=lambda row: row["state"] != Event.State.LIVE)
    return Catalogue(tuple(map(_record, rows)))


# One is enough: an older one never comes back.
@lru_cache(maxsize=1)
def _kept(_epoch: str, _number: int) -> Catalogue:
    return _read()


def _record(row: Mapping[str, Any]) -> ListedEvent:
    return ListedEvent(
        pk=row["pk"],
        discipline=row["discipline"],
        schedule=row["schedule"],
        entrants=row["entrants"],
        country=row["country"],
        year=row["start"][:4],
        series=row["series__slug"] or "",
        series_name=row["series__name"] or "",
    )


def forget() -> None:
    """Start from nothing, as a new process does: for whoever replaces the database under a running one."""
    _kept.cache_clear()

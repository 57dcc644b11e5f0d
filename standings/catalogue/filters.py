"""Every public event in a few words: what the list filters, counts and orders, without reading the events.

Kept in the memory of each process, a few numbers for each event, under the site's own revision. Where that
moved, the events that changed are read, and no others (ADR 0038).
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import QuerySet
from numpy.typing import NDArray

from tournaments.epoch import ONLY_SITE
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, SiteRevision
from tournaments.revision import SiteStamp

SHOWN = (
    *("slug", "name", "place", "start", "state"),
    *("discipline", "entrants", "schedule", "planned_rounds", "boards", "unknown"),
)
"""The columns that a line of the list needs of an event."""

FIELDS = (
    *("pk", "discipline", "schedule", "entrants", "country", "place"),
    *("start", "state", "name", "series__slug", "series__name"),
)
"""The columns that the catalogue is made of and ordered by."""

FILTERED = ("discipline", "schedule", "entrants", "country", "year", "series", "place")
"""What the list is filtered by."""

MOST_SHOWN = 200
"""Events whose lines are in the memory of a process: a few pages of a list."""

BACKWARDS = str.maketrans("0123456789-", "9876543210:")
LAST_DAY = "~"

Events = NDArray[np.bool_]
Codes = NDArray[np.int32]


class Place(NamedTuple):
    """Where an event stands in the list: live ones first, then the most recent, then by name."""

    is_over: bool
    backwards: str
    name: str
    pk: int


class Catalogue:
    """All public events in the order of the list, live ones first, then the most recent. It never changes.

    Each field that is filtered by is a number for each event, which says which of the field's values it has.
    """

    def __init__(
        self,
        places: list[Place],
        codes: Mapping[str, Codes],
        values: Mapping[str, Mapping[str, int]],
        series_names: Mapping[str, str],
    ) -> None:
        self._places, self._codes, self._values = places, codes, values
        self.series_names = series_names
        self.pks = np.fromiter((place.pk for place in places), np.int64, len(places))
        self._shown: dict[int, Event] = {}

    def __len__(self) -> int:
        return len(self._places)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> "Catalogue":
        """Return the catalogue of these events."""
        nothing: Codes = np.empty(0, np.int32)
        return cls([], dict.fromkeys(FILTERED, nothing), {key: {} for key in FILTERED}, {}).changed(rows)

    def changed(self, rows: Iterable[Mapping[str, Any]]) -> "Catalogue":
        """Return the catalogue after these events changed, came or are shown no more."""
        rows = list(rows)
        places = list(self._places)
        there = [at for row in rows if (at := self.place_of(row["pk"])) is not None]
        for at in sorted(there, reverse=True):
            del places[at]
        public = sorted((row for row in rows if row["state"] in PUBLIC), key=_place)
        ats = [bisect_left(places, _place(row)) for row in public]
        for at, row in reversed(list(zip(ats, public, strict=True))):
            places.insert(at, _place(row))
        values = {key: dict(self._values[key]) for key in FILTERED}
        codes = {}
        for key in FILTERED:
            new = [_code(values[key], _value(row, key)) for row in public]
            codes[key] = np.insert(np.delete(self._codes[key], there), ats, new)
        names = {row["series__slug"]: row["series__name"] for row in public if row["series__slug"]}
        made = Catalogue(places, codes, values, {**self.series_names, **names})
        gone = {row["pk"] for row in rows}
        made._shown = {pk: event for pk, event in self._shown.items() if pk not in gone}
        return made

    def events(self, keys: Sequence[int]) -> list[Event]:
        """These events in order, with what a line of the list shows; one query for those not had yet."""
        missing = [pk for pk in keys if pk not in self._shown]
        shown = self._shown
        if missing:
            shown = (shown if len(shown) < MOST_SHOWN else {}) | Event.objects.only(*SHOWN).in_bulk(missing)
            shown |= {pk: self._shown[pk] for pk in keys if pk in self._shown}
            self._shown = shown
        # One that was deleted since the catalogue was read is not there any more.
        return [shown[pk] for pk in keys if pk in shown]

    def place_of(self, key: int) -> int | None:
        """Return where in the list an event stands, from 0; None where it does not."""
        found = np.flatnonzero(self.pks == key)
        return int(found[0]) if len(found) else None

    def among(self, keys: NDArray[np.int64]) -> Events:
        """Return for each event of the list whether it is one of these."""
        found: Events = np.zeros(len(self), np.bool_)
        order, in_order = self._by_key
        if len(keys) and len(in_order):
            at = np.minimum(np.searchsorted(in_order, keys), len(in_order) - 1)
            found[order[at[in_order[at] == keys]]] = True
        return found

    @cached_property
    def _by_key(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """The places of the events in the order of their keys, and these keys."""
        order = np.argsort(self.pks)
        return order, self.pks[order]

    def having(self, field: str, value: str) -> Events:
        """Return for each event whether it has that value."""
        having: Events = self._codes[field] == self._values[field].get(value, -1)
        return having

    def has(self, field: str, value: str) -> bool:
        """Say whether an event has that value."""
        return self.counts(field).get(value, 0) > 0

    def counts(self, field: str, events: Events | None = None) -> dict[str, int]:
        """Return how many of these events, or of all, have each value of that field."""
        codes = self._codes[field] if events is None else self._codes[field][events]
        counted = np.bincount(codes, minlength=len(self._values[field])).tolist()
        return {value: count for value, count in zip(self._values[field], counted, strict=True) if count}

    def values(self, fields: Sequence[str]) -> list[list[str]]:
        """Return the values of these fields for each event."""
        named = {field: list(self._values[field]) for field in fields}
        columns = [[named[field][code] for code in self._codes[field].tolist()] for field in fields]
        return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in self.pks]


def catalogue(site: SiteStamp) -> Catalogue:
    """Return the public events; no query while none changed, else two. What is not committed is not kept."""
    if connection.in_atomic_block:
        return Catalogue.of(_rows(Event.objects.filter(state__in=PUBLIC)))
    with _READING:
        last = _LAST[0] if _LAST else None
        if last and last.epoch == site.epoch and last.number == site.number:
            return last.catalogue
        now = _changed_since(last, site) if last and last.epoch == site.epoch else None
        now = now or Catalogue.of(_rows(Event.objects.filter(state__in=PUBLIC)))
        _LAST[:] = [Kept(site.epoch, site.number, now)]
        return now


class Kept(NamedTuple):
    """The catalogue at a revision of the site."""

    epoch: str
    number: int
    catalogue: Catalogue


_LAST: list[Kept] = []
"""The catalogue that this process had last, if any."""

_READING = Lock()
"""One thread reads what changed, the others find it."""


def _changed_since(last: Kept, site: SiteStamp) -> Catalogue | None:
    """Return the last catalogue with what changed since; None where only reading all of them tells."""
    if site.number < last.number:
        return None
    rows = list(_rows(Event.objects.filter(revision__listed__gt=last.number)))
    # After the rows: of an event deleted meanwhile, either the row was there or this number is.
    removed = SiteRevision.objects.filter(pk=ONLY_SITE).values_list("removed", flat=True).get()
    return None if removed > last.number else last.catalogue.changed(rows)


def _rows(events: QuerySet[Event]) -> Iterable[Mapping[str, Any]]:
    rows: Iterable[Mapping[str, Any]] = events.order_by().values(*FIELDS)
    return rows


def _place(row: Mapping[str, Any]) -> Place:
    # Turned round, so that the later of two days is the lesser text: 1948-05 before 1948.
    backwards = row["start"].translate(BACKWARDS) + LAST_DAY
    return Place(row["state"] != Event.State.LIVE, backwards, row["name"], row["pk"])


def _value(row: Mapping[str, Any], field: str) -> str:
    if field == "year":
        return str(row["start"][:4])
    return str(row["series__slug" if field == "series" else field] or "")


def _code(codes: dict[str, int], value: str) -> int:
    return codes.setdefault(value, len(codes))


def forget() -> None:
    """Start from nothing, as a new process does: for whoever replaces the database under a running one."""
    _LAST.clear()

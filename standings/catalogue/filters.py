"""The catalogue: the fields of all public events that the list filters, counts and sorts.

Each process caches a few numbers per event for the revision of the site. After a change, only the changed
events are read (ADR 0038).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from numpy.typing import NDArray

from standings.catalogue.listpage import federation_name
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, SiteRevision
from tournaments.operations.epoch import ONLY_SITE
from tournaments.operations.revision import SiteStamp
from tournaments.texts import DISCIPLINES, ENTRANTS, SCHEDULES

FIELDS = (
    *("pk", "discipline", "schedule", "entrants", "country", "place"),
    *("start", "state", "name", "series__slug", "series__name"),
)
"""The columns that the catalogue contains or sorts by."""


@dataclass(frozen=True)
class Facet:
    """A filter. `key`: the query parameter, and the field of the catalogue."""

    key: str
    label: str | Promise
    name: Callable[["Catalogue", str], str | Promise]
    is_offered: bool = True
    """False if there are too many values to list. Only links use the filter then."""


FACETS = (
    Facet("discipline", gettext_lazy("Discipline"), lambda _all, value: DISCIPLINES.get(value, value)),
    Facet("schedule", gettext_lazy("Schedule"), lambda _all, value: SCHEDULES[Event.Schedule(value)]),
    Facet("entrants", gettext_lazy("Teams or players"), lambda _all, value: ENTRANTS[Event.Entrants(value)]),
    Facet("country", gettext_lazy("Country"), lambda _all, value: federation_name(value)),
    Facet("year", gettext_lazy("Year"), lambda _all, value: value),
    Facet("series", gettext_lazy("Series"), lambda every, value: every.series_names[value]),
    Facet("place", gettext_lazy("Place"), lambda _all, value: value, is_offered=False),
)
"""The filters in display order. Events without a value are not counted."""

KEYS = tuple(facet.key for facet in FACETS)

BACKWARDS = str.maketrans("0123456789-", "9876543210:")
LAST_DAY = "~"

Events = NDArray[np.bool_]
Codes = NDArray[np.int32]


class Place(NamedTuple):
    """The sort key of an event: live first, then the most recent, then by name."""

    is_over: bool
    backwards: str
    name: str
    pk: int


class Catalogue:
    """All public events in the order of the list: live events first, then the most recent. Immutable.

    Each filtered field is an array of one number per event, an index of the values of the field.
    """

    def __init__(
        self,
        places: list[Place],
        codes: Mapping[str, Codes],
        values: Mapping[str, Mapping[str, int]],
        series_names: Mapping[str, str],
    ) -> None:
        self._places, self._codes, self._values = places, codes, values
        self.series_names: Mapping[str, str] = series_names
        self.pks = np.fromiter((place.pk for place in places), np.int64, len(places))

    def __len__(self) -> int:
        return len(self._places)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> "Catalogue":
        nothing: Codes = np.empty(0, np.int32)
        return cls([], dict.fromkeys(KEYS, nothing), {key: {} for key in KEYS}, {}).changed(rows)

    def changed(self, rows: Iterable[Mapping[str, Any]]) -> "Catalogue":
        rows = list(rows)
        places = list(self._places)
        there = [at for row in rows if (at := self.place_of(row["pk"])) is not None]
        for at in sorted(there, reverse=True):
            del places[at]
        public = sorted((row for row in rows if row["state"] in PUBLIC), key=_place_in_list)
        ats = [bisect_left(places, _place_in_list(row)) for row in public]
        for at, row in reversed(list(zip(ats, public, strict=True))):
            places.insert(at, _place_in_list(row))
        values = {key: dict(self._values[key]) for key in KEYS}
        codes = {}
        for key in KEYS:
            of_key = values[key]
            new = [of_key.setdefault(_field_text(row, key), len(of_key)) for row in public]
            codes[key] = np.insert(np.delete(self._codes[key], there), ats, new)
        names = {row["series__slug"]: row["series__name"] for row in public if row["series__slug"]}
        return Catalogue(places, codes, values, {**self.series_names, **names})

    @cached_property
    def live(self) -> Events:
        return np.array([not place.is_over for place in self._places], np.bool_)

    def place_of(self, key: int) -> int | None:
        found = np.flatnonzero(self.pks == key)
        return int(found[0]) if len(found) else None

    def among(self, keys: NDArray[np.int64]) -> Events:
        found: Events = np.zeros(len(self), np.bool_)
        order, in_order = self._by_key
        if len(keys) and len(in_order):
            at = np.minimum(np.searchsorted(in_order, keys), len(in_order) - 1)
            found[order[at[in_order[at] == keys]]] = True
        return found

    @cached_property
    def _by_key(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        order = np.argsort(self.pks)
        return order, self.pks[order]

    def having(self, field: str, value: str) -> Events:
        having: Events = self._codes[field] == self._values[field].get(value, -1)
        return having

    def has(self, field: str, value: str) -> bool:
        return self.counts(field).get(value, 0) > 0

    def counts(self, field: str, events: Events | None = None) -> dict[str, int]:
        """Return the number of events per value, of all events if `events` is None."""
        codes = self._codes[field] if events is None else self._codes[field][events]
        counted = np.bincount(codes, minlength=len(self._values[field])).tolist()
        return {value: count for value, count in zip(self._values[field], counted, strict=True) if count}

    def values(self, fields: Sequence[str]) -> list[list[str]]:
        named = {field: list(self._values[field]) for field in fields}
        columns = [[named[field][code] for code in self._codes[field].tolist()] for field in fields]
        return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in self.pks]


def current_catalogue(site: SiteStamp) -> Catalogue:
    """Return the current catalogue. Two queries after a change, else none; not cached in a transaction."""
    if connection.in_atomic_block:
        return Catalogue.of(_catalogue_rows(Event.objects.filter(state__in=PUBLIC)))
    with _READING:
        now = None
        if _LAST and _LAST[0][0].epoch == site.epoch:
            last, catalogue = _LAST[0]
            now = catalogue if last.number == site.number else _changed_since(catalogue, last, site)
        if now is None:
            now = Catalogue.of(_catalogue_rows(Event.objects.filter(state__in=PUBLIC)))
        _LAST[:] = [(site, now)]
        return now


_LAST: list[tuple[SiteStamp, Catalogue]] = []
"""The last catalogue of this process with its revision, if any."""

_READING = Lock()
"""A single thread reads the changes; the others wait for its result."""


def _changed_since(catalogue: Catalogue, last: SiteStamp, site: SiteStamp) -> Catalogue | None:
    """Return the updated catalogue, None if all events have to be read again."""
    if site.number < last.number:
        return None
    rows = list(_catalogue_rows(Event.objects.filter(revision__listed__gt=last.number)))
    # Query this after the rows. An event that is deleted in between was either read or is counted here.
    removed = SiteRevision.objects.filter(pk=ONLY_SITE).values_list("removed", flat=True).get()
    return None if removed > last.number else catalogue.changed(rows)


def _catalogue_rows(events: QuerySet[Event]) -> Iterable[Mapping[str, Any]]:
    rows: Iterable[Mapping[str, Any]] = events.order_by().values(*FIELDS)
    return rows


def _place_in_list(row: Mapping[str, Any]) -> Place:
    # Complement the digits, so that later days sort first: 1948-05 before 1948.
    backwards = row["start"].translate(BACKWARDS) + LAST_DAY
    return Place(row["state"] != Event.State.LIVE, backwards, row["name"], row["pk"])


def _field_text(row: Mapping[str, Any], field: str) -> str:
    if field == "year":
        return str(row["start"][:4])
    return str(row["series__slug" if field == "series" else field] or "")

"""The editions of a series: the one before and after an event, and all of them with their first three."""

from itertools import islice
from typing import NamedTuple

from django.utils.safestring import SafeString

from standings.basis import rests_on
from standings.catalogue.series.results import Results, results_of_all
from standings.entries import flag_of, year_of
from standings.eventwords import system_name
from tournaments.crosstable import with_starred_rules
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, Series
from tournaments.models.records import RecordQuery
from tournaments.revision import with_versions

FIRST = 3


class EditionPlace(NamedTuple):
    """One of the first: the place, and the competitor's number, name and flag."""

    place: str
    number: int
    name: str
    flag: SafeString


class NeighbourEdition(NamedTuple):
    """The edition before or after an event, as far as a link to it needs."""

    pk: int
    slug: str
    name: str


PUBLIC_EDITIONS = RecordQuery(
    NeighbourEdition, Event.objects.filter(state__in=PUBLIC).order_by("start", "pk")
)


class Edition(NamedTuple):
    """One edition of a series; the first are empty before anything is played. `basis`: what they rest on."""

    event: Event
    year: str
    country: SafeString
    first: list[EditionPlace]
    basis: str
    system: str

    @property
    def by_hand(self) -> bool:
        """Say whether something of it carries the star of what an arbiter changed."""
        return any("*" in text for text in (self.system, *(each.place for each in self.first)))


def beside(event: Event) -> dict[str, NeighbourEdition | None]:
    """Return the editions before and after an event, None where it is the first or the last; one query."""
    editions = [] if event.series_id is None else PUBLIC_EDITIONS.where(series=event.series_id)
    keys = [edition.pk for edition in editions]
    # A draft that its desk previews is none of the public ones: it is shown as the next one to come.
    at = keys.index(event.pk) if event.pk in keys else len(keys)
    return {
        "previous_edition": editions[at - 1] if at else None,
        "next_edition": editions[at + 1] if at + 1 < len(editions) else None,
    }


def editions_of(series: Series) -> list[Edition]:
    """Return the public editions, the latest first, for two queries.

    Another where rules were changed, and five where results are not kept.
    """
    public = Event.objects.filter(series=series, state__in=PUBLIC)
    events = list(with_versions(public).order_by("-start", "-pk"))
    ruled, results = with_starred_rules(public), results_of_all(events)
    return [_edition(event, results[event.pk], ruled=event.pk in ruled) for event in events]


def _edition(event: Event, results: Results, *, ruled: bool) -> Edition:
    year = year_of(event)
    first = islice((result for result in results.rows if result.place), FIRST)
    places = [
        EditionPlace(f"{each.place}{each.mark}", each.number, each.name, flag_of(each.flag, year))
        for each in first
    ]
    system = system_name(event, ruled=ruled)
    return Edition(
        event, event.start[:4], flag_of(event.country, year), places, rests_on(results.basis), system
    )

"""The list of events: what a reader searched for, the filters and their counts, and the lines found."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, F, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse

from standings.facts import PUBLIC, discipline_name, schedule_text
from standings.search import Found, search, words_of
from tournaments.federations import federation
from tournaments.models import Competitor, Event

LONGEST_SEARCH = 100
MOST_HINTS = 3


@dataclass(frozen=True)
class Facet:
    """One way to filter: its parameter, what it is called, an event's value, and the value's name."""

    key: str
    label: str
    value: Callable[[Event], str]
    name: Callable[[Event], str]


@dataclass(frozen=True)
class Option:
    """A value of a filter, and how many events it would show."""

    value: str
    name: str
    count: int
    chosen: bool


@dataclass(frozen=True)
class Filter:
    """A filter as it is offered."""

    key: str
    label: str
    options: list[Option]


@dataclass(frozen=True)
class Hint:
    """A competitor, or a player of a team, whom the search named."""

    what: str
    name: str
    team: str
    address: str


@dataclass(frozen=True)
class Listed:
    """One line of the list of events."""

    event: Event
    when: str
    about: str
    hints: list[Hint]
    more: int


def _country_name(event: Event) -> str:
    found = federation(event.country)
    return found.name if found else event.country


FACETS = (
    Facet("discipline", "Discipline", lambda event: event.discipline, discipline_name),
    Facet("schedule", "Schedule", lambda event: event.schedule, lambda event: event.get_schedule_display()),
    Facet("entrants", "Teams or players", lambda event: event.entrants, lambda event: event.entrants),
    Facet("country", "Country", lambda event: event.country, _country_name),
    Facet("year", "Year", lambda event: event.start[:4], lambda event: event.start[:4]),
    Facet(
        "series",
        "Series",
        lambda event: event.series.slug if event.series else "",
        lambda event: event.series.name if event.series else "",
    ),
)
"""The filters in their order; an event without a value is under none of them."""

NEWEST_FIRST = "year"


class Listing:
    """The events that a reader asked for: live ones first, then the most recent.

    One query, and at most two more where something is searched for. A value that no event has filters
    nothing.
    """

    def __init__(self, asked: Mapping[str, str]) -> None:
        self.public = public_events()
        self.search = " ".join(asked.get("q", "").split())[:LONGEST_SEARCH]
        self.words = words_of(self.search)
        self.chosen = {
            facet.key: asked[facet.key]
            for facet in FACETS
            if asked.get(facet.key) and asked[facet.key] in {facet.value(event) for event in self.public}
        }

    @cached_property
    def found(self) -> dict[int, list[Found]]:
        """The events that the words name, and whom they name in each."""
        return search(self.public, self.words) if self.words else {event.pk: [] for event in self.public}

    @cached_property
    def lines(self) -> list[Listed]:
        """What is listed."""
        return [_listed(event, self.found[event.pk]) for event in self._filtered(FACETS)]

    @cached_property
    def filters(self) -> list[Filter]:
        """The filters that leave a choice; each counts what it would show together with the others."""
        offered = [Filter(facet.key, facet.label, self._options(facet)) for facet in FACETS]
        return [each for each in offered if len(each.options) > 1 or each.key in self.chosen]

    @property
    def series(self) -> Event | None:
        """An event of the series chosen, whose editions have a page."""
        slug = self.chosen.get("series")
        return next((event for event in self.public if event.series and event.series.slug == slug), None)

    def _filtered(self, facets: tuple[Facet, ...]) -> list[Event]:
        asked = [(facet.value, self.chosen[facet.key]) for facet in facets if facet.key in self.chosen]
        found = (event for event in self.public if event.pk in self.found)
        return [event for event in found if all(value(event) == chosen for value, chosen in asked)]

    def _options(self, facet: Facet) -> list[Option]:
        others = tuple(other for other in FACETS if other is not facet)
        counts = Counter(facet.value(event) for event in self._filtered(others))
        chosen = self.chosen.get(facet.key)
        examples = {facet.value(event): event for event in self.public}
        options = [
            Option(value, facet.name(example), counts[value], value == chosen)
            for value, example in examples.items()
            if value and (counts[value] or value == chosen)
        ]
        return sorted(options, key=lambda option: option.name, reverse=facet.key == NEWEST_FIRST)


def public_events() -> list[Event]:
    """All public events with their `data_version` and how many `entries` they have; one query."""
    entries = (
        Competitor.objects.filter(event=OuterRef("pk")).order_by().values("event").annotate(all=Count("pk"))
    )
    events = (
        Event.objects.filter(state__in=PUBLIC)
        .select_related("series")
        .defer("criteria", "sources", "notes", "licence")
        .annotate(
            data_version=F("revision__number"),
            entries=Coalesce(Subquery(entries.values("all"), output_field=IntegerField()), 0),
        )
    )
    order: list[Event] = sorted(events.order_by("name", "pk"), key=lambda event: event.start, reverse=True)
    order.sort(key=lambda event: event.state != Event.State.LIVE)
    return order


def _listed(event: Event, found: list[Found]) -> Listed:
    hints = [_hint(event, each) for each in found[:MOST_HINTS]]
    entries = getattr(event, "entries", 0)
    return Listed(event, event.start[:4], _about(event, entries), hints, len(found) - len(hints))


def _hint(event: Event, found: Found) -> Hint:
    what = "player" if found.team else event.entrants.removesuffix("s")
    return Hint(what, found.name, found.team, reverse("competitor", args=[event.slug, found.number]))


def _about(event: Event, entries: int) -> str:
    entrants = f"{entries} {event.entrants}" if entries else "no competitors yet"
    parts = (event.place, discipline_name(event), entrants, schedule_text(event))
    return " · ".join(part for part in parts if part)

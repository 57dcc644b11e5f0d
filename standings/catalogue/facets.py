"""The filters of the list of events: what each is called, its values, and how many events they would show."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from standings.catalogue.filters import Catalogue
from standings.eventwords import DISCIPLINES
from standings.words import name_of_federation
from tournaments.event.federations import federation
from tournaments.models import Event
from tournaments.wording import SCHEDULES

ENTRANTS = {"teams": gettext_lazy("teams"), "players": gettext_lazy("players")}


@dataclass(frozen=True)
class Facet:
    """One way to filter: its parameter, a field of the catalogue too, and what it and a value are called."""

    key: str
    label: str | Promise
    name: Callable[[Catalogue, str], str | Promise]
    is_offered: bool = True
    """Where not, as there are thousands of values, only links lead to it."""


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
    label: str | Promise
    options: list[Option]

    @property
    def choices(self) -> SafeString:
        """The options as HTML: there may be a hundred, and a template takes ten times as long."""
        rows = (
            f'<option value="{escape(each.value)}"{" selected" if each.chosen else ""}>'
            f"{escape(each.name)} ({each.count})</option>"
            for each in self.options
        )
        return SafeString("\n".join(rows))


def _country_name(_catalogue: Catalogue, code: str) -> str:
    found = federation(code)
    return name_of_federation(found) if found else code


FACETS = (
    Facet("discipline", gettext_lazy("Discipline"), lambda _all, value: DISCIPLINES.get(value, value)),
    Facet("schedule", gettext_lazy("Schedule"), lambda _all, value: SCHEDULES[Event.Schedule(value)]),
    Facet("entrants", gettext_lazy("Teams or players"), lambda _all, value: ENTRANTS[value]),
    Facet("country", gettext_lazy("Country"), _country_name),
    Facet("year", gettext_lazy("Year"), lambda _all, value: value),
    Facet("series", gettext_lazy("Series"), lambda every, value: every.series_names[value]),
    Facet("place", gettext_lazy("Place"), lambda _all, value: value, is_offered=False),
)
"""The filters in their order; an event without a value is under none of them."""

"""The filters of the list of events."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from standings.catalogue.filters import Catalogue
from standings.texts import DISCIPLINES, name_of_federation
from tournaments.event.federations import federation
from tournaments.models import Event
from tournaments.texts import SCHEDULES

ENTRANTS = {"teams": gettext_lazy("teams"), "players": gettext_lazy("players")}


@dataclass(frozen=True)
class Facet:
    """A filter. `key`: the query parameter, and the field of the catalogue."""

    key: str
    label: str | Promise
    name: Callable[[Catalogue, str], str | Promise]
    is_offered: bool = True
    """False if there are too many values to list. Only links use the filter then."""


@dataclass(frozen=True)
class Option:
    """A value of a filter, with the number of matching events."""

    value: str
    name: str
    count: int
    chosen: bool


@dataclass(frozen=True)
class Filter:
    """A filter with its available values."""

    key: str
    label: str | Promise
    options: list[Option]

    @property
    def choices(self) -> SafeString:
        """Return the options as HTML. A template takes ten times as long for a hundred options."""
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
"""The filters in display order. Events without a value are not counted."""

"""The filters of the list of events."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from standings.catalogue.filters import Catalogue
from standings.catalogue.listpage import federation_name
from standings.eventwords import DISCIPLINES
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


FACETS = (
    Facet("discipline", gettext_lazy("Discipline"), lambda _all, value: DISCIPLINES.get(value, value)),
    Facet("schedule", gettext_lazy("Schedule"), lambda _all, value: SCHEDULES[Event.Schedule(value)]),
    Facet("entrants", gettext_lazy("Teams or players"), lambda _all, value: ENTRANTS[value]),
    Facet("country", gettext_lazy("Country"), lambda _all, value: federation_name(value)),
    Facet("year", gettext_lazy("Year"), lambda _all, value: value),
    Facet("series", gettext_lazy("Series"), lambda every, value: every.series_names[value]),
    Facet("place", gettext_lazy("Place"), lambda _all, value: value, is_offered=False),
)
"""The filters in display order. Events without a value are not counted."""

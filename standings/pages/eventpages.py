"""The one list of an event's pages: addresses, tabs, the sitemap, polling and archives are made of it.

To add a page, write its view and its template, and list it here.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from standings.pages.changes import changes
from standings.pages.comparison import compare, compare_with
from standings.pages.competitor import competitor
from standings.pages.explanation import explanation
from standings.pages.match import match
from standings.pages.overview import event as overview
from standings.pages.roster import competitors
from standings.pages.round import round_
from standings.pages.tablepages import check, crosstable, standings, statistics
from standings.services import paired_rounds, ranked
from standings.tables.matrix import LARGEST
from tournaments.event.arrays import Entry
from tournaments.models import Event
from tournaments.models.pairing import shown_pairings

PLAYERS, TEAMS = gettext_lazy("Players"), gettext_lazy("Teams")
Label = str | Promise


class Numbers:
    """The numbers that addresses of an event's pages are made of, each read once when it is asked for."""

    def __init__(self, event: Event) -> None:
        self.event = event

    @cached_property
    def entries(self) -> list[Entry]:
        """The competitors by number."""
        return ranked(self.event).entries

    @cached_property
    def rounds(self) -> range:
        """The rounds up to the last one that is paired."""
        return range(1, paired_rounds(self.event) + 1)

    @cached_property
    def tables(self) -> list[tuple[int, int]]:
        """The round and the table of every pairing that readers are shown, in order."""
        pairings = shown_pairings(self.event).order_by("round__number", "table")
        return [(each.round.number, each.table) for each in pairings.select_related("round")]


def once(_event: Numbers) -> list[dict[str, int]]:
    return [{}]


def _if_round_robin(event: Numbers) -> list[dict[str, int]]:
    # The view answers 404 for more competitors, and an archive of it would end there.
    return [{}] if event.event.is_round_robin and len(event.entries) <= LARGEST else []


def _each_round(event: Numbers) -> list[dict[str, int]]:
    return [{"after": number} for number in event.rounds]


def _each_set_round(event: Numbers) -> list[dict[str, int]]:
    return [{"number": number} for number in sorted({number for number, _table in event.tables})]


def _each_table(event: Numbers) -> list[dict[str, int]]:
    return [{"number": number, "table": table} for number, table in event.tables]


def _each_entry(event: Numbers) -> list[dict[str, int]]:
    return [{"number": entry.number} for entry in event.entries]


@dataclass(frozen=True)
class EventPage:
    """A page that every event has, or one of each round, match or competitor.

    `route` is its address below the event's own. `tab` is what its tab says, where it has one, and `is_tab`
    says of which events. `is_live`: where it is open during a live event it asks for what is newer.
    `archived` returns the arguments of the addresses at which an archive holds it.
    """

    name: str
    route: str
    view: Callable[..., HttpResponse]
    tab: Callable[[Event], Label] | None = None
    is_tab: Callable[[Event], bool] = lambda _event: True
    in_sitemap: bool = False
    is_live: bool = False
    archived: Callable[[Numbers], Iterable[dict[str, int]]] | None = None

    def path(self) -> URLPattern:
        """Return its address for `config.urls`."""
        return path(f"events/<slug:slug>/{self.route}", self.view, name=self.name)

    def address(self, event: Event, **arguments: int) -> str:
        """Return the address in the language of now."""
        return reverse(self.name, kwargs={"slug": event.slug, **arguments})


def _tab(label: Label) -> Callable[[Event], Label]:
    return lambda _event: label


EVENT_PAGES = (
    EventPage(
        "event", "", overview, tab=_tab(gettext_lazy("Overview")), in_sitemap=True, archived=once
    ),
    EventPage(
        "standings", "standings/", standings,
        tab=_tab(gettext_lazy("Standings")), in_sitemap=True, is_live=True, archived=once,
    ),
    EventPage(
        "crosstable", "crosstable/", crosstable,
        tab=_tab(gettext_lazy("Cross table")), is_tab=lambda event: event.is_round_robin,
        archived=_if_round_robin,
    ),
    EventPage(
        "standings-after", "standings/after/<whole:after>/", standings, is_live=True, archived=_each_round
    ),
    EventPage("round", "rounds/<whole:number>/", round_, is_live=True, archived=_each_set_round),
    EventPage("match", "rounds/<whole:number>/<whole:table>/", match, archived=_each_table),
    EventPage(
        "competitors", "competitors/", competitors,
        tab=lambda event: TEAMS if event.is_team else PLAYERS, archived=once,
    ),
    EventPage("competitor", "competitors/<whole:number>/", competitor, archived=_each_entry),
    EventPage("explanation", "competitors/<whole:number>/<str:code>/", explanation),
    EventPage("compare-with", "compare/", compare_with),
    EventPage("compare", "compare/<whole:first>/<whole:second>/", compare),
    EventPage(
        "statistics", "statistics/", statistics, tab=_tab(gettext_lazy("Statistics")), archived=once
    ),
    EventPage("changes", "changes/", changes, tab=_tab(gettext_lazy("Changes")), archived=once),
    EventPage("check", "check/", check, tab=_tab(gettext_lazy("Check")), archived=once),
)  # fmt: skip
"""Every page of an event, the tabs in their order.

An archive holds the explanations of a competitor on one page, which it makes itself.
"""


def tabs_of(event: Event, shown: str) -> list[dict[str, Any]]:
    """Return the tabs above every page of the event; `shown` is the name of the page that is open."""
    return [
        {"label": page.tab(event), "address": page.address(event), "is_shown": page.name == shown}
        for page in EVENT_PAGES
        if page.tab and page.is_tab(event)
    ]

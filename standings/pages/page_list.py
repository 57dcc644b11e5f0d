"""The list of an event's pages. URLs, tabs, sitemap, polling and archives use it.

To add a page, write its view and template, and add it to this list.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from standings.charts.worldmap import is_mapped
from standings.pages.competitors.comparison import compare, compare_with
from standings.pages.competitors.competitor import competitor
from standings.pages.competitors.explanation import explanation
from standings.pages.events.categories import category_standings, prizes
from standings.pages.events.changes import changes
from standings.pages.events.downloads import downloads, paste
from standings.pages.events.match import match
from standings.pages.events.overview import event as overview
from standings.pages.events.roster import competitors
from standings.pages.events.round import round_
from standings.pages.events.rounds import rounds
from standings.pages.events.tables import check, crosstable, standings, statistics, world_map
from standings.pages.frame import sheet_of
from standings.pages.live.page import live_page
from standings.pages.live.screen import screen
from standings.services import paired_rounds, ranked
from standings.tables.matrix import LARGEST
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.choices import EventFacts, knows_results, knows_round_order
from tournaments.event.prizes import shows_prizes
from tournaments.models import Event
from tournaments.models.pairing import public_pairings

PLAYERS, TEAMS = gettext_lazy("Players"), gettext_lazy("Teams")
ROUNDS, GAMES = gettext_lazy("Rounds"), gettext_lazy("Games")
Label = str | Promise

Arguments = dict[str, Any]
"""The arguments of a route."""


class Numbers:
    """The arguments of the URLs of an event's pages; stored data is read once, on first use."""

    def __init__(self, event: Event) -> None:
        self.event = event

    @cached_property
    def entries(self) -> list[CompetitorInfo]:
        return ranked(self.event).entries

    @cached_property
    def rounds(self) -> range:
        return range(1, paired_rounds(self.event) + 1)

    @cached_property
    def tables(self) -> list[tuple[int, int]]:
        """Return (round, table) of every pairing that readers see, in order."""
        pairings = public_pairings(self.event).order_by("round__number", "table")
        return list(pairings.values_list("round__number", "table"))

    def once_if_round_robin(self) -> list[Arguments]:
        # The view responds with 404 for more competitors, which would stop the archive.
        return [{}] if self.event.is_round_robin and len(self.entries) <= LARGEST else []

    def once_if_mapped(self) -> list[Arguments]:
        # An archive has no link to a map with too few countries.
        return [{}] if is_mapped(sheet_of(self.event, None)) else []

    def after_each_round(self) -> list[Arguments]:
        # The table after the last round is the final one.
        return [{"after": number} for number in self.rounds[:-1]]

    def each_round(self) -> list[Arguments]:
        return [{"number": number} for number in sorted({number for number, _table in self.tables})]

    def each_competitor(self) -> list[Arguments]:
        return [{"number": entry.number} for entry in self.entries]


def once(_event: Any) -> list[Arguments]:
    return [{}]


def _each_category(event: Any) -> list[Arguments]:
    return [{"category": category["code"]} for category in event.categories]


def _once_if_prizes(event: Any) -> list[Arguments]:
    return [{}] if shows_prizes(event) else []


@dataclass(frozen=True)
class EventPage:
    """A page of every event, or of each round, match or competitor.

    `route`: the URL below the event's. `tab`: the label of its tab, if it has one. `is_tab`: whether an event
    has the tab. `in_sitemap`: the arguments of the URLs in the sitemap, from the fields that the sitemap
    reads. `is_live`: open pages poll for updates during a live event. `archived`: the arguments of the URLs
    in an archive. `needs_results`: events with a published ranking only do not have it. `needs_rounds`:
    events with unknown order of rounds do not have it.
    """

    name: str
    route: str
    view: Callable[..., HttpResponse]
    tab: Callable[[Event], Label] | None = None
    is_tab: Callable[[Event], bool] = lambda _event: True
    in_sitemap: Callable[[Any], Iterable[Arguments]] | None = None
    is_live: bool = False
    archived: Callable[[Numbers], Iterable[Arguments]] | None = None
    needs_results: bool = False
    needs_rounds: bool = False

    def is_of(self, event: EventFacts) -> bool:
        if self.needs_rounds and not knows_round_order(event):
            return False
        return knows_results(event) or not self.needs_results

    def path(self) -> URLPattern:
        return path(f"events/<slug:slug>/{self.route}", self.view, name=self.name)

    def address(self, event: Event, **arguments: Any) -> str:
        return reverse(self.name, kwargs={"slug": event.slug, **arguments})


def _tab(label: Label) -> Callable[[Event], Label]:
    return lambda _event: label


EVENT_PAGES = (
    EventPage(
        "event", "", overview,
        tab=_tab(gettext_lazy("Overview")), in_sitemap=once, is_live=True, archived=once,
    ),
    EventPage(
        "standings", "standings/", standings,
        tab=_tab(gettext_lazy("Standings")), in_sitemap=once, is_live=True, archived=once,
    ),
    EventPage(
        "live", "live/", live_page,
        tab=_tab(gettext_lazy("Live")), is_tab=lambda event: event.state == Event.State.LIVE, is_live=True,
        needs_results=True,
    ),
    EventPage(
        "crosstable", "crosstable/", crosstable,
        tab=_tab(gettext_lazy("Cross table")), is_tab=lambda event: event.is_round_robin,
        is_live=True, archived=Numbers.once_if_round_robin, needs_results=True,
    ),
    EventPage(
        "standings-after", "standings/after/<whole:after>/", standings, is_live=True,
        archived=Numbers.after_each_round, needs_rounds=True,
    ),
    EventPage(
        "rounds", "rounds/", rounds,
        tab=lambda event: ROUNDS if event.knows_round_order else GAMES,
        in_sitemap=once, is_live=True, archived=once, needs_results=True,
    ),
    EventPage(
        "round", "rounds/<whole:number>/", round_, is_live=True, archived=Numbers.each_round,
        needs_rounds=True,
    ),
    EventPage("match", "rounds/<whole:number>/<whole:table>/", match, is_live=True, needs_results=True),
    EventPage(
        "competitors", "competitors/", competitors,
        tab=lambda event: TEAMS if event.is_team else PLAYERS, archived=once,
    ),
    EventPage(
        "standings-category", "standings/category/<str:category>/", category_standings, is_live=True,
        in_sitemap=_each_category, archived=lambda numbers: _each_category(numbers.event),
    ),
    EventPage(
        "prizes", "prizes/", prizes, tab=_tab(gettext_lazy("Prizes")), is_tab=shows_prizes,
        in_sitemap=_once_if_prizes, archived=lambda numbers: _once_if_prizes(numbers.event),
    ),
    EventPage(
        "competitor", "competitors/<whole:number>/", competitor, is_live=True,
        archived=Numbers.each_competitor,
    ),
    EventPage("explanation", "competitors/<whole:number>/<str:code>/", explanation, needs_results=True),
    EventPage("compare-with", "compare/", compare_with),
    EventPage("compare", "compare/<whole:first>/<whole:second>/", compare),
    EventPage(
        "statistics", "statistics/", statistics, tab=_tab(gettext_lazy("Statistics")), archived=once,
        needs_results=True,
    ),
    EventPage("map", "map/", world_map, archived=Numbers.once_if_mapped, needs_results=True),
    EventPage("changes", "changes/", changes, tab=_tab(gettext_lazy("Changes")), archived=once),
    EventPage(
        "check", "check/", check, tab=_tab(gettext_lazy("Check")), archived=once, needs_results=True
    ),
    EventPage("downloads", "downloads/", downloads, archived=once),
    EventPage("paste", "paste/", paste),
    EventPage("screen", "screen/", screen),
)  # fmt: skip
"""All pages of an event, with tabs in order.

In an archive, matches are on the pages of their rounds and explanations on those of competitors.
"""


def tabs_of(event: Event, shown: str) -> list[dict[str, Any]]:
    """Return the tabs of every page of the event; `shown` is the name of the open page.

    A tab `is_above` a page whose route begins with its own, such as Rounds above a match.
    """
    route = next((page.route for page in EVENT_PAGES if page.name == shown), "")
    address = reverse("event", args=[event.slug])  # once: the addresses of tabs have no other arguments
    return [
        {
            "label": page.tab(event),
            "address": f"{address}{page.route}",
            "is_shown": page.name == shown,
            "is_archived": page.archived is not None,
            "is_above": bool(page.route) and page.name != shown and route.startswith(page.route),
        }
        for page in EVENT_PAGES
        if page.tab and page.is_tab(event) and page.is_of(event)
    ]

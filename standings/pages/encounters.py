"""Two persons, or two teams, against each other; the page on which one is chosen; the feeds."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.caching.bounded_cache import bounded_cache
from standings.caching.cached_pages import choices, knows, only_read, only_shown, rendered
from standings.caching.cached_people_pages import people_list, people_page, shortly
from standings.careers.directory import Directory
from standings.careers.headtohead import HeadToHead
from standings.careers.overevents import Career
from standings.careers.participation import CareerTally, Participation
from standings.careers.tables import card_of, games_table, opponents_table, shared_events_table
from standings.careers.totals import GameOfCareer
from standings.catalogue.series.tables import CareerTable
from standings.charts.careerlines import place_text
from standings.engine import points_text
from standings.eventwords import dates_text
from standings.pages.career import events_known
from standings.pages.feeds import Item, atom_of, last_moment, of_type
from standings.pages.overevents import PERSONS, TEAMS, OverEvents, PublicSide

ATOM = "application/atom+xml; charset=utf-8"

View = Callable[..., HttpResponseBase]


@dataclass(frozen=True)
class Encounters:
    """All games of one person, or matches of one team, against another, as their page shows them."""

    first: PublicSide
    second: PublicSide
    both: HeadToHead
    is_team: bool

    @property
    def tally(self) -> CareerTally:
        """Return how the games ended for the first."""
        return self.both.tally

    @property
    def career(self) -> Career:
        """Return the events that had both, as the first one made them."""
        return self.both.career

    @cached_property
    def games(self) -> list[GameOfCareer]:
        """Return the games, the latest first."""
        return self.both.games[::-1]

    @property
    def table(self) -> CareerTable:
        """Return every game with event, round, colour and result, from the first one's side."""
        values = {"first": self.first.name, "second": self.second.name}
        title = _("All games of %(first)s against %(second)s") % values
        if self.is_team:
            title = _("All matches of %(first)s against %(second)s") % values
        return games_table(self.games, title)

    @property
    def shared(self) -> CareerTable:
        """Return the events that had both, with the place of each."""
        names = self.first.name, self.second.name
        title = _("Events with both %(first)s and %(second)s") % {"first": names[0], "second": names[1]}
        return shared_events_table(self.both.career, self.both.other, title, names)

    @property
    def known(self) -> list[tuple[PublicSide, str]]:
        """Return each of the two, and which events the site knows of it."""
        return [
            (side, events_known([int(year) if year.isdecimal() else 0 for year in years]))
            for side, years in zip((self.first, self.second), self.both.years, strict=True)
        ]

    @property
    def answer(self) -> str:
        """Return in one sentence how they stand against each other."""
        names = {"first": self.first.name, "second": self.second.name}
        if not self.games:
            return self._not_met() % {**names, "count": len(self.career)}
        tally = self.tally
        if not tally.games:
            return _("%(first)s and %(second)s were paired, but did not play over the board.") % names
        told = ngettext(
            "%(first)s won %(won)s, drew %(drawn)s and lost %(lost)s against %(second)s: %(points)s of "
            "%(games)s point; a draw counts ½.",
            "%(first)s won %(won)s, drew %(drawn)s and lost %(lost)s against %(second)s: %(points)s of "
            "%(games)s points; a draw counts ½.",
            tally.games,
        )
        score = {"won": tally.won, "drawn": tally.drawn, "lost": tally.lost, "games": tally.games}
        return told % {**names, **score, "points": points_text(tally.points, 2)}

    def _not_met(self) -> str:
        if not self.career:
            return _("%(first)s and %(second)s have not met: no event on this site had both.")
        return ngettext(
            "%(first)s and %(second)s have not met: both were in %(count)s event on this site.",
            "%(first)s and %(second)s have not met: both were in %(count)s events on this site.",
            len(self.career),
        )


def encounters_of(kind: OverEvents[Any]) -> View:
    """Return the view of all games of two persons, or all matches of two teams."""

    @people_page(f"{kind.name}-against", kind.stamp_of, "key", "against")
    @bounded_cache
    def encounters(request: HttpRequest, key: int, against: int) -> HttpResponse:
        """Show all games of two against each other, over all events."""
        first, second = kind.known(key), kind.known(against)
        if first.id == second.id or first.is_hidden or second.is_hidden:
            raise Http404
        if (first.id, second.id) != (key, against):
            return shortly(kind.against(first.id, second.id))
        context = {
            "shown": Encounters(first, second, kind.head_to_head_of(first.id, second.id), kind.is_team),
            "sides": [(each, kind.address(each.id, each.slug)) for each in (first, second)],
            "turned": kind.against(against, key),
            "choose": kind.opponents(key),
            "canonical": request.build_absolute_uri(request.path),
        }
        return rendered(request, "standings/encounters.html", context)

    return encounters


def opponents_of(kind: OverEvents[Any]) -> View:
    """Return the view of all whom somebody met, with a search for anybody else to be held beside it."""

    @people_page(f"{kind.name}-opponents", kind.stamp_of, "key")
    def opponents(request: HttpRequest, key: int) -> HttpResponse:
        """Show everybody whom a person, or every team that a team, has met, the most met first."""
        about = kind.known(key)
        if about.id != key:
            return shortly(kind.opponents(about.id))
        if about.is_hidden:
            raise Http404
        shown = kind.shown(key)
        title = _("Opponents of %(name)s in all events") % {"name": about.name}
        met = shown.totals.opponents
        context = {
            **_choosing(request, kind, about),
            "met": met,
            "table": opponents_table(met, shown.to_encounters, title, is_team=kind.is_team),
        }
        return rendered(request, "standings/opponents.html", context)

    @people_list
    @knows("q")
    def searched(request: HttpRequest, key: int) -> HttpResponse:
        """Show all of that name; where there is one alone, lead to all games of the two."""
        # Words are without number: their pages must not displace others.
        only_shown(request)
        about = kind.known(key)
        if about.is_hidden:
            raise Http404
        directory = Directory(kind.listed, choices(request, ("q",)), without=about.id)
        if directory.total == 1 and not directory.meant:
            return shortly(kind.against(about.id, directory.lines[0].leading.id))
        context = {
            **_choosing(request, kind, about),
            "directory": directory,
            "found": [(kind.against(about.id, each.leading.id), each) for each in directory.lines],
        }
        return rendered(request, "standings/opponents.html", context)

    @only_read
    def choosing(request: HttpRequest, key: int) -> HttpResponse:
        """Show who was met, or whom a form names: each leads to all games of the two."""
        is_search = bool(request.GET.get("q", "").strip())
        return searched(request, key=key) if is_search else opponents(request, key=key)

    return choosing


def _choosing(request: HttpRequest, kind: OverEvents[Any], about: PublicSide) -> dict[str, Any]:
    return {
        "about": about,
        "is_team": kind.is_team,
        "address": kind.address(about.id, about.slug),
        "choose": kind.opponents(about.id),
        "canonical": request.build_absolute_uri(request.path),
    }


def feed_of(kind: OverEvents[Any]) -> View:
    """Return the view of the events of a person or a team with place and score, as Atom."""

    @people_page(f"{kind.name}-feed", kind.stamp_of, "key")
    def feed(request: HttpRequest, key: int) -> HttpResponse:
        about = kind.known(key)
        if about.is_hidden:
            raise Http404
        if about.id != key:
            return shortly(reverse(f"{kind.name}-feed", args=[about.id]))
        title = _("%(name)s: events") % {"name": about.name}
        items = feed_items(kind.career_of(key))
        return atom_of(request, title, title, kind.address(about.id, about.slug), items)

    @only_read
    def as_atom(request: HttpRequest, key: int) -> HttpResponse:
        """Return the events of a person or a team with place and score, as Atom."""
        return of_type(ATOM, feed(request, key=key))

    return as_atom


def feed_items(career: Career) -> list[Item]:
    """Return an item of a feed for each event of a career, the latest first."""
    return sorted(map(_item, career), reverse=True)


def _item(each: Participation) -> Item:
    values = {
        "event": each.event.name,
        "place": place_text(each.place, each.ranked),
        "points": points_text(each.points, 2),
    }
    title = _("%(event)s: place %(place)s") if each.place else "%(event)s"
    if not each.event.is_over:
        title = _("%(event)s: in progress")
    parts = (each.team, dates_text(each.event), _("%(points)s points") % values)
    return Item(
        last_moment(each.event.end or each.event.start),
        title % values,
        " · ".join(part for part in parts if part),
        card_of(each),
        "",
    )


person_against, team_against = encounters_of(PERSONS), encounters_of(TEAMS)
person_opponents, team_opponents = opponents_of(PERSONS), opponents_of(TEAMS)
person_feed, team_feed = feed_of(PERSONS), feed_of(TEAMS)

"""Games of a person, or of two sides against each other, the choice of an opponent, and feeds of careers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.caching.cached_pages import (
    choices,
    mark_uncacheable,
    people_list,
    people_page,
    read_only,
    rendered,
    temporary_redirect,
    uses_parameters,
    with_content_type,
)
from standings.caching.page_cache import bounded_cache
from standings.careers.directory import Directory
from standings.careers.games import FILTERS, CareerGames
from standings.careers.participation import Participation
from standings.careers.tables import (
    card_of,
    career_place_text,
    games_table,
    opponents_table,
    shared_events_table,
)
from standings.careers.totals import GameOfCareer, HeadToHead
from standings.downloads.views import PGN, PLAIN
from standings.engine import fraction_text
from standings.pages.people.career import linked_events_text
from standings.pages.people.lookup import PERSONS, TEAMS, OverEvents, PublicSide
from standings.pages.site.feeds import ATOM, Item, atom_of, last_moment
from standings.tables.sorting import SortedTable
from standings.texts import dates_text

View = Callable[..., HttpResponseBase]


@dataclass(frozen=True)
class Encounters:
    """All games of two persons, or matches of two teams, against each other."""

    first: PublicSide
    second: PublicSide
    both: HeadToHead
    is_team: bool

    @cached_property
    def games(self) -> list[GameOfCareer]:
        return self.both.games[::-1]

    @property
    def table(self) -> SortedTable:
        values = {"first": self.first.name, "second": self.second.name}
        title = _("All games of %(first)s against %(second)s") % values
        if self.is_team:
            title = _("All matches of %(first)s against %(second)s") % values
        return games_table(self.games, title)

    @property
    def shared(self) -> SortedTable:
        names = self.first.name, self.second.name
        title = _("Events with both %(first)s and %(second)s") % {"first": names[0], "second": names[1]}
        return shared_events_table(self.both.career, self.both.other, title, names)

    @property
    def known(self) -> list[tuple[PublicSide, str]]:
        """Return both sides with a text about the events that the site has of them."""
        return [
            (side, linked_events_text([int(year) if year.isdecimal() else 0 for year in years]))
            for side, years in zip((self.first, self.second), self.both.years, strict=True)
        ]

    @property
    def answer(self) -> str:
        names = {"first": self.first.name, "second": self.second.name}
        tally, shared = self.both.tally, len(self.both.career)
        if not shared:
            return _("%(first)s and %(second)s have not met: no event on this site had both.") % names
        if not self.games:
            text = ngettext(
                "%(first)s and %(second)s have not met: both were in %(count)s event on this site.",
                "%(first)s and %(second)s have not met: both were in %(count)s events on this site.",
                shared,
            )
            return text % {**names, "count": shared}
        if not tally.games:
            return _("%(first)s and %(second)s were paired, but did not play over the board.") % names
        text = ngettext(
            "%(first)s won %(won)s, drew %(drawn)s and lost %(lost)s against %(second)s: %(points)s of "
            "%(games)s point; a draw counts ½.",
            "%(first)s won %(won)s, drew %(drawn)s and lost %(lost)s against %(second)s: %(points)s of "
            "%(games)s points; a draw counts ½.",
            tally.games,
        )
        score = {"won": tally.won, "drawn": tally.drawn, "lost": tally.lost, "games": tally.games}
        return text % {**names, **score, "points": fraction_text(tally.points, 2)}


@people_page("person-games", PERSONS.stamp_of, "key")
@uses_parameters(*FILTERS, "page")
def person_games(request: HttpRequest, key: int, ending: str = "") -> HttpResponse:
    about = PERSONS.known(key)
    if about.is_hidden:
        raise Http404
    if about.id != key:
        name = f"person-{ending or 'games'}"
        return temporary_redirect(reverse(name, args=[about.id], query=choices(request, (*FILTERS, "page"))))
    listed = CareerGames(PERSONS.careers.career(key), choices(request, (*FILTERS, "page")))
    if listed.is_only_shown:
        mark_uncacheable(request)
    if ending:
        return HttpResponse(listed.file(key, ending))
    title = _("Games of %(name)s, the latest first") % {"name": about.name}
    context = {
        "about": about,
        "address": PERSONS.address(about.id, about.slug),
        "list": listed,
        "query": listed.query(1),
        "table": games_table(listed.shown, title, PERSONS.address, _("not recorded")),
    }
    return rendered(request, "standings/person_games.html", context)


person_pgn, person_pdn = with_content_type(PGN)(person_games), with_content_type(PLAIN)(person_games)


def encounters_of(kind: OverEvents[Any]) -> View:
    @people_page(f"{kind.name}-against", kind.stamp_of, "key", "against")
    @bounded_cache
    def encounters(request: HttpRequest, key: int, against: int) -> HttpResponse:
        first, second = kind.known(key), kind.known(against)
        if first.id == second.id or first.is_hidden or second.is_hidden:
            raise Http404
        if (first.id, second.id) != (key, against):
            return temporary_redirect(kind.against(first.id, second.id))
        context = {
            "shown": Encounters(first, second, HeadToHead(kind.careers, first.id, second.id), kind.is_team),
            "sides": [(side, kind.address(side.id, side.slug)) for side in (first, second)],
            "turned": kind.against(against, key),
            "choose": kind.opponents(key),
        }
        return rendered(request, "standings/encounters.html", context)

    return encounters


def opponents_of(kind: OverEvents[Any]) -> View:
    @people_page(f"{kind.name}-opponents", kind.stamp_of, "key")
    def opponents(request: HttpRequest, key: int) -> HttpResponse:
        about = kind.known(key)
        if about.id != key:
            return temporary_redirect(kind.opponents(about.id))
        if about.is_hidden:
            raise Http404
        shown = kind.shown(key)
        title = _("Opponents of %(name)s in all events") % {"name": about.name}
        met = shown.totals.opponents
        context = {
            **_opponents_context(kind, about),
            "met": met,
            "table": opponents_table(met, shown.to_encounters, title, is_team=kind.is_team),
        }
        return rendered(request, "standings/opponents.html", context)

    @people_list
    @uses_parameters("q")
    def searched(request: HttpRequest, key: int) -> HttpResponse:
        # Searches are unlimited in number and must not displace other pages in the cache.
        mark_uncacheable(request)
        about = kind.known(key)
        if about.is_hidden:
            raise Http404
        directory = Directory(kind.careers.listed, choices(request, ("q",)), without=about.id)
        if directory.total == 1 and not directory.correction:
            return temporary_redirect(kind.against(about.id, directory.lines[0].leading.id))
        context = {
            **_opponents_context(kind, about),
            "directory": directory,
            "found": [(kind.against(about.id, line.leading.id), line) for line in directory.lines],
        }
        return rendered(request, "standings/opponents.html", context)

    @read_only
    def choosing(request: HttpRequest, key: int) -> HttpResponse:
        is_search = bool(request.GET.get("q", "").strip())
        return searched(request, key=key) if is_search else opponents(request, key=key)

    return choosing


def _opponents_context(kind: OverEvents[Any], about: PublicSide) -> dict[str, Any]:
    return {
        "about": about,
        "is_team": kind.is_team,
        "address": kind.address(about.id, about.slug),
        "choose": kind.opponents(about.id),
    }


def feed_of(kind: OverEvents[Any]) -> View:
    @with_content_type(ATOM)
    @people_page(f"{kind.name}-feed", kind.stamp_of, "key")
    def feed(request: HttpRequest, key: int) -> HttpResponse:
        about = kind.known(key)
        if about.is_hidden:
            raise Http404
        if about.id != key:
            return temporary_redirect(reverse(f"{kind.name}-feed", args=[about.id]))
        title = _("%(name)s: events") % {"name": about.name}
        items = sorted(map(_feed_item, kind.careers.career(key)), reverse=True)
        return atom_of(request, title, title, kind.address(about.id, about.slug), items)

    return feed


def _feed_item(participation: Participation) -> Item:
    values = {
        "event": participation.event.name,
        "place": career_place_text(participation.place, participation.ranked),
    }
    points = participation.points
    scored = "" if points is None else _("%(points)s points") % {"points": fraction_text(points, 2)}
    title = _("%(event)s: place %(place)s") if participation.place else "%(event)s"
    if not participation.event.is_over:
        title = _("%(event)s: in progress")
    parts = (participation.team, dates_text(participation.event), scored)
    return Item(
        last_moment(participation.event.end or participation.event.start),
        title % values,
        " · ".join(part for part in parts if part),
        card_of(participation),
    )


person_against, team_against = encounters_of(PERSONS), encounters_of(TEAMS)
person_opponents, team_opponents = opponents_of(PERSONS), opponents_of(TEAMS)
person_feed, team_feed = feed_of(PERSONS), feed_of(TEAMS)

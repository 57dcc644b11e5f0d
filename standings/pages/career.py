"""What pages of persons and of teams over events have alike: their career as figures, tables and pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.careers.overevents import Career
from standings.careers.participation import Participation
from standings.careers.tables import (
    card_of,
    colours_table,
    events_table,
    federations_table,
    games_table,
    opponents_table,
    years_table,
)
from standings.careers.totals import CareerTotals, OpponentTotal, totals_of
from standings.catalogue.series.tables import CareerTable
from standings.charts.careerlines import CareerPoint, places_over_events, ratings_over_events
from standings.charts.figure import Figure
from standings.statistics.counting import PLAYED
from standings.statistics.summary import share_text

MOST_MET = 10
"""So many opponents stand on the page itself; all of them on a page of their own."""

AddressOf = Callable[[int], str]


@dataclass(frozen=True)
class CareerOverEvents:
    """A career as its page shows it, with the ways to opponents and to all games against one of them.

    `to_other` returns the address of a person or team, `to_encounters` that of all games against it.
    """

    career: Career
    is_team: bool
    to_other: Callable[[int, str], str]
    to_encounters: AddressOf

    @cached_property
    def totals(self) -> CareerTotals:
        """Return what the career comes to."""
        return totals_of(self.career)

    @property
    def events(self) -> CareerTable:
        """Return the table of all events."""
        return events_table(self.career, _("All events, the latest first"), is_team=self.is_team)

    @property
    def years(self) -> CareerTable:
        """Return the totals by year."""
        return years_table(self.totals.years, is_team=self.is_team)

    @property
    def federations(self) -> CareerTable:
        """Return the totals by the opponents' federation."""
        return federations_table(self.totals.federations, is_team=self.is_team)

    @property
    def has_federations(self) -> bool:
        """Say whether the federation of any opponent is known."""
        return any(each.code for each in self.totals.federations)

    @property
    def colours(self) -> CareerTable | None:
        """Return the totals as White and as Black; None where no colour is told."""
        return colours_table(self.totals)

    @property
    def opponents(self) -> CareerTable:
        """Return those played most often."""
        title = _("Met most often")
        return opponents_table(self.most_met, self.to_encounters, title, is_team=self.is_team)

    @cached_property
    def most_met(self) -> list[OpponentTotal]:
        """Return those played most often; who was met by forfeit alone was not played."""
        return [each for each in self.totals.opponents if each.tally.games][:MOST_MET]

    @cached_property
    def has_others_met(self) -> bool:
        """Say whether anybody was played who is not known over events, and so is not among the most met."""
        games = (game for each in self.career for game in each.games)
        return any(game.kind == PLAYED and game.opponent.key is None for game in games)

    @property
    def best_wins(self) -> CareerTable:
        """Return the best wins, each with the way to the game."""
        return games_table(self.totals.best_wins, self.best_wins_heading, self.to_other)

    @property
    def best_wins_heading(self) -> str:
        """Return what the best wins are the best in."""
        rated = any(each.comparable_rating for each in self.totals.best_wins)
        return _("Wins against the highest ratings") if rated else _("Wins against the first three")

    @cached_property
    def pictures(self) -> list[Figure]:
        """Return the pictures that there is enough to draw for."""
        places = places_over_events([_point(each) for each in self.career if each.event.is_over])
        ratings = ratings_over_events([_point(each) for each in self.career])
        return [each for each in (places, ratings) if each]

    @property
    def known_text(self) -> str:
        """Return how many events are linked, so that readers do not take them for all events."""
        return known_text(self.career)

    @property
    def medals_text(self) -> list[tuple[str, tuple[int, int, int]]]:
        """Return the medals: the own ones, and those won as a member of a team; none without any."""
        of_teams = self.totals.team_medals
        told = [(_("Medals"), self.totals.medals), (_("Medals with teams"), of_teams)]
        return [(name, medals) for name, medals in told if any(medals)]

    @property
    def share(self) -> str:
        """Return the points in per cent of what could be made; empty without a game."""
        return share_text(self.totals.all.share)

    @property
    def forfeits_text(self) -> str:
        """Return how many were won and lost by forfeit, and where these count; empty without any."""
        tally = self.totals.all
        if not (tally.forfeits_won or tally.forfeits_lost):
            return ""
        values = {"won": tally.forfeits_won, "lost": tally.forfeits_lost}
        told = _(
            "By forfeit: %(won)s won, %(lost)s lost. They count in the points and places of the events;"
            " all other figures leave them out."
        )
        return told % values


def known_text(career: Sequence[Participation]) -> str:
    """Return how many events are linked to a career, and from which years."""
    return events_known(sorted({each.event.pk: each.year for each in career}.values()))


def events_known(years: Sequence[int]) -> str:
    """Return how many events are linked; `years` has the year of each, 0 if it is not known."""
    if not years:
        return _("No event is linked yet.")
    known = sorted({each for each in years if each})
    count = len(years)
    if len(known) > 1:
        told = ngettext(
            "%(count)s event linked, %(first)s–%(last)s. Other events are not counted.",
            "%(count)s events linked, %(first)s–%(last)s. Other events are not counted.",
            count,
        )
    elif known:
        told = ngettext(
            "%(count)s event linked, of %(first)s. Other events are not counted.",
            "%(count)s events linked, of %(first)s. Other events are not counted.",
            count,
        )
    else:
        told = ngettext(
            "%(count)s event linked. Other events are not counted.",
            "%(count)s events linked. Other events are not counted.",
            count,
        )
    return told % {"count": count, "first": known[0] if known else "", "last": known[-1] if known else ""}


def _point(each: Participation) -> CareerPoint:
    # Of a player of a team the place is the team's.
    name = f"{each.event.name} · {each.team}" if each.team else each.event.name
    rating = each.rating if each.has_comparable_ratings else 0
    return CareerPoint(name, card_of(each), str(each.year or ""), each.placed, each.ranked, rating)

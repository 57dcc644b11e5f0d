"""Figures, tables and charts of careers, for pages of persons and teams."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.careers import tables
from standings.careers.charts import places_over_events, ratings_over_events
from standings.careers.overevents import Career
from standings.careers.participation import Participation
from standings.careers.totals import CareerTotals, OpponentTotal, totals_of
from standings.charts.svg import Figure
from standings.pages.competitors.open_games import OpenGame, open_games
from standings.statistics.counting import PLAYED
from standings.statistics.summary import per_cent_text
from standings.tables.sorting import SortedTable
from standings.texts import KINDS_OF_RATING, discipline_name
from tournaments.models import Event

MOST_LIVE = 5
MOST_MET = 10
"""Opponents on the page itself; another page has all of them."""

AddressOf = Callable[[int], str]


@dataclass(frozen=True)
class CareerOverEvents:
    """A career as its page shows it.

    `to_other` returns the URL of a person or team, `to_encounters` the URL of all games against it.
    `all_games`: the URL of the list of games, blank for teams.
    """

    career: Career
    is_team: bool
    to_other: Callable[[int, str], str]
    to_encounters: AddressOf
    all_games: str

    @cached_property
    def totals(self) -> CareerTotals:
        return totals_of(self.career)

    @property
    def playing(self) -> list[tuple[Participation, list[OpenGame]]]:
        """Return the latest live events with open games; limited, because each needs queries."""
        live = [each for each in self.career if each.event.state == Event.State.LIVE][-MOST_LIVE:]
        open_ = ((each, open_games(each.event, each.number)) for each in live)
        return [(each, games) for each, games in open_ if games]

    @cached_property
    def tables(self) -> dict[str, SortedTable | None]:
        totals, is_team, met = self.totals, self.is_team, _("Met most often")
        return {
            "events": tables.events_table(self.career, _("All events, the latest first"), is_team=is_team),
            "best": tables.games_table(totals.best_wins, self.best_wins_heading, self.to_other),
            "met": tables.opponents_table(self.most_met, self.to_encounters, met, is_team=is_team),
            "years": tables.years_table(totals.years, is_team=is_team),
            "colours": tables.colours_table(totals, self.all_games),
            "against": tables.federations_table(totals.federations, is_team=is_team),
        }

    @property
    def has_federations(self) -> bool:
        return any(federation.code for federation in self.totals.federations)

    @cached_property
    def most_met(self) -> list[OpponentTotal]:
        """Return the most frequent opponents, without those met by forfeit only."""
        return [opponent for opponent in self.totals.opponents if opponent.tally.games][:MOST_MET]

    @cached_property
    def has_others_met(self) -> bool:
        """Return whether an opponent is not linked to a person or team, and so missing in the table."""
        games = (game for each in self.career for game in each.games)
        return any(game.kind == PLAYED and game.opponent.key is None for game in games)

    @property
    def best_wins_heading(self) -> str:
        rated = any(win.comparable_rating for win in self.totals.best_wins)
        return _("Wins against the highest ratings") if rated else _("Wins against the first three")

    @cached_property
    def pictures(self) -> list[Figure]:
        by_list: dict[tuple[str, str], Career] = defaultdict(list)
        for each in self.career:
            kind = KINDS_OF_RATING.get(each.event.ratings_from or each.event.rated_as, _("kind not recorded"))
            by_list[discipline_name(each.event), str(kind)].append(each)
        ratings = (ratings_over_events(career, ", ".join(name)) for name, career in by_list.items())
        return [chart for chart in (places_over_events(self.career), *ratings) if chart]

    @property
    def known_text(self) -> str:
        """Return the number of linked events, so that readers do not take them for all events."""
        years = {participation.event.pk: participation.year for participation in self.career}
        return linked_events_text(list(years.values()))

    @property
    def medals_text(self) -> list[tuple[str, tuple[int, int, int]]]:
        """Return the own medals, and those won as a member of a team; without empty ones."""
        of_teams = self.totals.team_medals
        medals = [(_("Medals"), self.totals.medals), (_("Medals with teams"), of_teams)]
        return [(name, counts) for name, counts in medals if any(counts)]

    @property
    def share(self) -> str:
        return per_cent_text(self.totals.all.share)

    @property
    def forfeits_text(self) -> str:
        """Return the number of forfeit wins and losses, and where they count; empty without any."""
        tally = self.totals.all
        if not (tally.forfeits_won or tally.forfeits_lost):
            return ""
        values = {"won": tally.forfeits_won, "lost": tally.forfeits_lost}
        text = _(
            "By forfeit: %(won)s won, %(lost)s lost. They count in the points and places of the events;"
            " all other figures leave them out."
        )
        return text % values


def linked_events_text(years: Sequence[int]) -> str:
    """Return the number and years of linked events; `years` has the year of each, 0 if unknown."""
    if not years:
        return _("No event is linked yet.")
    known_years = sorted({year for year in years if year})
    count = len(years)
    if len(known_years) > 1:
        text = ngettext(
            "%(count)s event linked, %(first)s–%(last)s. Other events are not counted.",
            "%(count)s events linked, %(first)s–%(last)s. Other events are not counted.",
            count,
        )
    elif known_years:
        text = ngettext(
            "%(count)s event linked, of %(first)s. Other events are not counted.",
            "%(count)s events linked, of %(first)s. Other events are not counted.",
            count,
        )
    else:
        text = ngettext(
            "%(count)s event linked. Other events are not counted.",
            "%(count)s events linked. Other events are not counted.",
            count,
        )
    first, last = (known_years[0], known_years[-1]) if known_years else ("", "")
    return text % {"count": count, "first": first, "last": last}

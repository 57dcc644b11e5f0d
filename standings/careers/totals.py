"""The totals of a career: by year, federation and colour, with medals, best wins and opponents.

Also the names, federations and titles, as recorded or else as in the events, and the games of two persons or
teams head to head.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from standings.careers.overevents import Career, CareersOf
from standings.careers.participation import (
    BLACK,
    WHITE,
    CareerGame,
    CareerOpponent,
    CareerTally,
    Participation,
    tally_of,
)
from standings.flags import year_of
from standings.statistics.counting import PLAYED, WON
from tournaments.event.federations import federation
from tournaments.models import Event
from tournaments.people.public import PublicPerson, PublicSpan
from tournaments.people.services.tallies import MEDALS
from tournaments.search.folding import sort_key

BEST = 10
"""The number of best wins that are shown."""


class GameOfCareer(NamedTuple):
    """A game with its event."""

    participation: Participation
    game: CareerGame

    @property
    def comparable_rating(self) -> int:
        return self.game.opponent.rating if self.participation.has_comparable_ratings else 0


class FederationTotal(NamedTuple):
    """The games against opponents of a federation. `code` is blank if the federation is unknown."""

    code: str
    tally: CareerTally


class YearTotal(NamedTuple):
    """The events and games of a year, 0 if unknown."""

    year: int
    events: int
    tally: CareerTally


@dataclass
class OpponentTotal:
    """All games against a person or team. `opponent`: as recorded last."""

    key: int
    opponent: CareerOpponent
    tally: CareerTally = field(default_factory=CareerTally)


@dataclass(frozen=True)
class CareerTotals:
    """The totals of a career. Lists are in display order."""

    all: CareerTally
    white: CareerTally
    black: CareerTally
    years: list[YearTotal]
    federations: list[FederationTotal]
    opponents: list[OpponentTotal]
    best_wins: list[GameOfCareer]
    medals: tuple[int, int, int]
    team_medals: tuple[int, int, int]


def totals_of(career: Sequence[Participation]) -> CareerTotals:
    games = [GameOfCareer(each, game) for each in career for game in each.games]
    return CareerTotals(
        all=tally_of(each.game for each in games),
        white=tally_of(each.game for each in games if each.game.colour == WHITE),
        black=tally_of(each.game for each in games if each.game.colour == BLACK),
        years=_totals_by_year(career),
        federations=_federations(games),
        opponents=totals_by_opponent(games),
        best_wins=best_wins(games),
        medals=medal_counts(each for each in career if not each.team),
        team_medals=medal_counts(each for each in career if each.team),
    )


def medal_counts(career: Iterable[Participation]) -> tuple[int, int, int]:
    counted = Counter(each.medal for each in career)
    first, second, third = (counted[place] for place in range(1, MEDALS + 1))
    return first, second, third


def _totals_by_year(career: Sequence[Participation]) -> list[YearTotal]:
    by_year: dict[int, list[Participation]] = defaultdict(list)
    for each in career:
        by_year[each.year].append(each)
    return [
        YearTotal(
            year,
            len({each.event.pk for each in events}),
            tally_of(game for each in events for game in each.games),
        )
        for year, events in sorted(by_year.items(), reverse=True)
    ]


def _federations(games: Sequence[GameOfCareer]) -> list[FederationTotal]:
    """Return the federations of opponents, the most games first, and games without one last.

    If an event does not state the federation of an opponent, it is that of the opponent in the nearest other
    event. Opponents met only by forfeit are not counted.
    """
    elsewhere: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for each in games:
        if (key := each.game.opponent.key) is not None and (code := _federation_met(each)):
            elsewhere[key].append((each.participation.year, code))
    tallies: dict[str, CareerTally] = defaultdict(CareerTally)
    for each in games:
        key, year = each.game.opponent.key, each.participation.year
        code = _federation_met(each) or (_nearest_federation(elsewhere[key], year) if key else "")
        tallies[code].add(each.game)
    # Sort by code too, so that the order is stable.
    in_order = sorted(tallies.items(), key=lambda each: (not each[0], -each[1].games, each[0]))
    return [FederationTotal(code, tally) for code, tally in in_order if tally.games]


def _nearest_federation(known: Sequence[tuple[int, str]], year: int) -> str:
    """Return the federation in the event nearest to a year; blank if two are equally near."""
    least = min((abs(each - year) for each, _code in known), default=0)
    codes = {code for each, code in known if abs(each - year) == least}
    return codes.pop() if len(codes) == 1 else ""


def _federation_met(game: GameOfCareer) -> str:
    return _usual_code(game.game.opponent.code, game.participation.event)


def _usual_code(code: str, event: Event) -> str:
    """Return the usual code of a federation in the year of the event: NED for `nl`."""
    found = federation(code, year_of(event)) if code else None
    return found.code if found else code


def totals_by_opponent(games: Iterable[GameOfCareer]) -> list[OpponentTotal]:
    found: dict[int, OpponentTotal] = {}
    for each in games:
        met = each.game.opponent
        if met.key is None:
            continue
        total = found.setdefault(met.key, OpponentTotal(met.key, met))
        total.opponent = met
        total.tally.add(each.game)
    return sorted(found.values(), key=lambda each: (-each.tally.games, sort_key(each.opponent.name)))


def best_wins(games: Iterable[GameOfCareer], most: int = BEST) -> list[GameOfCareer]:
    """Return the wins over the board against the highest rated opponents, highest first.

    Opponents with the same rating are all listed or all left out, except at the top; the latest comes first.
    Ratings of local lists are ignored. If no beaten opponent has another rating, return the wins against the
    first three of finished events.
    """
    won = [each for each in games if each.game.kind == PLAYED and each.game.ended == WON]
    won.reverse()  # the sort is stable: the latest of equal wins comes first
    rated = [each for each in won if each.comparable_rating]
    if not rated:
        medallists = [
            each
            for each in won
            if each.participation.event.is_over and 0 < each.game.opponent.placed <= MEDALS
        ]
        return sorted(medallists, key=lambda each: each.game.opponent.placed)[:most]
    in_order = sorted(rated, key=lambda each: -each.comparable_rating)
    if len(in_order) <= most:
        return in_order
    limit = in_order[most].comparable_rating
    above = [each for each in in_order[:most] if each.comparable_rating > limit]
    return above or in_order[:most]


def written_ways(known: Collection[str], career: Career) -> list[str]:
    return [each for each in dict.fromkeys(each.name for each in career) if each not in known]


def federations_told(about: PublicPerson, career: Career) -> tuple[PublicSpan, ...]:
    """Return the federations of a person, those of the events if none are recorded."""
    if about.federations:
        return about.federations
    years: dict[str, list[int]] = defaultdict(list)
    for each in career:
        if each.code:
            years[_usual_code(each.code, each.event)] += [each.year] if each.year else []
    return tuple(
        PublicSpan(code, str(min(known, default="")), str(max(known, default="")))
        for code, known in years.items()
    )


def titles_told(about: PublicPerson, career: Career) -> tuple[PublicSpan, ...]:
    """Return the titles of a person; if none are recorded, that of the last event with a title."""
    titles = [each.title for each in career if each.title]
    return about.titles or ((PublicSpan(titles[-1]),) if titles else ())


class HeadToHead:
    """All games of one person, or matches of one team, against another, by key.

    `career`: the events that both played in, with only these games; `other`: from the other side. `years`: of
    all public events of each, blank if unknown. Sixteen queries for persons and twelve for teams if standings
    are cached.
    """

    def __init__(self, careers: CareersOf, first: int, second: int) -> None:
        self.career, self.other = careers.encounters(first, second), careers.encounters(second, first)
        self.years = careers.years(first), careers.years(second)

    @cached_property
    def games(self) -> list[GameOfCareer]:
        return [GameOfCareer(each, game) for each in self.career for game in each.games]

    @cached_property
    def tally(self) -> CareerTally:
        return tally_of(each.game for each in self.games)

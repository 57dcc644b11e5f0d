"""The totals of a career: by year, federation and colour, with medals, best wins and opponents.

Also the names, federations and titles, as recorded or else as in the events, and the games of two persons or
teams head to head.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

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
from tournaments.people.public import PublicPerson, PublicSpan
from tournaments.people.services.tallies import MEDALS
from tournaments.search.folding import sort_key

BEST = 10
"""The number of best wins that are shown."""

Key = TypeVar("Key")


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

    def federation_of(each: GameOfCareer) -> str:
        met = each.game.opponent.key
        return _federation_met(each) or (
            _nearest_federation(elsewhere[met], each.participation.year) if met else ""
        )

    grouped = {code: tally for code, tally in _tallied(games, federation_of).items() if tally.games}
    # Sort by code too, so that the order is stable.
    in_order = sorted(grouped.items(), key=lambda each: (not each[0], -each[1].games, each[0]))
    return [FederationTotal(code, tally) for code, tally in in_order]


def _nearest_federation(known: Sequence[tuple[int, str]], year: int) -> str:
    """Return the federation in the event nearest to a year; blank if two are equally near."""
    least = min((abs(each - year) for each, _code in known), default=0)
    codes = {code for each, code in known if abs(each - year) == least}
    return codes.pop() if len(codes) == 1 else ""


def _federation_met(game: GameOfCareer) -> str:
    """Return the usual code of the opponent's federation in the year of the event: NED for `nl`."""
    code = game.game.opponent.code
    found = federation(code, year_of(game.participation.event)) if code else None
    return found.code if found else code


class FederationYears(NamedTuple):
    """A recorded federation with the first and last year; 0 if unknown."""

    code: str
    first: int
    last: int


def federations_in(career: Iterable[Participation]) -> list[FederationYears]:
    years: dict[str, list[int]] = defaultdict(list)
    for each in career:
        if each.code:
            found = federation(each.code, each.year or None)
            years[found.code if found else each.code].append(each.year)
    return [_first_and_last(code, of_code) for code, of_code in years.items()]


def _first_and_last(code: str, years: list[int]) -> FederationYears:
    known = [year for year in years if year]
    return FederationYears(code, min(known, default=0), max(known, default=0))


def _tallied(games: Iterable[GameOfCareer], key: Callable[[GameOfCareer], Key]) -> dict[Key, CareerTally]:
    found: dict[Key, CareerTally] = defaultdict(CareerTally)
    for each in games:
        found[key(each)].add(each.game)
    return dict(found)


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
    spans = ((each.code, str(each.first or ""), str(each.last or "")) for each in federations_in(career))
    return tuple(PublicSpan(*each) for each in spans)


def titles_told(about: PublicPerson, career: Career) -> tuple[PublicSpan, ...]:
    """Return the titles of a person; if none are recorded, that of the last event with a title."""
    titles = [each.title for each in career if each.title]
    return about.titles or ((PublicSpan(titles[-1]),) if titles else ())


@dataclass(frozen=True)
class HeadToHead:
    """All games of one person, or matches of one team, against another.

    `career`: the events that both played in, with only these games; `other`: from the other side. `years`: of
    all public events of each, blank if unknown.
    """

    career: Career
    other: Career
    years: tuple[list[str], list[str]]

    @cached_property
    def games(self) -> list[GameOfCareer]:
        return [GameOfCareer(each, game) for each in self.career for game in each.games]

    @cached_property
    def tally(self) -> CareerTally:
        return tally_of(each.game for each in self.games)


def head_to_head(careers: CareersOf, first: int, second: int) -> HeadToHead:
    """Return the games of two persons, or of two teams, by key.

    Sixteen queries for persons and twelve for teams if standings are cached.
    """
    return HeadToHead(
        careers.encounters(first, second),
        careers.encounters(second, first),
        (careers.years(first), careers.years(second)),
    )

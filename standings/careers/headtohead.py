"""Head to head: all games of two persons, or matches of two teams."""

from dataclasses import dataclass
from functools import cached_property

from standings.careers.overevents import Career, CareersOf
from standings.careers.participation import CareerTally, tally_of
from standings.careers.totals import GameOfCareer


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

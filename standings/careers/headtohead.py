"""Head to head: all games of two persons, or matches of two teams."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from standings.careers.overevents import (
    Career,
    encounters_of_persons,
    encounters_of_teams,
    years_of_person,
    years_of_team,
)
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


HeadToHeadOf = Callable[[int, int], HeadToHead]


def head_to_head_of_persons(first: int, second: int) -> HeadToHead:
    """Return the games of two persons by key; sixteen queries if standings are cached."""
    return HeadToHead(
        encounters_of_persons(first, second),
        encounters_of_persons(second, first),
        (years_of_person(first), years_of_person(second)),
    )


def head_to_head_of_teams(first: int, second: int) -> HeadToHead:
    """Return the matches of two teams by key; twelve queries if standings are cached."""
    return HeadToHead(
        encounters_of_teams(first, second),
        encounters_of_teams(second, first),
        (years_of_team(first), years_of_team(second)),
    )

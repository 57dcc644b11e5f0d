"""Two persons, or two teams, against each other: every game over all events, and the events that had both."""

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

    `career` has those alone, of the events that had both; `other` is the same from the other side. `years`
    are those of all public events of each, blank where not known.
    """

    career: Career
    other: Career
    years: tuple[list[str], list[str]]

    @cached_property
    def games(self) -> list[GameOfCareer]:
        """Return the games as the first one made them, the oldest first."""
        return [GameOfCareer(each, game) for each in self.career for game in each.games]

    @cached_property
    def tally(self) -> CareerTally:
        """Return how the games ended for the first."""
        return tally_of(each.game for each in self.games)


HeadToHeadOf = Callable[[int, int], HeadToHead]


def head_to_head_of_persons(first: int, second: int) -> HeadToHead:
    """Return two persons against each other, by their keys; sixteen queries where the standings are kept."""
    return HeadToHead(
        encounters_of_persons(first, second),
        encounters_of_persons(second, first),
        (years_of_person(first), years_of_person(second)),
    )


def head_to_head_of_teams(first: int, second: int) -> HeadToHead:
    """Return two teams against each other, by their keys; twelve queries where the standings are kept."""
    return HeadToHead(
        encounters_of_teams(first, second),
        encounters_of_teams(second, first),
        (years_of_team(first), years_of_team(second)),
    )

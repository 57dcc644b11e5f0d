"""One event of a person or a team: where it ended, what it scored, and against whom; without a database.

Scores are half-points. A game is seen from the side of the one whose career it belongs to; of a team a
"game" is a match.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from standings.entries import year_of
from standings.statistics.counting import DRAWN, FORFEIT, LOST, PLAYED, WON, per_mille
from standings.statistics.ratings import PlayerRating
from tournaments.event.choices import RatingsFrom
from tournaments.models import Event

ANNULLED = "annulled"
"""The kind of a game that counts for nobody, because somebody withdrew too early."""

WHITE, BLACK = 1, -1
MEDALS = 3


class CareerOpponent(NamedTuple):
    """Somebody met: the name and the country's code there, the rating, 0 for none, and the number there.

    `number` is that of the competitor: the opponent, or its team; `entry` the primary key of the competitor
    or of the player of a team, 0 for nobody. `placed` is the own place there, 0 for none. `key` is that of
    the person or team over events, None where it is linked to none, and `slug` its name in addresses.
    """

    name: str
    code: str
    rating: int
    number: int
    entry: int
    placed: int = 0
    key: int | None = None
    slug: str = ""


class CareerGame(NamedTuple):
    """A game, or a match of teams: where it was played, the result, and who it was against.

    `board` is 0 where there are none; `colour` is WHITE, BLACK, or 0 where nobody tells. `ended` is 1 for
    won, 0 for drawn and -1 for lost: of a match by match points, and so not always as `own` and `theirs`,
    half-points, would have it. `result` is how both sides' points are printed.
    """

    round: int
    table: int
    board: int
    colour: int
    kind: str
    own: int
    theirs: int
    ended: int
    result: str
    opponent: CareerOpponent


@dataclass
class CareerTally:
    """How many games were won, drawn and lost over the board, and how many by forfeit for and against."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    forfeits_won: int = 0
    forfeits_lost: int = 0

    @property
    def games(self) -> int:
        """Return how many games were played."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> int:
        """Return the half-points with one point a win and half a point a draw, whatever the events gave."""
        return 2 * self.won + self.drawn

    @property
    def share(self) -> int | None:
        """Return the points in thousandths of what could be made; None without a game."""
        return per_mille(self.points, 2 * self.games)

    def add(self, game: CareerGame) -> None:
        """Count a game; an annulled one counts nowhere, a forfeit apart."""
        if game.kind == FORFEIT:
            self.forfeits_won += game.ended == WON
            self.forfeits_lost += game.ended == LOST
        elif game.kind == PLAYED:
            self.won += game.ended == WON
            self.drawn += game.ended == DRAWN
            self.lost += game.ended == LOST


def tally_of(games: Iterable[CareerGame]) -> CareerTally:
    """Return how these games ended."""
    tally = CareerTally()
    for game in games:
        tally.add(game)
    return tally


def placed(place: str) -> int:
    """Return a printed place, `3` or `3*`, as a number; 0 for a blank one."""
    figures = place.rstrip("*")
    return int(figures) if figures.isdecimal() else 0


@dataclass(frozen=True)
class Participation:
    """One event of a career: under which number, name and team, the place there, the games.

    `number` is the competitor's, the player's own or the team's; `team` is blank where the career is that of
    a competitor. `place` is printed with its mark and blank without one, `ranked` says how many have one.
    `points` are half-points as the event counts them. `code` is the country's, as recorded. `entry` is the
    primary key of the player of a team, 0 where the career is that of a competitor.
    """

    event: Event
    number: int
    name: str
    place: str
    ranked: int
    points: int
    games: tuple[CareerGame, ...] = ()
    team: str = ""
    code: str = ""
    title: str = ""
    rating: int = 0
    board: int = 0
    entry: int = 0
    rated: PlayerRating | None = field(default=None, repr=False)

    @property
    def year(self) -> int:
        """Return the year in which the event began, 0 where that is not known."""
        return year_of(self.event) or 0

    @property
    def has_comparable_ratings(self) -> bool:
        """Return whether the ratings there may be compared with those of other events."""
        return self.event.ratings_from != RatingsFrom.LOCAL

    @property
    def placed(self) -> int:
        """Return the place as a number, 0 for none."""
        return placed(self.place)

    @property
    def medal(self) -> int:
        """Return the place where it is one of the first three of an event that is over, else 0."""
        return self.placed if self.event.is_over and self.placed <= MEDALS else 0

    @cached_property
    def tally(self) -> CareerTally:
        """Return how the games ended."""
        return tally_of(self.games)

    @property
    def performance(self) -> int | None:
        """Return the performance rating; None where nobody met was rated."""
        return self.rated.performance if self.rated and self.rated.rated else None

    @property
    def change(self) -> int | None:
        """Return the change of the rating in hundredths of a point; None where there is none."""
        return self.rated.change.change if self.rated and self.rated.change else None

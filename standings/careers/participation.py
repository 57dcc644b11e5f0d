"""The results of a person or team in an event, without a database.

Scores are half-points. A game is seen from the side of the career's owner. For teams a "game" is a match.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from standings.flags import year_of
from standings.statistics.counting import DRAWN, FORFEIT, LOST, PLAYED, UNKNOWN, WON, per_mille
from standings.statistics.ratings import PlayerRating
from tournaments.event.choices import RatingsFrom
from tournaments.models import Event
from tournaments.people.services.tallies import MEDALS

ANNULLED = "annulled"
"""The kind of a game that does not count because a competitor withdrew too early."""

WHITE, BLACK = 1, -1


class CareerOpponent(NamedTuple):
    """An opponent, with its name, country and rating (0 if unrated) in that event.

    `number`: of the competitor, that is the opponent or its team. `entry`: the primary key of the competitor
    or team player, 0 if unknown. `placed`: the opponent's place, 0 if none. `key`: the linked person or team,
    None without a link. `slug`: its name in URLs.
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
    """A game, or a match of teams.

    `board`: 0 without boards. `colour`: WHITE, BLACK, or 0 if unknown. `ended`: 1 if won, 0 if drawn, -1 if
    lost; a match is decided by match points, so this may differ from the half-points `own` and `theirs`.
    `result`: the points of both sides as printed.
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
    """The number of wins, draws and losses over the board, and of forfeit wins and losses."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    forfeits_won: int = 0
    forfeits_lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> int:
        """Return the half-points if a win is a point and a draw half a point, regardless of the event."""
        return 2 * self.won + self.drawn

    @property
    def share(self) -> int | None:
        return per_mille(self.points, 2 * self.games)

    def add(self, game: CareerGame) -> None:
        """Count a game. Annulled games do not count; forfeits are separate."""
        if game.kind == FORFEIT:
            self.forfeits_won += game.ended == WON
            self.forfeits_lost += game.ended == LOST
        elif game.kind == PLAYED:
            self.won += game.ended == WON
            self.drawn += game.ended == DRAWN
            self.lost += game.ended == LOST


def tally_of(games: Iterable[CareerGame]) -> CareerTally:
    tally = CareerTally()
    for game in games:
        tally.add(game)
    return tally


def place_number(place: str) -> int:
    figures = place.rstrip("*")
    return int(figures) if figures.isdecimal() else 0


@dataclass(frozen=True)
class Participation:
    """An event of a career.

    `number`: of the competitor, that is the player or its team. `team`: blank if the career is that of the
    competitor. `place`: as printed with its mark, blank if none. `ranked`: the number of competitors with a
    place. `points`: half-points as scored by the event, None if unknown. `all_games`: also those without a
    recorded result, which have no points. `code`: the recorded country. `entry`: the primary key of the team
    player, 0 if the career is that of the competitor.
    """

    event: Event
    number: int
    name: str
    place: str
    ranked: int
    points: int | None
    all_games: tuple[CareerGame, ...] = ()
    team: str = ""
    code: str = ""
    title: str = ""
    rating: int = 0
    board: int = 0
    entry: int = 0
    rated: PlayerRating | None = field(default=None, repr=False)

    @property
    def year(self) -> int:
        return year_of(self.event) or 0

    @property
    def has_comparable_ratings(self) -> bool:
        return self.event.ratings_from != RatingsFrom.LOCAL

    @property
    def placed(self) -> int:
        return place_number(self.place)

    @property
    def medal(self) -> int:
        """Return the place if it is among the first three of a finished event, else 0."""
        return self.placed if self.event.is_over and self.placed <= MEDALS else 0

    @cached_property
    def games(self) -> tuple[CareerGame, ...]:
        return tuple(each for each in self.all_games if each.kind != UNKNOWN)

    @cached_property
    def tally(self) -> CareerTally:
        return tally_of(self.games)

    @property
    def performance(self) -> int | None:
        return self.rated.performance if self.rated and self.rated.rated else None

    @property
    def change(self) -> int | None:
        return self.rated.change.change if self.rated and self.rated.change else None

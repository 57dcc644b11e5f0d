"""Performance, expected score and rating change of a player, in integers and without a database.

Expected scores and changes follow FIDE Handbook B.02, 8.3, in the edition in force when the event began.
Expected scores are hundredths of a point, changes are hundredths of a rating point.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from standings.engine import performance_rating, rating_difference, rounded, rounded_away, score_probability
from tournaments.event.choices import RatedAs, RatingsFrom
from tournaments.event.dates import parse_day, parse_year
from tournaments.event.document import EventEntry
from tournaments.models import Event

FARTHEST = 400
"""Greater rating differences count as this one (8.3.1; before 2022, 8.54)."""

MOST = 700
"""Maximum of K times the number of games (8.3.3)."""

ADULT = 18
HUNDREDTHS = 50  # hundredths in a half-point


class Missing(Enum):
    """The reason why a player has no expected score and no rating change."""

    UNRATED = "unrated"
    NO_OPPONENT = "no-rated-opponent"
    DISCIPLINE = "other-discipline"
    DATE = "date-not-known"
    EARLIER = "earlier-rules"
    LOCAL_LIST = "local-list"
    KIND = "kind-not-stated"
    OTHER_LIST = "ratings-of-another-list"
    EARLIER_RAPID = "earlier-rules-of-rapid"


@dataclass(frozen=True)
class RatingRules:
    """FIDE's rules of rating changes for events that begin on or after `since`.

    `k_new`: K of players with fewer than 30 games, None if it changed during the period. `k_under`: K below
    2400. `k_top`: K from 2400 on. `k_junior`: K below 2300 up to the year of the `junior_age`-th birthday,
    None if there is no such rule. `is_capped`: K times games is at most 700. `upgrades_once`: the limit of
    400 applies to the higher-rated player in one game only. `unlimited_from`: from this rating on differences
    are not limited, None if all are. The other fields are article numbers.
    """

    since: date
    k_new: int | None
    k_under: int
    k_top: int = 10
    k_junior: int | None = None
    junior_age: int = 0
    is_capped: bool = False
    upgrades_once: bool = False
    unlimited_from: int | None = None
    difference_article: str = "8.3.1"
    k_article: str = "8.3.3"
    rounding_article: str = "8.3.4"


_2009 = RatingRules(
    date(2009, 7, 1),
    k_new=None,  # 25, from 2011 on 30
    k_under=15,
    difference_article="8.54",
    k_article="8.56",
    rounding_article="8.57",
)
_2014 = replace(_2009, since=date(2014, 7, 1), k_new=40, k_under=20, k_junior=40, junior_age=17)
_2022 = RatingRules(
    date(2022, 1, 1), k_new=40, k_under=20, k_junior=40, junior_age=18, is_capped=True, upgrades_once=True
)
_2024 = replace(_2022, since=date(2024, 3, 1), upgrades_once=False)
_2025 = replace(_2024, since=date(2025, 10, 1), unlimited_from=2650)
# The editions of B.02 since the limit of 400 was introduced, oldest first.
RATING_RULES = (_2009, _2014, _2022, _2024, _2025)

RAPID_RULES = (_2024, replace(_2025, unlimited_from=None))
"""The editions for rapid and blitz. Since 1 October 2022 their K is that of standard play.

Before 1 March 2024 another rating difference was used, and that text is not transcribed.
"""


@dataclass(frozen=True)
class RulesInForce:
    """The rules for the ratings of an event, or the reason why there are none.

    `year`: of the start, 0 if unknown. `until`: the day of a change of rules in that year, if only the year
    is recorded. `kind`: the list for which the games are rated, blank if not recorded. `is_listed`: the event
    records the list of its ratings.
    """

    rules: RatingRules | None = None
    missing: Missing | None = None
    year: int = 0
    until: date | None = None
    kind: str = ""
    is_listed: bool = False


def rules_in_force(event: Event | EventEntry) -> RulesInForce:
    year, kind = parse_year(event.start), event.rated_as
    in_force = RulesInForce(year=year or 0, kind=kind, is_listed=bool(event.ratings_from or kind))
    if missing := _why_no_rules(event):
        return replace(in_force, missing=missing)
    if year is None:
        return replace(in_force, missing=Missing.DATE)
    known = RATING_RULES if kind == RatedAs.STANDARD else RAPID_RULES
    day = parse_day(event.start) or date(year, 1, 1)
    begun = [rules for rules in known if rules.since <= day]
    if not begun:
        is_standard = kind == RatedAs.STANDARD
        return replace(in_force, missing=Missing.EARLIER if is_standard else Missing.EARLIER_RAPID)
    later = (rules.since for rules in known if rules.since > day)
    until = next((since for since in later if since.year == year), None)
    return replace(in_force, rules=begun[-1], until=None if parse_day(event.start) else until)


def _why_no_rules(event: Event | EventEntry) -> Missing | None:
    if event.ratings_from == RatingsFrom.LOCAL:
        return Missing.LOCAL_LIST
    # FMJD has its own rating system (Annex 9). Its tables and coefficients are not transcribed.
    if event.discipline != "chess":
        return Missing.DISCIPLINE
    if not event.rated_as:
        return Missing.KIND
    return Missing.OTHER_LIST if event.ratings_from not in ("", event.rated_as) else None


class RatedGame(NamedTuple):
    """A played game.

    `opponent`: any key. `rating`: of the opponent, 0 if unrated. `points`: own half-points, of 2.
    """

    round: int
    opponent: Hashable | None
    rating: int
    points: int


class ExpectedGame(NamedTuple):
    """A game against a rated opponent.

    `difference`: own rating minus the opponent's. `counted`: the difference after the limit. `expected`: PD,
    per cent.
    """

    game: RatedGame
    difference: int
    counted: int
    expected: int

    @property
    def gain(self) -> int:
        return HUNDREDTHS * self.game.points - self.expected


class KReason(Enum):
    TOP = "2400 or more"
    JUNIOR = "junior"
    UNDER = "under 2400"


class Coefficient(NamedTuple):
    """K, the development coefficient. `k`: the proposed value, limited by the number of games."""

    proposed: int
    reason: KReason
    k: int


@dataclass(frozen=True)
class RatingChange:
    """The rating change from games against rated opponents, in round order."""

    games: tuple[ExpectedGame, ...]
    coefficient: Coefficient

    @cached_property
    def expected(self) -> int:
        return sum(each.expected for each in self.games)

    @cached_property
    def gain(self) -> int:
        return sum(each.gain for each in self.games)

    @property
    def change(self) -> int:
        return self.gain * self.coefficient.k

    @property
    def whole(self) -> int:
        """Return the change in rating points, rounded as if these were all games of a rating period."""
        return rounded_away(self.change, 100)


@dataclass(frozen=True)
class PlayerRating:
    """A player's rating (0 if unrated) with the played games and the rules that apply.

    `born`: the year of birth, None if unknown.
    """

    rating: int
    games: tuple[RatedGame, ...]
    in_force: RulesInForce
    born: int | None = None

    @cached_property
    def rated(self) -> tuple[RatedGame, ...]:
        return tuple(game for game in self.games if game.rating)

    @cached_property
    def points(self) -> int:
        return sum(game.points for game in self.rated)

    @property
    def average(self) -> int | None:
        return rounded(sum(game.rating for game in self.rated), len(self.rated)) if self.rated else None

    @property
    def percent(self) -> int | None:
        return rounded(100 * self.points, 2 * len(self.rated)) if self.rated else None

    @property
    def bonus(self) -> int | None:
        """Return the rating points that the score adds to the average, None without rated opponents."""
        return None if self.percent is None else rating_difference(self.percent)

    @cached_property
    def performance(self) -> int | None:
        return performance_rating([game.rating for game in self.rated], self.points)

    @property
    def missing(self) -> Missing | None:
        if self.in_force.missing:
            return self.in_force.missing
        if not self.rating:
            return Missing.UNRATED
        return None if self.rated else Missing.NO_OPPONENT

    @cached_property
    def change(self) -> RatingChange | None:
        rules = self.in_force.rules
        if self.missing or rules is None:
            return None
        differences = [self.rating - game.rating for game in self.rated]
        unlimited = rules.unlimited_from is not None and self.rating >= rules.unlimited_from
        upgraded = differences.index(max(differences)) if differences else -1
        counted = [
            difference
            if unlimited or (rules.upgrades_once and difference > FARTHEST and at != upgraded)
            else max(-FARTHEST, min(FARTHEST, difference))
            for at, difference in enumerate(differences)
        ]
        games = tuple(
            ExpectedGame(game, difference, counts, score_probability(counts))
            for game, difference, counts in zip(self.rated, differences, counted, strict=True)
        )
        proposed, reason = self._proposed(rules)
        most = MOST // len(self.rated) if rules.is_capped else proposed
        return RatingChange(games, Coefficient(proposed, reason, min(proposed, most)))

    def _proposed(self, rules: RatingRules) -> tuple[int, KReason]:
        if self.rating >= 2400:
            return rules.k_top, KReason.TOP
        # By year, because days of birth are not published.
        is_junior = self.born is not None and self.in_force.year - self.born <= rules.junior_age
        if rules.k_junior and is_junior and self.rating < 2300:
            return rules.k_junior, KReason.JUNIOR
        return rules.k_under, KReason.UNDER

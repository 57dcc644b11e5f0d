"""Performance, expected score and rating change of one player, in whole numbers and without a database.

Expected scores and changes follow FIDE's Handbook B.02, 8.3, in the wording of the day on which the event
began. Expected scores are hundredths of a point; changes are hundredths of a rating point.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from functools import cached_property
from typing import NamedTuple, Protocol

from standings.engine import performance_rating, rating_difference, rounded, rounded_away, score_probability
from tournaments.event.choices import RatedAs, RatingsFrom
from tournaments.event.dates import day_of, year_of

FARTHEST = 400
"""A greater difference in rating counts as this one (8.3.1; before 2022, 8.54)."""

MOST = 700
"""K times the number of games is at most this (8.3.3)."""

ADULT = 18
HUNDREDTHS = 50
"""Hundredths in a half-point."""


class Missing(Enum):
    """A reason for which a player has no expected score and no rating change."""

    UNRATED = "unrated"
    NO_OPPONENT = "no-rated-opponent"
    DISCIPLINE = "other-discipline"
    DATE = "date-not-known"
    EARLIER = "earlier-rules"
    LOCAL_LIST = "local-list"
    KIND = "kind-not-stated"
    OTHER_LIST = "ratings-of-another-list"
    EARLIER_RAPID = "earlier-rules-of-rapid"


class RatedEvent(Protocol):
    """The facts of an event that its ratings depend on; a model and a document's event have them."""

    @property
    def discipline(self) -> str: ...
    @property
    def start(self) -> str: ...
    @property
    def rated_as(self) -> str: ...
    @property
    def ratings_from(self) -> str: ...


@dataclass(frozen=True)
class RatingRules:
    """FIDE's rules of rating changes, in force for events that begin on or after `since`.

    `k_new` is K of a player with fewer than 30 games, None where it changed within the time; `k_under` is K
    below 2400, `k_top` from there on. `k_junior` is K below 2300 up to the year of the `junior_age`-th
    birthday, None for no such rule. `is_capped`: K times games is at most 700. `upgrades_once`: the higher
    rated gains by the limit of 400 in one game only. `unlimited_from`: from this rating on no difference is
    limited, None for nobody. The others are articles.
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
    k_new=None,  # 25, and 30 from 2011 on
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
RATING_RULES = (_2009, _2014, _2022, _2024, _2025)
"""The wordings of B.02 since the limit of 400 came in, the oldest first."""

RAPID_RULES = (_2024, replace(_2025, unlimited_from=None))
"""The same for rapid and blitz. K follows that of standard play since 1 October 2022; before 1 March 2024
the difference that counts was another one, and that text is not transcribed."""


@dataclass(frozen=True)
class RulesInForce:
    """The rules for the ratings of an event, or why there are none.

    `year` is the one in which it began, 0 where that is not known. `until` is the day on which other rules
    followed, where the record tells the year alone and that day lies in it. `kind` is the list that the games
    are rated for, blank if it is not stated; `is_listed`: the event states which list the ratings are from.
    """

    rules: RatingRules | None = None
    missing: Missing | None = None
    year: int = 0
    until: date | None = None
    kind: str = ""
    is_listed: bool = False


def rules_in_force(event: RatedEvent) -> RulesInForce:
    """Return the rules for the rating changes of an event, or why there are no changes."""
    year, kind = year_of(event.start), event.rated_as
    found = RulesInForce(year=year or 0, kind=kind, is_listed=bool(event.ratings_from or kind))
    if missing := _without_rules(event):
        return replace(found, missing=missing)
    if year is None:
        return replace(found, missing=Missing.DATE)
    known = RATING_RULES if kind == RatedAs.STANDARD else RAPID_RULES
    day = day_of(event.start) or date(year, 1, 1)
    begun = [rules for rules in known if rules.since <= day]
    if not begun:
        is_standard = kind == RatedAs.STANDARD
        return replace(found, missing=Missing.EARLIER if is_standard else Missing.EARLIER_RAPID)
    later = (rules.since for rules in known if rules.since > day)
    until = next((since for since in later if since.year == year), None)
    return replace(found, rules=begun[-1], until=None if day_of(event.start) else until)


def _without_rules(event: RatedEvent) -> Missing | None:
    """Return why no rules of any date are applied to the ratings of an event; None if they are."""
    if event.ratings_from == RatingsFrom.LOCAL:
        return Missing.LOCAL_LIST
    # FMJD has a rating of its own (Annex 9), and its tables and coefficients are not transcribed here.
    if event.discipline != "chess":
        return Missing.DISCIPLINE
    if not event.rated_as:
        return Missing.KIND
    return Missing.OTHER_LIST if event.ratings_from not in ("", event.rated_as) else None


class RatedGame(NamedTuple):
    """A game that was played: the opponent by any key, its rating (0 for none), the own half-points of 2."""

    round: int
    opponent: Hashable | None
    rating: int
    points: int


class ExpectedGame(NamedTuple):
    """A game against a rated opponent: own rating less theirs, as it is and as it counts; PD, per cent."""

    game: RatedGame
    difference: int
    counted: int
    expected: int

    @property
    def gain(self) -> int:
        """Return the score less the expected one, in hundredths of a point."""
        return HUNDREDTHS * self.game.points - self.expected


class KReason(Enum):
    """A reason for which a K is proposed."""

    TOP = "2400 or more"
    JUNIOR = "junior"
    UNDER = "under 2400"


class Coefficient(NamedTuple):
    """K, the development coefficient: as proposed by the rating and the age, and as limited by the games."""

    proposed: int
    reason: KReason
    k: int


@dataclass(frozen=True)
class RatingChange:
    """The change of a rating by the games against rated opponents, in the order of the rounds."""

    rating: int
    games: tuple[ExpectedGame, ...]
    coefficient: Coefficient

    @cached_property
    def expected(self) -> int:
        """Return the expected score of all games, in hundredths of a point."""
        return sum(each.expected for each in self.games)

    @cached_property
    def gain(self) -> int:
        """Return the score less the expected one, in hundredths of a point."""
        return sum(each.gain for each in self.games)

    @property
    def change(self) -> int:
        """Return the gain times K, in hundredths of a rating point; nothing is rounded."""
        return self.gain * self.coefficient.k

    @property
    def whole(self) -> int:
        """Return the change in whole rating points, as a rating period with these games alone is rounded."""
        return rounded_away(self.change, 100)


@dataclass(frozen=True)
class PlayerRating:
    """A player's rating, 0 for none, the games that were played, and the rules that hold for them.

    `born` is the year of birth, None where that is not known.
    """

    rating: int
    games: tuple[RatedGame, ...]
    in_force: RulesInForce
    born: int | None = None

    def first(self, games: int) -> "PlayerRating":
        """Return the same after that many games."""
        return replace(self, games=self.games[:games])

    @cached_property
    def rated(self) -> tuple[RatedGame, ...]:
        """Return the games against rated opponents."""
        return tuple(game for game in self.games if game.rating)

    @cached_property
    def points(self) -> int:
        """Return the half-points scored against rated opponents."""
        return sum(game.points for game in self.rated)

    @property
    def average(self) -> int | None:
        """Return the average rating of the rated opponents, a half rounded upward; None without one."""
        return rounded(sum(game.rating for game in self.rated), len(self.rated)) if self.rated else None

    @property
    def percent(self) -> int | None:
        """Return the score against them in whole per cent, a half rounded upward; None without one."""
        return rounded(100 * self.points, 2 * len(self.rated)) if self.rated else None

    @property
    def bonus(self) -> int | None:
        """Return the rating points that the score adds to the average; None without a rated opponent."""
        return None if self.percent is None else rating_difference(self.percent)

    @cached_property
    def performance(self) -> int | None:
        """Return the performance rating; None without a rated opponent."""
        return performance_rating([game.rating for game in self.rated], self.points)

    @property
    def missing(self) -> Missing | None:
        """Return why there is no expected score and no change; None where there are both."""
        if self.in_force.missing:
            return self.in_force.missing
        if not self.rating:
            return Missing.UNRATED
        return None if self.rated else Missing.NO_OPPONENT

    @cached_property
    def change(self) -> RatingChange | None:
        """Return the expected scores and the change; None where `missing` says why."""
        rules = self.in_force.rules
        if self.missing or rules is None:
            return None
        games = _expected(self.rating, self.rated, rules)
        return RatingChange(self.rating, games, self._coefficient(rules))

    def _coefficient(self, rules: RatingRules) -> Coefficient:
        proposed, reason = self._proposed(rules)
        most = MOST // len(self.rated) if rules.is_capped else proposed
        return Coefficient(proposed, reason, min(proposed, most))

    def _proposed(self, rules: RatingRules) -> tuple[int, KReason]:
        if self.rating >= 2400:
            return rules.k_top, KReason.TOP
        # By the year: the public record tells no day of birth.
        is_junior = self.born is not None and self.in_force.year - self.born <= rules.junior_age
        if rules.k_junior and is_junior and self.rating < 2300:
            return rules.k_junior, KReason.JUNIOR
        return rules.k_under, KReason.UNDER


def _expected(rating: int, games: tuple[RatedGame, ...], rules: RatingRules) -> tuple[ExpectedGame, ...]:
    """Return the games with the differences as the rules count them."""
    differences = [rating - game.rating for game in games]
    unlimited = rules.unlimited_from is not None and rating >= rules.unlimited_from
    upgraded = differences.index(max(differences)) if differences else -1
    counted = [
        difference
        if unlimited or (rules.upgrades_once and difference > FARTHEST and at != upgraded)
        else max(-FARTHEST, min(FARTHEST, difference))
        for at, difference in enumerate(differences)
    ]
    return tuple(
        ExpectedGame(game, difference, counts, score_probability(counts))
        for game, difference, counts in zip(games, differences, counted, strict=True)
    )

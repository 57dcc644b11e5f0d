"""Possible norms for FIDE titles, for a person to check: the requirements of B.01, and the games.

FIDE Title Regulations (Handbook B.01) as applied from 1 January 2024, articles 1.4.1 to 1.4.9. Only
requirements that can be counted are checked: no exceptions of 1.4.1 and 1.4.3, no rounds that may be left
out, no rate of play, no arbiters. The result is not a decision.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from django.utils.translation import gettext as _

from standings.engine import performance_rating, rating_difference, rounded
from tournaments.event.document import CompetitorEntry, Document, GameEntry, PairingEntry, PlayerEntry

UNRATED = 1400
"""The rating of an opponent without a rating (1.4.6d)."""

LEAST_GAMES = 9
LEAST_SHARE = 35
"""Per cent of the points (1.4.8b)."""


class NormRules(NamedTuple):
    """The requirements of a title: performance (1.4.8), opponents' average and floor, titles that count.

    `counted`: this title and higher ones; their holders need no norm.
    """

    title: str
    performance: int
    average: int
    floor: int
    counted: frozenset[str]


NORMS = (
    NormRules("GM", 2600, 2380, 2200, frozenset({"GM"})),
    NormRules("IM", 2450, 2230, 2050, frozenset({"GM", "IM"})),
    NormRules("WGM", 2400, 2180, 2000, frozenset({"GM", "IM", "WGM"})),
    NormRules("WIM", 2250, 2030, 1850, frozenset({"GM", "IM", "WGM", "WIM"})),
)
TITLED = frozenset({"GM", "IM", "FM", "WGM", "WIM", "WFM"})
"""Titles that count for the 50 % of 1.4.5a: not CM and WCM."""

OF_WOMEN = frozenset({"WGM", "WIM"})


@dataclass(frozen=True, slots=True)
class NormGame:
    """A game over the board, from one side. `half_points`: 2 for a win."""

    round: int
    opponent: str
    title: str
    federation: str
    rating: int | None
    half_points: int


@dataclass(frozen=True, slots=True)
class NormPlayer:
    number: int
    name: str
    title: str
    federation: str
    sex: str
    games: tuple[NormGame, ...]


@dataclass(frozen=True, slots=True)
class NormRequirement:
    """A requirement of an article, with the figures found and required; `is_met`: as far as counted."""

    article: str
    what: str
    found: str
    asked: str
    is_met: bool


@dataclass(frozen=True, slots=True)
class NormCheck:
    """A title for a player. Points are half-points; `needed`: for the norm, None if impossible.

    `raised`: the round of the opponent whose rating was raised to the floor, None if all were above it.
    """

    player: NormPlayer
    title: str
    points: int
    needed: int | None
    average: int
    performance: int
    raised: int | None
    requirements: tuple[NormRequirement, ...]

    @property
    def is_met(self) -> bool:
        return all(each.is_met for each in self.requirements)


def norms_of(document: Document) -> list[NormCheck]:
    """Return the titles with a performance that a player reaches or misses by at most half a point."""
    checks = (
        check_norm(player, rules, is_double=document.event.schedule == "double-round-robin")
        for player in norm_players(document)
        for rules in NORMS
        if player.games
        and player.title not in rules.counted
        and (rules.title not in OF_WOMEN or player.sex == "w")
    )
    return [each for each in checks if each.needed is not None and each.points >= each.needed - 1]


def check_norm(player: NormPlayer, rules: NormRules, *, is_double: bool = False) -> NormCheck:
    """Check a player's games for a title. `is_double`: the event is a double round robin (1.4.5f)."""
    games = player.games
    ratings = [UNRATED if game.rating is None else game.rating for game in games]
    lowest, raised = min(range(len(ratings)), key=ratings.__getitem__), None
    if ratings[lowest] < rules.floor:  # the lowest one is raised to the floor (1.4.6)
        ratings[lowest], raised = rules.floor, games[lowest].round
    points = sum(game.half_points for game in games)
    average = rounded(sum(ratings), len(ratings))
    performance = performance_rating(ratings, points) or 0
    requirements = (
        *_of_opponents(player, rules, is_double=is_double),
        _at_least("1.4.8", _("average"), average, rules.average),
        _at_least("1.4.8", _("performance"), performance, rules.performance),
        NormRequirement(
            "1.4.8",
            _("score"),
            f"{points // 2}{'½' if points % 2 else ''} / {len(games)}",
            _("at least %(number)s") % {"number": f"{LEAST_SHARE} %"},
            100 * points >= LEAST_SHARE * 2 * len(games),
        ),
    )
    needed = next(
        (
            half_points
            for half_points in range(2 * len(games) + 1)
            if average + rating_difference(rounded(100 * half_points, 2 * len(games))) >= rules.performance
        ),
        None,
    )
    return NormCheck(player, rules.title, points, needed, average, performance, raised, requirements)


def _of_opponents(player: NormPlayer, rules: NormRules, *, is_double: bool) -> Iterator[NormRequirement]:
    games, count = player.games, len(player.games)
    yield _at_least("1.4.1", _("games"), count, LEAST_GAMES)
    by_federation = Counter(game.federation for game in games if game.federation)
    yield _at_least("1.4.3", _("other federations"), len(by_federation.keys() - {player.federation}), 2)
    # Minimum numbers are rounded up, maximum numbers down (1.4.4).
    yield _at_most("1.4.4", _("own federation"), by_federation[player.federation], count * 3 // 5)
    yield _at_most("1.4.4", _("one federation"), max(by_federation.values(), default=0), count * 2 // 3)
    titled = sum(game.title in TITLED for game in games)
    yield _at_least("1.4.5a", _("titled"), titled, ceil(Fraction(count, 2)))
    counted = sum(game.title in rules.counted for game in games)
    required = ceil(Fraction(count, 2)) if is_double else max(3, ceil(Fraction(count, 3)))
    titles = "/".join(title for title in ("GM", "IM", "WGM", "WIM") if title in rules.counted)
    yield _at_least("1.4.5", titles, counted, required)


def _at_least(article: str, what: str, found: int, least: int) -> NormRequirement:
    asked = _("at least %(number)s") % {"number": least}
    return NormRequirement(article, what, str(found), asked, found >= least)


def _at_most(article: str, what: str, found: int, most: int) -> NormRequirement:
    asked = _("at most %(number)s") % {"number": most}
    return NormRequirement(article, what, str(found), asked, found <= most)


# --- games of the players ---------------------------------------------------------------------------------


def norm_players(document: Document) -> list[NormPlayer]:
    """Return all players with their games over the board, the only games that count (1.4.2).

    If teams are nations, a player's federation is that of the team. If they are clubs, it is unknown.
    """
    is_team = document.event.is_team
    known: dict[Hashable, tuple[int, str, CompetitorEntry | PlayerEntry]] = {}
    for each in document.competitors:
        has_nation = not is_team or document.event.has_nations
        federation = (each.flag or each.code.rstrip("0123456789")) if has_nation else ""
        if is_team:
            known |= {
                (each.number, player.identity): (each.number, federation, player) for player in each.players
            }
        else:
            known[each.number] = each.number, federation, each
    games: dict[Hashable, list[NormGame]] = {key: [] for key in known}
    for number, result, *keys in _results(document):
        first, second = result.first_score or 0, result.second_score or 0
        won = (first > second) - (first < second)
        for own, other, half_points in ((keys[0], keys[1], 1 + won), (keys[1], keys[0], 1 - won)):
            if own in known and other in known:
                _number, federation, opponent = known[other]
                games[own].append(
                    NormGame(number, opponent.name, opponent.title, federation, opponent.rating, half_points)
                )
    return [
        NormPlayer(number, each.name, each.title, federation, each.sex, tuple(games[key]))
        for key, (number, federation, each) in known.items()
    ]


def _results(
    document: Document,
) -> Iterator[tuple[int, PairingEntry | GameEntry, Hashable, Hashable]]:
    for number, pairing in document.pairings():
        if pairing.second is None:
            continue
        if not document.event.is_team and pairing.kind == "played":
            yield number, pairing, pairing.first, pairing.second
        for game in pairing.games:
            first, second = game.first_player, game.second_player
            if game.kind == "played" and first and second:
                yield number, game, (pairing.first, first.identity), (pairing.second, second.identity)

"""The ratings of players: performance, expected score and change, game by game."""

from standings.api import event_schemas
from standings.api.responses import select_fields
from standings.engine import decimal_text
from standings.services import Ranked
from standings.statistics.ratingcolumns import ratings_in
from standings.statistics.ratings import ExpectedGame, PlayerRating
from standings.statistics.texts import exact_hundredths
from tournaments.models import Event


def ratings_of(event: Event, found: Ranked) -> dict[int, PlayerRating]:
    ratings = ratings_in(event, found.standings.table, [entry.birth_year for entry in found.entries])
    return {entry.number: rating for entry, rating in zip(found.entries, ratings, strict=False)}


def rating_data(rating: PlayerRating) -> event_schemas.RatingData:
    change, rules = rating.change, rating.in_force.rules
    return select_fields(
        event_schemas.RatingData,
        rating,
        points=decimal_text(rating.points, 2),
        expected=exact_hundredths(change.expected) if change else None,
        gain=exact_hundredths(change.gain) if change else None,
        k=change.coefficient.k if change else None,
        k_proposed=change.coefficient.proposed if change else None,
        k_because=change.coefficient.reason.value if change else None,
        change=exact_hundredths(change.change) if change else None,
        missing=rating.missing.value if rating.missing else None,
        rules_since=rules.since.isoformat() if rules else None,
    )


def rated_games(rating: PlayerRating | None, numbers: list[int]) -> list[event_schemas.RatedGameData]:
    """Return the games of a rating change; `numbers`: the numbers of the rows of the crosstable."""
    games = rating.change.games if rating and rating.change else ()
    return [_rated_game(each, numbers) for each in games]


def _rated_game(each: ExpectedGame, numbers: list[int]) -> event_schemas.RatedGameData:
    opponent = each.game.opponent
    return event_schemas.RatedGameData(
        round=each.game.round,
        opponent=numbers[opponent] if isinstance(opponent, int) else None,
        rating=each.game.rating,
        difference=each.difference,
        counted=each.counted,
        expected=exact_hundredths(each.expected),
        points=decimal_text(each.game.points, 2),
        gain=exact_hundredths(each.gain),
    )

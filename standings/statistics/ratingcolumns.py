"""Performance, expected score and rating change of all players, and their table columns."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from django.utils.translation import gettext as _

from standings.engine import Crosstable
from standings.statistics.games import counted_games
from standings.statistics.ratings import Missing, PlayerRating, RulesInForce, rules_in_force
from standings.statistics.scores import PlayerScore, scores
from standings.statistics.texts import exact_hundredths, hundredths_text
from standings.tables.sorting import SortKey, TableColumn
from tournaments.event.dates import parse_year
from tournaments.event.document import EventEntry
from tournaments.models import Event

RATING_CSS = "rated"
FigureText = Callable[[int], str]


def ratings_in(event: Event | EventEntry, table: Crosstable, births: Sequence[str]) -> list[PlayerRating]:
    """Return the rating of each player in the order of the crosstable. Empty for team events.

    `births`: days or years of birth in the same order, blank if unknown.
    """
    if event.is_team:
        return []
    in_force = rules_in_force(event)
    ratings = table.rating.tolist()
    by_row = scores(counted_games(event, table), dict(enumerate(ratings)))
    return [
        player_rating(rating, by_row.get(row), in_force, birth)
        for row, (rating, birth) in enumerate(zip(ratings, births, strict=True))
    ]


def rating_in(event: Event | EventEntry, table: Crosstable, row: int, birth: str) -> PlayerRating:
    ratings = table.rating.tolist()
    by_row = scores(counted_games(event, table, row), dict(enumerate(ratings)))
    return player_rating(ratings[row], by_row.get(row), rules_in_force(event), birth)


def player_rating(
    rating: int | None, score: PlayerScore | None, in_force: RulesInForce, birth: str
) -> PlayerRating:
    """Return the rating of a player with this score. `birth`: a day or year, blank if unknown.

    Players with a rating of a local list have no games and no rating, because FIDE's tables do not apply.
    """
    if in_force.missing is Missing.LOCAL_LIST:
        return PlayerRating(0, (), in_force, parse_year(birth))
    games = sorted(score.rated, key=lambda game: game.round) if score else []
    return PlayerRating(rating or 0, tuple(games), in_force, parse_year(birth))


def rating_columns(ratings: Sequence[PlayerRating | None], addresses: Sequence[str]) -> list[TableColumn]:
    """Return the columns of performance, expected score and change. Empty if no player has any of them.

    `addresses`: escaped links to the explanation of each player's figures.
    """
    performances = [each.performance if each else None for each in ratings]
    changes = [each.change if each else None for each in ratings]
    expected = [each.expected if each else None for each in changes]
    gained = [each.change if each else None for each in changes]
    signed = partial(hundredths_text, signed=True)
    kinds: list[tuple[str, str, str, list[int | None], FigureText, FigureText]] = [
        (SortKey.PERFORMANCE, _("Rp"), _("Performance rating"), performances, str, str),
        (SortKey.EXPECTED, _("We"), _("Expected score"), expected, hundredths_text, exact_hundredths),
        (SortKey.CHANGE, _("Rtg±"), _("Rating change"), gained, signed, exact_hundredths),
    ]
    columns = []
    for key, label, name, figures, shown, exact in kinds:
        if all(figure is None for figure in figures):
            continue
        start = f'<td role=cell class={RATING_CSS} data-label="{escape(label)}"'
        cells = [
            f"<td role=cell class={RATING_CSS}>"
            if figure is None
            else f'{start} data-value="{exact(figure)}"><a href="{address}">{shown(figure)}</a>'
            for figure, address in zip(figures, addresses, strict=True)
        ]
        # Players without a value are sorted below all others, even below negative changes.
        keys = [(figure is not None, figure or 0) for figure in figures]
        columns.append(TableColumn(key, label, name, RATING_CSS, cells, keys))
    return columns

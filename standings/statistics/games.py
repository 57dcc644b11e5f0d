"""Results, games and matches from the crosstable and the boards, as input for statistics."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from django.db.models import Count
from django.db.models.functions import Left

from standings.engine import Crosstable, RoundKind
from standings.statistics.counting import FORFEIT, PLAYED, CountedResult, Pair
from standings.statistics.scores import CountedGame
from tournaments import models
from tournaments.event.document import EventEntry
from tournaments.models.pairing import public_games
from tournaments.models.rows import RecordQuery, load_records

KINDS = {int(RoundKind.PLAYED): PLAYED, int(RoundKind.FORFEIT): FORFEIT}
BETTER = {1: "first", 0: "", -1: "second"}


class TeamPlayer(NamedTuple):
    """A player of a team, with the team's number, name and code in its event.

    `board`: the position in the board order, if known.
    """

    pk: int
    event: int
    team: int
    team_name: str
    code: str
    flag: str
    name: str
    title: str
    rating: int | None
    board: int | None
    birth_year: str


TEAM_PLAYERS = RecordQuery(
    TeamPlayer,
    models.Player.objects.order_by().annotate(birth_year=Left("born", 4)),
    event="competitor__event_id",
    team="competitor__number",
    team_name="competitor__name",
    code="competitor__code",
    flag="competitor__flag",
)


def results_of(event: models.Event, table: Crosstable) -> list[CountedResult]:
    """Return the results of games: of teams by board in one query, of players from the crosstable."""
    if event.is_team:
        games = public_games(event).order_by()
        # Grouped by the database, so that few rows are loaded.
        alike = games.values("board", "white", "kind", "advantage", "first_score", "second_score")
        counted = alike.annotate(times=Count("pk"))
        return load_records(CountedResult, counted, first="first_score", second="second_score")
    return [
        CountedResult(
            board=0,
            # A micro-match has several games, and the colour is only that of one of them.
            white="first" if pair.colour and pair.games <= 1 else "",
            kind=pair.kind,
            advantage=BETTER[pair.advantage],
            first=pair.first_score,
            second=pair.second_score,
        )
        for pair in pairs(table)
    ]


def board_games(event: models.Event) -> list[tuple[int, int, CountedGame]]:
    """Return (number of first team, number of second team, game) for all boards. One query.

    Players are identified by primary key.
    """
    games = public_games(event).order_by()
    rows = games.values(
        *("pairing__first__number", "pairing__second__number", "first_player", "second_player"),
        *("board", "kind", "first_score", "second_score", "games_played", "pairing__round__number"),
    )
    return [
        (
            row["pairing__first__number"],
            row["pairing__second__number"],
            CountedGame(
                board=row["board"],
                first=row["first_player"],
                second=row["second_player"],
                kind=row["kind"],
                first_score=row["first_score"],
                second_score=row["second_score"],
                most=_maximum(event, row["games_played"], row["first_score"], row["second_score"]),
                round=row["pairing__round__number"],
            ),
        )
        for row in rows
    ]


def counted_games(
    event: models.Event | EventEntry, table: Crosstable, row: int | None = None
) -> list[CountedGame]:
    """Return the games of an individual event, optionally of one row. Players are rows of the crosstable."""
    return [
        CountedGame(
            board=0,
            first=pair.first,
            second=pair.second,
            kind=pair.kind,
            first_score=pair.first_score,
            second_score=pair.second_score,
            most=_maximum(event, pair.games, pair.first_score, pair.second_score),
            round=pair.round,
        )
        for pair in pairs(table, row)
    ]


def _maximum(
    event: models.Event | EventEntry, games: int | None, first: int | None, second: int | None
) -> int:
    return (first or 0) + (second or 0) if games and games > 1 else event.game_win


def pairs(table: Crosstable, row: int | None = None) -> Iterator[Pair]:
    """Yield each pairing with an opponent once, in round order, White first if known.

    `row`: only the pairings of this row of the crosstable.
    """
    # Colours are stored for both sides. If they are unknown, the upper row comes first.
    above = np.arange(len(table.names))[:, None] < table.opponent
    first = (table.opponent >= 0) & ((table.colour > 0) | ((table.colour == 0) & above))
    if row is not None:
        own = table.opponent == row
        own[row] = True
        first = first & own
    rounds, rows = np.nonzero(first.T)
    theirs = table.of_opponent(table.game_points)
    states, *figures = (
        array[rows, rounds].tolist()
        for array in (table.state, table.colour, table.advantage, table.games, table.game_points, theirs)
    )
    opponents, tables = (array[rows, rounds].tolist() for array in (table.opponent, table.table_number))
    kinds = [KINDS.get(state, "") for state in states]
    numbers = (rounds + 1).tolist()
    return map(Pair, numbers, tables, rows.tolist(), opponents, kinds, *figures)

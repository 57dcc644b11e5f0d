"""The scores of all players, the best players of each board, and the scores of teams by board."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from standings.engine import fraction_text
from standings.statistics.counting import per_mille
from standings.statistics.games import TEAM_PLAYERS, board_games, counted_games
from standings.statistics.ratingcolumns import player_rating
from standings.statistics.ratings import PlayerRating, RulesInForce, rules_in_force
from standings.statistics.scores import CountedGame, PlayerScore, best, least_games, scores, share_keys
from standings.statistics.summary import per_cent_text
from standings.statistics.texts import about_ratings
from standings.tables.sheet import StandingsSheet
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event


class Scorer(NamedTuple):
    """A player with at least one game: a player of a team, or a competitor of an individual event.

    `board`: 0 in individual events. `board_from_order`: the board is from the board order of the team.
    `share`: the score in per cent. `place`: of the competitor in an individual event.
    """

    entry: CompetitorInfo
    name: str
    title: str
    rating: int | None
    score: PlayerScore
    share: str
    player_rating: PlayerRating
    board: int = 0
    board_from_order: bool = False
    place: str = ""


class Prize(NamedTuple):
    """A place among the best players of a board.

    `opens` and `closes`: whether it is the first and the last row of its board.
    """

    place: int
    scorer: Scorer
    points: str
    opens: bool
    closes: bool


class TeamRow(NamedTuple):
    place: str
    entry: CompetitorInfo
    boards: list[PlayerScore]


@dataclass(frozen=True)
class Scorers:
    """The scores of all players with games.

    `least`: the minimum number of games for a board prize.
    """

    event: Event
    everybody: list[Scorer]
    teams: list[TeamRow]
    boards: list[int]
    least: int
    in_force: RulesInForce

    @property
    def rated(self) -> bool:
        return any(scorer.player_rating.rated for scorer in self.everybody)

    @property
    def about_ratings(self) -> list[str]:
        return about_ratings(self.in_force) if any(each.rating for each in self.everybody) else []

    @property
    def boards_from_order(self) -> bool:
        return all(scorer.board_from_order for scorer in self.everybody)

    @property
    def prizes(self) -> list[Prize]:
        on_boards = sorted((each for each in self.everybody if each.board), key=lambda each: each.board)
        prizes = []
        for _number, board in groupby(on_boards, lambda each: each.board):
            players = list(board)
            placed = best([each.score for each in players], self.least)
            for number, (place, at) in enumerate(placed, start=1):
                points = fraction_text(players[at].score.points, 2)
                prizes.append(Prize(place, players[at], points, number == 1, number == len(placed)))
        return prizes


def scorers_of(sheet: StandingsSheet) -> Scorers:
    """Return all scores. Two queries in team events, none in individual events."""
    if sheet.event.is_team:
        return _scorers_of_teams(sheet)
    table = sheet.standings.table
    # In individual events the keys of players are rows of the crosstable.
    by_row = scores(counted_games(sheet.event, table), dict(enumerate(table.rating.tolist())))
    in_force = rules_in_force(sheet.event)
    scorers = []
    for row in sheet.rows:
        if row.competitor in by_row:
            entry, score = sheet.entries[row.competitor], by_row[row.competitor]
            rating = player_rating(entry.rating, score, in_force, entry.birth_year)
            about = entry.name, entry.title, entry.rating, score, _percent_text(score), rating
            scorers.append(Scorer(entry, *about, place=sheet.place_text(row.competitor)))
    return Scorers(sheet.event, scorers, [], [], 0, in_force)


def _scorers_of_teams(sheet: StandingsSheet) -> Scorers:
    event = sheet.event
    games = board_games(event)
    in_force = rules_in_force(event)
    players = TEAM_PLAYERS.where(competitor__event=event)
    players.sort(key=lambda player: (player.team, player.pk))
    by_key = scores((game for _, _, game in games), {player.pk: player.rating for player in players})
    teams = {entry.number: entry for entry in sheet.entries}
    scorers = []
    for player in players:
        if player.pk in by_key:
            score = by_key[player.pk]
            rating = player_rating(player.rating, score, in_force, player.birth_year)
            about = player.name, player.title, player.rating, score, _percent_text(score), rating
            board, is_from_order = score.own_board(player.board), player.board is not None
            scorers.append(Scorer(teams[player.team], *about, board, is_from_order))
    # With keys, because shares are comparable only over a common denominator. Equal players keep their order.
    shares = share_keys([each.score for each in scorers])
    in_order = sorted(
        zip(shares, scorers, strict=True), key=lambda each: (each[1].board, -each[0], -each[1].score.games)
    )
    boards = sorted({game.board for *_, game in games})
    return Scorers(
        event,
        [scorer for _share, scorer in in_order],
        _team_lines(sheet, games, boards),
        boards,
        least_games(sheet.standings.table.rounds),
        in_force,
    )


def _team_lines(
    sheet: StandingsSheet, games: Iterable[tuple[int, int, CountedGame]], boards: list[int]
) -> list[TeamRow]:
    # Keyed by (team, board) to score all teams in a single pass over the games.
    on_boards = (
        game._replace(first=(first, game.board), second=(second, game.board)) for first, second, game in games
    )
    by_board, nothing = scores(on_boards, {}), PlayerScore()
    return [
        TeamRow(
            sheet.place_text(row.competitor),
            entry,
            [by_board.get((entry.number, board), nothing) for board in boards],
        )
        for row in sheet.rows
        for entry in [sheet.entries[row.competitor]]
    ]


def _percent_text(score: PlayerScore) -> str:
    return per_cent_text(per_mille(score.points, score.most))

"""The statistics of an event: endings of games, scores, and the best of each board."""

from django.http import HttpRequest

from standings.api.figure_schemas import (
    BoardPlaceData,
    ResultTallyData,
    ScorerData,
    StatisticsData,
    TeamBoardsData,
    WideWinData,
)
from standings.api.ratings import rating_data
from standings.api.record import data_version_of
from standings.api.responses import endpoint, select_fields
from standings.basis import basis_text
from standings.caching.cached_pages import event_view, require_results
from standings.engine import decimal_text
from standings.services import ranked
from standings.statistics.scorers import Prize, TeamRow, scorers_of
from standings.statistics.summary import summary_of
from standings.tables.sheet import StandingsSheet
from tournaments.models import Event


@endpoint(event_view)
def statistics(_: HttpRequest, event: Event) -> StatisticsData:
    """How the games ended, what everybody scored, and the best of each board."""
    require_results(event)
    found = ranked(event)
    sheet = StandingsSheet(event, found.standings, found.entries, "")
    summary, scorers = summary_of(sheet), scorers_of(sheet)
    return StatisticsData(
        event=event.slug,
        version=data_version_of(event),
        rests_on=basis_text(sheet.basis),
        results=[
            select_fields(
                ResultTallyData,
                each.tally,
                board=each.board or None,
                white_wins=each.tally.white,
                black_wins=each.tally.black,
                white_percent=each.white_share,
                drawn_percent=each.drawn_share,
            )
            for each in (summary.every, *summary.boards)
        ],
        match_scores=[{"score": each.score, "matches": each.matches} for each in summary.match_scores],
        widest_wins=[
            select_fields(WideWinData, each, first=each.first.number, second=each.second.number)
            for each in summary.biggest
        ],
        players=[
            select_fields(
                ScorerData,
                each.score,
                number=each.entry.number,
                name=each.name,
                title=each.title,
                rating=each.rating or None,
                board=each.board or None,
                points=decimal_text(each.score.points, 2),
                most=decimal_text(each.score.most, 2),
                percent=each.share,
                ratings=rating_data(each.player_rating),
            )
            for each in scorers.everybody
        ],
        best_of_boards=[_best(each) for each in scorers.prizes],
        least_games=scorers.least,
        teams=[_team_boards(each, scorers.boards) for each in scorers.teams],
    )


def _best(prize: Prize) -> BoardPlaceData:
    scorer = prize.scorer
    return BoardPlaceData(
        board=scorer.board,
        place=prize.place,
        number=scorer.entry.number,
        name=scorer.name,
        points=decimal_text(scorer.score.points, 2),
        games=scorer.score.games,
        percent=scorer.share,
    )


def _team_boards(line: TeamRow, boards: list[int]) -> TeamBoardsData:
    return TeamBoardsData(
        number=line.entry.number,
        boards=[
            {"board": board, "points": decimal_text(score.points, 2), "games": score.games}
            for board, score in zip(boards, line.boards, strict=True)
        ],
    )

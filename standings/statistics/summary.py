"""Summary statistics of an event: results of games, scores of matches and biggest wins."""

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.formats import get_format

from standings.engine import fraction_text
from standings.statistics.counting import ResultTally, biggest, by_score, tallies
from standings.statistics.games import pairs, results_of
from standings.tables.sheet import StandingsSheet
from tournaments.event.arrays import CompetitorInfo

FEW = 5
"""Maximum number of biggest wins that are listed. Larger groups with the same score are summarised."""


class TallyRow(NamedTuple):
    """The results of the games on a board. `board`: 0 for all games."""

    board: int
    tally: ResultTally
    white_share: str
    drawn_share: str


class MatchRow(NamedTuple):
    round: int
    table: int
    first: CompetitorInfo
    second: CompetitorInfo
    score: str


class ScoreRow(NamedTuple):
    """The number of matches with a score, written higher first."""

    score: str
    matches: int


@dataclass(frozen=True)
class Summary:
    """The results of games in total and by board, the scores of matches, and the biggest wins.

    `biggest`: the biggest wins if there are few, else empty. `rounds_of_biggest`: if there are many, each
    round with some, and their number. Their score is the first of `match_scores`.
    """

    every: TallyRow
    boards: list[TallyRow]
    match_scores: list[ScoreRow]
    biggest: list[MatchRow]
    rounds_of_biggest: list[tuple[int, int]]

    @property
    def advantages(self) -> int:
        return self.every.tally.better_white + self.every.tally.better_black

    @property
    def anything(self) -> bool:
        return bool(self.every.tally.games or self.match_scores)


def summary_of(sheet: StandingsSheet) -> Summary:
    """Return the statistics. One query in team events, none in individual events."""
    event, table = sheet.event, sheet.shown_results.table
    every, boards = tallies(results_of(event, table))
    groups = by_score(pairs(table)) if event.is_team else []
    rounds = Counter[int]()
    if groups:
        score, matches = groups[0]
        if len(matches) > FEW and score[0] != score[1]:
            rounds.update(match.round for match in matches)
    return Summary(
        _tally_line(0, every),
        [_tally_line(board, tally) for board, tally in boards.items() if board],
        [ScoreRow(_score_text(score), len(matches)) for score, matches in groups],
        [
            MatchRow(
                match.round,
                match.table,
                sheet.entries[match.first],
                sheet.entries[match.second],
                _score_text((match.first_score, match.second_score)),
            )
            for match in biggest(groups, FEW)
        ],
        sorted(rounds.items()),
    )


def per_cent_text(per_mille: int | None) -> str:
    """Return per mille as per cent in the format of the active language, `54.3`. Blank if None."""
    if per_mille is None:
        return ""
    return f"{per_mille // 10}{get_format('DECIMAL_SEPARATOR')}{per_mille % 10}"


def _tally_line(board: int, tally: ResultTally) -> TallyRow:
    return TallyRow(board, tally, per_cent_text(tally.white_share), per_cent_text(tally.drawn_share))


def _score_text(score: tuple[int, int]) -> str:
    return "-".join(fraction_text(points, 2) for points in score)

"""Summary statistics of an event: results of games, scores of matches and biggest wins."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.formats import get_format

from standings.engine import points_text
from standings.statistics.counting import CountedMatch, ResultTally, biggest, by_score, tallies
from standings.statistics.games import matches_of, results_of
from standings.tables.sheet import StandingsSheet
from tournaments.event.arrays import Entry

FEW = 5
"""Maximum number of biggest wins that are listed. Larger groups with the same score are summarised."""


class TallyLine(NamedTuple):
    """The results of the games on a board. `board`: 0 for all games."""

    board: int
    tally: ResultTally
    white_share: str
    drawn_share: str


class MatchLine(NamedTuple):
    round: int
    table: int
    first: Entry
    second: Entry
    score: str


class ScoreLine(NamedTuple):
    """The number of matches with a score, written higher first."""

    score: str
    matches: int


class WidestWins(NamedTuple):
    """The score of the biggest wins, their number, and (round, number of wins) for each round with some."""

    score: str
    matches: int
    rounds: list[tuple[int, int]]


@dataclass(frozen=True)
class Summary:
    """The results of games in total and by board, the scores of matches, and the biggest wins.

    `biggest`: the biggest wins if there are few, else empty. `widest`: their summary if there are many.
    """

    every: TallyLine
    boards: list[TallyLine]
    match_scores: list[ScoreLine]
    biggest: list[MatchLine]
    widest: WidestWins | None

    @property
    def advantages(self) -> int:
        """Return the number of games that were drawn with advantage."""
        return self.every.tally.better_white + self.every.tally.better_black

    @property
    def anything(self) -> bool:
        """Return whether there are any played games or matches."""
        return bool(self.every.tally.games or self.match_scores)


def summary_of(sheet: StandingsSheet) -> Summary:
    """Return the statistics. One query in team events, none in individual events."""
    event, table = sheet.event, sheet.shown_results.table
    every, boards = tallies(results_of(event, table))
    groups = by_score(matches_of(table)) if event.is_team else []
    return Summary(
        _tally_line(0, every),
        [_tally_line(board, tally) for board, tally in boards.items() if board],
        [ScoreLine(_score_text(score), len(matches)) for score, matches in groups],
        [_match_line(sheet.entries, match) for match in biggest(groups, FEW)],
        _widest(*groups[0]) if groups else None,
    )


def _widest(score: tuple[int, int], matches: list[CountedMatch]) -> WidestWins | None:
    if len(matches) <= FEW or score[0] == score[1]:
        return None
    return WidestWins(_score_text(score), len(matches), sorted(Counter(m.round for m in matches).items()))


def share_text(per_mille: int | None) -> str:
    """Return per mille as per cent in the format of the active language, `54.3`. Blank if None."""
    if per_mille is None:
        return ""
    return f"{per_mille // 10}{get_format('DECIMAL_SEPARATOR')}{per_mille % 10}"


def _tally_line(board: int, tally: ResultTally) -> TallyLine:
    return TallyLine(board, tally, share_text(tally.white_share), share_text(tally.drawn_share))


def _match_line(entries: Sequence[Entry], match: CountedMatch) -> MatchLine:
    sides = entries[match.first], entries[match.second]
    return MatchLine(match.round, match.table, *sides, _score_text((match.first_score, match.second_score)))


def _score_text(score: tuple[int, int]) -> str:
    return "-".join(points_text(points, 2) for points in score)

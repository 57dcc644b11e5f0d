"""The statistics of an event in short: how the games ended, the scores of the matches, the biggest wins."""

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
"""So many matches of the widest margins are listed; more with one and the same score are summed up."""


class TallyLine(NamedTuple):
    """How the games of a board ended, or those of all; the board is 0 for all of them."""

    board: int
    tally: ResultTally
    white_share: str
    drawn_share: str


class MatchLine(NamedTuple):
    """A match: where it was played, the two sides, and the score as it stands between them."""

    round: int
    table: int
    first: Entry
    second: Entry
    score: str


class ScoreLine(NamedTuple):
    """How many matches ended with a score, the higher first."""

    score: str
    matches: int


class WidestWins(NamedTuple):
    """The score of the biggest wins, how many there were, and how many in each round that had any."""

    score: str
    matches: int
    rounds: list[tuple[int, int]]


@dataclass(frozen=True)
class Summary:
    """How all games ended and those of each board, how many matches had each score, and the biggest wins.

    `biggest` lists them where they are few; where they are many, `widest` sums them up.
    """

    every: TallyLine
    boards: list[TallyLine]
    match_scores: list[ScoreLine]
    biggest: list[MatchLine]
    widest: WidestWins | None

    @property
    def advantages(self) -> int:
        """Return how many games were drawn with one side standing better."""
        return self.every.tally.better_white + self.every.tally.better_black

    @property
    def anything(self) -> bool:
        """Say whether anything was played that is to be counted."""
        return bool(self.every.tally.games or self.match_scores)


def summary_of(sheet: StandingsSheet) -> Summary:
    """Return the statistics; one query in an event of teams, none in one of players."""
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
    """Return `54.3`, per cent, as the language writes it; empty of nothing."""
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

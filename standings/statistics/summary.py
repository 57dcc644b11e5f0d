"""The statistics of an event in short: how the games ended, the scores of the matches, the biggest wins."""

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
"""So many matches of the widest margins are listed at once; of more, the event's page gives the number."""


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


@dataclass(frozen=True)
class Summary:
    """How all games ended and those of each board, how many matches had each score, and the biggest wins."""

    every: TallyLine
    boards: list[TallyLine]
    match_scores: list[ScoreLine]
    biggest: list[MatchLine]

    @property
    def advantages(self) -> int:
        """Return how many games were drawn with one side standing better."""
        return self.every.tally.better_white + self.every.tally.better_black

    @property
    def many(self) -> bool:
        """Say whether the biggest wins are too many to be read at once."""
        return len(self.biggest) > FEW

    @property
    def anything(self) -> bool:
        """Say whether anything was played that is to be counted."""
        return bool(self.every.tally.games or self.match_scores)


def summary_of(sheet: StandingsSheet, *, in_short: bool) -> Summary:
    """Return the statistics; one query in an event of teams, none in one of players.

    `in_short`: the biggest wins only where they are few.
    """
    event, table = sheet.event, sheet.standings.table
    every, boards = tallies(results_of(event, table))
    groups = by_score(matches_of(table)) if event.is_team else []
    # In full, at least the widest margin is listed, however many matches have it.
    at_most = FEW if in_short else max(FEW, len(groups[0][1]) if groups else 0)
    return Summary(
        _tally_line(0, every),
        [_tally_line(board, tally) for board, tally in boards.items() if board],
        [ScoreLine(_score_text(score), len(matches)) for score, matches in groups],
        [_match_line(sheet.entries, match) for match in biggest(groups, at_most)],
    )


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

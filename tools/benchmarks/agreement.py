"""Checks before the benchmark that gacrux and our engine compute the same values for every player.

All criteria for players that both have are compared, as one list, under C.07 of 2026. Values must be exactly
equal, except the average Buchholz, which gacrux rounds. For direct encounter, the place within the tie is
compared. Fore Buchholz comes last, because gacrux leaves its adjustments in place for later criteria.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from standings.engine import POLICIES, CriterionColumn, Crosstable, rank, rounded
from tools.benchmarks import ours, peers
from tools.benchmarks.generated import Tournament

CRITERIA = (
    *("PTS", "DE", "WIN", "WON", "BPG", "BWG", "PS", "PS/C1", "REP", "STD", "TPN", "KS"),
    *("BH", "BH/C1", "BH/C2", "BH/M1", "BH/P", "SB", "SB/C1", "SB/P", "AOB"),
    *("ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO", "RTNG", "FB", "FB/C1"),
)
ROUNDED, MANY_ROUNDS = "AOB", 9
"""gacrux rounds this to hundredths, and from this number of rounds to thousandths."""


def crosstable_of(tournament: Tournament) -> Crosstable:
    return replace(ours.crosstable_of(tournament), unplayed=POLICIES["fide-2026"])


def compare(tournament: Tournament, criteria: Sequence[str] = CRITERIA) -> int:
    """Return the number of compared values. Raise AssertionError for the first difference."""
    standings = rank(crosstable_of(tournament), ours.ordered_by(tuple(criteria)))
    found = peers.judge(peers.document_of(tournament), tuple(criteria))
    columns = list(zip(*peers.values_of(found), strict=True))
    for judged, theirs in zip(standings.columns, columns, strict=True):
        for player, value in enumerate(theirs):
            mine = _value(judged, player, tournament.rounds)
            assert mine == value, f"{judged.criterion.code}, player {player + 1}: {mine}, {value}"
    return len(columns) * tournament.players


def _value(judged: CriterionColumn, player: int, rounds: int) -> Fraction | None:
    if judged.criterion.within_tie:
        return Fraction(judged.text(player))
    levels = judged.levels(player)
    if not levels or judged.criterion.code != ROUNDED:
        return levels[0] if levels else None
    parts = 100 if rounds < MANY_ROUNDS else 1000
    return Fraction(rounded(parts * levels[0].numerator, levels[0].denominator), parts)

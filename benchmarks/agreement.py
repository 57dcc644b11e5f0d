"""Whether gacrux and our engine find the same values, player by player; nothing is timed that does not agree.

Every column that both have for players is compared, in one list, under C.07 of 2026. Values must be equal
exactly, but for the average Buchholz, which gacrux rounds; direct encounter is the place in the tie on both
sides. Fore Buchholz comes last, because gacrux leaves its adjustments in what it computes after it.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from benchmarks import ours, peers
from benchmarks.generated import Tournament
from standings.engine import POLICIES, CriterionColumn, Crosstable, rank, rounded

CRITERIA = (
    *("PTS", "DE", "WIN", "WON", "BPG", "BWG", "PS", "PS/C1", "REP", "STD", "TPN", "KS"),
    *("BH", "BH/C1", "BH/C2", "BH/M1", "BH/P", "SB", "SB/C1", "SB/P", "AOB"),
    *("ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO", "RTNG", "FB", "FB/C1"),
)
ROUNDED, MANY_ROUNDS = "AOB", 9
"""What gacrux rounds: to hundredths, from so many rounds on to thousandths."""


def crosstable_of(tournament: Tournament) -> Crosstable:
    """The tournament under C.07 of 2026."""
    return replace(ours.crosstable_of(tournament), unplayed=POLICIES["fide-2026"])


def compare(tournament: Tournament, criteria: Sequence[str] = CRITERIA) -> int:
    """Compare every value of every player and return how many; AssertionError with the first that differs."""
    standings = rank(crosstable_of(tournament), ours.ordered_by(tuple(criteria)))
    found = peers.judge(peers.document_of(tournament), tuple(criteria))
    columns = list(zip(*peers.values_of(found), strict=True))
    for judged, theirs in zip(standings.columns, columns, strict=True):
        for player, value in enumerate(theirs):
            mine = _value(judged, player, tournament.rounds)
            assert mine == value, f"{judged.criterion.code}, player {player + 1}: {mine}, {value}"
    return len(columns) * tournament.players


def _value(judged: CriterionColumn, player: int, rounds: int) -> Fraction | None:
    """Return what gacrux would print; None for no value."""
    if judged.criterion.within_tie:
        return Fraction(judged.text(player))
    levels = judged.levels(player)
    if not levels or judged.criterion.code != ROUNDED:
        return levels[0] if levels else None
    parts = 100 if rounds < MANY_ROUNDS else 1000
    return Fraction(rounded(parts * levels[0].numerator, levels[0].denominator), parts)

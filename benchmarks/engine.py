"""Our engine beside gacrux: the same tournaments and criteria, in one process, in turns.

On both sides the tournament is in memory, in the form that the own readers hand over, and nothing has been
computed of it before. gacrux makes competitors of the games, then values and places. Ours checks its arrays,
then makes the same: "places and values". A further figure adds what only a printed table needs: the lines
with what decided each place, and the cell texts of all criteria; gacrux has no counterpart to those.
"""

from collections.abc import Iterable
from importlib.metadata import version
from itertools import product
from typing import NamedTuple

from benchmarks import ours, peers
from benchmarks.agreement import CRITERIA, compare, crosstable_of
from benchmarks.clock import least
from benchmarks.generated import Tournament, generate
from standings.engine import SYSTEMS, Crosstable, RankingSystem, all_criteria

SIZES = ((186, 11), (2000, 13))
LARGEST = SIZES[-1]
TURNS = 5
OURS_IN_A_TURN = 8
HEADINGS = f"{'places and values':>22}{'with lines and texts':>24}"


class Ours(NamedTuple):
    """CPU milliseconds of our engine, without and with what a printed table needs."""

    values: float
    table: float


class Turn(NamedTuple):
    """Both engines, one after the other."""

    theirs: float
    ours: Ours


def report() -> None:
    """Compare, measure, print."""
    print(f"Engine beside gacrux {version('gacrux')}; least CPU ms, gacrux / ours")
    print(f"{len(CRITERIA)} columns: {', '.join(CRITERIA)}")
    print(f"{'':28}{'gacrux':>9}{HEADINGS}")
    for size, unplayed in product(SIZES, (False, True)):
        tournament = generate(*size, unplayed=unplayed)
        print(f"{'':4}{compare(tournament):,} values equal")
        theirs, (values, table) = _beside(tournament)
        ratios = f"{values:12.2f}{theirs / values:9.0f}×{table:14.2f}{theirs / table:9.0f}×"
        name = _size(*size) + (", some unplayed" if unplayed else "")
        print(f"{name:28}{theirs:9.1f}{ratios}")
    print()
    _report_alone(ours.crosstable_of(generate(*LARGEST)))


def _size(players: int, rounds: int) -> str:
    return f"{players:,} × {rounds}"


def _beside(tournament: Tournament) -> Turn:
    """Both engines in turns, so that whatever slows the machine slows both."""
    table, system = crosstable_of(tournament), ours.ordered_by(CRITERIA)
    turns = [Turn(_theirs(tournament), _ours(table, system)) for _ in range(TURNS)]
    return Turn(min(turn.theirs for turn in turns), _least(turn.ours for turn in turns))


def _theirs(tournament: Tournament) -> float:
    document = peers.document_of(tournament)
    return least(lambda: peers.judge(document, CRITERIA), 1)


def _ours(table: Crosstable, system: RankingSystem) -> Ours:
    return Ours(
        least(lambda: ours.judge(table, system), OURS_IN_A_TURN),
        least(lambda: ours.judge_and_print(table, system), OURS_IN_A_TURN),
    )


def _least(turns: Iterable[Ours]) -> Ours:
    values, tables = zip(*turns, strict=True)
    return Ours(min(values), min(tables))


def _report_alone(table: Crosstable) -> None:
    """One frozen system, and everything there is."""
    everything = ours.ordered_by(tuple(criterion.code for criterion in all_criteria()))
    systems = {"fmjd-swiss": SYSTEMS["fmjd-swiss"], f"all {len(all_criteria())} criteria": everything}
    print(f"Engine alone, {_size(*table.shape)}; least CPU ms\n{'':23}{HEADINGS}")
    for name, system in systems.items():
        cost = _least(_ours(table, system) for _ in range(TURNS))
        print(f"{name:23}{cost.values:22.2f}{cost.table:24.2f}")
    print()

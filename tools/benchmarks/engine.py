"""Our engine compared with gacrux: the same tournaments and criteria, in a process, alternating.

Both engines start with a tournament in memory, as returned by their readers. gacrux converts games to
competitors, then computes values and places. Our engine validates its arrays, then does the same: "places and
values". A further figure includes the parts that only a printed table needs: the lines with the criterion
that decided each place, and the texts of all cells. gacrux has no counterpart.
"""

from collections.abc import Iterable
from importlib.metadata import version
from itertools import product
from typing import NamedTuple

from standings.engine import SYSTEMS, Crosstable, RankingSystem, all_criteria
from tools.benchmarks import ours, peers
from tools.benchmarks.agreement import CRITERIA, compare, crosstable_of
from tools.benchmarks.clock import least
from tools.benchmarks.generated import Tournament, generate

SIZES = ((186, 11), (2000, 13))
LARGEST = SIZES[-1]
TURNS = 5
OURS_IN_A_TURN = 8
HEADINGS = f"{'places and values':>22}{'with lines and texts':>24}"


class Ours(NamedTuple):
    """CPU milliseconds of our engine, without and with the texts of a printed table."""

    values: float
    table: float


class Turn(NamedTuple):
    """A measurement of both engines."""

    theirs: float
    ours: Ours


def report() -> None:
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
    """Return alternating measurements, so that other load on the machine affects both engines."""
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
    """Print the time of a single frozen system and of all criteria."""
    everything = ours.ordered_by(tuple(criterion.code for criterion in all_criteria()))
    systems = {"fmjd-swiss": SYSTEMS["fmjd-swiss"], f"all {len(all_criteria())} criteria": everything}
    print(f"Engine alone, {_size(*table.shape)}; least CPU ms\n{'':23}{HEADINGS}")
    for name, system in systems.items():
        cost = _least(_ours(table, system) for _ in range(TURNS))
        print(f"{name:23}{cost.values:22.2f}{cost.table:24.2f}")
    print()

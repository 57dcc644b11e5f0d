"""Settings for the pairing of a Swiss: acceleration and forbidden pairings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.event.document import ForbiddenGroup

# --- Baku acceleration (FIDE C.04.7): virtual points that count only for the pairing ------------------------

BAKU = "baku"


@dataclass(frozen=True, slots=True)
class Phase:
    """Rounds in which accelerated competitors have these additional half-points."""

    points: int
    first: int
    last: int


def phases(rounds: int, win: int) -> list[Phase]:
    """Return the phases of an event with these rounds. `win`: the half-points of a win.

    The first half of the rounds is accelerated, rounded up. In the first half of these, rounded up, the
    virtual points are a win, then half a win (1.4).
    """
    accelerated = -(-rounds // 2)
    whole = -(-accelerated // 2)
    found = [Phase(win, 1, whole), Phase(win // 2, whole + 1, accelerated)]
    return [each for each in found if each.first <= each.last]


def last_accelerated(numbers: Sequence[int]) -> int | None:
    """Return the number of the last accelerated competitor: half, rounded up to an even number (1.2)."""
    ordered = sorted(numbers)
    return ordered[min(2 * -(-len(ordered) // 4), len(ordered)) - 1] if ordered else None


def virtual_points(number: int, round_number: int, rounds: int, win: int, last: int | None) -> int:
    """Return the virtual half-points of a competitor in a round; 0 if the competitor is not accelerated."""
    if last is None or number > last:
        return 0
    return next((each.points for each in phases(rounds, win) if each.first <= round_number <= each.last), 0)


# --- forbidden pairings -----------------------------------------------------------------------------------


def forbidden_group(competitors: Iterable[int], first_round: int = 0, last_round: int = 0) -> ForbiddenGroup:
    """Return a group whose members must not meet, each once and by number; 0 means no bound."""
    return ForbiddenGroup(
        competitors=sorted(set(competitors)), first_round=first_round, last_round=last_round
    )


def forbidden_in(groups: Sequence[ForbiddenGroup], number: int) -> set[frozenset[int]]:
    return {
        frozenset((one, other))
        for group in groups
        if group["first_round"] <= number <= (group["last_round"] or number)
        for one in group["competitors"]
        for other in group["competitors"]
        if one < other
    }

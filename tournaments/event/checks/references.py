"""Checks of references, with at most one finding for each, and of repeated values."""

from collections.abc import Collection, Hashable, Iterable, Iterator

from standings.engine import get_criterion
from tournaments.event.document import EventEntry
from tournaments.event.finding import Finding, Place, error, warning

GAME_POINTS = ("GPTS", "PTS:GP", "game-points")
"""The criteria after which tied teams have equal game points."""

ROUND_BEYOND_LAST = "round-beyond-last"


def check_competitor_exists(number: int, numbers: Collection[int], place: Place) -> Iterator[Finding]:
    if number not in numbers:
        text = f"There is no competitor {number}; there are {len(numbers)}. Correct it or add the competitor."
        yield error("unknown-number", place, text)


def round_within(number: int, event: EventEntry, place: Place) -> Iterator[Finding]:
    if number > event.planned_rounds:
        text = (
            f"Round {number}, but the event has {event.planned_rounds} rounds. Correct one of the two "
            "numbers."
        )
        yield error(ROUND_BEYOND_LAST, place, text)


def check_round_exists(number: int | None, rounds: Collection[int], place: Place) -> Iterator[Finding]:
    if number is not None and number not in rounds:
        text = f"There is no round {number}; there are {len(rounds)}. Correct the number, or add the round."
        yield error("unknown-round", place, text)


def check_criteria_exist(criteria: Iterable[str], place: Place) -> Iterator[Finding]:
    """Refuse unknown and repeated codes. `place`: of the object that has the `criteria`."""
    before: set[str] = set()
    for index, code in enumerate(criteria):
        if code in before:
            text = f"“{code}” is in the list twice. Keep the first."
            yield error("criterion-twice", place.item("criteria", index), text)
        if unknown := tuple(check_criterion_exists(code, place.item("criteria", index))):
            yield from unknown
        elif first := comes_too_early(code, before):
            text = (
                f"“{code}” is only fair after “{first}”, which does not come before it. Put “{first}” first."
            )
            yield warning("criterion-too-early", place.item("criteria", index), text)
        before.add(code)


def comes_too_early(code: str, before: Collection[str]) -> str:
    """Return the code of the criterion that should precede this one but does not; blank if none."""
    first = get_criterion(code).fair_after
    # The same criterion of the game points is sufficient too.
    alike = {first, f"{first}@game", *(GAME_POINTS if first in GAME_POINTS else ())}
    return "" if not first or any(each in before for each in alike) else first


def check_criterion_exists(code: str, place: Place) -> Iterator[Finding]:
    """Refuse an unknown criterion. The code may name a score: `buchholz@game`."""
    try:
        get_criterion(code)
    except LookupError as unknown:
        yield error("unknown-criterion", place, f"{unknown}. Choose one of them.".capitalize())


def repeated(values: Iterable[Hashable]) -> list[int]:
    """Return the positions of values that occurred before. None never counts."""
    seen: set[Hashable] = set()
    found = []
    for index, value in enumerate(values):
        if value in seen and value is not None:
            found.append(index)
        seen.add(value)
    return found

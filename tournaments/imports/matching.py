"""Which stored row is which proposed row."""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from operator import eq
from typing import Generic, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RowChange(Generic[T]):
    """One row: as stored and as proposed, None where it is not there. `is_same`: nothing of it differs."""

    old: T | None
    new: T | None
    is_same: bool = False

    @property
    def either(self) -> T:
        """Return the proposed one, or the stored one where it goes."""
        return cast("T", self.old if self.new is None else self.new)

    @property
    def verb(self) -> str:
        """Return `added`, `changed` or `removed`."""
        if self.is_same:
            return "unchanged"
        return "added" if self.old is None else "removed" if self.new is None else "changed"


def matched(
    old: Iterable[T],
    new: Iterable[T],
    keys: Iterable[Callable[[T, bool], Hashable]],
    same: Callable[[T, T], bool] = eq,
) -> list[RowChange[T]]:
    """Return every row once: pairs found by the first key, then by the next, then what is left.

    A key is asked of a row and of whether it is a stored one; None names nothing.
    """
    left, right = list(old), list(new)
    rows: list[RowChange[T]] = []
    for key in keys:
        named: dict[Hashable, deque[T]] = defaultdict(deque)
        for each in left:
            named[key(each, True)].append(each)
        # A key of None names nothing: two players without a FIDE id are not the same one.
        named.pop(None, None)
        others = []
        for each in right:
            if found := named.get(key(each, False)):
                stored = found.popleft()
                rows.append(RowChange(stored, each, same(stored, each)))
            else:
                others.append(each)
        # By identity: two rows that are equal, as of namesakes, must each be matched once.
        taken = {id(row.old) for row in rows}
        left, right = [each for each in left if id(each) not in taken], others
    return [*rows, *(RowChange(each, None) for each in left), *(RowChange(None, each) for each in right)]


def differing(rows: Iterable[RowChange[T]]) -> list[RowChange[T]]:
    """Return the rows of which anything differs."""
    return [each for each in rows if not each.is_same]

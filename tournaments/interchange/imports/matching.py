"""Match stored rows with imported rows."""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from operator import eq
from typing import Generic, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RowChange(Generic[T]):
    """A row as stored and as imported, None if missing. `is_same`: both are equal."""

    old: T | None
    new: T | None
    is_same: bool = False

    @property
    def either(self) -> T:
        return cast("T", self.old if self.new is None else self.new)

    @property
    def verb(self) -> str:
        if self.is_same:
            return "unchanged"
        return "added" if self.old is None else "removed" if self.new is None else "changed"


def matched(
    old: Iterable[T],
    new: Iterable[T],
    keys: Iterable[Callable[[T, bool], Hashable]],
    same: Callable[[T, T], bool] = eq,
) -> list[RowChange[T]]:
    """Return all rows, matched by the first key, then by the next, then the unmatched ones.

    A key function gets a row and whether it is stored. A key of None matches nothing.
    """
    left, right = list(old), list(new)
    rows: list[RowChange[T]] = []
    for key in keys:
        named: dict[Hashable, deque[T]] = defaultdict(deque)
        for each in left:
            named[key(each, True)].append(each)
        # Two players without a FIDE id are not the same player.
        named.pop(None, None)
        others = []
        for each in right:
            if found := named.get(key(each, False)):
                stored = found.popleft()
                rows.append(RowChange(stored, each, same(stored, each)))
            else:
                others.append(each)
        # By identity, because two equal rows, as of namesakes, must be matched separately.
        taken = {id(row.old) for row in rows}
        left, right = [each for each in left if id(each) not in taken], others
    return [*rows, *(RowChange(each, None) for each in left), *(RowChange(None, each) for each in right)]


def differing(rows: Iterable[RowChange[T]]) -> list[RowChange[T]]:
    return [each for each in rows if not each.is_same]

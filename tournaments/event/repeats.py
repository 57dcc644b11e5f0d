"""Finding what stands somewhere a second time."""

from collections.abc import Hashable, Iterable


def repeated(values: Iterable[Hashable]) -> list[int]:
    """The positions of values that stood earlier in the same list."""
    seen: set[Hashable] = set()
    found = []
    for index, value in enumerate(values):
        if value in seen:
            found.append(index)
        seen.add(value)
    return found

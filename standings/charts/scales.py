"""The scales of charts: positions, ticks, and texts of values."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import ceil

from django.utils.translation import gettext as _

from standings.engine import fraction_text

HEIGHT = 346  # pixels
SHARP, TOP_PLACES, TOP_SHARE = 0.35, 30, 0.88
"""Exponent of the position of a place, and the number of places that share most of the height."""
TICKED = (1, 2, 3, 5, 8, 12, 20, 30)
TICKS_APART = 12  # minimum pixels between two ticks
MOST_TICKS = 8


@dataclass(frozen=True)
class PlaceScale:
    """Places from 1 to `last`. The first thirty have most of the height, and the top most of that."""

    last: int

    @property
    def heading(self) -> str:
        return _("The race: places after each round")

    def height_of(self, value: int) -> float:
        return self._heights[value]

    @cached_property
    def _heights(self) -> list[float]:
        # Computed once per place, because a race calls it two thousand times.
        return [0.0, *map(self._computed, range(1, self.last + 1))]

    def _computed(self, value: int) -> float:
        top = min(self.last, TOP_PLACES)
        share = TOP_SHARE if self.last > TOP_PLACES else 1
        if value > top:
            return HEIGHT * (share + (1 - share) * (value - top) / (self.last - top))
        return float(HEIGHT * share * (value**SHARP - 1) / (max(top, 2) ** SHARP - 1))

    def ticks(self) -> list[tuple[int, str]]:
        marked = [self.last]
        for place in reversed([place for place in TICKED if place < self.last]):
            if self.height_of(marked[-1]) - self.height_of(place) >= TICKS_APART:
                marked.append(place)
        return [(place, str(place)) for place in reversed(marked)]

    def said(self, value: int) -> str:
        return str(value)

    def spoken(self, name: str, value: int, number: int) -> str:
        values = {"name": name, "place": value, "number": number}
        return _("%(name)s: place %(place)s after round %(number)s") % values


@dataclass(frozen=True)
class BehindScale:
    """Half-points behind the leader, from 0 to `most`."""

    most: int

    @property
    def heading(self) -> str:
        return _("The race: points behind the leader after each round")

    def height_of(self, value: int) -> float:
        return HEIGHT * value / max(self.most, 1)

    def ticks(self) -> list[tuple[int, str]]:
        step = 2 * max(1, ceil(self.most / 2 / MOST_TICKS))
        return [(behind, self.said(behind)) for behind in range(0, self.most + 1, step)]

    def said(self, value: int) -> str:
        return f"−{fraction_text(value, 2)}" if value else "0"

    def spoken(self, name: str, value: int, number: int) -> str:
        values = {"name": name, "points": fraction_text(value, 2), "number": number}
        if not value:
            return _("%(name)s: in the lead after round %(number)s") % values
        return _("%(name)s: %(points)s behind after round %(number)s") % values


def unbroken(points: Iterable[tuple[float, float | None]]) -> list[list[tuple[float, float]]]:
    parts = groupby(points, key=lambda point: point[1] is not None)
    return [[(x, y) for x, y in part if y is not None] for is_there, part in parts if is_there]

"""The scales of pictures: how high a value stands, what is written beside it, and how it is said."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import ceil
from typing import Protocol

from django.utils.translation import gettext as _

from standings.engine import points_text

HEIGHT = 346
"""Pixels from the upper edge of a scale to the lower one."""
SHARP, TOP_PLACES, TOP_SHARE = 0.35, 30, 0.88
"""The power of a place that is its height, and the places that have most of the height to themselves."""
TICKED = (1, 2, 3, 5, 8, 12, 20, 30)
TICKS_APART = 12
"""Pixels between two marks that still can be read."""
MOST_TICKS = 8


class RaceScale(Protocol):
    """What a race is run in: places, or points behind the leader."""

    def height_of(self, value: int) -> float:
        """Return the pixels below the upper edge."""

    def ticks(self) -> list[tuple[int, str]]:
        """Return the values that are written at the left, and how."""

    def said(self, value: int) -> str:
        """Return the value as a table writes it."""

    def spoken(self, name: str, value: int, number: int) -> str:
        """Return in words what somebody had after a round."""

    @property
    def heading(self) -> str:
        """Return what the picture is called."""


@dataclass(frozen=True)
class PlaceScale:
    """Places from 1 to the last one: the first thirty have most of the height, and of these the top."""

    last: int

    @property
    def heading(self) -> str:
        """Return what the picture is called."""
        return _("The race: places after each round")

    def height_of(self, value: int) -> float:
        """Return the pixels below the upper edge."""
        return self._heights[value]

    @cached_property
    def _heights(self) -> list[float]:
        # Once for each place: a race asks for two thousand heights.
        return [0.0, *map(self._computed, range(1, self.last + 1))]

    def _computed(self, value: int) -> float:
        top = min(self.last, TOP_PLACES)
        share = TOP_SHARE if self.last > TOP_PLACES else 1
        if value > top:
            return HEIGHT * (share + (1 - share) * (value - top) / (self.last - top))
        return float(HEIGHT * share * (value**SHARP - 1) / (max(top, 2) ** SHARP - 1))

    def ticks(self) -> list[tuple[int, str]]:
        """Return the places that are written at the left; the last one where it is not too near."""
        marked = [self.last]
        for place in reversed([place for place in TICKED if place < self.last]):
            if self.height_of(marked[-1]) - self.height_of(place) >= TICKS_APART:
                marked.append(place)
        return [(place, str(place)) for place in reversed(marked)]

    def said(self, value: int) -> str:
        """Return the place as a table writes it."""
        return str(value)

    def spoken(self, name: str, value: int, number: int) -> str:
        """Return in words where somebody stood after a round."""
        values = {"name": name, "place": value, "number": number}
        return _("%(name)s: place %(place)s after round %(number)s") % values


@dataclass(frozen=True)
class BehindScale:
    """Half-points behind the leader, from none to the most."""

    most: int

    @property
    def heading(self) -> str:
        """Return what the picture is called."""
        return _("The race: points behind the leader after each round")

    def height_of(self, value: int) -> float:
        """Return the pixels below the upper edge."""
        return HEIGHT * value / max(self.most, 1)

    def ticks(self) -> list[tuple[int, str]]:
        """Return whole points, so many that they do not touch."""
        step = 2 * max(1, ceil(self.most / 2 / MOST_TICKS))
        return [(behind, self.said(behind)) for behind in range(0, self.most + 1, step)]

    def said(self, value: int) -> str:
        """Return the points as a table writes them."""
        return f"−{points_text(value, 2)}" if value else "0"

    def spoken(self, name: str, value: int, number: int) -> str:
        """Return in words what somebody was behind after a round."""
        values = {"name": name, "points": points_text(value, 2), "number": number}
        if not value:
            return _("%(name)s: in the lead after round %(number)s") % values
        return _("%(name)s: %(points)s behind after round %(number)s") % values


def unbroken(points: Iterable[tuple[float, float | None]]) -> list[list[tuple[float, float]]]:
    """Return the points in parts that a line goes through; a height of None parts them."""
    parts = groupby(points, key=lambda point: point[1] is not None)
    return [[(x, y) for x, y in part if y is not None] for is_there, part in parts if is_there]

"""A pairing as a table tells it: an object of an event file, and the rows that it was read from."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tournaments.event.resultcodes import Result
from tournaments.formats.tables.grid import RowPlace


@dataclass
class Told:
    """One pairing. `raw` is named as in an event file; `boards` are the rows of its games.

    `is_sided`: the table says who sits first.
    """

    round: int
    place: RowPlace
    raw: dict[str, Any]
    boards: list[tuple[RowPlace, dict[str, Any]]] = field(default_factory=list)
    date: str = ""
    is_sided: bool = True

    @property
    def pair(self) -> frozenset[int]:
        """Who sits here."""
        return frozenset(each for each in (self.raw["first"], self.raw.get("second")) if each is not None)


def score(half_points: int) -> Decimal:
    """Half-points as the number of points that an event file has."""
    return Decimal(half_points) / 2


def raw_result(result: Result) -> dict[str, Any]:
    """A result as an event file has it."""
    raw: dict[str, Any] = {"kind": str(result.kind)}
    if result.first_score is not None:
        second = None if result.second_score is None else score(result.second_score)
        raw["score"] = [score(result.first_score), second]
    if result.advantage:
        raw["advantage"] = result.advantage
    if result.games_played is not None:
        raw["games_played"] = result.games_played
    return raw

"""The choices of who prints, as the address has them; what no choice is, is dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

SIZES = ("a4", "a5")
LARGEST_NUMBER = 9999


@dataclass(frozen=True)
class PaperOptions:
    """How something is to be printed. What is blank or 0 each printout decides itself.

    `per`: pieces on a page of those that are cut. `first` and `last`: the tables, or the numbers of
    competitors, that are wanted. `columns`: of names beside each other. `after`: the round that standings
    are of.
    """

    size: str = "a4"
    large: bool = False
    order: str = ""
    per: int = 0
    first: int = 0
    last: int = 0
    columns: int = 0
    after: int = 0

    @classmethod
    def of(cls, asked: QueryDict) -> "PaperOptions":
        """Return the options that an address asks for."""
        size = asked.get("size", "")
        return cls(
            size=size if size in SIZES else SIZES[0],
            large=asked.get("large") == "1",
            order=asked.get("order", "") if asked.get("order", "").isalpha() else "",
            **{name: _number(asked.get(key, "")) for name, key in NUMBERS.items()},
        )

    @property
    def is_narrow(self) -> bool:
        """Say whether a line has room for names and figures that decide, and for little else."""
        return self.large or self.size != SIZES[0]

    def page(self, *, is_wide: bool = False) -> str:
        """Return the name of the page rule in `paper.css`."""
        return f"{self.size}-wide" if is_wide else self.size

    def among(self, number: int) -> bool:
        """Say whether a table or a competitor is among those that are wanted."""
        return self.first <= number <= (self.last or LARGEST_NUMBER)

    def pieces(self, offered: Sequence[int]) -> int:
        """Return how many pieces a page has: as asked where that is offered, else the first offered."""
        return self.per if self.per in offered else offered[0]


NUMBERS: Mapping[str, str] = {
    "per": "per",
    "first": "from",
    "last": "to",
    "columns": "columns",
    "after": "after",
}
"""The options that are numbers, and their keys in an address."""


def _number(text: str) -> int:
    """Return a whole number of an address, 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else 0

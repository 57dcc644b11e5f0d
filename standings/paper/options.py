"""The print options in the query string. Unknown values are ignored."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

SIZES = ("a4", "a5")
LARGEST_NUMBER = 9999


@dataclass(frozen=True)
class PaperOptions:
    """The print options. Each printout has its defaults for blank and 0.

    `per`: the pieces on a cut page. `first` and `last`: the range of tables, competitor numbers or
    places. `columns`: of names. `after`: the round of the standings.
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
        size = asked.get("size", "")
        return cls(
            size=size if size in SIZES else SIZES[0],
            large=asked.get("large") == "1",
            order=asked.get("order", "") if asked.get("order", "").isalpha() else "",
            per=_number(asked, "per"),
            first=_number(asked, "from"),
            last=_number(asked, "to"),
            columns=_number(asked, "columns"),
            after=_number(asked, "after"),
        )

    @property
    def is_narrow(self) -> bool:
        return self.large or self.size != SIZES[0]

    def page(self, *, is_wide: bool = False) -> str:
        """Return the name of the page rule in `paper.css`."""
        return f"{self.size}-wide" if is_wide else self.size

    def among(self, number: int) -> bool:
        return self.first <= number <= (self.last or LARGEST_NUMBER)

    def pieces(self, offered: Sequence[int]) -> int:
        """Return the pieces per page, the first offered number if the option is not offered."""
        return self.per if self.per in offered else offered[0]


def _number(asked: QueryDict, key: str) -> int:
    text = asked.get(key, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else 0

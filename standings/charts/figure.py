"""A chart with its caption and the same figures as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.safestring import SafeString


@dataclass(frozen=True)
class FigureTable:
    """The figures of a chart as a table of plain text. The first cell of a row is its heading.

    `addresses`: the link of each row's heading. Empty if there are none.
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    addresses: Sequence[str] = ()

    def rows_with_addresses(self) -> list[tuple[Sequence[str], str]]:
        return list(zip_longest(self.rows, self.addresses, fillvalue=""))


@dataclass(frozen=True)
class Figure:
    """A drawing with its caption and figures, for `standings/_figure.html`.

    `heading`: shown above by the page. `css`: the class of the figure. `hint`: describes features that
    require JavaScript. `table`: None if the page already contains the figures as a table.
    """

    heading: str
    svg: SafeString
    caption: str
    table: FigureTable | None = None
    css: str = ""
    hint: str = ""

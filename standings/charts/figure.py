"""A picture as a page shows it: the drawing, its caption, and the same figures as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.safestring import SafeString


@dataclass(frozen=True)
class FigureTable:
    """The figures of a picture: heads and rows of plain text, the first cell of a row is its heading.

    `addresses` are those that the headings of the rows lead to, where they are links.
    """

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    addresses: Sequence[str] = ()

    def rows_with_addresses(self) -> list[tuple[Sequence[str], str]]:
        """Return each row with the address of its heading; empty where that is no link."""
        return list(zip_longest(self.rows, self.addresses, fillvalue=""))


@dataclass(frozen=True)
class Figure:
    """A drawing with its caption and its figures, for `standings/_figure.html`.

    `heading` is for the page to write above it, `css` the class of the figure, and `hint` what the script
    alone can do. No `table`: the figures stand in a table beside it already.
    """

    heading: str
    svg: SafeString
    caption: str
    table: FigureTable | None = None
    css: str = ""
    hint: str = ""

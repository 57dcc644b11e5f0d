"""What printouts are made of: tables that repeat their heads, and pages that are cut into equal pieces."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString

BLANK = SafeString('<span class="box"></span>')
"""A box that somebody writes in."""


class PaperColumn(NamedTuple):
    """A column of a printed table: its class in `paper.css`, and its heading."""

    css: str
    label: str


@dataclass(frozen=True)
class Printout:
    """One printout, over any number of pages.

    `page` is a named page of `paper.css`, `notes` stand below it. Where it `is_cut` it has no head of its
    own: every piece says where it belongs. `is_draft`: the pairings on it are not published.
    """

    title: str
    body: SafeString
    page: str
    beside: str = ""
    notes: Sequence[str] = ()
    is_cut: bool = False
    is_draft: bool = False
    css: str = ""


def table_of(columns: Sequence[PaperColumn], rows: Iterable[Sequence[str]], css: str = "") -> SafeString:
    """Return a table; cells that are no safe HTML are escaped."""
    return rows_in(columns, (row_of(columns, cells) for cells in rows), css)


def rows_in(columns: Sequence[PaperColumn], rows: Iterable[str], css: str = "") -> SafeString:
    """Return a table of rows that are HTML already."""
    heads = "".join(
        f'<th scope="col" class="{column.css}">{conditional_escape(column.label)}</th>' for column in columns
    )
    body = "\n".join(rows)
    return SafeString(
        f'<table class="rows {css}"><thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
    )


def row_of(columns: Sequence[PaperColumn], cells: Sequence[str], css: str = "") -> str:
    """Return one row."""
    kind = f' class="{css}"' if css else ""
    inside = "".join(
        f'<td class="{column.css}">{conditional_escape(cell)}</td>'
        for column, cell in zip(columns, cells, strict=True)
    )
    return f"<tr{kind}>{inside}</tr>"


def pages_of(pieces: Sequence[str], per: int, css: str) -> SafeString:
    """Return pages of so many pieces each, which are HTML already; the last page may have fewer."""
    pages = (
        f'<div class="cut {css} per-{per}">{"".join(pieces[at : at + per])}</div>'
        for at in range(0, len(pieces), per)
    )
    return SafeString("\n".join(pages))


def piled(pieces: Sequence[str], per: int) -> list[str]:
    """Return the pieces so that the pages, laid on each other and cut, are piles that follow each other."""
    pages = -(-len(pieces) // per)
    places = (pile * pages + page for page in range(pages) for pile in range(per))
    # An empty piece keeps the others of a page in their piles.
    return [pieces[at] if at < len(pieces) else '<div class="piece"></div>' for at in places]


def size_of(name: str) -> str:
    """Return the class that prints a name as large as its length allows."""
    return "short" if len(name) <= 14 else "middling" if len(name) <= 24 else "long"


def with_title(name: str, title: str) -> SafeString:
    """Return a name with the title that somebody bears."""
    return format_html('{} <span class="title">{}</span>', name, title) if title else escape(name)

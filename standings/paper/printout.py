"""The elements of printouts: tables with repeated headings, and pages that are cut into equal pieces."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString

BLANK = SafeString('<span class="box"></span>')
"""A box to write in."""


class PaperColumn(NamedTuple):
    """A column of a printed table: its class in `paper.css`, and its heading."""

    css: str
    label: str


@dataclass(frozen=True)
class Printout:
    """A printout with any number of pages.

    `page`: a named page of `paper.css`. `notes`: the text below. `is_cut`: without a heading of its own, as
    every piece has one. `is_draft`: the pairings are not published. `css`: its class in `paper.css`, if it
    has one.
    """

    title: str
    body: SafeString
    page: str
    subtitle: str = ""
    notes: Sequence[str] = ()
    is_cut: bool = False
    is_draft: bool = False
    css: str = ""


def paper_table(columns: Sequence[PaperColumn], rows: Iterable[Sequence[str]], css: str = "") -> SafeString:
    """Return a table. Cells are escaped unless they are safe HTML."""
    return rows_in(columns, (paper_row(columns, cells) for cells in rows), css)


def rows_in(columns: Sequence[PaperColumn], rows: Iterable[str], css: str = "") -> SafeString:
    heads = "".join(
        f'<th scope="col" class="{column.css}">{conditional_escape(column.label)}</th>' for column in columns
    )
    body = "\n".join(rows)
    return SafeString(
        f'<table class="rows {css}"><thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
    )


def paper_row(columns: Sequence[PaperColumn], cells: Sequence[str], css: str = "") -> str:
    kind = f' class="{css}"' if css else ""
    inside = "".join(
        f'<td class="{column.css}">{conditional_escape(cell)}</td>'
        for column, cell in zip(columns, cells, strict=True)
    )
    return f"<tr{kind}>{inside}</tr>"


def cut_pages(title: str, pieces: Sequence[str], per: int, css: str, *, is_draft: bool = False) -> Printout:
    """Return pages with `per` pieces of HTML each, fewer on the last."""
    pages = (
        f'<div class="cut {css} per-{per}">{"".join(pieces[at : at + per])}</div>'
        for at in range(0, len(pieces), per)
    )
    return Printout(title, SafeString("\n".join(pages)), "cuts", is_cut=True, is_draft=is_draft)


def piled(pieces: Sequence[str], per: int) -> list[str]:
    """Return the pieces in the order in which stacked and cut pages form consecutive piles."""
    pages = -(-len(pieces) // per)
    places = (pile * pages + page for page in range(pages) for pile in range(per))
    # Empty pieces preserve the positions of the others.
    return [pieces[at] if at < len(pieces) else '<div class="piece"></div>' for at in places]


def size_of(name: str) -> str:
    return "short" if len(name) <= 14 else "middling" if len(name) <= 24 else "long"


def with_title(name: str, title: str) -> SafeString:
    return format_html('{} <span class="title">{}</span>', name, title) if title else escape(name)

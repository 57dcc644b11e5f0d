"""Tables from HTML pages: the innermost tables, with the headings above them.

No link is fetched, no script is run. Titles, headings, captions and the texts before a table are rows of a
single cell above its heading, like the title lines of a CSV.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from tournaments.event.finding import Finding, Place, error, warning
from tournaments.interchange.formats.tables.grid import (
    LONGEST_CELL,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ROWS,
    Grid,
    GridRow,
    as_cell,
)
from tournaments.interchange.formats.tables.heading_words import ROUND, word_of

_LOOKED_AT = 4096
_PAGE = re.compile(
    r"\s*+(?>(?:(?:<\?xml[^>]*+>|<!--.*?-->)\s*+)*)<(?:!doctype\s+html|html|head|meta|body|table|thead|tbody|tr|div|h[1-6]|p|"
    r"style|span|center|font)\b",
    re.IGNORECASE | re.DOTALL,
)
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_BLANKS = re.compile("[ \t\n\r\f]+")
_MUTE = frozenset({"script", "style", "template", "noscript", "option", "svg", "iframe", "textarea"})
_HEADINGS = frozenset({"title", "h1", "h2", "h3", "h4", "h5", "h6", "caption"})
_BLOCKS = _HEADINGS | {
    "address", "article", "aside", "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "fieldset",
    "footer", "form", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "td", "th",
    "tr", "ul",
}  # fmt: skip
_MOST_ABOVE = 6  # headings of a single table
_MOST_BEFORE = 3  # texts before a table that are taken for its titles
_LONGEST_TITLE = 160
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_OF_TABLES = frozenset({"caption", "colgroup", "thead", "tbody", "tfoot", "tr", "th", "td"})
# elements without content, and those that the next one ends
_WITHOUT_END = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "html", "head", "body", "p", "li", "dt", "dd", "option", "optgroup", "rb", "rt", "rtc", "rp",
}  # fmt: skip
_MOST_LEVELS = 300
_TOO_MANY = f"The page has more than {MOST_ROWS} rows or {MOST_CELLS} cells. Cut it."
_MOST_NODES = 6 * MOST_CELLS


def is_page(text: str) -> bool:
    return _PAGE.match(text[:_LOOKED_AT]) is not None


def preformatted(text: str) -> str:
    """Return the preformatted text of a page without tables, after its other texts; else the text."""
    if not is_page(text) or _TABLE.search(text):
        return text
    try:
        _refuse_deep(text)
        page = LexborHTMLParser(text)
        blocks = page.css("pre")
        pieces = [each.text() for each in blocks]
        if not blocks:
            blocks = page.css("ol, ul")
            pieces = [line for each in blocks for line in _lines_of_list(each)]
        for each in blocks:
            each.decompose()
        reader = _PageReader()
        reader.read(page.root)
    except _RefusedError:
        return text
    return "\n".join([*reader.headings, *reader.unread, "", *pieces]) if pieces else text


def _lines_of_list(listed: Any) -> Iterator[str]:
    for number, item in enumerate(listed.css("li"), start=1):
        text = " ".join(item.text().split())
        yield text if listed.tag == "ul" or text[:1].isdecimal() else f"{number}. {text}"


class _RefusedError(Exception):
    """A page beyond the limits. The message is for users."""


@dataclass(slots=True)
class _Table:
    """A table being read. Cells have their column and row spans."""

    above: list[str]
    has_tables: bool = False
    caption: str = ""
    rows: list[list[tuple[str, int, int]]] = field(default_factory=list)
    headings: set[int] = field(default_factory=set)  # rows with headings only, from 0


def grids_of_page(text: str) -> tuple[list[Grid], list[Finding]]:
    """Return the innermost tables of a page in order. Rows are counted through the page."""
    try:
        _refuse_deep(text)
        reader = _PageReader()
        reader.read(LexborHTMLParser(text).root)
        grids = list(_grids_of_tables(reader.tables))
    except _RefusedError as problem:
        return [], [error("too-large-a-page", Place(), str(problem))]
    findings = []
    if reader.unread:
        shown = ", ".join(f"“{each[:60]}”" for each in reader.unread[:3])
        message = f"{len(reader.unread)} texts of the page outside its tables are not read, such as {shown}."
        findings.append(warning("outside-tables", Place(), message))
    return grids, findings


def _refuse_deep(text: str) -> None:
    """Raise _RefusedError if elements are nested too deep. A single pass over the text.

    The parser's time grows with the square of the depth. Elements with optional end tags are not counted, and
    the end of a cell closes all elements in it, as in the parser.
    """
    levels: list[str] = []
    counts: Counter[str] = Counter()

    def close_to(name: str) -> None:
        while levels[-1] != name:
            counts[levels.pop()] -= 1

    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if name in _OF_TABLES:
            if counts["table"]:
                close_to("table")
        elif name in _WITHOUT_END:
            continue
        elif tag[1]:
            if counts[name]:
                close_to(name)
                counts[levels.pop()] -= 1
        else:
            levels.append(name)
            counts[name] += 1
            if len(levels) > _MOST_LEVELS:
                raise _RefusedError(f"The page nests more than {_MOST_LEVELS} elements. Cut it.")


class _PageReader:
    """Reads a page element by element, without recursion because of the nesting."""

    def __init__(self) -> None:
        self.tables: list[_Table] = []
        self.unread: list[str] = []  # texts outside tables that are no titles

        self._open: list[_Table] = []
        self._texts: list[list[str]] = [[]]
        self.headings: dict[str, None] = {}  # titles and headings before the next table

        self._before: list[str] = []
        self._cells = 0

    def read(self, root: Any) -> None:
        path: list[Any] = []
        node, count = root, 0
        while node is not None:
            count += 1
            if count > _MOST_NODES:
                raise _RefusedError("The page has more elements than any table needs. Cut it.")
            self._enter(node)
            # Papi's pages have the games of a player in a box that appears over the name.
            is_popup = node.tag == "div" and "papi_joueur_box" in (node.parent.attributes.get("class") or "")
            child = None if node.tag in _MUTE or is_popup else node.child
            if child is not None:
                path.append(node)
                node = child
                continue
            self._leave(node)
            while node.next is None and path:
                node = path.pop()
                self._leave(node)
            node = node.next if path else None
        self.unread += self._before

    def _enter(self, node: Any) -> None:
        tag = node.tag
        if tag == "-text":
            self._texts[-1].append(node.text_content or "")
            return
        if tag in _BLOCKS:
            self._end_block(tag)
        if tag == "table":
            self._open_table()
        elif tag == "tr" and self._open:
            self._open[-1].rows.append([])
        elif tag in {"td", "th", *_HEADINGS}:
            self._texts.append([])
        elif tag == "img":
            self._texts[-1].append(f" {(node.attributes.get('alt') or '').strip()} ")

    def _open_table(self) -> None:
        self._outside(self._so_far())
        self._texts[-1] = []
        above = [text for each in self._open for text in each.above]
        for each in self._open:
            each.has_tables, each.above = True, []
        before = [each for each in self._before[-_MOST_BEFORE:] if len(each) <= _LONGEST_TITLE]
        self.unread += [each for each in self._before if each not in before]
        self._open.append(_Table([*above, *self.headings, *before]))
        self.headings, self._before = {}, []

    def _leave(self, node: Any) -> None:
        tag = node.tag
        if tag in {"td", "th"}:
            self._end_cell(node, self._taken())
        elif tag in _HEADINGS:
            text = self._taken()
            if text and tag == "caption" and self._open:
                self._open[-1].caption = text
                self._open[-1].above.append(text)
            elif text:
                self.headings[text] = None
        elif tag == "table":
            table = self._open.pop()
            if not table.has_tables:
                self.tables.append(table)
                return
            # In a layout table, texts next to inner tables are texts of the page.
            for text in (text for row in table.rows for text, *_ in row):
                self._outside(text)
        elif tag in _BLOCKS:
            self._end_block(tag)

    def _end_cell(self, node: Any, text: str) -> None:
        if not (self._open and self._open[-1].rows):
            self._outside(text)
            return
        table = self._open[-1]
        row = table.rows[-1]
        is_heading = node.tag == "th" and (not row or len(table.rows) - 1 in table.headings)
        (table.headings.add if is_heading else table.headings.discard)(len(table.rows) - 1)
        row.append((text, _span_of_cell(node, "colspan"), _span_of_cell(node, "rowspan")))
        self._cells += 1
        if len(row) > MOST_COLUMNS or len(table.rows) > MOST_ROWS or self._cells > MOST_CELLS:
            raise _RefusedError(
                f"The page has more than {MOST_ROWS} rows, {MOST_COLUMNS} columns or {MOST_CELLS} cells."
            )

    def _taken(self) -> str:
        text = self._so_far()
        self._texts.pop()
        return text

    def _so_far(self) -> str:
        # Blanks and line ends are a single blank. Non-breaking spaces remain.
        return as_cell(_BLANKS.sub(" ", "".join(self._texts[-1])))

    def _end_block(self, tag: str) -> None:
        self._texts[-1].append(" ")
        if len(self._texts) == 1 and tag != "br":
            self._outside(self._so_far())
            self._texts[0] = []

    def _outside(self, text: str) -> None:
        if text:
            self._before.append(text)


def _span_of_cell(node: Any, name: str) -> int:
    text = (node.attributes.get(name) or "").strip()
    return min(max(int(text), 1), MOST_ROWS) if text.isdecimal() and len(text) < 6 else 1


# --- rows of cells ----------------------------------------------------------------------------------------


def _grids_of_tables(tables: list[_Table]) -> Iterator[Grid]:
    number, cells, above = 0, 0, list[str]()
    names: set[str] = set()
    for at, table in enumerate(tables, start=1):
        rows = _with_one_heading(_spread_cells(table, MOST_CELLS - cells), table.headings)
        above += table.above
        if len(rows) < 2 and not above and not any(any(each) for each in rows):
            continue
        titles = [(each,) for each in above[-_MOST_ABOVE:]]
        named = (table.caption or (above[-1] if above else ""))[:60]
        above = []
        lines = [GridRow(number + row, tuple(each)) for row, each in enumerate([*titles, *rows], start=1)]
        number += len(lines)
        cells += sum(len(each.cells) for each in lines)
        if number > MOST_ROWS or cells > MOST_CELLS:
            raise _RefusedError(_TOO_MANY)
        filled = tuple(each for each in lines if not each.is_blank)
        name = named if named and named not in names else f"table {at}"
        names.add(name)
        if filled:
            yield Grid(filled, name)


def _with_one_heading(rows: list[tuple[str, ...]], headings: set[int]) -> list[tuple[str, ...]]:
    first = min(headings, default=0)
    last = first
    while last + 1 in headings:
        last += 1
    if last == first:
        return rows
    width = max(len(each) for each in rows[first : last + 1])
    columns = [[each[at] if at < len(each) else "" for each in rows[first : last + 1]] for at in range(width)]
    heading: list[str] = []
    of_round = False
    for column in columns:
        # A round that spans columns needs no names of its parts.
        is_of_round = not column[0].isdecimal() and ROUND.fullmatch(word_of(column[0])) is not None
        of_round = is_of_round or (of_round and not column[0])
        heading.append(column[0] if of_round else next((each for each in reversed(column) if each), ""))
    # Blank rows preserve the numbers of later rows.
    return [*rows[:first], *[()] * (last - first), tuple(heading), *rows[last + 1 :]]


def _spread_cells(table: _Table, most: int) -> list[tuple[str, ...]]:
    # Row spans repeat the text, column spans do not.
    below: dict[int, tuple[str, int]] = {}  # texts of row spans with the number of rows, by column
    rows = []
    for row in table.rows:
        cells: list[str] = []
        queue = list(reversed(row))
        last = max(below, default=-1)
        while queue or last >= len(cells):
            at = len(cells)
            if at in below:
                text, left = below.pop(at)
                if left > 1:
                    below[at] = (text, left - 1)
                cells.append(text)
            elif queue:
                text, columns, down = queue.pop()
                if len(text) > LONGEST_CELL:
                    raise _RefusedError(f"A cell has more than {LONGEST_CELL} characters. Shorten it.")
                for column in range(min(columns, MOST_COLUMNS + 1)):
                    cells.append("" if column else text)
                    if down > 1:
                        below[at + column] = ("" if column else text, down - 1)
            else:
                cells.append("")
            if len(cells) > MOST_COLUMNS:
                raise _RefusedError(f"A table has more than {MOST_COLUMNS} columns. Cut it.")
        rows.append(tuple(cells))
        most -= len(rows[-1])
        if most < 0:
            raise _RefusedError(_TOO_MANY)
    return rows

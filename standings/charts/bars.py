"""Horizontal bar charts with one line per item."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from standings.charts.svg import Figure, FigureTable, drawing, element, percent, text, titled

LINE, BAR = 24, 16  # pixels: height of a line and of its bar
WITHIN = 8  # per cent of the width from which a part contains its number


class BarPart(NamedTuple):
    """A part of a bar. `css`: its class. `words`: the text of its tooltip."""

    number: int
    css: str
    words: str


class BarRow(NamedTuple):
    """A line of the chart. `end`: the text after the bar. `mark`: the position of a mark, per mille."""

    name: str
    parts: Sequence[BarPart]
    end: str = ""
    mark: int | None = None


def bars(
    heading: str,
    label: str,
    lines: Sequence[BarRow],
    *,
    whole: int = 0,
    caption: str = "",
    table: FigureTable | None = None,
) -> Figure:
    """Return the bar chart. `label`: the description for screen readers.

    Bars are scaled to the longest, or to `whole`. With `whole` = -1, each bar has full width.
    """
    longest = whole or max((sum(part.number for part in line.parts) for line in lines), default=0)
    drawn = [_bar_line(line, at * LINE, longest) for at, line in enumerate(lines)]
    # Names and figures are in the padding that charts.css adds on both sides.
    names = (text(line.name, x=-10, y=at * LINE + BAR, text_anchor="end") for at, line in enumerate(lines))
    svg = drawing(*names, *drawn, label=label, height=len(lines) * LINE)
    return Figure(heading, svg, caption, table, css="bars")


def _bar_line(line: BarRow, y: int, longest: int) -> SafeString:
    own = sum(part.number for part in line.parts)
    whole = own if longest < 0 else longest
    drawn, left = list[SafeString](), 0
    for part in line.parts:
        if not part.number:
            continue
        share, at = 100 * part.number / whole, 100 * left / whole
        bar = element(
            "rect",
            titled(part.words),
            class_=part.css,
            x=percent(at),
            y=y + 4,
            width=percent(share),
            height=BAR,
        )
        drawn.append(bar)
        if len(line.parts) > 1 and share >= WITHIN:
            middle = percent(at + share / 2)
            drawn.append(text(part.number, x=middle, y=y + BAR, text_anchor="middle"))
        left += part.number
    if line.mark is not None:
        x = percent(line.mark / 10)
        drawn.append(element("line", class_="expected", x1=x, x2=x, y1=y + 1, y2=y + BAR + 7))
    if line.end:
        x = percent(100 if longest < 0 or line.mark is not None else 100 * own / whole)
        drawn.append(text(line.end, class_="tick", x=x, dx=8, y=y + BAR))
    return element("g", *drawn)

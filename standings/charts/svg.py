"""Functions that generate escaped SVG without inline styles or scripts, and charts with their tables.

The Content Security Policy forbids style attributes, so colours are set by class in `charts.css`. Drawings
have the width of their container: horizontal lengths are in per cent, vertical lengths in pixels. Text is not
scaled, so that it has the same size on phones and desktops.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache as once
from functools import lru_cache
from html import escape
from itertools import zip_longest
from typing import Any

from django.utils.safestring import SafeString

Attribute = Any
"""Text, a number or a lazy translation. None and False omit the attribute."""


def element(name: str, *inside: SafeString, **attributes: Attribute) -> SafeString:
    """Return an element. `class_` gives the attribute `class`, `data_number` gives `data-number`.

    Content and SafeString attributes are not escaped. Numbers are rounded to tenths.
    """
    written = ""
    for key, value in attributes.items():
        kind = type(value)
        # Ordered by frequency, because a race has two thousand lengths and few texts.
        if kind is int or kind is SafeString:
            written += f' {_attribute_name(key)}="{value}"'
        elif kind is str:
            written += f' {_attribute_name(key)}="{_escaped(value)}"'
        elif kind is float:
            written += f' {_attribute_name(key)}="{_rounded(value)}"'
        elif value is not None and value is not False:
            written += f' {_attribute_name(key)}="{escape(str(value))}"'
    if not inside:
        return SafeString(f"<{name}{written}/>")
    return SafeString(f"<{name}{written}>{''.join(inside)}</{name}>")


@once
def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


_escaped = lru_cache(maxsize=4096)(escape)
"""Cached, because most attributes have one of a few classes and lengths."""


def _rounded(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def percent(value: float) -> SafeString:
    return SafeString(f"{value:.2f}".rstrip("0").rstrip(".") + "%")


def text(words: object, **attributes: Attribute) -> SafeString:
    return element("text", SafeString(escape(str(words))), **attributes)


def shortened(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1].rstrip(' .,-')}…"


def titled(words: object) -> SafeString:
    """Return the tooltip of an element. It must be its first child."""
    return element("title", SafeString(escape(str(words))))


def svg_link(address: str, *inside: SafeString, **attributes: Attribute) -> SafeString:
    return element("a", *inside, href=address, **attributes)


def polyline(points: Iterable[tuple[float, float]], **attributes: Attribute) -> SafeString:
    written = " ".join(f"{_rounded(x)},{_rounded(y)}" for x, y in points)
    return element("polyline", points=SafeString(written), **attributes)


def stretched(*inside: SafeString, width: int, height: int, **attributes: Attribute) -> SafeString:
    """Return a part of `width` units that is stretched to its container, for lines only.

    Text would be distorted. Lines retain their thickness by `vector-effect` in `charts.css`.
    """
    return element(
        "svg",
        *inside,
        viewBox=f"0 0 {width} {height}",
        preserveAspectRatio="none",
        width="100%",
        height=height,
        **attributes,
    )


def drawing(
    *inside: SafeString,
    label: object,
    height: int | str,
    width: int | str = "100%",
    links: bool = False,
    view_box: tuple[int, int] | None = None,
    **attributes: Attribute,
) -> SafeString:
    """Return the root element. `label`: the description for screen readers.

    `links`: whether it contains links, which the role `img` would hide from the keyboard. `view_box`: width
    and height, to scale the entire drawing.
    """
    return element(
        "svg",
        *inside,
        role="group" if links else "img",
        aria_label=label,
        width=width,
        height=height,
        viewBox=f"0 0 {view_box[0]} {view_box[1]}" if view_box else None,
        **attributes,
    )


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
    require JavaScript. `table`: None if the page already contains the figures as a table. `shown`:
    the round, if it is not that of the page.
    """

    heading: str
    svg: SafeString
    caption: str
    table: FigureTable | None = None
    css: str = ""
    hint: str = ""
    shown: str = ""

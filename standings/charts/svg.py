"""A small writer of SVG: everything is escaped, and nothing carries a style or a script of its own.

The policy of the site refuses style attributes, so an element is coloured by its class, in `charts.css`. A
drawing is as wide as its place: what lies across is given in per cent, what lies upright in pixels. Text is
never scaled that way, and is as large on a phone as on a desk.
"""

from collections.abc import Iterable
from functools import cache as once
from functools import lru_cache
from html import escape
from typing import Any

from django.utils.safestring import SafeString

Attribute = Any
"""Text, a number or a lazy translation; None and False leave the attribute out."""


def element(name: str, *inside: SafeString, **attributes: Attribute) -> SafeString:
    """Return an element: `class_` is written `class`, `data_number` as `data-number`.

    What is inside is safe already, as is a SafeString of an attribute. Numbers are rounded to tenths.
    """
    written = ""
    for key, value in attributes.items():
        kind = type(value)
        # By how often they occur: a race has two thousand lengths, and few words.
        if kind is int or kind is SafeString:
            written += f' {_name_of(key)}="{value}"'
        elif kind is str:
            written += f' {_name_of(key)}="{_escaped(value)}"'
        elif kind is float:
            written += f' {_name_of(key)}="{_rounded(value)}"'
        elif value is not None and value is not False:
            written += f' {_name_of(key)}="{escape(str(value))}"'
    if not inside:
        return SafeString(f"<{name}{written}/>")
    return SafeString(f"<{name}{written}>{''.join(inside)}</{name}>")


@once
def _name_of(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


_escaped = lru_cache(maxsize=4096)(escape)
"""Most attributes are the same few classes and lengths."""


def _rounded(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def percent(value: float) -> SafeString:
    """Return a length in per cent of the width, as an attribute takes it."""
    return SafeString(f"{value:.2f}".rstrip("0").rstrip(".") + "%")


def text(words: object, **attributes: Attribute) -> SafeString:
    """Return words at a place; they are escaped."""
    return element("text", SafeString(escape(str(words))), **attributes)


def titled(words: object) -> SafeString:
    """Return what an element shows under the pointer; it stands first in that element."""
    return element("title", SafeString(escape(str(words))))


def link(address: str, *inside: SafeString, **attributes: Attribute) -> SafeString:
    """Return a link around elements."""
    return element("a", *inside, href=address, **attributes)


def polyline(points: Iterable[tuple[float, float]], **attributes: Attribute) -> SafeString:
    """Return a line through points, from the first to the last."""
    written = " ".join(f"{_rounded(x)},{_rounded(y)}" for x, y in points)
    return element("polyline", points=SafeString(written), **attributes)


def stretched(*inside: SafeString, width: int, height: int, **attributes: Attribute) -> SafeString:
    """Return a part that is `width` units wide and stretches with its place, for lines alone.

    Text in it would be stretched too; lines keep their thickness by `vector-effect` in `charts.css`.
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
    """Return the picture as a whole; `label` is the sentence for those who do not see it.

    `links`: it holds links, which a role of one image would hide from the keyboard. With a `view_box`, width
    by height, it is scaled as a whole, as a map is.
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

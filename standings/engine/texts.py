"""Texts of the engine: figures of parts, `unit` of them to a point, and phrases that can be translated."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

QUARTERS = ("", "¼", "½", "¾")


@lru_cache(maxsize=65536)
def points_text(parts: int, unit: int) -> str:
    """Write for a reader: `79½`, `31¼`, `-2`; what is finer than a quarter as a decimal fraction."""
    # The sign apart: divmod rounds down, so -½ would become -1 and a half.
    whole, rest = divmod(abs(parts), unit)
    if 4 * rest % unit:
        return decimal_text(parts, unit)
    sign = "-" if parts < 0 else ""
    return sign + (str(whole) if whole or not rest else "") + QUARTERS[4 * rest // unit]


@lru_cache(maxsize=65536)
def decimal_text(parts: int, unit: int) -> str:
    """Write for a machine: `79.5`, `31.25`, `-2`; a fraction that never ends as `1/3`."""
    value = Fraction(parts, unit)
    places = next((places for places in range(10) if 10**places % value.denominator == 0), None)
    if places is None:
        return str(value)
    whole, rest = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
    sign = "-" if parts < 0 else ""
    return sign + str(whole) + (f".{rest:0{places}d}" if places else "")


def rounded_text(parts: int, unit: int, places: int) -> str:
    """Round half up to so many decimals, to be shown only: `51.83`."""
    scale = 10**places
    # Of a negative value the sign apart: half up of its size would be half down of itself.
    rounded = (2 * scale * parts + unit) // (2 * unit)
    whole, rest = divmod(abs(rounded), scale)
    return ("-" if rounded < 0 else "") + f"{whole}.{rest:0{places}d}"


def tenths_text(parts: int, unit: int) -> str:
    """Round half up to one decimal, for averages: `2187.4`."""
    # Only ever shown: averages are compared exactly, by cross-multiplying.
    tenths = (20 * parts + unit) // (2 * unit)
    return f"{tenths // 10}.{tenths % 10}"


class Phrase(str):
    """An English text that remembers its template and what fills it (docs/translation.md).

    `plural` is the template for any `number` but one, and blank where nothing is counted. A part that is
    a Phrase itself is translated too.
    """

    __slots__ = ("number", "parts", "plural", "template")

    template: str
    plural: str
    number: int
    parts: Mapping[str, object]


def phrase(template: str, **parts: object) -> Phrase:
    """Return the template filled with its parts, `%(name)s` by name."""
    return _filled(template, template, "", 1, parts)


def counted_phrase(template: str, plural: str, count: int, **parts: object) -> Phrase:
    """Return the template that the count asks for, filled with the parts and the `count`."""
    return _filled(template if count == 1 else plural, template, plural, count, {**parts, "count": count})


def _filled(chosen: str, template: str, plural: str, number: int, parts: Mapping[str, object]) -> Phrase:
    text = Phrase(chosen % parts if parts else chosen)
    text.template, text.plural, text.number, text.parts = template, plural, number, parts
    return text

"""Numbers as text, and phrases that remember their template for translation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

QUARTERS = ("", "¼", "½", "¾")


@lru_cache(maxsize=65536)
def fraction_text(parts: int, unit: int) -> str:
    """Format for readers: `79½`, `31¼`, `-2`; finer parts as decimals. `unit` parts make a point."""
    # abs(), because divmod rounds down: divmod(-1, 2) is (-1, 1), which would read -1½.
    whole, rest = divmod(abs(parts), unit)
    if 4 * rest % unit:
        return decimal_text(parts, unit)
    sign = "-" if parts < 0 else ""
    return sign + (str(whole) if whole or not rest else "") + QUARTERS[4 * rest // unit]


@lru_cache(maxsize=65536)
def decimal_text(parts: int, unit: int) -> str:
    """Format for machines: `79.5`, `31.25`, `-2`; a fraction such as `1/3` if its decimals never end."""
    value = Fraction(parts, unit)
    places = next((places for places in range(10) if 10**places % value.denominator == 0), None)
    if places is None:
        return str(value)
    whole, rest = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
    sign = "-" if parts < 0 else ""
    return sign + str(whole) + (f".{rest:0{places}d}" if places else "")


def rounded_text(parts: int, unit: int, places: int) -> str:
    """Round half up to a number of decimals, for display only: `51.83`."""
    scale = 10**places
    # Round before abs(), because rounding up the absolute value would round down a negative value.
    rounded = (2 * scale * parts + unit) // (2 * unit)
    whole, rest = divmod(abs(rounded), scale)
    return ("-" if rounded < 0 else "") + f"{whole}.{rest:0{places}d}"


class Phrase(str):
    """English text that remembers its template and parts, so that it can be translated (docs/translation.md).

    `plural`: the template for every `number` except 1, blank if nothing is counted. Parts that are phrases
    are translated too.
    """

    __slots__ = ("number", "parts", "plural", "template")

    template: str
    plural: str
    number: int
    parts: Mapping[str, object]


def phrase(template: str, **parts: object) -> Phrase:
    return _make_phrase(template, template, "", 1, parts)


def counted_phrase(template: str, plural: str, count: int, **parts: object) -> Phrase:
    """Return `template` if `count` is 1, otherwise `plural`. Both may use the placeholder `%(count)s`."""
    return _make_phrase(
        template if count == 1 else plural, template, plural, count, {**parts, "count": count}
    )


def _make_phrase(chosen: str, template: str, plural: str, number: int, parts: Mapping[str, object]) -> Phrase:
    text = Phrase(chosen % parts if parts else chosen)
    text.template, text.plural, text.number, text.parts = template, plural, number, parts
    return text

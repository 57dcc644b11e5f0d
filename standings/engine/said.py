"""Texts of the engine that people read: in English as they are, with what another language is made of."""

from __future__ import annotations

from collections.abc import Mapping


class Said(str):
    """An English text that remembers its template and what fills it (docs/translation.md).

    `plural` is the template for any `number` but one, and blank where nothing is counted. A part that is
    Said itself can be said in another language too.
    """

    __slots__ = ("number", "parts", "plural", "template")

    template: str
    plural: str
    number: int
    parts: Mapping[str, object]


def said(template: str, **parts: object) -> Said:
    """The template filled with its parts, `%(name)s` by name."""
    return _said(template, template, "", 1, parts)


def said_of(template: str, plural: str, count: int, **parts: object) -> Said:
    """The template that the count asks for, filled with the parts and the `count`."""
    return _said(template if count == 1 else plural, template, plural, count, {**parts, "count": count})


def _said(chosen: str, template: str, plural: str, number: int, parts: Mapping[str, object]) -> Said:
    text = Said(chosen % parts if parts else chosen)
    text.template, text.plural, text.number, text.parts = template, plural, number, parts
    return text

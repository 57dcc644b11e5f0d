"""Criteria, systems, figures and rulings in the language of the page; the engine itself speaks English."""

import re
from collections.abc import Iterable

from django.utils.formats import get_format
from django.utils.translation import gettext, gettext_lazy

from standings.engine import Criterion, RankingSystem, Scale, get
from tournaments.models import Override

IN_SCALE = {
    Scale.GAME: gettext_lazy("%(name)s (game points)"),
    Scale.MATCH: gettext_lazy("%(name)s (match points)"),
}
POINT = re.compile(r"(?<=\d)\.(?=\d)")


def name_of(criterion: Criterion) -> str:
    """The criterion's name, with the score where it was asked for one of the two."""
    name = gettext(get(criterion.code.partition("@")[0]).name)
    return IN_SCALE[criterion.scale] % {"name": name} if criterion.scale else name


def names_of(codes: Iterable[str]) -> str:
    """The criteria of a list by name, with commas between."""
    return ", ".join(name_of(get(code)) for code in codes)


def name_of_system(system: RankingSystem) -> str:
    """The ranking system's name."""
    return gettext(system.name)


def written(figures: str) -> str:
    """Figures with the decimal sign of the language: `2187,4` in Dutch."""
    sign = get_format("DECIMAL_SEPARATOR")
    return figures if sign == "." else POINT.sub(sign, figures)


def phrase_of(ruling: Override) -> str:
    """An override in a phrase; reads its competitor and the one it undoes."""
    name = ruling.competitor.name if ruling.competitor else ""
    if ruling.kind == Override.Kind.PAIRING:
        told = {"number": ruling.round, "table": ruling.table}
        return gettext("pairing of round %(number)s, table %(table)s") % told
    if ruling.kind == Override.Kind.CRITERIA:
        return gettext("criteria: %(criteria)s") % {"criteria": names_of(ruling.criteria)}
    if ruling.kind == Override.Kind.VALUE:
        value = written(" · ".join(ruling.levels))
        words = {"criterion": name_of(get(ruling.criterion)), "name": name, "value": value}
        return gettext("%(criterion)s of %(name)s: %(value)s") % words
    if ruling.kind == Override.Kind.PLACE:
        return gettext("place of %(name)s: %(place)s") % {"name": name, "place": ruling.place}
    return gettext("undoes %(number)s") % {"number": ruling.undoes.number if ruling.undoes else ""}


def was_of(ruling: Override) -> str:
    """What the system would have given: criteria by name, figures in the language of the page."""
    if ruling.kind == Override.Kind.CRITERIA:
        return names_of(ruling.was.split())
    return written(ruling.was)

"""Translations of the engine's texts: criteria, systems, explanations and values."""

from collections.abc import Iterator
from typing import NamedTuple

from django.urls import reverse
from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext, pgettext_lazy

from standings.engine import Criterion, CriterionColumn, Family, Phrase, Scale, get_criterion
from tournaments.event.federations import Federation
from tournaments.event.numbers import points_text
from tournaments.texts import name_of, name_of_system, written

__all__ = [
    "CriterionWords",
    "name_of",
    "name_of_federation",
    "name_of_system",
    "plain_words",
    "translated",
    "value_of",
    "values_of",
    "words_of",
    "written",
]

POINTS = {
    None: pgettext_lazy("of a score", "points"),
    Scale.MATCH: gettext_lazy("match points"),
    Scale.GAME: gettext_lazy("game points"),
}
ROUNDS = {
    None: pgettext_lazy("some of all", "rounds"),
    Scale.MATCH: pgettext_lazy("some of all", "rounds"),
    Scale.GAME: pgettext_lazy("some of all", "boards"),
}
"""Unit that a code of boards counts, and any other."""


class CriterionWords(NamedTuple):
    """A translated criterion. Templates need it because they would call a criterion object."""

    code: str
    address: str
    name: str
    abbr: str
    rule: str
    source: str

    @property
    def page(self) -> str:
        """Return the URL of the criterion's page; our criteria share a page for both scores."""
        criterion = get_criterion(self.code)
        return reverse("criterion", args=[criterion.address if criterion.is_fide else criterion.plain_code])

    @property
    def meaning(self) -> str:
        """Return the criterion's values as a phrase for fans."""
        return plain_words(get_criterion(self.code))


def words_of(criterion: Criterion) -> CriterionWords:
    """Return the translated criterion; abbreviations and sources are the same in all languages."""
    rule = gettext(criterion.rule)
    return CriterionWords(
        criterion.code, criterion.address, name_of(criterion), criterion.abbr, rule, criterion.source
    )


def plain_words(criterion: Criterion, primary: Scale | None = None) -> str:
    """Return the values of a criterion as a noun phrase in lower case, in the active language.

    `primary` is the score that decides first in a team event. Without it, the phrase is about points.
    """
    scale = criterion.scale or primary
    # Criteria with a score or with modifiers use the phrase of the plain code.
    phrase = gettext(get_criterion(criterion.plain_code).meaning) % {
        "points": POINTS[scale],
        "rounds": ROUNDS[criterion.scale],
        "limit": _limit_text(criterion),
    }
    return ", ".join((phrase, *_modifier_texts(criterion)))


def _limit_text(criterion: Criterion) -> str:
    """Return the score from which an opponent counts for Koya."""
    modifiers = criterion.modifiers
    if modifiers is None or not (modifiers.steps or "/L" in criterion.code):
        return gettext("50 per cent of the maximum")
    if modifiers.steps > 0:
        return gettext("50 per cent of the maximum and %(points)s more") % {
            "points": points_text(modifiers.steps)
        }
    if modifiers.steps:
        return gettext("50 per cent of the maximum less %(points)s") % {
            "points": points_text(-modifiers.steps)
        }
    return gettext("%(limit)s %% of the maximum") % {"limit": modifiers.limit}


def _modifier_texts(criterion: Criterion) -> Iterator[str]:
    modifiers = criterion.modifiers
    if modifiers is None:
        return
    if modifiers.low:
        yield _cut_text(criterion, modifiers.low, modifiers.high)
    if modifiers.divisor:
        yield gettext("divided by %(divisor)s") % {"divisor": modifiers.divisor}
    if modifiers.as_paired:
        yield gettext("forfeits counted as games")
    if modifiers.fore:
        yield gettext("as if all games of the last round were drawn")
    if modifiers.reverse:
        yield gettext("in reversed order")


def _cut_text(criterion: Criterion, low: int, high: int) -> str:
    """Return the text for the rounds left out.

    "The weakest" instead of "the lowest", because a voluntarily unplayed round is cut first (C.07 16.5).
    """
    single, several = _cut_templates(criterion, high)
    return str(single if low == 1 else several % {"count": low})


def _cut_templates(criterion: Criterion, high: int) -> tuple[Promise, Promise]:
    if criterion.family is Family.OWN:  # progressive scores (7.5)
        return gettext_lazy("without the first round"), gettext_lazy("without the first %(count)s rounds")
    if high:
        return (
            gettext_lazy("without the strongest and the weakest"),
            gettext_lazy("without the %(count)s strongest and the %(count)s weakest"),
        )
    if criterion.family is Family.SONNEBORN:
        return (
            gettext_lazy("without the weakest opponent"),
            gettext_lazy("without the %(count)s weakest opponents"),
        )
    return gettext_lazy("without the weakest"), gettext_lazy("without the %(count)s weakest")


def name_of_federation(bearer: Federation) -> str:
    """Return the translated name of a federation, usually a country."""
    return pgettext("federation", bearer.name)


def translated(text: str) -> str:
    """Return a translated text of the engine; other strings, such as names, are returned unchanged."""
    if not isinstance(text, Phrase):
        return text
    # The catalogue contains the template, not the formatted text.
    template = ngettext(text.template, text.plural, text.number) if text.plural else gettext(text.template)
    parts = {name: translated(part) if isinstance(part, str) else part for name, part in text.parts.items()}
    return template % parts if parts else template


def values_of(column: CriterionColumn) -> list[str]:
    """Return the texts of a column's cells. Names of competitors are not translated."""
    # The engine formats a column at once; cells are only processed for another decimal separator.
    if get_format("DECIMAL_SEPARATOR") == ".":
        return column.texts
    return [value_of(column, row) for row in range(len(column.texts))]


def value_of(column: CriterionColumn, row: int) -> str:
    text = column.text(row)
    return text if column.criterion.within_tie else written(text)

"""What the engine says, in the language of the page: criteria, systems, texts and figures."""

from typing import NamedTuple

from django.urls import reverse
from django.utils.formats import get_format
from django.utils.translation import gettext, ngettext, pgettext

from standings.engine import Criterion, Judged, Phrase, get
from tournaments.event.federations import Federation
from tournaments.wording import name_of, name_of_system, written

__all__ = [
    "CriterionWords",
    "name_of",
    "name_of_federation",
    "name_of_system",
    "translated",
    "value_of",
    "values_of",
    "words_of",
    "written",
]


class CriterionWords(NamedTuple):
    """What the registry says of a criterion; a template would call the criterion itself."""

    code: str
    name: str
    abbr: str
    rule: str
    source: str

    @property
    def page(self) -> str:
        """The address of its page; a code in one of the two scores has that of the plain code."""
        return reverse("criterion", args=[get(self.code).plain_code])


def words_of(criterion: Criterion) -> CriterionWords:
    """The criterion in words; abbreviations and sources are signs, the same in every language."""
    rule = gettext(criterion.rule)
    return CriterionWords(criterion.code, name_of(criterion), criterion.abbr, rule, criterion.source)


def name_of_federation(bearer: Federation) -> str:
    """The federation's name, which is mostly a country's."""
    return pgettext("federation", bearer.name)


def translated(text: str) -> str:
    """A text of the engine; what is none, such as somebody's name, stays as it is."""
    if not isinstance(text, Phrase):
        return text
    found = ngettext(text.template, text.plural, text.number) if text.plural else gettext(text.template)
    parts = {name: translated(part) if isinstance(part, str) else part for name, part in text.parts.items()}
    return found % parts if parts else found


def values_of(judged: Judged) -> list[str]:
    """(n) what the cells of a column say; where they name somebody, the name is left alone."""
    if get_format("DECIMAL_SEPARATOR") == ".":
        return judged.texts
    return [value_of(judged, row) for row in range(len(judged.texts))]


def value_of(judged: Judged, row: int) -> str:
    """What the cell of one row says."""
    text = judged.text(row)
    return text if judged.criterion.within_tie else written(text)

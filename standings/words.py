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
    """A criterion in the language of the page; a template would call the criterion itself."""

    code: str
    address: str
    name: str
    abbr: str
    rule: str
    source: str

    @property
    def page(self) -> str:
        """Return the address of its page; of ours one in one of the two scores has that of the plain code."""
        criterion = get(self.code)
        return reverse("criterion", args=[criterion.address if criterion.is_fide else criterion.plain_code])


def words_of(criterion: Criterion) -> CriterionWords:
    """Return the criterion in words; abbreviations and sources are signs, the same in every language."""
    rule = gettext(criterion.rule)
    return CriterionWords(
        criterion.code, criterion.address, name_of(criterion), criterion.abbr, rule, criterion.source
    )


def name_of_federation(bearer: Federation) -> str:
    """Return the federation's name, which is mostly a country's."""
    return pgettext("federation", bearer.name)


def translated(text: str) -> str:
    """Return a text of the engine; what is none, such as somebody's name, stays as it is."""
    if not isinstance(text, Phrase):
        return text
    # The template is looked up, not the text: filled in, it stands in no catalogue.
    found = ngettext(text.template, text.plural, text.number) if text.plural else gettext(text.template)
    parts = {name: translated(part) if isinstance(part, str) else part for name, part in text.parts.items()}
    return found % parts if parts else found


def values_of(judged: Judged) -> list[str]:
    """Return the texts of a column's cells; where they name somebody, the name is left alone."""
    # A column of the engine is written at once; only another decimal sign needs it cell by cell.
    if get_format("DECIMAL_SEPARATOR") == ".":
        return judged.texts
    return [value_of(judged, row) for row in range(len(judged.texts))]


def value_of(judged: Judged, row: int) -> str:
    """Return the text of the cell of one row."""
    text = judged.text(row)
    return text if judged.criterion.within_tie else written(text)

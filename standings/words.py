"""A criterion in words, as templates print it."""

from typing import NamedTuple

from django.urls import reverse

from standings.engine import Criterion


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
        return reverse("criterion", args=[self.code.partition("@")[0]])


def words_of(criterion: Criterion) -> CriterionWords:
    """The criterion in words."""
    return CriterionWords(criterion.code, criterion.name, criterion.abbr, criterion.rule, criterion.source)

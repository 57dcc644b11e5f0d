"""Every abbreviation in tables is a criterion or in the glossary."""

import re

import pytest
from django.test import Client
from django.utils.translation import override

from standings.criteria.texts import GLOSSARY
from standings.engine import all_criteria
from standings.tables.columns import all_columns, crosstable_columns
from standings.tables.sheet import StandingsSheet
from tests.engine.examples import E1
from tests.standings.drawn import sheet

TEAMS = sheet(E1, "match-points", "dsb", entrants="teams")
PLAYERS = sheet(E1, "total-score", "solkoff")
SIGNS = {"+", "=", "−"}


def short_names(drawn: StandingsSheet) -> set[str]:
    """Return the abbreviated headings of a table, except those of criteria and rounds."""
    before, behind = crosstable_columns(drawn)
    columns = [*all_columns(drawn), *before, *behind]
    criteria = {criterion.abbr for criterion in all_criteria()}
    return {
        column.label
        for column in columns
        if column.label.casefold() != column.name.casefold()
        and column.label not in criteria
        and not re.fullmatch(r"R?\d+", column.label)
    }


@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_abbreviation_is_a_criterion_or_in_the_glossary(language: str) -> None:
    with override(language):
        missing = (short_names(TEAMS) | short_names(PLAYERS)) - SIGNS - {str(each.word) for each in GLOSSARY}
        assert not missing, (
            f"Explain these headings in GLOSSARY of standings/criteria/texts.py: {sorted(missing)}"
        )


@pytest.mark.parametrize("language", ["en", "nl"])
def test_glossary_has_full_sentences_and_unique_terms(language: str) -> None:
    with override(language):
        words = [(str(each.word), str(each.meaning)) for each in GLOSSARY]
    assert len({word for word, _ in words}) == len(words)
    for word, meaning in words:
        assert meaning.endswith("."), word
        assert meaning[0].isupper(), word


@pytest.mark.parametrize("prefix", ["", "/nl"])
def test_criteria_page_contains_the_glossary(client: Client, prefix: str) -> None:
    page = client.get(f"{prefix}/criteria/").content.decode()
    words = page.partition('id="words"')[2].partition("</dl>")[0]
    assert words.count("<dt>") == len(GLOSSARY)

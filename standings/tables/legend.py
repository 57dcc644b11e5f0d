"""What the headings of a table stand for: its criteria in full, and a word for each sign."""

from typing import NamedTuple

from standings.engine import get
from standings.tables.columns import Column, Sheet, shown_criteria
from standings.words import CriterionWords, words_of

FIGURES, SIGNS = ("lead", "tb"), ("published", "move", "start", "wdl")
"""Columns by their classes: those of criteria, and those that a word must explain."""


class Legend(NamedTuple):
    """The criteria in the order in which they decide, those with a column only, and the other columns."""

    deciding: list[CriterionWords]
    beside: list[CriterionWords]
    signs: list[Column]


def legend_of(sheet: Sheet, columns: list[Column]) -> Legend:
    """The legend of a sheet in these columns."""
    deciding = [words_of(judged.criterion) for judged in shown_criteria(sheet.standings)]
    codes = {criterion.code for criterion in deciding}
    figures = (column.key for column in columns if column.css in FIGURES)
    beside = [words_of(get(code)) for code in figures if code not in codes]
    return Legend(deciding, beside, [column for column in columns if column.css in SIGNS])

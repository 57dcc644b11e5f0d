"""The columns of criteria, with links from values to explanations, and the legend."""

from functools import cache as once
from html import escape
from typing import NamedTuple

from standings.engine import CriterionColumn, Scale, fraction_text, get_criterion
from standings.tables.cells import AS_RECORDED
from standings.tables.sheet import StandingsSheet, displayed_codes, displayed_criteria
from standings.tables.sorting import TableColumn
from standings.texts import CriterionTexts, criterion_phrase, criterion_texts, values_of
from tournaments.texts import criterion_name, localized

FIGURES, SIGNS = ("lead", "tb"), ("overall", "published", "move", "start", "wdl", "rated")

EXPLAINED = 3  # number of criteria explained in the sentence above a table


def criteria_columns(sheet: StandingsSheet) -> list[TableColumn]:
    standings = sheet.standings
    columns = []
    for code in displayed_codes(sheet):
        judged = standings.column(code)
        criterion, column = judged.criterion, judged.column
        # In the order in which the engine compares the levels.
        keys = list(zip(*(column.keys(level).tolist() for level in range(column.levels)), strict=True))
        label = criterion.abbr + ("*" if criterion.code in standings.changed_columns else "")
        css = "lead" if code in standings.criteria[:1] else "tb"
        cells = _value_cells(sheet, judged, css, label)
        columns.append(TableColumn(criterion.address, label, criterion_name(criterion), css, cells, keys))
    return columns


def _value_cells(sheet: StandingsSheet, judged: CriterionColumn, css: str, label: str) -> list[str]:
    """Return cells that link to explanations, with the exact first level as data.

    `label`: the heading, which phones show before each value.
    """
    address, end = escape(sheet.address), f"{escape(judged.criterion.address)}/{sheet.query}"
    shown = once(escape)  # few distinct values in many rows
    heading = escape(label)
    return [
        f'<td role=cell class={css} data-label="{heading}" data-value="{exact}">'
        f'<a href="{address}competitors/{entry.number}/{end}">{shown(text)}</a>'
        if text
        else f"<td role=cell class={css}>"
        for entry, text, exact in zip(
            sheet.entries, value_texts(sheet, judged), exact_texts(judged), strict=True
        )
    ]


def exact_texts(judged: CriterionColumn) -> list[str]:
    """Return the first level of each value, machine-readable, blank if the criterion was not applied."""
    column, used = judged.column, judged.used.tolist()
    tops, bottoms = (figures.tolist() for figures in column.figures())
    texts = [
        column.measure.exact((top, bottom, column.unit)) for top, bottom in zip(tops, bottoms, strict=True)
    ]
    # If the criterion was not applied to a tie, its values are 0 without meaning.
    if not judged.criterion.within_tie:
        return texts
    return [
        text if levels or row in judged.ruled else ""
        for row, (text, levels) in enumerate(zip(texts, used, strict=True))
    ]


def value_texts(sheet: StandingsSheet, judged: CriterionColumn) -> list[str]:
    """Return the texts of the cells, with points of games in the reader's notation."""
    style, code, scale = sheet.style, judged.criterion.code, sheet.standings.table.scale
    are_game_points = code == "game-points" or (code == "total-score" and scale is Scale.GAME)
    if (style.shows, style.of) == (AS_RECORDED.shows, AS_RECORDED.of) or not are_game_points:
        return values_of(judged)
    texts = []
    for row in range(len(sheet.entries)):
        # From exact values, because the engine's texts use the event's own notation.
        points = judged.column.value(row) * 2 * style.shows / style.of
        text = localized(fraction_text(points.numerator, points.denominator))
        texts.append(text + ("*" if row in judged.ruled else ""))
    return texts


class Legend(NamedTuple):
    """The explanation of a table's columns.

    `deciding`: the criteria in ranking order. `beside`: other criteria with a column. `signs`: other columns
    that need an explanation. `meanings`: the meaning of the values of each deciding criterion. `edition`: the
    edition of FIDE's rules that the table follows.
    """

    deciding: list[CriterionTexts]
    beside: list[CriterionTexts]
    signs: list[TableColumn]
    meanings: list[str]
    edition: str

    @property
    def explained(self) -> list[tuple[CriterionTexts, str]]:
        return list(zip(self.deciding, self.meanings, strict=True))[:EXPLAINED]

    @property
    def named(self) -> list[CriterionTexts]:
        return self.deciding[EXPLAINED:]


def table_legend(sheet: StandingsSheet, columns: list[TableColumn]) -> Legend:
    shown = [judged.criterion for judged in displayed_criteria(sheet.standings)]
    primary = sheet.standings.table.scale if sheet.event.is_team else None
    deciding = [criterion_texts(criterion) for criterion in shown]
    meanings = [criterion_phrase(criterion, primary) for criterion in shown]
    codes = {criterion.code for criterion in deciding}
    figures = (get_criterion(column.key) for column in columns if column.css in FIGURES)
    beside = [criterion_texts(criterion) for criterion in figures if criterion.code not in codes]
    signs = [column for column in columns if column.css in SIGNS]
    return Legend(deciding, beside, signs, meanings, sheet.edition_text)

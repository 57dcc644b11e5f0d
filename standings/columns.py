"""The columns of a standings table: what each is called, shows and sorts by. Cells are safe HTML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from standings.cells import RoundCells
from standings.engine import Judged, Kind, Row, Standings
from standings.entries import Entry, flag_of, printed_code, year_of
from tournaments.models import Event

OLIMPBASE = ("game-points", "match-points", "buchholz@game", "dsb", "dsmp")
DESCENDING, ASCENDING = "desc", "asc"


@dataclass(frozen=True)
class Column:
    """One column: its key in the address, its heading, and its cells in the order of the crosstable.

    `sort_keys` are in the same order; None where the column does not sort. `best_first` is the direction of
    the first click.
    """

    key: str
    label: str
    name: str
    css: str
    cells: list[str]
    sort_keys: Sequence[Any] | None = None
    best_first: str = DESCENDING


@dataclass(frozen=True)
class Sheet:
    """What a table is written from; `address` is the event's page, `query` what links to values carry on."""

    event: Event
    standings: Standings
    entries: list[Entry]
    address: str
    query: str = ""

    @cached_property
    def codes_tell(self) -> bool:
        """Whether the cells name opponents by their codes: teams, each with a code of its own."""
        codes = [entry.code for entry in self.entries]
        return self.event.is_team and all(codes) and len(set(codes)) == len(codes)

    @cached_property
    def rows(self) -> list[Row]:
        """The rows in standings order."""
        return list(self.standings.rows())

    @cached_property
    def by_competitor(self) -> list[Row]:
        """The rows in the order of the crosstable."""
        return sorted(self.rows, key=lambda row: row.competitor)

    @cached_property
    def first_on_place(self) -> dict[int, int]:
        """For each place, the first row of the crosstable that has it."""
        return {row.place: row.competitor for row in reversed(self.rows) if row.place}

    def label(self, row: int) -> str:
        """How a competitor is called in the cells of the others."""
        if self.codes_tell:
            return self.entries[row].code
        if self.event.cell_number == Event.CellNumber.START:
            return str(self.entries[row].number)
        return str(self.standings.place[row] or "-")


def all_columns(sheet: Sheet) -> list[Column]:
    """The columns of the standings page: teams read the criteria first, players the rounds (pages § 2)."""
    head = [*_leading_columns(sheet), *_code_column(sheet)]
    if sheet.event.is_team:
        return [*head, *_criteria_columns(sheet), *_result_columns(sheet), *_round_columns(sheet)]
    return [*head, *_rating_column(sheet), *_round_columns(sheet), *_criteria_columns(sheet)]


def summary_columns(sheet: Sheet) -> list[Column]:
    """The columns of a short table: place, name and what decides."""
    return [*_leading_columns(sheet), *_criteria_columns(sheet)]


def crosstable_columns(sheet: Sheet) -> tuple[list[Column], list[Column]]:
    """The columns of a cross table before and after the opponents."""
    return _leading_columns(sheet), _criteria_columns(sheet)


def _leading_columns(sheet: Sheet) -> list[Column]:
    label = "team" if sheet.event.is_team else "name"
    names = [entry.name.casefold() for entry in sheet.entries]
    year, rows = year_of(sheet.event), sheet.by_competitor
    return [
        Column("place", "no.", "Place", "no", [_place_cell(sheet, row) for row in rows]),
        Column(
            "name",
            label,
            label.capitalize(),
            "who",
            [_name_cell(sheet, row, year) for row in rows],
            names,
            ASCENDING,
        ),
    ]


def _place_cell(sheet: Sheet, row: Row) -> str:
    mark = "*" if "place" in row.marks else ""
    medal = " data-medal" if row.place and row.place <= 3 else ""
    return f'<td class="no"{medal}>{_place_text(sheet, row)}{mark}</td>'


def _place_text(sheet: Sheet, row: Row) -> str:
    if row.place is None:
        return "–" if "annulled" in row.marks else "-"
    if not row.shared:
        return str(row.place)
    if sheet.event.places == Event.Places.RANGE:
        return f"{row.place}-{row.place + row.sharing - 1}"
    if sheet.event.places == Event.Places.EQUALS:
        return f"{row.place}="
    if row.competitor == sheet.first_on_place[row.place]:
        return f'{row.place}<span class="spoken"> shared</span>'
    return f'<span class="repeated">{row.place}<span class="spoken"> shared</span></span>'


def _name_cell(sheet: Sheet, row: Row, year: int | None) -> str:
    entry = sheet.entries[row.competitor]
    flag = flag_of(entry.flag or entry.code, year)
    title = f' <span class="title">{escape(entry.title)}</span>' if entry.title else ""
    left = entry.withdrawn_after
    gone = f' <span class="title">withdrawn after round {left}</span>' if "withdrawn" in row.marks else ""
    href = f"{escape(sheet.address)}competitors/{entry.number}/"
    link = f'<a href="{href}">{escape(entry.name)}</a>'
    return f'<th scope="row" class="who">{flag}{link}{title}{gone}</th>'


def _code_column(sheet: Sheet) -> list[Column]:
    year = year_of(sheet.event)
    codes = [printed_code(entry.code, year) for entry in sheet.entries]
    if not any(codes):
        return []
    keys = [(not code, code.casefold()) for code in codes]
    return [Column("code", "code", "Code", "code", _cells("code", codes), keys, ASCENDING)]


def _rating_column(sheet: Sheet) -> list[Column]:
    ratings = [entry.rating or 0 for entry in sheet.entries]
    if not any(ratings):
        return []
    cells = _cells("rating", (str(rating or "") for rating in ratings))
    return [Column("rating", "rating", "Rating", "rating", cells, ratings)]


def _cells(css: str, texts: Iterable[str]) -> list[str]:
    return [f'<td class="{css}">{escape(text)}</td>' for text in texts]


def _criteria_columns(sheet: Sheet) -> list[Column]:
    standings, codes = sheet.standings, sheet.standings.criteria
    if sheet.event.columns == Event.Columns.OLIMPBASE:
        codes = (*OLIMPBASE, *(code for code in codes if code not in OLIMPBASE))
    lead = standings.criteria[:1]
    return [
        _criterion_column(sheet, standings.column(code), "lead" if code in lead else "tb")
        for code in codes
        if _used(standings, code)
    ]


def shown_criteria(standings: Standings) -> list[Judged]:
    """What decides, without manual numbers that nobody entered."""
    return [judged for judged in standings.judged if _used(standings, judged.criterion.code)]


def _used(standings: Standings, code: str) -> bool:
    return code != "manual" or bool(standings.table.manual_numbers.any())


def _criterion_column(sheet: Sheet, judged: Judged, css: str) -> Column:
    criterion, column = judged.criterion, judged.column
    keys = list(zip(*(column.keys(level).tolist() for level in range(column.levels)), strict=True))
    changed = "*" if criterion.code in sheet.standings.changed_criteria else ""
    rule = f"{criterion.name}: {criterion.rule}"
    return Column(criterion.code, criterion.abbr + changed, rule, css, _value_cells(sheet, judged, css), keys)


def _value_cells(sheet: Sheet, judged: Judged, css: str) -> list[str]:
    """Each value is a link to its explanation."""
    address, end = escape(sheet.address), f"{escape(judged.criterion.code)}/{sheet.query}"
    return [
        f'<td class="{css}"><a href="{address}competitors/{entry.number}/{end}">{escape(text)}</a></td>'
        if text
        else f'<td class="{css}"></td>'
        for entry, text in zip(sheet.entries, judged.texts, strict=True)
    ]


def _result_columns(sheet: Sheet) -> list[Column]:
    counted = sheet.standings.table.won_drawn_lost.T.tolist()
    names = (("won", "+"), ("drawn", "="), ("lost", "−"))
    return [
        Column(
            key, label, f"Matches {key}", "wdl", [f'<td class="wdl">{count}</td>' for count in counts], counts
        )
        for (key, label), counts in zip(names, counted, strict=True)
    ]


def _round_columns(sheet: Sheet) -> list[Column]:
    table, by_hand = sheet.standings.table, sheet.standings.changed_pairings
    writer = RoundCells(sheet.entries, sheet.label, sheet.address, players=not sheet.event.is_team)
    prefix = "" if sheet.event.is_team else "R"
    scored = table.settled & (table.state != Kind.ABSENT)
    points = np.where(scored, table.game_points, -1).T.tolist()
    columns = zip(writer.columns(table, by_hand), points, strict=True)
    return [
        Column(f"round-{number}", f"{prefix}{number}", f"Round {number}", "round", cells, own_points)
        for number, (cells, own_points) in enumerate(columns, start=1)
    ]

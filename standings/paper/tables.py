"""Standings and cross tables on paper."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from standings.basis import basis_text
from standings.checking.reports import UNCHECKED
from standings.checking.trust import trust_statement
from standings.pages.events.notes import crosstable_notes_of, list_notes_of, manual_changes, notes_of
from standings.paper.options import LARGEST_NUMBER
from standings.paper.printout import Printout
from standings.paper.source import PaperSource
from standings.services import Ranked, category_members, prizes_of
from standings.tables.columns import all_columns, summary_columns
from standings.tables.matrix import LARGEST, Matrix
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import TableColumn
from standings.tables.values import table_legend
from tournaments.prizes.texts import category_name, sharing_text

ROOM = {"a4": 190, "a4-wide": 277, "a5": 132, "a5-wide": 194}
"""The width of each page in millimetres."""

WIDTHS = {
    "no": 9,
    "who": 46,
    "code": 13,
    "start": 10,
    "rating": 12,
    "round": 12,
    "lead": 11,
    "tb": 13,
    "wdl": 7,
}
"""The column widths in millimetres by class. Names may take two lines."""

AGAINST = 8.5
"""The width of a column per opponent in millimetres."""

ONLINE = ("move", "published", "detail")
"""Columns that exist only on the screen."""


def standings_list(source: PaperSource) -> Iterator[Printout]:
    sheet = source.standings
    columns = [each for each in _printed_columns(sheet) if each.css != "round"]
    page = source.options.page(is_wide=_width(columns) > ROOM["a4"])
    yield _printout(source, _("Standings"), columns, page, list_notes_of(sheet))


def wall_list(source: PaperSource) -> Iterator[Printout]:
    sheet = source.standings
    page, notes = source.options.page(), list_notes_of(sheet)
    yield replace(_printout(source, _("Standings"), summary_columns(sheet), page, notes), css="wall")


def standings_by_category(source: PaperSource) -> Iterator[Printout]:
    sheet, members = source.standings, category_members(source.event)
    parts = []
    for category in source.event.categories:
        group = replace(sheet, among=members[category["code"]].numbers)
        table = StandingsTable(group, [each for each in _printed_columns(group) if each.css != "round"])
        parts.append((category_name(category), _html(table)))
    yield Printout(
        _("Standings by category"),
        format_html_join("\n", '<section class="part"><h3>{}</h3>{}</section>', parts),
        source.options.page(),
        basis_text(sheet.basis),
        _table_notes(source, list_notes_of(sheet)),
    )


def prize_printout(source: PaperSource) -> Iterator[Printout]:
    sheet = source.standings
    found = Ranked(sheet.entries, sheet.standings)
    listed = prizes_of(source.event, found) if sheet.standings.table.rounds else None
    context = {"list": listed, "event": source.event}
    yield Printout(
        _("Prizes"),
        render_to_string("standings/_prizelist.html", context),
        source.options.page(),
        basis_text(sheet.basis),
        [sharing_text(source.event), *_ruling_notes(source)],
    )


def cross_table(source: PaperSource) -> Iterator[Printout]:
    sheet = source.standings
    if sheet.event.is_round_robin and len(sheet.entries) <= LARGEST:
        yield from _matrix(source)
        return
    page = source.options.page(is_wide=True)
    for columns in _column_parts(_printed_columns(sheet), ROOM[page]):
        yield _printout(source, _("Cross table"), columns, page, notes_of(sheet))


def _printed_columns(sheet: StandingsSheet) -> list[TableColumn]:
    return [each for each in all_columns(sheet) if each.css not in ONLINE]


def _width(columns: Sequence[TableColumn]) -> float:
    return sum(WIDTHS.get(each.css, WIDTHS["tb"]) for each in columns)


def _column_parts(columns: list[TableColumn], room: float) -> Iterator[list[TableColumn]]:
    lead = [each for each in columns if each.css in {"no", "who"}]
    rest = [each for each in columns if each not in lead]
    part: list[TableColumn] = []
    for each in rest:
        if part and _width([*lead, *part, each]) > room:
            yield [*lead, *part]
            part = []
        part.append(each)
    yield [*lead, *part]


def _printout(
    source: PaperSource, title: str, columns: list[TableColumn], page: str, notes: Sequence[str]
) -> Printout:
    sheet = source.standings
    table = StandingsTable(sheet, columns)
    table.standings_rows = [row for row in sheet.rows if source.options.among(row.place or LARGEST_NUMBER)]
    decided = ", ".join(f"{each.name} ({each.abbr})" for each in table_legend(sheet, columns).deciding)
    of_order = [_("Decided by: %(criteria)s.") % {"criteria": decided}] if decided else []
    notes = [*of_order, *_table_notes(source, notes)]
    return Printout(title, _html(table), page, basis_text(sheet.basis), notes)


def _html(table: StandingsTable) -> SafeString:
    return SafeString(
        f'<table class="rows standings"><thead><tr>{table.plain_heads}</tr></thead>'
        f"<tbody>{table.rows}</tbody></table>"
    )


def _table_notes(source: PaperSource, notes: Sequence[str]) -> list[str]:
    sheet = source.standings
    edition = [sheet.edition_text] if sheet.edition_text else []
    # The printout in the hall is published first, so only sources that published its standings are named.
    trust = trust_statement(sheet, is_final=sheet.standings.table.rounds == source.paired)
    sources = [] if trust is None or trust.state == UNCHECKED else [f"{capfirst(trust.sentence)}."]
    return [*edition, *notes, *sources, *_ruling_notes(source)]


def _ruling_notes(source: PaperSource) -> list[str]:
    return [source.words_of(each) for each in manual_changes(source.standings, source.paired)]


def _matrix(source: PaperSource) -> Iterator[Printout]:
    sheet = source.standings
    matrix = Matrix(sheet)
    page = source.options.page(is_wide=True)
    lead = _width(matrix.lead)
    at_once = int((ROOM[page] - lead - _width(matrix.figures)) // AGAINST)
    against = matrix.order
    parts = [against[at : at + at_once] for at in range(0, len(against), at_once)]
    for number, part in enumerate(parts, start=1):
        is_last = number == len(parts)
        heads, rows = matrix.heads_of(part, figures=is_last), matrix.rows_of(part, figures=is_last)
        yield Printout(
            _("Cross table"),
            SafeString(
                f'<table class="rows matrix"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
            ),
            page,
            basis_text(sheet.basis),
            _table_notes(source, crosstable_notes_of(sheet)) if is_last else [],
        )

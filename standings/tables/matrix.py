"""The cross table: a row and a column for each competitor, in standings order."""

from collections.abc import Sequence
from functools import cache as once
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.tables.cells import CrosstableRound, RoundCells, rounds_by_opponent, sign, spoken_round, tint
from standings.tables.columns import crosstable_columns
from standings.tables.rows import row_start
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import HEAD, TableColumn, plain_head
from standings.tables.why import with_reasons

LARGEST = 64  # larger tables are unreadable


class Matrix:
    """The standings as a cross table.

    `reasons`: whether a column explains each row's position above the next row.
    """

    def __init__(self, sheet: StandingsSheet, *, reasons: bool = False) -> None:
        self.sheet = sheet
        self.order = sheet.standings.order.tolist()
        self.lead, self.figures = crosstable_columns(sheet)
        if reasons:
            self.lead = with_reasons(self.lead, sheet, sheet.rows)
        itself = escape(_("the same competitor"))
        self.itself = f'<td role="cell" class="m self"><span class="spoken">{itself}</span></td>'
        # Cached, because a table of 64 has four thousand cells.
        self.spoken_round = once(lambda number: escape(spoken_round(number)))
        self.words = RoundCells(sheet.entries, sheet.label, sheet.address, players=not sheet.event.is_team)

    @property
    def heads(self) -> SafeString:
        return self.heads_of(self.order)

    def heads_of(self, against: Sequence[int], *, figures: bool = True) -> SafeString:
        spoken = _("against %(name)s")
        opponents = (
            f'{HEAD} class="round"><span aria-hidden="true">{self.sheet.number(row)}</span>'
            f'<span class="spoken">{escape(spoken % {"name": self.sheet.entries[row].name})}</span></th>'
            for row in against
        )
        end = map(plain_head, self.figures if figures else ())
        return SafeString("".join([*map(plain_head, self.lead), *opponents, *end]))

    @property
    def rows(self) -> SafeString:
        return self.rows_of(self.order)

    def rows_of(self, against: Sequence[int], *, figures: bool = True) -> SafeString:
        end = self.figures if figures else []
        rows = (
            f"{row_start(self.sheet.entries[row].number)}{self._row(row, against, end)}</tr>"
            for row in self.order
        )
        return SafeString("\n".join(rows))

    def _row(self, row: int, against: Sequence[int], end: Sequence[TableColumn]) -> str:
        met = rounds_by_opponent(self.sheet.shown_results.table, row)
        cells = (self.itself if row == other else self._cell(row, other, met[other]) for other in against)
        lead = (column.cells[row] for column in self.lead)
        return "".join([*lead, *cells, *(column.cells[row] for column in end)])

    def _cell(self, row: int, other: int, games: list[CrosstableRound]) -> str:
        inside = "<i>·</i>".join(self._game(row, game) for game in games)
        return f'<td role="cell" class="m" data-label="{self.sheet.number(other)}">{inside}</td>'

    def _game(self, row: int, game: CrosstableRound) -> str:
        href = f"{escape(self.sheet.address)}rounds/{game.round}/{game.table}/"
        changed = (row, game.round) in self.sheet.shown_results.changed_pairings
        spoken = self.words.words(game, changed=changed)
        if self.sheet.event.knows_round_order:
            spoken = f"{self.spoken_round(game.round)}, {spoken}"
        mark = "*" if changed else ""
        css, shown = tint(game.result), sign(game.result) or "…"
        delayed = escape(game.result.delayed_text)
        title = f' title="{delayed}"' if delayed else ""
        return f'<a class="{css}" href="{href}"{title} aria-label="{spoken}"><b>{shown}{mark}</b></a>'

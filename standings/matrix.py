"""The cross table: everybody against everybody, in the order of the standings."""

from collections import defaultdict
from html import escape

from django.utils.safestring import SafeString

from standings.cells import OwnRound, RoundCells, own_rounds, sign, tint
from standings.columns import Column, Sheet, crosstable_columns

LARGEST = 64
"""More competitors than this make no table that anybody can read."""


class Matrix:
    """A sheet as a cross table: rows and columns are the competitors in standings order."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.order = sheet.standings.order.tolist()
        self.lead, self.figures = crosstable_columns(sheet)
        self.words = RoundCells(sheet.entries, sheet.label, sheet.address, players=not sheet.event.is_team)

    @property
    def heads(self) -> SafeString:
        """Place and name, a column per competitor, then the figures."""
        opponents = (
            f'<th scope="col" class="round"><span title="{escape(self.sheet.entries[row].name)}">'
            f'<span aria-hidden="true">{at}</span>'
            f'<span class="spoken">against {escape(self.sheet.entries[row].name)}</span></span></th>'
            for at, row in enumerate(self.order, start=1)
        )
        return SafeString("".join([*map(_head, self.lead), *opponents, *map(_head, self.figures)]))

    @property
    def rows(self) -> SafeString:
        """A row per competitor."""
        return SafeString("\n".join(f"<tr>{self._row(row)}</tr>" for row in self.order))

    def _row(self, row: int) -> str:
        met: dict[int, list[OwnRound]] = defaultdict(list)
        for own_round in own_rounds(self.sheet.standings.table, row):
            met[own_round.opponent].append(own_round)
        cells = (SELF if row == other else self._cell(met.get(other, [])) for other in self.order)
        lead = (column.cells[row] for column in self.lead)
        return "".join([*lead, *cells, *(column.cells[row] for column in self.figures)])

    def _cell(self, games: list[OwnRound]) -> str:
        """What the two scored against each other, in the order of the rounds."""
        css = tint(games[0].facts) if len(games) == 1 else "many"
        return f'<td class="m {css}">{"·".join(map(self._game, games))}</td>'

    def _game(self, own_round: OwnRound) -> str:
        href = f"{escape(self.sheet.address)}rounds/{own_round.round}/{own_round.table}/"
        spoken = f"Round {own_round.round}, {self.words.words(own_round)}"
        return f'<a href="{href}" aria-label="{spoken}">{sign(own_round.facts) or "…"}</a>'


SELF = '<td class="m self"><span class="spoken">the same competitor</span></td>'


def _head(column: Column) -> str:
    title, label = escape(column.name), escape(column.label)
    return f'<th scope="col" class="{column.css}" title="{title}">{label}</th>'

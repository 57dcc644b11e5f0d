"""The column that explains why a row is above the next one if the first criterion is level."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache as once
from functools import partial
from html import escape
from itertools import pairwise

import numpy as np
from django.utils.translation import gettext as _

from standings.engine import Row
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import TableColumn
from standings.tables.values import value_texts
from standings.texts import criterion_phrase
from tournaments.texts import localized

BY_HAND, MANUAL = "place", "manual"


def with_reasons(columns: list[TableColumn], sheet: StandingsSheet, rows: Sequence[Row]) -> list[TableColumn]:
    if sheet.reasons == "hidden":
        return columns
    at = max(at for at, column in enumerate(columns, start=1) if column.css in {"who", "detail"})
    return [*columns[:at], why_column(sheet, rows), *columns[at:]]


def why_column(sheet: StandingsSheet, rows: Sequence[Row]) -> TableColumn:
    """Return the column of reasons, linked to comparisons of the two competitors.

    Below the first row it is blank if the first criterion decides, which readers can see.
    """
    cells = ["<td role=cell class=why>"] * len(sheet.entries)
    start, end = f'<a href="{escape(sheet.address)}compare/', f'/{escape(sheet.query)}">'
    for above, below, words in _reasons(sheet, rows):
        link = f"{start}{sheet.entries[above].number}/{sheet.entries[below].number}{end}{words}</a>"
        # Comparisons include the arbiter's decisions, so they may contradict computed standings.
        cells[above] = f"<td role=cell class=why>{words if sheet.as_computed else link}"
    name = _("Why above the next")
    return TableColumn("why", _("why"), name, "why", cells)


def _reasons(sheet: StandingsSheet, rows: Sequence[Row]) -> Iterator[tuple[int, int, str]]:
    standings = sheet.standings
    if not standings.columns:
        return
    order = np.array([row.competitor for row in rows], dtype=np.int64)
    first = standings.columns[0].column.keys()
    level = (first[order[:-1]] == first[order[1:]]).tolist()
    decided = standings.decided(order[:-1], order[1:])
    by_criterion = once(partial(_criterion_reason, sheet))
    has_code = sheet.event.is_team and sheet.codes_tell and sheet.reasons != "long"
    for (above, below), is_level, decision in zip(pairwise(rows), level, decided, strict=True):
        below_entry = sheet.entries[below.competitor]
        name = escape(below_entry.code if has_code else below_entry.name)
        if decision and decision[0] == BY_HAND:
            words = escape(_("above %(name)s by the arbiter's decision on the place*")) % {"name": name}
        elif decision is None:
            words = _shared_place_reason(sheet, above, below, name)
        elif is_level or above is rows[0]:
            words = by_criterion(*decision)(above.competitor, below.competitor, name)
        else:
            continue
        if words:
            yield above.competitor, below.competitor, words


def _criterion_reason(sheet: StandingsSheet, code: str, level: int) -> Callable[[int, int, str], str]:
    """Return a function that renders how a criterion separates two rows, given the name of the second one."""
    judged = sheet.standings.column(code)
    criterion, column = judged.criterion, judged.column
    if sheet.reasons != "long":
        sentence, what = escape(_("above %(name)s: %(short)s %(more)s:%(less)s")), ""
    else:
        sentence = escape(_("above %(name)s: %(what)s, %(more)s to %(less)s (%(short)s)"))
        scale = sheet.standings.table.scale if sheet.event.is_team else None
        by_lot = _("the arbiter's decision or a drawing of lots")
        what = escape(by_lot if criterion.code == MANUAL else criterion_phrase(criterion, scale))
    short = escape(criterion.abbr)
    is_single_value = column.levels == 1 and not criterion.within_tie
    texts = value_texts(sheet, judged) if is_single_value else []
    shown = once(escape)  # few distinct values in many rows

    def figure(row: int) -> str:
        if is_single_value:
            return shown(texts[row])
        return shown(localized(column.figure_text(row, level))) + ("*" if row in judged.ruled else "")

    def words(above: int, below: int, name: str) -> str:
        figures = {"more": figure(above), "less": figure(below), "short": short}
        return sentence % {"name": name, "what": what, **figures}

    return words


def _shared_place_reason(sheet: StandingsSheet, above: Row, below: Row, name: str) -> str:
    if above.place is None or above.place != below.place:
        return ""
    is_decided = "place" in above.marks or "place" in below.marks
    # Also if the reasons are short: "=" would state more than is known.
    if not is_decided and sheet.standings.lacks_values(above.competitor):
        return escape(_("shares the place with %(name)s: level by every known value")) % {"name": name}
    if sheet.reasons != "long":
        return f"= {name}{'*' if is_decided else ''}"
    if is_decided:
        return escape(_("shares the place with %(name)s by the arbiter's decision*")) % {"name": name}
    return escape(_("shares the place with %(name)s: level by every criterion")) % {"name": name}

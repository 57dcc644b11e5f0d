"""Standings tables from a text drawing of a crosstable."""

import re
from html import unescape
from typing import Any

from standings.engine import SYSTEMS, Crosstable, RankingOverride, rank, read_crosstable
from standings.tables.columns import all_columns
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event


def draw(text: str, **about: Any) -> Crosstable:
    """Return the crosstable of a drawing, with draughts scoring."""
    return read_crosstable(text, **about)


def sheet(
    table: Crosstable,
    *criteria: str,
    overrides: tuple[RankingOverride, ...] = (),
    particulars: dict[str, dict[str, Any]] | None = None,
    **event: Any,
) -> StandingsSheet:
    """Return a sheet under a system with these criteria; `particulars` are the competitors', by name."""
    system = SYSTEMS["manual-swiss"].ordered_by(criteria or ("total-score",))
    nobody = CompetitorInfo(0, 0, "")
    entries = [
        nobody._replace(number=number, name=name, **(particulars or {}).get(name, {}))
        for number, name in zip(table.numbers.tolist(), table.names, strict=True)
    ]
    recorded = Event(**({"slug": "drawn", "name": "Drawn", "entrants": "players", "start": "2022"} | event))
    return StandingsSheet(recorded, rank(table, system, overrides), entries, "/events/drawn/")


def shown(sheet: StandingsSheet, sort: str = "", direction: str = "") -> list[list[str]]:
    """Return the visible text of every cell, row by row, without place changes (see `moves`)."""
    return [
        [visible(cell) for cell in cells if "class=move" not in cell]
        for cells in cells_of(sheet, sort, direction)
    ]


def moves(sheet: StandingsSheet) -> list[tuple[str, list[str]]]:
    """Return the visible and the spoken place change of each row."""
    found = [cell for cells in cells_of(sheet) for cell in cells if "class=move" in cell]
    return [(visible(cell), names(cell)) for cell in found]


def cells_of(sheet: StandingsSheet, sort: str = "", direction: str = "") -> list[list[str]]:
    """Return the HTML of every cell, row by row."""
    rows = StandingsTable(sheet, all_columns(sheet), {"sort": sort, "dir": direction}).rows.split("\n")
    return [re.findall(r"<t[dh].*?(?=<t[dh]|</tr>)", row) for row in rows]


def spoken(sheet: StandingsSheet) -> dict[str, list[str]]:
    """Return the accessible names of the round cells, by competitor."""
    rows = StandingsTable(sheet, all_columns(sheet)).rows.split("\n")
    halves = (row.split("<th", 1)[1].split("</th>") for row in rows)
    return {visible(f"<th{name}"): names(rest) for name, rest in halves}


def names(row: str) -> list[str]:
    return [unescape(name) for name in re.findall(r'aria-label="(.*?)"', row)]


def visible(html: str) -> str:
    """Return the visible text, without hidden repetitions of shared places."""
    html = re.sub(r'<span class="repeated">.*?</span></span>', "", html)
    html = re.sub(r'<span class="spoken">.*?</span>', "", html)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())

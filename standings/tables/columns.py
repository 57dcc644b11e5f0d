"""The columns of standings tables: headings, cells as safe HTML, and sort keys."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache as once
from html import escape
from urllib.parse import quote

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.basis import last_complete_round
from standings.engine import RoundKind, Row, Scale
from standings.flags import code_beside, flag_html
from standings.tables.cells import RoundCells, spoken_round
from standings.tables.sheet import DETAILS, StandingsSheet, published_figures
from standings.tables.sorting import ASCENDING, SortKey, TableColumn
from standings.tables.values import criteria_columns
from tournaments.models import Event
from tournaments.search.folding import sort_key

LINK = re.compile(r"</?(?:a|span)\b[^<>]*>")
"""The tags of a link to a match, or of the text of a bye."""


def all_columns(sheet: StandingsSheet) -> list[TableColumn]:
    # Criteria come first for teams and rounds for players, because readers compare them this way (pages § 2).
    place, name = _place_and_name_columns(sheet)
    places = [place] if sheet.among is None else _places_of_group(sheet, place)
    head = [*places, *_published_column(sheet), *_move_column(sheet), name]
    head += [*([] if sheet.codes_tell else _number_column(sheet)), *_code_column(sheet)]
    head += [_detail_column(sheet, key) for key in DETAILS[3:] if sheet.shows(key)]
    if not sheet.event.knows_results:
        return [*head, *_rating_column(sheet), *printed_columns(sheet)]
    if sheet.event.is_team:
        return [*head, *criteria_columns(sheet), *_result_columns(sheet), *_round_columns(sheet)]
    return [*head, *_rating_column(sheet), *_round_columns(sheet), *criteria_columns(sheet)]


def summary_columns(sheet: StandingsSheet) -> list[TableColumn]:
    return [*_place_and_name_columns(sheet), *(criteria_columns(sheet) or printed_columns(sheet))[:1]]


def printed_columns(sheet: StandingsSheet) -> list[TableColumn]:
    """Return the columns of a published ranking without results, as printed. Empty for other events."""
    return [
        TableColumn(f"printed-{at}", label, label, "rating", _table_cells("rating", label, figures))
        for at, (label, figures) in enumerate(published_figures(sheet.standings), start=1)
    ]


def crosstable_columns(sheet: StandingsSheet) -> tuple[list[TableColumn], list[TableColumn]]:
    return [*_place_and_name_columns(sheet), *_number_column(sheet)], criteria_columns(sheet)


def _place_and_name_columns(sheet: StandingsSheet) -> list[TableColumn]:
    label, name = (_("team"), _("Team")) if sheet.event.is_team else (_("name"), _("Name"))
    names = [sort_key(entry.name) for entry in sheet.entries]
    rows = sheet.by_competitor
    # Translated once for the table instead of once per row.
    withdrawn = escape(_("withdrawn after round %(number)s"))
    address = f"{escape(sheet.address)}competitors/"
    shown = {name for name in ("title", "code") if sheet.shows(name)}
    shown |= {"flag"} if sheet.event.has_nations and "code" in shown and not sheet.last_round_only else set()
    return [
        _place_column(sheet, rows, sheet.first_on_place),
        TableColumn(
            SortKey.NAME,
            label,
            name,
            "who",
            [_name_cell(sheet, row, address, withdrawn, shown) for row in rows],
            names,
            ASCENDING,
        ),
    ]


def _places_of_group(sheet: StandingsSheet, in_whole: TableColumn) -> list[TableColumn]:
    rows = sheet.rows_of_group
    own = _place_column(sheet, rows, {row.place: row.competitor for row in reversed(rows) if row.place})
    cells = dict(zip((row.competitor for row in rows), own.cells, strict=True))
    own = replace(own, cells=[cells.get(row, "") for row in range(len(sheet.entries))])
    # Every row shows its place: the first row of a shared place may not be in the table.
    unshared = (row._replace(sharing=1) for row in sheet.by_competitor)
    label, name = _("overall"), _("Overall place")
    start = f'<td role=cell class=overall data-label="{escape(label)}">'
    event_cells = [f"{start}{place_text(sheet, row, {}, '')}" for row in unshared]
    return [own, replace(in_whole, label=label, name=name, css="overall", cells=event_cells)]


def _place_column(sheet: StandingsSheet, rows: Iterable[Row], first: Mapping[int, int]) -> TableColumn:
    """Return the column of places. `first`: the first row of the crosstable on each place."""
    shared = escape(_("shared"))
    cells = []
    for row in rows:
        mark = "*" if "place" in row.marks else ""
        medal = " data-medal" if row.place and row.place <= 3 else ""
        place = place_text(sheet, row, first, shared)
        cells.append(f"<td role=cell class=no{medal}>{place}{mark}")
    return TableColumn("place", _("pl."), _("Place"), "no", cells)


def place_text(sheet: StandingsSheet, row: Row, first: Mapping[int, int], shared: str) -> str:
    """Return the place as HTML. `first`: as in `place_column`. `shared`: the text for screen readers."""
    if row.place is None:
        return "–" if "annulled" in row.marks else "-"
    if not row.shared:
        return str(row.place)
    if sheet.event.places == Event.Places.RANGE:
        return f"{row.place}-{row.place + row.sharing - 1}"
    if sheet.event.places == Event.Places.EQUALS:
        return f"{row.place}="
    if row.competitor == first[row.place]:
        return f'{row.place}<span class="spoken"> {shared}</span>'
    return f'<span class="repeated">{row.place}<span class="spoken"> {shared}</span></span>'


def _published_column(sheet: StandingsSheet) -> list[TableColumn]:
    # Sources do not include the arbiter's decisions that are recorded here.
    computed = sheet.standings.as_computed.place.tolist()
    pairs = [
        (sheet.published.get(entry.number), place)
        for entry, place in zip(sheet.entries, computed, strict=True)
    ]
    if all(printed in (None, place) for printed, place in pairs):
        return []
    label, cells = _("published"), []
    for printed, place in pairs:
        if printed is None:
            cells.append("<td role=cell class=published>")
            continue
        text = str(printed) if printed == place else f"<b>{printed}</b> ≠"
        cells.append(f'<td role=cell class=published data-label="{escape(label)}">{text}')
    # Competitors without a published place are sorted last.
    keys = [(printed is None, printed or 0) for printed, _place in pairs]
    name = _("Published place; ≠ if it is different here")
    return [TableColumn(SortKey.PUBLISHED, label, name, "published", cells, keys, ASCENDING)]


def _move_column(sheet: StandingsSheet) -> list[TableColumn]:
    table = sheet.standings.table
    if not sheet.moves or not sheet.event.knows_round_order or last_complete_round(table) < table.rounds:
        return []
    if sheet.among is not None:
        return []  # moves are of overall places
    before = last_complete_round(table.after(table.rounds - 1))
    if not before:
        return []
    earlier = sheet.standings.after(before)
    places = zip(earlier.place.tolist(), sheet.standings.place.tolist(), strict=True)
    moves = [old - new if old and new else None for old, new in places]
    cells = list(map(once(_move_cell), moves))
    name = _("Places gained or lost since round %(number)s") % {"number": before}
    return [
        TableColumn(
            SortKey.MOVE, "±", name, "move", cells, [-1000 if move is None else move for move in moves]
        )
    ]


def _move_cell(move: int | None) -> str:
    if move is None:
        return "<td role=cell class=move>"
    size = abs(move)
    if move > 0:
        shown, words = f"▲{size}", ngettext("up %(count)s place", "up %(count)s places", size)
    elif move < 0:
        shown, words = f"▼{size}", ngettext("down %(count)s place", "down %(count)s places", size)
    else:
        shown, words = "=", _("same place")
    spoken = escape(words % {"count": size})
    return f'<td role=cell class=move><span role="img" aria-label="{spoken}">{shown}</span>'


def _name_cell(sheet: StandingsSheet, row: Row, address: str, withdrawn: str, shown: set[str]) -> str:
    entry = sheet.entries[row.competitor]
    flag = flag_html(sheet.event, entry) if "flag" in shown else ""
    title = f' <span class="title">{escape(entry.title)}</span>' if entry.title and "title" in shown else ""
    left = withdrawn % {"number": entry.withdrawn_after}
    gone = f' <span class="title">{left}</span>' if "withdrawn" in row.marks else ""
    link = f'<a class="name" href="{address}{entry.number}/">{escape(entry.name)}</a>'
    return f"<th scope=row role=rowheader class=who>{flag}{link}{title}{gone}</th>"


def _number_column(sheet: StandingsSheet) -> list[TableColumn]:
    if not (sheet.start_numbers and sheet.standings.table.rounds):
        return []
    numbers = [entry.number for entry in sheet.entries]
    cells = _table_cells("start", label := _("start"), map(str, numbers))
    return [TableColumn(SortKey.NUMBER, label, _("Start number"), "start", cells, numbers, ASCENDING)]


def _code_column(sheet: StandingsSheet) -> list[TableColumn]:
    event = sheet.event
    codes = [code_beside(event, entry) for entry in sheet.entries]
    flags = ["" if event.has_nations else flag_html(event, entry) for entry in sheet.entries]
    if not sheet.shows("code") or not (any(codes) or any(flags)):
        return []
    keys = [(not code, sort_key(code)) for code in codes]
    cells = [
        f"<td role=cell class=code>{escape(code)}{' ' if code and flag else ''}{flag}"
        for code, flag in zip(codes, flags, strict=True)
    ]
    return [TableColumn(SortKey.CODE, _("code"), _("Code"), "code", cells, keys, ASCENDING)]


def _rating_column(sheet: StandingsSheet) -> list[TableColumn]:
    if not sheet.shows("rating"):
        return []
    ratings = [entry.rating or 0 for entry in sheet.entries]
    cells = _table_cells("rating", label := _("rating"), (str(rating or "") for rating in ratings))
    return [TableColumn(SortKey.RATING, label, _("Rating"), "rating", cells, ratings)]


def _detail_column(sheet: StandingsSheet, key: str) -> TableColumn:
    texts, label = [", ".join(fact) for fact in sheet.facts(key)], _(key)
    cells = _table_cells("detail", label, texts)
    if key in {"club", "city"}:
        link = f'><a href="{escape(sheet.address)}standings/?{key}='
        cells = [
            cell.replace(">", f'{link}{quote(text)}">', 1) + "</a>" if text else cell
            for cell, text in zip(cells, texts, strict=True)
        ]
    keys = [(not text, sort_key(text)) for text in texts]
    return TableColumn(key, label, label, "detail", cells, keys, ASCENDING)


def _table_cells(css: str, label: str, texts: Iterable[str]) -> list[str]:
    start = f'<td role=cell class={css} data-label="{escape(label)}">'
    return [f"{start}{escape(text)}" if text else f"<td role=cell class={css}>" for text in texts]


def _result_columns(sheet: StandingsSheet) -> list[TableColumn]:
    counted = sheet.standings.table.won_drawn_lost.T.tolist()
    names = (
        (SortKey.WON, "+", _("Matches won")),
        (SortKey.DRAWN, "=", _("Matches drawn")),
        (SortKey.LOST, "−", _("Matches lost")),
    )
    return [
        TableColumn(key, label, name, "wdl", [f"<td role=cell class=wdl>{count}" for count in counts], counts)
        for (key, label, name), counts in zip(names, counted, strict=True)
    ]


def _round_columns(sheet: StandingsSheet) -> list[TableColumn]:
    if not sheet.event.knows_round_order:
        return []
    table, by_hand = sheet.shown_results.table, sheet.shown_results.changed_pairings
    players = not sheet.event.is_team
    writer = RoundCells(sheet.entries, sheet.label, sheet.address, sheet.style, players=players)
    prefix = "" if sheet.event.is_team else "R"
    # By points. Absent and unsettled competitors are sorted below competitors with 0 points.
    scored = table.settled & (table.state != RoundKind.ABSENT)
    points = np.where(scored, table.points(Scale.GAME), -1).T.tolist()
    columns = zip(writer.columns(table, by_hand), points, strict=True)
    found = [
        TableColumn(f"round-{number}", f"{prefix}{number}", spoken_round(number), "round", cells, own_points)
        for number, (cells, own_points) in enumerate(columns, start=1)
    ]
    if sheet.last_round_only:
        return [replace(each, cells=[LINK.sub("", cell) for cell in each.cells]) for each in found[-1:]]
    return found

"""The columns of a standings table: what each is called, shows and sorts by. Cells are safe HTML."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache as once
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.basis import Basis, basis_of
from standings.engine import Judged, RoundKind, Row, Scale, Standings, points_text
from standings.entries import Entry, code_beside, flag_beside
from standings.tables.cells import AS_RECORDED, RoundCells, Style, spoken_round
from standings.words import name_of, values_of, written
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
    """What a table is written from.

    `address` is the event's page, `query` what links to values carry on, `style` how the reader wants points
    and cells. `ruled` are the standings as ruled where these are the ones as computed. `moves`: whether the
    moves of the last round are of interest, as they are not in a final table. `published` are the places that
    the source printed, by competitor number.
    """

    event: Event
    standings: Standings
    entries: list[Entry]
    address: str
    query: str = ""
    style: Style = AS_RECORDED
    ruled: Standings | None = None
    moves: bool = True
    published: Mapping[int, int] = field(default_factory=dict)

    @property
    def as_computed(self) -> bool:
        """Whether manual changes are left out."""
        return self.ruled is not None

    @cached_property
    def basis(self) -> Basis:
        """The results that the standings rest on."""
        return basis_of(self.standings.table)

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

    @cached_property
    def start_numbers(self) -> bool:
        """Whether the numbers in cells and headings are start numbers, and not places.

        The event may want it so. And it is so where a row has no place of its own: a number leads to one row.
        """
        own_places = bool((self.standings.sharing == 1).all())
        return self.event.cell_number == Event.CellNumber.START or not own_places

    def number(self, row: int) -> str:
        """The number that leads to a competitor's row, and to no other."""
        return str(self.entries[row].number if self.start_numbers else self.standings.place[row])

    def label(self, row: int) -> str:
        """How a competitor is called in the cells of the others."""
        return self.entries[row].code if self.codes_tell else self.number(row)


def all_columns(sheet: Sheet) -> list[Column]:
    """The columns of the standings page: teams read the criteria first, players the rounds (pages § 2)."""
    place, name = _leading_columns(sheet)
    head = [place, *_published_column(sheet), *_move_column(sheet), name]
    head += [*([] if sheet.codes_tell else _number_column(sheet)), *_code_column(sheet)]
    if sheet.event.is_team:
        return [*head, *_criteria_columns(sheet), *_result_columns(sheet), *_round_columns(sheet)]
    return [*head, *_rating_column(sheet), *_round_columns(sheet), *_criteria_columns(sheet)]


def summary_columns(sheet: Sheet) -> list[Column]:
    """The columns of a short table: place, name and what decides."""
    return [*_leading_columns(sheet), *_criteria_columns(sheet)]


def crosstable_columns(sheet: Sheet) -> tuple[list[Column], list[Column]]:
    """The columns of a cross table before and after the opponents."""
    return [*_leading_columns(sheet), *_number_column(sheet)], _criteria_columns(sheet)


def _leading_columns(sheet: Sheet) -> list[Column]:
    label, name = (_("team"), _("Team")) if sheet.event.is_team else (_("name"), _("Name"))
    names = [entry.name.casefold() for entry in sheet.entries]
    rows = sheet.by_competitor
    shared, withdrawn = escape(_("shared")), escape(_("withdrawn after round %(number)s"))
    return [
        Column("place", _("no."), _("Place"), "no", [_place_cell(sheet, row, shared) for row in rows]),
        Column(
            "name",
            label,
            name,
            "who",
            [_name_cell(sheet, row, withdrawn) for row in rows],
            names,
            ASCENDING,
        ),
    ]


def _place_cell(sheet: Sheet, row: Row, shared: str) -> str:
    mark = "*" if "place" in row.marks else ""
    medal = " data-medal" if row.place and row.place <= 3 else ""
    return f'<td class="no"{medal}>{_place_text(sheet, row, shared)}{mark}</td>'


def _place_text(sheet: Sheet, row: Row, shared: str) -> str:
    """The place; `shared` is the word for who listens."""
    if row.place is None:
        return "–" if "annulled" in row.marks else "-"
    if not row.shared:
        return str(row.place)
    if sheet.event.places == Event.Places.RANGE:
        return f"{row.place}-{row.place + row.sharing - 1}"
    if sheet.event.places == Event.Places.EQUALS:
        return f"{row.place}="
    if row.competitor == sheet.first_on_place[row.place]:
        return f'{row.place}<span class="spoken"> {shared}</span>'
    return f'<span class="repeated">{row.place}<span class="spoken"> {shared}</span></span>'


def _published_column(sheet: Sheet) -> list[Column]:
    """The places that the source printed, where one of them is not what we compute (rules § 6)."""
    computed = sheet.standings.as_computed.place.tolist()
    pairs = [
        (sheet.published.get(entry.number), place)
        for entry, place in zip(sheet.entries, computed, strict=True)
    ]
    if all(printed in (None, place) for printed, place in pairs):
        return []
    cells = [_published_cell(printed, place) for printed, place in pairs]
    keys = [(printed is None, printed or 0) for printed, _place in pairs]
    name = _("Place that was published; ≠ marks those that are not ours")
    return [Column("published", _("published"), name, "published", cells, keys, ASCENDING)]


def _published_cell(printed: int | None, place: int) -> str:
    if printed is None:
        return '<td class="published"></td>'
    text = str(printed) if printed == place else f"<b>{printed}</b> ≠"
    return f'<td class="published">{text}</td>'


def _move_column(sheet: Sheet) -> list[Column]:
    """How many places each row moved in the last round; nothing before the second one."""
    before = sheet.standings.table.rounds - 1
    if before < 1 or not sheet.moves:
        return []
    moves = _moves(sheet.standings)
    cells = list(map(once(_move_cell), moves))
    name = _("Places moved since round %(number)s") % {"number": before}
    return [Column("move", "±", name, "move", cells, [-1000 if move is None else move for move in moves])]


def _moves(standings: Standings) -> list[int | None]:
    """For each row of the crosstable, the places it went up in the last round; None without a place."""
    earlier = standings.after(standings.table.rounds - 1)
    places = zip(earlier.place.tolist(), standings.place.tolist(), strict=True)
    return [before - now if before and now else None for before, now in places]


def _move_cell(move: int | None) -> str:
    if move is None:
        return '<td class="move"></td>'
    size = abs(move)
    if move > 0:
        shown, words = f"▲{size}", ngettext("up %(count)s place", "up %(count)s places", size)
    elif move < 0:
        shown, words = f"▼{size}", ngettext("down %(count)s place", "down %(count)s places", size)
    else:
        shown, words = "=", _("same place")
    spoken = escape(words % {"count": size})
    return f'<td class="move"><span role="img" aria-label="{spoken}">{shown}</span></td>'


def _name_cell(sheet: Sheet, row: Row, withdrawn: str) -> str:
    entry = sheet.entries[row.competitor]
    flag = flag_beside(sheet.event, entry) if sheet.event.has_nations else ""
    title = f' <span class="title">{escape(entry.title)}</span>' if entry.title else ""
    left = withdrawn % {"number": entry.withdrawn_after}
    gone = f' <span class="title">{left}</span>' if "withdrawn" in row.marks else ""
    href = f"{escape(sheet.address)}competitors/{entry.number}/"
    link = f'<a href="{href}">{escape(entry.name)}</a>'
    return f'<th scope="row" class="who">{flag}{link}{title}{gone}</th>'


def _number_column(sheet: Sheet) -> list[Column]:
    """The start numbers, where numbers elsewhere in the table are these."""
    if not (sheet.start_numbers and sheet.standings.table.rounds):
        return []
    numbers = [entry.number for entry in sheet.entries]
    cells = _cells("start", map(str, numbers))
    return [Column("number", _("start"), _("Start number"), "start", cells, numbers, ASCENDING)]


def _code_column(sheet: Sheet) -> list[Column]:
    event = sheet.event
    codes = [code_beside(event, entry) for entry in sheet.entries]
    flags = ["" if event.has_nations else flag_beside(event, entry) for entry in sheet.entries]
    if not any(codes) and not any(flags):
        return []
    keys = [(not code, code.casefold()) for code in codes]
    cells = [
        f'<td class="code">{escape(code)}{" " if code and flag else ""}{flag}</td>'
        for code, flag in zip(codes, flags, strict=True)
    ]
    return [Column("code", _("code"), _("Code"), "code", cells, keys, ASCENDING)]


def _rating_column(sheet: Sheet) -> list[Column]:
    ratings = [entry.rating or 0 for entry in sheet.entries]
    if not any(ratings):
        return []
    cells = _cells("rating", (str(rating or "") for rating in ratings))
    return [Column("rating", _("rating"), _("Rating"), "rating", cells, ratings)]


def _cells(css: str, texts: Iterable[str]) -> list[str]:
    return [f'<td class="{css}">{escape(text)}</td>' for text in texts]


def _criteria_columns(sheet: Sheet) -> list[Column]:
    standings = sheet.standings
    lead = standings.criteria[:1]
    return [
        _criterion_column(sheet, standings.column(code), "lead" if code in lead else "tb")
        for code in codes_shown(sheet)
    ]


def codes_shown(sheet: Sheet) -> list[str]:
    """The codes of the criteria that have a column, in their order."""
    codes = sheet.standings.criteria
    if sheet.event.columns == Event.Columns.OLIMPBASE:
        codes = (*OLIMPBASE, *(code for code in codes if code not in OLIMPBASE))
    return [code for code in codes if _used(sheet.standings, code)]


def shown_criteria(standings: Standings) -> list[Judged]:
    """What decides, without manual numbers that nobody entered."""
    return [judged for judged in standings.judged if _used(standings, judged.criterion.code)]


def _used(standings: Standings, code: str) -> bool:
    return code != "manual" or bool(standings.table.manual_numbers.any())


def _criterion_column(sheet: Sheet, judged: Judged, css: str) -> Column:
    criterion, column = judged.criterion, judged.column
    keys = list(zip(*(column.keys(level).tolist() for level in range(column.levels)), strict=True))
    changed = "*" if criterion.code in sheet.standings.changed_columns else ""
    label, cells = criterion.abbr + changed, _value_cells(sheet, judged, css)
    return Column(criterion.code, label, name_of(criterion), css, cells, keys)


def _value_cells(sheet: Sheet, judged: Judged, css: str) -> list[str]:
    """Each value is a link to its explanation; the cell has the exact value of its first level as data."""
    address, end = escape(sheet.address), f"{escape(judged.criterion.code)}/{sheet.query}"
    return [
        f'<td class="{css}" data-value="{exact}">'
        f'<a href="{address}competitors/{entry.number}/{end}">{escape(text)}</a></td>'
        if text
        else f'<td class="{css}"></td>'
        for entry, text, exact in zip(
            sheet.entries, _value_texts(sheet, judged), exact_texts(judged), strict=True
        )
    ]


def exact_texts(judged: Judged) -> list[str]:
    """The first level of each value as a machine reads it; blank where nothing was decided."""
    column, used = judged.column, judged.used.tolist()
    tops, bottoms = (figures.tolist() for figures in column.figures())
    texts = [
        column.measure.exact((top, bottom, column.unit)) for top, bottom in zip(tops, bottoms, strict=True)
    ]
    if not judged.criterion.within_tie:
        return texts
    return [
        text if levels or row in judged.ruled else ""
        for row, (text, levels) in enumerate(zip(texts, used, strict=True))
    ]


def _value_texts(sheet: Sheet, judged: Judged) -> list[str]:
    """What the cells say; points of games in the notation that the reader chose."""
    style = sheet.style
    if (style.shows, style.of) == (AS_RECORDED.shows, AS_RECORDED.of) or not _counts_games(sheet, judged):
        return values_of(judged)
    rows = range(len(sheet.entries))
    return [
        written(_in_notation(judged.column.value(row), style)) + ("*" if row in judged.ruled else "")
        for row in rows
    ]


def _counts_games(sheet: Sheet, judged: Judged) -> bool:
    """Whether a criterion is the sum of the points of games."""
    code, scale = judged.criterion.code, sheet.standings.table.scale
    return code == "game-points" or (code == "total-score" and scale is Scale.GAME)


def _in_notation(points: Fraction, style: Style) -> str:
    shown = points * 2 * style.shows / style.of
    return points_text(shown.numerator, shown.denominator)


def _result_columns(sheet: Sheet) -> list[Column]:
    counted = sheet.standings.table.won_drawn_lost.T.tolist()
    names = (
        ("won", "+", _("Matches won")),
        ("drawn", "=", _("Matches drawn")),
        ("lost", "−", _("Matches lost")),
    )
    return [
        Column(key, label, name, "wdl", [f'<td class="wdl">{count}</td>' for count in counts], counts)
        for (key, label, name), counts in zip(names, counted, strict=True)
    ]


def _round_columns(sheet: Sheet) -> list[Column]:
    table, by_hand = sheet.standings.table, sheet.standings.changed_pairings
    players = not sheet.event.is_team
    writer = RoundCells(sheet.entries, sheet.label, sheet.address, sheet.style, players=players)
    prefix = "" if sheet.event.is_team else "R"
    scored = table.settled & (table.state != RoundKind.ABSENT)
    points = np.where(scored, table.points(Scale.GAME), -1).T.tolist()
    columns = zip(writer.columns(table, by_hand), points, strict=True)
    return [
        Column(f"round-{number}", f"{prefix}{number}", spoken_round(number), "round", cells, own_points)
        for number, (cells, own_points) in enumerate(columns, start=1)
    ]

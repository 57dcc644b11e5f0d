"""What a table is, and which of its columns is what: guessed from its heading, corrected by people."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice

from tournaments.formats.tables.crosstable_cells import is_cell, is_of_an_opponent
from tournaments.formats.tables.grid import Grid, GridRow, letters
from tournaments.formats.tables.joining import joined, joins

COMPETITOR_LINE = ("name", "code", "rating", "title")
PLAYER_LINE = ("name", "rating", "title", "fide_id")
"""What a pasted line says of one, in this order; what is not known is left out or empty."""

COMPETITORS, RESULTS, CROSSTABLE, MATRIX, NOTHING = "competitors", "results", "crosstable", "matrix", ""
ROLES = (COMPETITORS, RESULTS, CROSSTABLE, MATRIX)
COUNTED = {CROSSTABLE: "round", MATRIX: "opponent"}
"""What the numbered columns of a table are; those of a matrix have the order of its rows."""

WHO = (
    "number", "name", "code", "flag", "title", "rating", "rating_class", "outside", "withdrawn_after",
)  # fmt: skip
MEMBER = ("board", "player", "player_title", "player_rating", "fide_id")
PLAYED = (
    "round", "date", "table", "board", "first_number", "first", "first_player", "result", "first_score",
    "second_score", "second_player", "second_number", "second", "kind", "white", "advantage",
    "games_played", "note",
)  # fmt: skip
FIELDS: dict[str, tuple[str, ...]] = {
    COMPETITORS: (*WHO, *MEMBER),
    RESULTS: PLAYED,
    CROSSTABLE: ("label", *WHO, "points"),
    MATRIX: (*WHO, "points"),
}
"""What a column of each sort of table may be; `label` is what cells call a competitor, if not the number."""

WORDS: dict[str, str] = {
    "number": "number no nr num snr sno startno startnr startnumber startnummer rangnummer numéro № #",
    "label": "place rank rk rg pl plaats rang pos position platz место",
    "points": "points pts pt total totaal punten punkte pkt pnt ptn score mp очки",
    "name": "name player naam nom spieler speler joueur team club ploeg mannschaft équipe competitor имя фио",
    "code": "code fed federation federatie country land nat fédération страна",
    "flag": "flag vlag",
    "title": "title titel titre cat звание",
    "rating": "rating rtg elo fmjd ratingi rtgi rtgint эло рейтинг",
    "rating_class": "ratingclass",
    "outside": "outside hc horsconcours",
    "withdrawn_after": "withdrawnafter",
    "board": "board bo bord brett échiquier",
    "player": "player",
    "player_title": "playertitle",
    "player_rating": "playerrating",
    "fide_id": "fideid idfide",
    "round": "round rd rnd ronde runde тур",
    "date": "date datum дата",
    "table": "table tafel tisch",
    "first_number": "firstnumber whitenumber",
    "first": "first white wit home thuis weiss weiß blancs белые",
    "second_number": "secondnumber blacknumber",
    "second": "second black zwart away uit schwarz noirs чёрные",
    "result": "result uitslag ergebnis résultat score res результат",
    "first_score": "firstscore whitescore",
    "second_score": "secondscore blackscore",
    "first_player": "firstplayer",
    "second_player": "secondplayer",
    "kind": "kind",
    "white": "white",
    "advantage": "advantage voordeel",
    "games_played": "gamesplayed",
    "note": "note remark opmerking",
}
"""Words of headings for each field, without blanks and points; none stands twice for one sort of table."""

ROUND = re.compile(
    r"(?:r|rd|rnd|round|ronde|runde|тур)?\.?(\d{1,3})\.?(?:r|rd|rnd|round|ronde|runde|тур)?\.?"
)
_MEANINGS: dict[str, list[str]] = {}
for _field, _words in WORDS.items():
    for _each in _words.split():
        _MEANINGS.setdefault(_each, []).append(_field)
WHOLE_NUMBER = re.compile(r"\d{1,5}\.?")
_TITLE = re.compile(r"W?[GIFCN]M|A[GIFC]M|GMI|GMN|MI|MF|MN|MIF|MFF|CMF")  # of FIDE and of FMJD
_LOOKS = {
    "name": re.compile(r"[^\W\d_].*"),
    "code": re.compile(r"(?:[A-Z]{2,3}\d*)?"),
    "rating": re.compile(r"(?:\d{1,4})?"),
}
"""What a column of a list without a heading looks like."""

_COMMENT = re.compile(r"#(?!\S)")
_SOURCE = re.compile(r".*://|#|chess-tournament-results-server", re.IGNORECASE)
_DEEPEST_HEADING = 10  # rows of titles and dates above the heading


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The sort of a table, and the field by column, counted from 0: `rating`, or `round:3` for a round."""

    role: str
    columns: Mapping[int, str]

    def column(self, name: str) -> int | None:
        """Return the column of a field."""
        return next((at for at, each in self.columns.items() if each == name), None)


def rounds_of(layout: TableLayout) -> set[int]:
    """Return the numbers of the rounds that a cross table has columns of."""
    return {int(each.partition(":")[2]) for each in layout.columns.values() if each.startswith("round:")}


@dataclass(frozen=True)
class HeadedTable:
    """A grid with its heading, if it has one, and its rows."""

    grid: Grid
    heading: GridRow | None
    rows: tuple[GridRow, ...]

    @cached_property
    def labels(self) -> list[str]:
        """Return what each column is called: its heading, or its letter."""
        named = self.heading.cells if self.heading else ()
        return [
            (named[at] if at < len(named) else "") or letters(at)
            for at in range(max(self.grid.width, len(named)))
        ]

    @property
    def signature(self) -> str:
        """Return a checksum of the heading, by which a layout is remembered; blank without a heading."""
        if self.heading is None:
            return ""
        # The words without case and points: the next export of a program may write them otherwise.
        return sha256("\x1f".join(map(_word, self.heading.cells)).encode()).hexdigest()


def table_of(grid: Grid) -> HeadedTable:
    """Return the grid with its heading found: the first row of which at least two cells are known words.

    Where there is none, the first row, if it has no figures in columns of figures. Remarks are no rows.
    """
    for at, row in enumerate(grid.rows[:_DEEPEST_HEADING]):
        if len(_known(row)) >= 2 or _heads_a_matrix(row):
            return HeadedTable(grid, row, _without_remarks(grid.rows[at + 1 :]))
    is_heading = len(grid.rows) > 1 and _names_columns(grid.rows[0], grid.rows[1:])
    heading, rows = (grid.rows[0], grid.rows[1:]) if is_heading else (None, grid.rows)
    return HeadedTable(grid, heading, _without_remarks(rows))


def _without_remarks(rows: Iterable[GridRow]) -> tuple[GridRow, ...]:
    """Return the rows but comments (`# …`) and those that only name the table's source."""
    return tuple(row for row in rows if not _is_remark([cell for cell in row.cells if cell]))


def _is_remark(filled: Sequence[str]) -> bool:
    is_source = len(filled) == 1 and _SOURCE.match(filled[0])
    return not filled or bool(is_source or _COMMENT.match(filled[0]))


def with_rounds_joined(table: HeadedTable) -> HeadedTable:
    """Return the table with one column a round where it has three: the opponent, the colour, the result."""
    heading = table.heading
    if heading is None:
        return table
    rounds = [at for at, cell in enumerate(heading.cells) if ROUND.fullmatch(_word(cell))]
    starts = [at for at in rounds if not any(map(heading.cell, (at + 1, at + 2))) and joins(table.rows, at)]
    if not starts:
        return table
    lines = {row.number: joined(row, starts) for row in table.rows}
    grid = replace(table.grid, rows=tuple(lines.get(row.number, row) for row in table.grid.rows))
    headed = joined(heading, starts)
    grid = replace(grid, rows=tuple(headed if row is heading else row for row in grid.rows))
    return HeadedTable(grid, headed, tuple(lines.values()))


def _heads_a_matrix(row: GridRow) -> bool:
    """Say whether a row has a known word and numbers from 1 in their order: `Name 1 2 3`."""
    numbers = [int(cell) for cell in map(_word, row.cells) if cell.isdecimal() and len(cell) < 4]
    return bool(_known(row)) and len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))


def _names_columns(first: GridRow, others: tuple[GridRow, ...]) -> bool:
    if len(first.cells) < 2 or any(sign.isdecimal() for cell in first.cells for sign in cell):
        return False
    columns = ([row.cell(at) for row in others] for at in range(len(first.cells)) if first.cell(at))
    return any(all(cell.isdecimal() for cell in column) for column in columns)


def _word(cell: str) -> str:
    return re.sub(r"[\s._:'’()/-]+", "", cell.casefold())


def _known(row: GridRow) -> list[str]:
    words = [_word(cell) for cell in row.cells]
    return [word for word in words if word in _MEANINGS or (ROUND.fullmatch(word) and not word.isdecimal())]


def names_places(label: str) -> bool:
    """Say whether a heading says that its column holds places."""
    return "label" in _MEANINGS.get(_word(label), ())


def is_of_a_round(table: HeadedTable, at: int) -> bool:
    """Say whether a column seems to hold what was played in a round, by heading or by cells."""
    cells = [cell for row in table.rows if (cell := row.cell(at))]
    heading = ROUND.fullmatch(_word(table.heading.cell(at))) if table.heading else None
    is_counted = heading is not None and int(heading[1]) > 0
    return bool(cells) and (is_counted or 2 * sum(map(is_of_an_opponent, cells)) > len(cells))


def guessed(table: HeadedTable) -> TableLayout:
    """Return the layout that most of the heading speaks for; no role where nothing does."""
    if table.heading is None:
        return _by_cells(table)
    found = [_by_heading(table, table.heading, role) for role in ROLES]
    best = max(found, key=lambda each: _weight(table, each))
    return best if _weight(table, best) else TableLayout(NOTHING, {})


def guessed_as(table: HeadedTable, role: str) -> TableLayout:
    """Return the columns of a table of that sort, as far as its heading or its cells tell them."""
    if role == NOTHING:
        return TableLayout(NOTHING, {})
    if table.heading is not None:
        return _by_heading(table, table.heading, role)
    return TableLayout(role, _by_cells(table).columns if role == CROSSTABLE else {})


def _by_heading(table: HeadedTable, heading: GridRow, role: str) -> TableLayout:
    """Return the layout that the heading says."""
    columns = dict(_columns(heading, role))
    if "title" in FIELDS[role] and "title" not in columns.values():
        # Some lists have titles in a column without a heading, between the number and the name.
        bare = (at for at in range(table.grid.width) if not heading.cell(at) and _are_titles(table, at))
        columns |= dict.fromkeys(islice(bare, 1), "title")
    return TableLayout(role, columns)


def _are_titles(table: HeadedTable, at: int) -> bool:
    titles = [cell for row in table.rows if (cell := row.cell(at))]
    return bool(titles) and all(map(_TITLE.fullmatch, titles))


def _columns(heading: GridRow, role: str) -> Iterator[tuple[int, str]]:
    taken: set[str] = set()
    for at, cell in enumerate(heading.cells):
        word = _word(cell)
        meant = (each for each in _MEANINGS.get(word, ()) if each in FIELDS[role] and each not in taken)
        field = next(meant, "")
        number = ROUND.fullmatch(word)
        # A bare figure heads a column of a round or of an opponent; in other tables it is no field.
        if not field and number and int(number[1]) > 0 and (role == CROSSTABLE or word.isdecimal()):
            field = f"{COUNTED[role]}:{int(number[1])}" if role in COUNTED else ""
        if field and field not in taken:
            taken.add(field)
            yield at, field


NEEDED = {
    COMPETITORS: (("name", "player"),),
    RESULTS: (("round",), ("first", "first_number"), ("result", "first_score", "kind")),
    CROSSTABLE: (("round:1",),),
    MATRIX: (("opponent:1",),),
}
"""Of each sort of table: what one column of each of these groups must be."""


def missing(layout: TableLayout) -> list[tuple[str, ...]]:
    """Return the groups of which no column is."""
    fields = set(layout.columns.values())
    if layout.role in COUNTED:
        is_there = any(field.startswith(f"{COUNTED[layout.role]}:") for field in fields)
        return [] if is_there else list(NEEDED[layout.role])
    return [group for group in NEEDED.get(layout.role, ()) if not fields & set(group)]


def _weight(table: HeadedTable, layout: TableLayout) -> int:
    if missing(layout):
        return 0
    rounds = [at for at, field in layout.columns.items() if field.startswith("round:")]
    if layout.role == CROSSTABLE and not _are_cells(table, rounds):
        return 0
    if layout.role == MATRIX and not _is_square(table, layout):
        return 0
    # Between layouts that name as many columns the one that holds results wins.
    return len(layout.columns) + {CROSSTABLE: 1, MATRIX: 2}.get(layout.role, 0)


def _is_square(table: HeadedTable, layout: TableLayout) -> bool:
    """Say whether as many columns as rows are numbered, and points stand off the diagonal only."""
    columns = [layout.column(f"opponent:{at}") for at in range(1, len(table.rows) + 1)]
    numbered = sum(field.startswith("opponent:") for field in layout.columns.values())
    if numbered != len(columns) or None in columns:
        return False
    cells = [[row.cell(at) for at in columns if at is not None] for row in table.rows]
    own = {cells[at].pop(at) for at in range(len(cells))}
    return not any(map(has_points, own)) and any(has_points(each) for row in cells for each in row)


def has_points(cell: str) -> bool:
    """Say whether a cell of a square is a result, unlike what marks the diagonal."""
    return any(sign.isdecimal() or sign in "½=+" for sign in cell)


def _by_cells(table: HeadedTable) -> TableLayout:
    """Return the layout of a table without a heading: a cross table by its cells, or a list."""
    cells = [at for at in range(table.grid.width) if _are_cells(table, [at])]
    if not cells:
        return _layout_of_list(table)
    rounds = {at: f"round:{number}" for number, at in enumerate(cells, start=1)}
    return TableLayout(CROSSTABLE, {**dict(_lead(table, cells[0])), **rounds})


def _layout_of_list(table: HeadedTable) -> TableLayout:
    """Return the layout of a list of competitors in the order of those pasted at the desk."""
    first = 1 if all(WHOLE_NUMBER.fullmatch(row.cell(0)) for row in table.rows) else 0
    width = table.grid.width
    columns = {at: name for at, name in enumerate(COMPETITOR_LINE, start=first) if at < width}
    known = {at: _LOOKS[name] for at, name in columns.items() if name in _LOOKS}
    looks = (look.fullmatch(row.cell(at)) for row in table.rows for at, look in known.items())
    is_list = bool(table.rows) and all(looks)
    if not is_list or width > first + len(COMPETITOR_LINE):
        return TableLayout(NOTHING, {})
    return TableLayout(COMPETITORS, {0: "number", **columns} if first else columns)


def _lead(table: HeadedTable, before: int) -> Iterator[tuple[int, str]]:
    texts = [[row.cell(at) for row in table.rows] for at in range(before)]
    is_number = [all(re.fullmatch(r"\d{1,5}\.?", cell) for cell in column if cell) for column in texts]
    numbers = [at for at in range(before) if is_number[at] and any(texts[at])]
    names = [at for at in range(before) if not is_number[at]]
    yield from ((at, "number") for at in numbers[:1])
    yield from ((at, "name") for at in names[:1])


def _are_cells(table: HeadedTable, columns: list[int]) -> bool:
    """Say whether most of what stands in the columns is the cell of a cross table."""
    texts = [text for row in table.rows for at in columns if (text := row.cell(at))]
    cells = sum(map(is_cell, texts))
    # Columns of dashes alone are no rounds, though a dash is a cell.
    return 2 * cells > len(texts) and any(text[-1:].isalnum() or text[:1].isdecimal() for text in texts)

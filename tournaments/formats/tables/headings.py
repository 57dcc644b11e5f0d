"""What a table is, and which of its columns is what: guessed from its heading, corrected by people."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice
from unicodedata import name

from tournaments.formats.tables.crosstable_cells import is_cell, is_of_an_opponent
from tournaments.formats.tables.grid import Grid, GridRow, letters
from tournaments.formats.tables.heading_words import MEANINGS, ROUND, names_a_column, word_of
from tournaments.formats.tables.joining import joined, joins

COMPETITOR_LINE = ("name", "code", "rating", "title")
PLAYER_LINE = ("name", "rating", "title", "fide_id")
"""What a pasted line says of one, in this order; what is not known is left out or empty."""

COMPETITORS, RESULTS, CROSSTABLE, MATRIX, NOTHING = "competitors", "results", "crosstable", "matrix", ""
ROLES = (COMPETITORS, RESULTS, CROSSTABLE, MATRIX)
COUNTED = {CROSSTABLE: "round", MATRIX: "opponent"}
"""What the numbered columns of a table are; those of a matrix have the order of its rows."""

WHO = (
    "number", "name", "other_name", "code", "flag", "title", "rating", "rating_class", "outside",
    "withdrawn_after",
)  # fmt: skip
MEMBER = ("board", "player", "player_title", "player_rating", "fide_id")
PARTICULARS = ("club", "city", "sex", "born", "fmjd_id", "categories")
"""What an entry list says of a player, or of a team in rows without a player."""

PLAYED = (
    "round", "date", "table", "board", "first_number", "first", "first_player", "result", "first_score",
    "second_score", "second_player", "second_number", "second", "kind", "white", "advantage",
    "games_played", "moves", "note",
)  # fmt: skip
PRINTED = "figure"
"""The field of columns that are kept as they are printed, such as tie-breaks; it may stand several times."""

FIELDS: dict[str, tuple[str, ...]] = {
    COMPETITORS: (*WHO, *MEMBER, *PARTICULARS),
    RESULTS: PLAYED,
    CROSSTABLE: ("label", *WHO, "fide_id", *PARTICULARS, "points", PRINTED),
    MATRIX: ("label", *WHO, "fide_id", *PARTICULARS, "points", PRINTED),
}
"""What a column of each sort of table may be; `label` is what cells call a competitor, if not the number."""

WHOLE_NUMBER = re.compile(r"\d{1,5}\.?")
TITLE = re.compile(r"W?[GIFCN]M|A[GIFC]M|GMI|GMN|MI|MF|MN|MIF|MFF|CMF")
"""A title of FIDE or of the FMJD."""

_FRACTION = re.compile(r"[+-]?\d*[.,]\d+")
_LOOKS = {
    "name": re.compile(r"[^\W\d_].*"),
    "code": re.compile(r"(?:[A-Z]{2,3}\d*)?"),
    "rating": re.compile(r"(?:\d{1,4})?"),
}
"""What a column of a list without a heading looks like."""

_COMMENT = re.compile(r"#(?!\S)")
_SOURCE = re.compile(r".*://|#|chess-tournament-results-server", re.IGNORECASE)
_NARROWEST = 3  # columns of a table at whose end a lone text is a remark
_DEEPEST_HEADING = 10  # rows of titles and dates above the heading


@dataclass(frozen=True, slots=True)
class TableMapping:
    """The sort of a table, and the field by column, counted from 0: `rating`, or `round:3` for a round."""

    role: str
    columns: Mapping[int, str]

    def column(self, name: str) -> int | None:
        """Return the column of a field."""
        return next((at for at, each in self.columns.items() if each == name), None)


def rounds_of(mapping: TableMapping) -> set[int]:
    """Return the numbers of the rounds that a cross table has columns of."""
    return {int(each.partition(":")[2]) for each in mapping.columns.values() if each.startswith("round:")}


@dataclass(frozen=True)
class HeadedTable:
    """A grid with its heading, if it has one, and its rows.

    `is_of_sides`: its competitors are those whom games name, so it adds nobody to an event that has some.
    `is_left_out`: it is of another group than the one that is read.
    """

    grid: Grid
    heading: GridRow | None
    rows: tuple[GridRow, ...]
    is_of_sides: bool = False
    is_left_out: bool = False

    @cached_property
    def labels(self) -> list[str]:
        """Return what each column is called: its heading, or its letter."""
        named = self.heading.cells if self.heading else ()
        return [
            (named[at] if at < len(named) else "") or letters(at)
            for at in range(max(self.grid.width, len(named)))
        ]

    @property
    def outside(self) -> tuple[GridRow, ...]:
        """Return the rows that are neither its heading nor its own: titles above it, remarks below it."""
        own = {row.number for row in self.rows}
        return tuple(row for row in self.grid.rows if row is not self.heading and row.number not in own)

    @property
    def signature(self) -> str:
        """Return a checksum of the heading, by which a mapping is remembered; blank without a heading."""
        if self.heading is None:
            return ""
        # The words without case and points: the next export of a program may write them otherwise.
        return sha256("\x1f".join(map(word_of, self.heading.cells)).encode()).hexdigest()


def table_of(grid: Grid) -> HeadedTable:
    """Return the grid with its heading found: the first row of which at least two cells are known words.

    Where there is none, the first row, if it has no figures in columns of figures. Remarks are no rows.
    """
    for at, row in enumerate(grid.rows[:_DEEPEST_HEADING]):
        if len(_known(row)) >= 2 or _heads_a_matrix(row):
            return HeadedTable(grid, row, without_remarks(grid.rows[at + 1 :], row))
    is_heading = len(grid.rows) > 1 and _names_columns(grid.rows[0], grid.rows[1:])
    heading, rows = (grid.rows[0], grid.rows[1:]) if is_heading else (None, grid.rows)
    return HeadedTable(grid, heading, without_remarks(rows, heading))


def without_remarks(rows: Sequence[GridRow], heading: GridRow | None = None) -> tuple[GridRow, ...]:
    """Return the rows but comments (`# …`), those that only name the table's source, and remarks at its end.

    Those are lines of one text in the first column, where that is no column of names: `Annotation:`.
    """
    found = [row for row in rows if not _is_remark([cell for cell in row.cells if cell])]
    # Where the first row does not begin with the sign of remarks, those that do are remarks.
    if found and not found[0].cell(0).startswith("#"):
        found = [row for row in found if not row.cell(0).startswith("#")]
    first = MEANINGS.get(word_of(heading.cell(0)), []) if heading else ["name"]
    if heading and len(heading.cells) > _NARROWEST and heading.cell(0) and "name" not in first:
        while found and _is_lone_text(found[-1]):
            found.pop()
    return tuple(found)


def _is_lone_text(row: GridRow) -> bool:
    text = row.cell(0)
    return not any(row.cells[1:]) and any(sign.isalpha() for sign in text)


def _is_remark(filled: Sequence[str]) -> bool:
    is_source = len(filled) == 1 and _SOURCE.match(filled[0])
    return not filled or bool(is_source or _COMMENT.match(filled[0]))


def with_rounds_joined(table: HeadedTable) -> HeadedTable:
    """Return the table with one column a round where it has three: the opponent, the colour, the result."""
    heading = table.heading
    if heading is None:
        return table
    rounds = [at for at, cell in enumerate(heading.cells) if ROUND.fullmatch(word_of(cell))]
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
    numbers = [int(cell) for cell in map(word_of, row.cells) if cell.isdecimal() and len(cell) < 4]
    return bool(_known(row)) and len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))


def _names_columns(first: GridRow, others: tuple[GridRow, ...]) -> bool:
    if len(first.cells) < 2 or any(sign.isdecimal() for cell in first.cells for sign in cell):
        return False
    columns = ([row.cell(at) for row in others] for at in range(len(first.cells)) if first.cell(at))
    return any(all(cell.isdecimal() for cell in column) for column in columns)


def _known(row: GridRow) -> list[str]:
    words = [word_of(cell) for cell in row.cells]
    return [
        word for word in words if names_a_column(word) or (ROUND.fullmatch(word) and not word.isdecimal())
    ]


def names_places(label: str) -> bool:
    """Say whether a heading says that its column holds places."""
    return "label" in MEANINGS.get(word_of(label), ())


def is_of_a_round(table: HeadedTable, at: int) -> bool:
    """Say whether a column seems to hold what was played in a round, by heading or by cells."""
    cells = [cell for row in table.rows if (cell := row.cell(at))]
    heading = ROUND.fullmatch(word_of(table.heading.cell(at))) if table.heading else None
    is_counted = heading is not None and int(heading[1]) > 0
    return bool(cells) and (is_counted or 2 * sum(map(is_of_an_opponent, cells)) > len(cells))


def guessed(table: HeadedTable) -> TableMapping:
    """Return the mapping that most of the heading speaks for; no role where nothing does."""
    if table.is_left_out:
        return TableMapping(NOTHING, {})
    if table.heading is None:
        return _by_cells(table)
    found = [_by_heading(table, table.heading, role) for role in ROLES]
    best = max(found, key=lambda each: _weight(table, each))
    return best if _weight(table, best) else TableMapping(NOTHING, {})


def guessed_as(table: HeadedTable, role: str) -> TableMapping:
    """Return the columns of a table of that sort, as far as its heading or its cells tell them."""
    if role == NOTHING:
        return TableMapping(NOTHING, {})
    if table.heading is not None:
        return _by_heading(table, table.heading, role)
    return TableMapping(role, _by_cells(table).columns if role == CROSSTABLE else {})


def _by_heading(table: HeadedTable, heading: GridRow, role: str) -> TableMapping:
    """Return the mapping that the heading says."""
    columns = {
        at: field
        for at, field in _columns(heading, role)
        if field != "rating" or not _are_fractions(table, at)
    }
    if "title" in FIELDS[role] and "title" not in columns.values():
        # Some lists have titles in a column without a heading, between the number and the name.
        bare = (at for at in range(table.grid.width) if not heading.cell(at) and _are_titles(table, at))
        columns |= dict.fromkeys(islice(bare, 1), "title")
    if "other_name" in FIELDS[role] and "name" in columns.values():
        columns |= dict.fromkeys(islice(_other_names(table, heading, columns), 1), "other_name")
    return TableMapping(role, columns)


def _other_names(table: HeadedTable, heading: GridRow, columns: Mapping[int, str]) -> Iterator[int]:
    """Yield further columns of names, in another script than those of the first: `Имя;Name`."""
    first = next(at for at, field in columns.items() if field == "name")
    for at, cell in enumerate(heading.cells):
        if at in columns or "name" not in MEANINGS.get(word_of(cell), ()):
            continue
        pairs = [(row.cell(first), row.cell(at)) for row in table.rows if row.cell(first) and row.cell(at)]
        differing = [script_of(one) != script_of(other) for one, other in pairs if one != other]
        if differing and all(differing):
            yield at


def script_of(text: str) -> str:
    """Return the script of the first letter of a text, such as `LATIN`; blank where it has none."""
    return next((name(sign).split()[0] for sign in text if sign.isalpha()), "")


def _are_fractions(table: HeadedTable, at: int) -> bool:
    """Say whether most of a column has decimals: figures of a calculation, which are no rating."""
    texts = [text for row in table.rows if (text := row.cell(at))]
    return 2 * sum(_FRACTION.fullmatch(each) is not None for each in texts) > len(texts)


def _are_titles(table: HeadedTable, at: int) -> bool:
    titles = [cell for row in table.rows if (cell := row.cell(at))]
    return bool(titles) and all(map(TITLE.fullmatch, titles))


def _columns(heading: GridRow, role: str) -> Iterator[tuple[int, str]]:
    taken: set[str] = set()
    meanings = {
        at: [each for each in MEANINGS.get(word_of(cell), ()) if each in FIELDS[role]]
        for at, cell in enumerate(heading.cells)
    }
    numbers = dict(_numbers(heading, role)) if role in COUNTED else {}
    # Words of one meaning first: beside a name a club is one, and else it is the name.
    for at in sorted(meanings, key=lambda at: len(meanings[at])):
        field = next((each for each in meanings[at] if each not in taken), "")
        if not field and at in numbers:
            field = f"{COUNTED[role]}:{numbers[at]}"
        if field and field not in taken:
            taken.add(field)
            yield at, field


def _numbers(heading: GridRow, role: str) -> Iterator[tuple[int, int]]:
    """Yield the columns that a number heads, with the number of the round or of the opponent.

    Some tables begin again at 1 with each cycle of a double round robin: then the rounds are counted on.
    """
    found = [(at, ROUND.fullmatch(word_of(cell)), word_of(cell)) for at, cell in enumerate(heading.cells)]
    # A bare figure heads a column of a round or of an opponent.
    columns = [
        (at, int(number[1]))
        for at, number, word in found
        if number and int(number[1]) > 0 and (role == CROSSTABLE or word.isdecimal())
    ]
    numbers = [number for _at, number in columns]
    cycle = max(numbers, default=0)
    if role == CROSSTABLE and len(numbers) > cycle:
        laps = [1 + at % cycle for at in range(len(numbers))]
        if numbers == laps:
            numbers = list(range(1, len(numbers) + 1))
    yield from zip((at for at, _number in columns), numbers, strict=True)


NEEDED = {
    COMPETITORS: (("name", "player"),),
    RESULTS: (("round",), ("first", "first_number"), ("result", "first_score", "kind")),
    CROSSTABLE: (("round:1",),),
    MATRIX: (("opponent:1",),),
}
"""Of each sort of table: what one column of each of these groups must be."""


def missing(mapping: TableMapping) -> list[tuple[str, ...]]:
    """Return the groups of which no column is."""
    fields = set(mapping.columns.values())
    if mapping.role in COUNTED:
        is_there = any(field.startswith(f"{COUNTED[mapping.role]}:") for field in fields)
        return [] if is_there else list(NEEDED[mapping.role])
    return [group for group in NEEDED.get(mapping.role, ()) if not fields & set(group)]


def _weight(table: HeadedTable, mapping: TableMapping) -> int:
    if missing(mapping):
        return 0
    rounds = [at for at, field in mapping.columns.items() if field.startswith("round:")]
    if mapping.role == CROSSTABLE and not _are_cells(table, rounds):
        return 0
    if mapping.role == MATRIX and not _is_square(table, mapping):
        return 0
    # Between mappings that name as many columns the one that holds results wins.
    # Particulars speak for none: cross tables have them too, where they are no fields.
    fields = [each for each in mapping.columns.values() if each not in PARTICULARS]
    return len(fields) + {CROSSTABLE: 1, MATRIX: 2}.get(mapping.role, 0)


def _is_square(table: HeadedTable, mapping: TableMapping) -> bool:
    """Say whether as many columns as rows are numbered, and points stand off the diagonal only."""
    columns = [mapping.column(f"opponent:{at}") for at in range(1, len(table.rows) + 1)]
    numbered = sum(field.startswith("opponent:") for field in mapping.columns.values())
    if numbered != len(columns) or None in columns:
        return False
    cells = [[row.cell(at) for at in columns if at is not None] for row in table.rows]
    own = {cells[at].pop(at) for at in range(len(cells))}
    return not any(map(has_points, own)) and any(has_points(each) for row in cells for each in row)


def has_points(cell: str) -> bool:
    """Say whether a cell of a square is a result, unlike what marks the diagonal."""
    return any(sign.isdecimal() or sign in "½=+" for sign in cell)


def _by_cells(table: HeadedTable) -> TableMapping:
    """Return the mapping of a table without a heading: a cross table by its cells, or a list."""
    cells = [at for at in range(table.grid.width) if _are_cells(table, [at])]
    if not cells:
        return _mapping_of_list(table)
    rounds = {at: f"round:{number}" for number, at in enumerate(cells, start=1)}
    return TableMapping(CROSSTABLE, {**dict(_lead(table, cells[0])), **rounds})


def _mapping_of_list(table: HeadedTable) -> TableMapping:
    """Return the mapping of a list of competitors in the order of those pasted at the desk."""
    first = 1 if all(WHOLE_NUMBER.fullmatch(row.cell(0)) for row in table.rows) else 0
    width = table.grid.width
    columns = {at: name for at, name in enumerate(COMPETITOR_LINE, start=first) if at < width}
    known = {at: _LOOKS[name] for at, name in columns.items() if name in _LOOKS}
    looks = (look.fullmatch(row.cell(at)) for row in table.rows for at, look in known.items())
    is_list = bool(table.rows) and all(looks)
    if not is_list or width > first + len(COMPETITOR_LINE):
        return TableMapping(NOTHING, {})
    return TableMapping(COMPETITORS, {0: "number", **columns} if first else columns)


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

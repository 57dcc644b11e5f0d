"""The kind of a table and the meaning of its columns, guessed by the heading and corrected by users."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice
from unicodedata import name

from tournaments.interchange.formats.tables.crosstable_cells import is_cell, is_of_an_opponent
from tournaments.interchange.formats.tables.grid import Grid, GridRow, letters
from tournaments.interchange.formats.tables.heading_words import (
    MEANINGS,
    ROUND,
    TEAM,
    names_a_column,
    word_of,
)
from tournaments.interchange.formats.tables.joining import joined, joins

COMPETITOR_LINE = ("name", "code", "rating", "title")
# the parts of a pasted line in order; unknown parts are omitted or empty
PLAYER_LINE = ("name", "rating", "title", "fide_id")

COMPETITORS, RESULTS, CROSSTABLE, MATRIX, NOTHING = "competitors", "results", "crosstable", "matrix", ""
ROLES = (COMPETITORS, RESULTS, CROSSTABLE, MATRIX)
# the numbered columns of a table; those of a matrix are in the order of its rows
COUNTED = {CROSSTABLE: "round", MATRIX: "opponent"}

WHO = (
    "number", "name", "given_name", "other_name", "code", "flag", "title", "rating", "rating_class",
    "outside", "withdrawn_after",
)  # fmt: skip
MEMBER = ("board", "player", "player_title", "player_rating", "fide_id")
PARTICULARS = ("club", "city", "sex", "born", "fmjd_id", "categories")
"""The data about a player in a list of competitors, or about a team in rows without a player."""

PLAYED = (
    "round", "date", "table", "board", "first_number", "first", "first_player", "result", "first_score",
    "second_score", "second_player", "second_number", "second", "kind", "white", "advantage",
    "games_played", "moves", "note",
)  # fmt: skip
# columns that are stored as printed, such as tie-breaks; several columns may have this field
PRINTED = "figure"

FIELDS: dict[str, tuple[str, ...]] = {
    COMPETITORS: ("label", *WHO, *MEMBER, *PARTICULARS, "points", PRINTED),
    RESULTS: PLAYED,
    CROSSTABLE: ("label", *WHO, "fide_id", *PARTICULARS, "points", PRINTED),
    MATRIX: ("label", *WHO, "fide_id", *PARTICULARS, "points", PRINTED),
}
"""The fields of each kind of table. `label`: the place, which may name a competitor in cells."""

WHOLE_NUMBER = re.compile(r"\d{1,5}\.?")
TITLE = re.compile(r"W?[GIFCN]M|A[GIFC]M|GMI|GMN|MI|MF|MN|MIF|MFF|CMF|МГ|ГМ|ММ|МФ")  # titles of FIDE and FMJD

_CYCLES = re.compile(r"(\d{1,3})a \1b", re.IGNORECASE)
_FRACTION = re.compile(r"[+-]?\d*[.,]\d+")
# the form of the columns in a list without a heading
_LOOKS = {
    "name": re.compile(r"[^\W\d_].*"),
    "code": re.compile(r"(?:[A-Z]{2,3}\d*)?"),
    "rating": re.compile(r"(?:\d{3,4}|0)?"),
}

_COMMENT = re.compile(r"#(?!\S)")
_RULE = re.compile(r"[-=_+|]{3,}")
_SOURCE = re.compile(r".*://|#|chess-tournament-results-server", re.IGNORECASE)
_NARROWEST = 3  # columns of a table at whose end a single text is a remark
_DEEPEST_HEADING = 10  # rows of titles and dates above the heading


@dataclass(frozen=True, slots=True)
class TableMapping:
    """The kind of a table, and the field of each column, from 0: `rating`, or `round:3` for a round."""

    role: str
    columns: Mapping[int, str]

    def column(self, name: str) -> int | None:
        return next((at for at, each in self.columns.items() if each == name), None)


NOT_READ = TableMapping(NOTHING, {})


def rounds_of_mapping(mapping: TableMapping) -> set[int]:
    return {int(each.partition(":")[2]) for each in mapping.columns.values() if each.startswith("round:")}


@dataclass(frozen=True)
class HeadedTable:
    """A grid with its heading, None if it has none, and its rows.

    `is_of_sides`: its competitors are the sides of games, so it adds competitors only to an empty event.
    `is_left_out`: it belongs to a group that is not read.
    """

    grid: Grid
    heading: GridRow | None
    rows: tuple[GridRow, ...]
    is_of_sides: bool = False
    is_left_out: bool = False

    @cached_property
    def labels(self) -> list[str]:
        named = self.heading.cells if self.heading else ()
        return [
            (named[at] if at < len(named) else "") or letters(at)
            for at in range(max(self.grid.width, len(named)))
        ]

    @property
    def outside(self) -> tuple[GridRow, ...]:
        own = {row.number for row in self.rows}
        return tuple(row for row in self.grid.rows if row is not self.heading and row.number not in own)

    def with_rows(self, change: Callable[[GridRow], GridRow]) -> "HeadedTable":
        """Return the table with a changed heading and changed rows, in its grid too."""
        heading, own = self.heading and change(self.heading), {row.number: change(row) for row in self.rows}
        rows = (heading if row is self.heading else own.get(row.number, row) for row in self.grid.rows)
        grid = replace(self.grid, rows=tuple(filter(None, rows)))
        return replace(self, grid=grid, heading=heading, rows=tuple(own.values()))

    @property
    def signature(self) -> str:
        """Return a checksum of the heading, for which mappings are stored; "" without a heading."""
        if self.heading is None:
            return ""
        # Without case and points, in which exports of the same program may differ.
        return sha256("\x1f".join(map(word_of, self.heading.cells)).encode()).hexdigest()


MappedTable = tuple[HeadedTable, TableMapping]


def headed_table(grid: Grid) -> HeadedTable:
    """Return the grid with its heading: the first row with at least two known words.

    Without known words, the first row if it has no figures in columns of figures. Remarks are not rows.
    """
    for at, row in enumerate(grid.rows[:_DEEPEST_HEADING]):
        if len(_known_words(row)) >= 2 or _heads_a_matrix(row):
            return HeadedTable(grid, row, without_remarks(grid.rows[at + 1 :], row))
    is_heading = len(grid.rows) > 1 and _names_columns(grid.rows[0], grid.rows[1:])
    heading, rows = (grid.rows[0], grid.rows[1:]) if is_heading else (None, grid.rows)
    return HeadedTable(grid, heading, without_remarks(rows, heading))


def without_remarks(rows: Sequence[GridRow], heading: GridRow | None = None) -> tuple[GridRow, ...]:
    """Return the rows without comments (`# …`), repeated headings, sources, and remarks at the end.

    Remarks are a single text in the first column, unless that is a column of names: `Annotation:`.
    """
    cells = heading.cells if heading else None
    found = [row for row in rows if row.cells != cells and not _is_remark([*filter(None, row.cells)])]
    # If the first row does not begin with a remark sign, rows that do are remarks.
    if found and not found[0].cell(0).startswith("#"):
        found = [row for row in found if not row.cell(0).startswith("#")]
    first = MEANINGS.get(word_of(heading.cell(0)), []) if heading else ["name"]
    if heading and len(heading.cells) > _NARROWEST and heading.cell(0) and "name" not in first:
        while found and not any(found[-1].cells[1:]) and any(map(str.isalpha, found[-1].cell(0))):
            found.pop()
    return tuple(found)


def _is_remark(filled: Sequence[str]) -> bool:
    is_source = len(filled) == 1 and _SOURCE.match(filled[0])
    return not filled or bool(is_source or _COMMENT.match(filled[0])) or all(map(_RULE.fullmatch, filled))


def with_rounds_joined(table: HeadedTable) -> HeadedTable:
    """Return the table with a column for each round instead of three, or for each opponent instead of two."""
    heading = table.heading
    if heading is None:
        return table
    rounds = [at for at, cell in enumerate(heading.cells) if ROUND.fullmatch(word_of(cell))]
    starts = [at for at in rounds if not any(map(heading.cell, (at + 1, at + 2))) and joins(table.rows, at)]
    pairs = [at for at, cell in enumerate(heading.cells) if _CYCLES.match(f"{cell} {heading.cell(at + 1)}")]
    if not (starts or pairs):
        return table

    def change(row: GridRow) -> GridRow:
        row = joined(row, starts, pairs)
        if row.number != heading.number:
            return row
        return replace(row, cells=tuple(_CYCLES.sub(r"\1", cell) for cell in row.cells))

    return table.with_rows(change)


def _heads_a_matrix(row: GridRow) -> bool:
    numbers = [int(cell) for cell in map(word_of, row.cells) if cell.isdecimal() and len(cell) < 4]
    return bool(_known_words(row)) and len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1))


def _names_columns(first: GridRow, others: tuple[GridRow, ...]) -> bool:
    if len(first.cells) < 2 or any(sign.isdecimal() for cell in first.cells for sign in cell):
        return False
    columns = ([row.cell(at) for row in others] for at in range(len(first.cells)) if first.cell(at))
    return any(all(cell.isdecimal() for cell in column) for column in columns)


def _known_words(row: GridRow) -> list[str]:
    words = [word_of(cell) for cell in row.cells]
    return [
        word for word in words if names_a_column(word) or (ROUND.fullmatch(word) and not word.isdecimal())
    ]


def is_of_a_round(table: HeadedTable, at: int) -> bool:
    """Return whether a column seems to have results of a round, by heading or cells."""
    cells = [cell for row in table.rows if (cell := row.cell(at))]
    heading = ROUND.fullmatch(word_of(table.heading.cell(at))) if table.heading else None
    is_counted = heading is not None and int(heading[1]) > 0
    return bool(cells) and (is_counted or 2 * sum(map(is_of_an_opponent, cells)) > len(cells))


def guessed(table: HeadedTable) -> TableMapping:
    """Return the mapping that most columns support, without a role if there is none."""
    if table.is_left_out:
        return NOT_READ
    if table.heading is None:
        return _by_cells(table)
    found = [_mapping_of_heading(table, table.heading, role) for role in ROLES]
    best = max(found, key=lambda each: _weight(table, each))
    return best if _weight(table, best) else NOT_READ


def guessed_as(table: HeadedTable, role: str) -> TableMapping:
    """Return the mapping of a table of this kind, by its heading or cells."""
    if role == NOTHING:
        return NOT_READ
    if table.heading is not None:
        return _mapping_of_heading(table, table.heading, role)
    return TableMapping(role, _by_cells(table).columns if role == CROSSTABLE else {})


def _mapping_of_heading(table: HeadedTable, heading: GridRow, role: str) -> TableMapping:
    columns = {
        at: field
        for at, field in _fields_of_columns(heading, role)
        if field != "rating" or not _are_fractions(table, at)
    }
    if role == COMPETITORS and "board" in columns.values() and (teams := of_teams(heading, columns)):
        return TableMapping(role, teams)
    if "title" in FIELDS[role] and "title" not in columns.values():
        # Some lists have titles in a column without a heading, between number and name.
        bare = (at for at in range(table.grid.width) if not heading.cell(at) and all_match(table, at, TITLE))
        columns |= dict.fromkeys(islice(bare, 1), "title")
    if "other_name" in FIELDS[role] and "name" in columns.values():
        columns |= dict.fromkeys(islice(_other_names(table, heading, columns), 1), "other_name")
    return TableMapping(role, columns)


def of_teams(heading: GridRow, columns: Mapping[int, str]) -> dict[int, str]:
    """Return the columns of a list of players if it has a further column with their team, else none."""
    words = [word_of(cell) for cell in heading.cells]
    names = [at for at, word in enumerate(words) if "name" in MEANINGS.get(word, ())]
    player = next((at for at in names if words[at] not in TEAM), None)
    team = next((at for at in names if words[at] in TEAM), None)
    if player is None or team is None:
        return {}
    title = {player - 1: "player_title"} if player and not words[player - 1] else {}
    fields = {"title": "player_title", "rating": "player_rating"} | {each: each for each in MEMBER}
    fields |= {"code": "code"} if columns.get(team + 1) == "code" else {}  # else that of the player
    others = {at: fields[each] for at, each in columns.items() if each in fields and at not in names}
    return {**title, **others, team: "name", player: "player"}


def _other_names(table: HeadedTable, heading: GridRow, columns: Mapping[int, str]) -> Iterator[int]:
    """Yield further columns of names in another script: `Имя;Name`."""
    first = next(at for at, field in columns.items() if field == "name")
    for at, cell in enumerate(heading.cells):
        if at in columns or "name" not in MEANINGS.get(word_of(cell), ()):
            continue
        pairs = [(row.cell(first), row.cell(at)) for row in table.rows if row.cell(first) and row.cell(at)]
        differing = [script_of(one) != script_of(other) for one, other in pairs if one != other]
        if differing and all(differing):
            yield at


def script_of(text: str) -> str:
    """Return the script of the first letter, such as `LATIN`; "" without a letter."""
    return next((name(sign).split()[0] for sign in text if sign.isalpha()), "")


def _are_fractions(table: HeadedTable, at: int) -> bool:
    texts = [text for row in table.rows if (text := row.cell(at))]
    return 2 * sum(_FRACTION.fullmatch(each) is not None for each in texts) > len(texts)


def all_match(table: HeadedTable, at: int, pattern: re.Pattern[str]) -> bool:
    """Return whether the column has texts, and all of them match."""
    texts = [text for row in table.rows if (text := row.cell(at))]
    return bool(texts) and all(map(pattern.fullmatch, texts))


def _fields_of_columns(heading: GridRow, role: str) -> Iterator[tuple[int, str]]:
    taken: set[str] = set()
    meanings = {
        at: [each for each in MEANINGS.get(word_of(cell), ()) if each in FIELDS[role]]
        for at, cell in enumerate(heading.cells)
    }
    numbers = dict(_numbered_columns(heading, role)) if role in COUNTED else {}
    # Words with a single meaning first: `club` is a club next to `name`, else the name.
    for at in sorted(meanings, key=lambda at: len(meanings[at])):
        field = next((each for each in meanings[at] if each not in taken), "")
        if not field and at in numbers:
            field = f"{COUNTED[role]}:{numbers[at]}"
        if field and field not in taken:
            taken.add(field)
            yield at, field


def _numbered_columns(heading: GridRow, role: str) -> Iterator[tuple[int, int]]:
    # Some tables begin at 1 for each cycle of a double round robin; the rounds are then continued.
    found = [(at, ROUND.fullmatch(word_of(cell)), word_of(cell)) for at, cell in enumerate(heading.cells)]
    # A number is the heading of a round or an opponent.
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


# by kind of table: a column of each group is needed
NEEDED = {
    COMPETITORS: (("name", "player"),),
    RESULTS: (("round",), ("first", "first_number"), ("result", "first_score", "kind")),
    CROSSTABLE: (("round:1",),),
    MATRIX: (("opponent:1",),),
}


def missing_fields(role: str, fields: Collection[str]) -> list[tuple[str, ...]]:
    if role in COUNTED:
        is_there = any(field.startswith(f"{COUNTED[role]}:") for field in fields)
        return [] if is_there else list(NEEDED[role])
    return [group for group in NEEDED.get(role, ()) if not set(fields) & set(group)]


def _weight(table: HeadedTable, mapping: TableMapping) -> int:
    if missing_fields(mapping.role, mapping.columns.values()):
        return 0
    rounds = [at for at, field in mapping.columns.items() if field.startswith("round:")]
    if mapping.role == CROSSTABLE and not _are_round_cells(table, rounds):
        return 0
    if mapping.role == MATRIX and not _is_square(table, mapping):
        return 0
    # Of mappings with as many columns, the one with results is used.
    # Particulars are no evidence: crosstables have them too, but not as fields.
    fields = [each for each in mapping.columns.values() if each not in PARTICULARS]
    return len(fields) + {CROSSTABLE: 1, MATRIX: 2}.get(mapping.role, 0)


def _is_square(table: HeadedTable, mapping: TableMapping) -> bool:
    columns = [mapping.column(f"opponent:{at}") for at in range(1, len(table.rows) + 1)]
    numbered = sum(field.startswith("opponent:") for field in mapping.columns.values())
    if numbered != len(columns) or None in columns:
        return False
    cells = [[row.cell(at) for at in columns if at is not None] for row in table.rows]
    own = {cells[at].pop(at) for at in range(len(cells))}
    return not any(map(has_points, own)) and any(has_points(each) for row in cells for each in row)


def has_points(cell: str) -> bool:
    """Return whether a cell of a square is a result, unlike the marks of the diagonal."""
    return any(sign.isdecimal() or sign in "½=+" for sign in cell)


def _by_cells(table: HeadedTable) -> TableMapping:
    cells = [at for at in range(table.grid.width) if _are_round_cells(table, [at])]
    if not cells:
        # a list of competitors, with or without numbers
        first = 1 if all(WHOLE_NUMBER.fullmatch(row.cell(0)) for row in table.rows) else 0
        width = table.grid.width
        columns = {at: name for at, name in enumerate(COMPETITOR_LINE, start=first) if at < width}
        known = {at: _LOOKS[name] for at, name in columns.items() if name in _LOOKS}
        looks = (look.fullmatch(row.cell(at)) for row in table.rows for at, look in known.items())
        is_list = bool(table.rows) and all(looks)
        if not is_list or width > first + len(COMPETITOR_LINE):
            return NOT_READ
        return TableMapping(COMPETITORS, {0: "number", **columns} if first else columns)
    rounds = {at: f"round:{number}" for number, at in enumerate(cells, start=1)}
    return TableMapping(CROSSTABLE, {**dict(_lead(table, cells[0])), **rounds})


def _lead(table: HeadedTable, before: int) -> Iterator[tuple[int, str]]:
    texts = [[row.cell(at) for row in table.rows] for at in range(before)]
    is_number = [all(re.fullmatch(r"\d{1,5}\.?", cell) for cell in column if cell) for column in texts]
    numbers = [at for at in range(before) if is_number[at] and any(texts[at])]
    names = [at for at in range(before) if not is_number[at]]
    yield from ((at, "number") for at in numbers[:1])
    yield from ((at, "name") for at in names[:1])


def _are_round_cells(table: HeadedTable, columns: list[int]) -> bool:
    # A zero can be a round off or points, so it is no evidence for either.
    texts = [text for row in table.rows for at in columns if (text := row.cell(at)) not in ("", "0")]
    cells = sum(map(is_cell, texts))
    # Columns of dashes are not rounds, though a dash is a cell.
    return 2 * cells > len(texts) and any(text[-1:].isalnum() or text[:1].isdecimal() for text in texts)

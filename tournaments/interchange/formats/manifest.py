"""Manifests: tables with a row for each file of a folder or archive, and facts that the file lacks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from tournaments.event.finding import Finding, Place, error, warning
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.outline import FACTS
from tournaments.interchange.formats.options import CHOICES
from tournaments.interchange.formats.tables.grid import Grid, GridRow
from tournaments.interchange.formats.tables.reading import grids_of_content
from tournaments.interchange.formats.tables.text import cleaned

NAME = "manifest.csv"  # file name of manifests

FILE = "file"  # column of the file name, with its folders

# Other columns: the slug, the facts about an event, and how to read the file. `name` replaces the fact of
# the file, `name?` is used if the file has none.
FIELDS = (*FACTS, "layout", "part", *CHOICES, "reason", "accept")

_KNOWN_COLUMNS = (FILE, *FIELDS, *(f"{each}?" for each in FACTS))

_ALSO = {"date": "start", "license": "licence"}  # other headings of columns

_KNOWN = {**CHOICES, "layout": {each.code: each.name for each in LAYOUTS}}


@dataclass(frozen=True, slots=True)
class Manifest:
    """The rows as `field: text` by file name, and findings about the table."""

    rows: Mapping[str, Mapping[str, str]]
    findings: tuple[Finding, ...] = ()


NO_MANIFEST = Manifest({})


def is_manifest(name: str) -> bool:
    return PurePosixPath(name).name.casefold() == NAME


def read_manifest(content: bytes, files: Sequence[str]) -> Manifest:
    """Read a manifest of these files.

    A file is named with its folders, or by its last part if that is unique. Unknown columns, missing files
    and repeated names are errors, so that no field is ignored. A file without a row is a warning.
    """
    grids, findings = grids_of_content(content)
    rows = [row for grid in grids for row in grid.rows]
    if not rows:
        return Manifest({}, tuple(findings or [error("empty-table", Place(NAME), "The manifest is empty.")]))
    heading = [_column_of(cell) for cell in rows[0].cells]
    found = []
    if FILE not in heading:
        text = f"No column is “{FILE}”. Its first row names the columns: {FILE}, {', '.join(FIELDS)}."
        found.append(error("missing-column", Place(NAME), text))
    for at, each in enumerate(heading):
        if each and each not in _KNOWN_COLUMNS:
            text = f"The column “{each}” is unknown. Known are {FILE}, {', '.join(FIELDS)}."
            found.append(error("unknown-column", Place(NAME), text))
        elif each and each in heading[:at]:
            found.append(error("column-twice", Place(NAME), f"Two columns are “{each}”. Remove one."))
    findings += found
    if any(each.code in ("unknown-column", "missing-column", "column-twice") for each in findings):
        return Manifest({}, tuple(findings))
    told: dict[str, dict[str, str]] = {}
    for row in rows[1:]:
        name, problem = _file_of_row(row, heading, files)
        if not problem and name in told:
            problem = error(
                "file-twice", _place_of_row(row), f"“{name}” already has a row. Keep one of them."
            )
        if problem:
            findings.append(problem)
            continue
        cells = {field: row.cell(at) for at, field in enumerate(heading) if field and field != FILE}
        told[name] = {field: cell for field, cell in cells.items() if cell}
        findings += [
            error(
                "no-choice",
                _place_of_row(row),
                f"“{cells[field]}” is not a valid {field}. Write one of {', '.join(known)}.",
            )
            for field, known in _KNOWN.items()
            if cells.get(field) and cells[field] not in known
        ]
    findings += [
        warning("not-in-manifest", Place(name), "The manifest has no row for it; it is read as it is.")
        for name in files
        if name not in told
    ]
    return Manifest(told, tuple(findings))


def _column_of(cell: str) -> str:
    word, mark, _ = cell.casefold().partition("?")
    field = word.strip().replace(" ", "_")
    return f"{_ALSO.get(field, field)}{mark}"


def _file_of_row(row: GridRow, heading: Sequence[str], files: Sequence[str]) -> tuple[str, Finding | None]:
    asked = row.cell(heading.index(FILE)).replace("\\", "/").removeprefix("./")
    # Cells have single blanks, but file names may have double blanks.
    spelled = {cleaned(each): each for each in files}
    asked = spelled.get(asked, asked)
    if beyond := [cell for cell in row.cells[len(heading) :] if cell]:
        text = f"“{beyond[0]}” is after the last column. Quote cells that contain the separator."
        return "", error("unreadable-table", _place_of_row(row), text)
    if asked in files:
        return asked, None
    found = [each for each in files if PurePosixPath(each).name == asked]
    if len(found) == 1:
        return found[0], None
    why = f"{len(found)} files are called so; write its folders too" if found else "no such file is there"
    return "", error("no-such-file", _place_of_row(row), f"“{asked}”: {why}.")


def _place_of_row(row: GridRow) -> Place:
    return Grid((), NAME).place(row)

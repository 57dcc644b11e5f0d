"""Groups of an event in a file: crosstables of different competitors, of which a single group is read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.event.finding import Finding, Place, error, warning
from tournaments.interchange.formats.tables.headings import (
    COMPETITORS,
    CROSSTABLE,
    MATRIX,
    HeadedTable,
    guessed,
)

_MOST_NAMED = 8
_LONGEST_NAME = 60


def chosen_part(
    names: Sequence[str], sizes: Sequence[int], wanted: str, what: str, parts: str = "events"
) -> tuple[int | None, list[Finding]]:
    """Return the part of a file to be read, from 0, and findings that name the other parts.

    The part is the `wanted` one, by name or number, else the largest; None with an error if no part has that
    name. `what`: the members of a part for users, such as `games`.
    """
    if len(names) < 2 and not wanted:
        return (0, []) if names else (None, [])
    at = called_part(names, wanted)
    if at is not None:
        return at, []
    listed = [
        f"{at} “{name}” ({size} {what})" for at, (name, size) in enumerate(zip(names, sizes, strict=True), 1)
    ]
    more = f", and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    all_named = f"{'; '.join(listed[:_MOST_NAMED])}{more}"
    if wanted:
        text = f"The file has no part “{wanted}”: {all_named}. Choose one of these by its number."
        return None, [error("unknown-part", Place("part"), text)]
    at = max(range(len(names)), key=lambda each: (sizes[each], -each))
    text = (
        f"The file contains {len(names)} {parts}: {all_named}. “{names[at]}” was read; choose another by its "
        "number, as the part that is read."
    )
    return at, [warning("several-events", Place("part"), text)]


def called_part(names: Sequence[str], wanted: str) -> int | None:
    wanted = wanted.strip().casefold()
    keys = [*(name.casefold() for name in names), *(str(at) for at in range(1, len(names) + 1))]
    return keys.index(wanted) % len(names) if wanted in keys else None


def part_read(names: Sequence[str], at: int, part: str) -> Finding:
    text = f"“{names[at]}” is read, {part} {at + 1} of {len(names)}; the others are not."
    return warning("several-events", Place(), text)


@dataclass
class PeopleOfTables:
    """The competitors and rounds of the tables of a group."""

    who: set[str]
    rounds: set[str]
    tables: list[HeadedTable]

    def has(self, who: set[str], rounds: set[str]) -> bool:
        """Return whether a table of these competitors and rounds belongs to the group."""
        return (
            bool(who) and 2 * len(self.who & who) >= min(len(self.who), len(who)) and not self.rounds & rounds
        )


def name_of_table(table: HeadedTable, number: int, others: Sequence[HeadedTable] = ()) -> str:
    """Return the name of a table: of its sheet or page, a line above it, or its number.

    The line is the first that the `others` do not have, so that the names differ.
    """
    shared = {text for each in others if each is not table for text in _above(each)}
    sheets = {each.grid.name for each in others if each is not table}
    own = [text for text in _above(table) if text not in shared] or _above(table)
    name = table.grid.name if table.grid.name not in sheets else ""
    return (name or next(iter(own), "") or f"table {number}")[:_LONGEST_NAME]


def _above(table: HeadedTable) -> list[str]:
    return [row.cells[0] for row in table.outside if row.cells and row.cells[0]]


def of_one_group(tables: Sequence[HeadedTable], wanted: str) -> tuple[list[HeadedTable], list[Finding]]:
    """Return the tables without those of other groups, and findings.

    The `wanted` group is read, by number or name, else the largest. Numbers in cells refer to rows of the
    same group.
    """
    groups = _groups(tables)
    if len(groups) < 2:
        return list(tables), []
    firsts = [each.tables[0] for each in groups]
    names = [name_of_table(each, at, firsts) for at, each in enumerate(firsts, start=1)]
    at, findings = chosen_part(names, [len(each.who) for each in groups], wanted, "rows", "groups")
    if at is None:
        return list(tables), findings
    others = {id(table) for group in groups if group is not groups[at] for table in group.tables}
    kept = [replace(each, is_left_out=True) if id(each) in others else each for each in tables]
    return kept, findings or [part_read(names, at, "group")]


def _groups(tables: Sequence[HeadedTable]) -> list[PeopleOfTables]:
    groups: list[PeopleOfTables] = []
    # Lists come last, because they belong to the crosstable of their competitors.
    for table in sorted(tables, key=lambda each: guessed(each).role == COMPETITORS):
        who, rounds = _names_of_competitors(table), _round_fields(table)
        group = next((each for each in groups if each.has(who, rounds)), None)
        if group:
            group.tables.append(table)
            group.rounds |= rounds
        elif who and rounds:
            groups.append(PeopleOfTables(who, rounds, [table]))
    return groups


def _names_of_competitors(table: HeadedTable) -> set[str]:
    mapping = guessed(table)
    at = mapping.column("name") if mapping.role in (COMPETITORS, CROSSTABLE, MATRIX) else None
    if at is None or table.heading is None:
        return set()
    return {row.cell(at).casefold() for row in table.rows} - {""}


def _round_fields(table: HeadedTable) -> set[str]:
    mapping = guessed(table)
    if mapping.role == MATRIX:
        return {"square"}
    return {each for each in mapping.columns.values() if each.startswith("round:")}

"""The crosstable in the layout of chess-results.com, which other programs can read.

Opponents are named by their line: `4w1` is a point with White against the row in line 4. A shared place is
printed only in its first row, so that no order is implied. Byes are a dash and the points, `-1`, `-½`, `-0`;
`0` is an absence. For teams, byes have the texts of our own tables, since a dash would be a lost match.
"""

import re
from collections.abc import Iterator

from django.utils.translation import override

from standings.basis import basis_of, sentence
from standings.downloads.lists import Cell, Number, csv_text, points_cell, round_cells
from standings.downloads.workbook import workbook_of_sheets
from standings.engine import Standings
from standings.services import ranked
from standings.tables.sheet import displayed_criteria
from standings.tables.values import exact_texts
from tournaments.event.checks.published import points_are_of_matches, sums_of
from tournaments.event.choices import Kind
from tournaments.event.document import Document, EventEntry, PairingEntry
from tournaments.event.federations import federation
from tournaments.interchange.formats.layouts.own_tables import POINTS
from tournaments.models import Event

SCHEDULES = {
    "swiss": "Swiss-System",
    "round-robin": "Round robin",
    "double-round-robin": "Double round robin",
}
RANK = "Rk."
"""The first column."""

ROUND_OFF = re.compile(r"-[0-9]+(\.[0-9]+)?")


def crosstable_csv(event: Event, document: Document) -> str:
    return table_csv(list(table_rows(document.without_drafts(), ranked(event).standings)))


def table_csv(lines: list[list[Cell]]) -> str:
    """Return the lines as a CSV. All have the same width, from which readers detect the delimiter."""
    width = max(map(len, lines))
    # A bare number is no formula, and other programs look for the leading dash.
    bare = ([Number(cell) if ROUND_OFF.fullmatch(f"{cell}") else cell for cell in line] for line in lines)
    return csv_text(([*line, *[None] * (width - len(line))] for line in bare), ";", ",")


def crosstable_xlsx(event: Event, document: Document) -> bytes:
    """Return the table as a workbook with a sheet. Points are numbers, and no cell is a formula."""
    lines = list(table_rows(document.without_drafts(), ranked(event).standings))
    heading = next(at for at, line in enumerate(lines) if line[0] == RANK)
    return workbook_of_sheets(document.event.name, {"crosstable": lines}, heading)


def table_rows(document: Document, standings: Standings) -> Iterator[list[Cell]]:
    yield from titles(document.event)
    with override("en"):
        rests_on = sentence(basis_of(standings.table))
    yield [rests_on]
    rounds = [each.number for each in document.rounds]
    deciding = [each for each in displayed_criteria(standings) if each.criterion.code not in POINTS]
    is_team = document.event.is_team
    who = [RANK, "SNo", "Team", "FED"] if is_team else [RANK, "SNo", "", "Name", "Rtg", "FED"]
    breaks = [f"TB{at}" for at in range(1, len(deciding) + 1)]
    yield [*who, *(f"{number}.Rd" for number in rounds), "Pts.", *breaks]
    values = [exact_texts(each) for each in deciding]
    ordered = sorted(standings.rows(), key=lambda row: row.outside)
    entries = [document.competitors[row.competitor] for row in ordered]
    line_of = {each.number: line for line, each in enumerate(entries, start=1)}
    cells = round_cells(document, line_of, _bye_cell)
    sums, _open = sums_of(document, is_match=points_are_of_matches(document.event))
    above: int | None = None
    for row, entry in zip(ordered, entries, strict=True):
        place = row.place if row.place != above else None
        above = row.place
        played = [cells[entry.number].get(number) for number in rounds]
        figures = [Number(of_criterion[row.competitor]) for of_criterion in values]
        yield [
            place,
            entry.number,
            *([entry.name] if is_team else [entry.title, entry.name, entry.rating]),
            entry.code,
            *played,
            points_cell(sums[entry.number]),
            *figures,
        ]
    for name, each in zip(breaks, deciding, strict=True):
        yield [f"# {name}: {each.criterion.name} ({each.criterion.code})"]


def titles(event: EventEntry) -> Iterator[list[Cell]]:
    """Yield the lines above the heading, without blank lines, which would start another table."""
    yield [event.name]
    country = federation(event.country)
    facts = {
        "Location": event.place,
        "Federation": f"{country.name} ( {event.country} )" if country else "",
        "Date": " to ".join(dict.fromkeys(filter(None, (event.start, event.end)))),
        "Tournament type": SCHEDULES[event.schedule],
        "Number of rounds": f"{event.planned_rounds}",
        "Time control": event.time_control,
    }
    for name, fact in facts.items():
        if fact:
            yield [f"{name} : {fact}"]


def _bye_cell(event: EventEntry, pairing: PairingEntry, usual: str) -> str:
    """Return the cell of a bye, as text if a dash and its points would mean something else."""
    score = pairing.first_score or 0
    if pairing.kind == Kind.ABSENT and not score:
        return "0"
    if event.is_team:
        return usual
    known = {
        (Kind.BYE, event.game_win),
        (Kind.HALF_BYE, event.game_draw),
        (Kind.ZERO_BYE, 0),
    }
    if (pairing.kind, score) not in known:
        return usual
    return "-½" if score == 1 else f"-{points_cell(score)}"

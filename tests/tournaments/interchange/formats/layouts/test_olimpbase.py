"""OlimpBase's tables: squares and Swiss tables by code, rounds with boards."""

from tests.tournaments.interchange.formats import samples
from tournaments.interchange.formats.layouts.layout import LayoutFile, LayoutReading
from tournaments.interchange.formats.layouts.olimpbase import OLIMPBASE
from tournaments.interchange.formats.tables.reading import read_tables

SWISS = """\
no.\tteam\tcode\t1\t2\tpts\tMP\tBuch
1.\tReds\tRED\tBLU 2\tGRE 1½\t3½\t4\t3.5
2.\tBlues\tBLU\t0 RED\tWHI 2\t2\t2\t4.5
3.\tGreens\tGRE\tWHI 1\tRED ½\t1½\t1\t4.5
4.\tWhites\tWHI\tGRE 1\tBLU 0\t1\t1\t3.5
"""
SQUARE = """\
no.\tteam\tcode\t1\t2\t3\tpts\tMP
1.\tReds\tRED\t•\t3\t2½\t5½\t4
2.\tBlues\tBLU\t1\t•\t2\t3\t1
3.\tGreens\tGRE\t1½\t2\t•\t3½\t1
"""


def reading_of(text: str) -> LayoutReading:
    file = LayoutFile("table.txt", text.encode())
    assert list(OLIMPBASE.recognise(file))
    return OLIMPBASE.read(file)


def cells(reading: LayoutReading, prefix: str) -> list[list[str]]:
    table, mapping = reading.tables[-1]
    at = sorted(column for column, each in mapping.columns.items() if each.startswith(prefix))
    return [[row.cell(column) for column in at] for row in table.rows]


def test_codes_in_cells_are_opponents() -> None:
    found = reading_of(SWISS)
    assert cells(found, "round:") == [["2:2", "3:1½"], ["1:0", "4:2"], ["4:1", "1:½"], ["3:1", "2:0"]]
    assert cells(found, "figure")[0] == ["4", "3.5"]


def test_square_implies_the_number_of_boards() -> None:
    found = reading_of(SQUARE)
    assert (found.outline.entrants, found.outline.boards) == ("teams", "4")
    assert cells(found, "opponent:")[1] == ["1", "•", "2"]


def test_rounds_with_boards() -> None:
    base = samples.document(samples.teams())
    found = reading_of(OLIMPBASE.example)
    reading = read_tables(base, found.tables, games=found.games)
    assert reading.document
    named = {each.number: each.name for each in reading.document.competitors}
    told = [
        (number, named[each.first], each.first_score, [(g.kind, g.first_score, g.white) for g in each.games])
        for number, each in reading.document.pairings()
        if each.games and each.games[0].first_player and named[each.first] in {"Greens", "Whites"}
    ]
    assert (1, "Greens", 4, [("played", 2, ""), ("forfeit", 2, "")]) in told
    assert (2, "Whites", 1, [("played", 0, ""), ("played", 1, "")]) in told


def test_all_lines_are_counted() -> None:
    text = OLIMPBASE.example + "Best game prize: Arends\n"
    (lines,) = (each for each in reading_of(text).account or () if each.what == "lines")
    assert lines.read + lines.unread == sum(bool(line.strip()) for line in text.splitlines())
    assert lines.examples == ("Best game prize: Arends",)

"""The crosstable of the US Chess Federation: two lines for each player, sections, provisional ratings."""

from dataclasses import replace

from tests.tournaments.interchange.formats import samples
from tournaments.event.document import Document
from tournaments.interchange.formats.layouts.layout import LayoutFile, LayoutReading
from tournaments.interchange.formats.layouts.uscf import USCF
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.tables.reading import read_tables

WIDE = """\
Section: U1400
Pair | Player Name           |Total|Round|Round|
Num  | USCF ID / Rtg (Pre->Post) | Pts |  1  |  2  |
----------------------------------------------
   1 | ANNE-LIES O'DAY       |1.5  |W    2|D  3 |
  NY | 90000011 / R: 1999    ->2001  |N:1 |B |W |
     | Q: 1500P5 ->1510P7    |     |     |     |
   2 | BEA                   |1.0  |L    1|B    |
  NY | 90000012 / R: Unrated ->1000P1  | |W |  |
   3 | CYD                   |0.5  |F    9|D  1 |
  NY | 90000013 / R:  900    -> 905  | |  |B |
"""


def reading_of(text: str, **options: str) -> LayoutReading:
    return USCF.read(LayoutFile("crosstable.txt", text.encode(), ReadingOptions(**options)))


def rows_of(reading: LayoutReading) -> list[tuple[str, ...]]:
    ((table, _),) = reading.tables
    return [row.cells for row in table.rows]


def test_cells_of_both_lines_are_combined() -> None:
    """Colours are in the second line; the ratings are those before the event."""
    assert rows_of(reading_of(WIDE)) == [
        ("1", "ANNE-LIES O'DAY", "1.5", "1999", "NY", "w2b", "d3w"),
        ("2", "BEA", "1.0", "", "NY", "l1w", "bye"),
        ("3", "CYD", "0.5", "900", "NY", "9-", "d1b"),
    ]


def test_data_without_a_field_is_in_the_notes() -> None:
    notes = reading_of(WIDE).outline.notes.splitlines()
    assert notes[1:3] == [
        "1 ANNE-LIES O'DAY: 90000011, R 1999 → 2001, Q 1500P5 → 1510P7, N:1",
        "2 BEA: 90000012, R Unrated → 1000P1",
    ]


def test_all_lines_are_counted() -> None:
    (lines,) = (each for each in reading_of(WIDE + "Printed by hand\n").account or () if each.what == "lines")
    assert (lines.read + lines.unread, lines.examples) == (12, ("Printed by hand",))


def test_single_section_of_several_is_read() -> None:
    text = USCF.example + WIDE
    assert len(rows_of(reading_of(text))) == 4
    (finding, *_) = reading_of(text).findings
    assert finding.code == "several-events"
    assert "2 “Section: U1400” (3 players)" in finding.message
    assert len(rows_of(reading_of(text, part="2"))) == 3
    assert [each.code for each in reading_of(text, part="9").findings] == ["unknown-part"]


def test_points_of_the_example_agree() -> None:
    event = replace(
        samples.document(samples.players()).event, game_win=2, game_draw=1, game_loss=0, planned_rounds=3
    )
    base = Document(event)
    found = reading_of(USCF.example)
    reading = read_tables(base, found.tables)
    assert reading.document
    assert len(reading.document.competitors) == 4
    assert "printed-points" not in {each.code for each in reading.findings}
    assert {each.code for each in found.findings} == {"forfeit-alone"}


def test_lines_of_the_site_have_facts() -> None:
    above = (
        "US Chess MSA\nEvent: Quay Open (202104111234)\nEvent Date(s): 2021-04-10 THRU 2021-04-11\n"
        "Location: PORT, NY 12345\nChief TD: FAY GOLD (90000099)\nSection 1 - OPEN\n"
    )
    outline = reading_of(above + WIDE.partition("\n")[2]).outline
    assert (outline.name, outline.place, outline.chief_arbiter) == ("Quay Open", "PORT, NY 12345", "FAY GOLD")
    assert (outline.start, outline.end) == ("2021-04-10", "2021-04-11")


def test_table_without_ids_and_ratings() -> None:
    text = (
        "Results for Section: Open\n-----------------------------------------------------\n"
        " Pair | Player Name                     |Total|Round|Round|\n"
        " Num  |                                 | Pts |  1  |  2  |\n"
        "-----------------------------------------------------\n"
        "    1 | BO ARENDS                       |2.0  |W   2|B    |\n"
        "      |                                 |     |B    |     |\n"
        "-----------------------------------------------------\n"
        "    2 | CAS BRILL                       |0.5  |L   1|H    |\n"
        "      |                                 |     |W    |     |\n"
    )
    file = LayoutFile("crosstable.txt", text.encode())

    assert len(list(USCF.recognise(file))) == 2
    assert rows_of(USCF.read(file)) == [
        ("1", "BO ARENDS", "2.0", "", "", "w2b", "bye"),
        ("2", "CAS BRILL", "0.5", "", "", "l1w", "½bye"),
    ]

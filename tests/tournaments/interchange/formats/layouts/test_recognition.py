"""Recognition of layouts by signs, without guesses in a tie."""

import pytest

from tournaments.interchange.formats.layouts import LAYOUTS, recognition
from tournaments.interchange.formats.layouts.generic import CROSS_TABLE, SQUARE
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs
from tournaments.interchange.formats.layouts.recognition import read_by_layout, recognised
from tournaments.interchange.formats.options import ReadingOptions


def file_of(text: str, **options: str) -> LayoutFile:
    return LayoutFile("file.csv", text.encode(), ReadingOptions(**options))


def invented(code: str, *signs: str) -> Layout:
    """Return a layout with these signs in any file."""

    def recognise(_file: LayoutFile) -> Signs:
        return signs

    return Layout(code, code.title(), (".csv",), recognise, lambda _file: LayoutReading())


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.code)
def test_layouts_recognise_their_examples(layout: Layout) -> None:
    found = recognised(LayoutFile(f"example{layout.endings[0]}", layout.example.encode()))
    assert found.layout is layout
    assert found.evidence
    assert not found.level


def test_codes_are_unique_and_generic_layouts_last() -> None:
    assert len({each.code for each in LAYOUTS}) == len(LAYOUTS)
    assert [each.is_generic for each in LAYOUTS] == sorted(each.is_generic for each in LAYOUTS)


def test_most_signs_win_and_generic_layouts_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "LAYOUTS", (CROSS_TABLE, invented("a", "one"), invented("b", "1", "2")))
    found = recognised(file_of(CROSS_TABLE.example))
    assert found.layout
    assert (found.layout.code, found.evidence) == ("b", "1; 2")
    assert [each.code for each, _ in found.others] == ["a", "cross-table"]


def test_equal_evidence_is_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "LAYOUTS", (invented("a", "one"), invented("b", "two"), CROSS_TABLE))
    (finding,) = read_by_layout(file_of("x")).reading.findings
    assert finding.code == "several-layouts"
    assert "A (one) or B (two)" in finding.message
    assert "Choose the layout: a, b." in finding.message


def test_chosen_layout_overrides_evidence() -> None:
    found = read_by_layout(file_of(SQUARE.example, layout="cross-table"))
    assert found.recognition.layout is CROSS_TABLE
    assert found.recognition.is_chosen
    assert [each.role for each in found.reading.mappings] == ["crosstable"]


def test_unrecognised_file_has_its_tables() -> None:
    found = read_by_layout(file_of("one;two\nthree;four\n"))
    assert found.recognition.layout is None
    assert [len(table.grid.rows) for table, _ in found.reading.tables] == [2]


def test_lines_around_a_table_have_facts() -> None:
    text = (
        ";Harbour Open 1987 crosstable;\nFederation : Netherlands ( NED )\nDate : 1987-05-02 - 1987-05-09\n"
        "Chief arbiter;IA Arends, Bo\nNo;Name;1;2\n1;Brill, Cas;2w1;2b½\n2;Claes, Dee;1b0;1w½\n\n"
        "https://draughts.example/harbour_(1987)\nno more\n"
    )
    outline = read_by_layout(file_of(text)).reading.outline
    values = {name: outline.fact(name) for name in outline.places}
    assert values == {
        "name": "Harbour Open 1987",
        "country": "NED",
        "start": "1987-05-02",
        "end": "1987-05-09",
        "chief_arbiter": "IA Arends, Bo",
        "sources": "https://draughts.example/harbour_(1987)",
        "discipline": "draughts-100",
    }
    assert outline.places["start"] == "row 3"
    assert [each.number for each in outline.titles] == [1, 2, 3, 4, 9]


def test_single_year_in_the_name_is_the_start() -> None:
    season, two = (
        read_by_layout(file_of(f"{name}\n{CROSS_TABLE.example.split(chr(10), 1)[1]}")).reading.outline
        for name in ("Club League 2019/2020", "From 1934 to 1987")
    )
    assert (season.start, season.places["start"]) == ("2019", "row 1, in the name")
    assert two.start == ""


@pytest.mark.parametrize(
    ("line", "is_name"),
    [
        ("Endstand nach 5 Runden", False),
        ("Endingen Open", True),
        ("Cuadro cruzado por clasificación final después de 3 rondas", False),
        ("Mannschaftsmeisterschaft 2019", True),
        ("Teamauslosung - Open", False),
        ("Team Championship", True),
        ("Classement final après 7 rondes", False),
        ("Final Ranking crosstable after 9 Rounds", False),
        ("Final of the Harbour Cup", True),
        ("Standings after Round 4", False),
        ("Standard Cup 2020", True),
        ("Die Seite wurde zuletzt aktualisiert am 30.08.2025 13:47:05", False),
        ("Kreuzberg Open", True),
        ("Kreuztabelle nach Rang", False),
        ("Итоговая таблица", False),
    ],
)
def test_title_of_a_list_is_no_event_name(line: str, is_name: bool) -> None:
    found = read_by_layout(LayoutFile("x.csv", f"{line};;\nNo;Name;R1\n1;Ann;2w1\n2;Bea;1b0\n".encode()))
    assert bool(found.reading.outline.name) is is_name

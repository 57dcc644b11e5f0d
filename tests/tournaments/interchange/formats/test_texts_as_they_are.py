"""Texts of cells are unchanged by the reader, the event file and the database."""

from dataclasses import replace

import pytest

from tests.tables import tables_of
from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.test_tables import PLAYERS
from tournaments.event.document import Document
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.tables.entrants import name_key
from tournaments.interchange.formats.tables.reading import mapped_tables
from tournaments.recording.imports.importing import import_file
from tournaments.stored import load

EMPTY = replace(PLAYERS, competitors=(), rounds=())

NAMES = [
    "Иванов (Ivanov)",
    "Ivanov / Иванов",
    "O’Brien",
    "O'Brien",
    "'s-Gravenhage",
    "d`Artagnan",
    "N\u02bccho Atse",
    "Jose\u0301 Pen\u0303a",
    "José Peña",
    "Jan\u00a0van der Berg",
    "Jan  Berg",
    "山田\u3000太郎",
    "Mül\u00adler",
    "Łukasz Żółć-Gęś",
    "Đặng Ngọc",
    "ﬁnal",
    "Ⅳ. Team",
    "Straße",
    "İbrahim ı",
    "אבי כהן",
    "علی‌رضا",
    "“Team” «A»",
]


def named(name: str) -> Document:
    """Return an event with a competitor, read from a table."""
    content = f'Name;Fed\n"{name}";NED\n'.encode()
    document = samples.read_into(EMPTY, "list.csv", content).accepted
    assert document
    return document


@pytest.mark.parametrize("name", NAMES)
def test_name_is_unchanged_by_table_and_event_file(name: str) -> None:
    (competitor,) = named(name).competitors
    assert competitor.name == name

    again = read(write(named(name)).encode()).document
    assert again
    assert again.competitors[0].name == name


def test_only_invisible_marks_of_a_name_are_removed() -> None:
    assert named(" Ann\t").competitors[0].name == "Ann"  # blanks around it
    assert named("Ann\r\nSmith").competitors[0].name == "Ann Smith"  # a line break in a quoted cell
    assert named("A\x00nn\x07").competitors[0].name == "Ann"  # characters that databases do not accept
    assert named("'=Ann").competitors[0].name == "=Ann"  # the mark that prevents formulas in spreadsheets


def test_two_scripts_of_a_name_are_a_single_competitor() -> None:
    assert name_key("Jose\u0301  Pen\u0303a") == name_key("JOSÉ\u00a0Peña")
    assert name_key("N’cho") == name_key("N'cho")
    assert name_key("Mül\u00adler") == name_key("Müller")
    assert name_key("Иванов") != name_key("Ivanov")


TWO_SCRIPTS = """№;ФИО;Name;Страна
1;Иванов Пётр;Ivanov Petr;RUS
2;Żak Ewa;Żak Ewa;POL
3;Петрова;;RUS
4;;Sidorov;UZB
"""


def test_two_columns_of_names_are_combined() -> None:
    read = samples.read_into(EMPTY, "list.csv", TWO_SCRIPTS.encode())
    assert read.accepted, read.findings

    names = [each.name for each in read.accepted.competitors]
    assert names == ["Иванов Пётр (Ivanov Petr)", "Żak Ewa", "Петрова", "Sidorov"]
    assert [count.unread for count in read.account if count.what == "columns"] == [0]


def test_either_script_finds_the_competitor() -> None:
    event = samples.read_into(EMPTY, "list.csv", TWO_SCRIPTS.encode()).accepted
    assert event
    for name in ("Иванов Пётр", "ivanov petr", "Иванов Пётр (Ivanov Petr)"):
        results = f"Round;White;Black;Result\n1;{name};Sidorov;2-0\n"
        read = samples.read_into(event, "results.csv", results.encode())
        assert read.accepted, read.findings
        assert [(each.first, each.second) for _, each in read.accepted.pairings()] == [(1, 4)]
    again = samples.read_into(event, "list.csv", TWO_SCRIPTS.encode()).accepted
    assert again == event


def test_team_after_a_name_is_no_second_script() -> None:
    (table,) = tables_of(b"No;Name;Team\n1;Ann;Reds\n2;Bea;Blues\n").tables
    assert "other_name" not in mapped_tables([table])[0][1].columns.values()


@pytest.mark.django_db
def test_names_are_unchanged_by_the_database() -> None:
    content = "Name;Fed\n" + "".join(f'"{name}";NED\n' for name in NAMES)
    document = samples.read_into(EMPTY, "list.csv", content.encode()).accepted
    assert document
    findings = import_file("event.json", write(document).encode(), announce=lambda _: None)
    stored = load(document.event.slug)

    assert [each for each in findings if each.severity == "error"] == []
    assert {each.name for each in stored.competitors} == {*{name_key(name): name for name in NAMES}.values()}
    assert write(stored) == write(document)

"""Final tables without games: which lists are such tables, with their places, points and facts."""

import pytest

from tests.tournaments.event.test_published_only import CASE
from tournaments.event.document import Document
from tournaments.interchange.formats.file_formats import read
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.outline import outline_of

FORM = {"name": "Old Open", "start": "1938", "discipline": "chess"}
SWISS = {"schedule": "swiss", "rounds": "9"}
ROWS = "\n1;Arends, Bo;7½\n2;Brill, Cas;7\n3;Claes, Dee;6\n"


def read_text(text: str, name: str = "list.txt", **facts: str) -> Reading:
    return read(name, text.encode(), facts=outline_of({**FORM, **facts}, "the test"))


def document_of(text: str, name: str = "list.txt", **facts: str) -> Document:
    reading = read_text(text, name, **facts)
    assert reading.accepted is not None, reading.findings
    return reading.accepted


def test_final_ranking_of_chess_results_needs_no_fact() -> None:
    path = CASE.with_name("cr-final-ranking.html")
    reading = read(path.name, path.read_bytes())

    assert reading.accepted is not None
    event, published = reading.accepted.event, reading.accepted.published
    assert (event.name, event.state, event.unknown, event.planned_rounds) == (
        "Harbour Open", "final", ("results",), 3,
    )  # fmt: skip
    assert published is not None
    assert (published.order, published.publisher) == ([[2], [1], [4], [3]], "chess-results.com")
    assert published.columns["Pts"] == {"1": "2", "2": "2.5", "3": "0.5", "4": "1"}
    assert published.columns["TB2"]["2"] == "4.5"
    assert [each.code for each in reading.findings] == ["outside-tables", "only-published"]


@pytest.mark.parametrize(
    "title",
    [
        "Final Ranking after 9 Rounds", "Final standings after round 9", "Endstand nach 9 Runden",
        "Schlusstabelle nach der 9. Runde", "Eindstand na 9 ronden", "Classement final après 9 rondes",
        "Clasificación final después de 9 rondas", "Classificação final após 9 rodadas",
        "Classifica finale dopo 9 turni", "Klasyfikacja końcowa po 9 rundach",
        "Итоговое положение после 9 тура",
        "Konečné pořadí po 9 kole", "Végső sorrend 9 forduló után", "Konačan plasman posle 9 kola",
        "Slutställning efter 9 ronder", "Son sıralama 9. turdan sonra", "Rank after round 9 of 9",
    ],
)  # fmt: skip
def test_title_names_the_last_round_in_each_language(title: str) -> None:
    document = document_of(f"{title}\nPl;Name;Pts{ROWS}", schedule="swiss")
    assert (document.event.planned_rounds, document.event.unknown) == (9, ("results",))


@pytest.mark.parametrize(
    ("text", "order", "points"),
    [
        ("place;name;points\n1;Arends;7½\n2-3;Brill;7\n2-3;Claes;7\n4;Dorn;6,5\n", [[1], [2, 3], [4]], "7.5"),
        ("place;name\n1;Arends\n=2;Brill\n=2;Claes\n", [[1], [2, 3]], ""),
        ("1. Arends 7½\n2-4. Brill, Claes en Dorn 7\n5. Faber 6\n", [[1], [2, 3, 4], [5]], "7.5"),
        ("1. Arends 7½; 2. Brill 7; 3-4. Claes, Dorn 6½", [[1], [2], [3, 4]], "7.5"),
        ("1st Arends 7 1/2 pts\n2nd Brill 7 pts\n4th Claes 6 pts\n", [[1], [2], [], [3]], "7.5"),
        ("1;Arends, Bo;7½\n2;Brill, Cas;7\n3;Claes, Dee;6\n", [[1], [2], [3]], "7.5"),
        ("<html><body><ol><li>Arends 7½</li><li>Brill 7</li><li>Claes 6</li></ol></body></html>",
         [[1], [2], [3]], "7.5"),
        ("Rank;Team;MP\n1;Utrecht;15\n2;Delft;14\n3;Leiden;11\n", [[1], [2], [3]], "15"),
    ],
)  # fmt: skip
def test_list_of_a_newspaper_is_a_final_table(text: str, order: list[list[int]], points: str) -> None:
    document = document_of(text, **SWISS, results="unknown", boards="4")
    published = document.published

    assert document.event.unknown == ("results",)
    assert published is not None
    assert published.order == order
    assert next(iter(published.columns.values()), {}).get("1", "") == points


def test_lines_of_a_pdf_have_titles_countries_ratings_and_figures() -> None:
    document = document_of(
        "Harbour Open 2004\nFinal Ranking after 9 Rounds\nRk. Name FED RtgI Pts. TB1\n"
        "1 GM Arends, Bo NED 2447 7,5 49,5\n"
        "2 Brill, Cas BEL 2400 7 51\n3 Claes, Dee 6,5 45\n12 April 2004\n",
        schedule="swiss",
    )  # fmt: skip
    assert [(each.title, each.name, each.code, each.rating) for each in document.competitors] == [
        ("GM", "Arends, Bo", "NED", 2447), ("", "Brill, Cas", "BEL", 2400), ("", "Claes, Dee", "", None),
    ]  # fmt: skip
    assert document.published is not None
    assert document.published.columns == {
        "Pts": {"1": "7.5", "2": "7", "3": "6.5"},
        "TB1": {"1": "49.5", "2": "51", "3": "45"},
    }


@pytest.mark.parametrize(
    "text",
    [
        f"Rank after round 3\nNumber of rounds: 9\nRk;Name;Pts{ROWS}",
        f"Rank after round 3 of 9\nRk;Name;Pts{ROWS}",
        "Rk;Name;Rating\n1;Arends;2300\n2;Brill;2200\n3;Claes;2100\n",
        "1. Arends\n2. Brill\n3. Claes\n",
        *(f"{title}\nRk;Name;Pts{ROWS}" for title in ("Current standings", "Zwischenstand", "Tussenstand")),
        f"Clasificación provisional\nRk;Name;Pts{ROWS}",
    ],
)
def test_table_that_may_not_be_final_is_a_question(text: str) -> None:
    (question,) = read_text(text, **SWISS).errors
    assert (question.code, question.where) == ("missing-fact", "results")

    final, begun = (document_of(text, **SWISS, results=each) for each in ("unknown", "later"))
    assert (final.event.state, final.event.unknown) == ("final", ("results",))
    assert (begun.event.state, begun.event.unknown, begun.published) == ("live", (), None)


def test_number_of_rounds_shows_whether_a_table_is_final() -> None:
    text = f"Rank after round 9\nRk;Name;Pts{ROWS}"
    assert [each.where for each in read_text(text, schedule="swiss").errors] == ["results"]
    assert [each.where for each in read_text(text, schedule="swiss", rounds="11").errors] == ["results"]
    assert document_of(text, schedule="swiss", rounds="9").event.unknown == ("results",)


def test_starting_list_is_no_final_table() -> None:
    document = document_of("Starting rank list\nRk;Name;Rating\n1;Arends;2300\n2;Brill;2200\n", **SWISS)
    assert (document.event.state, document.event.unknown, document.published) == ("live", (), None)


PERFECT = """Standings

Place Name            Feder Rtg  Loc  Score M-Buch. Buch. Progr.

  1   Arends, Bo      NED   2100      2.5     2.0   4.5    5.0
 2-3  Brill, Cas      BEL   2000      2       2.5   5.0    4.0
      Claes, Dee      NED   1900      2       1.5   3.5    4.0
  4   Dorn, Eva             1800      1       2.0   4.5    2.0
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (PERFECT, "Arends, Bo; Brill, Cas; Claes, Dee; Dorn, Eva"),
        ("1. Arends, Bo 7½\n2-3. Brill, Cas 6\n     Claes, Dee 6\n4-5. Dorn, Eva and Ekman, Finn 3",
         "Arends, Bo; Brill, Cas; Claes, Dee; Dorn, Eva; Ekman, Finn"),
        ("1. Arends 7½\n2./3. C. Brill, D. Claes je 6\n4.-6. Dorn, Faber und Gross 3\n7. Huber (withdrawn) 0",
         "Arends; C. Brill; D. Claes; Dorn; Faber; Gross; Huber"),
        ("1. B. Arends 9 pt.\n2. C. Brill 8 pt.\n   D. Claes 8 pt.\n4. E. Dorn 3 pt.",
         "B. Arends; C. Brill; D. Claes; E. Dorn"),
        ("1. Иванов П. 8½\n2-3. Смирнова А., Петров К. по 7\n4. Дорн 2",
         "Иванов П.; Смирнова А.; Петров К.; Дорн"),
        ("1.º J. Núñez 7½ puntos\n2.º A. Peña 7\n3.º y 4.º C. Brill y E. Ruiz 5",
         "J. Núñez; A. Peña; C. Brill; E. Ruiz"),
        ("1. Ann +6 -1 =2 7\n2. Bea +5 -2 =2 6\n3. Cas +1 -6 =2 2", "Ann; Bea; Cas"),
        ("1. Arends, 2. Brill, 3. Claes", "Arends; Brill; Claes"),
        ("1. K. de Jong 8 uit 9\n2/3. P. Roos en J. Vos 7\n4. F. Raman 3",
         "K. de Jong; P. Roos; J. Vos; F. Raman"),
        ("1er A. Roi 6½ pts\n2e-3e S. Duc et E. Pion 4 pts\n4e V. Fou 2 pts",
         "A. Roi; S. Duc; E. Pion; V. Fou"),
        ("Rk Name Pts\n1 Ann 7.5\n2-3 Bea and Cas 7\n4 Dan 6", "Ann; Bea; Cas; Dan"),
    ],
)  # fmt: skip
def test_players_who_share_a_place_are_all_read(text: str, names: str) -> None:
    document = document_of(text, **SWISS, results="unknown")
    assert "; ".join(each.name for each in document.competitors) == names
    assert document.published is not None
    assert [] not in document.published.order


def test_countries_and_dots_are_no_parts_of_names() -> None:
    text = "1 Arends (Netherlands) .... 9\n=2 Brill (Belgium) ... 8\n=2 Claes (Den Haag) .. 8"
    assert [(each.name, each.code) for each in document_of(text, **SWISS).competitors] == [
        ("Arends", "NED"), ("Brill", "BEL"), ("Claes (Den Haag)", ""),
    ]  # fmt: skip


def test_points_with_those_of_the_opponents_are_read() -> None:
    document = document_of("Pl;Name;Points\n1;Fine;7-2\n2;Kashdan;6½-2½\n", **SWISS, results="unknown")
    assert document.published is not None
    assert document.published.columns["Points"] == {"1": "7", "2": "6.5"}


def test_heading_above_places_is_not_the_name_of_the_event() -> None:
    text = b"Rk Name Pts\n1 Ann 7.5\n2 Bea 7\n3 Cas 6"
    reading = read("Open 1938.txt", text, facts=outline_of({**SWISS, "discipline": "chess"}, "the test"))
    assert reading.document is not None
    assert reading.document.event.name == "Open 1938"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1. Arends 7½\n2-3. Brill 6\n4. Dorn 5", "unread-line"),
        ("1. Arends 7½\n2. Brill 6\nC. Claes drew all games\n4. Dorn 5", "unread-line"),
        ("Place;Name;Points\n1;Arends;7\n2;Brill;8", "printed-places"),
        ("Place;Name;Points\n1;Arends;7\n2;Brill;6\n;Claes;1", "printed-places"),
        ("Place;Name;Points\n1;Arends;9½\n2;Brill;6", "printed-points"),
    ],
)
def test_final_table_that_is_incomplete_or_contradicts_itself_is_an_objection(text: str, code: str) -> None:
    reading = read_text(text, **SWISS, results="unknown")
    assert [each.code for each in reading.objections] == [code]


def test_text_without_columns_is_refused_with_an_example_of_a_line() -> None:
    (refusal,) = read_text("1 2 3\n4 5 6\n", **SWISS).errors
    assert "“1. Arends 7½”" in refusal.message


def test_name_with_two_places_is_an_error() -> None:
    (fault,) = read_text("1. Jansen 7½\n2. Brill 7\n3. Jansen 6\n", **SWISS).errors
    assert (fault.code, fault.where) == ("name-of-several", "row 3")


def test_all_missing_facts_are_a_single_question() -> None:
    (question,) = read("list.csv", f"place;name;points{ROWS}".encode()).errors
    assert question.where == "start, schedule, rounds"


@pytest.mark.parametrize(
    ("last", "schedule", "rounds"), [("½", "round-robin", 3), ("1½", "", None)], ids=["all met", "unknown"]
)
def test_points_show_that_all_met(last: str, schedule: str, rounds: int | None) -> None:
    reading = read_text(f"1. Arends 2½\n2. Brill 2\n3. Claes 1\n4. Dorn {last}\n")
    event = reading.document and reading.document.event
    assert (event.schedule if event else "", event.planned_rounds if event else None) == (schedule, rounds)

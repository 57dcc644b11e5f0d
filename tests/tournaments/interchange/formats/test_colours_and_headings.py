"""Crosstables in other languages: headings, and letters of colours."""

import pytest

from tests.tables import tables_of
from tests.tournaments.interchange.formats.test_layouts import CHESS, codes, reading
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.tables.crosstable_cells import CellReading, read_cell
from tournaments.interchange.formats.tables.heading_words import languages_of
from tournaments.interchange.formats.tables.headings import guessed

HEADINGS = {
    "English": "Rk.;SNo;Title;Name;Sex;FED;Rtg;Club;Born;1.Rd;2.Rd;3.Rd;Pts.",
    "Dutch": "Rg.;Nr.;Titel;Naam;Geslacht;Land;Rating;Vereniging;Geboren;Ronde 1;Ronde 2;Ronde 3;Punten",
    "German": "Rg.;Snr;Titel;Spieler;Geschlecht;Land;Elo;Verein;Geburtsjahr;1.Rd;2.Rd;3.Rd;Pkt.",
    "French": "Rg.;Num;Titre;Nom;Sexe;Fédé;Elo;Club;Naissance;Ronde 1;Rd.2;3.Rd;Pts",
    "Spanish": "Puesto;Nº Ini.;Título;Nombre;Sexo;País;Elo;Club;F. Nac.;1.Rda;Ronda 2;Rd.3;Ptos.",
    "Italian": "Posizione;Numero;Titolo;Nome;Sesso;Federazione;Elo;Circolo;Nascita;Turno 1;2.turno;T3;Punti",
    "Polish": "Miejsce;Nr;Tytuł;Nazwisko;Płeć;Fed.;Elo;Klub;Rok ur.;Runda 1;2 runda;R3;Punkty",
    "Portuguese": "Pos.;Num;Título;Jogador;Sexo;Federação;Elo;Clube;Nascimento;Rodada 1;Rd.2;3.Rd;Pontos",
    "Russian": "Место;Ст.номер;Звание;Фамилия, имя;Пол;Страна;Рейтинг;Клуб;Год рожд.;Тур 1;2 тур;3.тур;Очки",
}
FIELDS = (
    "label", "number", "title", "name", "sex", "code", "rating", "club", "born",
    "round:1", "round:2", "round:3", "points",
)  # fmt: skip


def table(heading: str, white: str, black: str) -> str:
    """Return three competitors and three rounds, with these letters for the colours."""
    rows = [
        f"1;1;GM;Ann;w;NED;2400;A;1990;2{white}1;3{black}½;;1½",
        f"2;2;;Bea;w;BEL;2300;B;1991;1{black}0;;3{white}1;1",
        f"3;3;;Cas;m;FRA;2200;C;1992;;1{white}½;2{black}0;½",
    ]
    return "\n".join([heading, *rows]) + "\n"


def whites(read: Reading) -> list[tuple[int, int]]:
    """Return the first side of each pairing, with the opponent."""
    assert read.accepted, read.findings
    return [(each.first, each.second) for _, each in read.accepted.pairings() if each.second]


@pytest.mark.parametrize("language", HEADINGS)
def test_headings_are_known_in_nine_languages(language: str) -> None:
    heading = HEADINGS[language].replace("T3", "3.turno")
    (found,) = tables_of(table(heading, "w", "b").encode()).tables
    mapping = guessed(found)

    assert mapping.role == "crosstable"
    assert [mapping.columns.get(at, "") for at in range(len(FIELDS))] == list(FIELDS)
    assert max(languages_of(tuple(heading.split(";"))).items(), key=lambda each: len(each[1]))[0] == language


@pytest.mark.parametrize(
    ("language", "white", "black", "told"),
    [
        ("English", "w", "b", []),
        ("Dutch", "w", "z", []),
        ("German", "w", "s", []),
        ("Russian", "б", "ч", []),
        ("French", "b", "n", ["colour-letters"]),
        ("Spanish", "b", "n", ["colour-letters"]),
        ("Italian", "B", "N", ["colour-letters"]),
        ("Polish", "b", "c", ["colour-letters"]),
        ("Portuguese", "b", "p", ["colour-letters"]),
        ("English", "b", "n", ["colour-letters"]),
        ("French", "w", "b", []),
    ],
)
def test_letters_of_the_table_identify_white(language: str, white: str, black: str, told: list[str]) -> None:
    read = reading(CHESS, table(HEADINGS[language].replace("T3", "3.turno"), white, black))

    assert whites(read) == [(1, 2), (3, 1), (2, 3)]
    assert codes(read) == told


def test_finding_counts_letters_and_names_language() -> None:
    (finding,) = reading(CHESS, table(HEADINGS["French"], "b", "n")).findings
    assert finding.message == (
        "“b” is read as White, for the other letter is “n” (3) beside 3 of it, and the heading is French "
        "(“Titre”, “Nom”, “Fédé”). Choose otherwise if b is Black."
    )


ONLY_B = "No;Name;1.Rd;2.Rd\n1;Ann;2b1;\n2;Bea;;3b1\n3;Cas;;\n"


def test_unclear_colours_are_a_question() -> None:
    read = reading(CHESS, ONLY_B)
    assert "colour-letters" in codes(read)
    assert next(each for each in read.findings if each.code == "colour-letters").severity.value == "objection"

    for colours, sides in (("white", [(1, 2), (2, 3)]), ("black", [(2, 1), (3, 2)])):
        chosen = reading(CHESS, ONLY_B, colours=colours)
        assert "colour-letters" not in codes(chosen)
        assert whites(chosen) == sides


def test_language_decides_for_a_single_letter() -> None:
    assert whites(reading(CHESS, ONLY_B.replace("Name", "Nom"))) == [(1, 2), (2, 3)]
    assert whites(reading(CHESS, ONLY_B.replace("Name", "Player"))) == [(2, 1), (3, 2)]


def test_letters_of_two_languages_are_an_objection() -> None:
    read = reading(CHESS, table(HEADINGS["English"], "w", "b").replace("2b0", "2n0"))
    (finding,) = [each for each in read.findings if each.code == "colour-letters"]
    assert "“w” (3) and “n” (1) and “b” (2)" in finding.message


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("12n1", CellReading(12, colour="b", score=2)),
        ("12 ч ½", CellReading(12, colour="b", score=1)),
        ("12б0", CellReading(12, colour="w", score=0)),
        ("+ 23N", CellReading(23, colour="b", outcome="won")),
        ("1/7c", CellReading(7, colour="b", score=2)),
    ],
)
def test_cells_with_letters_of_other_languages(text: str, read: CellReading) -> None:
    assert read_cell(text) == read


def test_b_is_white_only_as_letter_of_a_colour() -> None:
    assert read_cell("12b1", b_is_white=True) == CellReading(12, colour="w", score=2)
    assert read_cell("12n1", b_is_white=True) == read_cell("12n1")
    assert read_cell("bye", b_is_white=True) == read_cell("bye")

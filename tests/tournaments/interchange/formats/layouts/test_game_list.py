"""Lists of games: columns under headings of rounds, lines of text, competitors from the names."""

from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats import samples
from tournaments.event.document import Document, PairingEntry
from tournaments.interchange.formats.layouts.game_list import GAME_LIST
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.recognition import read_by_layout, recognised
from tournaments.interchange.formats.tables.reading import read_tables
from tournaments.interchange.formats.validating.validation import validate


def file_of(text: str) -> LayoutFile:
    return LayoutFile("games.txt", text.encode())


def event_of(text: str) -> Document:
    """Return the new event of a text in any layout."""
    base = replace(samples.document(samples.players()).event, game_win=2, game_draw=1, game_loss=0)
    found = read_by_layout(file_of(text)).reading
    reading = read_tables(Document(base), found.tables, games=found.games)
    assert reading.document, reading.findings
    return reading.document


def told(document: Document) -> list[tuple[int, str, str]]:
    """Return round, names and result of each pairing."""
    names = {each.number: each.name for each in document.competitors}

    def result(pairing: PairingEntry) -> str:
        return f"{pairing.kind} {pairing.first_score}-{pairing.second_score}"

    return [
        (number, "-".join(names[each] for each in pairing.numbers), result(pairing))
        for number, pairing in document.pairings()
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Ronda 1\nBlancas;Negras;Resultado\nAnn;Bea;1-0\nCyd;Dov;½-½\nRonda 2\nBea;Cyd;0-1F\nDov;Ann;0-0\n",
        "1. Runde\nAnn - Bea 1-0\nCyd - Dov remis\n2. Runde\nBea - Cyd 0-1F\nDov - Ann 0-0\n",
        "Round 1\n1. Ann 1-0 Bea\n2. Cyd 1/2-1/2 Dov\n\nRound 2\n1 Bea 0-1F Cyd\n2 Dov 0:0 Ann\n",
        "Result,Black,White,Round\n1-0,Bea,Ann,1\ndraw,Dov,Cyd,1\n- : +,Cyd,Bea,2\n0-0,Ann,Dov,2\n",
    ],
)
def test_rounds_and_results_in_any_order_and_language(text: str) -> None:
    assert told(event_of(text)) == [
        (1, "Ann-Bea", "played 2-0"),
        (1, "Cyd-Dov", "played 1-1"),
        (2, "Bea-Cyd", "forfeit 0-2"),
        (2, "Dov-Ann", "played 0-0"),
    ]


def test_dates_of_rounds_and_open_games() -> None:
    document = event_of("Quay Cup\nRound 1 (3 May 2021)\nAnn - Bea 1-0\nCyd - Dov 0-1\nRound 2\nBea - Ann\n")
    assert [each.date for each in document.rounds] == ["2021-05-03", ""]
    assert told(document)[-1] == (2, "Bea-Ann", "pending None-None")


def test_all_lines_are_counted() -> None:
    text = "Quay Cup\nRound 1\nAnn - Bea 1-0\nCyd - Dov 0-1\nPrinted by hand\n"
    found = GAME_LIST.read(file_of(text))
    assert found.outline.name == "Quay Cup"
    assert [(each.what, each.read, each.examples) for each in found.account or ()] == [
        ("lines", 4, ("Printed by hand",))
    ]


def test_prose_is_no_list_of_games() -> None:
    text = "The final was close.\nAnn - Bea 1-0\nAfter it everybody\nwent home, and the sun\nshone.\n"
    assert recognised(file_of(text)).layout is not GAME_LIST


def test_names_are_not_added_to_an_existing_event() -> None:
    base = samples.document(samples.players())
    found = GAME_LIST.read(file_of("Round 1\nZed - Yan 1-0\nXan - Wyn 1-0\n"))
    reading = read_tables(base, found.tables, games=found.games)
    assert {each.code for each in reading.findings} >= {"unknown-competitor"}


def test_games_of_other_players_with_moves_are_left_out_of_an_existing_event() -> None:
    base = samples.document(samples.players())
    text = "Round 1\nWhite;Black;Result;Moves\nZed;Yan;1-0;1. e4 e5 1-0\nXan;Wyn;1-0;1. d4 d5 1-0\n"
    found = GAME_LIST.read(file_of(text))
    reading = read_tables(base, found.tables, games=found.games)
    codes = {each.code for each in reading.findings}
    assert "game-of-strangers" in codes
    assert "unknown-competitor" not in codes


def test_line_of_separators_is_counted() -> None:
    found, example = (
        {each.what: each.read for each in read_by_layout(file_of(text)).reading.account or ()}
        for text in (GAME_LIST.example.replace("\nRound 2", "\n;;;\nRound 2"), GAME_LIST.example)
    )
    assert found["lines"] == example["lines"] + 1


@pytest.mark.parametrize("result", ["0–1 (F)", "0-1 F", "0-1k"])
@pytest.mark.parametrize("game", ["Ann – Bea {}", "White;Black;Result\nAnn;Bea;{}"])
def test_letter_after_the_result_marks_a_forfeit(game: str, result: str) -> None:
    text = f"Round 1\n{game.format(result)}\n{'Cyd – Dov 1-0' if '–' in game else 'Cyd;Dov;1-0'}\n"
    document = validate(text.encode(), "club cup 1999 chess.txt").document

    assert document is not None
    assert document.rounds[0].pairings[0].kind == "forfeit"

"""Vega: colours in classes, players as cards, byes and forfeits, pairings and texts."""

import pytest

from tests.tournaments.interchange.formats.layouts.test_new_events import codes, made, results
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.reading import LaidOutReading
from tournaments.interchange.formats.layouts.recognition import read_by_layout, recognised
from tournaments.interchange.formats.layouts.vega import VEGA

HEAD = (
    '<!DOCTYPE html><html><head><meta name="author" content="www.vegachess.com"><title>Harbour Blitz</title>'
    "</head><body><nav><ul><li>Pairings</li></ul></nav><h1>Harbour Blitz</h1><h5>Port (NED)</h5>"
    "<h5> 03/02/2025 - 04/02/2025</h5>"
)


def cell(result: str, colour: str, opponent: str) -> str:
    return f'<td><div class="res">{result}</div><div class="{colour}">{opponent}   </div></td>'


def player(number: int, name: str, title: str = "") -> str:
    kind = "title" if title else "notitle"
    return (
        f'<span class="idn"> {number} </span> <span class="{kind} male"> {title}</span>'
        f' <a href="playercard.html#{number}">{name}</a>'
    )


FLAG = '<img src="./flag/ned.png" alt="flag">'


def card(number: int, name: str, rating: int) -> str:
    """Return the cell of a player in newer pages, with the error in their markup."""
    link = f'<a href="playercard.html#{number}"></a>'
    return (
        f'<div class="player-container" \n <div class="left-box2">\n{link}\n'
        f'<div class="player-name-box2"><span>{name}</span></div><div>'
        f'<div class="sort-num"> {number}</div><div class="title-box"><div class="title2 male">FM</div></div>'
        f'<div class="rating">{rating}</div><div class="fed">{FLAG}</div></div>'
        "</div></div>"
    )


def page(head: str, *rows: str) -> str:
    headings = "".join(f"<th>{each}</th>" for each in head.split())
    table = f"<table><tr>{headings}</tr>{''.join(rows)}</table>"
    return f"{HEAD}<h3>Cross Table at round 2</h3>{table}</body></html>"


def row(*cells: str) -> str:
    """Return a row; the cells of rounds are elements already."""
    return f"<tr>{''.join(each if each[:3] == '<td' else f'<td>{each}</td>' for each in cells)}</tr>"


def new_event(text: str, **form: str) -> LaidOutReading:
    return made(text, "crosstable.html", start="", discipline="", **form)


def names(reading: LaidOutReading) -> list[tuple[int, str, str, str, int | None]]:
    assert reading.document
    return [
        (each.number, each.code, each.title, each.name, each.rating) for each in reading.document.competitors
    ]


NED, BEL = '<img src="flag/ned.png" alt="NED">', '<img src="flag/bel.png" alt="BEL">'
BYE, HALF = cell(" 1 ", "cf", "BYE"), cell(" ½ ", "cf", "BYE")
PLACES = page(
    "Pos Player Rtg Fed Pts 1 2",
    row("1", player(3, "Claes, Dee", "CM"), "1800", NED, "1.5", cell("1", "cw", "2"), cell("½", "cb", "3")),
    row("2", player(1, "Arends, Bo"), "2000", NED, "1.0", cell("0", "cb", "1"), cell(" 1 ", "cf", "4")),
    row("3", player(2, "Brill, Cas"), "1900", BEL, "1.0", HALF, cell("&frac12;", "cw", "1")),
    row("4", player(4, "Dorn, Eva   (W)"), "0", "", "1.0", BYE, cell("0", "cf", "2")),
)


def test_cells_have_the_colour_in_their_class_and_opponents_by_place() -> None:
    reading = new_event(PLACES)

    assert codes(reading) == []
    assert names(reading) == [
        (1, "NED", "", "Arends, Bo", 2000),
        (2, "BEL", "", "Brill, Cas", 1900),
        (3, "NED", "CM", "Claes, Dee", 1800),
        (4, "", "", "Dorn, Eva", None),
    ]
    assert results(reading) == [
        (1, 3, 1, "played", 2, 0),
        (1, 2, None, "half-bye", 1, None),
        (1, 4, None, "bye", 2, None),
        (2, 2, 3, "played", 1, 1),
        (2, 1, 4, "forfeit", 2, 0),
    ]
    assert reading.document
    event = reading.document.event
    assert (event.name, event.place, event.country) == ("Harbour Blitz", "Port", "NED")
    assert (event.start, event.end, event.discipline) == ("2025-02-03", "2025-02-04", "chess")


def test_title_in_the_name_of_a_player_without_a_card() -> None:
    rows = row("1", "CM Claes, Dee", "1"), row("2", "Brill, Cas", "0")
    reading = new_event(page("Pos Player Pts", *rows), schedule="swiss", rounds="2", results="unknown")

    assert [each[2:4] for each in names(reading)] == [("CM", "Claes, Dee"), ("", "Brill, Cas")]


def test_pairings_have_numbers_after_names_and_byes_in_place_of_results() -> None:
    table = page(
        "Bd Pts White Result Black Pts",
        row("1", "0", "Arends, Bo (2)", "+ - -", "Claes, Dee (3)", "0"),
        row("2", "0", "Brill, Cas (1)", "BYE", "", ""),
    )
    reading = new_event(table.replace("Cross Table at", "Pairing of"), schedule="swiss", rounds="2")

    assert [each[::3] for each in names(reading)] == [(1, "Brill, Cas"), (2, "Arends, Bo"), (3, "Claes, Dee")]
    assert results(reading) == [(2, 2, 3, "forfeit", 2, 0), (2, 1, None, "bye", 2, None)]


def test_cards_of_players_and_opponents_by_number() -> None:
    reading = new_event(
        page(
            "# Player Pts 1 2",
            row('<td> <span class="idn"> 1 </span></td>', card(1, "Arends,Bo", 2000), "0.5", HALF[:-5], " "),
            row("2", card(2, "Brill,Cas", 1900), "2.0", cell("1", "cb", "3"), cell("1", "cw", "3")),
            row("3", card(3, "Claes,Dee", 1800), "0.0", cell("0", "cw", "2"), cell("0", "cb", "2")),
        )
    )

    assert [each for each in codes(reading) if each != "met-before"] == []
    assert names(reading)[0] == (1, "NED", "FM", "Arends,Bo", 2000)
    assert results(reading) == [
        (1, 1, None, "half-bye", 1, None),
        (1, 3, 2, "played", 0, 2),
        (2, 2, 3, "played", 2, 0),
    ]


def test_places_before_cards_are_not_numbers() -> None:
    text = page(
        "# Player Pts 1 BH",
        row("1", card(2, "Brill,Cas", 1900), "1.0", cell("1", "cb", "3"), "0.0"),
        row("2", card(3, "Claes,Dee", 1800), "1.0", BYE, "0.0"),
        row("3", card(1, "Arends,Bo", 2000), "0.0", cell("0", "cw", "1"), "1.0"),
    )
    reading = new_event(text)

    assert codes(reading) == []
    assert results(reading) == [(1, 1, 2, "played", 0, 2), (1, 3, None, "bye", 2, None)]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        (cell("1", "cw", "2")[:-5] + cell("0", "cb", "2")[4:], []),
        (f"<td><table><tr>{cell('1', 'cw', '2')}</tr></table></td>", ["outside-tables"]),
    ],
)
def test_two_results_or_a_table_in_a_cell_are_no_exception(changed: str, found: list[str]) -> None:
    text = PLACES.replace(cell("1", "cw", "2"), changed)

    assert [
        each.code for each in read_by_layout(LayoutFile("a.html", text.encode())).reading.findings
    ] == found


def test_pairings_with_day_and_time_byes_and_forfeits() -> None:
    def pairing(board: str, white: str, result: str, black: str) -> str:
        return row(board, NED, white, "0", f'<td class="result">{result}</td>', "0", black, "")

    text = (
        f"{HEAD}<h5>Pairing of round 2, at 17:30 of 04/02/2025</h5><table><tr><th>Bo.</th><th>Fed</th>"
        "<th>White Player</th><th>Pts</th><th>Result</th><th>Pts</th><th>Black Player</th><th>Fed</th></tr>"
        f"{pairing('1', player(1, 'Arends, Bo', 'CM'), '½ - ½', player(4, 'Dorn, Eva'))}"
        f"{pairing('2', player(3, 'Claes, Dee'), '0F-1F', player(2, 'Brill, Cas'))}"
        f"{pairing('3', player(5, 'Ekman, Finn'), '1    ', '( bye )')}"
        f"{pairing('4', player(6, 'Fjord, Gus'), '0    ', '( not paired )')}</table></body></html>"
    )
    reading = new_event(text, schedule="swiss", rounds="5")

    assert codes(reading) == []
    assert results(reading) == [
        (2, 1, 4, "played", 1, 1),
        (2, 3, 2, "forfeit", 0, 2),
        (2, 5, None, "bye", 2, None),
        (2, 6, None, "absent", 0, None),
    ]
    assert names(reading)[0] == (1, "NED", "CM", "Arends, Bo", None)
    assert reading.document
    assert [(each.date, each.time) for each in reading.document.rounds] == [("2025-02-04", "17:30")]
    assert reading.document.event.state == "live"


def test_author_decides_between_pairings_of_vega_and_chess_results() -> None:
    text = (
        f"{HEAD}<h4>Pairing of round 1</h4><table><tr><th>Bd</th><th>Pts</th><th>White</th><th>Result</th>"
        "<th>Black</th><th>Pts</th></tr><tr><td>1</td><td>0.0</td><td>Arends, Bo (2)</td><td>1 - 0</td>"
        "<td>Claes, Dee (3)</td><td>0.0</td></tr></table></body></html>"
    )
    recognition = recognised(LayoutFile("a.html", text.encode()))
    assert (recognition.layout, recognition.level) == (VEGA, [])


def test_older_cells_and_csv_have_the_result_first() -> None:
    text = (
        "Harbour Blitz;;;;;;;\nPort - 03/02/2025, 04/02/2025;;;;;;;\n Cross Table at round 2;;;;;;;\n"
        "ID;NAME;Rat;PRat;Nat;Scr;1;2\n1;Arends, Bo;2000;2100;NED;1.5;=BYE;+W2\n"
        "2;Brill, Cas;1900;1800;BEL;0.0;-N3;-B1\n3;Claes, Dee;1800;0;NED;2.0;+N2;+BYE\n"
        "Generated by Vega - www.vegachess.com;;;;;;;\n"
    )
    for reading in (new_event(text), new_event(page_of(text))):
        assert codes(reading) == []
        assert results(reading) == [
            (1, 1, None, "half-bye", 1, None),
            (1, 2, 3, "forfeit", 0, 2),
            (2, 1, 2, "played", 2, 0),
            (2, 3, None, "bye", 2, None),
        ]
        assert names(reading)[1] == (2, "BEL", "", "Brill, Cas", 1900)


def page_of(text: str) -> str:
    lines = "".join(f"<tr><td>{line.replace(';', '</td><td>')}</td></tr>" for line in text.splitlines())
    return f"<html><body><table>{lines}</table></body></html>"


@pytest.mark.parametrize("text", [PLACES.replace("vegachess", "example"), HEAD + "</body></html>"])
def test_other_pages_and_pages_without_a_table_are_not_recognised(text: str) -> None:
    recognised = read_by_layout(LayoutFile("a.html", text.encode())).recognition

    assert recognised.layout is not VEGA


def test_double_forfeit_and_zero_point_bye() -> None:
    text = PLACES.replace(cell(" 1 ", "cf", "4"), cell("0", "cf", "4")).replace(BYE, cell(" 0 ", "cf", "BYE"))
    reading = new_event(text.replace("<td>1.0</td>", "<td></td>"))

    assert (1, 4, None, "zero-bye", 0, None) in results(reading)
    assert (2, 1, 4, "forfeit", 0, 0) in results(reading)

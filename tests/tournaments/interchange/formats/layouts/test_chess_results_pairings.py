"""Pairings of chess-results.com: by board, by team, boards of matches, several rounds in a file."""

from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats.layouts.test_crosstables import (
    CHESS,
    TEAMS,
    account,
    read,
    reading_of,
)
from tests.tournaments.interchange.formats.layouts.test_new_events import made
from tournaments.event.document import Document
from tournaments.interchange.formats.layouts.chess_results_pairings import CHESS_RESULTS_PAIRINGS
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.recognition import read_by_layout

BY_TEAM = """22nd Harbour Team Cup 2019
Nr.;Snr;;Team;Team;MP;Erg.;:;Erg.;MP;Team;Team;;Snr
1;1;;NED;Arends Club;0;2;:;2;0;Brill Union;BEL;;21
2;2;;GER;Claes Club;0;2½;:;1½;0;Dorn Town *);ESP;;3
3;7;;SWE;Ekman Team;0;;:;;0;nicht ausgelost;;;-2
4;8;;FIN;Fjord Team;0;;:;;0;Gale Town;DEN;;9
"""
BY_BOARD = """Harbour League 2026;;;;;;;;
1. Runde am 26.09.2026 um 14:00;;;;;;;;
Br.;1;Arends Club;Elo;-;5;Brill Union;Elo;1½:2½
1.1;;[w] Kiek, Simon;1715;-;FM;[s] Mitt, Johan;1910;0 - 1
1.2;;[s] Brun, Bo;1600;-;;[w] Motz, Bo;1801;½ - ½
1.3;;Brett nicht besetzt;0;-;;[s] Kist, Vik;1596;- - +
1.4;;[s] Made, Wolf;1448;-;;[w] Wats, Paul;1529;1 - 0
2. Runde am 10.10.2026 um 14:00;;;;;;;;
Br.;5;Brill Union;Elo;-;1;Arends Club;Elo;0 : 0
1.1;;Brett nicht besetzt;0;-;;not occupied;0;
"""


def seats(document: Document) -> list[tuple[object, ...]]:
    """Return round, both numbers, kind and both scores of all pairings."""
    return [
        (number, each.first, each.second, each.kind, each.first_score, each.second_score)
        for number, each in document.pairings()
    ]


def test_rounds_by_board_with_byes_and_forfeits() -> None:
    found = read(CHESS, CHESS_RESULTS_PAIRINGS.example)

    assert [each.number for each in found.competitors] == [1, 2, 3, 4, 5]
    assert (found.competitors[1].name, found.competitors[1].title) == ("Brill, Cas", "FM")
    assert seats(found) == [
        (1, 1, 4, "played", 2, 0),
        (1, 5, 2, "played", 1, 1),
        (1, 3, None, "bye", 2, None),
        (2, 3, 1, "played", 0, 2),
        (2, 2, 4, "forfeit", 2, 0),
        (2, 5, None, "absent", 0, None),
    ]
    assert [each.date for each in found.rounds] == ["2019-02-03", "2019-02-03"]


def test_teams_with_outer_codes_and_unpaired_team() -> None:
    found = read(TEAMS, BY_TEAM)

    assert {each.number: (each.name, each.code) for each in found.competitors}[3] == ("Dorn Town", "ESP")
    assert seats(found) == [
        (1, 1, 21, "played", 4, 4),
        (1, 2, 3, "played", 5, 3),
        (1, 7, None, "absent", 0, None),
        (1, 8, 9, "pending", None, None),
    ]
    assert "no-round-named" in [
        each.code for each in read_by_layout(LayoutFile("a.csv", BY_TEAM.encode())).reading.findings
    ]


def test_boards_belong_to_the_match_above() -> None:
    found = read(replace(TEAMS, event=replace(TEAMS.event, boards=4)), BY_BOARD)

    assert seats(found) == [(1, 1, 5, "played", 3, 5), (2, 5, 1, "pending", None, None)]
    boards = found.rounds[0].pairings[0].games
    assert [(each.board, each.kind, each.first_score, each.white) for each in boards] == [
        (1, "played", 0, "first"),
        (2, "played", 1, "second"),
        (3, "forfeit", 0, "first"),
        (4, "played", 2, "second"),
    ]
    assert {each.name for each in found.competitors[0].players} == {"Kiek, Simon", "Brun, Bo", "Made, Wolf"}


def test_all_lines_and_columns_are_counted() -> None:
    counts = account(CHESS_RESULTS_PAIRINGS.example)

    assert (counts["lines"].read, counts["lines"].unread) == (12, 0)
    assert counts["columns"].examples == ("Pts.",)


PLAYER = '<td><table><tr><td><div class="Farbe{}T"></div></td><td class="CR">{}</td></tr></table></td>'


def board(number: str, white: str, black: str, result: str) -> str:
    """Return a row of the page of boards, with White on the left."""
    players = PLAYER.format("w", white), PLAYER.format("s", black)
    return (
        f"<tr><td>{number}</td><td></td>{players[0]}<td>1715</td><td>-</td><td></td>{players[1]}<td>0</td>"
        f"<td>{result}</td> </tr>"
    )


def test_boards_page_has_players_in_inner_tables() -> None:
    match = "<tr><th>Br.</th><th>{}</th><th>{}</th><th>Elo</th><th>-</th><th>{}</th><th>{}</th><th>Elo</th>"
    vacant = "Brett nicht besetzt"
    page = (
        '<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Schachturnier-Ergebnisserver '
        "Chess-results.com - Harbour League 2026</title></head><body><h2>Harbour League 2026</h2>"
        "<table><tr><td>Ort</td><td>Harbour</td></tr><tr><td>Von</td><td>26.09.2026 bis 28.11.2026</td></tr>"
        '</table><h2>Spielerpaarungen</h2><table class="CRs1"><tr><td colspan="9">1. Runde am 26.09.2026</td>'
        f"</tr>{match.format(1, 'Anchor', 5, 'Buoy')}<th>1&frac12;:&frac12;</th><th>PGN</th></tr>"
        f"{board('1.1', 'Kiek, Simon', 'Mitt, Johan', '1 - 0')}"
        f"{board('1.2', 'Brun, Bo', 'Motz, Bo', '&frac12; - &frac12;')}"
        '<tr><td colspan="9">2. Runde am 10.10.2026</td></tr>'
        f"{match.format(5, 'Buoy', 1, 'Anchor')}<th>0 : 0</th></tr>{board('1.1', vacant, vacant, '')}"
        "</table></body></html>"
    )
    found = read_by_layout(LayoutFile("page.html", page.encode())).reading
    assert (found.outline.name, found.outline.place) == ("Harbour League 2026", "Harbour")
    assert (found.outline.start, found.outline.end) == ("2026-09-26", "2026-11-28")

    assert (found.outline.entrants, found.outline.boards, found.outline.scoring) == ("teams", "2", "1-½-0")

    made = read(replace(TEAMS, event=replace(TEAMS.event, boards=2)), page)
    assert seats(made) == [(1, 1, 5, "played", 3, 1), (2, 5, 1, "pending", None, None)]
    assert [each.white for each in made.rounds[0].pairings[0].games] == ["first", "first"]


def test_result_after_both_sides() -> None:
    heading = "Tisch;TNr;Teilnehmer;Tite;Punkte;–;TNr;Teilnehmer;Tite;Punkte;Ergebnis;At"
    text = (
        f"Harbour Open 2019\nPaarungsliste der 1. Runde\n{heading}\n"
        "1;1.;Arends,Bo;IM;();–;4.;Dorn,Eva;;();1 – 0;\n"
        "2;3.;Claes,Dee;;();–;2.;Brill,Cas;FM;();½ – ½;\n3;5.;Ekman,Finn;;();–;6.;spielfrei;;();+ – –;\n"
        f"Paarungsliste der 2. Runde\n{heading}\n1;5.;Ekman,Finn;;(1);–;1.;Arends,Bo;IM;(1);0 – 1;\n"
        "2;2.;Brill,Cas;FM;(½);–;4.;Dorn,Eva;;(0);+ – –;\n3;3.;Claes,Dee;;(½);–;6.;spielfrei;;(0);+ – –;\n"
    )
    made = read(CHESS, text)

    assert seats(made) == [
        (1, 1, 4, "played", 2, 0),
        (1, 3, 2, "played", 1, 1),
        (1, 5, None, "bye", 2, None),
        (2, 5, 1, "played", 0, 2),
        (2, 2, 4, "forfeit", 2, 0),
        (2, 3, None, "bye", 2, None),
    ]
    assert {each.name: each.title for each in made.competitors if each.title} == {
        "Arends,Bo": "IM",
        "Brill,Cas": "FM",
    }


@pytest.mark.parametrize(
    ("result", "kind", "scores"),
    [
        ("- - -", "forfeit", (0, 0)),
        ("-:-", "forfeit", (0, 0)),
        ("– : –", "forfeit", (0, 0)),
        (":", "pending", (None, None)),
        ("-", "pending", (None, None)),
        ("", "pending", (None, None)),
    ],
)
def test_double_forfeit_is_not_an_open_game(
    result: str, kind: str, scores: tuple[int | None, int | None]
) -> None:
    rows = CHESS_RESULTS_PAIRINGS.example.replace("0;1 - 0;0", f"0;{result};0", 1)
    assert seats(read(CHESS, rows))[0] == (1, 1, 4, kind, *scores)


@pytest.mark.parametrize(
    ("off", "kind"),
    [("0.5", "half-bye"), ("0,5", "half-bye"), ("1/2", "half-bye"), ("½ - 0", "half-bye"), ("1 - 0", "bye"),
     ("+ - -", "bye"), ("", "bye"), ("0", "absent")],
)  # fmt: skip
def test_bye_has_its_printed_points(off: str, kind: str) -> None:
    rows = CHESS_RESULTS_PAIRINGS.example.replace("0;1;;;bye", f"0;{off};;;bye", 1)
    assert seats(read(CHESS, rows))[2][:4] == (1, 3, None, kind)


def test_bye_with_unknown_points_is_rejected() -> None:
    rows = CHESS_RESULTS_PAIRINGS.example.replace("0;1;;;bye", "0;7;;;bye", 1)
    assert [each.code for each in reading_of(CHESS, rows).findings] == ["no-result"]


@pytest.mark.parametrize(
    "heading",
    [
        "Bo.;Nr.;;Wit;Rtg;Ptn.;Resultaat;Ptn.;;Zwart;Rtg;Nr.",
        "Sc.;N.;;Bianco;Elo;Pti;Esito;Pti;;Nero;Elo;N.",
        "M.;No.;;Blancas;Elo;Pts.;Res.;Pts.;;Negras;Elo;No.",
        "Szach.;Nr;;Białe;Elo;Pkt.;Wynik;Pkt.;;Czarne;Elo;Nr",
        "Ст.;№;;Белые;Рейт;Очки;Рез;Очки;;Чёрные;Рейт;№",
    ],
)
def test_headings_of_other_languages_are_complete(heading: str) -> None:
    text = CHESS_RESULTS_PAIRINGS.example
    english = next(line for line in text.splitlines() if line.startswith("Bo."))
    assert seats(read(CHESS, text.replace(english, heading))) == seats(read(CHESS, text))
    columns = account(text.replace(english, heading))["columns"]
    assert columns.unread == 2  # points before the round


def test_line_of_separators_is_counted() -> None:
    text = CHESS_RESULTS_PAIRINGS.example.replace("Round 2", ";;;;\nRound 2")
    assert account(text)["lines"].read == account(CHESS_RESULTS_PAIRINGS.example)["lines"].read + 1


MATCHES = [
    (1, 1, 2, "played", 0, 8),
    (1, 3, 4, "played", 5, 3),
    (1, 5, None, "bye", 6, None),
    (2, 2, 3, "pending", None, None),
]


@pytest.mark.parametrize(
    ("first", "second", "team", "result", "bye"),
    [
        ("Round 1 on 2026/01/03 at 15:00", "Round 2 on 2026/01/10 at 09:30", "Team", "Res.", "bye"),
        (
            "1. Runde am 03.01.2026 um 15:00",
            "2. Runde am 10.01.2026 um 9:30",
            "Mannschaft",
            "Erg.",
            "spielfrei",
        ),
        ("Ronda 1 del 2026/01/03, 15:00", "Ronda 2 del 2026/01/10, 9.30", "Equipo", "Res.", "descansa"),
        ("1 тур 2026/01/03 15:00", "2 тур 2026/01/10 9:30", "Команда", "Рез.", "не играет"),
        ("Ronde 1 le 03/01/2026 à 15:00", "Ronde 2 le 10/01/2026 à 9:30", "Équipe", "Rés.", "exempt"),
        ("Ronde 1 op 2026/01/03 om 15:00", "Ronde 2 op 2026/01/10 om 9:30", "Team", "Uitsl.", "vrij"),
        ("1. тур 2026/01/03 15:00", "2. тур 2026/01/10 9:30", "Команда", "Рез.", "свободен"),
        ("Turno 1 il 2026/01/03 ore 15:00", "Turno 2 il 2026/01/10 9:30", "Squadra", "Ris.", "riposo"),
    ],
)
def test_matches_of_teams_in_other_languages(
    first: str, second: str, team: str, result: str, bye: str
) -> None:
    heading = f"No.;{team};{team};{result};:;{result}"
    text = (
        f"Chess-Results.com - Harbour Cup;;;;;\n{first};;;;;\n{heading}\n1;Reds;Blues;0;:;4\n"
        f"2;Greens;Whites;2½;:;1½\n3;Yellows;{bye};3;:;\n{second};;;;;\n{heading}\n1;Blues;Greens;;:;\n"
    )
    found = read(TEAMS, text)

    assert seats(found) == MATCHES
    assert [(each.date, each.time) for each in found.rounds] == [
        ("2026-01-03", "15:00"),
        ("2026-01-10", "09:30"),
    ]


@pytest.mark.parametrize(
    ("heading", "lines"),
    [
        (
            "No.;SNo;Team;SNo;Team;Res.",
            ("1;1;Reds;2;Blues;0:4", "2;3;Greens;4;Whites;2½ : 1½", "3;;bye;5;Yellows;0:3"),
        ),
        (
            "No.;SNo;Team;Pts;Team;SNo;Pts;Res.;:;Res.",
            ("1;1;Reds;2;Blues;2;2;0;:;4", "2;3;Greens;0;Whites;4;0;2,5;:;1,5", "3;5;Yellows;0;bye;;;3;:;0"),
        ),
        (
            "No.;Team;-;Team;Result",
            ("1;Reds;-;Blues;0 : 4", "2;Greens;-;Whites;2½ : 1½", "3;Yellows;-;bye;3 : 0"),
        ),
    ],
)
def test_results_after_both_teams(heading: str, lines: tuple[str, str, str]) -> None:
    found = read(TEAMS, "\n".join(["Round 1", heading, *lines]))

    assert seats(found) == MATCHES[:3]


def test_match_won_by_forfeit_has_a_letter_after_both_scores() -> None:
    found = read(TEAMS, "Round 1\nNo.;Team;Team;Res.;:;Res.\n1;Reds;Blues;4F;:;0F\n")

    assert [each[3:] for each in seats(found)] == [("forfeit", 8, 0)]


def test_board_of_each_game_of_players_is_its_table() -> None:
    games = "1,1,Ann,1 - 0,Cas\n1,2,Bea,½ - ½,Dov\n2,1,Dov,0F - 1F,Ann\n2,2,Cas,0-1,Bea\n"
    reading = made(f"Round,Board,White,Result,Black\n{games}")

    assert reading.document is not None, reading.findings
    assert reading.document.event.entrants == "players"
    assert [each[0] for each in seats(reading.document)] == [1, 1, 2, 2]


def test_list_of_results_is_no_list_of_pairings() -> None:
    text = "Round;White;Black;Result;Date\n1;Ann;Bea;2-0;07/08/2022\n"
    found = read_by_layout(LayoutFile("a.csv", text.encode())).recognition

    assert found.layout is not CHESS_RESULTS_PAIRINGS


def test_no_score_of_a_match_is_no_result() -> None:
    found = read(TEAMS, "Round 1\nNo.;Team;Team;Res.;:;Res.\n1;Reds;Blues;0;:;0\n2;Greens;Whites;2;:;2\n")

    assert seats(found)[0] == (1, 1, 2, "pending", None, None)

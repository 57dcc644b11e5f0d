"""chess-results.com: compositions of teams and lists of their players, alone and with matches."""

import pytest

from tests.tournaments.interchange.formats.layouts.test_new_events import codes, counted, made
from tournaments.event.document import Document
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.reading import LaidOutReading, read_into_event
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.options import AS_FOUND

PAGE = (
    "<html><head><title>Chess-Results Server Chess-results.com - Harbour Cup</title></head><body>"
    "<h2>Harbour Cup</h2><table><tr><td>{}</td><td>2</td></tr><tr><td>{}</td><td>{}</td></tr>"
    "<tr><td>Date</td><td>2026/01/03 to 2026/01/04</td></tr></table><h2>{}</h2>"
    "<table>{}</table></body></html>"
)
COMPOSITION = """1. Reds (A) (RtgAvg:2350, Captain: Gale, Hal (jr) / TB1: 3);
Bo.;;Name;Rtg;FED;FideID;1;2;Pts.;Games;RtgAvg
1;IM;Arends, Bo;2400;NED;1001;1;½;1,5;2;2300
2;;Claes, Dee;2300;NED;1003;½;;0,5;1;2200
3;;Ekman, Finn;0;SWE;0;;+;1;1;0
2. Blues (RtgAvg:2250 / TB1: 1 / TB2: 1,5);
Bo.;;Name;Rtg;FED;FideID;1;2;Pts.;Games;RtgAvg
1;;Brill, Cas;2300;BEL;1002;0;½;0,5;2;2400
2;FM;Dorn, Eva;2200;GER;1004;½;-;0,5;1;2300
"""
PAIRINGS = """Round 1 on 2026/01/03 at 15:00
No.;Team;Team;Res.;:;Res.
1;Reds (A);Blues;1½;:;½
Round 2 on 2026/01/04 at 9:30
No.;Team;Team;Res.;:;Res.
1;Blues;Reds (A);½;:;1½
"""
RANKING = """Rk.;;Name;Rtg;Team;Pts.;Games;%;Bo.
1;IM;Arends, Bo;2400;Reds (A);1,5;2;75,0;1
2;;Brill, Cas;2300;Blues;0,5;2;25,0;1
3;FM;Dorn, Eva;2200;Blues;0,5;1;50,0;2
"""


def cells(text: str) -> str:
    return "".join(f"<tr><td>{line.replace(';', '</td><td>')}</td></tr>" for line in text.splitlines())


def page(text: str, what: str = "Team-Composition with round-results") -> str:
    kind = ("Number of rounds", "Tournament type", "Swiss-System for teams")
    return PAGE.format(*kind, what, cells(text).replace("½", "&frac12;"))


def new_event(text: str) -> LaidOutReading:
    return made(text, "team.html", start="", discipline="")


def with_matches(text: str) -> LaidOutReading:
    """Return the reading of a page into the event of its matches."""
    event = new_event(page(PAIRINGS, "Team pairings")).accepted
    assert event
    return read_into_event(event, read_by_layout(LayoutFile("a.html", text.encode())), AS_FOUND)


def players(document: Document | None) -> dict[str, list[tuple[int | None, str, str, int | None]]]:
    assert document
    return {
        each.name: [(player.board, player.title, player.name, player.rating) for player in each.players]
        for each in document.competitors
    }


LINE_UPS = {
    "Reds (A)": [(1, "IM", "Arends, Bo", 2400), (2, "", "Claes, Dee", 2300), (3, "", "Ekman, Finn", None)],
    "Blues": [(1, "", "Brill, Cas", 2300), (2, "FM", "Dorn, Eva", 2200)],
}


@pytest.mark.parametrize("text", [page(COMPOSITION), "Chess-Results.com;\nHarbour Cup;\n" + COMPOSITION])
def test_composition_alone_is_teams_and_players_without_results(text: str) -> None:
    reading = made(text, "team.html", start="2026", discipline="", schedule="swiss")

    assert codes(reading) == ["no-matches"]
    assert players(reading.document) == LINE_UPS
    assert reading.document
    event = reading.document.event
    assert (event.entrants, event.boards, event.planned_rounds, event.state) == ("teams", 2, 2, "live")
    assert reading.document.competitors[0].players[0].fide_id == 1001
    assert reading.document.published is None
    assert counted(reading, "columns").examples == ("FED", "Pts.", "Games", "RtgAvg")


def test_results_of_players_become_boards_of_the_matches() -> None:
    reading = with_matches(page(COMPOSITION))

    assert codes(reading) == []
    assert reading.accepted
    assert players(reading.accepted) == LINE_UPS
    boards = [
        (number, each.board, each.kind, each.first_score, each.second_score)
        for number, match in reading.accepted.pairings()
        for each in match.games
    ]
    assert boards == [
        (1, 1, "played", 2, 0),
        (1, 2, "played", 1, 1),
        (2, 1, "played", 1, 1),
        (2, 2, "forfeit", 0, 2),
    ]
    assert [each.date for each in reading.accepted.rounds] == ["2026-01-03", "2026-01-04"]


def test_boards_are_unknown_if_a_team_has_fewer_results() -> None:
    reading = with_matches(
        page(COMPOSITION.replace("1;IM;Arends, Bo;2400;NED;1001;1;½", "1;IM;Arends, Bo;;;;;½"))
    )

    assert codes(reading) == []
    assert reading.accepted
    assert [len(match.games) for _, match in reading.accepted.pairings()] == [0, 2]


def test_list_of_best_players_is_no_event_of_individuals() -> None:
    reading = new_event(page(RANKING, "Rank after Round 2"))

    assert codes(reading) == ["no-matches"]
    assert players(reading.document) == {
        "Reds (A)": [(1, "IM", "Arends, Bo", 2400)],
        "Blues": [(1, "", "Brill, Cas", 2300), (2, "FM", "Dorn, Eva", 2200)],
    }
    assert reading.document
    assert (reading.document.event.discipline, reading.document.event.system) == ("chess", "fide-team-swiss")
    assert reading.document.published is None
    assert counted(reading, "columns").examples == ("Rk.", "Pts.", "Games", "%")


def test_list_of_best_players_adds_players_to_matches() -> None:
    reading = with_matches(page(RANKING, "Rank after Round 2"))

    assert codes(reading) == []
    assert reading.accepted
    assert len(players(reading.accepted)["Blues"]) == 2
    assert [each.first_score for _, each in reading.accepted.pairings()] == [3, 1]


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (
            ("Rundenanzahl", "Turnierart", "Schweizer System für Mannschaften"),
            "Rg.;;Name;Elo;Mannschaft;Pkt.;Sp.",
        ),
        (
            ("Anzahl der Runden", "Turnierart", "Schweizer System für Mannschaften"),
            "Rg.;;Name;Elo;Mannschaft;Pkt.;Sp.",
        ),
        (("Número de rondas", "Tipo de torneo", "Suizo por equipos"), "Rk.;;Nombre;Elo;Equipo;Pts.;Partidas"),
        (("Nombre de rondes", "Type de tournoi", "Suisse par équipes"), "Rg.;;Nom;Elo;Équipe;Pts;Parties"),
        (("Aantal ronden", "Toernooivorm", "Zwitsers systeem voor teams"), "Rg.;;Naam;Rtg;Team;Pt.;Part."),
        (
            ("Количество туров", "Вид турнира", "Швейцарская система для команд"),
            "М;;Имя;Рейт;Команда;Очки;П",
        ),
        (("Количество туров", "Тип турнира", "Швейцарская командный"), "М;;Имя;Рейт.;Команда;Очки;Партий"),
    ],
)
def test_lists_without_boards_in_other_languages(labels: tuple[str, str, str], kind: str) -> None:
    rows = "1;GM;Arends, Bo;2400;Reds;1,5;2\n2;;Brill, Cas;2300;Blues;0,5;2\n"
    reading = made(PAGE.format(*labels, "", cells(f"{kind}\n{rows}")), "a.html", start="", boards="4")

    assert codes(reading) == ["no-matches"]
    assert reading.document
    assert (reading.document.event.planned_rounds, reading.document.event.schedule) == (2, "swiss")
    assert players(reading.document) == {
        "Reds": [(None, "GM", "Arends, Bo", 2400)],
        "Blues": [(None, "", "Brill, Cas", 2300)],
    }


def test_players_of_an_individual_event_keep_their_team_as_unread() -> None:
    rows = "No.;;Name;Rtg;Team\n1;GM;Arends, Bo;2400;Reds\n2;;Brill, Cas;2300;Blues\n"
    text = PAGE.format("Number of rounds", "Tournament type", "Swiss-System", "", cells(rows))
    reading = new_event(text)

    assert codes(reading) == []
    assert reading.document
    assert [each.name for each in reading.document.competitors] == ["Arends, Bo", "Brill, Cas"]
    assert reading.document.event.entrants == "players"


@pytest.mark.parametrize("between", ["Board 2;;;;;;;;", "</table><h2>Board 2</h2><table>"])
def test_lists_by_board_are_read_together(between: str) -> None:
    heading, *rows = RANKING.splitlines()
    parts = [cells(f"{heading}\n{rows[0]}\n{rows[1]}"), cells(f"{heading}\n{rows[2]}")]
    text = page("", "Board 1").replace(
        "</table></body>", (cells(between) if ";" in between else between).join(parts)
    )
    reading = new_event(text)

    assert codes(reading) == ["no-matches"]
    assert {name: len(each) for name, each in players(reading.document).items()} == {
        "Reds (A)": 1,
        "Blues": 2,
    }

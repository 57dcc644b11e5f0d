"""XML uploads to chess-results.com: players, teams, byes, forfeits; invalid XML."""

from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats import samples
from tournaments.event.document import Document
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.chess_results_xml import CHESS_RESULTS_XML
from tournaments.interchange.formats.layouts.layout import LayoutFile, LayoutReading
from tournaments.interchange.formats.tables.reading import read_tables

TEAMS = """\
<?xml version="1.0" encoding="UTF-8"?>
<chessresults><tournamentdata><tournament name="Quay League" type="3" rounds="1" playerperteam="2"
 federation="XXX" from="01.05.2021"/></tournamentdata>
<players>
 <player No="1" Lastname="A1" Teamno="1" Board="1" Rtg="2000" Clubname="Reds"/>
 <player no="2" lastname="A2" teamno="1" board="2" clubname="Port"/>
 <player no="3" lastname="B1" teamno="2" board="1"/> <player no="4" lastname="B2" teamno="2" board="2"/>
 <player no="5" lastname="" teamno="0"/>
</players>
<teams>
 <team no="1" teamname="Reds" rank="1" points="2" tb1="1,5"/>
 <team no="2" teamname="Blues" rank="2" points="0"/>
 <team no="3" teamname="Greens" rank="3" points="2" captain="Di"/>
</teams>
<playerpairings>
 <playerpairing round="1" pairing="1" board="1" whiteno="3" blackno="1"
   reswhite="0.5" resblack="0.5" forfeit=""/>
 <playerpairing round="1" pairing="1" board="2" whiteno="2" blackno="4"
   reswhite="1" resblack="0" forfeit="K"/>
 <playerpairing round="1" pairing="2" board="1" whiteno="5" blackno="-2"
   reswhite="" resblack="" forfeit=""/>
</playerpairings>
<teampairings>
 <teampairing round="1" pairing="1" no1="1" no2="2" res1="1.5" res2="0.5"/>
 <teampairing round="1" pairing="2" no1="3" no2="-1" res1="2.0" res2="0.0"/>
</teampairings></chessresults>
"""


def reading_of(content: str | bytes) -> LayoutReading:
    raw = content.encode() if isinstance(content, str) else content
    return CHESS_RESULTS_XML.read(LayoutFile("upload.xml", raw))


def event_of(found: LayoutReading, base: Document) -> Reading:
    event = replace(base.event, game_win=2, game_draw=1, game_loss=0)
    return read_tables(Document(event), found.tables, games=found.games)


def test_points_and_places_of_the_example_agree() -> None:
    found = reading_of(CHESS_RESULTS_XML.example)
    reading = event_of(found, samples.document(samples.players()))
    assert reading.document
    played = [(at, each.kind, each.first, each.second) for at, each in reading.document.pairings()]
    assert played == [
        (1, "played", 1, 2), (1, "absent", 3, None), (2, "played", 3, 1), (2, "bye", 2, None),
        (3, "forfeit", 2, 3), (3, "bye", 1, None),
    ]  # fmt: skip
    assert not {"printed-points", "printed-places"} & {each.code for each in reading.findings}
    assert reading.document.published
    assert reading.document.published.order == [[1], [2], [3]]


def test_matches_of_teams_with_their_boards() -> None:
    found = reading_of(TEAMS)
    assert (found.outline.entrants, found.outline.boards, found.outline.start) == ("teams", "2", "2021-05-01")
    reading = event_of(found, samples.document(samples.teams()))
    assert reading.document
    match, bye = (each for _, each in reading.document.pairings())
    boards = [(each.white, each.kind, each.first_score, each.second_score) for each in match.games]
    assert (match.first_score, match.second_score, bye.kind, bye.first) == (3, 1, "bye", 3)
    assert boards == [("second", "played", 1, 1), ("first", "forfeit", 2, 0)]
    assert [(each.name, each.club) for each in reading.document.competitors[0].players] == [
        ("A1", ""),
        ("A2", "Port"),
    ]


def test_unread_attributes_are_counted() -> None:
    counts = {each.what: each for each in reading_of(TEAMS).account or ()}
    assert counts["attributes"].examples == ("team captain",)
    assert counts["elements"].unread == 0


@pytest.mark.parametrize("sign", ["", "U"])
def test_upload_with_braces_is_equal(sign: str) -> None:
    text = CHESS_RESULTS_XML.example.replace('forfeit=""', f'forfeit="{sign}"')
    braces = text.replace("<", "{").replace(">", "}")
    found, expected = reading_of(braces), reading_of(text)
    assert (found.tables, found.games) == (expected.tables, expected.games)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (CHESS_RESULTS_XML.example[:900], "unreadable-xml"),
        (
            '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><chessresults>&b;</chessresults>',
            "xml-entities",
        ),
        ('<?xml version="1.0" encoding="no-such"?><chessresults/>', "unreadable-xml"),
        ("<chessresults/>", "no-players"),
    ],
)
def test_invalid_upload_has_its_reason(content: str, code: str) -> None:
    found = reading_of(content)
    assert ([each.code for each in found.findings], found.tables) == ([code], ())

"""Reports of teams: matches from the games of their players."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.tournaments.interchange.formats.trf.reports import TEAMS, document_of, lines_with, reading_of
from tournaments.event.document import Document, PairingEntry, PlayerEntry
from tournaments.event.scores import following_match_points
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.trf.reading import read_report

# the record without points, which other byes change
GREENS = "310   3 Greens                           GRE                         2     5    6"


def test_players_are_in_board_order() -> None:
    document = document_of(TEAMS)
    assert document.event.boards == 2
    assert [(each.number, each.name, each.code) for each in document.competitors] == [
        (1, "Reds", "RED"),
        (2, "Blues", "BLU"),
        (3, "Greens", "GRE"),
    ]
    assert document.competitors[0].players == (
        PlayerEntry(
            name="Ash, Ann", fide_id=200001, board=1, title="GM", rating=2300, sex="m", born="1990-01-02"
        ),
        PlayerEntry(name="Bay, Ben", fide_id=200002, board=2, title="", rating=2200),
    )


def test_games_are_on_the_boards_of_their_players() -> None:
    match = document_of(TEAMS).rounds[0].pairings[0]
    assert (match.first, match.second, match.first_score, match.second_score) == (1, 2, 3, 1)
    assert [
        (each.board, each.second_player and each.second_player.name, each.white) for each in match.games
    ] == [
        (1, "Dot, Dov", "first"),
        (2, "Cox, Cas", "second"),
    ]


def test_forfeited_match_has_white_team_first() -> None:
    match = document_of(TEAMS).rounds[1].pairings[0]
    assert (match.first, match.second, match.kind) == (3, 1, "forfeit")
    assert (match.first_score, match.second_score) == (0, 4)


def test_bye_has_the_points_of_its_record() -> None:
    byes = [each for round_ in document_of(TEAMS).rounds for each in round_.pairings if each.kind == "bye"]
    assert [(each.first, each.first_score, each.first_match_points) for each in byes] == [
        (3, 2, None),
        (2, 2, None),
    ]
    more = document_of(lines_with(TEAMS, at320="320  2.0  1.0   3   2", at310___3=GREENS))
    assert more.rounds[0].pairings[1].first_match_points == 4


def test_too_many_match_points_are_rejected() -> None:
    bye = reading_of(lines_with(TEAMS, at320="320  9.0  1.0   3   2", at310___3=GREENS))
    found = [each for each in bye.errors if each.code == "impossible-match-points"]
    assert {each.message for each in found} == {"9 match points, but a match gives at most 2. Correct them."}


def test_requested_byes() -> None:
    document = document_of(lines_with(TEAMS, at320="240 H   1    3\n240 Z   2    2", at310___3=GREENS))
    byes = {
        each.first: each.kind for round_ in document.rounds for each in round_.pairings if each.second is None
    }
    assert byes == {3: "half-bye", 2: "zero-bye"}


def test_empty_board_is_lost_without_an_opponent() -> None:
    report = (
        TEAMS.replace("  1 b 0", "000 - -", 1)
        .replace("     4 w 1", "  0000 - +", 1)
        .replace("0004 0003", "0000 0003")
    )
    game = document_of(report).rounds[0].pairings[0].games[0]
    assert (game.board, game.kind, game.first_score, game.second_score) == (1, "forfeit", 2, 0)
    assert game.first_player is not None


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ("310   4 Nobody                                                           9", "unknown-number"),
        ("310   4 Twice                                                            1", "player-twice"),
        ("310   3 Again                                                            5", "number-twice"),
        ("310   x Nameless", "bad-number"), ("300   1   9   1 0004 0003", "unknown-number"),
        ("300   x   2   1 0004 0003", "bad-number"), ("330 ++   2   3   1", "bad-forfeit"),
        ("320  1.0  1.0   9", "unknown-number"), ("240 Q   1   1", "bad-bye"),
        ("320 -1.0  1.0", "out-of-range"), ("320  1.0 9999", "out-of-range"),
        ("162 P 8192", "out-of-range"), ("XXS WW=1.0 WD=0.5 PAB=8192", "out-of-range"),
    ],
)  # fmt: skip
def test_invalid_line_is_rejected(record: str, code: str) -> None:
    errors = reading_of(TEAMS + record + "\n").errors
    assert (f"line {len(TEAMS.splitlines()) + 1}", code) in [(each.where, each.code) for each in errors]


def test_player_belongs_to_a_team() -> None:
    codes = [each.code for each in reading_of(TEAMS.replace("     5    6", "     5")).errors]
    assert "player-without-team" in codes


def test_reserve_without_team_and_game_is_left_out_with_a_warning() -> None:
    report = TEAMS + "001    7      Gum, Gus                          1700 BEL\n"
    reading = reading_of(report)

    assert [each.code for each in reading.findings] == ["proposed-rules", "reserve-without-team"]
    assert "competitors: 3 read, 1 not read: “Gum, Gus”" in map(str, reading.account)
    assert reading.document == reading_of(TEAMS).document


def test_player_does_not_meet_own_team() -> None:
    codes = [
        each.code
        for each in reading_of(
            TEAMS.replace("1     1    2", "1     1    2    4").replace("3    4", "3")
        ).errors
    ]
    assert "plays-himself" in codes


def test_records_without_columns_are_read_by_order() -> None:
    loose = TEAMS.replace(
        "310   1 Reds                             RED     2250    4.0    3.5   1     1    2",
        "310   1 Reds                              RED 2250 4.0 3.5 1 1 2",
    )
    assert document_of(loose).competitors == document_of(TEAMS).competitors


@pytest.mark.parametrize(
    ("cells", "score", "points"),
    [
        (("-", "-", "1", "0"), (0, 2), (0, 4)), (("-", "-", "=", "="), (1, 1), (2, 2)),
        (("-", "-", "-", "-"), (0, 0), (0, 0)), (("0", "0", "0", "0"), (0, 0), (0, 0)),
    ],
)  # fmt: skip
def test_more_game_points_win_the_match(
    cells: tuple[str, ...], score: tuple[int, int], points: tuple[int, int]
) -> None:
    """Boards that both sides lost leave less than half of the points to the winner."""
    first_red, first_blue, second_blue, second_red = cells
    report = (
        TEAMS.replace("    4 w 1", f"    4 w {first_red}").replace("    1 b 0", f"    1 b {first_blue}")
        .replace("    2 w =", f"    2 w {second_blue}").replace("    3 b =", f"    3 b {second_red}")
    )  # fmt: skip
    document = reading_of(report).document
    assert document is not None
    match = document.rounds[0].pairings[0]
    scores = match.first_score, match.second_score
    assert scores == score
    given = match.first_match_points, match.second_match_points
    follow = [
        following_match_points(document.event, match.kind, own or 0, other)
        for own, other in (scores, scores[::-1])
    ]
    assert tuple(by if own is None else own for own, by in zip(given, follow, strict=True)) == points


# --- byes without records, and printed points -------------------------------------------------------------

TRF16 = (Path(__file__).parents[4] / "cases" / "team-trf16-printed-player-points.trf").read_text()
"""Three teams in a Swiss: a team has no match in each round, and no record has the points for that."""
SWISS_OF_THREE = TRF16.replace(" 1.0    4 ", " 0.0    4 ")
"""The same, with the correct points of player 4."""


def byes_of(document: Document) -> list[tuple[int, int, int | None, int | None]]:
    """Return round, team, game points and match points of all byes."""
    return [
        (number, each.first, each.first_score, following_points(document, each))
        for number, each in document.pairings()
        if each.kind == "bye"
    ]


def following_points(document: Document, bye: PairingEntry) -> int | None:
    if bye.first_match_points is not None:
        return bye.first_match_points
    return following_match_points(document.event, bye.kind, bye.first_score or 0, None)


def test_team_without_a_match_has_a_bye_by_the_rules() -> None:
    reading = reading_of(SWISS_OF_THREE)
    assert reading.document is not None
    assert byes_of(reading.document) == [(1, 3, 4, 4), (2, 2, 4, 4), (3, 1, 4, 4)]
    (finding,) = (each for each in reading.findings if each.code == "bye-points")
    assert (finding.where, finding.severity) == ("line 19", "warning")
    assert finding.message == (
        "The report does not give the points of a bye for Greens (round 1), Blues (round 2), Reds (round "
        "3). Taken: 2 match points and 2 game points, by the rules of the event. Choose another answer if "
        "the bye gave something else."
    )


def test_round_robin_bye_has_no_points_unless_chosen() -> None:
    report = SWISS_OF_THREE.replace("Team Swiss System", "Team Round-Robin")
    assert byes_of(document_of(report)) == [(1, 3, 0, 0), (2, 2, 0, 0), (3, 1, 0, 0)]
    reading = read_report(report.encode(), "cup", ReadingOptions(bye="draw"))
    assert reading.accepted is not None
    assert byes_of(reading.accepted) == [(1, 3, 2, 2), (2, 2, 2, 2), (3, 1, 2, 2)]
    assert (reading.accepted.event.bye_game, reading.accepted.event.bye_match) == (2, 2)
    (finding,) = (each for each in reading.findings if each.code == "bye-points")
    assert "Taken: 1 match point and 1 game point, as chosen." in finding.message


def test_bye_in_cells_of_players_is_a_question() -> None:
    report = SWISS_OF_THREE.replace("5  0000 - -", "5  0000 - U").replace("6  0000 - -", "6  0000 - U")
    assert byes_of(document_of(report))[0] == (1, 3, 4, 4)
    assert "bye-points" in {each.code for each in reading_of(report).findings}


def test_rules_of_a_stored_event_decide_the_bye() -> None:
    stored = document_of(SWISS_OF_THREE)
    base = replace(stored, event=replace(stored.event, bye_game=2, bye_match=2))
    reading = read_report(SWISS_OF_THREE.encode(), "cup", base=base)
    assert reading.document is not None
    assert byes_of(reading.document) == [(1, 3, 2, 2), (2, 2, 2, 2), (3, 1, 2, 2)]
    assert "bye-points" not in {each.code for each in reading.findings}


def test_dummy_row_is_no_team_without_a_match() -> None:
    reading = reading_of(SWISS_OF_THREE + "013 spielfrei\n")
    assert reading.document is not None
    assert byes_of(reading.document) == [(1, 3, 4, 4), (2, 2, 4, 4), (3, 1, 4, 4)]
    assert len(reading.document.competitors) == 3


def test_several_teams_without_a_match_are_named() -> None:
    more = "".join(f"013 {name:32}{number:4d}\n" for name, number in (("Golds", 7), ("Greys", 8)))
    players = "".join(f"001 {number:4d} m    {'Newcomer':33} 1500 NED\n" for number in (7, 8))
    reading = reading_of(SWISS_OF_THREE.replace("013 Reds", players + "013 Reds") + more)
    assert reading.document is not None
    assert byes_of(reading.document) == []
    (finding,) = (each for each in reading.findings if each.code == "teams-without-match")
    assert finding.message == (
        "Teams have no match, and no record gives the reason (round 1: Greens, Golds, Greys; "
        "round 2: Blues, Golds, Greys; round 3: Reds, Golds, Greys). They get no points. "
        "Add a record 240 or 320 if one of them had a bye."
    )


def test_listed_byes_are_complete() -> None:
    reading = reading_of(lines_with(TEAMS, at320="320  1.0  1.0   3   0", at310___2="", at310___3=GREENS))
    assert not {"bye-points", "teams-without-match"} & {each.code for each in reading.findings}


def test_printed_points_of_players_are_compared() -> None:
    (found,) = (each for each in reading_of(TRF16).findings if each.code == "points-differ")
    assert (found.where, found.severity) == ("line 14", "objection")
    assert found.message == "1 points here, but 0 from the results, which count. Correct one of the two."
    assert not [each for each in reading_of(SWISS_OF_THREE).findings if each.code == "points-differ"]


def test_printed_points_may_include_the_bye_of_the_team() -> None:
    for points in ("1.0", "2.0"):
        report = SWISS_OF_THREE.replace("6  0000 - -", "6  0000 - U").replace("1.0    6 ", f"{points}    6 ")
        assert not [each for each in reading_of(report).findings if each.code == "points-differ"]


def test_printed_match_points_of_teams_are_compared() -> None:
    report = TEAMS.replace("2250    4.0    3.5", "2250    3.0    3.5")
    (found,) = (each for each in reading_of(report).findings if each.code == "points-differ")
    assert (found.where, found.severity) == ("line 13", "objection")
    assert found.message == (
        "3 match points here, but 4 from the results, which count. Correct one of the two."
    )
    assert not [each for each in reading_of(TEAMS).findings if each.code == "points-differ"]

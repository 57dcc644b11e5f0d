"""Reports of players: the data of records, and findings about invalid records."""

import re
from dataclasses import replace

import pytest

from tests.tournaments.interchange.formats.trf.reports import (
    HALF_BYES,
    PLAYERS,
    TEAMS,
    document_of,
    found,
    lines_with,
    one,
    reading_of,
    said,
)
from tournaments.event.arrays import published_places
from tournaments.event.document import CompetitorEntry, Official, PublishedEntry
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import write_report


def test_tournament() -> None:
    event = document_of(PLAYERS).event
    assert (event.slug, event.name, event.place, event.country) == ("of-four", "Open of Four", "Gent", "BEL")
    assert (event.start, event.end, event.planned_rounds) == ("2026-05-14", "2026-05-16", 3)
    assert (event.entrants, event.schedule, event.system) == ("players", "swiss", "fide-swiss")
    assert (event.game_win, event.game_draw, event.game_loss) == (2, 1, 0)
    assert event.state == "final"


def test_players() -> None:
    ann, ben, _, dov = document_of(PLAYERS).competitors
    assert ann == CompetitorEntry(
        number=1,
        name="Ash, Ann",
        code="BEL",
        flag="",
        title="WGM",
        rating=2300,
        fide_id=200001,
        sex="w",
        born="1990-01-02",
    )
    assert (ben.sex, ben.born, ben.fide_id, dov.sex, dov.born, dov.fide_id) == (
        "m", "1991", 200002, "", "", None,
    )  # fmt: skip
    assert (ben.title, dov.title, dov.rating, dov.code) == ("FM", "", None, "")


def test_titles_of_older_files_are_lower_case() -> None:
    old = PLAYERS.replace("wWGM", "w wg").replace("m FM", "m  f")
    assert document_of(old).competitors == document_of(PLAYERS).competitors


def test_white_is_first_and_byes_last() -> None:
    first, second, third = document_of(PLAYERS).rounds
    assert [each.date for each in (first, second, third)] == ["2026-05-14", "2026-05-15", "2026-05-16"]
    assert [(each.first, each.second, each.first_score) for each in first.pairings] == [(1, 3, 2), (4, 2, 2)]
    assert [(each.first, each.kind, each.first_score) for each in second.pairings] == [
        (2, "played", 1),
        (3, "bye", 2),
    ]
    assert [(each.first, each.kind) for each in third.pairings[1:]] == [(3, "zero-bye"), (2, "half-bye")]


@pytest.mark.parametrize(
    ("code", "kind", "score", "note"),
    [
        ("F", "bye", 2, "A requested full-point bye."),
        ("+", "bye", 2, "A forfeit win without a named opponent."),
        ("W", "bye", 2, "A forfeit win without a named opponent."),
        ("=", "half-bye", 1, ""),
        ("D", "half-bye", 1, ""),
        ("L", "zero-bye", 0, ""),
        ("-", "absent", 0, ""),
    ],
)
def test_results_without_an_opponent(code: str, kind: str, score: int, note: str) -> None:
    pairing = document_of(PLAYERS.replace("0000 - U", f"0000 - {code}")).rounds[1].pairings[-1]
    assert (pairing.kind, pairing.first_score, pairing.note) == (kind, score, note)


def test_ranks_are_the_published_order() -> None:
    assert document_of(PLAYERS).published == PublishedEntry(order=[[1], [2], [3], [4]], source="TRF")


@pytest.mark.parametrize(
    ("was", "now", "order", "unread"),
    [
        (" 1.0    4 ", " 1.0      ", [[1], [2], [3]], "4 Dot, Dov: none"),
        (" 1.0    2 ", " 1.0    0 ", [[1], [], [3], [4]], "2 Bay, Ben: none"),
        (" 1.0    4 ", " 1.0 9999 ", [[1], [2], [3]], "4 Dot, Dov: 9999"),
    ],
)
def test_ranks_are_used_even_if_some_are_missing(
    was: str, now: str, order: list[list[int]], unread: str
) -> None:
    reading = reading_of(PLAYERS.replace(was, now))
    assert reading.document is not None
    assert reading.document.published == PublishedEntry(order=order, source="TRF")
    assert f"ranks: 3 read, 1 not read: “{unread}”" in [str(each) for each in reading.account]


def test_missing_rank_leaves_a_place() -> None:
    assert list(published_places([[1], [], [3, 4], [2]])) == [(1, 1), (3, 3), (4, 3), (2, 5)]


def test_file_without_ranks_has_no_published_order() -> None:
    report = re.sub(r"(?m)^(001.{82})....", r"\1    ", PLAYERS)
    assert document_of(report).published is None
    assert not any("ranks" in str(each) for each in reading_of(report).account)


def test_unknown_lines_and_columns_are_preserved() -> None:
    event = document_of(PLAYERS + "XXC rank white1\nABC hello\nruler 1234\n").event
    assert event.initial_colour == "white"
    assert event.trf == (
        "### a remark of somebody",
        "XXC rank white1",
        "ABC hello",
        "ruler 1234",
    )


def test_officials_and_time_control_are_fields_of_the_event() -> None:
    records = "112 FA Bea Deputy (200017)\n112 Cas Deputy\n122 90 minutes + 30 s\n222 5400+30\n102 \n"
    event = document_of(PLAYERS + records).event

    assert event.officials == (
        {"role": "chief", "title": "IA", "name": "An Arbiter", "fide_id": None},
        {"role": "deputy", "title": "FA", "name": "Bea Deputy", "fide_id": 200017},
        {"role": "deputy", "title": "", "name": "Cas Deputy", "fide_id": None},
    )
    assert (event.time_control, event.time_code) == ("90 minutes + 30 s", "5400+30")
    assert not [line for line in event.trf if line[:3] in {"102", "112", "122", "222"}]


def test_officials_in_other_forms_are_all_preserved() -> None:
    document = document_of(PLAYERS + "112 FA  Bea   Deputy\n122 90+30\n122 rapid in round 4\n")

    assert document.event.officials == ()
    assert document.event.time_control == ""
    kept = {"102 IA An Arbiter", "112 FA  Bea   Deputy", "122 90+30", "122 rapid in round 4"}
    assert kept <= set(document.event.trf)
    assert kept <= set(write_report(document).split("\r\n"))


def test_officials_of_the_event_replace_preserved_lines() -> None:
    document = document_of(PLAYERS)
    older = replace(document, event=replace(document.event, officials=(), trf=("102 IA An Arbiter",)))
    assert "102 IA An Arbiter" in write_report(older)
    chief = Official(role="chief", title="", name="Dov Other", fide_id=7)
    newer = replace(older, event=replace(older.event, officials=(chief,)))

    assert [line for line in write_report(newer).split("\r\n") if line[:3] == "102"] == ["102 Dov Other (7)"]


@pytest.mark.parametrize(
    ("text", "code"), [("BEL", "BEL"), ("ned", "NED"), ("Netherlands", "NED"), ("-", ""), ("Lichess", "")]
)
def test_country_is_a_code_or_a_name(text: str, code: str) -> None:
    reading = reading_of(lines_with(PLAYERS, at032=f"032 {text}"))
    assert reading.document is not None
    assert reading.document.event.country == code
    is_unknown = text == "Lichess"
    assert (("line 3", "unknown-country") in said(reading)) is is_unknown
    assert ("032 Lichess" in reading.document.event.trf) is is_unknown


def test_known_country_replaces_the_preserved_line() -> None:
    document = document_of(lines_with(PLAYERS, at032="032 Lichess"))
    assert "032 Lichess" in write_report(document)
    known = replace(document, event=replace(document.event, country="BEL"))
    assert [line for line in write_report(known).split("\r\n") if line.startswith("032")] == ["032 BEL"]


@pytest.mark.parametrize("name", ["spielfrei", "BYE", "Dummy 1", "*bye*"])
def test_opponent_of_a_dummy_has_a_bye(name: str) -> None:
    nobody = f"001    5      {name:33}{'':33} 0.5    5{'':12}   3 b 0     2 b =\n"
    report = PLAYERS.replace("0000 - U", "   5 w 1").replace("0000 - H", "   5 w =") + nobody
    reading = reading_of(report)
    assert reading.accepted is not None
    assert [each.name for each in reading.accepted.competitors] == [
        "Ash, Ann", "Bay, Ben", "Cox, Cas", "Dot, Dov",
    ]  # fmt: skip
    byes = {
        (number, each.first): (each.kind, each.first_score)
        for number, each in reading.accepted.pairings()
        if each.second is None
    }
    assert byes == {(2, 3): ("bye", 2), (3, 2): ("half-bye", 1), (3, 3): ("zero-bye", 0)}
    assert reading.accepted.published == PublishedEntry(order=[[1], [2], [3], [4]], source="TRF")
    assert write_report(document_of(write_report(reading.accepted))) == write_report(reading.accepted)
    (finding,) = [each for each in reading.findings if each.code == "dummy-competitor"]
    assert name in finding.message
    assert any(f"competitors: 4 read, 1 not read: “{name}”" == str(each) for each in reading.account)


def test_real_player_called_bye_remains() -> None:
    rated = PLAYERS.replace("Bay, Ben", "Bye     ")
    assert [each.name for each in document_of(rated).competitors][1] == "Bye"


@pytest.mark.parametrize(
    ("record", "points"),
    [
        ("162  W 3.0    D 1.0    L 0.0", (6, 2, 0)),
        ("XXS WW=2.0 BW=2.0 WD=1.0 BD=1.0 WL=0.0 BL=0.0 PAB=2.0", (4, 2, 0)),
    ],
)
def test_other_scorings(record: str, points: tuple[int, int, int]) -> None:
    event = reading_of(PLAYERS + record + "\n").document
    assert event is not None
    assert (event.event.game_win, event.event.game_draw, event.event.game_loss) == points


def test_impossible_points_are_reported() -> None:
    assert ("line 18", "points-not-counted") in found(PLAYERS + "XXS WW=1.0 BW=2.0 WD=0.5 WL=0.0\n")


def test_announced_byes() -> None:
    second = document_of(PLAYERS + "240 H   2    4\n").rounds[1].pairings
    assert [(each.kind, each.first_score) for each in second if each.first == 4] == [("half-bye", 1)]
    assert ("line 18", "unknown-number") in found(PLAYERS + "240 H   2    9\n")
    assert ("line 18", "bad-bye") in found(PLAYERS + "240 Q   2    4\n")


def test_round_robin_by_its_kind() -> None:
    assert document_of(lines_with(PLAYERS, at092="092 Round-Robin")).event.schedule == "round-robin"
    double = lines_with(PLAYERS, at092="192 FIDE_DOUBLEROUNDROBIN")
    assert document_of(double).event.schedule == "double-round-robin"


def test_few_teams_among_players_are_for_a_prize() -> None:
    document = document_of(PLAYERS + "013 Reds                               1    2\n")
    assert not document.event.is_team
    assert "013 Reds                               1    2" in document.event.trf


# --- contradictory results --------------------------------------------------------------------------------


def round_one(ann: str, cas: str) -> str:
    """Return the report with other cells in the game of Ann and Cas in round 1."""
    return PLAYERS.replace("    3 w 1  ", f"    {ann}  ", 1).replace(
        "    1 b 0  0000 - U", f"    {cas}  0000 - U", 1
    )


def test_two_winners_are_a_contradiction() -> None:
    (finding,) = reading_of(round_one("3 w 1", "1 b 1")).errors
    assert (finding.where, finding.code, finding.round) == ("line 14", "contradictory-results", 1)
    assert "line 16" in finding.message


def test_one_sided_results_are_used() -> None:
    reading = reading_of(round_one("3 w 1", "1 b  "))
    assert (one(reading).where, one(reading).code) == ("line 14", "one-sided-result")
    assert reading.accepted is not None
    assert reading.accepted.rounds == document_of(PLAYERS).rounds


@pytest.mark.parametrize(
    ("cells", "score"),
    [(("3 w 1", "1 b -"), (2, 0)), (("3 w W", "1 b -"), (2, 0)), (("3 w -", "1 b 1"), (0, 2))],
)
def test_win_against_a_forfeit_is_a_forfeit(cells: tuple[str, str], score: tuple[int, int]) -> None:
    reading = reading_of(round_one(*cells))
    assert reading.document is not None
    game = reading.document.rounds[0].pairings[0]
    assert (game.kind, game.first_score, game.second_score) == ("forfeit", *score)
    assert "one-sided-result" in {each.code for each in reading.findings}


def test_equal_colours_are_a_warning() -> None:
    assert one(reading_of(round_one("3 b 1", "1 b 0"))).code == "same-colours"


def test_opponents_must_refer_to_each_other() -> None:
    errors = reading_of(round_one("3 w 1", "4 b 0")).errors
    assert {each.code for each in errors} == {"contradictory-opponents"}
    assert [each.where for each in errors] == ["line 14", "line 16"]


@pytest.mark.parametrize(
    ("cells", "kind", "score"),
    [
        (("3 w +", "1 b -"), "forfeit", (2, 0)), (("3 w -", "1 b -"), "forfeit", (0, 0)),
        (("3 w =", "1 b ="), "played", (1, 1)), (("3 w w", "1 b l"), "played", (2, 0)),
        (("3 w 0", "1 b 0"), "played", (0, 0)), (("3 w  ", "1 b  "), "pending", (None, None)),
        (("3 w *", "1 b  "), "pending", (None, None)), (("3 w X", "1 b X"), "unknown", (None, None)),
    ],
)  # fmt: skip
def test_results(cells: tuple[str, str], kind: str, score: tuple[int | None, int | None]) -> None:
    document = reading_of(round_one(*cells)).accepted
    assert document is not None
    game = document.rounds[0].pairings[0]
    assert (game.kind, game.first_score, game.second_score) == (kind, *score)


def test_different_points_are_reported_with_both_values() -> None:
    finding = one(reading_of(PLAYERS.replace(" 2.5    1", " 3.5    1")))
    assert (finding.code, finding.where, finding.severity) == ("points-differ", "line 14", "objection")
    assert "3½" in finding.message
    assert "2½" in finding.message


@pytest.mark.parametrize("cell", ["0000 - Z", "0000 - -", "0000 - 0", "0000 -"])
def test_superfluous_empty_round_is_left_out_with_a_warning(cell: str) -> None:
    rows = (f"{each:121}{cell}" if each.startswith("001") else each for each in PLAYERS.splitlines())
    reading = reading_of("\n".join(rows))

    assert one(reading).code == "empty-round"
    assert reading.accepted == document_of(PLAYERS)


@pytest.mark.parametrize("cell", ["0000 - Z", "0000 -"])
def test_empty_round_that_the_report_counts_is_left_out_with_a_warning(cell: str) -> None:
    rows = (f"{each:121}{cell}" if each.startswith("001") else each for each in PLAYERS.splitlines())
    reading = reading_of("\n".join(rows).replace("142 3", "142 4"))

    assert one(reading).code == "empty-round"
    assert reading.document is not None
    assert reading.document.event.planned_rounds == len(reading.document.rounds)


def test_blank_half_point_byes_are_a_single_question() -> None:
    question = one(reading_of(HALF_BYES))

    assert (question.code, question.severity) == ("half-byes", "objection")
    assert "3 half-point byes" in question.message
    assert "All printed points then agree" in question.message


def test_answer_yes_adds_the_half_point_byes_that_the_points_need() -> None:
    reading = read_report(HALF_BYES.encode(), "x", ReadingOptions(half_byes="yes"))

    assert not reading.objections
    assert reading.document is not None
    byes = [(number, each.first) for number, each in reading.document.pairings() if each.kind == "half-bye"]
    assert byes == [(1, 1), (1, 4), (3, 3)]  # Brill's points need none in round 3


def test_answer_no_leaves_the_points_as_objections() -> None:
    reading = read_report(HALF_BYES.encode(), "x", ReadingOptions(half_byes="no"))

    assert [each.code for each in reading.objections] == ["points-differ"] * 3


def test_points_that_no_bye_explains_remain_objections() -> None:
    reading = reading_of(HALF_BYES.replace("1.5    2     3 w 1", "9.5    2     3 w 1"))

    assert sorted(each.code for each in reading.objections) == ["half-byes", "points-differ"]
    assert any("All printed points but 1 then agree" in each.message for each in reading.objections)


@pytest.mark.parametrize(
    ("was", "now", "code"),
    [
        ("001    4", "001    x", "bad-number"), ("001    4", "001    3", "number-twice"),
        ("    2 w 1", "    9 w 1", "unknown-number"), ("    2 w 1", "    4 w 1", "plays-himself"),
        ("    2 w 1", "   2x w 1", "bad-result"), ("    2 w 1", "    2 w H", "contradictory-results"),
        ("142 3", "142 2", "round-beyond-last"), ("142 3", "142 many", "bad-number"),
    ],
)  # fmt: skip
def test_invalid_line_is_rejected(was: str, now: str, code: str) -> None:
    errors = reading_of(PLAYERS.replace(was, now, 1)).errors
    assert code in {each.code for each in errors}
    assert all(each.where.startswith("line ") for each in errors)


@pytest.mark.parametrize(
    ("was", "now", "code"),
    [
        (" 2300 ", " strg ", "bad-rating"), ("wWGM Ash", "wG@E Ash", "unknown-title"),
        ("Dot, Dov", "        ", "empty-text"),
        ("042 2026/05/14", "042 tomorrow", "bad-date"),
    ],
)  # fmt: skip
def test_doubtful_line_is_a_warning(was: str, now: str, code: str) -> None:
    reading = reading_of(PLAYERS.replace(was, now, 1))
    assert reading.accepted is not None
    assert one(reading).code == code


def test_bye_in_addition_to_a_result_is_reported() -> None:
    assert found(PLAYERS + "240 H   3    2\n240 Z   3    3\n240 F   2    3\n") == []
    assert found(PLAYERS + "240 H   1    2\n") == [("line 18", "bye-not-given")]
    assert found(TEAMS + "240 H   1    1\n") == [("line 13", "bye-not-given")]

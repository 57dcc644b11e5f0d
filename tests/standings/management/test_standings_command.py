"""`manage.py standings`, on a terminal and with a pipe."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.cast import create_team_event
from tests.tournaments.interchange.formats.trf.reports import PLAYERS, TEAMS

DEMO = Path(__file__).parents[3] / "tournaments" / "demo"
OUAGADOUGOU = str(DEMO / "2022-ouagadougou-open.json")
BATUMI = str(DEMO / "olympiad-2018-open.json")
VIERKAMP = str(DEMO / "1947-vierkamp-den-haag.json")


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("standings", *arguments, stdout=out)
    return out.getvalue()


def parsed(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(printed(*arguments, "--json"))
    return answer


def test_json_of_batumi_has_the_published_values() -> None:
    answer = parsed(BATUMI)
    assert [row["number"] for row in answer["rows"]] == list(range(1, 186))
    assert answer | {"rows": []} == {
        "event": "olympiad-2018-open",
        "after": 11,
        "system": "olympiad-2010",
        "criteria": ["match-points", "dsb", "game-points", "dsmp"],
        "rows": [],
        "findings": answer["findings"],
    }
    assert answer["rows"][1] == {
        "number": 2,
        "place": 2,
        "shared": False,
        "outside": False,
        "marks": [],
        "values": {
            "match-points": {"text": "18", "levels": ["18"]},
            "dsb": {"text": "360½", "levels": ["360.5"]},
            "game-points": {"text": "29", "levels": ["29"]},
            "dsmp": {"text": "147", "levels": ["147"]},
        },
        "decided_by": "dsb",
    }


def test_terminal_table() -> None:
    lines = printed(VIERKAMP).splitlines()
    assert lines[0] == "After round 3."
    assert lines[1].split() == ["pl.", "name", "Pts", "W", "DE", "BO", "Man", "decided", "by"]
    assert lines[2].startswith("1=    1  Pierre Ghestem")
    assert lines[4].endswith("total-score")


def test_text_has_the_number_of_missing_results(tmp_path: Path) -> None:
    event = json.loads(Path(VIERKAMP).read_text())
    last, before = event["rounds"][2]["pairings"], event["rounds"][1]["pairings"]
    for pairing, kind in ((last[0], "pending"), (before[0], "unknown")):
        del pairing["score"]
        pairing["kind"] = kind
    path = tmp_path / "unfinished.json"
    path.write_text(json.dumps(event))
    basis = "During round 3: 1 of 2 results in, computed without 1 unknown result."
    assert printed(str(path)).splitlines()[0] == basis


def test_ruling_is_marked_and_listed(tmp_path: Path) -> None:
    event = json.loads(Path(VIERKAMP).read_text())
    ruling = {
        "id": 1,
        "kind": "place",
        "competitor": 1,
        "place": 2,
        "reason": "By the jury.",
        "by": "A",
        "was": "1",
    }
    event["overrides"] = [ruling | {"at": "2022-01-01T12:00:00Z"}]
    path = tmp_path / "ruled.json"
    path.write_text(json.dumps(event))
    lines = printed(str(path)).splitlines()
    assert lines[-1] == "* place manually changed: By the jury."
    assert [line.split()[0] for line in lines if "Pierre Ghestem" in line] == ["2*"]


def test_after_option_ignores_later_rounds() -> None:
    assert parsed(BATUMI, "--after", "1")["after"] == 1
    best = parsed(BATUMI, "--after", "1")["rows"][0]
    assert best["values"]["match-points"]["levels"] == ["2"]


def test_criteria_and_display_columns_can_be_chosen() -> None:
    answer = parsed(OUAGADOUGOU, "--criteria", "total-score,wins", "--show", "progress,buchholz@game")
    assert answer["criteria"] == ["total-score", "wins"]
    assert list(answer["rows"][0]["values"]) == ["total-score", "wins", "progress", "buchholz@game"]


def test_system_and_policy_can_be_chosen() -> None:
    assert parsed(BATUMI, "--system", "olympiad-2008")["criteria"] == [
        "match-points",
        "dsb",
        "dsmp",
        "game-points",
    ]
    strict = parsed(BATUMI, "--unplayed", "fmjd")["rows"]
    assert [row["number"] for row in strict] != list(range(1, 186))


def test_check_passes_if_published_standings_agree() -> None:
    assert "order: 185 of 185 agree" in printed(BATUMI, "--check")


def test_check_includes_published_standings_of_earlier_rounds() -> None:
    text = printed(BATUMI, "--check")
    assert "published standings after round 10\norder: 10 of 10 agree\ndSB: 2 of 2 agree" in text
    assert "after round 11" not in printed(BATUMI, "--check", "--after", "10")


def test_check_after_a_round_without_published_standings_fails() -> None:
    with pytest.raises(CommandError, match="no published standings after round 3"):
        printed(BATUMI, "--check", "--after", "3")


def test_check_fails_and_prints_the_difference(tmp_path: Path) -> None:
    event = json.loads(Path(VIERKAMP).read_text())
    event["published"] = {"order": [[1], [2]], "columns": {"Pt": {"1": 5}}}
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(event))
    with pytest.raises(CommandError, match="differences") as failure:
        printed(str(path), "--check")
    assert failure.value.returncode == 1


def test_check_passes_with_an_explained_difference(tmp_path: Path) -> None:
    event = json.loads(Path(VIERKAMP).read_text())
    known = [{"what": "order", "competitors": [2], "why": "the source lists them by name"}]
    event["published"] = {"order": [[1], [2]], "columns": {"Elo": {"1": 5}}, "known": known}
    path = tmp_path / "known.json"
    path.write_text(json.dumps(event))
    text = printed(str(path), "--check")
    assert "published 2, computed 1 (the source lists them by name)" in text
    assert "Elo: not checked" in text


def report(tmp_path: Path, text: str) -> str:
    path = tmp_path / "open.trf"
    path.write_text(text)
    return str(path)


def test_check_compares_ranks_of_a_report(tmp_path: Path) -> None:
    text = printed(report(tmp_path, f"{PLAYERS}212 PTS,BH,SB,TPN\n"), "--check")
    assert "ranks of the report (record 001) after round 3\norder: 4 of 4 agree\n" in text
    assert text.endswith("ranked by PTS, BH, SB, TPN; unplayed rounds as in fide-2026\n")
    assert "310" not in text


def test_check_compares_ranks_of_a_team_report(tmp_path: Path) -> None:
    text = printed(report(tmp_path, f"{TEAMS}212 MPTS\n"), "--check")
    assert "ranks of the report (record 310) after round 2\norder: 3 of 3 agree\n" in text
    assert "the ranks of players (record 001) are not compared" in text
    assert "names no tie-breaks" not in text


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ("Nobody", "Nobody", "another place, one of several that share ours, which contradicts nothing: 2"),
        (" 2.5    1 ", " 2.5    4 ", "another place, that of somebody with another PTS: 1"),
        (" 2.5    1 ", " 3.5    1 ", "objection: line 14: 3½ points here, but 2½"),
    ],
)
def test_check_of_a_report_prints_how_far_ranks_differ(
    was: str, now: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By points only, the three players behind the leader share second place."""
    path = report(tmp_path, PLAYERS.replace(was, now))
    with pytest.raises(CommandError, match="differences"):
        call_command("standings", path, "--check", "--criteria", "PTS")
    text = capsys.readouterr().out
    assert message in text
    assert "the report names no tie-breaks (records 202 and 212): name them by --criteria" in text


def test_check_of_a_report_prints_ties_broken_differently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turned = PLAYERS.replace(" 1.0    2 ", " 1.0    x ").replace(" 1.0    4 ", " 1.0    2 ")
    path = report(tmp_path, turned.replace("    x ", "    4 ") + "212 PTS,BH,SB,TPN\n")
    with pytest.raises(CommandError, match="differences"):
        call_command("standings", path, "--check")
    message = "another place, that of somebody with the same PTS, whom the tie-breaks part otherwise: 2"
    assert message in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--after", "12"), "there is no round 12: 11 are paired"),
        (("--after", "0"), "there is no round 0"),
        (("--system", "olympics"), "there is no system 'olympics'; there are fmjd-swiss"),
        (("--unplayed", "none"), "there is no unplayed policy 'none'"),
        (("--criteria", "elo"), "There is no criterion 'elo'. There are"),
        (("--show", "wins@match"), "There is no criterion 'wins@match': wins has no score of its own"),
    ],
)
def test_error_for_unknown_option_lists_valid_ones(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        printed(BATUMI, *arguments)


def test_unreadable_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text("{")
    with pytest.raises(CommandError, match="line 1"):
        printed(str(path))


@pytest.mark.django_db
def test_recorded_event_by_slug() -> None:
    create_team_event("cup")
    answer = parsed("cup")
    assert [(row["number"], row["place"]) for row in answer["rows"]] == [(3, 1), (1, 2), (2, 3)]


@pytest.mark.django_db
def test_unknown_file_and_event_are_an_error() -> None:
    with pytest.raises(CommandError, match="neither a file nor an event called 'nothing'"):
        printed("nothing")


def test_tournament_report_is_read(tmp_path: Path) -> None:
    report = tmp_path / "of-four.trf"
    report.write_text(PLAYERS)
    answer = parsed(str(report))

    assert (answer["event"], answer["after"], answer["system"]) == ("of-four", 3, "fide-swiss")
    assert answer["rows"][0]["number"] == 1

    report.write_bytes(PLAYERS.replace("Ash, Ann", "Ёжик, А ").encode("koi8-r"))
    assert "Ёжик" in printed(str(report), "--encoding", "koi8-r")
    report.write_text(PLAYERS.replace("042 2026/05/14", "042 05/04/2026"))
    with pytest.raises(CommandError, match="may be 2026-04-05 or 2026-05-04"):
        printed(str(report))
    assert printed(str(report), "--dates", "dmy")


def test_a_folder_of_several_files_and_a_table_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.trf").write_text(PLAYERS)
    (tmp_path / "b.csv").write_text("Name;Rating\n")
    with pytest.raises(CommandError, match="holds 2 files that can be read"):
        printed(str(tmp_path))
    with pytest.raises(CommandError, match=r"b\.csv is a table, and no whole event"):
        printed(str(tmp_path / "b.csv"))

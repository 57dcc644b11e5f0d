"""Reading event files: exact numbers, a place for each structural error, no exceptions."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.interchange.formats import samples
from tournaments.event.finding import Finding, Severity
from tournaments.interchange.formats.json.parsing import MOST_BYTES
from tournaments.interchange.formats.json.reader import read


def only(source: str | bytes | Path) -> Finding:
    """Return the only finding of an invalid file."""
    reading = read(source)
    assert len(reading.findings) == 1, [str(each) for each in reading.findings]
    assert reading.accepted is None
    return reading.findings[0]


def changed(change: Callable[[Any], object], sample: Callable[[], Any] = samples.teams) -> str:
    """Return a changed sample as text."""
    data = sample()
    change(data)
    return samples.text(data)


# --- samples ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", [samples.players, samples.teams, samples.olympiad, samples.changed_rules])
def test_samples_are_valid(sample: Callable[[], Any]) -> None:
    assert read(samples.text(sample())).findings == ()


def test_points_are_read_as_half_points() -> None:
    pairing = samples.document(samples.teams()).rounds[0].pairings[0]
    assert (pairing.first_score, pairing.second_score) == (2, 1)
    assert (pairing.first_match_points, pairing.second_match_points) == (4, 0)


def test_default_kind_is_played() -> None:
    assert samples.document(samples.players()).rounds[0].pairings[0].kind == "played"


def test_canonical_order() -> None:
    data = samples.players()
    data["competitors"].reverse()
    data["rounds"].reverse()
    for each in data["rounds"]:
        each["pairings"].reverse()
    assert samples.document(data) == samples.document(samples.players())


def test_time_is_read_in_its_zone() -> None:
    data = samples.teams()
    data["changes"][0]["at"] = "2022-05-17T15:41:00.5+02:00"
    assert samples.document(data).changes[0].at == datetime(2022, 5, 17, 13, 41, 0, 500_000, UTC)


def test_path_bytes_and_text_are_read_alike(tmp_path: Path) -> None:
    text = samples.text(samples.players())
    file = tmp_path / "event.json"
    file.write_text(text, encoding="utf-8")
    assert read(file) == read(text) == read(text.encode()) == read(b"\xef\xbb\xbf" + text.encode())


@pytest.mark.parametrize(("kind", "codes"), [("unknown", []), ("played", ["games-do-not-add-up"])])
def test_match_with_an_unknown_game_is_not_summed(kind: str, codes: list[str]) -> None:
    """A match with a known score and an unknown game need not add up."""
    data = samples.teams()
    game = data["rounds"][0]["pairings"][0]["games"][1]
    if kind == "unknown":
        del game["score"]
    else:
        game["score"] = [0, 0.5]
    game["kind"] = kind
    assert [each.code for each in read(samples.text(data)).errors] == codes


# --- default values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("schedule", "score"), [("swiss", 4), ("round-robin", 0), ("double-round-robin", 0)])
def test_default_score_of_a_bye_by_schedule(schedule: str, score: int) -> None:
    data = samples.players()
    data["event"]["schedule"] = schedule
    del data["rounds"][1]["pairings"][1]["score"]
    assert samples.document(data).rounds[1].pairings[1].first_score == score


def test_default_score_of_a_bye_by_rules() -> None:
    bye = samples.document(samples.teams()).rounds[0].pairings[1]
    assert (bye.first_score, bye.first_match_points) == (2, None)  # half of two boards: drawn, 1 match point


def test_match_points_of_a_bye_are_stored_if_they_differ() -> None:
    data = samples.teams()
    data["event"]["rules"]["bye"] = {"game": 1, "match": 2}
    bye = samples.document(data).rounds[0].pairings[1]
    assert (bye.first_score, bye.first_match_points, bye.second_match_points) == (2, 4, None)


def test_bye_worth_more_than_a_match_is_rejected() -> None:
    data = samples.teams()
    data["event"]["rules"]["bye"] = {"match": 9}
    found = read(samples.text(data)).errors
    assert {each.message for each in found if each.code == "impossible-match-points"} == {
        "9 match points, but a match gives at most 2. Correct them."
    }


def test_derived_match_points_are_not_stored() -> None:
    data = samples.teams()
    data["rounds"][0]["pairings"][0]["match_points"] = [1, 0]
    assert samples.document(data).rounds[0].pairings[0].first_match_points is None


def test_ruling_begins_in_the_last_round_with_a_result() -> None:
    data = samples.teams()
    del data["overrides"][2]["after"], data["competitors"][0]["manual_after"]
    found = samples.document(data)
    assert [each.after for each in found.overrides] == [None, 2, 2, None]
    assert found.competitors[0].manual_after == 2


def test_flag_equal_to_code_is_not_stored() -> None:
    data = samples.teams()
    del data["event"]["teams_are"]
    data["competitors"][0]["flag"] = "BEL"
    assert samples.document(data).competitors[0].flag == ""


# --- players of games -------------------------------------------------------------------------------------


def names(data: Any) -> list[list[tuple[str, int | None]]]:
    return [
        [(each.name, each.fide_id) for each in team.players] for team in samples.document(data).competitors
    ]


def test_unlisted_players_come_from_games() -> None:
    assert names(samples.teams()) == [[("Rik", 11), ("Ron", None)], [("Bas", None), ("Bo", 21)], []]


def test_name_without_id_is_the_player_with_that_name() -> None:
    data = samples.teams()
    games = data["rounds"][0]["pairings"][0]["games"]
    games[0], games[1] = {**games[1], "second": "Bo", "board": 1}, {**games[0], "board": 2}
    assert names(data)[1] == [("Bo", 21)]


def test_shared_name_is_a_third_player() -> None:
    data = samples.teams()
    data["competitors"][1]["players"] = [{"name": "Bas", "fide_id": 1}, {"name": "Bas", "fide_id": 2}]
    assert names(data)[1] == [("Bas", None), ("Bas", 1), ("Bas", 2), ("Bo", 21)]


def test_the_same_name_in_two_teams_is_two_players() -> None:
    data = samples.teams()
    data["rounds"][0]["pairings"][0]["games"][1]["second"] = "Ron"
    assert [("Ron", None) in team for team in names(data)] == [True, True, False]


def test_different_spellings_of_an_id_are_a_warning() -> None:
    reading = read(
        changed(lambda data: data["rounds"][0]["pairings"][0]["games"][0].update(first="Rick", white="first"))
    )
    (finding,) = reading.findings
    assert (finding.code, finding.severity) == ("player-name-differs", Severity.WARNING)
    assert finding.where == "rounds[0].pairings[0].games[0].first"
    assert "Rick" in finding.message
    assert "Rik" in finding.message
    assert reading.accepted
    assert reading.accepted.competitors[0].players[0].name == "Rik"


def test_id_without_a_name_is_an_error() -> None:
    finding = only(changed(lambda data: data["rounds"][0]["pairings"][0]["games"][0].pop("second")))
    assert (finding.code, finding.where) == ("player-without-name", "rounds[0].pairings[0].games[0].second")


# --- file -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "code", "where"),
    [
        ("", "invalid-json", "line 1, column 1"),
        ('{\n "format": oops}', "invalid-json", "line 2, column 12"),
        ('{"format": NaN}', "invalid-json", "line 1, column 12"),
        ('{"a": Infinity}', "invalid-json", "line 1, column 7"),
        (b"{\n\xff}", "not-utf-8", "line 2"),
        ("[" * 100_000, "too-deep", "line 1, column 21"),
        ('{"a":' * 100_000, "too-deep", "line 1, column 101"),
        ("[]", "wrong-format", "format"),
        ("null", "wrong-format", "format"),
        ('{"format": "pgn"}', "wrong-format", "format"),
        ('{"format": "crosstable-event"}', "wrong-version", "version"),
        ('{"format": "crosstable-event", "version": 2}', "wrong-version", "version"),
        ('{"format": "crosstable-event", "version": true}', "wrong-version", "version"),
        (b" " * (MOST_BYTES + 1), "too-big", ""),
        (Path("no-such-file.json"), "unreadable-file", ""),
        (Path(), "unreadable-file", ""),
    ],
)
def test_invalid_event_files(source: str | bytes | Path, code: str, where: str) -> None:
    finding = only(source)
    assert (finding.code, finding.where) == (code, where)


def test_file_beyond_the_limit_is_not_read_completely(tmp_path: Path) -> None:
    file = tmp_path / "big.json"
    with file.open("wb") as handle:
        handle.truncate(MOST_BYTES * 100)
    assert only(file).code == "too-big"


# --- keys and values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "round_", "table"),
    [
        ("", None, None),
        ("event", None, None),
        ("event.scoring", None, None),
        ("event.rules", None, None),
        ("event.rules.bye", None, None),
        ("event.display", None, None),
        ("competitors[0]", None, None),
        ("competitors[0].players[0]", None, None),
        ("rounds[1]", 2, None),
        ("rounds[1].pairings[1]", 2, 2),
        ("rounds[0].pairings[0].games[1]", 1, 1),
        ("overrides[0]", None, None),
        ("changes[0]", None, None),
        ("acknowledged[0]", None, None),
        ("published", None, None),
        ("published.known[0]", None, None),
        ("published.after_round.1", None, None),
    ],
)
def test_unknown_key_has_its_place(path: str, round_: int | None, table: int | None) -> None:
    data = samples.teams()
    at(data, path)["colour"] = "red"
    finding = only(samples.text(data))
    assert finding.code == "unknown-key"
    assert finding.where == f"{path}.colour".lstrip(".")
    assert (finding.round, finding.table) == (round_, table)
    assert "“colour”" in finding.message


def test_repeated_key_is_an_error() -> None:
    text = samples.text(samples.players()).replace('"name": "Ann"', '"name": "Ann", "name": "Anna"')
    finding = only(text)
    assert (finding.code, finding.where) == ("key-twice", "competitors[0].name")


def test_repeated_free_key_is_an_error() -> None:
    text = samples.text(samples.teams()).replace('{"1": 372.5}', '{"1": 372.5, "1": 373}')
    assert only(text).code == "key-twice"


@pytest.mark.parametrize(
    ("path", "key", "value", "code"),
    [
        ("event", "slug", "Gent 2022", "bad-slug"),
        ("event", "slug", "", "empty-text"),
        ("event", "former_slugs", [""], "bad-slug"),
        ("event", "name", 7, "wrong-type"),
        ("event", "name", None, "wrong-type"),
        ("event", "name", "x" * 201, "too-long"),
        ("event", "name", "a\nb", "bad-character"),
        ("event", "notes", "a\u0000b", "bad-character"),
        ("event", "notes", "a\ud800b", "bad-character"),
        ("event", "state", "over", "wrong-value"),
        ("event", "state", ["live"], "wrong-value"),
        ("event", "start", "2022-02-30", "bad-date"),
        ("event", "start", "٢٠٢٢", "bad-date"),
        ("event", "time_zone", "Gent", "bad-time-zone"),
        ("event", "time_zone", "../etc/passwd", "bad-time-zone"),
        ("rounds[0]", "time", "24:00", "bad-time"),
        ("rounds[0]", "time", "9:30", "bad-time"),
        ("rounds[1]", "time", "14:00", "time-without-day"),
        ("event", "rounds", "3", "wrong-type"),
        ("event", "rounds", True, "wrong-type"),
        ("event", "rounds", 2.5, "wrong-type"),
        ("event", "rounds", 0, "out-of-range"),
        ("event", "rounds", 10**30, "wrong-type"),
        ("event", "criteria", "match-points", "wrong-type"),
        ("event", "rules", [], "wrong-type"),
        ("event", "rules", None, "wrong-type"),
        ("event.rules", "wins_count_byes", "no", "wrong-type"),
        ("event.scoring", "game", [1, 0.5], "wrong-type"),
        ("event.scoring", "game", [1, 1, 0], "scoring-order"),
        ("event.scoring", "match", [2, "1", 0], "wrong-type"),
        ("competitors[0]", "rating", -1, "out-of-range"),
        ("competitors[0]", "players", {}, "wrong-type"),
        ("rounds[0]", "pairings", None, "wrong-type"),
        ("rounds[0].pairings[0]", "score", [0.25, 0.5], "not-half-points"),
        ("rounds[0].pairings[0]", "score", [True, 0], "wrong-type"),
        ("rounds[0].pairings[0]", "score", [1], "wrong-type"),
        ("rounds[0].pairings[0]", "score", [1, None], "wrong-type"),
        ("rounds[0].pairings[0]", "score", [-1, 1], "out-of-range"),
        ("rounds[0].pairings[0]", "score", None, "wrong-type"),
        ("rounds[0].pairings[0]", "kind", "won", "wrong-value"),
        ("rounds[0].pairings[1]", "score", [1, 0], "opponent-of-a-bye"),
        ("rounds[0].pairings[1]", "second", 2, "opponent-of-a-bye"),
        ("rounds[0].pairings[1]", "moves", "1. e4", "moves-of-a-bye"),
        ("rounds[0].pairings[1]", "score", None, "wrong-type"),
        ("overrides[0]", "at", "2022-05-17", "bad-date"),
        ("overrides[0]", "at", "2022-05-17T13:41:00", "bad-date"),
        ("overrides[0]", "at", "2022-13-17T13:41:00Z", "bad-date"),
        ("overrides[0]", "at", "0001-01-01T00:00:00+05:00", "bad-date"),
        ("changes[0]", "moved", [[1, 2]], "wrong-type"),
        ("published", "order", [1], "wrong-type"),
        ("published", "columns", {"MP": [1]}, "wrong-type"),
        ("published", "columns", {"MP": {"one": 1}}, "wrong-type"),
        ("published", "columns", {"MP": {"1": None}}, "wrong-type"),
        ("published", "after_round", {"last": {}}, "wrong-type"),
    ],
)
def test_invalid_value_has_its_place(path: str, key: str, value: Any, code: str) -> None:
    data = samples.teams()
    at(data, path)[key] = value
    finding = only(samples.text(data))
    assert finding.code == code
    assert finding.where.startswith(f"{path}.{key}")


def test_scores_without_a_result_are_an_error() -> None:
    finding = only(
        changed(lambda data: data["rounds"][2]["pairings"][0].update(score=[2, 0]), samples.players)
    )
    assert (finding.code, finding.round, finding.table) == ("score-without-result", 3, 1)


@pytest.mark.parametrize("number", ["0.50000000000000000000000000001", "1e-400", "1e999999999", "0.1"])
def test_points_are_exact_in_any_notation(number: str) -> None:
    text = samples.text(samples.teams()).replace("[1, 0.5]", f"[1, {number}]", 1)
    assert only(text).code == "not-half-points"


@pytest.mark.parametrize("number", ["0.5", "0.50", "5e-1", "5E-1"])
def test_half_is_exact(number: str) -> None:
    text = samples.text(samples.teams()).replace("[1, 0.5]", f"[1, {number}]", 1)
    assert read(text) == read(samples.text(samples.teams()))


def test_published_figures_are_exact() -> None:
    text = samples.text(samples.teams()).replace("372.5", "372.1000000000000001")
    reading = read(text)
    assert reading.accepted
    assert reading.accepted.published
    assert reading.accepted.published.columns["dSB"] == {"1": "372.1000000000000001"}


def test_missing_object_is_reported_once() -> None:
    assert only(changed(lambda data: data.pop("event"))).where == "event"


def test_findings_are_limited() -> None:
    data = samples.players()
    data["competitors"] = [{} for _ in range(2000)]
    assert read(samples.text(data)).findings[-1].code == "too-many-findings"


# --- no exceptions ----------------------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None)  # the first call imports modules
@given(value=values, seed=st.randoms(use_true_random=False))
def test_no_value_raises(value: Any, seed: Any) -> None:
    data = samples.teams()
    holder, key = seed.choice(list(holders(data)))
    holder[key] = value
    reading = read(json.dumps(data))
    assert reading.document is not None or reading.errors


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_raise(content: bytes) -> None:
    assert read(content).document is None


def holders(value: Any) -> list[tuple[Any, Any]]:
    """Return all positions in the data: the list or object, and the index or key in it."""
    pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    inner = [place for _, each in pairs if isinstance(each, dict | list) for place in holders(each)]
    return [(value, key) for key, _ in pairs] + inner


def at(data: Any, path: str) -> Any:
    """Return the value at a path such as `rounds[0].pairings[1]`."""
    for part in path.replace("]", "").replace("[", ".").split("."):
        if part:
            data = data[int(part)] if isinstance(data, list) else data[part]
    return data


def test_contents_of_an_event_file_are_counted() -> None:
    reading = read(json.dumps(samples.players()))

    assert reading.document is not None
    pairings = len(list(reading.document.pairings()))
    counted = {each.what: each.read for each in reading.account}
    assert (counted["competitors"], counted["pairings"]) == (len(reading.document.competitors), pairings)

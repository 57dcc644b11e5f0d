"""Every check gives its finding with both figures, and only errors exclude the event from the database."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command

from tests.cast import swiss_file
from tests.tournaments.interchange.formats import samples
from tournaments.event.checks import unacknowledged
from tournaments.event.checks.pairings import meetings
from tournaments.event.document import PairingEntry
from tournaments.event.finding import Finding, Severity
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Event

ROOT = Path(__file__).parents[3]
Change = Callable[[Any], object]


def pairing(number: int, table: int) -> Callable[[Any], Any]:
    """Return the pairing at a table of a round; the lists of the samples are in order."""
    return lambda data: data["rounds"][number - 1]["pairings"][table - 1]


def setting(number: int, table: int, /, **values: Any) -> Change:
    return lambda data: pairing(number, table)(data).update(values)


def game(board: int, /, **values: Any) -> Change:
    """Change a game of the first match."""
    return lambda data: pairing(1, 1)(data)["games"][board - 1].update(values)


def event(**values: Any) -> Change:
    return lambda data: data["event"].update(values)


def overriding(**values: Any) -> Change:
    return lambda data: data["overrides"].append({"id": 9, **values, **samples.RULING})


def competitor(number: int, /, **values: Any) -> Change:
    return lambda data: data["competitors"][number - 1].update(values)


def publishing(**values: Any) -> Change:
    return lambda data: data.update(published=values)


def meeting_again(data: Any) -> None:
    """Pair 1 and 2 in round 3 again, as in round 1."""
    data["rounds"][2]["pairings"] = [{"table": 1, "first": 2, "second": 1, "kind": "pending"}]


def entering_late(data: Any) -> None:
    """Add a fifth player to a round robin of four that is paired to its last round."""
    data["event"].update(schedule="round-robin", system="manual-round-robin")
    data["competitors"].append({"number": 5, "name": "Eva"})


def sitting_out_of_order(data: Any) -> None:
    """Seat the second player of the Reds above the first, in a round that is not closed."""
    team, round_ = data["competitors"][0], data["rounds"][0]
    team["players"] = [{"name": "Rik", "board": 1}, {"name": "Ron", "board": 2}]
    games = [{"board": board, "first": name, "kind": "pending"} for board, name in ((1, "Ron"), (2, "Rik"))]
    pairing = {"table": 1, "first": 1, "second": 2, "kind": "pending", "games": games}
    round_.update(state="published", pairings=[pairing])


def drafting(data: Any, **records: Any) -> None:
    """Make round 3 a draft without results, and add these records."""
    data["rounds"][2].update(
        state="draft", pairings=[{"table": 1, "first": 4, "second": 1, "kind": "pending"}]
    )
    data.update(records)


PAIRING_OF_ROUND_3 = {"id": 1, "kind": "pairing", "round": 3, "table": 1, **samples.RULING}
CHANGE_OF_ROUND_3 = {"round": 3, "table": 1, "was": "1-0", "now": "0-1", **samples.RULING}
P, T, FROZEN = samples.players, samples.teams, samples.olympiad
ERRORS: list[tuple[str, Callable[[], Any], Change, str, list[str]]] = [
    (
        "ends-before-start",
        P,
        event(start="2022-05-03", end="2022-05-01"),
        "event.end",
        ["2022-05-01", "2022-05-03"],
    ),
    # competitors of a pairing
    ("competitor-twice", P, setting(1, 2, first=1), "rounds[0].pairings[1].first", ["1", "table 2"]),
    ("unknown-number", P, setting(1, 2, second=7), "rounds[0].pairings[1].second", ["7", "4"]),
    ("plays-himself", P, setting(1, 2, second=3), "rounds[0].pairings[1].second", ["3"]),
    ("round-beyond-last", P, event(rounds=2), "rounds[2].number", ["3", "2"]),
    ("table-twice", P, setting(1, 2, table=1), "rounds[0].pairings[1].table", ["1"]),
    (
        "round-twice",
        P,
        lambda data: data["rounds"][2].update(number=2, pairings=[]),
        "rounds[2].number",
        ["2"],
    ),
    # scores of games
    ("impossible-score", P, setting(1, 1, score=[3, 0]), "rounds[0].pairings[0].score", ["3-0", "2"]),
    ("impossible-score", P, setting(1, 1, score=[2, 1]), "rounds[0].pairings[0].score", ["2-1", "2"]),
    (
        "impossible-score",
        P,
        setting(1, 1, score=[1.5, 0.5]),
        "rounds[0].pairings[0].score",
        ["1½-½", "whole"],
    ),
    ("impossible-score", P, setting(2, 1, score=[3, 0]), "rounds[1].pairings[0].score", ["3-0", "forfeit"]),
    ("impossible-score", P, setting(2, 2, score=[3, None]), "rounds[1].pairings[1].score", ["3", "2"]),
    ("impossible-score", P, setting(2, 3, score=[1, None]), "rounds[1].pairings[2].score", ["1", "absent"]),
    (
        "advantage-without-draw",
        P,
        setting(1, 1, advantage="first"),
        "rounds[0].pairings[0].advantage",
        ["2-0"],
    ),
    # matches
    (
        "impossible-score",
        T,
        setting(1, 1, score=[2.5, 0], games=[]),
        "rounds[0].pairings[0].score",
        ["2½", "2"],
    ),
    (
        "impossible-score",
        T,
        setting(1, 1, score=[1.5, 1], games=[]),
        "rounds[0].pairings[0].score",
        ["1½-1", "2"],
    ),
    (
        "impossible-match-points",
        T,
        setting(1, 1, match_points=[3, 0]),
        "rounds[0].pairings[0].match_points",
        ["3", "2"],
    ),
    (
        "games-do-not-add-up",
        T,
        setting(1, 1, score=[1.5, 0.5]),
        "rounds[0].pairings[0].games",
        ["1-½", "1½-½"],
    ),
    ("board-beyond-last", T, game(2, board=3), "rounds[0].pairings[0].games[1].board", ["3", "2"]),
    ("board-twice", T, game(2, board=1), "rounds[0].pairings[0].games[1].board", ["1"]),
    # sorts of events
    ("boards-missing", T, lambda data: data["event"].pop("boards"), "event.boards", []),
    ("teams-only", P, event(boards=4), "event.boards", []),
    ("teams-only", P, competitor(1, players=[{"name": "Ann"}]), "competitors[0].players", []),
    ("teams-only", P, setting(1, 1, match_points=[2, 1]), "rounds[0].pairings[0].match_points", []),
    ("teams-only", P, competitor(1, adjustments=[{"match": 1}]), "competitors[0].adjustments[0].match", []),
    ("no-points", P, competitor(1, adjustments=[{"round": 2}]), "competitors[0].adjustments[0]", []),
    (
        "round-beyond-last",
        P,
        competitor(1, adjustments=[{"round": 4, "game": -1}]),
        "competitors[0].adjustments[0].round",
        ["4", "3"],
    ),
    (
        "teams-only",
        P,
        setting(1, 1, games=[{"board": 1, "score": [2, 0]}]),
        "rounds[0].pairings[0].games",
        [],
    ),
    ("players-only", T, setting(1, 1, games_played=3), "rounds[0].pairings[0].games_played", []),
    (
        "unknown-game",
        T,
        lambda data: data["rounds"][1]["provisional_results"][0].update(table=2),
        "rounds[1].provisional_results[0]",
        ["2", "1"],
    ),
    ("players-only", T, setting(1, 1, moves="1. e4"), "rounds[0].pairings[0].moves", []),
    ("former-slug-is-current", T, event(former_slugs=["three-teams"]), "event.former_slugs", ["three-teams"]),
    # systems
    ("unknown-system", P, event(system="swiss"), "event.system", ["swiss", "fmjd-swiss"]),
    ("criteria-of-frozen-system", P, event(criteria=["wins"]), "event.criteria", ["fmjd-swiss"]),
    ("unknown-criterion", T, event(criteria=["wins", "luck"]), "event.criteria[1]", ["luck"]),
    ("unknown-criterion", T, event(criteria=["buchholz@board"]), "event.criteria[0]", ["buchholz@board"]),
    ("criterion-twice", T, event(criteria=["wins", "wins"]), "event.criteria[1]", ["wins"]),
    ("unknown-policy", P, event(rules={"unplayed": "kind"}), "event.rules.unplayed", ["kind", "fmjd"]),
    # who takes part
    (
        "number-twice",
        P,
        lambda data: data["competitors"].append({"number": 4, "name": "Eve"}),
        "competitors[4].number",
        ["4", "Eve", "Dov"],
    ),
    ("round-beyond-last", P, competitor(4, withdrawn_after=4), "competitors[3].withdrawn_after", ["4", "3"]),
    ("manual-missing", P, competitor(4, manual_after=2), "competitors[3].manual_after", []),
    (
        "player-twice",
        T,
        competitor(2, players=[{"name": "Bo", "fide_id": 21}, {"name": "B.", "fide_id": 21}]),
        "competitors[1].players[1]",
        ["21"],
    ),
    (
        "board-twice",
        T,
        competitor(2, players=[{"name": "Bo", "board": 1}, {"name": "B.", "board": 1}]),
        "competitors[1].players[1].board",
        ["1"],
    ),
    (
        "result-in-draft",
        P,
        lambda data: data["rounds"][2].update(state="draft"),
        "rounds[2].pairings[1]",
        ["Round 3", "table 2"],
    ),
    (
        "record-of-draft",
        P,
        lambda data: drafting(data, overrides=[PAIRING_OF_ROUND_3]),
        "overrides[0].round",
        ["Round 3"],
    ),
    (
        "record-of-draft",
        P,
        lambda data: drafting(data, changes=[CHANGE_OF_ROUND_3]),
        "changes[0].round",
        ["Round 3"],
    ),
    # overrides
    (
        "override-number-twice",
        T,
        overriding(id=5, kind="pairing", round=1, table=1),
        "overrides[4].id",
        ["5"],
    ),
    ("override-incomplete", T, overriding(kind="place", competitor=1), "overrides[4].place", ["place"]),
    (
        "override-says-too-much",
        T,
        overriding(kind="place", competitor=1, place=1, table=1),
        "overrides[4].table",
        ["table"],
    ),
    (
        "override-of-unknown-pairing",
        T,
        overriding(kind="pairing", round=2, table=8),
        "overrides[4].table",
        ["8", "2"],
    ),
    ("override-undoes-nothing", T, overriding(kind="undo", undoes=4), "overrides[4].undoes", ["4", "9"]),
    ("override-undoes-nothing", T, overriding(kind="undo", undoes=9), "overrides[4].undoes", ["9"]),
    ("override-undone-twice", T, overriding(kind="undo", undoes=3), "overrides[4].undoes", ["3"]),
    (
        "override-level-not-exact",
        T,
        overriding(kind="value", competitor=1, criterion="wins", levels=["1/0"]),
        "overrides[4].levels[0]",
        ["1/0"],
    ),
    (
        "override-level-not-exact",
        T,
        overriding(kind="value", competitor=1, criterion="wins", levels=["1e999999999"]),
        "overrides[4].levels[0]",
        ["1e999999999"],
    ),
    (
        "override-impossible-value",
        T,
        overriding(kind="value", competitor=1, criterion="solkoff", levels=["7", "-5"]),
        "overrides[4].levels[1]",
        ["Solkoff", "-5", "below 0"],
    ),
    (
        "override-beyond-last-place",
        T,
        overriding(kind="place", competitor=1, place=4),
        "overrides[4].place",
        ["4", "3"],
    ),
    (
        "override-of-open-system",
        T,
        overriding(kind="criteria", criteria=["wins"]),
        "overrides[4]",
        ["league"],
    ),
    (
        "unknown-criterion",
        FROZEN,
        overriding(kind="criteria", criteria=["luck"]),
        "overrides[5].criteria[0]",
        ["luck"],
    ),
    (
        "unknown-criterion",
        T,
        overriding(kind="value", competitor=1, criterion="luck", levels=["1"]),
        "overrides[4].criterion",
        ["luck"],
    ),
    (
        "unknown-number",
        T,
        overriding(kind="place", competitor=8, place=1),
        "overrides[4].competitor",
        ["8", "3"],
    ),
    (
        "round-beyond-last",
        T,
        overriding(kind="place", competitor=1, place=1, after=4),
        "overrides[4].after",
        ["4", "3"],
    ),
    # records
    ("unknown-round", T, lambda data: data["changes"][0].update(round=3), "changes[0].round", ["3", "2"]),
    (
        "unknown-number",
        T,
        lambda data: data["changes"][0].update(moved=[[8, 1, 2]]),
        "changes[0].moved[0]",
        ["8", "3"],
    ),
    (
        "unknown-round",
        T,
        lambda data: data["acknowledged"][0].update(round=3),
        "acknowledged[0].round",
        ["3"],
    ),
    ("unknown-number", P, publishing(order=[[1], [9]]), "published.order[1]", ["9", "4"]),
    ("unknown-number", P, publishing(columns={"X": {"9": 1}}), "published.columns.X.9", ["9", "4"]),
    (
        "unknown-number",
        P,
        publishing(known=[{"what": "order", "competitors": [9], "why": "?"}]),
        "published.known[0].competitors",
        ["9"],
    ),
    ("published-twice", P, publishing(order=[[1, 2], [2]]), "published.order[1]", ["2"]),
    ("round-beyond-last", P, publishing(after_round={"4": {}}), "published.after_round.4", ["4", "3"]),
]
WARNINGS: list[tuple[str, Callable[[], Any], Change, str, list[str]]] = [
    (
        "criterion-too-early",
        T,
        event(criteria=["faster-wins", "wins"]),
        "event.criteria[0]",
        ["faster-wins", "wins"],
    ),
    (
        "other-edition",
        P,
        event(start="2026-02-28", rules={"unplayed": "fide-2026"}),
        "event.rules.unplayed",
        ["fide-2026", "fide-2024", "2026-02-28"],
    ),
    (
        "other-edition",
        P,
        event(start="2018", system="fide-swiss", rules={"unplayed": "fide-2026"}),
        "event.rules.unplayed",
        ["fide-2009"],
    ),
    (
        "met-before",
        P,
        meeting_again,
        "rounds[2].pairings[0]",
        ["round 1", "round 3", "once"],
    ),
    (
        "withdrawn-plays",
        P,
        competitor(2, withdrawn_after=0),
        "rounds[0].pairings[0].second",
        ["Bea", "round 0", "round 1"],
    ),
    (
        "withdrawn-paired",
        P,
        competitor(1, withdrawn_after=2),
        "rounds[2].pairings[0].second",
        ["Ann", "round 2", "round 3"],
    ),
    (
        "not-in-schedule",
        P,
        entering_late,
        "competitors[4]",
        ["5 Eva", "3 rounds"],
    ),
    (
        "board-order",
        T,
        sitting_out_of_order,
        "rounds[0].pairings[0].games",
        ["Reds: Ron, 2 in", "above Rik, 1."],
    ),
]


def found(sample: Callable[[], Any], change: Change) -> list[Finding]:
    data = sample()
    change(data)
    return list(read(samples.text(data)).findings)


@pytest.mark.parametrize(("code", "sample", "change", "where", "figures"), ERRORS)
def test_an_error_names_place_and_figures(
    code: str, sample: Callable[[], Any], change: Change, where: str, figures: list[str]
) -> None:
    findings = [each for each in found(sample, change) if each.code == code]
    assert [(each.severity, each.where) for each in findings] == [(Severity.ERROR, where)]
    assert all(figure in findings[0].message for figure in figures), findings[0].message


@pytest.mark.django_db
@pytest.mark.parametrize(("code", "sample", "change"), [row[:3] for row in ERRORS])
def test_error_is_exit_code_1_and_does_not_change_the_database(
    code: str, sample: Callable[[], Any], change: Change, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = sample()
    change(data)
    file = tmp_path / "event.json"
    file.write_text(samples.text(data), encoding="utf-8")

    with pytest.raises(CommandError) as refused:
        call_command("import_event", str(file))

    assert refused.value.returncode == 1
    assert f"[{code}]" in capsys.readouterr().err
    assert not Event.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("row", WARNINGS, ids=lambda row: row[0])
def test_a_warning_imports(row: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, sample, change, where, figures = row
    (finding,) = found(sample, change)
    assert (finding.code, finding.severity, finding.where) == (code, Severity.WARNING, where)
    assert all(figure in finding.message for figure in figures), finding.message

    data = sample()
    change(data)
    file = tmp_path / "event.json"
    file.write_text(samples.text(data), encoding="utf-8")
    call_command("import_event", str(file))

    assert f"[{code}]" in capsys.readouterr().err
    assert Event.objects.exists()


def test_finding_describes_its_place() -> None:
    (finding,) = found(P, setting(1, 1, score=[3, 0]))
    assert str(finding) == (
        "error: rounds[0].pairings[0].score · round 1, table 1: "
        "3-0 cannot be: a game gives at most 2. Correct the score. [impossible-score]"
    )


def test_the_documentation_lists_every_code() -> None:
    files = (ROOT / f"docs/{name}.md" for name in ("event-file", "import", "trf"))
    pages = [file.read_text(encoding="utf-8") for file in files]
    text = "\n".join([pages[0].partition("## Checks")[2], *pages[1:]])
    rows = re.findall(r"^\|.*", text, re.MULTILINE)
    listed = {code for row in rows for code in re.findall("`([a-z0-9]+(?:-[a-z0-9]+)+)`", row)}
    modules = [*(ROOT / "tournaments").rglob("*.py")]
    rooms = [ROOT / "tournaments" / room for room in ("event", "formats", "imports")]
    sources = "".join(file.read_text(encoding="utf-8") for file in modules)
    checking = "".join(
        file.read_text(encoding="utf-8") for file in modules if not set(rooms).isdisjoint(file.parents)
    )
    given = re.findall(
        r'(?:error|objection|warning|add|refuse)\((?:[a-z_.]+, )?\s*"([a-z0-9]+(?:-[a-z0-9]+)+)"', checking
    )

    assert set(given) - listed == set()
    assert [code for code in listed if f'"{code}"' not in sources] == []


def test_the_example_of_the_documentation_is_in_order() -> None:
    text = (ROOT / "docs/event-file.md").read_text(encoding="utf-8")
    assert read(text.partition("```json\n")[2].partition("```")[0]).findings == ()


# --- meetings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("schedule", "times"), [("swiss", 1), ("round-robin", 1), ("double-round-robin", 2)])
def test_competitors_who_meet_too_often_are_warned_of(schedule: str, times: int) -> None:
    data = samples.players()
    data["event"].update(schedule=schedule, rounds=4)
    data["rounds"] = [
        {"number": number, "pairings": [{"table": 1, "first": 1, "second": 2, "score": [1, 1]}]}
        for number in range(1, 5)
    ]
    findings = [each for each in read(samples.text(data)).findings if each.code != "not-in-schedule"]
    assert [(each.code, each.round) for each in findings] == [("met-before", r) for r in range(times + 1, 5)]


def test_an_acknowledged_warning_is_not_shown_again() -> None:
    data = samples.players()
    meeting_again(data)
    data["acknowledged"] = [{"finding": "met-before", "round": 3, "table": 1, **samples.RULING}]
    reading = read(samples.text(data))
    assert reading.document
    assert [each.code for each in reading.findings] == ["met-before"]
    assert unacknowledged(reading.findings, reading.document) == ()


# --- published points -------------------------------------------------------------------------------------


def published(sample: Callable[[], Any], label: str, figures: dict[str, Any], **more: Any) -> list[str]:
    """Return the warnings about a published column of points."""
    data = sample()
    data["published"] = {"columns": {label: figures}, **more}
    return [each.message for each in read(samples.text(data)).findings]


@pytest.fixture
def without_open_results() -> Callable[[], Any]:
    """Return the four players before their third round."""

    def sample() -> Any:
        data = samples.players()
        del data["rounds"][2]
        return data

    return sample


@pytest.mark.parametrize("label", ["Total", "pts", "Pt", "total-score", "game-points"])
def test_published_points_are_the_sum_of_the_results(
    label: str, without_open_results: Callable[[], Any]
) -> None:
    right = {"1": 4, "2": 0, "3": 1, "4": 3}
    assert published(without_open_results, label, right) == []
    (message,) = published(without_open_results, label, {**right, "3": 1.5})
    assert "1.5" in message
    assert "add up to 1." in message


@pytest.mark.parametrize("label", ["SSolk", "TB3", "dSB"])
def test_other_columns_are_not_points(label: str, without_open_results: Callable[[], Any]) -> None:
    assert published(without_open_results, label, {"1": 99}) == []


def test_points_of_competitors_with_an_open_result_are_not_checked() -> None:
    assert published(samples.players, "Total", {"1": 99}) == []


def test_points_after_a_round_are_those_of_the_rounds_before(
    without_open_results: Callable[[], Any],
) -> None:
    tables = {"1": {"columns": {"Total": {"1": 2, "2": 0}}}}
    assert published(without_open_results, "Total", {"1": 4}, after_round=tables) == []
    tables["1"]["columns"]["Total"]["1"] = 4
    assert len(published(without_open_results, "Total", {"1": 4}, after_round=tables)) == 1


@pytest.mark.parametrize(
    ("label", "figures"),
    [
        ("MP", {"1": 4, "2": 2, "3": 1}),
        ("match-points", {"1": 4}),
        ("pts", {"1": 2.5, "2": 2.5, "3": 1}),
        ("total-score", {"1": 4}),
    ],
)
def test_points_of_teams_are_of_games_or_of_matches(label: str, figures: dict[str, float]) -> None:
    """Bonus and penalty points of number 1 are included."""
    assert published(samples.teams, label, figures) == []
    wrong = {number: figure + 1 for number, figure in figures.items()}
    assert len(published(samples.teams, label, wrong)) == len(figures)


def test_points_that_a_withdrawal_may_annul_are_not_checked(
    without_open_results: Callable[[], Any],
) -> None:
    def sample() -> Any:
        data = without_open_results()
        data["event"]["schedule"] = "round-robin"
        data["competitors"][3]["withdrawn_after"] = 2
        return data

    assert published(sample, "Total", {"1": 99}) == []


def test_board_order_of_a_closed_round_is_not_checked() -> None:
    """Old sources give the board on which a player played most games."""

    def closing(data: Any) -> None:
        sitting_out_of_order(data)
        data["rounds"][0]["state"] = "closed"

    assert "board-order" not in {each.code for each in found(T, closing)}


def test_late_player_is_reported_after_the_last_round_is_paired() -> None:
    def half(data: Any) -> None:
        entering_late(data)
        data["event"]["rounds"] = 5

    def withdrawn(data: Any) -> None:
        entering_late(data)
        data["competitors"][4]["withdrawn_after"] = 0

    assert "not-in-schedule" not in {each.code for each in found(P, half)}
    assert "not-in-schedule" not in {each.code for each in found(P, withdrawn)}


def test_meetings_are_found_in_a_time_that_grows_with_the_rounds() -> None:
    """Every pairing is a finding here; searching each in its round took a minute for 2,000 players."""
    data = swiss_file()
    data["competitors"] = [{"number": number, "name": f"P{number}"} for number in range(1, 401)]
    pairings = [{"table": at, "first": 2 * at - 1, "second": 2 * at, "score": [2, 0]} for at in range(1, 201)]
    data["rounds"] = [{"number": number, "pairings": pairings} for number in (1, 2, 3)]
    data["event"]["rounds"] = 3
    document = read(json.dumps(data).encode()).document
    assert document
    with patch.object(PairingEntry, "__eq__", side_effect=AssertionError("no pairing is to be looked for")):
        found = list(meetings(document))
    assert [each.where for each in found][::200] == ["rounds[1].pairings[0]", "rounds[2].pairings[0]"]

"""Imports of changed files: described differences, and unchanged rows."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.interchange.formats import samples
from tournaments.event.finding import Severity, errors
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.description import difference_lines, summary
from tournaments.interchange.imports.import_diff import ImportDiff, compare_with_stored
from tournaments.models import (
    Backup,
    Change,
    Competitor,
    Event,
    FormerSlug,
    Game,
    ManualTiebreak,
    Pairing,
    Player,
    Round,
    Series,
)
from tournaments.recording.imports.importing import ImportRequest, import_event
from tournaments.stored import load, stored

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[4]
CHENNAI = ROOT / "tournaments/demo/olympiad-2022-open.json"

Rows = dict[str, dict[int, tuple[Any, ...]]]


def rows() -> Rows:
    """Return all rows of an event with stable keys."""
    models = (Competitor, Player, Round, Pairing, Game)
    return {model.__name__: {row[0]: row for row in model.objects.values_list()} for model in models}


def touched(before: Rows) -> dict[str, int]:
    """Return the number of changed, deleted and new rows by table."""
    after = rows()
    return {
        name: count
        for name in after
        if (count := sum(before[name].get(key) != after[name].get(key) for key in before[name] | after[name]))
    }


def importing(data: Any) -> list[str]:
    """Import valid data, and return the differences."""
    diff = compare_with_stored(samples.document(data))
    assert diff.findings == ()
    apply(diff)
    assert load(data["event"]["slug"]) == samples.document(data)
    assert compare_with_stored(samples.document(data)).differences.event.is_same
    return difference_lines(diff.differences)


@pytest.fixture
def players() -> Any:
    """Import the four players."""
    data = samples.players()
    importing(data)
    return data


@pytest.fixture
def teams() -> Any:
    """Import the three teams."""
    data = samples.teams()
    importing(data)
    return data


def pairings(data: Any, number: int) -> Any:
    """Return the pairings of a round."""
    return data["rounds"][number - 1]["pairings"]


def versions() -> list[int]:
    """Return the versions of all pairings, by round and table."""
    return list(Pairing.objects.order_by("round__number", "table").values_list("version", flat=True))


# --- unchanged and new ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", [samples.players, samples.teams, samples.olympiad, samples.changed_rules])
def test_importing_again_changes_no_row(sample: Callable[[], Any]) -> None:
    importing(sample())
    before = rows()
    diff = compare_with_stored(samples.document(sample()))
    assert (difference_lines(diff.differences), summary(diff.differences)) == ([], "0 changes")
    apply(diff)
    assert touched(before) == {}


def test_a_new_event_is_reported_as_added() -> None:
    diff = compare_with_stored(samples.document(samples.players()))
    assert diff.stored is None
    assert summary(diff.differences) == (
        "15 changes: 1 event added, 4 competitors added, 3 rounds added, 7 pairings added"
    )


def test_a_series_is_found_by_name_or_made() -> None:
    Series.objects.create(name="Other Cup", slug="team-cup")
    importing(samples.teams())
    assert set(Series.objects.values_list("name", "slug")) == {
        ("Other Cup", "team-cup"),
        ("Team Cup", "team-cup-2"),
    }
    other = samples.teams()
    other["event"].update(slug="again", former_slugs=[])
    importing(other)
    assert Series.objects.count() == 2


@pytest.mark.parametrize(("name", "slug"), [("Кубок", "series"), ("x" * 120, "x" * 45)])
def test_a_series_in_any_script_gets_a_slug(name: str, slug: str) -> None:
    data = samples.teams()
    data["event"]["series"] = name
    importing(data)
    assert Series.objects.get().slug == slug


# --- results ----------------------------------------------------------------------------------------------


def test_a_corrected_result(players: Any) -> None:
    before = rows()
    pairings(players, 1)[0]["score"] = [1, 1]
    assert importing(players) == ["~ round 1, table 1: 1-2 2-0 → 1-2 1-1"]
    assert touched(before) == {"Pairing": 1}
    assert versions() == [2, 1, 1, 1, 1, 1, 1]


def test_a_corrected_game(teams: Any) -> None:
    before = rows()
    game = pairings(teams, 1)[0]["games"][1]
    game["score"], game["white"] = [0, 0.5], "second"
    pairings(teams, 1)[0].update(score=[0.5, 1], match_points=[0, 2])
    assert importing(teams) == [
        "~ round 1, table 1: 1-2 1-½ (2-0 MP) → 1-2 ½-1 (0-2 MP)",
        "~ round 1, table 1, board 2: Ron - Bas ½-0 → Ron - Bas 0-½, white no value → second",
    ]
    assert touched(before) == {"Pairing": 1, "Game": 1}
    assert sorted(Game.objects.values_list("version", flat=True)) == [1, 1, 1, 2]


def test_other_players_at_a_board(teams: Any) -> None:
    before = rows()
    games = pairings(teams, 1)[0]["games"]
    games[0]["second"], games[1]["second"] = "Bas", "Bo"
    games[1]["second_fide_id"] = games[0].pop("second_fide_id")
    assert importing(teams) == [
        "~ round 1, table 1, board 1: Rik - Bo ½-½ advantage second → Rik - Bas ½-½ advantage second",
        "~ round 1, table 1, board 2: Ron - Bas ½-0 → Ron - Bo ½-0",
    ]
    assert touched(before) == {"Game": 2}


def test_a_new_note_is_reported(players: Any) -> None:
    pairings(players, 1)[0]["note"] = "Time."
    assert importing(players) == ["~ round 1, table 1: 1-2 2-0, note no value → Time."]


# --- seats ------------------------------------------------------------------------------------------------


def test_swapped_opponents(players: Any) -> None:
    before = rows()
    first, second = pairings(players, 1)
    first["second"], second["second"] = second["second"], first["second"]
    assert importing(players) == [
        "~ round 1, table 1: 1-2 2-0 → 1-4 2-0",
        "~ round 1, table 2: 3-4 1-1 advantage first → 3-2 1-1 advantage first",
    ]
    assert touched(before) == {"Pairing": 2}
    assert versions() == [2, 2, 1, 1, 1, 1, 1]


def test_swapped_colours(players: Any) -> None:
    before = rows()
    pairings(players, 1)[0].update(first=2, second=1, score=[0, 2])
    assert importing(players) == ["~ round 1, table 1: 1-2 2-0 → 2-1 0-2"]
    assert touched(before) == {"Pairing": 1}


def test_swapped_tables_keep_keys_and_games(teams: Any) -> None:
    before, match = rows(), Pairing.objects.get(round__number=1, table=1)
    for each in pairings(teams, 1):
        each["table"] = 3 - each["table"]
    teams["overrides"][0]["table"] = teams["changes"][0]["table"] = teams["acknowledged"][0]["table"] = 1
    teams["rounds"][1]["provisional_results"][0]["table"] = 2
    assert importing(teams) == [
        "~ round 2: provisional results round 1, table 1: ½ → round 1, table 2: ½",
        "~ round 1, table 1: 3 bye 1, table 2 → 1",
        "~ round 1, table 2: 1-2 1-½ (2-0 MP), table 1 → 2",
    ]
    assert touched(before) == {"Pairing": 2, "Round": 1}
    assert Pairing.objects.get(round__number=1, table=2).pk == match.pk


def test_a_round_turned_round(players: Any) -> None:
    """All players in round 2 change seats."""
    players["rounds"][1]["pairings"] = [
        {"table": 1, "first": 3, "second": 2, "score": [0, 2]},
        {"table": 2, "first": 1, "kind": "bye", "score": [2, None]},
        {"table": 3, "first": 4, "kind": "absent"},
    ]
    importing(players)


def test_a_removed_round(players: Any) -> None:
    before = rows()
    del players["rounds"][2]
    assert importing(players) == [
        "- round 3",
        "- round 3, table 1: 4-1 pending",
        "- round 3, table 2: 2-3 unknown",
    ]
    assert touched(before) == {"Round": 1, "Pairing": 2}


def test_a_planned_round_stays_if_the_file_lacks_it(players: Any) -> None:
    players["event"]["rounds"] = 4
    importing(players)
    event = Event.objects.get()
    event.rounds.create(number=4, date="1948-05-03", state="draft")
    players["event"]["notes"] = "In the town hall."
    diff = compare_with_stored(samples.document(players))
    assert difference_lines(diff.differences) == ["~ event four-players: notes no value → In the town hall."]
    apply(diff)
    assert event.rounds.get(number=4).date == "1948-05-03"


class TestWhatReadersKnow:
    """A file cannot remove rounds with published results, or competitors in the public log."""

    @pytest.fixture
    def live(self) -> Any:
        data = samples.players()
        data["event"]["state"] = "live"
        data["rounds"][2]["state"] = "published"
        importing(data)
        return data

    def import_of(self, data: Any) -> list[str]:
        return [
            each.code
            for each in import_event(
                samples.text(data), announce=lambda _: None, wishes=ImportRequest(reason="A slip.")
            )
            if each.severity is Severity.ERROR
        ]

    def test_a_round_with_results_is_no_draft_again(self, live: Any) -> None:
        live["rounds"][2]["state"] = "draft"
        for pairing in pairings(live, 3):
            pairing |= {"kind": "pending"}
        assert self.import_of(live) == ["round-taken-back"]

    def test_a_round_without_results_may_be_a_draft_again(self, live: Any) -> None:
        for pairing in pairings(live, 3):
            pairing |= {"kind": "pending"}
        assert self.import_of(live) == []
        live["rounds"][2]["state"] = "draft"
        assert self.import_of(live) == []

    def test_results_go_and_the_round_stays_that_the_log_names(self, live: Any) -> None:
        round_ = live["rounds"].pop(1)
        assert self.import_of(live) == ["round-taken-back"]

        live["rounds"].insert(1, {**round_, "state": "published", "pairings": []})
        assert self.import_of(live) == []
        assert set(Change.objects.values_list("round", flat=True)) == {2}
        again = write(load("four-players"))
        assert self.import_of(json.loads(again)) == []

        live["rounds"].pop(1)
        assert self.import_of(live) == ["round-taken-back"]

    def test_a_competitor_in_the_log_must_remain(self, live: Any) -> None:
        live["competitors"].append({"number": 5, "name": "Eva"})
        importing(live)
        event = Event.objects.get()
        event.changes.create(round=1, table=1, was="1-1", now="2-0", reason="A slip.", moved=[[5, 4, 5]])
        del live["competitors"][4]
        assert self.import_of(live) == ["competitor-of-the-log"]


def test_a_new_round(players: Any) -> None:
    players["event"]["rounds"] = 4
    pairing = {"table": 1, "first": 2, "second": 4, "score": [2, 0]}
    players["rounds"].append({"number": 4, "date": "1948", "pairings": [pairing]})
    assert importing(players) == [
        "~ event four-players: planned rounds 3 → 4",
        "+ round 4",
        "+ round 4, table 1: 2-4 2-0",
    ]


# --- competitors ------------------------------------------------------------------------------------------


def test_a_renamed_competitor(players: Any) -> None:
    before = rows()
    players["competitors"][1]["name"] = "Beatrix"
    assert importing(players) == ["~ competitor 2 Beatrix: name Bea → Beatrix"]
    assert touched(before) == {"Competitor": 1}


def test_swapped_numbers_do_not_change_pairings(players: Any) -> None:
    before = rows()
    swap(players, {1: 4, 4: 1})
    assert importing(players) == [
        "~ competitor 1 Dov: number 4 → 1",
        "~ competitor 4 Ann: number 1 → 4",
    ]
    assert touched(before) == {"Competitor": 2}


def test_swapped_numbers_of_teams_update_references_by_number(teams: Any) -> None:
    before = rows()
    swap(teams, {2: 3, 3: 2})
    for override in teams["overrides"][1:3]:
        override["competitor"] = 3
    teams["changes"][0]["moved"] = [[3, 3, 2], [2, 2, None]]
    assert importing(teams)[:2] == [
        "~ competitor 2 Greens: number 3 → 2",
        "~ competitor 3 Blues: number 2 → 3",
    ]
    assert touched(before) == {"Competitor": 2}


def swap(data: Any, numbers: dict[int, int]) -> None:
    """Renumber competitors, also in the pairings."""
    for each in data["competitors"]:
        each["number"] = numbers.get(each["number"], each["number"])
    for round_ in data["rounds"]:
        for pairing in round_["pairings"]:
            for side in {"first", "second"} & pairing.keys():
                pairing[side] = numbers.get(pairing[side], pairing[side])


def test_a_removed_and_an_added_competitor(players: Any) -> None:
    players["competitors"][3] = {"number": 5, "name": "Eve"}
    swap(players, {4: 5})
    assert importing(players)[:2] == ["- competitor 4 Dov", "+ competitor 5 Eve"]


def test_a_number_passed_on_to_another(players: Any) -> None:
    players["competitors"] = [*players["competitors"][:2], {"number": 3, "name": "Dov"}]
    players["rounds"] = players["rounds"][:1]
    pairings(players, 1)[1] = {"table": 2, "first": 3, "kind": "bye"}
    importing(players)


def test_a_manual_number_entered_and_taken_back(players: Any) -> None:
    players["competitors"][0].update(manual=2, manual_after=1)
    assert importing(players) == ["~ competitor 1 Ann: manual no value → 2, manual after no value → 1"]
    assert ManualTiebreak.objects.values_list("number", "after").get() == (2, 1)
    del players["competitors"][0]["manual"], players["competitors"][0]["manual_after"]
    importing(players)
    assert not ManualTiebreak.objects.exists()


def test_a_renamed_player_does_not_change_the_games(teams: Any) -> None:
    before = rows()
    for each in (pairings(teams, 1)[0]["games"][0], pairings(teams, 2)[0]["games"][0]):
        each.update({side: "Boris" for side in ("first", "second") if each.get(side) == "Bo"})
    assert importing(teams) == ["~ player Boris of Blues: name Bo → Boris"]
    assert touched(before) == {"Player": 1}


def test_a_player_with_a_new_id_is_the_same_player(teams: Any) -> None:
    before = rows()
    pairings(teams, 1)[0]["games"][1]["second_fide_id"] = 22
    assert importing(teams) == ["~ player Bas of Blues: fide id no value → 22"]
    assert touched(before) == {"Player": 1}


def test_swapped_boards_of_players(teams: Any) -> None:
    listed = [{"board": 1, "name": "Rik", "fide_id": 11}, {"board": 2, "name": "Ron"}]
    teams["competitors"][0]["players"] = listed
    importing(teams)
    before = rows()
    listed[0]["board"], listed[1]["board"] = 2, 1
    assert sorted(importing(teams)) == [
        "~ player Rik of Reds: board 1 → 2",
        "~ player Ron of Reds: board 2 → 1",
    ]
    assert touched(before) == {"Player": 2}


def test_a_removed_player(teams: Any) -> None:
    games = pairings(teams, 1)[0]["games"]
    del games[1]["first"]
    assert importing(teams) == [
        "- player Ron of Reds",
        "~ round 1, table 1, board 2: Ron - Bas ½-0 → no player - Bas ½-0",
    ]


# --- overrides and logs -----------------------------------------------------------------------------------


def refused(data: Any) -> list[str]:
    """Return the codes of the findings that forbid an import."""
    return [each.code for each in compare_with_stored(samples.document(data)).findings]


def test_overrides_are_only_added(teams: Any) -> None:
    more = {"id": 9, "kind": "undo", "undoes": 5, **samples.RULING}
    teams["overrides"].append(more)
    assert importing(teams) == ["+ override 9"]
    teams["overrides"].pop()
    assert refused(teams) == ["override-removed"]
    teams["overrides"].append({**more, "undoes": 2})
    assert refused(teams) == ["override-changed"]


def test_the_change_log_is_only_added_to(teams: Any) -> None:
    teams["changes"].append({**teams["changes"][0], "now": "0-1"})
    assert importing(teams) == ["+ entry of the change log: round 1, table 1, 1-0 → 0-1"]
    del teams["changes"][0]
    diff = compare_with_stored(samples.document(teams))
    assert (difference_lines(diff.differences), diff.findings) == ([], ())


def test_a_refused_proposal_is_not_stored(teams: Any) -> None:
    before = rows()
    teams["overrides"].pop()
    teams["event"]["name"] = "Otherwise"
    diff = compare_with_stored(samples.document(teams))
    with pytest.raises(ValueError, match="Override 5 is recorded"):
        apply(diff)
    assert touched(before) == {}
    assert Event.objects.get().name == "Three Teams"


def test_a_ruling_keeps_the_round_in_which_it_was_recorded(teams: Any) -> None:
    teams["competitors"][0].pop("manual_after")
    manual = samples.document(teams).competitors[0].manual_after
    assert manual == 2
    ManualTiebreak.objects.update(after=manual)
    teams["rounds"].append(
        {"number": 3, "pairings": [{"table": 1, "first": 2, "second": 3, "score": [2, 0]}]}
    )
    apply(compare_with_stored(samples.document(teams)))
    assert [each.after for each in load("three-teams").overrides] == [None, 2, 1, None]
    assert ManualTiebreak.objects.get().after == 2


def test_acknowledgements_and_published_tables_come_and_go(teams: Any) -> None:
    published, acknowledged = teams.pop("published"), teams.pop("acknowledged")
    assert importing(teams) == ["- acknowledgement of met-before: As ruled.", "- published standings"]
    published["order"] = [[3]]
    assert importing({**teams, "published": published, "acknowledged": acknowledged}) == [
        "+ acknowledgement of met-before: As ruled.",
        "+ published standings",
    ]


# --- slugs ------------------------------------------------------------------------------------------------


def test_a_former_address_is_never_given_up(teams: Any) -> None:
    teams["event"]["former_slugs"] = ["first-of-all"]
    assert difference_lines(compare_with_stored(samples.document(teams)).differences) == [
        "+ former address first-of-all"
    ]
    apply(compare_with_stored(samples.document(teams)))
    assert list(FormerSlug.objects.values_list("slug", flat=True)) == ["first-of-all", "teams-of-three"]
    teams["event"]["former_slugs"] = []
    assert summary(compare_with_stored(samples.document(teams)).differences) == "0 changes"


@pytest.mark.parametrize(
    "addresses",
    [
        {"slug": "teams-of-three", "former_slugs": []},
        {"slug": "other", "former_slugs": ["teams-of-three"]},
        {"slug": "other", "former_slugs": ["three-teams"]},
    ],
)
def test_a_slug_of_another_event_is_refused(teams: Any, addresses: dict[str, Any]) -> None:
    other = copy.deepcopy(teams)
    other["event"].update(addresses)
    assert refused(other) == ["slug-taken"]


# --- query counts -----------------------------------------------------------------------------------------


def test_loading_takes_as_many_queries_for_any_event() -> None:
    counts = []
    for file in (ROOT / "tests/golden/bavarian-club-teams.json", CHENNAI):
        document = read(file).accepted
        assert document
        apply(compare_with_stored(document))
        event = Event.objects.select_related("series").get(slug=document.event.slug)
        with CaptureQueriesContext(connection) as queries:
            stored(event)
        counts.append(len(queries))
    assert counts == [10, 10]


@pytest.mark.exhaustive
def test_a_corrected_game_of_a_large_event_takes_few_queries() -> None:
    text = CHENNAI.read_text(encoding="utf-8")
    assert not errors(import_event(text, announce=lambda _: None))
    said: list[ImportDiff] = []
    drawn = '"white": "second", "score": [0.5, 0.5]'
    with CaptureQueriesContext(connection) as queries:
        import_event(
            text.replace(drawn, f'{drawn}, "advantage": "first"', 1),
            announce=said.append,
            wishes=ImportRequest(reason="A slip."),
        )
    assert summary(said[0].differences) == "1 change: 1 game changed"
    # ten describe and log the correction, one finds hidden persons, one the spelling of the series
    assert len(queries) < 37


def test_a_change_raises_the_version_of_every_row_it_touches() -> None:
    """Forms opened before the import detect the change; unchanged rows keep their version."""
    data = samples.teams()
    importing(data)
    data["event"]["name"] = "Three Teams, renamed"
    data["rounds"][0]["date"] = "2022-05-15"
    data["competitors"][0] |= {"rating": 2150, "manual": 2}
    data["competitors"][0]["players"][0]["rating"] = 2505
    data["rounds"][0]["pairings"][0]["games"][0]["games_played"] = 3
    importing(data)
    assert Event.objects.get().version == 2
    assert list(Round.objects.order_by("number").values_list("version", flat=True)) == [2, 1]
    assert list(Competitor.objects.order_by("number").values_list("version", flat=True)) == [2, 1, 1]
    assert ManualTiebreak.objects.get().version == 2
    assert list(Player.objects.exclude(version=1).values_list("name", "version")) == [("Rik", 2)]
    assert list(Game.objects.exclude(version=1).values_list("board", "version")) == [(1, 2)]


def test_a_backup_is_stored_before_an_import() -> None:
    data = samples.teams()
    import_event(samples.text(data), announce=lambda _: None)
    import_event(samples.text(data), announce=lambda _: None)
    assert not Backup.objects.exists()
    before = write(load("three-teams"))
    data["event"]["name"] = "Three Teams, renamed"
    import_event(samples.text(data), announce=lambda _: None)
    backup = Backup.objects.get()
    assert (bytes(backup.file).decode(), backup.by) == (before, "manage.py import_event")

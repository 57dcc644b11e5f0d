"""Personal data of competitors and players, at the desk and in public."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.archives import archived
from tests.cast import Desk, posted_rows
from tests.tournaments.interchange.formats import samples
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import compare_with_stored
from tournaments.interchange.public import public_birth
from tournaments.models import Competitor, Player
from tournaments.recording.events.creation import clone_event
from tournaments.stored import load

pytestmark = pytest.mark.django_db

DAY, YEAR = "1990-05-04", "1990"


def save(desk: Desk, row: Competitor, **values: Any) -> Any:
    """Post the competitor's form with these values."""
    form = {"number": row.number, "name": row.name, "seen": row.version}
    lists = {name: values.pop(name, []) for name in ("requested_byes", "adjustments", "category_decisions")}
    rows = {"players-TOTAL_FORMS": 0, "players-INITIAL_FORMS": 0, **posted_rows(**lists)}
    address = reverse("admin:tournaments_competitor_change", args=[row.pk])
    return desk.browser("arbiter").post(address, form | rows | values)


@pytest.fixture
def greens(desk: Desk) -> Competitor:
    return Competitor.objects.get(event=desk.event, number=3)


def test_all_fields_are_stored_by_the_form(desk: Desk, greens: Competitor) -> None:
    typed = {
        "club": "Green Rooks",
        "city": "Utrecht",
        "sex": "w",
        "born": DAY,
        "categories": " U20 ,W,, U20",
        "fide_id": 12,
        "fmjd_id": 13,
        "requested_byes": [{"round": 2, "kind": "zero-bye"}],
        "adjustments": [
            {"game": "+3", "DELETE": "on"},
            {"game": "-½", "match": "+1", "round": 2, "reason": "late"},
            {"game": "", "match": "", "round": ""},
            {"game": "−1", "final": "on"},
        ],
    }
    assert save(desk, greens, **typed).status_code == 302
    greens.refresh_from_db()
    assert (greens.club, greens.city, greens.sex, greens.born) == ("Green Rooks", "Utrecht", "w", DAY)
    assert (greens.categories, greens.fide_id, greens.fmjd_id) == (["U20", "W"], 12, 13)
    assert greens.requested_byes == {"2": "zero-bye"}
    assert greens.adjustments == [
        {"round": 2, "game": -1, "match": 2, "final": False, "reason": "late"},
        {"round": 0, "game": -2, "match": 0, "final": True, "reason": ""},
    ]

    page = desk.browser("arbiter").get(reverse("admin:tournaments_competitor_change", args=[greens.pk]))
    assert b'value="U20, W"' in page.content
    forms = {name: page.context["adminform"].form[name].value() for name in ("requested_byes", "adjustments")}
    byes = [{"round": 2, "kind": "zero-bye"}]
    assert forms == {"requested_byes": byes, "adjustments": greens.adjustments}
    for value in ('name="requested_byes-0-round" value="2"', 'name="adjustments-0-game" value="-½"'):
        assert value in page.content.decode()


def test_lists_that_a_page_does_not_have_are_unchanged(desk: Desk, greens: Competitor) -> None:
    save(desk, greens, requested_byes=[{"round": 2, "kind": "zero-bye"}])
    greens.refresh_from_db()
    form = {"number": greens.number, "name": "Lime", "seen": greens.version}
    rows = {"players-TOTAL_FORMS": 0, "players-INITIAL_FORMS": 0}
    address = reverse("admin:tournaments_competitor_change", args=[greens.pk])
    assert desk.browser("arbiter").post(address, form | rows).status_code == 302
    greens.refresh_from_db()
    assert (greens.name, greens.requested_byes) == ("Lime", {"2": "zero-bye"})


@pytest.mark.parametrize(
    ("field", "typed", "message"),
    [
        ("born", "1990-02-30", "“1990-02-30” is not a date"),
        ("sex", "x", "Select a valid choice"),
        ("categories", "U20, " + "x" * 21, "is too long: 20 characters fit"),
        ("categories", "x" * 20_000, "at most 2000 characters"),
        ("requested_byes", [{"round": 2, "kind": "bye"}], "Select a valid choice"),
        ("requested_byes", [{"round": 2, "kind": "half-bye"}] * 2, "Round 2 is entered twice."),
        ("requested_byes", [{"round": 3, "kind": "half-bye"}], "Round 3, but the event has 2 rounds."),
        ("requested_byes", [{"round": "0", "kind": "half-bye"}], "greater than or equal to 1"),
        ("adjustments", [{"game": "half a point"}], "Write a sign and points: +1 or -½."),
        ("adjustments", [{"game": "--1"}], "Write whole or half points: 2, ½, 1½ or 0.5."),
        ("adjustments", [{"game": "½"}], "Write a sign and points: +1 or -½."),
        ("adjustments", [{"game": "-"}], "Write a sign and points: +1 or -½."),
        ("adjustments", [{"game": "-1", "round": 3}], "Round 3, but the event has 2 rounds."),
        ("adjustments", [{"reason": "late"}], "This adjustment changes no points."),
        ("adjustments", [{"game": "-1", "reason": "x" * 201}], "at most 200 characters"),
        ("category_decisions", [{"category": "W"}], "This field is required."),
    ],
)
def test_invalid_value_is_rejected_with_advice(
    desk: Desk, greens: Competitor, field: str, typed: Any, message: str
) -> None:
    answer = save(desk, greens, **{field: typed})
    assert answer.status_code == 200
    assert message in answer.content.decode()
    assert Competitor.objects.get(pk=greens.pk).version == greens.version


def test_conflict_shows_both_byes(desk: Desk, greens: Competitor) -> None:
    save(desk, greens, requested_byes=[{"round": 1, "kind": "half-bye"}])
    answer = save(desk, greens, requested_byes=[{"round": 2, "kind": "zero-bye"}])
    (difference,) = [each for form in answer.context["conflicts"] for each in form.differences]
    assert (difference.stored, difference.mine) == (
        "Round: 1, Kind: half-point bye",
        "Round: 2, Kind: zero-point bye",
    )


def test_conflict_shows_both_penalties(desk: Desk, greens: Competitor) -> None:
    save(desk, greens, adjustments=[{"game": "-1", "round": 1, "reason": "late"}])
    answer = save(desk, greens, adjustments=[{"game": "-½"}])
    (difference,) = [each for form in answer.context["conflicts"] for each in form.differences]
    assert (difference.stored, difference.mine) == (
        "Game points: -1, From round: 1, Reason: late",
        "Game points: -½",
    )


def test_player_of_a_team_has_the_same_fields(desk: Desk) -> None:
    player = Player.objects.select_related("competitor").filter(competitor__event=desk.event).first()
    assert player is not None
    row = {"id": player.pk, "name": player.name, "board": player.board, "seen": player.version}
    known = {"club": "Red Rooks", "city": "Gent", "sex": "m", "born": DAY, "categories": "S50", "fmjd_id": 7}
    rows = {f"players-0-{name}": value for name, value in (row | known).items()}
    formset_counts = {"players-TOTAL_FORMS": 1, "players-INITIAL_FORMS": 1}
    assert save(desk, player.competitor, **rows, **formset_counts).status_code == 302
    player.refresh_from_db()
    assert (player.club, player.sex, player.born, player.categories) == ("Red Rooks", "m", DAY, ["S50"])


def test_clone_has_competitors_without_byes(desk: Desk, greens: Competitor) -> None:
    save(desk, greens, club="Green Rooks", requested_byes=[{"round": 2, "kind": "zero-bye"}])
    clone = clone_event(desk.event, "again", "Again", desk.people["organiser"])
    cloned = Competitor.objects.get(event=clone, number=3)
    assert (cloned.club, cloned.requested_byes) == ("Green Rooks", {})


def test_duplicate_id_is_a_finding() -> None:
    data = samples.players()
    for each in data["competitors"][:2]:
        each["fide_id"] = 7
    (finding,) = read(samples.text(data)).findings
    assert (finding.code, finding.where) == ("id-twice", "competitors[1].fide_id")
    assert finding.message == "fide_id 7 is both Ann's and Bea's. Correct one, or take it out."


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("sex", "f", "wrong-value"),
        ("born", "1990-13-01", "bad-date"),
        ("categories", ["U20", "U20"], "category-twice"),
        ("categories", [""], "empty-text"),
        ("requested_byes", {"2": "bye"}, "wrong-value"),
        ("requested_byes", {"x": "half-bye"}, "wrong-type"),
        ("requested_byes", {"4": "half-bye"}, "round-beyond-last"),
    ],
)
def test_invalid_values_of_a_file_have_documented_codes(key: str, value: Any, code: str) -> None:
    data = samples.players()
    data["competitors"][0][key] = value
    assert [each.code for each in read(samples.text(data)).errors] == [code]


# --- privacy ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("born", "year"), [(DAY, YEAR), (YEAR, YEAR), ("", ""), ("0815-02-03", "0815"), ("soon", "")]
)
def test_public_birth_is_the_year(born: str, year: str) -> None:
    assert public_birth(born) == year


@pytest.fixture
def teams(desk: Desk) -> Desk:
    """Three teams, of which a team and a player have a stored day of birth."""
    data = samples.teams()
    data["competitors"][0]["born"] = "1950-06-07"
    event = apply(compare_with_stored(samples.document(data)))
    event.arbiters.add(desk.people["arbiter"])
    desk.event = event
    return desk


def has_day_of_birth(content: bytes) -> bool:
    """Return whether the content has a day of birth, in the format of event files or reports."""
    return any(day in content for day in (b"1990-05-04", b"1990/05/04", b"1950-06-07", b"1950/06/07"))


def test_public_responses_have_no_day_of_birth(teams: Desk, client: Client) -> None:
    here = "/events/three-teams"
    for address in (
        *(f"{here}.{ending}" for ending in ("json", "csv", "xlsx", "trf")),
        *(f"{here}/{page}" for page in ("", "competitors/", "competitors/1/")),
        *(f"/api{here}/{page}" for page in ("", "competitors/", "competitors/1/", "rounds/1/")),
    ):
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert not has_day_of_birth(answer.content), address
    data = json.loads(client.get(f"{here}.json").content)["competitors"][0]
    assert (data["born"], data["players"][0]["born"]) == ("1950", "1990")


@pytest.mark.django_db(transaction=True)
def test_archives_have_no_day_of_birth(tmp_path: Path) -> None:
    data = samples.teams()
    data["competitors"][0]["born"] = "1950-06-07"
    apply(compare_with_stored(samples.document(data)))
    folder = archived("three-teams", tmp_path)
    for file in filter(Path.is_file, folder.rglob("*")):
        assert not has_day_of_birth(file.read_bytes()), file.name
    assert b'"born": "1990"' in (folder / "three-teams.json").read_bytes()


def test_desk_and_command_export_the_day_of_birth(teams: Desk, tmp_path: Path) -> None:
    file = teams.browser("arbiter").get(reverse("admin:event-file", args=[teams.event.pk])).content
    call_command("export_event", "three-teams", "--out", str(tmp_path / "out.json"))
    assert file == (tmp_path / "out.json").read_bytes()
    assert json.loads(file)["competitors"][0]["players"][0]["born"] == DAY
    assert load("three-teams").competitors[0].born == "1950-06-07"

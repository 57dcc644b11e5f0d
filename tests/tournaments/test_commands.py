"""The commands import_event, export_event and demo."""

import io
import json
import re
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from tests import ratinglists
from tests.linked import linked_events
from tests.tournaments.interchange.formats import samples
from tournaments.event.document import PairingEntry
from tournaments.event.schema import field_values
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.interchange.public import publishable
from tournaments.management.commands import demo
from tournaments.models import Event, Pairing, PeopleAct, Person, Team
from tournaments.recording.imports.importing import import_event
from tournaments.stored import load

pytestmark = pytest.mark.django_db
DEMO = Path(__file__).parents[2] / "tournaments/demo"
CHENNAI = DEMO / "olympiad-2022-open.json"
Run = tuple[str, str, str]
"""stdout, stderr and the message of a CommandError."""


def run(*arguments: str | Path, **options: Any) -> Run:
    out, err = io.StringIO(), io.StringIO()
    failure = ""
    try:
        call_command(*map(str, arguments), stdout=out, stderr=err, **options)
    except CommandError as error:
        failure = str(error)
    return out.getvalue(), err.getvalue(), failure


@pytest.fixture
def players(tmp_path: Path) -> Path:
    return written(tmp_path, samples.players())


@pytest.fixture
def teams(tmp_path: Path) -> Path:
    return written(tmp_path, samples.teams())


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    data = samples.players()
    data["event"]["slug"] = "faulty"
    data["event"]["colour"] = "red"
    return written(tmp_path, data)


def written(folder: Path, data: Any) -> Path:
    file = folder / f"{data['event']['slug']}.json"
    file.write_text(samples.text(data), encoding="utf-8")
    return file


FOUR_PLAYERS_READ = "competitors: 4 read\npairings: 7 read\n"
THREE_TEAMS_READ = "competitors: 3 read\npairings: 4 read\nranks: 3 read\n"
"""Every import ends with a summary of the file."""


# --- import_event -----------------------------------------------------------------------------------------


def test_import_prints_a_summary(players: Path) -> None:
    added = "four-players: 15 changes: 1 event added, 4 competitors added, 3 rounds added, 7 pairings added\n"
    assert run("import_event", players) == (added + FOUR_PLAYERS_READ, "", "")
    assert run("import_event", players) == ("four-players: 0 changes\n" + FOUR_PLAYERS_READ, "", "")


def test_import_prints_differences_before_the_summary(players: Path) -> None:
    run("import_event", players)
    players.write_text(players.read_text().replace('"Bea"', '"Beatrix"'))
    assert run("import_event", players) == (
        "~ competitor 2 Beatrix: name Bea → Beatrix\nfour-players: 1 change: 1 competitor changed\n"
        + FOUR_PLAYERS_READ,
        "",
        "",
    )
    assert [each.name for each in load("four-players").competitors] == ["Ann", "Beatrix", "Cas", "Dov"]


def test_import_dry_run_stores_no_event(players: Path) -> None:
    out, _, failure = run("import_event", players, dry_run=True)
    assert ("15 changes" in out, failure) == (True, "")
    assert not Event.objects.exists()


def test_faulty_file_does_not_stop_other_imports(
    players: Path, faulty: Path, teams: Path, tmp_path: Path
) -> None:
    out, err, failure = run("import_event", players, faulty, tmp_path / "nothing.json", teams)
    assert failure == "2 of 4 files had errors and were not imported."
    assert [line for line in out.splitlines() if line.startswith("[")] == [
        "[1/4] four-players.json",
        "[2/4] faulty.json",
        "[3/4] nothing.json",
        "[4/4] three-teams.json",
    ]
    assert err.startswith("faulty.json: error: event.colour: Unknown key “colour”.")
    assert "nothing.json: error: The file cannot be read: No such file or directory." in err
    assert set(Event.objects.values_list("slug", flat=True)) == {"four-players", "three-teams"}


def test_constraint_violation_is_exit_code_1(teams: Path) -> None:
    run("import_event", teams)
    data = samples.teams()
    data["overrides"].pop()
    out, err, failure = run("import_event", written(teams.parent, data))
    assert out == "- override 5\nthree-teams: 1 change: 1 override removed\n" + THREE_TEAMS_READ
    assert "[override-removed]" in err
    assert failure


def test_database_error_is_exit_code_1(players: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("import_event", players)
    data = samples.players()
    data["event"]["name"] = "Otherwise"
    data["rounds"][0]["pairings"][0]["score"] = [1, 1]
    monkeypatch.setattr(
        "tournaments.interchange.imports.applying.field_values",
        lambda entry, *without: (
            {"kind": "bye", "first_score": 1}
            if isinstance(entry, PairingEntry)
            else field_values(entry, *without)
        ),
    )
    _, err, failure = run("import_event", written(players.parent, data), reason="A slip.")
    assert "[refused-by-the-database]" in err
    assert failure
    assert Event.objects.get().name == "Four Players"


def test_report_over_an_event_lists_all_losses(teams: Path, tmp_path: Path) -> None:
    run("import_event", teams)
    bare = [
        line for line in run("export_event", "three-teams", format="trf")[0].splitlines() if line[:1] != "#"
    ]
    report = tmp_path / "three-teams.trf"
    report.write_text("\n".join(bare))
    out, err, failure = run("import_event", report, dry_run=True)
    lost = (
        *("club Red Rooks → no value", "withdrawn after 2 → no value", "outside True → False"),
        *("- override 1\n", "- override 5\n", "- acknowledgement of met-before", "source A book → TRF"),
    )
    assert [each for each in lost if each not in out] == []
    # the event's settings remain, because a report without our comments lacks them
    assert "series" not in out
    assert ("[override-removed]" in err, bool(failure)) == (True, True)


@pytest.mark.exhaustive
def test_rows_are_imported_in_bulk() -> None:
    statements = Mock(side_effect=lambda execute, *asked: execute(*asked))
    with connection.execute_wrapper(statements):
        run("import_event", CHENNAI)
    assert statements.call_count < 300  # for 5,000 rows; SQLite inserts fifty at a time
    assert Pairing.objects.count() == 1021


# --- export_event -----------------------------------------------------------------------------------------


def test_export_reproduces_the_imported_file(tmp_path: Path) -> None:
    file = DEMO / "1948-world-championship.json"
    run("import_event", file)
    text = file.read_text(encoding="utf-8")
    assert run("export_event", "1948-world-championship") == (text, "", "")
    out = tmp_path / "out.json"
    assert run("export_event", "1948-world-championship", out=out, format="json") == ("", "", "")
    assert out.read_bytes() == text.encode()


def test_second_import_and_export_change_no_data(teams: Path, tmp_path: Path) -> None:
    run("import_event", teams)
    first = run("export_event", "three-teams")[0]
    assert first == write(publishable(samples.document(samples.teams())))
    teams.write_text(first, encoding="utf-8")
    assert run("import_event", teams)[0] == "three-teams: 0 changes\n" + THREE_TEAMS_READ
    assert run("export_event", "three-teams")[0] == first


def test_export_of_an_unknown_event_is_an_error() -> None:
    assert run("export_event", "nothing")[2] == "There is no event nothing."


def test_export_to_an_unwritable_path_is_an_error(players: Path, tmp_path: Path) -> None:
    run("import_event", players)
    assert "cannot be written" in run("export_event", "four-players", out=tmp_path / "no" / "out.json")[2]


def test_export_warns_about_data_that_other_programs_ignore(players: Path, tmp_path: Path) -> None:
    run("import_event", players)
    out, err, failure = run("export_event", "four-players", format="trf")
    assert out == write_report(load("four-players"))
    assert err.splitlines() == [
        "In comments only, which other programs skip:",
        "- the event: slug, discipline, scoring, system, state, rules",
        "- pairing round 1, table 2: advantage",
        "- pairing round 2, table 3 and 1 more: kind",
    ]
    assert not failure


def test_export_refuses_unknown_formats() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("export_event", "any", "--format", "gif")


# --- demo -------------------------------------------------------------------------------------------------


@pytest.fixture
def laptop(settings: Any) -> None:
    """Development settings."""
    settings.HTTPS = False


@pytest.mark.usefixtures("laptop")
def test_demo_loads_events_accounts_and_links() -> None:
    out = run("demo")[0]
    passwords = dict(re.findall(r"^(arbiter|organiser): (\S+)$", out, re.MULTILINE))
    slugs = {json.loads(file.read_text(encoding="utf-8"))["event"]["slug"] for file in DEMO.glob("*.json")}

    assert len(slugs) == 5
    assert set(Event.objects.values_list("slug", flat=True)) == slugs
    for name, group in (("arbiter", "Arbiter"), ("organiser", "Organiser")):
        account = User.objects.get(username=name)
        assert account.check_password(passwords[name])
        assert account.is_staff
        assert not account.is_superuser
        assert list(account.groups.values_list("name", flat=True)) == [group]
    assert set(Event.objects.filter(arbiters__username="arbiter").values_list("slug", flat=True)) == slugs
    assert not Event.objects.filter(arbiters__username="organiser").exists()

    # The source is the reason for links of players in two events.
    ghestem = Person.objects.get(name="Pierre Ghestem")
    entries = linked_events(ghestem)
    assert entries == ["1947-vierkamp-den-haag", "1948-world-championship"]
    assert entries == linked_events(Person.objects.get(name="Piet Roozenburg"))
    act = PeopleAct.objects.first()
    assert act
    assert (act.by, "clpippel/tiebreak" in act.reason) == ("manage.py demo", True)
    dutch = Team.objects.get(name="Netherlands")
    dutch_slugs = dutch.links.order_by("event__start").values_list("event__slug", flat=True)
    assert [*dutch_slugs] == ["olympiad-2018-open", "olympiad-2022-open"]


PASSWORD = re.compile(r"^(arbiter|organiser): (\S+)$", re.MULTILINE)
DEN_HAAG, WORLD = "1947-vierkamp-den-haag", "1948-world-championship"


@pytest.fixture
def two_events(laptop: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A demo with the two smallest events."""
    monkeypatch.setattr(demo, "EVENT_FILES", [DEMO / f"{slug}.json" for slug in (DEN_HAAG, WORLD)])


@pytest.mark.usefixtures("two_events")
def test_second_demo_run_keeps_edits_deletions_and_passwords() -> None:
    passwords = dict(PASSWORD.findall(run("demo")[0]))
    Event.objects.filter(slug=WORLD).update(name="My own name")
    Event.objects.filter(slug=DEN_HAAG).delete()

    out, _, failure = run("demo")

    assert failure == ""
    assert "demo --restore" in out
    assert "demo --reset-passwords" in out
    assert PASSWORD.findall(out) == []
    for name, password in passwords.items():
        assert User.objects.get(username=name).check_password(password)
    assert Event.objects.get(slug=WORLD).name == "My own name"
    assert Event.objects.count() == 1


@pytest.mark.usefixtures("two_events")
def test_demo_restore_imports_all_events_again_and_keeps_the_passwords() -> None:
    passwords = dict(PASSWORD.findall(run("demo")[0]))
    name = Event.objects.get(slug=WORLD).name
    Event.objects.filter(slug=WORLD).update(name="My own name")
    Event.objects.filter(slug=DEN_HAAG).delete()

    run("demo", "--restore")

    assert Event.objects.get(slug=WORLD).name == name
    assert Event.objects.filter(arbiters__username="arbiter").count() == 2
    assert User.objects.get(username="arbiter").check_password(passwords["arbiter"])


@pytest.mark.usefixtures("two_events")
def test_demo_resets_passwords_on_request_only() -> None:
    first = dict(PASSWORD.findall(run("demo")[0]))
    User.objects.filter(username="organiser").update(is_staff=False)

    second = dict(PASSWORD.findall(run("demo", "--reset-passwords")[0]))

    assert second.keys() == first.keys() == {"arbiter", "organiser"}
    for name, password in second.items():
        assert password != first[name]
        assert User.objects.get(username=name).check_password(password)
    assert not User.objects.get(username="organiser").is_staff


@pytest.mark.usefixtures("two_events")
def test_demo_continues_after_an_interruption() -> None:
    """The first run is interrupted between events, the second after printing the passwords."""

    class ClosedTerminal(io.StringIO):
        def flush(self) -> None:
            raise KeyboardInterrupt

    def import_all_but_one(file: Path, announce: Any) -> Any:
        if file.stem == WORLD:
            raise KeyboardInterrupt
        return import_event(file, announce=announce)

    with patch.object(demo, "import_event", import_all_but_one), pytest.raises(KeyboardInterrupt):
        run("demo")
    assert [event.slug for event in Event.objects.all()] == [DEN_HAAG]
    Event.objects.filter(slug=DEN_HAAG).update(name="My own name")
    with pytest.raises(KeyboardInterrupt):
        call_command("demo", stdout=ClosedTerminal())
    assert (Event.objects.count(), User.objects.count()) == (2, 0)

    passwords = dict(PASSWORD.findall(run("demo")[0]))

    assert User.objects.get(username="arbiter").check_password(passwords["arbiter"])
    assert Event.objects.get(slug=DEN_HAAG).name == "My own name"
    assert Person.objects.filter(name="Pierre Ghestem").count() == 1


def test_demo_needs_debug(settings: Any) -> None:
    settings.HTTPS = True
    assert "DEBUG=1" in run("demo")[2]
    assert not Event.objects.exists()


def test_import_of_a_rating_list_prints_its_progress(tmp_path: Path) -> None:
    path = ratinglists.written(tmp_path / "players_list_foa.txt", "12")

    out, err, failure = run("import_rating_list", path, date="2026-05-01")

    assert out.splitlines()[-2:] == ["100 %", "FIDE 2026-05-01: 7 players, 1 rows left out, 0 MB."]
    assert err == "players_list_foa.txt: Line 9: The line is too short.\n"
    assert failure == ""


def test_file_in_another_format_than_a_rating_list_is_refused(tmp_path: Path) -> None:
    path = ratinglists.written(tmp_path / "list.txt")

    assert "Give the day, such as 2026-05-01. No changes were made." in run("import_rating_list", path)[2]
    assert "cannot be read" in run("import_rating_list", tmp_path / "none.txt")[2]

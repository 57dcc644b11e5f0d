"""A filled database goes through the migrations: nothing is lost, and no kept page is answered again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client

from tests.cast import create_account, create_player_event, create_team_event
from tournaments import migrations
from tournaments.formats.json.writer import write
from tournaments.models import Competitor, Event, Login, Player, Revision, Round, Session
from tournaments.models.versioned import past_of
from tournaments.revision import revision_of
from tournaments.stored import load
from tournaments.triggers import missing_triggers, set_triggers_aside

pytestmark = pytest.mark.django_db(transaction=True)

MIGRATIONS = sorted(file.stem for file in Path(migrations.__file__).parent.glob("0*.py"))

of_one_migration = pytest.mark.exhaustive
"""The code of an old migration does not change; that all of them can be applied is tested in `make test`."""


@pytest.fixture
def back_to_now() -> Iterator[None]:
    yield
    call_command("migrate", verbosity=0)


@pytest.mark.parametrize("first", [pytest.param("0001", marks=of_one_migration), MIGRATIONS[-4]])
@pytest.mark.usefixtures("back_to_now")
def test_a_filled_database_is_migrated(first: str) -> None:
    """SQLite rebuilds a table to add a column: the triggers must not break the tables that point to it."""
    event = create_team_event()
    # The oldest tables have no column for these.
    Event.objects.update(categories=[], prizes=[], prizes_public=False)
    before, revision = write(load(event.slug)), revision_of(event.pk)
    call_command("migrate", "tournaments", first, verbosity=0)
    call_command("migrate", verbosity=0)
    assert write(load(event.slug)) == before
    assert revision_of(event.pk) >= revision
    assert missing_triggers("default") == []


def test_a_migrate_with_nothing_to_do_changes_no_event() -> None:
    event = create_team_event()
    before, changed_at = revision_of(event.pk), Revision.objects.get(event=event).changed_at
    call_command("migrate", verbosity=0)
    assert revision_of(event.pk) == before
    assert Revision.objects.get(event=event).changed_at == changed_at
    Event.objects.update(name="Renamed")
    assert revision_of(event.pk) > before


@pytest.mark.usefixtures("back_to_now")
def test_a_migrate_that_began_and_did_not_end_is_counted_by_the_next() -> None:
    event = create_team_event()
    before = revision_of(event.pk)
    set_triggers_aside(using="default", plan=[(None, True)])
    Event.objects.update(name="Renamed")  # nobody counts it
    assert revision_of(event.pk) == before
    call_command("migrate", verbosity=0)
    assert revision_of(event.pk) > before
    assert missing_triggers("default") == []


@of_one_migration
@pytest.mark.usefixtures("back_to_now")
def test_dates_that_are_none_keep_their_year_and_are_listed(caplog: pytest.LogCaptureFixture) -> None:
    create_team_event()
    call_command("migrate", "tournaments", "0006", verbosity=0)
    Event.objects.update(start="2026-13-45", end="2025-02-31")
    Round.objects.filter(number=1).update(date="soon")
    Round.objects.filter(number=2).update(date="2026-05-02")
    call_command("migrate", verbosity=0)

    event, (first, second) = Event.objects.get(), Round.objects.order_by("number")
    assert (event.start, event.end, event.version) == ("2026", "", 2)
    assert (first.date, first.version, second.date, second.version) == ("", 2, "2026-05-02", 1)
    told = event.history.first().history_change_reason
    assert told == (
        "The first day was stored as “2026-13-45”, which is no date; its year, 2026, was kept. "
        "The last day was stored as “2025-02-31”, which is no date; its year, 2025, was kept. "
        "The last day was stored as “2025-02-31”, before the first, 2026; it was left blank."
    )
    assert "“soon”" in first.history.first().history_change_reason
    assert second.history.count() == 1
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "two-teams",
        "two-teams, round 1",
    ]


@of_one_migration
@pytest.mark.usefixtures("back_to_now")
def test_open_rounds_are_drafts_unless_their_pairings_stood() -> None:
    event = create_team_event()
    Round.objects.create(event=event, number=3, state=Round.State.DRAFT)
    states = ["closed", "published", "draft"]
    call_command("migrate", "tournaments", "0009", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT state, is_set FROM tournaments_round ORDER BY number")
        assert cursor.fetchall() == [("closed", True), ("open", True), ("open", False)]
    call_command("migrate", verbosity=0)
    assert list(Round.objects.order_by("number").values_list("state", flat=True)) == states
    assert list(past_of(Round).objects.order_by("number").values_list("state", flat=True)) == states


@of_one_migration
@pytest.mark.usefixtures("back_to_now")
def test_births_in_lines_of_reports_become_those_of_people() -> None:
    line = "001 {:4d} w                                               {:>11} {:10}"
    teams, players = create_team_event(), create_player_event()
    second = Player.objects.filter(competitor__event=teams).order_by("competitor__number", "board")[1]
    call_command("migrate", "tournaments", "0010", verbosity=0)
    kept = ["102 IA An Arbiter", "001    2" + "NED".rjust(48)]
    filled = line.format(2, "", "1990/01/02")
    Event.objects.filter(pk=teams.pk).update(trf=[kept[0], f"{filled[:53]}NED{filled[56:]}"])
    Event.objects.filter(pk=players.pk).update(
        trf=[line.format(1, "77", "02.01.1990"), line.format(2, "NED-17", "May 1991")]
    )
    call_command("migrate", verbosity=0)

    second.refresh_from_db()
    assert (second.born, second.sex, second.fide_id, second.version) == ("1990-01-02", "w", None, 2)
    ann, bea = Competitor.objects.filter(event=players).order_by("number")[:2]
    assert (ann.born, ann.sex, ann.fide_id) == ("1990-01-02", "w", 77)
    assert (bea.born, bea.sex, bea.fide_id) == ("1991", "w", None)
    teams.refresh_from_db()
    players.refresh_from_db()
    assert (teams.trf, players.trf) == (kept, ["001    2" + "NED-17".rjust(60)])
    assert "lines of a tournament report" in ann.history.first().history_change_reason


@of_one_migration
@pytest.mark.usefixtures("back_to_now")
def test_logins_that_a_package_had_recorded_are_taken_over() -> None:
    call_command("migrate", "tournaments", "0017", verbosity=0)
    columns = "id integer, username varchar(255), ip_address {}, user_agent varchar(255), attempt_time {}"
    types = (
        ("inet", "timestamp with time zone")
        if connection.vendor == "postgresql"
        else ("char(39)", "datetime")
    )
    with connection.cursor() as cursor:
        for table in ("axes_accesslog", "axes_accessfailurelog", "axes_accessattempt"):
            cursor.execute(f"CREATE TABLE {table} ({columns.format(*types)})")
        row = "INSERT INTO axes_accesslog VALUES ({}, 'Anna', '{}', 'Firefox', '2026-05-01 12:00:00+00:00')"
        cursor.execute(row.format(1, "192.0.2.7"))
        cursor.execute(row.format(2, "2001:db8:1:2:3::4"))
    call_command("migrate", verbosity=0)

    logins = Login.objects.order_by("address").values_list("name", "network", "outcome", "at__year")
    assert list(logins) == [("anna", "192.0.2.7", "in", 2026), ("anna", "2001:db8:1:2::/64", "in", 2026)]
    assert not [table for table in connection.introspection.table_names() if table.startswith("axes")]


@of_one_migration
@pytest.mark.usefixtures("back_to_now")
def test_sessions_go_on_under_the_store_of_our_own() -> None:
    anna, gone = create_account("anna"), create_account("gone")
    browser, closed = Client(), Client()
    browser.force_login(anna)
    closed.force_login(gone)
    rows = list(Session.objects.values_list("session_key", "session_data", "expire_date"))
    gone.delete()
    call_command("migrate", "tournaments", "0019", verbosity=0)
    with connection.cursor() as cursor:
        time = "timestamp with time zone" if connection.vendor == "postgresql" else "datetime"
        cursor.execute(
            f"CREATE TABLE django_session (session_key varchar(40), session_data text, expire_date {time})"
        )
        cursor.executemany("INSERT INTO django_session VALUES (%s, %s, %s)", rows)
    call_command("migrate", verbosity=0)

    assert browser.get("/admin/").status_code == 200
    assert Session.objects.get().user == anna
    assert "django_session" not in connection.introspection.table_names()

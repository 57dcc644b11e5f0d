"""Housekeeping deletes expired data, prints their number, and leaves results alone."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from tests.cast import Desk, create_desk
from tests.proposals import create_open, propose
from tests.ratinglists import imported
from tournaments.interchange.ratinglists.folder import lists
from tournaments.models import (
    Backup,
    Bundle,
    BundleFile,
    Event,
    Login,
    LoginWait,
    Pairing,
    Proposal,
    ResultSent,
    Session,
    Upload,
)
from tournaments.models.versioned import past_of
from tournaments.operations.revision import revision_of
from tournaments.operations.upkeep import housekeeping
from tournaments.stored import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Desk:
    return create_desk()


def days_ago(days: float) -> datetime:
    return timezone.now() - timedelta(days=days)


def keep_house(**options: bool) -> str:
    """Return the output of the command."""
    output = StringIO()
    call_command("housekeeping", stdout=output, **options)
    return output.getvalue()


def create_sessions(number: int, expired: datetime) -> None:
    Session.objects.bulk_create(
        Session(session_key=f"{number}-{each}", session_data="", expire_date=expired, seen=expired)
        for each in range(number)
    )


def create_upload(event: Event | None, days: float, applied: bool = True, **about: object) -> Upload:
    upload = Upload.objects.create(
        event=event, name="list.csv", file=b"Name\n", sha256="0", by="anna", at=days_ago(days), **about
    )
    Upload.objects.filter(pk=upload.pk).update(applied=upload.at if applied else None)
    return upload


def create_backups(event: Event, *moments: datetime) -> list[int]:
    rows = [Backup(event=event, file=b"{}", sha256="0", reason="", by="anna", at=at) for at in moments]
    return [row.pk for row in Backup.objects.bulk_create(rows)]


def test_expired_sessions_and_old_logins_are_deleted(desk: Desk) -> None:
    Session.objects.all().delete()
    create_sessions(3, days_ago(1))
    create_sessions(2, days_ago(-1))
    for at in (days_ago(91), days_ago(200), days_ago(1)):
        Login.objects.create(name="anna", step=Login.Step.PASSWORD, outcome=Login.Outcome.IN, at=at)
    LoginWait.objects.update(last=timezone.now())  # the desk's is as old as the first test that built it
    LoginWait.objects.create(key="name:olga", last=days_ago(1))

    told = keep_house()

    assert "sessions that have expired: 3 gone" in told
    assert "login log older than 90 days: 2 gone" in told
    assert Session.objects.count() == 2
    assert "failures of logins that count no more: 1 gone" in told
    assert Login.objects.count() == 2  # one of them is the desk's
    assert LoginWait.objects.get().key == "pair:anna 192.0.2.1"


def test_unused_uploads_are_deleted(desk: Desk) -> None:
    old, new = create_upload(None, 3, applied=False), create_upload(desk.event, 1, applied=False)

    assert "not imported within 2 days: 1 gone" in keep_house()
    assert not Upload.objects.filter(pk=old.pk).exists()
    assert Upload.objects.filter(pk=new.pk).exists()


def test_files_of_archives_are_deleted_later(desk: Desk) -> None:
    for position, days in enumerate((31, 3)):
        bundle = Bundle.objects.create(name="years.zip", user=desk.people["organiser"], at=days_ago(days))
        upload = create_upload(None, days, applied=False)
        BundleFile.objects.create(bundle=bundle, position=position, name="a.json", upload=upload)

    assert "not imported within 30 days: 1 gone" in keep_house()
    assert [bool(each.upload) for each in BundleFile.objects.order_by("position")] == [False, True]


def test_last_pairing_draft_of_a_finished_event_loses_its_report_only(desk: Desk) -> None:
    opens = [create_open(4, slug) for slug in ("old", "live", "new")]
    for event in opens:
        for _ in range(2):
            propose(event, desk.people["arbiter"], 1)
        Proposal.objects.create(round=event.rounds.get(), input="report", problem="It broke off.")
    Proposal.objects.update(at=days_ago(100))
    Event.objects.filter(slug__in=("old", "new")).update(state="final")
    past_of(Event).objects.filter(slug="old").update(history_date=days_ago(91))
    edit = Event.objects.get(slug="new")
    edit.save()

    assert "of events that are over for 90 days: 3 would go" in keep_house(dry_run=True)
    assert "of events that are over for 90 days: 3 gone" in keep_house()
    kept = Proposal.objects.filter(round__event__slug="old").get()
    assert (kept.input, len(kept.pairs), kept.applied is None) == ("", 2, False)
    assert Proposal.objects.exclude(input="").count() == 6
    assert "of events that are over for 90 days: 0 gone" in keep_house()


def test_upload_imported_in_the_meantime_is_not_deleted(desk: Desk) -> None:
    upload = create_upload(desk.event, 3, applied=False)

    def import_it(rows: object, size: int) -> list[list[int]]:
        Upload.objects.filter(pk=upload.pk).update(applied=timezone.now())
        return [[upload.pk]]

    with patch.object(housekeeping, "batches", import_it):
        count = housekeeping.delete(Upload.objects.filter(applied=None), dry_run=False)

    assert count == 0
    assert Upload.objects.filter(pk=upload.pk).exists()


def test_old_imports_lose_their_content_but_not_their_row(desk: Desk, settings: Settings) -> None:
    event = desk.other_event
    first = create_upload(event, 2500)
    old = create_upload(event, 2000)
    objected = create_upload(event, 2000, accepted={"reason": "As printed.", "objections": ["Totals"]})
    last = create_upload(event, 1500)

    assert "0 gone" in keep_house().splitlines()[3]  # not deleted by default
    settings.KEEP_UPLOADS_DAYS = 1095
    assert "1 gone" in keep_house().splitlines()[3]
    rows = {row.pk: (len(row.file), row.size) for row in event.uploads.all()}
    assert rows == {first.pk: (5, 5), old.pk: (0, 5), objected.pk: (5, 5), last.pk: (5, 5)}
    page = desk.browser("other").get(f"/admin/events/{event.pk}/import/").content.decode()
    assert page.count("file deleted") == 1
    assert desk.browser("other").get(f"/admin/events/{event.pk}/uploads/{old.pk}/").status_code == 404
    assert desk.browser("other").get(f"/admin/events/{event.pk}/uploads/{last.pk}/").status_code == 200


def test_oldest_content_over_the_size_limit_is_deleted(desk: Desk, settings: Settings) -> None:
    settings.KEEP_UPLOADS_BYTES = 30
    Upload.objects.all().delete()
    rows = [create_upload(desk.event, days) for days in range(10)]

    keep_house()

    kept = [bool(Upload.objects.get(pk=row.pk).file) for row in rows]
    assert kept == [True] * 6 + [False] * 3 + [True]  # the first import created the event


def test_last_backups_and_first_of_each_day_are_not_deleted(desk: Desk, settings: Settings) -> None:
    settings.KEEP_BACKUPS = 2
    Backup.objects.all().delete()
    day = datetime(2026, 5, 1, tzinfo=UTC)
    hours = [day + timedelta(hours=each) for each in (9, 12, 15, 24 + 9, 24 + 12, 24 + 15, 24 + 18)]
    backups = create_backups(desk.event, *hours)
    others = create_backups(desk.other_event, *hours[:2])

    assert "the first of each day: 3 gone" in keep_house()
    left = set(Backup.objects.values_list("pk", flat=True))
    assert left == {backups[0], backups[3], backups[5], backups[6], *others}


def test_second_housekeeping_deletes_no_rows(desk: Desk) -> None:
    create_sessions(1, days_ago(1))
    create_upload(desk.event, 2000)
    before = stored(desk.event).document, revision_of(desk.event.pk)
    keep_house()

    assert {line.rsplit(": ", 1)[1] for line in keep_house().splitlines()} == {"0 gone"}
    assert (stored(desk.event).document, revision_of(desk.event.pk)) == before


def test_dry_run_of_housekeeping_counts_without_deleting(desk: Desk, settings: Settings) -> None:
    settings.KEEP_BACKUPS = 0
    create_sessions(2, days_ago(1))
    create_upload(desk.other_event, 2000)
    create_upload(desk.other_event, 2000)
    create_upload(None, 9, applied=False)
    create_backups(desk.event, days_ago(0), days_ago(0))
    counted = keep_house(dry_run=True)

    assert keep_house(dry_run=True) == counted
    assert keep_house() == counted.replace("would go", "gone")


def test_each_batch_is_a_transaction(desk: Desk) -> None:
    create_sessions(housekeeping.BATCH * 2 + 1, days_ago(1))

    with CaptureQueriesContext(
        connection,
    ) as queries:
        keep_house()

    deleted = [
        query["sql"] for query in queries if query["sql"].startswith('DELETE FROM "tournaments_session"')
    ]
    assert len(deleted) == 3


def test_failed_task_is_reported_and_others_run(desk: Desk) -> None:
    create_upload(None, 9, applied=False)
    failing = patch.object(
        housekeeping, "delete_backups", side_effect=OperationalError("database or disk is full")
    )
    output = StringIO()
    with failing, pytest.raises(CommandError, match=r"backups of events .* disk is full"):
        call_command("housekeeping", stdout=output)

    assert "not imported within 2 days: 1 gone" in output.getvalue()


def test_networks_of_hall_results_are_deleted_but_not_the_results(desk: Desk) -> None:
    pairing = Pairing.objects.filter(second__isnull=False)[0]
    for number, days in ((1, 91), (2, 89)):
        about = {"pairing": pairing, "board": 1, "seats": "1-2", "text": "1-0", "network": "192.0.2.0/24"}
        ResultSent.objects.create(number=number, at=days_ago(days), **about)
    keep_house()

    assert list(ResultSent.objects.values_list("text", "network")) == [("1-0", ""), ("1-0", "192.0.2.0/24")]


def test_older_rating_lists_are_deleted(tmp_path: Path, settings: Settings) -> None:
    for date in ("2026-03-01", "2026-04-01", "2026-05-01"):
        imported(tmp_path, date=date)
    settings.KEEP_RATING_LISTS = 1

    assert "left behind: 2 would go" in keep_house(dry_run=True)
    assert len(lists()) == 3
    keep_house()
    assert [each.date for each in lists()] == ["2026-05-01"]

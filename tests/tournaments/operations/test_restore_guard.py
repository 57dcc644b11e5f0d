"""A database older than what was served starts a new epoch first."""

import logging
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.db import InternalError, connection, connections, transaction
from django.test import Client
from environ import Env
from pytest_django import DjangoAssertNumQueries, Settings

from standings.archive.store import make_archive
from tests.cast import create_team_event
from tournaments.models import Competitor, Event, Revision, SiteRevision
from tournaments.operations import restore_guard
from tournaments.operations.epoch import epoch_now, renew_epoch
from tournaments.operations.jobs import archive_job, ask
from tournaments.operations.restore_guard import OF_SITE, Guard, ServedFile, checked_epoch
from tournaments.operations.revision import present, revision_of, site_revision

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/events/two-teams/standings/"


@pytest.fixture(autouse=True)
def path(settings: Settings, tmp_path: Path) -> Path:
    found = tmp_path / "lib" / "served.sqlite3"
    settings.EPOCH_FILE = str(found)
    return found


@pytest.fixture
def event(client: Client) -> Event:
    event = create_team_event()
    client.get(PAGE)
    return event


def set_back(event: Event, by: int = 1) -> None:
    """Lower the event's revision, as a restore does."""
    number = revision_of(event.pk) - by
    Revision.objects.filter(event=event).delete()  # a trigger prevents an update to a lower revision
    Revision.objects.create(event=event, number=number)


def change(event: Event, times: int = 1) -> None:
    for turn in range(times):
        Competitor.objects.filter(event=event, number=1).update(name=f"Reds {turn}")


def restart() -> None:
    """Simulate a new process with new connections."""
    restore_guard._guard_of.cache_clear()
    reconnect()


def reconnect() -> None:
    connection.close()
    if connection.connection:  # a database in memory is never closed
        vars(connection.connection).pop("guard", None)


def marks(path: Path) -> dict[int, restore_guard.Height]:
    guard = restore_guard._guard()
    assert guard is not None
    found = guard.file.read()
    assert found is not None
    return dict(found.heights)


def test_database_at_a_port_has_a_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://crosstable:secret@10.0.0.12:5432/crosstable"
    monkeypatch.setitem(connections.settings, "default", Env.db_url_config(url))
    guard = restore_guard._guard()
    assert guard is not None
    assert guard.file.base == "10.0.0.12 5432 crosstable"


# --- older databases --------------------------------------------------------------------------------------


def older_event(event: Event) -> None:
    set_back(event)


def older_site(event: Event) -> None:
    SiteRevision.objects.update(number=SiteRevision.objects.get().number - 1)


def older_sum(event: Event) -> None:
    """Another event lost a change that is only visible on a page of the site."""
    other = create_team_event("other")
    site_revision()
    set_back(other)


def older_epoch(event: Event) -> None:
    before = epoch_now()
    renew_epoch()
    checked_epoch(epoch_now(), {})
    SiteRevision.objects.update(epoch=before)


OLDER = [older_event, older_site, older_sum, older_epoch]


@pytest.mark.parametrize("restore", OLDER)
@pytest.mark.parametrize("how", ["start", "connection", "readyz", "migrate"])
def test_older_database_starts_a_new_epoch(
    event: Event, client: Client, restore: Callable[[Event], None], how: str
) -> None:
    restore(event)
    before = epoch_now()
    if how == "start":
        restart()
        client.get(PAGE)
    elif how == "connection":
        reconnect()
        client.get(PAGE)
    elif how == "readyz":
        client.get("/readyz")
    else:
        restart()
        call_command("migrate", verbosity=0)
    assert epoch_now() != before


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no replicas")
def test_promoted_replica_starts_a_single_epoch_on_all_machines(
    event: Event, client: Client, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def served_by(name: str) -> str:
        settings.EPOCH_FILE = str(tmp_path / name)
        restart()
        client.get(PAGE)
        return epoch_now()

    for name in ("one", "two", "one"):
        before = served_by(name)
    assert served_by("two") == before
    monkeypatch.setattr(restore_guard, "TIMELINE", f"1 + {restore_guard.TIMELINE}")
    after = served_by("one")
    assert after != before
    assert served_by("two") == served_by("one") == after


def test_older_event_is_detected_on_the_same_connection(event: Event, client: Client) -> None:
    etag, before = client.get(PAGE).headers["ETag"], epoch_now()
    set_back(event)
    again = client.get(PAGE)
    assert epoch_now() != before
    assert epoch_now() in again.headers["ETag"]
    change(event)
    assert client.get(PAGE, headers={"if-none-match": etag}).status_code == 200


def test_restore_on_an_open_connection_is_detected_although_the_revision_is_equal(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pg_restore --clean` breaks no connection, nor does PgBouncer if its server is replaced."""
    other = create_team_event("other")
    client.get("/events/other/")
    etag, before = client.get(PAGE).headers["ETag"], epoch_now()
    set_back(other)
    set_back(event)
    change(event)
    later = monotonic() + restore_guard.CHECKED_SECONDS
    monkeypatch.setattr(restore_guard, "clock", lambda: later)
    assert client.get(PAGE, headers={"if-none-match": etag}).status_code == 200
    assert epoch_now() != before


def test_polled_revision_counts_as_served(event: Event, client: Client) -> None:
    change(event)
    stamp = present(event.pk).stamp
    client.get(f"/events/two-teams/poll/?revision={stamp}&page=standings")
    set_back(event)
    restart()
    client.get("/")
    assert epoch_now() not in stamp


def test_newer_database_does_not_change_its_epoch(event: Event, client: Client) -> None:
    before = epoch_now()
    for _ in range(3):
        change(event)
        client.get(PAGE)
        client.get("/")
        restart()
    Event.objects.all().delete()
    client.get("/")
    restart()
    client.get("/")
    assert epoch_now() == before


def test_renew_epoch_command_starts_a_single_epoch(event: Event, client: Client) -> None:
    set_back(event)
    told = renew_epoch()
    restart()
    client.get(PAGE)
    assert epoch_now() == told
    assert marks(Path())[event.pk][0] == revision_of(event.pk)


def test_deleted_file_starts_a_new_epoch(event: Event, client: Client, path: Path) -> None:
    before = epoch_now()
    path.unlink()
    change(event)  # else nothing is written
    client.get(PAGE)
    assert path.exists()
    assert epoch_now() != before
    assert epoch_now() in client.get(PAGE).headers["ETag"]


def test_scratch_database_does_not_affect_the_site(event: Event, path: Path) -> None:
    """A trial restore into a scratch database does not affect the site."""
    before = marks(path)
    scratch = Guard(path, "sqlite   /backup/trial.sqlite3")
    scratch.file.begin("another")
    assert marks(path) == before
    assert scratch.file.read() == restore_guard.Marks("another", frozenset(), {})


# --- cost -------------------------------------------------------------------------------------------------


def test_cached_page_costs_one_query_and_no_write(
    event: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(PAGE)
    with patch.object(ServedFile, "_connection", side_effect=AssertionError), django_assert_num_queries(1):
        client.get(PAGE)
    reconnect()
    with django_assert_num_queries(3):
        client.get(PAGE)


def test_connection_that_another_thread_takes_from_the_pool_is_not_checked_again(event: Event) -> None:
    guard = restore_guard._guard()
    assert guard
    wrapper = connection.copy()
    wrapper.connection = connection.connection
    assert guard._is_checked(guard.epoch, wrapper)
    wrapper.connection = None
    assert not guard._is_checked(guard.epoch, wrapper)


def test_revision_is_written_once_before_it_is_served(event: Event, client: Client, path: Path) -> None:
    change(event)
    assert marks(path)[event.pk][0] < revision_of(event.pk)
    with patch.object(ServedFile, "raise_to", autospec=True, side_effect=ServedFile.raise_to) as written:
        client.get(PAGE)
        client.get("/events/two-teams/")
    assert written.call_count == 1
    assert marks(path)[event.pk][0] == revision_of(event.pk)


def test_change_during_rendering_is_written(event: Event, client: Client, path: Path) -> None:
    """The page has the revision at which it was rendered."""

    def overtaken(pk: int) -> Event:
        change(event)
        return present(pk)

    change(event)
    with patch("standings.caching.cached_pages.present", side_effect=overtaken):
        page = client.get(PAGE)
    number = revision_of(event.pk)
    assert page.headers["ETag"].endswith(f'-{number}"')
    assert marks(path)[event.pk][0] == number


def test_uncommitted_revision_is_not_written(event: Event, path: Path) -> None:
    before = marks(path)
    with transaction.atomic():
        change(event)
        site_revision()
        transaction.set_rollback(True)
    assert marks(path) == before


def test_revision_read_for_an_archive_is_written(event: Event, path: Path) -> None:
    change(event)
    make_archive(ask(archive_job(event.pk, "https", "testserver", public=True)), lambda *_: None)
    assert marks(path)[event.pk][0] == revision_of(event.pk)


def test_higher_revision_served_by_another_process_is_no_restore(
    event: Event, client: Client, path: Path
) -> None:
    """Both processes use the same database, and one read it later."""
    before, guard = epoch_now(), restore_guard._guard()
    assert guard is not None
    number = revision_of(event.pk) + 1
    change(event)
    Guard(path, guard.file.base).file.raise_to(before, {event.pk: (number,)})
    assert guard.vouched(before, {event.pk: (number - 1,)}) == before
    assert epoch_now() == before


# --- without write access ---------------------------------------------------------------------------------


@pytest.fixture
def full(path: Path) -> Iterator[None]:
    with patch.object(ServedFile, "_connection", side_effect=OSError("no space left on device")):
        yield


def test_process_that_cannot_write_has_its_own_epoch(
    event: Event, client: Client, full: None, caplog: pytest.LogCaptureFixture
) -> None:
    known = client.get(PAGE)  # its revision is in the file
    etag = known.headers["ETag"]
    change(event)
    page = client.get(PAGE)
    assert "cannot be noted" in caplog.text
    own = page.headers["ETag"]
    assert f"{epoch_now()}." in own
    assert etag != own
    assert f"revision={epoch_now()}." in page.content.decode()
    assert client.get(PAGE, headers={"if-none-match": own}).status_code == 304
    assert present(event.pk).epoch.startswith(f"{epoch_now()}.")
    set_back(event)
    assert client.get(PAGE, headers={"if-none-match": own}).headers["ETag"] not in {own, etag}
    change(event)
    assert client.get(PAGE, headers={"if-none-match": own}).status_code == 200


def test_process_returns_to_the_epoch_of_the_database(
    event: Event, client: Client, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with patch.object(ServedFile, "_connection", side_effect=OSError("no space left on device")):
        change(event)
        assert f"{epoch_now()}." in client.get(PAGE).headers["ETag"]
    assert f"{epoch_now()}." in client.get(PAGE).headers["ETag"], "too soon to try again"
    later = monotonic() + 6
    monkeypatch.setattr(restore_guard, "clock", lambda: later)
    assert f"{epoch_now()}." not in client.get(PAGE).headers["ETag"]
    assert marks(path)[event.pk][0] == revision_of(event.pk)


def test_read_only_database_is_served_in_a_separate_epoch(
    event: Event, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    before = epoch_now()
    set_back(event)
    refusal = InternalError("cannot execute UPDATE in a read-only transaction")
    with patch.object(restore_guard, "replace_epoch", side_effect=refusal):
        own = client.get(PAGE).headers["ETag"]
    assert epoch_now() == before
    assert f"{before}." in own
    assert {record.levelno for record in caplog.records} == {logging.WARNING, logging.ERROR}


def test_damaged_file_does_not_stop_the_site(event: Event, client: Client, path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)
    restart()
    assert client.get(PAGE).status_code == 200
    assert client.get("/readyz").status_code == 200


def test_file_is_private_and_has_no_secret(event: Event, path: Path) -> None:
    assert path.stat().st_mode & stat.S_IRUSR
    assert b"password" not in path.read_bytes()
    assert {OF_SITE, event.pk} <= marks(path).keys()

"""The tables of the search follow the record, whatever wrote to it."""

from collections.abc import Callable
from pathlib import Path
from threading import Event as Signal
from threading import Thread

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import F
from pytest_django import DjangoAssertNumQueries

from config.database.deadlines import time_left, within
from standings.catalogue.listing import Listing
from tests.cast import create_player_event, create_team_event
from tournaments.models import (
    Competitor,
    Event,
    Person,
    PersonLink,
    Player,
    Revision,
    SearchEntry,
    Series,
    SiteRevision,
)
from tournaments.people.public import public_name
from tournaments.recording.imports.importing import import_event
from tournaments.recording.rebuild import rebuild_stale_indexes
from tournaments.search import index
from tournaments.search.index import refresh, refresh_after_import

pytestmark = pytest.mark.django_db(transaction=True)


def found(words: str) -> int:
    return Listing({"q": words}).total


def raw(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def rename_in_bulk() -> None:
    renamed = list(Competitor.objects.filter(name="Ann"))
    for each in renamed:
        each.name = "Zoë"
    Competitor.objects.bulk_update(renamed, ["name"])


CHANGES: dict[str, Callable[[], object]] = {
    "a save": lambda: Competitor(event=Event.objects.get(slug="two-players"), number=9, name="Zoë").save(),
    "bulk_create": lambda: Competitor.objects.bulk_create(
        [Competitor(event=Event.objects.get(slug="two-players"), number=9, name="Zoë")]
    ),
    "bulk_update": rename_in_bulk,
    "update": lambda: Competitor.objects.filter(name="Ann").update(name="Zoë"),
    "SQL": lambda: raw("UPDATE tournaments_competitor SET name = 'Zoë' WHERE name = 'Ann'"),
    "SQL of players": lambda: raw("UPDATE tournaments_player SET name = 'Zoë' WHERE name = 'Reds 1'"),
    "SQL of the event": lambda: raw("UPDATE tournaments_event SET place = 'Zoë' WHERE slug = 'two-players'"),
    "SQL of the series": lambda: raw("UPDATE tournaments_series SET name = 'Zoë'"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_write_is_found_at_once(change: str) -> None:
    create_player_event()
    create_team_event()
    assert found("zoe") == 0
    CHANGES[change]()
    assert found("zoe") == 1


def test_results_do_not_change_the_index(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    event = create_player_event()
    refresh()
    event.rounds.get().pairings.update(first_score=2)
    with django_assert_num_queries(1):
        assert refresh() == 0


def test_a_deleted_event_is_removed_from_the_index() -> None:
    event = create_player_event()
    assert found("ann") == 1
    Event.objects.filter(pk=event.pk).delete()
    assert found("ann") == 0
    assert not SearchEntry.objects.exists()


def test_drafts_are_found_while_readers_see_them() -> None:
    event = create_player_event()
    for state, count in (("draft", 0), ("live", 1), ("removed", 0), ("final", 1)):
        Event.objects.filter(pk=event.pk).update(state=state)
        assert found("ann") == count


def test_rolled_back_changes_are_not_found() -> None:
    create_player_event()
    found("ann")
    with transaction.atomic():
        Competitor.objects.filter(name="Ann").update(name="Zoë")
        assert found("zoe") == 1
        transaction.set_rollback(True)
    assert (found("zoe"), found("ann")) == (0, 1)


def test_an_import_updates_the_index() -> None:
    file = Path(__file__).parents[3] / "tournaments/demo/1948-world-championship.json"
    assert import_event(file, announce=lambda _: None) == ()
    assert not Revision.objects.filter(named__gt=F("searched")).exists()
    assert found("roozenburg") == 1


def test_the_index_is_updated_after_the_commit_of_an_import(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """Persons who come with an import are searched without the first reader's waiting for it."""
    refresh()
    with transaction.atomic():
        create_player_event()
        Person.objects.create(name="Zoë", key="zoe")
        refresh_after_import()
        assert not SearchEntry.objects.exists()
    with django_assert_num_queries(1):
        assert refresh() == 0
    assert found("ann") == 1


def test_an_import_is_kept_if_indexing_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> int:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(index, "refresh", refuse)
        with transaction.atomic():
            create_player_event()
            refresh_after_import()
    assert "left to the next search" in caplog.text
    assert "database is locked" in caplog.text
    assert found("ann") == 1


def test_indexing_takes_at_most_50_percent_of_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []
    monkeypatch.setattr(index, "refresh", lambda: given.append(time_left()))
    refresh_after_import(60.0)
    with within(8.0):
        refresh_after_import(60.0)
    alone, in_request = (round(each or 0) for each in given)
    assert 30 < alone <= 60
    assert 0 < in_request <= 4


def test_many_events_cost_as_many_queries_as_a_few(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    event = create_player_event()
    refresh()
    for number in range(20):
        event.pk, event.slug = None, f"match-{number}"
        event.save(force_insert=True)
    with django_assert_num_queries(14):
        assert refresh() == 20


def test_another_version_of_the_code_rebuilds_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    create_player_event()
    refresh()
    SearchEntry.objects.update(folded="of another version")
    rebuild_stale_indexes("default")
    assert set(SearchEntry.objects.values_list("folded", flat=True)) == {"of another version"}
    SiteRevision.objects.update(search_form="another")
    rebuild_stale_indexes("default")
    assert not SearchEntry.objects.filter(folded="of another version").exists()


def test_no_search_waits_after_a_migration(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    """New triggers raise the revision of every event."""
    create_player_event()
    refresh()
    Revision.objects.update(number=F("number") + 1, named=F("number") + 1)
    rebuild_stale_indexes("default")
    with django_assert_num_queries(1):
        assert refresh() == 0


def test_changes_committed_during_indexing_are_found_by_the_next_search() -> None:
    """A writer who began before and commits after must not be lost (PostgreSQL; SQLite has one writer)."""
    create_player_event()
    refresh()
    has_written, may_commit = Signal(), Signal()

    def write() -> None:
        try:
            with transaction.atomic():
                Competitor.objects.filter(name="Ann").update(name="Zoë")
                has_written.set()
                may_commit.wait(60)
        finally:
            connection.close()

    writer = Thread(target=write)
    writer.start()
    assert has_written.wait(60)
    if connection.vendor == "postgresql":
        assert found("zoe") == 0
    may_commit.set()
    writer.join()
    assert found("zoe") == 1


def test_players_and_series_are_of_the_event() -> None:
    create_team_event()
    refresh()
    assert Player.objects.exists()
    assert {found("reds 1"), found("cup"), found(Series.objects.get().name)} == {1}


def test_hidden_persons_are_not_found_by_name() -> None:
    event = create_player_event()
    ann = Competitor.objects.get(event=event, name="Ann")
    person = Person.objects.create(name="Ann", key="ann")
    PersonLink.objects.create(person=person, event=event, competitor=ann, how="hand", number=1, name="Ann")
    assert found("ann") == 1
    Person.objects.filter(pk=person.pk).update(hidden=True)
    assert found("ann") == 0
    hits = Listing({"q": public_name(Person.objects.get())}).hits
    assert hits
    assert "Ann" not in hits.players
    Person.objects.filter(pk=person.pk).update(hidden=False)
    assert found("ann") == 1

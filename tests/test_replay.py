"""Rows of a builder are replayed only in a database that holds the same rows."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from pytest_django import Settings

from tests import replay
from tests.cast import stored_event, swiss_file
from tests.replay import begin_test, built_once
from tests.snapshots import take_snapshot
from tournaments.models import Event, Series
from tournaments.operations.revision import revision_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="Rows are replayed on SQLite only."),
]

calls = count(1)


@built_once
def built(slug: str = "a") -> Series:
    """Create a series named by the number of calls of this function."""
    return Series.objects.create(slug=slug, name=f"Call {next(calls)}")


@pytest.fixture
def next_test(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that takes all rows away, as the end of a test does; no recording is there yet."""
    monkeypatch.setattr(replay, "_recordings", {})
    connection.ensure_connection()
    begin_test()
    empty = connection.savepoint()
    assert empty

    def begin_again() -> None:
        connection.savepoint_rollback(empty)
        begin_test()

    return begin_again


def test_next_test_has_the_same_rows_and_result(next_test: Callable[[], None]) -> None:
    first = built()
    next_test()
    again = built()
    assert again is not first
    assert (again.pk, again.name) == (first.pk, first.name)
    assert Series.objects.get().name == first.name


def test_triggers_count_replayed_rows(next_test: Callable[[], None]) -> None:
    number = revision_of(stored_event(swiss_file()).pk)
    next_test()
    assert not Event.objects.exists()
    assert revision_of(stored_event(swiss_file()).pk) == number


def test_builders_are_replayed_after_the_same_builders_only(next_test: Callable[[], None]) -> None:
    first = built("a").name, built("b").name
    next_test()
    assert (built("a").name, built("b").name) == first
    next_test()
    assert built("b").name not in first


def test_no_replay_after_other_rows(next_test: Callable[[], None]) -> None:
    first = built()
    next_test()
    Series.objects.create(slug="other", name="Other")
    assert built().name != first.name


def test_no_replay_where_a_savepoint_can_be_rolled_back(next_test: Callable[[], None]) -> None:
    first = built()
    next_test()
    with transaction.atomic():
        assert built().name != first.name


def test_no_replay_at_another_time(next_test: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    first, tomorrow = built(), timezone.now() + timedelta(days=1)
    next_test()
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    assert built().name != first.name


def test_no_replay_under_other_settings(next_test: Callable[[], None], settings: Settings) -> None:
    first = built()
    next_test()
    settings.HIDDEN_FILE = "hidden"
    assert built().name != first.name


@pytest.mark.django_db(transaction=True)
def test_no_replay_after_a_snapshot_was_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "_recordings", {})
    begin_test()
    empty = take_snapshot()
    first = built()
    empty.restore()
    assert built().name != first.name


def test_builder_that_rolls_back_is_not_replayed(next_test: Callable[[], None]) -> None:
    @built_once
    def refused() -> int:
        Series.objects.create(slug="a", name="A")
        with pytest.raises(IntegrityError), transaction.atomic():
            Series.objects.create(slug="a", name="A")
        return next(calls)

    first = refused()
    next_test()
    assert refused() != first


def test_builder_that_is_given_a_model_is_not_replayed(next_test: Callable[[], None]) -> None:
    @built_once
    def called_with(series: Series) -> int:
        return next(calls)

    first = called_with(built())
    next_test()
    assert called_with(built()) != first


def test_callbacks_wait_for_the_commit_again(
    next_test: Callable[[], None], django_capture_on_commit_callbacks: Any
) -> None:
    @built_once
    def with_callback() -> int:
        transaction.on_commit(lambda: None)
        return next(calls)

    with django_capture_on_commit_callbacks() as first:
        called = with_callback()
    next_test()
    with django_capture_on_commit_callbacks() as again:
        assert with_callback() == called
    assert len(first) == len(again) == 1

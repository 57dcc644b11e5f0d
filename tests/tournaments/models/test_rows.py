"""Bulk-inserted rows equal those that Django stores, and compiled queries read those that Django reads."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest
from django.db import IntegrityError
from django.db.models import Model

from tests.cast import create_event
from tournaments.event.choices import Sex
from tournaments.models import Competitor, Event, Pairing, Person, PersonLink, Round
from tournaments.models.rows import ROWS_A_STATEMENT, RecordQuery, insert_all
from tournaments.operations.revision import revision_of

pytestmark = [pytest.mark.django_db, pytest.mark.database]
Store = Callable[[list[Any]], Iterable[Model]]
STORES: dict[str, Store] = {
    "django": lambda rows: type(rows[0])._default_manager.bulk_create(rows),
    "ours": insert_all,
}


def _values(rows: Iterable[Model]) -> list[dict[str, Any]]:
    """Return the stored values of these rows, in the given order."""
    listed = list(rows)
    there = type(listed[0])._default_manager.in_bulk([row.pk for row in listed])
    return [
        {
            field.attname: getattr(there[row.pk], field.attname)
            for field in row._meta.concrete_fields
            if not field.primary_key and field.attname not in {"event_id", "round_id", "at"}
        }
        for row in listed
    ]


def _competitors(event: Event) -> list[Competitor]:
    return [
        Competitor(event=event, number=1, name="Ann O'Neil “100 %s”", rating=2400, categories=["U20", "W"]),
        Competitor(event=event, number=2, name="Лев", sex=Sex.M, fide_id=14_100_000),
        Competitor(
            event=event, number=3, name="C", outside=True, withdrawn_after=2, requested_byes={"1": "H"}
        ),
    ]


def test_rows_equal_those_stored_by_django() -> None:
    stored = {}
    for name, store in STORES.items():
        stored[name] = _values(store(_competitors(create_event(name))))

    assert stored["ours"] == stored["django"]
    assert [row["name"] for row in stored["ours"]] == ["Ann O'Neil “100 %s”", "Лев", "C"]
    assert stored["ours"][0]["categories"] == ["U20", "W"]


class _Entry(NamedTuple):
    number: int
    categories: list[str]
    event: str


def test_compiled_query_reads_the_rows_of_each_condition() -> None:
    first, second = create_event("first"), create_event("second")
    for event in (first, second):
        insert_all(_competitors(event))
    listed = Competitor.objects.exclude(sex=Sex.M).order_by("-number")
    query = RecordQuery(_Entry, listed, event="event__slug")

    assert query.where(event=first) == [(3, [], "first"), (1, ["U20", "W"], "first")]
    assert query.where(event=second.pk) == [(3, [], "second"), (1, ["U20", "W"], "second")]
    assert query.where(event=second, number=1) == [(1, ["U20", "W"], "second")]
    assert query.where(number=1, event=first) == [_Entry(1, ["U20", "W"], "first")]
    assert query.where(event=first, number=2) == []


def test_each_row_gets_its_own_key_however_many_there_are() -> None:
    event = create_event("long")
    many = max(ROWS_A_STATEMENT.values()) + 3

    made = insert_all(Competitor(event=event, number=at, name=f"C{at}") for at in range(1, many + 1))

    assert dict(Competitor.objects.filter(event=event).values_list("pk", "number")) == {
        row.pk: row.number for row in made
    }
    assert len({row.pk for row in made}) == many
    assert not any(row._state.adding for row in made)


def test_a_given_key_is_stored_among_rows_without_keys() -> None:
    event = create_event("back")
    one, two, three, four = insert_all(
        Competitor(event=event, number=at, name=f"C{at}") for at in range(1, 5)
    )
    played = Round.objects.create(event=event, number=1)
    pairing = Pairing.objects.create(round=played, table=1, first=one, second=two)
    key = pairing.pk
    pairing.delete()

    insert_all(
        [
            Pairing(round=played, table=1, first=three, second=four),
            Pairing(pk=key, round=played, table=2, first=one, second=two, version=3),
        ]
    )

    assert Pairing.objects.get(pk=key).table == 2
    assert Pairing.objects.get(table=1).pk != key


def test_database_defaults_apply() -> None:
    event, person = create_event("dated"), Person.objects.create(name="Ann", key="an")

    [link] = insert_all([PersonLink(person=person, event=event, how="id", number=1, name="Ann")])

    assert PersonLink.objects.get(pk=link.pk).at is not None


def test_the_database_counts_and_refuses_as_ever() -> None:
    event = create_event("counted")
    before = revision_of(event.pk)

    insert_all(_competitors(event))

    assert revision_of(event.pk) > before
    with pytest.raises(IntegrityError):
        insert_all([Competitor(event=event, number=1, name="Twice")])


def test_no_rows_need_no_query(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert insert_all([]) == []

"""Every change of a person, a team or a link changes the cache stamps of their pages and events."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_player_event, create_team_event
from tournaments.models import (
    Competitor,
    Event,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonLink,
    PersonName,
    PersonTitle,
    Team,
    TeamCode,
    TeamLink,
    TeamName,
)
from tournaments.operations.revision import (
    COUNTED,
    ListStamp,
    PeopleStamp,
    people_stamp,
    person_stamp,
    revision_of,
    team_stamp,
)

pytestmark = pytest.mark.django_db

ROWS: dict[type, Callable[[], object]] = {
    PersonName: lambda: PersonName(person=Person.objects.get(), name="A."),
    PersonFederation: lambda: PersonFederation(person=Person.objects.get(), code="NED"),
    PersonTitle: lambda: PersonTitle(person=Person.objects.get(), title="GM"),
    PersonIdentifier: lambda: PersonIdentifier(person=Person.objects.get(), scheme="fide", value="1"),
    PersonLink: lambda: PersonLink(
        person=Person.objects.get(), event=Event.objects.get(slug="draft"), how="hand", number=1, name="Ann"
    ),
    TeamName: lambda: TeamName(team=Team.objects.get(), name="A."),
    TeamCode: lambda: TeamCode(team=Team.objects.get(), code="NED"),
    TeamLink: lambda: TeamLink(
        team=Team.objects.get(), event=Event.objects.get(slug="draft"), how="hand", number=1, name="Ann"
    ),
}


@pytest.fixture
def event() -> Event:
    event = create_player_event()
    create_player_event("draft")
    person, team = Person.objects.create(name="Ann"), Team.objects.create(name="Whites")
    PersonLink.objects.create(
        person=person, event=event, competitor=event.competitors.get(number=1), how="id", number=1, name="Ann"
    )
    teams = create_team_event()
    TeamLink.objects.create(team=team, event=teams, how="id", number=1, name="Whites")
    return event


def stamps() -> list[PeopleStamp | ListStamp]:
    """Return the stamps of the person, of the team and of all."""
    person, team = person_stamp(Person.objects.get().pk), team_stamp(Team.objects.get().pk)
    assert person
    assert team
    return [person, team, people_stamp()]


@pytest.mark.parametrize("model", ROWS, ids=lambda model: model.__name__)
def test_every_table(event: Event, model: type) -> None:
    at = 0 if model.__name__.startswith("Person") else 1
    row: Any = ROWS[model]()
    seen = [stamps()]
    row.save()
    seen.append(stamps())
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {row._meta.db_table} SET id = id")
    seen.append(stamps())
    row.delete()
    seen.append(stamps())
    # Only the person's own number: deleting a link removes the revisions of its event from the sum.
    for which in (at, 2):
        numbers = [each[which].own for each in seen]
        assert numbers == sorted(set(numbers))
    assert len({each[1 - at] for each in seen}) == 1


def test_every_table_is_tried() -> None:
    assert {*ROWS, Person, Team} == {model for counted in COUNTED for model in counted.of}


def test_a_changed_person_refreshes_the_pages_of_the_events(event: Event) -> None:
    draft = Event.objects.get(slug="draft")
    before, other = revision_of(event.pk), revision_of(draft.pk)
    Person.objects.update(hidden=True)
    assert revision_of(event.pk) > before
    assert revision_of(draft.pk) == other
    teams = Event.objects.get(slug="two-teams")
    before = revision_of(teams.pk)
    Team.objects.update(name="Blacks")
    assert revision_of(teams.pk) > before


def test_the_page_of_a_person_is_fresh_after_a_result(
    event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    person = Person.objects.get()
    before = person_stamp(person.pk)
    Competitor.objects.filter(event=event, number=2).update(title="GM")
    with django_assert_num_queries(1):
        after = person_stamp(person.pk)
    assert before
    assert after
    assert after.events > before.events
    assert after.own == before.own


def test_an_event_that_goes_leaves_another_stamp(event: Event) -> None:
    person = Person.objects.get()
    before = person_stamp(person.pk)
    event.delete()
    after = person_stamp(person.pk)
    assert before
    assert after
    assert after.own > before.own
    assert after.events == 0


def test_a_missing_person_has_no_stamp(event: Event) -> None:
    assert person_stamp(0) is None
    assert team_stamp(0) is None


@pytest.mark.parametrize("of", ["person", "team"])
def test_a_stamp_reads_only_the_revisions_of_its_own_events(event: Event, of: str) -> None:
    person, team = Person.objects.get().pk, Team.objects.get().pk
    with CaptureQueriesContext(connection) as queries:
        assert person_stamp(person) if of == "person" else team_stamp(team)
    (query,) = queries.captured_queries
    how = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # which prefers a sequential scan of a small table
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"{how} {query['sql']}")
        plan = str(cursor.fetchall())
    assert "tournaments_revision" in plan or "SEARCH e" in plan, plan
    assert "SubPlan" not in plan, plan
    assert "SCAN" not in plan, plan  # SQLite's

"""Queries put together once: what they answer is what Django's own answer would be."""

from typing import Any

import pytest
from django.db.models import QuerySet
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_team_event
from tournaments.models import Competitor, Event, Override
from tournaments.prepared import prepared

pytestmark = pytest.mark.django_db


@prepared
def competitors(event: int) -> QuerySet[Competitor, Any]:
    return (
        Competitor.objects.filter(event=event, number__gt=0)
        .order_by("number")
        .values_list("number", "outside", "name")
    )


@prepared
def rulings(event: int) -> QuerySet[Override, Any]:
    return Override.objects.filter(event=event).values_list("levels", "criteria")


@prepared
def by_slug(slug: str) -> QuerySet[Event, Any]:
    return Event.objects.filter(slug=slug).values_list("pk", "state")


def test_each_event_gets_its_own_rows_by_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    one, other = create_team_event(), create_team_event(slug="other")
    Competitor.objects.filter(event=other).update(outside=True)
    for event in (one, other, one):
        with django_assert_num_queries(1):
            rows = competitors(event.pk)
        own = Competitor.objects.filter(event=event).order_by("number")
        assert rows == list(own.values_list("number", "outside", "name"))
        assert rows
        assert {type(outside) for _number, outside, _name in rows} == {bool}


def test_lists_come_as_lists() -> None:
    event = create_team_event()
    Override.objects.create(
        event=event, number=1, kind="criteria", criteria=["wins", "lot"], reason="Agreed before the event"
    )
    assert rulings(event.pk) == [([], ["wins", "lot"])]


def test_slug_is_asked_for_as_a_value() -> None:
    event = create_team_event()
    assert by_slug(event.slug) == [(event.pk, event.state)]
    assert by_slug("' OR 1=1 --") == []


def test_nothing_is_found_where_nothing_is() -> None:
    assert competitors(0) == []

"""Responses are made from attributes of objects, with given values before those of the object."""

from types import SimpleNamespace
from typing import Annotated

import pytest
from django.test import RequestFactory
from pydantic import ValidationError

from standings.api.kinds import (
    Address,
    HalfPoints,
    Number,
    OrNull,
    ResponseModel,
    api_field,
    link_to,
)


class Row(ResponseModel):
    number: Number = api_field(source="entry.number")
    points: HalfPoints
    board: OrNull[Number]
    gold: int = api_field(source="medals.0")
    change: int | None = api_field(source="rating.change", default=None)


ROW = SimpleNamespace(
    entry=SimpleNamespace(number=7), points=5, board=0, medals=(2, 1, 0), rating=SimpleNamespace(change=3)
)


def test_values_come_from_the_paths_of_the_source() -> None:
    assert vars(Row.of(ROW)) == {"number": 7, "points": "2.5", "board": None, "gold": 2, "change": 3}


def test_a_given_value_replaces_the_attribute_of_the_source() -> None:
    made = Row.of(ROW, entry=SimpleNamespace(number=8), board=2)
    assert (made.number, made.board, made.points) == (8, 2, "2.5")


def test_a_missing_attribute_is_an_error_unless_the_field_has_a_default() -> None:
    assert Row.of(ROW, rating=None).change is None
    with pytest.raises(ValidationError, match="entry"):
        Row.of(ROW, entry=None)


class Linked(ResponseModel):
    address: Annotated[Address, link_to("api-event")] = api_field(source="slug")
    match: Annotated[Address, link_to("match")]


def test_a_link_has_the_value_or_the_items_of_a_tuple_as_arguments(rf: RequestFactory) -> None:
    made = Linked.of(SimpleNamespace(slug="cup"), rf.get("/api/"), match=("cup", 2, 1))
    assert made.address == "http://testserver/api/events/cup/"
    assert made.match == "http://testserver/events/cup/rounds/2/1/"

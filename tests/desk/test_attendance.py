"""The screen at the door: marks by form and by script, late entries, byes, withdrawals."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.cast import browser_of, create_account
from tests.markup import markup_of
from tournaments.admin.permissions import Role
from tournaments.models import Attendance, Competitor, Event
from tournaments.operations.revision import revision_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(anna: User) -> Client:
    return browser_of(anna)


def door(event: Event) -> str:
    return reverse("admin:event-attendance", args=[event.pk])


def key(event: Event, number: int) -> int:
    return int(event.competitors.get(number=number).pk)


def rounds_of(event: Event, number: int) -> str:
    return reverse("admin:event-participation", args=[event.pk, number])


def test_a_door_of_two_hundred_costs_a_fixed_number_of_queries(
    client: Client, swiss: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Competitor.objects.bulk_create(Competitor(event=swiss, number=n, name=f"P {n}") for n in range(5, 205))
    client.get(door(swiss))
    with django_assert_num_queries(18):
        page = client.get(door(swiss))
    assert len(page.context["people"]) == 204
    assert page.context["number"] == 3


def test_the_round_is_proposed_from_the_door(client: Client, swiss: Event) -> None:
    html = client.get(door(swiss)).content.decode()
    assert reverse("admin:round-propose", args=[swiss.pk, 3]) in html
    assert "round-steps" not in client.get(f"{door(swiss)}?round=4").content.decode()


@pytest.mark.parametrize(
    ("typed", "found"), [("3", [3]), ("ca", [3]), ("DOV", [4]), ("", [1, 2, 3, 4]), ("x", [])]
)
def test_somebody_is_found_without_a_script(
    client: Client, swiss: Event, typed: str, found: list[int]
) -> None:
    page = client.get(door(swiss), {"q": typed, "round": "4"})
    assert page.context["number"] == 4
    assert [each.competitor.number for each in page.context["people"]] == found


def test_a_button_marks_and_comes_back_to_its_line(client: Client, swiss: Event) -> None:
    ann = key(swiss, 1)
    answer = client.post(f"{door(swiss)}?round=3", {"mark": f"{ann} absent 0"})
    assert answer.headers["Location"] == f"{door(swiss)}?round=3#c{ann}"
    [row] = Attendance.objects.all()
    assert (row.round, row.state, row.by.username) == (3, "absent", "anna")  # type: ignore[union-attr]  # is logged in
    late = client.post(door(swiss), {"mark": f"{ann} present 0"}, follow=True)
    assert "Anna has marked this one absent meanwhile" in markup_of(late)
    client.post(door(swiss), {"mark": f"{ann} present {row.pk}"})
    assert client.get(door(swiss)).context["count"].present == 1


def test_who_is_not_marked_is_absent_in_one_step(client: Client, swiss: Event) -> None:
    client.post(door(swiss), {"mark": f"{key(swiss, 1)} late 0"})
    page = client.post(door(swiss), {"others-absent": ""}, follow=True)
    assert "Marked absent: 3." in markup_of(page)
    assert (page.context["count"].late, page.context["count"].absent) == (1, 3)


def test_a_late_entry_is_one_form(client: Client, swiss: Event) -> None:
    posted = {"enter": "", "name": "Eva", "rating": "2100", "sex": "F", "born": "1990", "first_round": "4"}
    page = client.post(door(swiss), posted, follow=True)
    assert "Eva is number 5, and is paired from round 4 on." in markup_of(page)
    eva = swiss.competitors.get(number=5)
    assert (eva.requested_byes, eva.sex, eva.born) == ({"3": "zero-bye"}, "w", "1990")
    assert "bye without points" in markup_of(page)
    refused = client.post(door(swiss), {**posted, "name": ""})
    assert refused.context["late"].errors.keys() == {"name"}


class TestTheScript:
    def send(self, client: Client, event: Event, user: User, *entries: dict[str, Any]) -> Any:
        address = reverse("admin:attendance-marks", args=[event.pk, 3])
        body = json.dumps({"user": user.pk, "entries": entries})
        return client.post(address, body, content_type="application/json")

    def entry(self, event: Event, number: int, text: str, seen: int = 0) -> dict[str, Any]:
        return {"id": str(uuid4()), "competitor": key(event, number), "text": text, "seen": seen}

    def test_marks_are_taken_in_each_with_its_answer(self, client: Client, swiss: Event, anna: User) -> None:
        entries = [self.entry(swiss, 1, "present"), self.entry(swiss, 2, "ill")]
        answer = self.send(client, swiss, anna, *entries)
        assert [each["state"] for each in answer.json()["outcomes"]] == ["saved", "refused"]
        again = self.send(client, swiss, anna, *entries)
        assert again.json()["outcomes"][0]["repeated"]

    def test_what_somebody_else_typed_is_not_sent_under_another_name(
        self, client: Client, swiss: Event, anna: User
    ) -> None:
        other = create_account("ben", Role.ARBITER)
        assert self.send(client, swiss, other, self.entry(swiss, 1, "late")).status_code == 409
        assert self.send(client, swiss, anna, {"competitor": "x"}).status_code == 400

    def test_news_tell_who_and_no_reader_reloads(self, client: Client, swiss: Event, anna: User) -> None:
        before, address = revision_of(swiss.pk), reverse("admin:attendance-news", args=[swiss.pk, 3])
        stamp = client.get(door(swiss)).context["stamp"]
        assert client.get(address, {"revision": stamp}).status_code == 204
        self.send(client, swiss, anna, self.entry(swiss, 1, "present"))
        told = client.get(address, {"revision": stamp}).json()
        state, _version, note = told["lines"][str(key(swiss, 1))]
        assert (state, note[:5]) == ("present", "anna ")
        assert client.get(address, {"revision": told["revision"]}).status_code == 204
        assert revision_of(swiss.pk) == before


class TestOneCompetitor:
    def test_byes_are_asked_for_all_or_none(self, client: Client, swiss: Event) -> None:
        Event.objects.update(half_byes=1)
        both = {"seen": "1", "byes": "", "round-3": "half-bye", "round-4": "half-bye"}
        refused = client.post(rounds_of(swiss, 1), both)
        assert "all half-point byes, 1 in this event" in refused.context["refusal"]
        assert swiss.competitors.get(number=1).requested_byes == {}
        page = client.post(rounds_of(swiss, 1), {**both, "round-4": "zero-bye"}, follow=True)
        assert swiss.competitors.get(number=1).requested_byes == {"3": "half-bye", "4": "zero-bye"}
        assert "Half-point byes asked for: 1 of 1." in markup_of(page)
        assert "Ann has had all half-point byes, 1 in this event." in markup_of(page)  # beside round 4

    def test_a_withdrawal_and_a_return(self, client: Client, swiss: Event) -> None:
        page = client.post(rounds_of(swiss, 2), {"seen": "1", "withdraw": "", "from": "3"}, follow=True)
        assert "Bea has withdrawn and is not paired in rounds 3 to 4." in markup_of(page)
        stale = client.post(rounds_of(swiss, 2), {"seen": "1", "return": ""})
        assert "has changed this meanwhile" in stale.context["refusal"]
        client.post(rounds_of(swiss, 2), {"seen": "2", "return": ""})
        assert swiss.competitors.get(number=2).withdrawn_after is None

    def test_nobody_of_that_number_is_not_found(self, client: Client, swiss: Event) -> None:
        assert client.get(rounds_of(swiss, 99)).status_code == 404

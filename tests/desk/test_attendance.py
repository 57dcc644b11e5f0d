"""Attendance before a round: marks in forms and by the script, late entries, byes and withdrawals."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.cast import browser_of, create_account
from tests.markup import markup_of
from tests.tournaments.recording.desk import at, typed
from tournaments.accounts.services.roles import Role
from tournaments.models import Attendance, Competitor, Event
from tournaments.operations.revision import revision_of
from tournaments.recording.results.submissions import enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(anna: User) -> Client:
    return browser_of(anna)


def attendance_url(event: Event) -> str:
    return reverse("admin:event-attendance", args=[event.pk])


def key(event: Event, number: int) -> int:
    return int(event.competitors.get(number=number).pk)


def rounds_url(event: Event, number: int) -> str:
    return reverse("admin:event-participation", args=[event.pk, number])


def test_attendance_page_has_a_fixed_number_of_queries(
    client: Client, swiss: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Competitor.objects.bulk_create(Competitor(event=swiss, number=n, name=f"P {n}") for n in range(5, 205))
    client.get(attendance_url(swiss))
    with django_assert_num_queries(20):
        page = client.get(attendance_url(swiss))
    assert len(page.context["people"]) == 204
    assert page.context["number"] == 3


def test_attendance_page_proposes_the_next_round(client: Client, swiss: Event, anna: User) -> None:
    assert "Finish round 2 first" in client.get(attendance_url(swiss)).content.decode()
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], anna)
    html = client.get(attendance_url(swiss)).content.decode()
    assert reverse("admin:round-propose", args=[swiss.pk, 3]) in html
    assert "round-steps" not in client.get(f"{attendance_url(swiss)}?round=4").content.decode()


def test_no_show_of_the_last_round_is_marked(client: Client, swiss: Event, anna: User) -> None:
    enter(swiss, [typed(at(swiss, 2, 1), "+-")], anna)
    page = client.get(attendance_url(swiss))
    assert [*page.context["no_shows"]] == [at(swiss, 2, 1).second_id]
    assert markup_of(page).count("did not come in the round before") == 1


@pytest.mark.parametrize(
    ("typed", "found"), [("3", [3]), ("ca", [3]), ("DOV", [4]), ("", [1, 2, 3, 4]), ("x", [])]
)
def test_search_works_without_javascript(client: Client, swiss: Event, typed: str, found: list[int]) -> None:
    page = client.get(attendance_url(swiss), {"q": typed, "round": "4"})
    assert page.context["number"] == 4
    assert [each.competitor.number for each in page.context["people"]] == found


def test_byes_and_withdrawal_take_a_button_of_the_list(client: Client, swiss: Event) -> None:
    here, ann = f"{attendance_url(swiss)}?round=4", swiss.competitors.get(number=1)
    rows = [
        ("half-bye", "Ann has a half-point bye in round 4"),
        ("", "Ann plays in round 4."),
        ("zero-bye", "Ann has a zero-point bye in round 4"),
        ("", "Ann plays in round 4."),
        ("withdraw", "Ann has withdrawn and is not paired in round 4"),
        ("return", "Ann is back"),
    ]
    for kind, told in rows:
        ann.refresh_from_db()
        sent = f"{ann.pk} {kind} {ann.version}"
        assert f'value="{sent}"' in client.get(here).content.decode()
        answer = client.post(here, {"off": sent}, follow=True)
        assert answer.redirect_chain == [(f"{here}#c{ann.pk}", 302)]
        assert told in answer.content.decode()
    assert "withdrawn" not in client.get(here).content.decode()


def test_button_ends_a_bye_before_a_withdrawal(client: Client, swiss: Event) -> None:
    swiss.competitors.filter(number=1).update(requested_byes={"3": "zero-bye"}, withdrawn_after=3)
    here = f"{attendance_url(swiss)}?round=3"
    [sent] = re.findall(r'name="off" class="button"\s+value="(\d+  \d+)"', client.get(here).content.decode())
    client.post(here, {"off": sent})
    ann = swiss.competitors.get(number=1)
    assert (ann.requested_byes, ann.withdrawn_after) == ({}, 3)


def test_byes_and_withdrawals_have_no_buttons_in_a_published_last_round(client: Client, swiss: Event) -> None:
    has_buttons = [client.get(f"{attendance_url(swiss)}?round={each}").context["has_byes"] for each in (2, 3)]
    assert has_buttons == [False, True]
    Event.objects.update(planned_rounds=2)
    assert not client.get(attendance_url(swiss)).context["has_byes"]


def test_byes_and_withdrawals_have_no_buttons_in_a_final_event(client: Client, swiss: Event) -> None:
    Event.objects.update(state="final")
    assert not client.get(attendance_url(swiss)).context["has_byes"]


@pytest.mark.parametrize("sent", ["", "x", "0 half-bye 1", "{key} bye 1", "{key} half-bye 99"])
def test_impossible_round_off_is_refused(client: Client, swiss: Event, sent: str) -> None:
    sent = sent.format(key=key(swiss, 1))
    answer = client.post(f"{attendance_url(swiss)}?round=4", {"off": sent}, follow=True)
    assert answer.status_code == 404 or 'class="error"' in answer.content.decode()
    ann = swiss.competitors.get(number=1)
    assert (ann.requested_byes, ann.withdrawn_after) == ({}, None)


def test_button_stores_mark_and_returns_to_its_row(client: Client, swiss: Event) -> None:
    ann = key(swiss, 1)
    answer = client.post(f"{attendance_url(swiss)}?round=3", {"mark": f"{ann} absent 0"})
    assert answer.headers["Location"] == f"{attendance_url(swiss)}?round=3#c{ann}"
    [row] = Attendance.objects.all()
    assert (row.round, row.state, row.by.username) == (3, "absent", "anna")  # type: ignore[union-attr]  # logged in
    stale = client.post(attendance_url(swiss), {"mark": f"{ann} present 0"}, follow=True)
    assert "Anna has marked this competitor absent" in markup_of(stale)
    client.post(attendance_url(swiss), {"mark": f"{ann} present {row.pk}"})
    assert client.get(attendance_url(swiss)).context["count"].present == 1


def test_unmarked_players_are_marked_absent_together(client: Client, swiss: Event) -> None:
    client.post(attendance_url(swiss), {"mark": f"{key(swiss, 1)} late 0"})
    page = client.post(attendance_url(swiss), {"others-absent": ""}, follow=True)
    assert "Marked absent: 3." in markup_of(page)
    assert (page.context["count"].late, page.context["count"].absent) == (1, 3)


def test_late_entry_is_added_in_a_single_form(client: Client, swiss: Event) -> None:
    posted = {"enter": "", "name": "Eva", "rating": "2100", "sex": "F", "born": "1990", "first_round": "4"}
    page = client.post(attendance_url(swiss), posted, follow=True)
    assert "Eva is number 5, and is paired from round 4 on." in markup_of(page)
    eva = swiss.competitors.get(number=5)
    assert (eva.requested_byes, eva.sex, eva.born) == ({"3": "zero-bye"}, "w", "1990")
    assert "zero-point bye" in markup_of(page)
    refused = client.post(attendance_url(swiss), {**posted, "name": ""})
    assert refused.context["late"].errors.keys() == {"name"}


class TestTheScript:
    def send(self, client: Client, event: Event, user: User, *entries: dict[str, Any]) -> Any:
        address = reverse("admin:attendance-marks", args=[event.pk, 3])
        body = json.dumps({"user": user.pk, "entries": entries})
        return client.post(address, body, content_type="application/json")

    def entry(self, event: Event, number: int, text: str, seen: int = 0) -> dict[str, Any]:
        return {"id": str(uuid4()), "competitor": key(event, number), "text": text, "seen": seen}

    def test_each_mark_has_its_own_outcome(self, client: Client, swiss: Event, anna: User) -> None:
        entries = [self.entry(swiss, 1, "present"), self.entry(swiss, 2, "ill")]
        answer = self.send(client, swiss, anna, *entries)
        assert [each["state"] for each in answer.json()["outcomes"]] == ["saved", "refused"]
        again = self.send(client, swiss, anna, *entries)
        assert again.json()["outcomes"][0]["repeated"]

    def test_marks_of_another_user_are_rejected(self, client: Client, swiss: Event, anna: User) -> None:
        other = create_account("ben", Role.ARBITER)
        assert self.send(client, swiss, other, self.entry(swiss, 1, "late")).status_code == 409
        assert self.send(client, swiss, anna, {"competitor": "x"}).status_code == 400

    def test_news_have_authors_and_do_not_change_the_event_revision(
        self, client: Client, swiss: Event, anna: User
    ) -> None:
        before, address = revision_of(swiss.pk), reverse("admin:attendance-news", args=[swiss.pk, 3])
        stamp = client.get(attendance_url(swiss)).context["stamp"]
        assert client.get(address, {"revision": stamp}).status_code == 204
        self.send(client, swiss, anna, self.entry(swiss, 1, "present"))
        news = client.get(address, {"revision": stamp}).json()
        state, _version, note = news["lines"][str(key(swiss, 1))]
        assert (state, note[:5]) == ("present", "anna ")
        assert client.get(address, {"revision": news["revision"]}).status_code == 204
        assert revision_of(swiss.pk) == before


class TestOneCompetitor:
    def test_byes_are_requested_all_together(self, client: Client, swiss: Event) -> None:
        Event.objects.update(half_byes=1)
        both = {"seen": "1", "byes": "", "round-3": "half-bye", "round-4": "half-bye"}
        refused = client.post(rounds_url(swiss, 1), both)
        assert "already used all half-point byes" in refused.context["refusal"]
        assert swiss.competitors.get(number=1).requested_byes == {}
        page = client.post(rounds_url(swiss, 1), {**both, "round-4": "zero-bye"}, follow=True)
        assert swiss.competitors.get(number=1).requested_byes == {"3": "half-bye", "4": "zero-bye"}
        assert "Requested half-point byes: 1 of 1." in markup_of(page)
        assert "Ann has already used all half-point byes" in markup_of(page)  # next to round 4

    def test_withdrawal_and_return_change_the_rounds(self, client: Client, swiss: Event) -> None:
        page = client.post(rounds_url(swiss, 2), {"seen": "1", "withdraw": "", "after": "2"}, follow=True)
        assert "Bea has withdrawn and is not paired in rounds 3 to 4." in markup_of(page)
        stale = client.post(rounds_url(swiss, 2), {"seen": "1", "return": ""})
        assert "has changed this" in stale.context["refusal"]
        client.post(rounds_url(swiss, 2), {"seen": "2", "return": ""})
        assert swiss.competitors.get(number=2).withdrawn_after is None

    def test_unknown_number_is_404(self, client: Client, swiss: Event) -> None:
        assert client.get(rounds_url(swiss, 99)).status_code == 404

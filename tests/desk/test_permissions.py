"""Permissions at the desk: all URLs for all roles, and attempts to circumvent them."""

from functools import reduce
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.template.backends.django import Template
from django.test import RequestFactory
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.cast import Desk, create_account, create_event, create_player_event, save_settings
from tests.desk.addresses import addresses, path_to
from tests.desk.matrix import COLUMNS, EXCEPTIONS, answers_of, usual_answers
from tournaments.accounts.services.roles import Role
from tournaments.admin.permissions import EVENT_OF, first_events, may_organise, may_record, visible
from tournaments.models import Competitor, Event, Player, Revision
from tournaments.operations.revision import EVENTS_OF

pytestmark = pytest.mark.django_db


def answer_of(response: Any) -> str:
    """Return the status; redirects to the login and to other pages are `in` and `to`."""
    if response.status_code in {301, 302}:
        return "in" if response["Location"].startswith("/admin/login/") else "to"
    return str(response.status_code)


def test_all_urls_have_expected_responses() -> None:
    known = {name for name, _ in addresses()}

    assert {name for name in known if usual_answers(name) is None} <= set(EXCEPTIONS)
    assert set(EXCEPTIONS) <= known
    assert [name for name, answers in EXCEPTIONS.items() if answers == usual_answers(name)] == []


# tests/test_hostile_input.py opens and posts all pages as a superuser.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.exhaustive if name in {"organiser", "superuser"} else ())
        for name in COLUMNS
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_who_gets_what(desk: Desk, name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wrong_answers(desk, name, method, monkeypatch) == []


@pytest.mark.parametrize("method", ["get", "post"])
def test_what_an_organiser_gets_and_an_arbiter_does_not(
    desk: Desk, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert wrong_answers(desk, "organiser", method, monkeypatch, unlike="arbiter") == []


def wrong_answers(
    desk: Desk, name: str, method: str, monkeypatch: pytest.MonkeyPatch, unlike: str = ""
) -> list[str]:
    """Request each address, or each that answers another differently, and return the unexpected answers."""
    # Only the status counts here; tests/test_hostile_input.py renders every screen.
    monkeypatch.setattr(Template, "render", lambda *_, **_options: "")
    first = len(COLUMNS) * (method == "post")
    column = first + COLUMNS.index(name)
    other = first + COLUMNS.index(unlike) if unlike else None
    browser, wrong = desk.browser(name), []
    for address, route in addresses():
        expected = answers_of(address)[column]
        if other is not None and answers_of(address)[other] == expected:
            continue
        answer = answer_of(getattr(browser, method)(path_to(desk, address, route)))
        if answer != expected:
            wrong.append(f"{address}: {answer}, not {expected}")
        if address == "logout":
            browser = desk.browser(name)
    return wrong


def test_all_models_of_an_event_have_a_lookup() -> None:
    seen = set(EVENTS_OF) - {model for model in EVENTS_OF if model.__name__ == "Series"}
    past = {model for model in apps.get_models() if model.__name__.startswith("Historical")}

    assert set(EVENT_OF) >= seen
    assert set(EVENT_OF) & past == set()
    for model, path in EVENT_OF.items():
        of_no_event = model._default_manager.filter(**{f"{path}__slug" if path else "slug": "none"})
        assert not of_no_event.exists(), model


class TestRoles:
    def test_names_of_role_groups_are_stable(self) -> None:
        assert set(Group.objects.values_list("name", flat=True)) == {"Organiser", "Arbiter"}

    def test_role_determines_permissions(self, desk: Desk) -> None:
        arbiter, organiser = desk.people["arbiter"], desk.people["organiser"]

        assert may_record(arbiter, desk.event)
        assert not may_record(arbiter, desk.other_event)
        assert not may_organise(arbiter, desk.event)
        assert not may_organise(arbiter)
        assert may_record(organiser, desk.event)
        assert may_organise(organiser, desk.event)
        assert may_organise(organiser)

    def test_assigned_user_without_role_has_no_permissions(self, desk: Desk) -> None:
        account = create_account("paul")
        desk.event.arbiters.add(account)

        assert not may_record(account, desk.event)

    def test_closed_account_has_no_permissions(self, desk: Desk) -> None:
        account = create_account("kim", Role.ORGANISER)
        account.is_active = False

        assert not may_record(account, desk.event)


@pytest.mark.parametrize("model", EVENT_OF, ids=lambda model: model.__name__)
def test_arbiter_sees_no_rows_of_other_events(desk: Desk, model: type[Model]) -> None:
    seen = {event_of(row, EVENT_OF[model]) for row in visible(desk.people["arbiter"], model)}

    assert seen <= {desk.event}


def test_arbiter_has_no_permission_for_a_row_of_another_event(desk: Desk, rf: RequestFactory) -> None:
    # Not paired, because paired competitors cannot be deleted at all.
    competitor = Competitor.objects.create(event=desk.event, number=9, name="Late")
    request = rf.get("/admin/")
    request.user = desk.people["other"]
    of_competitors = admin.site._registry[Competitor]

    assert not of_competitors.has_view_permission(request, competitor)
    assert not of_competitors.has_change_permission(request, competitor)
    assert not of_competitors.has_delete_permission(request, competitor)


def test_first_events_are_live_then_drafts_then_others(desk: Desk) -> None:
    states = ("final", "live", "final", "draft", "live")
    Event.objects.all().delete()
    for at, state in enumerate(states):
        create_player_event(f"event-{at}")
        Event.objects.filter(slug=f"event-{at}").update(state=state, start=f"2026-0{at + 1}-01")

    found = [event.slug for event in first_events(desk.people["organiser"])]
    assert found == [f"event-{at}" for at in (4, 1, 3, 2, 0)]


def event_of(row: Any, path: str) -> Event:
    event: Event = reduce(getattr, filter(None, path.split("__")), row)
    return event


class TestLists:
    def test_list_has_only_rows_of_assigned_events(self, desk: Desk) -> None:
        page = desk.browser("other").get(reverse("admin:tournaments_competitor_changelist"))

        assert {row.event for row in page.context["cl"].queryset} == {desk.other_event}

    def test_search_finds_no_rows_of_other_events(self, desk: Desk) -> None:
        page = desk.browser("other").get(reverse("admin:tournaments_competitor_changelist"), {"q": "Reds"})

        assert list(page.context["cl"].queryset) == []

    @pytest.mark.parametrize("number", ["9" * 5_000, "9223372036854775808"])
    def test_search_for_unknown_number_is_empty(self, desk: Desk, number: str) -> None:
        browser = desk.browser("superuser")
        found = browser.get(reverse("admin:tournaments_competitor_changelist"), {"q": number})
        added = browser.get(reverse("admin:tournaments_competitor_add"), {"event": number})

        assert list(found.context["cl"].queryset) == []
        assert added.status_code == 200

    def test_filter_does_not_reveal_other_events(self, desk: Desk) -> None:
        address = reverse("admin:tournaments_competitor_changelist")
        page = desk.browser("other").get(address, {"event": desk.event.slug})

        assert desk.event.name not in page.content.decode()
        assert list(page.context["cl"].queryset) == []

    def test_filter_with_nul_is_empty(self, desk: Desk) -> None:
        address = reverse("admin:tournaments_competitor_changelist")
        page = desk.browser("superuser").get(address, {"event": "\0"})

        assert list(page.context["cl"].queryset) == []

    def test_lookup_in_query_string_is_rejected(self, desk: Desk) -> None:
        page = desk.browser("other").get(
            reverse("admin:tournaments_pairing_changelist"),
            {"first__event__arbiters__password__startswith": "a"},
        )

        assert answer_of(page) == "400"

    def test_lists_of_accounts_and_logins_are_for_superusers(self, desk: Desk) -> None:
        for address in ("auth/", "tournaments/login/", "tournaments/loginwait/"):
            assert answer_of(desk.browser("organiser").get(f"/admin/{address}")) in {"403", "404"}
            assert answer_of(desk.browser("superuser").get(f"/admin/{address}")) == "200"

    def test_admin_shows_no_keys_or_codes(self) -> None:
        assert not [model for model in admin.site._registry if model._meta.app_label.startswith("otp")]

    def test_bulk_deletion_is_disabled(self, desk: Desk) -> None:
        chosen = Competitor.objects.filter(event=desk.event)
        desk.browser("superuser").post(
            reverse("admin:tournaments_competitor_changelist"),
            {"action": "delete_selected", "_selected_action": [row.pk for row in chosen], "post": "yes"},
        )

        assert chosen.count() == 3

    def test_once_public_event_cannot_be_deleted(self, desk: Desk) -> None:
        """Harvesters could not be informed: the event must be removed instead."""
        browser = desk.browser("superuser")
        seen, unseen = create_event("seen"), create_event("unseen")
        Event.objects.filter(pk__in=[seen.pk, unseen.pk]).update(state=Event.State.DRAFT)
        Revision.objects.filter(event=unseen).update(public_at=None)
        for event in (seen, unseen):
            browser.post(reverse("admin:tournaments_event_delete", args=[event.pk]), {"post": "yes"})

        assert Event.objects.filter(pk=seen.pk).exists()
        assert not Event.objects.filter(pk=unseen.pk).exists()

    def test_number_of_queries_is_independent_of_the_list(
        self, desk: Desk, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        browser = desk.browser("arbiter")
        Competitor.objects.bulk_create(
            Competitor(event=desk.event, number=number, name=f"Team {number}") for number in range(10, 60)
        )
        with django_assert_max_num_queries(12):
            browser.get(reverse("admin:tournaments_competitor_changelist"))


class TestForgedPosts:
    def change(self, desk: Desk, who: str, row: Competitor, **values: object) -> Any:
        """Post the form of a competitor with its values, except for some."""
        form = {"number": row.number, "name": row.name, "seen": row.version, "event": row.event_id}
        players = {"players-TOTAL_FORMS": 0, "players-INITIAL_FORMS": 0}
        address = reverse("admin:tournaments_competitor_change", args=[row.pk])
        return desk.browser(who).post(address, form | players | values)

    def test_competitor_cannot_change_the_event(self, desk: Desk) -> None:
        row = Competitor.objects.get(event=desk.event, number=3)
        answer = self.change(desk, "organiser", row, event=desk.other_event.pk, name="Moved")
        row.refresh_from_db()

        assert answer_of(answer) == "to"
        assert (row.event, row.name) == (desk.event, "Moved")

    def test_arbiter_of_another_event_cannot_change_a_row(self, desk: Desk) -> None:
        row = Competitor.objects.get(event=desk.event, number=3)

        assert answer_of(self.change(desk, "other", row, name="Taken")) == "404"
        assert Competitor.objects.get(pk=row.pk).name == "Greens"

    def test_arbiter_cannot_add_rows_to_other_events(self, desk: Desk) -> None:
        answer = desk.browser("other").post(
            reverse("admin:tournaments_competitor_add"), {"event": desk.event.pk, "number": 9, "name": "Late"}
        )

        assert answer.context["adminform"].form.errors.keys() == {"event"}
        assert not Competitor.objects.filter(name="Late").exists()

    def test_inline_cannot_take_a_row_of_another_parent(self, desk: Desk) -> None:
        reds, blues = Competitor.objects.filter(event=desk.event, number__lte=2)
        player = Player.objects.filter(competitor=reds).first()
        assert player
        self.change(
            desk,
            "arbiter",
            blues,
            **{
                "players-TOTAL_FORMS": 1,
                "players-INITIAL_FORMS": 1,
                "players-0-id": player.pk,
                "players-0-competitor": blues.pk,
                "players-0-name": "Taken",
            },
        )

        assert set(Player.objects.filter(competitor=reds)) >= {player}
        assert [row.name for row in Player.objects.filter(competitor=reds)] == ["Reds 1", "Reds 2"]

    def test_arbiter_cannot_change_slug_state_or_arbiters(self, desk: Desk) -> None:
        answer = self.settings(
            desk, "arbiter", slug="elsewhere", state="draft", arbiters=[], name="Cup of All"
        )
        event = Event.objects.get(pk=desk.event.pk)

        assert answer_of(answer) == "to"
        assert (event.name, event.slug, event.state) == ("Cup of All", "two-teams", "live")
        assert list(event.arbiters.all()) == [desk.people["arbiter"]]

    def test_organiser_changes_slug_and_arbiters_but_not_state(self, desk: Desk) -> None:
        olga = desk.people["other"]
        self.settings(desk, "organiser", slug="elsewhere", state="draft", arbiters=[olga.pk])
        event = Event.objects.get(pk=desk.event.pk)

        assert (event.slug, event.state, list(event.arbiters.all())) == ("elsewhere", "live", [olga])
        assert desk.browser("nobody").get("/events/two-teams/")["Location"] == "/events/elsewhere/"

    def test_only_arbiters_can_be_assigned(self, desk: Desk) -> None:
        sara = desk.people["superuser"]
        answer = self.settings(desk, "organiser", arbiters=[sara.pk])

        assert answer.context["adminform"].form.errors.keys() == {"arbiters"}

    def settings(self, desk: Desk, who: str, **values: object) -> Any:
        """Post the settings of the event with their values, except for some."""
        return save_settings(desk.browser(who), desk.event, **values)


class TestDeletion:
    def test_paired_competitor_cannot_be_deleted(self, desk: Desk) -> None:
        row = Competitor.objects.get(event=desk.event, number=1)
        answer = desk.browser("superuser").post(
            reverse("admin:tournaments_competitor_delete", args=[row.pk]), {"post": "yes"}
        )

        assert answer_of(answer) == "403"

    def test_unpaired_competitor_can_be_deleted(self, desk: Desk) -> None:
        row = Competitor.objects.create(event=desk.event, number=9, name="Late")
        desk.browser("arbiter").post(
            reverse("admin:tournaments_competitor_delete", args=[row.pk]), {"post": "yes"}
        )

        assert not Competitor.objects.filter(pk=row.pk).exists()

    def test_public_event_cannot_be_deleted(self, desk: Desk) -> None:
        address = reverse("admin:tournaments_event_delete", args=[desk.event.pk])

        assert answer_of(desk.browser("superuser").post(address, {"post": "yes"})) == "403"

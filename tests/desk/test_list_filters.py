"""The filters of the admin's lists: their choices, and the rows of each choice."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.templatetags.admin_list import result_headers
from django.urls import reverse

from tests.cast import Desk, create_player_event
from tournaments.admin.modeladmin import ByEvent
from tournaments.admin.permissions import EVENT_OF, FIRST
from tournaments.event.choices import Kind
from tournaments.models import Event

pytestmark = pytest.mark.django_db

BY_EVENT = [model for model, desk in admin.site._registry.items() if ByEvent in tuple(desk.list_filter)]


def listed(desk: Desk, model: Any, who: str = "superuser", **query: str) -> Any:
    """Return the changelist of a model for a user and a query string."""
    page = desk.browser(who).get(reverse(f"admin:tournaments_{model._meta.model_name}_changelist"), query)
    assert page.status_code == 200
    return page.context["cl"]


def choices_of(changelist: Any, title: str) -> list[str]:
    """Return the choices of a filter, except "All"."""
    (filter_,) = (each for each in changelist.filter_specs if str(each.title) == title)
    return [str(choice["display"]) for choice in filter_.choices(changelist)][1:]


def test_event_filters_offer_the_event_and_select_its_rows(desk: Desk) -> None:
    assert BY_EVENT
    for model in BY_EVENT:
        way = f"{EVENT_OF[model]}__slug"
        for event in (desk.event, desk.other_event):
            changelist = listed(desk, model, event=event.slug)
            assert set(choices_of(changelist, "event")) == {desk.event.name, desk.other_event.name}, model
            expected = model._default_manager.filter(**{way: event.slug})
            assert {row.pk for row in changelist.queryset} == {row.pk for row in expected}, model


def test_headings_of_lists_name_a_single_thing(desk: Desk) -> None:
    """Django writes a lookup as it is spelled: `competitor__event` is “Competitor  event”."""
    for model in BY_EVENT:
        headings = [str(header["text"]) for header in result_headers(listed(desk, model))]
        assert [each for each in headings if "  " in each] == [], model


def test_arbiter_can_filter_only_by_assigned_events(desk: Desk) -> None:
    for model in BY_EVENT:
        if admin.site._registry[model].has_view_permission(_request_of(desk, "arbiter")):
            assert choices_of(listed(desk, model, "arbiter"), "event") == [desk.event.name], model


def test_live_events_come_first_and_the_chosen_event_is_always_offered(desk: Desk) -> None:
    """The list is limited, but always contains the event of the query string."""
    model = next(model for model in BY_EVENT if model.__name__ == "Competitor")
    for number in range(FIRST):
        event = create_player_event(f"event-{number}")
        Event.objects.filter(pk=event.pk).update(name=f"Event {number}", start=f"20{number:02}")
    old = create_player_event("old")
    Event.objects.filter(pk=old.pk).update(name="Of 1948", start="1948")
    plain = choices_of(listed(desk, model), "event")
    assert (plain[0], len(plain)) == (desk.event.name, FIRST)
    assert plain[1:3] == [f"Event {FIRST - 1}", f"Event {FIRST - 2}"]
    assert "Of 1948" not in plain
    assert choices_of(listed(desk, model, event="old"), "event") == [*plain, "Of 1948"]


@pytest.mark.parametrize(
    ("name", "field", "title"),
    [
        ("Pairing", "kind", "kind"),
        ("Override", "kind", "kind"),
        ("Event", "state", "state"),
        ("Event", "entrants", "entrants"),
        ("Event", "schedule", "schedule"),
    ],
)
def test_field_filter_selects_its_rows(desk: Desk, name: str, field: str, title: str) -> None:
    model: Any = next(each for each in admin.site._registry if each.__name__ == name)
    labels = [str(label) for _, label in model._meta.get_field(field).flatchoices]
    assert choices_of(listed(desk, model), title) == labels
    rows = model._default_manager
    for value in set(rows.values_list(field, flat=True)):
        changelist = listed(desk, model, **{f"{field}__exact": value})
        assert {row.pk for row in changelist.queryset} == set(
            rows.filter(**{field: value}).values_list("pk", flat=True)
        )


def test_kind_filter_finds_byes_of_all_events(desk: Desk) -> None:
    model = next(each for each in BY_EVENT if each.__name__ == "Pairing")
    changelist = listed(desk, model, kind__exact=Kind.BYE)
    assert [(row.first.name, row.second) for row in changelist.queryset] == [("Greens", None)]


def _request_of(desk: Desk, who: str) -> Any:
    """A request of this user."""
    page = desk.browser(who).get(reverse("admin:index"))
    return page.wsgi_request

"""Comparison of computed standings with published ones, independent of the arbiter's decisions."""

import json
from functools import cache
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from standings.checking.reports import checked_tables
from tests.cast import create_account, create_team_event
from tests.demo import DEMO, record
from tests.markup import markup_of
from tournaments.models import Event, Published
from tournaments.recording.overrides import override_place, override_value

pytestmark = pytest.mark.django_db

OUAGADOUGOU = "2022-ouagadougou-open"
REASON = "He was promised it."


@cache
def file_of(slug: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((DEMO / f"{slug}.json").read_text(encoding="utf-8"))
    return data


def recorded(slug: str) -> Event:
    record(slug)
    return Event.objects.get(slug=slug)


@pytest.fixture
def ruled() -> Event:
    """Ouagadougou with number 8, eighth as published and as computed, set to place 2 by decision."""
    event = recorded(OUAGADOUGOU)
    override_place(event, 8, 2, create_account("anna"), REASON, after=9)
    return event


# --- computed standings and decisions ---------------------------------------------------------------------


def test_place_by_decision_is_not_a_difference(ruled: Event, client: Client) -> None:
    (table,) = checked_tables(ruled, Published.objects.get(event=ruled))
    assert table.differences == []
    assert all(agreement.agreeing == agreement.rows for agreement in table.agreements)
    page = client.get(f"/events/{OUAGADOUGOU}/check/").content.decode()
    assert "published 8, computed 2" not in page
    assert "68 of 68 places agree" in page


def test_decision_is_shown_with_the_comparison(ruled: Event, client: Client) -> None:
    page = markup_of(client.get(f"/events/{OUAGADOUGOU}/check/"))
    assert "Coulibaly, Moussa</a>, order: published 8, computed 8, as decided 2*." in page
    # Moved down without a decision on this player.
    assert "order: published 2, computed 2, as decided 3." in page
    assert "The place of Coulibaly, Moussa was set to 2" in page
    assert f"{REASON}" in page
    assert "anna" in page


def test_value_by_decision_is_not_a_difference(client: Client) -> None:
    event = recorded(OUAGADOUGOU)
    code = "solkoff-truncated-short"
    override_value(event, 1, code, ["1"], create_account("anna"), REASON)
    (table,) = checked_tables(event, Published.objects.get(event=event))
    assert table.differences == []
    page = markup_of(client.get(f"/events/{OUAGADOUGOU}/check/"))
    published = file_of(OUAGADOUGOU)["published"]["columns"]["SSolk"]["1"]
    assert f"SSolk: published {published}, computed {published}, as decided 1*." in page


def test_published_column_is_compared_with_computed_places(ruled: Event, client: Client) -> None:
    page = client.get(f"/events/{OUAGADOUGOU}/standings/").content.decode()
    assert "class=published" not in page


def test_command_compares_computed_standings(ruled: Event) -> None:
    out = StringIO()
    call_command("standings", OUAGADOUGOU, "--check", stdout=out)
    assert "order: 68 of 68 agree" in out.getvalue()
    assert "  Coulibaly, Moussa: published 8, computed 8, as ruled 2*" in out.getvalue()
    assert f"ruled by hand: place 2 for Coulibaly, Moussa ({REASON})" in out.getvalue()


def test_api_compares_computed_standings(ruled: Event, client: Client) -> None:
    answer = json.loads(client.get(f"/api/events/{OUAGADOUGOU}/check/").content)
    (table,) = answer["tables"]
    order = next(each for each in table["columns"] if each["label"] == "order")
    assert (order["rows"], order["agreeing"], order["differences"]) == (68, 68, [])
    assert {"number": 8, "published": "8", "computed": "8", "ruled": "2*", "why": ""} in order["ruled"]
    assert answer["verdict"] == "agrees"


def test_figures_that_are_not_numbers_are_compared_as_text() -> None:
    event = create_team_event()
    Published.objects.create(event=event, columns={"MP": {"1": "two", "2": "1/0"}})
    (table,) = checked_tables(event, Published.objects.get())
    assert [each.published for each in table.differences] == ["two", "1/0"]


def test_half_points_are_computed_as_elsewhere() -> None:
    event = create_team_event()
    published = Published.objects.create(event=event, source="-", columns={"pts": {"1": "7"}})
    (table,) = checked_tables(event, published)
    assert [each.computed for each in table.differences] == ["1½"]

"""Our standings held against the published ones: as computed, whatever was ruled; and what the badge says."""

import json
from functools import cache
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from standings.checking.reports import Verdict, checked_tables, verdict_of
from tests.cast import create_account, create_team_event
from tests.demo import DEMO, record
from tests.markup import markup_of
from tournaments.models import Competitor, Event, Published
from tournaments.recording.overrides import override_place, override_value

pytestmark = pytest.mark.django_db

OUAGADOUGOU = "2022-ouagadougou-open"
REASON = "He was promised it."


@cache
def file_of(slug: str) -> dict[str, Any]:
    """The demo event's file as data."""
    data: dict[str, Any] = json.loads((DEMO / f"{slug}.json").read_text(encoding="utf-8"))
    return data


def recorded(slug: str) -> Event:
    record(slug)
    return Event.objects.get(slug=slug)


@pytest.fixture
def ruled() -> Event:
    """Ouagadougou with number 8, who is eighth as published and as computed, ruled to place 2."""
    event = recorded(OUAGADOUGOU)
    override_place(event, 8, 2, create_account("anna"), REASON, after=9)
    return event


# --- as computed, rulings beside it -----------------------------------------------------------------------


def test_a_ruled_place_is_no_difference(ruled: Event, client: Client) -> None:
    (table,) = checked_tables(ruled, Published.objects.get(event=ruled))
    assert table.differences == []
    assert all(agreement.agreeing == agreement.rows for agreement in table.agreements)
    page = client.get(f"/events/{OUAGADOUGOU}/check/").content.decode()
    assert "published 8, computed 2" not in page
    assert "68 of 68 places agree" in page


def test_a_ruling_stands_beside_it(ruled: Event, client: Client) -> None:
    page = markup_of(client.get(f"/events/{OUAGADOUGOU}/check/"))
    assert "Coulibaly, Moussa</a>, order: published 8, computed 8, as ruled 2*." in page
    assert "order: published 2, computed 2, as ruled 3." in page  # pushed down, and not by a ruling on him
    assert "The place of Coulibaly, Moussa was set to 2" in page
    assert f"{REASON}" in page
    assert "anna" in page


def test_a_ruled_value_is_no_difference(client: Client) -> None:
    event = recorded(OUAGADOUGOU)
    code = "solkoff-truncated-short"
    override_value(event, 1, code, ["1"], create_account("anna"), REASON)
    (table,) = checked_tables(event, Published.objects.get(event=event))
    assert table.differences == []
    page = markup_of(client.get(f"/events/{OUAGADOUGOU}/check/"))
    published = file_of(OUAGADOUGOU)["published"]["columns"]["SSolk"]["1"]
    assert f"SSolk: published {published}, computed {published}, as ruled 1*." in page


def test_the_published_column_of_the_table_is_held_against_what_was_computed(
    ruled: Event, client: Client
) -> None:
    page = client.get(f"/events/{OUAGADOUGOU}/standings/").content.decode()
    assert 'class="published"' not in page


def test_the_command_checks_what_was_computed(ruled: Event) -> None:
    out = StringIO()
    call_command("standings", OUAGADOUGOU, "--check", stdout=out)
    assert "order: 68 of 68 agree" in out.getvalue()
    assert "  Coulibaly, Moussa: published 8, computed 8, as ruled 2*" in out.getvalue()
    assert f"ruled by hand: place 2 for Coulibaly, Moussa ({REASON})" in out.getvalue()


def test_the_api_checks_what_was_computed(ruled: Event, client: Client) -> None:
    answer = json.loads(client.get(f"/api/events/{OUAGADOUGOU}/check/").content)
    (table,) = answer["tables"]
    order = next(each for each in table["columns"] if each["label"] == "order")
    assert (order["rows"], order["agreeing"], order["differences"]) == (68, 68, [])
    assert {"number": 8, "published": "8", "computed": "8", "ruled": "2*", "why": ""} in order["ruled"]
    assert answer["verdict"] == "agrees"


def test_a_figure_that_is_no_number_is_compared_as_text() -> None:
    event = create_team_event()
    Published.objects.create(event=event, columns={"MP": {"1": "two", "2": "1/0"}})
    (table,) = checked_tables(event, Published.objects.get())
    assert [each.published for each in table.differences] == ["two", "1/0"]


# --- the badge --------------------------------------------------------------------------------------------


def verdict(order: list[list[int]] | None, **known: Any) -> Verdict:
    """What the badge says of three teams, Greens first, of which this was published."""
    event = create_team_event()
    if order is None:
        return verdict_of(event, None)
    published = Published.objects.create(event=event, order=order, **known)
    return verdict_of(event, published)


ALL = [[3], [1], [2]]


def test_the_order_of_the_cast_is_as_these_tests_have_it() -> None:
    event = create_team_event()
    out = StringIO()
    call_command("standings", event.slug, "--json", stdout=out)
    assert [[row["number"]] for row in json.loads(out.getvalue())["rows"]] == ALL


@pytest.mark.parametrize(
    ("order", "known", "state", "text"),
    [
        (ALL, {}, "agrees", "3 of 3 places agree with the published standings"),
        (
            ALL,
            {"publisher": "A bulletin", "taken": "2026-05-03"},
            "agrees",
            "3 of 3 places agree with A bulletin, taken 3 May 2026",
        ),
        (
            [[3], [1]],
            {"publisher": "A bulletin"},
            "partial",
            "agrees with A bulletin in the part that was published: 2 of 2 published places; 3 teams",
        ),
        (
            [],
            {"columns": {"MP": {"1": "2"}}},
            "partial",
            (
                "agrees with the published standings in the part that was published:"
                " 1 of 1 published values; 3 teams"
            ),
        ),
        (
            [[1], [3], [2]],
            {"publisher": "A bulletin"},
            "differs",
            "differs from A bulletin in 2 of 3 published places",
        ),
        (
            [[1]],
            {"known": [{"what": "order", "competitors": [1], "why": "A slip."}]},
            "differs",
            "differs from the published standings in 1 of 1 published places, each for a known reason",
        ),
        (
            ALL,
            {"columns": {"MP": {"1": "7"}}},
            "differs",
            "differs from the published standings in 1 of 1 published values",
        ),
        (
            [[1], [3], [2]],
            {"columns": {"MP": {"1": "7", "2": "0"}}},
            "differs",
            "differs from the published standings in 2 of 3 published places and 1 of 2 published values",
        ),
        ([], {"columns": {"TB3": {"1": "7"}}}, "unchecked", "not checked: no published column is known here"),
        (None, {}, "unchecked", "not checked: nothing was published"),
    ],
)
def test_the_badge_says_how_far_we_agree(
    order: list[list[int]] | None, known: dict[str, Any], state: str, text: str
) -> None:
    assert verdict(order, **known) == Verdict(state, text)


def test_who_is_outside_the_competition_is_in_no_published_order() -> None:
    event = create_team_event()
    Competitor.objects.filter(event=event, number=2).update(outside=True)
    published = Published.objects.create(event=event, order=[[3], [1]])
    assert verdict_of(event, published).state == "agrees"


@pytest.mark.parametrize("state", ["agrees", "partial", "differs", "unchecked"])
def test_every_state_has_a_colour_of_its_own(state: str) -> None:
    css = (Path(__file__).parents[3] / "static/css/site.css").read_text(encoding="utf-8")
    assert f'.badge[data-verdict="{state}"]' in css


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("1947-vierkamp-den-haag", "4 of 4 places agree with toernooibase.kndb.nl"),
        ("1948-world-championship", "11 of 11 places agree with toernooibase.kndb.nl"),
        ("2022-ouagadougou-open", "68 of 68 places agree with github.com/clpippel/tiebreak"),
        ("olympiad-2018-open", "185 of 185 places agree with chess-results.com"),
        (
            "olympiad-2022-open",
            "agrees with latestly.com in the part that was published: 6 of 6 published places; 187 teams",
        ),
    ],
)
def test_the_demo_events_name_who_published(slug: str, text: str, client: Client) -> None:
    recorded(slug)
    overview = client.get(f"/events/{slug}/").content.decode()
    assert f">{text}</a>" in overview
    page = client.get(f"/events/{slug}/check/").content.decode()
    assert text in page
    assert escape(file_of(slug)["published"]["source"].split(" ")[0]) in page
    assert "When it was taken is not recorded." in page

"""Trust line: agreement with published standings, and the number of manual changes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from standings.checking.trust import TrustStatement, trust_statement
from standings.pages.frame import sheet_of
from standings.tables.switches import apply_choices
from tests.cast import create_account, create_team_event
from tests.demo import record
from tests.markup import markup_of
from tournaments.models import Change, Competitor, Event, Published
from tournaments.operations.revision import present
from tournaments.recording.overrides import override_place, override_value

pytestmark = pytest.mark.django_db

OUAGADOUGOU = "2022-ouagadougou-open"
ALL = [[3], [1], [2]]
"""The three teams of the cast in standings order."""


def published(event: Event, **known: Any) -> None:
    Published.objects.create(event=event, **{"order": ALL, **known})


def line(
    event: Event, after: int | None = None, *, members: set[int] | None = None, computed: bool = False
) -> TrustStatement:
    sheet = apply_choices(sheet_of(event, after), {"as": "computed"} if computed else {})
    found = trust_statement(replace(sheet, among=members), is_final=after is None)
    assert found
    return found


@pytest.mark.parametrize(
    ("known", "state", "text"),
    [
        ({}, "agrees", "3 of 3 places agree with the published standings"),
        (
            {"publisher": "A bulletin", "taken": "2026-05-03"},
            "agrees",
            "3 of 3 places agree with A bulletin, taken 3 May 2026",
        ),
        (
            {"order": [[3], [1]], "publisher": "A bulletin"},
            "partial",
            "published: 2 of 3 places, all agree with A bulletin",
        ),
        (
            {"order": [], "columns": {"MP": {"1": "2"}}},
            "partial",
            "published: no places, 1 value, which agrees with the published standings",
        ),
        (
            {"order": [[1], [3], [2]], "publisher": "A bulletin"},
            "differs",
            "differs from A bulletin in 2 of 3 published places",
        ),
        (
            {"order": [[1]], "known": [{"what": "order", "competitors": [1], "why": "A slip."}]},
            "differs",
            "differs from the published standings in 1 of 1 published places, each for a known reason",
        ),
        (
            {"columns": {"MP": {"1": "7"}}},
            "differs",
            "3 of 3 places agree with the published standings, 1 of 1 published values differ",
        ),
        (
            {"order": [[1], [3], [2]], "columns": {"MP": {"1": "7", "2": "0"}}},
            "differs",
            "differs from the published standings in 2 of 3 published places and 1 of 2 published values",
        ),
        (
            {"order": [], "columns": {"MP": {"1": "7"}}},
            "differs",
            "differs from the published standings in 1 of 1 published values",
        ),
        (
            {"order": [], "columns": {"TB3": {"1": "7"}}},
            "unchecked",
            "Not checked: this site does not know the published columns",
        ),
    ],
)
def test_line_states_how_many_places_and_values_agree(known: dict[str, Any], state: str, text: str) -> None:
    event = create_team_event()
    published(event, **known)
    found = line(event)
    assert (found.state, found.text, found.changes_text) == (state, text, "no manual changes")


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (Event.State.FINAL, "No published table to compare with · no manual changes"),
        (Event.State.LIVE, "no manual changes"),
    ],
)
def test_unchecked_without_a_source(state: str, sentence: str) -> None:
    event = create_team_event()
    event.state = state
    assert line(event).sentence == sentence
    assert line(event).state == "unchecked"


def test_guests_are_not_expected_in_the_published_order() -> None:
    event = create_team_event()
    Competitor.objects.filter(event=event, number=2).update(outside=True)
    published(event, order=[[3], [1]])
    assert line(event).state == "agrees"


def test_line_after_a_round_uses_the_table_published_after_it() -> None:
    event = create_team_event()
    event.state = Event.State.FINAL
    published(event)
    assert line(event, 1).text == "No published table after round 1 to compare with"
    Published.objects.update(after_round={"1": {"order": [[3], [2], [1]]}})
    assert line(event, 1).text == "differs from the published standings in 2 of 3 published places"


def test_line_of_a_category_counts_places_of_its_members() -> None:
    event = create_team_event()
    published(event)
    found = line(event, members={1, 3})
    assert found.text == "2 of 2 places agree with the published standings (overall places)"
    Published.objects.update(order=[[2]])
    assert line(event, members={1, 3}).text == "Not checked: no published values of these competitors"
    assert trust_statement(replace(sheet_of(event, None), among=())) is None


# --- manual changes ---------------------------------------------------------------------------------------


def ruled(number: int, place: int) -> Event:
    """Return Ouagadougou, which agrees with its source, with a competitor set to a place by decision."""
    record(OUAGADOUGOU)
    event = Event.objects.get(slug=OUAGADOUGOU)
    override_place(event, number, place, create_account("anna"), "It was promised.", after=9)
    return event


def test_line_of_ruled_standings_compares_ruled_places() -> None:
    event = ruled(8, 2)
    source = "github.com/clpippel/tiebreak"
    assert line(event).sentence == (
        f"differs from {source} in 7 of 68 published places, because of manual changes · 1 manual change"
    )
    assert (
        line(event, computed=True).sentence
        == f"68 of 68 places agree with {source} · without 1 manual change"
    )


def test_place_that_agrees_only_by_decision_counts_as_agreeing() -> None:
    event = create_team_event()
    published(event, order=[[1], [3], [2]])
    override_place(event, 1, 1, create_account("anna"), "It was promised.", after=1)
    assert line(event).sentence == "3 of 3 places agree with the published standings · 1 manual change"


def test_decisions_and_corrections_count_from_their_round() -> None:
    event = create_team_event()
    Change.objects.create(event=event, round=2, table=1, was="1-0", now="0-1", reason="A slip.", by="anna")
    override_value(event, 1, "dsb", ["1"], create_account("anna"), "It was promised.")
    assert line(event).changes_text == "1 manual change"
    assert line(event, 1).changes == 1
    Change.objects.update(round=1)
    assert line(event).changes_text == "2 manual changes"


def test_decisions_on_others_do_not_count_for_a_category() -> None:
    event = create_team_event()
    override_place(event, 2, 1, create_account("anna"), "It was promised.", after=1)
    assert (line(event).changes, line(event, members={1, 3}).changes) == (1, 0)


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("1947-vierkamp-den-haag", "4 of 4 places agree with toernooibase.kndb.nl"),
        ("1948-world-championship", "11 of 11 places agree with toernooibase.kndb.nl"),
        ("2022-ouagadougou-open", "68 of 68 places agree with github.com/clpippel/tiebreak"),
        pytest.param(
            "olympiad-2018-open",
            "185 of 185 places agree with chess-results.com",
            marks=pytest.mark.exhaustive,
        ),
        ("olympiad-2022-open", "published: 6 of 187 places, all agree with latestly.com"),
    ],
)
def test_demo_events_state_the_publisher(slug: str, text: str, client: Client) -> None:
    record(slug)
    assert f"</span> {text}</a>" in markup_of(client.get(f"/events/{slug}/"))
    page = client.get(f"/events/{slug}/check/").content.decode()
    assert text in page
    assert "The date is not recorded." in page


# --- pages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["", "standings/", "standings/after/1/", "crosstable/"])
def test_pages_with_standings_show_and_link_the_line(client: Client, page: str) -> None:
    published(create_team_event(), publisher="A bulletin")
    html = markup_of(client.get(f"/events/two-teams/{page}"))
    (head,) = html.split('<p class="trust"')[1:]
    head = head.partition("</p>")[0]
    assert "places agree with A bulletin" in head
    assert 'href="/events/two-teams/check/"' in head
    assert 'href="/events/two-teams/changes/">no manual changes</a>' in head


def test_no_line_without_standings_or_before_the_first_round(client: Client) -> None:
    event = create_team_event()
    assert 'class="trust"' not in markup_of(client.get("/events/two-teams/changes/"))
    event.rounds.all().delete()
    assert 'class="trust"' not in markup_of(client.get("/events/two-teams/"))
    assert trust_statement(sheet_of(event, None)) is None


def test_line_is_translated() -> None:
    event = create_team_event()
    published(event, publisher="Een bulletin", taken="2026-05-03")
    with translation.override("nl"):
        assert line(event).sentence == (
            "3 van 3 plaatsen komen overeen met Een bulletin, overgenomen op 3 mei 2026 · geen handmatige "
            "wijzigingen"
        )


@pytest.mark.parametrize("state", ["agrees", "partial", "differs", "unchecked"])
def test_every_state_has_a_distinct_colour(state: str) -> None:
    css = (Path(__file__).parents[3] / "static/css/site.css").read_text(encoding="utf-8")
    assert f'.badge[data-verdict="{state}"]' in css


def test_api_includes_the_trust_figures(client: Client) -> None:
    event = create_team_event()
    published(event, order=[[3], [2], [1]], publisher="A bulletin", taken="2026-05-03")
    answer = json.loads(client.get("/api/events/two-teams/standings/").content)
    about_source = {"publisher": "A bulletin", "taken": "2026-05-03"}
    assert answer["trust"] == {"verdict": "differs", "places": 3, "agreeing": 1, **about_source, "changes": 0}


@pytest.mark.django_db(transaction=True)
def test_comparison_is_cached_with_the_standings(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    published(create_team_event())
    event = present(Event.objects.get().pk)
    first = line(event)
    with django_assert_num_queries(0):
        assert line(event) == first

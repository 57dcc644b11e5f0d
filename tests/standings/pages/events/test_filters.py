"""Filters of the standings: by federation, club, city, category, sex and title."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_players, play
from tests.standings.pages.events.test_categories import page, rows
from tournaments.models import Competitor, Event, Round

pytestmark = pytest.mark.django_db(transaction=True)
EVENT = "/events/six/"
STANDINGS = f"{EVENT}standings/"
PLAYERS: dict[str, dict[str, Any]] = {
    "Ann": {"code": "NED", "club": "A & B", "title": "GM", "sex": "w", "born": "1990-05-06"},
    "Bea": {"code": "BEL", "club": "A & B", "sex": "w", "born": "2015-01-02"},
    "Cor": {"code": "BEL", "club": "Het Oosten", "sex": "m", "born": "1951-01-02"},
    "Dan": {"code": "NED", "club": "A & B", "sex": "m", "born": "2016"},
    "Eef": {"code": "bel", "flag": "BEL", "sex": "w", "born": "2014", "categories": ["local"]},
    "Fay": {"code": "FRA", "categories": ["local"]},
}
UNDER_12 = {"code": "U12", "age_under": 14, "names": {"nl": "Welpen"}, "name": "Under 12"}


@pytest.fixture
def event() -> Event:
    event = create_players("six", list(PLAYERS), 1, start="2026-07-01", categories=[UNDER_12])
    for name, facts in PLAYERS.items():
        Competitor.objects.filter(event=event, name=name).update(**facts)
    play(event, [(1, 1, 1, 2, 2), (1, 2, 3, 4, 2), (1, 3, 5, 6, 2)])
    return event


def places(client: Client, query: str, address: str = STANDINGS) -> list[str]:
    """Return place in the filter, overall place and name of each row."""
    return [" ".join(row[:3]).split(" GM")[0] for row in rows(page(client, f"{address}{query}"))]


def notice(html: str) -> str:
    found = re.search('<p class="filtered".*?</p>', html)
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?club=A+%26+B", ["1 1 Ann", "2 4 Bea", "2 4 Dan"]),
        ("?federation=BEL", ["1 1 Cor", "1 1 Eef", "3 4 Bea"]),
        ("?category=U12", ["1 1 Eef", "2 4 Bea", "2 4 Dan"]),
        ("?category=U12&sex=w", ["1 1 Eef", "2 4 Bea"]),
        ("?category=local", ["1 1 Eef", "2 4 Fay"]),
        ("?title=GM", ["1 1 Ann"]),
        ("?federation=FRA&sex=w", []),
    ],
)
def test_rows_that_match_all_filters_have_places_among_them(
    client: Client, event: Event, query: str, expected: list[str]
) -> None:
    assert places(client, query) == expected


def test_filters_work_after_a_round_in_a_category_and_in_a_frame(client: Client, event: Event) -> None:
    girls = ["1 1 Eef", "2 4 Bea"]
    assert places(client, "after/1/?category=U12&sex=w") == girls
    assert places(client, "category/U12/?sex=w") == girls
    assert places(client, "?category=U12&sex=w", f"/embed{STANDINGS}") == girls
    html = notice(page(client, f"/embed{STANDINGS}?category=U12&sex=w"))
    assert "2 of 6" in html
    assert "<a" not in html


def test_page_names_its_filters_and_links_to_the_page_without_each(client: Client, event: Event) -> None:
    html = page(client, f"{STANDINGS}?sort=name&dir=desc&category=U12&sex=w")
    assert "<title>Under 12, women and girls · Standings" in html
    assert "<caption>Six, Under 12, women and girls: standings after round 1, sorted by: Name" in html
    assert "2 of 6" in notice(html)
    assert 'href="?sort=name&dir=desc&sex=w"' in notice(html)
    assert 'href="?sort=name&dir=desc&category=U12"' in notice(html)
    assert "Welpen" in notice(page(client, f"/nl{STANDINGS}?category=U12"))
    assert notice(page(client, STANDINGS)) == ""


def test_list_of_players_has_clubs_and_the_same_filters(client: Client, event: Event) -> None:
    def roster(query: str) -> list[str]:
        lines = re.findall(
            r'<tr role="row" id="c.*?</tr>', page(client, f"{EVENT}competitors/{query}"), re.DOTALL
        )
        cells = [re.findall(r'class="name"[^>]*>([^<]*)|class="fact">([^<]*)', line) for line in lines]
        return [" | ".join(name or fact for name, fact in found) for found in cells]

    assert roster("")[1:4] == ["Bea | A & B | U12", "Cor | Het Oosten | ", "Dan | A & B | U12"]
    assert roster("?club=A+%26+B") == ["Ann | ", "Bea | U12", "Dan | U12"]
    html = page(client, f"{EVENT}competitors/?club=A+%26+B&sex=w")
    assert "2 of 6" in notice(html)
    assert "Places are within" not in html
    assert '<select name="club">' in html
    assert "<title>A & B, women and girls ·" in html


def test_links_of_the_table_retain_filters_and_those_of_other_pages_do_not(
    client: Client, event: Event
) -> None:
    html = page(client, f"{STANDINGS}?club=A+%26+B&layout=wide&columns=club")
    assert 'href="?sort=name&dir=asc&layout=wide&columns=club&club=A+%26+B"' in html
    assert f'href="{STANDINGS}after/1/?layout=wide&columns=club&club=A+%26+B"' in html
    assert 'href="?club=A+%26+B&columns=club"' not in html
    assert f'href="{EVENT}statistics/?layout=wide&columns=club"' in html
    assert '<input type="hidden" name="layout" value="wide">' in html


def test_filters_offer_values_that_divide_the_table_with_counts(client: Client, event: Event) -> None:
    def offered(query: str) -> dict[str, list[str]]:
        form = page(client, f"{STANDINGS}{query}").partition('<form class="filters"')[2]
        selects = re.findall(r'<select name="(\w+)">(.*?)</select>', form)
        return {name: re.findall(r">([^<>]*\d\))<", options) for name, options in selects}

    assert offered("") == {
        "federation": ["Belgium (3)", "France (1)", "Netherlands (2)"],
        "club": ["A & B (3)", "Het Oosten (1)"],
        "category": ["local (2)", "Under 12 (3)"],
        "sex": ["men and boys (2)", "women and girls (3)"],
    }
    assert offered("?federation=NED") == {
        "federation": ["Belgium (3)", "France (1)", "Netherlands (2)"],
    }
    Competitor.objects.update(code="NED", flag="", club="A & B", sex="", categories=[], born="")
    assert offered("") == {}
    for number, code in enumerate(("ESP", "FRA", "GEO", "GEO2", "GER", "ITA"), start=1):
        Competitor.objects.filter(number=number).update(code=code)
    assert offered("") == {}
    assert [each for each in offered("?federation=GEO")["federation"] if "2" in each] == ["Georgia (2)"]


def test_clubs_are_sorted_by_letters_in_the_filter_and_in_the_table(client: Client, event: Event) -> None:
    for number, club in enumerate(("Zon", "Élan", "aap", "Zon", "Élan", "aap"), start=1):
        Competitor.objects.filter(number=number).update(club=club)
    html = page(client, f"{STANDINGS}?columns=club&sort=club&dir=asc")
    assert re.findall(r'<option value="(aap|Élan|Zon)"', html) == ["aap", "Élan", "Zon"]
    assert [row[1] for row in rows(html)[:6]] == ["Cor", "Fay", "Eef", "Bea", "Ann", "Dan"]


def test_filtered_page_is_cached_with_a_fixed_number_of_queries(
    client: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page(client, STANDINGS)
    # Head and event; the standings have read everything else.
    with django_assert_num_queries(2):
        page(client, f"{STANDINGS}?federation=BEL&category=U12")
    with django_assert_num_queries(1):
        page(client, f"{STANDINGS}?category=U12&federation=BEL")


@pytest.mark.parametrize("query", ["?club=Nowhere", "?sex=x", "?federation=", "?columns=born,club"])
def test_unknown_values_are_ignored_and_not_cached(client: Client, event: Event, query: str) -> None:
    plain = page(client, STANDINGS)
    kept = len(cache._cache)  # type: ignore[attr-defined]  # only of this backend
    assert rows(page(client, f"{STANDINGS}{query}")) == rows(plain)
    assert len(cache._cache) == kept  # type: ignore[attr-defined]  # only of this backend


@pytest.mark.parametrize(
    ("query", "expected", "title"),
    [
        ("?club=A+%26+B", ["1 Ann", "2= Bea", "2= Dan"], "2026, A & B<br>Standings after round 2"),
        ("after/1/?club=A+%26+B", ["1 Ann", "2= Bea", "2= Dan"], "2026, A & B<br>Standings after round 1"),
        (
            "category/U12/?sex=w",
            ["1 Eef", "2 Bea"],
            "2026, Under 12, women and girls<br>Standings after round 2",
        ),
        (
            "category/U12/?sex=w&after=1",
            ["1 Eef", "2 Bea"],
            "Under 12, women and girls<br>Standings after round 1",
        ),
    ],
)
def test_table_to_paste_has_filter_category_and_round_of_the_page(
    client: Client, event: Event, query: str, expected: list[str], title: str
) -> None:
    Round.objects.create(event=event, number=2, state=Round.State.CLOSED)
    play(event, [(2, 1, 1, 4, 2), (2, 2, 5, 2, 2), (2, 3, 3, 6, 1)])
    link = re.search(r'href="([^"]*/paste/\?[^"]*)"', page(client, f"{STANDINGS}{query}"))
    assert link
    pasted = page(client, link[1])
    assert [" ".join(row[:2]) for row in rows(pasted)][-len(expected) :] == expected
    assert title in pasted


def test_category_filtered_by_another_category_offers_no_table_to_paste(client: Client, event: Event) -> None:
    assert "/paste/?" not in page(client, f"{STANDINGS}category/U12/?category=local")


def test_hidden_particulars_are_never_shown(client: Client, event: Event) -> None:
    html = page(client, f"{STANDINGS}?columns=born")
    assert "1990" in html
    assert "1990-05" not in html
    assert "05-06" not in html

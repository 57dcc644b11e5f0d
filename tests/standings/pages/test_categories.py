"""The standings of categories and the prize list, as readers see them."""

import re
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from django.test import Client
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from tests.archives import archived
from tests.cast import prizes_file, stored_event
from tournaments.models import Competitor, Event

pytestmark = pytest.mark.django_db(transaction=True)
EVENT = "/events/six-prizes/"


@pytest.fixture
def event() -> Event:
    return stored_event(prizes_file())


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return unescape(answer.content.decode())


def rows(html: str) -> list[list[str]]:
    """The visible text of the first cells of each row of the page's tables."""
    found = []
    for row in re.findall(
        r"<tr[ >].*?</tr>", re.sub(r"<thead.*?</thead>", "", html, flags=re.DOTALL), re.DOTALL
    ):
        cells = re.findall(r"<t[dh].*?>(.*?)</t[dh]>", row, re.DOTALL)
        found.append(
            [" ".join(re.sub(r'<span class="spoken">.*?</span>|<[^>]*>', "", each).split()) for each in cells]
        )
    return found


def test_members_stand_in_the_order_of_the_whole_with_places_of_their_own(
    client: Client, event: Event
) -> None:
    html = page(client, f"{EVENT}standings/category/W/")
    assert [row[:3] for row in rows(html)] == [["1", "1", "Bea"], ["2", "4", "Ann"], ["2", "4", "Eef"]]
    assert "<h2>Women</h2>" in html
    juniors = page(client, f"{EVENT}standings/category/U20/")
    assert [row[0] for row in rows(juniors)] == ["1", "2", "3", "3"]
    # Every value leads to the explanation of the whole event.
    assert 'href="../../../competitors/1/PTS/"' in html


def test_the_bar_leads_to_each_category_in_the_language_of_the_page(client: Client, event: Event) -> None:
    bar = re.findall(r'<nav class="categories".*?</nav>', page(client, f"/nl{EVENT}standings/"), re.DOTALL)[0]
    assert re.findall(r">([^<>]+)</a>", bar) == ["Alle", "Vrouwen", "Onder 20", "Groep B", "Zonder rating"]
    assert f'href="/nl{EVENT}standings/category/U20/"' in bar
    Event.objects.update(categories=[])
    assert "categories" not in page(client, f"{EVENT}standings/")


def test_after_a_round_and_sorted(client: Client, event: Event) -> None:
    html = page(client, f"{EVENT}standings/category/U20/?after=1")
    assert next(row[2] for row in rows(html)) == "Cas"
    assert 'href="?sort=name&dir=asc&after=1"' in html
    html = page(client, f"{EVENT}standings/category/U20/?sort=name&dir=desc")
    assert [row[2] for row in rows(html)] == ["Fay", "Eef", "Cas", "Ann"]
    assert client.get(f"{EVENT}standings/category/U20/?after=9").status_code == 404


@pytest.mark.parametrize("code", ["u20", "X", "W%20"])
def test_other_codes_are_not_found(client: Client, event: Event, code: str) -> None:
    assert client.get(f"{EVENT}standings/category/{code}/").status_code == 404


def test_a_decision_by_hand_is_told_with_its_reason(client: Client, event: Event) -> None:
    decision = {"category": "W", "belongs": False, "reason": "Plays for the men's title."}
    Competitor.objects.filter(name="Bea").update(category_decisions=[decision])
    html = page(client, f"{EVENT}standings/category/W/")
    assert [row[2] for row in rows(html)] == ["Ann", "Eef"]
    assert "Bea does not belong by decision: Plays for the men's title." in html


def test_what_a_category_costs(
    client: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page(client, f"{EVENT}standings/")
    # The head, the event, who belongs, its revision, the rounds, the editions beside it.
    with django_assert_num_queries(5):
        page(client, f"{EVENT}standings/category/W/")
    with django_assert_num_queries(1):
        page(client, f"{EVENT}standings/category/W/")


# --- prizes -----------------------------------------------------------------------------------------------


def test_the_prize_list_names_winners_and_says_how(client: Client, event: Event) -> None:
    html = page(client, f"{EVENT}prizes/")
    shared = "1–2 share 50 + 20.50: 35.25 each"
    assert rows(html) == [
        ["1", "Bea", "100 + a cup"],
        ["2", "Cas", "60"],
        ["3", "Fay", "40"],
        ["1", f"Ann {shared}", "4", "35.25"],
        ["2", f"Eef {shared}", "4", "35.25"],
        ["Nobody is there to win them."],
        ["1", "Dov", "6", "a book"],
        ["Best game", "Dov", "25"],
    ]
    assert "Not given, as nobody is there: EUR 30." in html
    assert "Prizes offered: EUR 325.50; given: EUR 295.50." in html
    assert "35,25" in page(client, f"/nl{EVENT}prizes/")


def test_under_hort_the_explanation_has_both_halves(client: Client, event: Event) -> None:
    Event.objects.update(prize_sharing="hort", prize_step=100)
    Competitor.objects.filter(name__in=["Bea", "Cas"]).update(outside=True)
    # Ann, Eef and Dov are level in points; Ann and Eef share the places above.
    html = page(client, f"{EVENT}prizes/")
    assert rows(html)[0][1:] == ["Fay", "100 + a cup"]
    text = "half of the own 50 and half of 33.33…, as 2–4 share 60 + 40: 41.66…, rounded down to 41"
    assert [row[1:] for row in rows(html)[1:3]] == [[f"Ann {text}", "41"], [f"Eef {text}", "41"]]
    assert rows(html)[3][1].startswith("Dov half of the own 0 and half of 33.33…")
    assert rows(html)[3][2] == "16"


def test_it_is_public_once_the_event_is_over_or_the_organiser_says_so(client: Client, event: Event) -> None:
    assert 'prizes/">Prizes</a>' in page(client, EVENT)
    Event.objects.update(state="live")
    assert client.get(f"{EVENT}prizes/").status_code == 404
    assert ">Prizes</a>" not in page(client, EVENT)
    Event.objects.update(prizes_public=True)
    assert client.get(f"{EVENT}prizes/").status_code == 200
    Event.objects.update(state="final", prizes=[])
    assert client.get(f"{EVENT}prizes/").status_code == 404


def test_outside_and_withdrawn_ones_win_nothing(client: Client, event: Event) -> None:
    Competitor.objects.filter(name="Bea").update(outside=True)
    Competitor.objects.filter(name="Cas").update(withdrawn_after=2)
    html = page(client, f"{EVENT}prizes/")
    names = [row[1].split()[0] for row in rows(html)[:3]]
    # A third of 100 is less for Ann and Eef than what women have: Dov moves up.
    assert names == ["Fay", "Dov", "Ann"]
    assert "Withdrew, and so have no prize: Cas." in " ".join(html.split())
    women = rows(page(client, f"{EVENT}standings/category/W/"))
    assert [row[:3] for row in women[:2]] == [["-", "-", "Bea"], ["1", "3", "Ann"]]


def test_of_whom_a_category_does_not_know_is_said(client: Client, event: Event) -> None:
    assert "it is not known whether" not in page(client, f"{EVENT}prizes/")
    Competitor.objects.update(sex="")
    assert "Of 6 competitors it is not known whether they belong here" in page(client, f"{EVENT}prizes/")


def test_an_archive_and_the_sitemap_have_them(client: Client, event: Event, tmp_path: Path) -> None:
    folder = archived("six-prizes", tmp_path)
    assert (folder / "standings/category/U20/index.html").exists()
    assert (folder / "prizes/index.html").exists()
    sitemap = client.get("/sitemap.xml").content.decode()
    assert f"{EVENT}standings/category/U20/" in sitemap
    assert f"{EVENT}prizes/" in sitemap


def test_the_api_and_the_workbook_tell_the_same(client: Client, event: Event) -> None:
    women = client.get("/api/events/six-prizes/categories/").json()["categories"][0]
    assert women["category"] == {"code": "W", "sex": "w"}
    assert [(row["name"], row["place"], row["place_in_whole"]) for row in women["rows"]] == [
        ("Bea", 1, 1),
        ("Ann", 2, 4),
        ("Eef", 2, 4),
    ]
    funds = client.get("/api/events/six-prizes/prizes/").json()["funds"]
    assert [(fund["category"], [each["amount"] for each in fund["winners"]]) for fund in funds] == [
        ("", ["100", "60", "40"]),
        ("W", ["35.25", "35.25"]),
        ("U20", []),
        ("Unr", [""]),
    ]
    book = load_workbook(BytesIO(client.get("/events/six-prizes.xlsx").content))
    assert [cell.value for cell in book["prizes"][5]][:5] == ["W", 1, 1, "Ann", 35.25]
    assert [cell.value for cell in book["categories"][2]] == ["W", 1, 1, 2, "Bea"]

"""Pages of category standings and prizes."""

import json
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
CASES = Path(__file__).parents[3] / "cases"


@pytest.fixture
def event() -> Event:
    return stored_event(prizes_file())


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(unescape(answer.content.decode()).split())


def rows(html: str) -> list[list[str]]:
    """Return the visible text of the cells of the page's tables."""
    found = []
    for row in re.findall(
        r"<tr[ >].*?</tr>", re.sub(r"<thead.*?</thead>", "", html, flags=re.DOTALL), re.DOTALL
    ):
        cells = re.findall(r"<t[dh].*?>(.*?)(?=<t[dh]|</tr>)", row, re.DOTALL)
        found.append(
            [" ".join(re.sub(r'<span class="spoken">.*?</span>|<[^>]*>', "", each).split()) for each in cells]
        )
    return found


def test_members_are_in_the_order_of_the_event_with_own_places(client: Client, event: Event) -> None:
    html = page(client, f"{EVENT}standings/category/W/")
    assert [row[:3] for row in rows(html)] == [["1", "1", "Bea"], ["2", "4", "Ann"], ["2", "4", "Eef"]]
    assert ", Women</h1>" in html
    juniors = page(client, f"{EVENT}standings/category/U20/")
    assert [row[0] for row in rows(juniors)] == ["1", "2", "3", "3"]
    # Values link to the explanations of the entire event.
    assert 'href="../../../competitors/1/PTS/"' in html


def test_bar_links_to_each_category_in_the_page_language(client: Client, event: Event) -> None:
    bar = re.findall(r'<nav class="categories".*?</nav>', page(client, f"/nl{EVENT}standings/"), re.DOTALL)[0]
    assert re.findall(r">([^<>]+)</a>", bar) == ["Alle", "Vrouwen", "Onder 20", "Groep B", "Zonder rating"]
    assert f'href="/nl{EVENT}standings/category/U20/"' in bar
    Event.objects.update(categories=[])
    assert "categories" not in page(client, f"{EVENT}standings/")


def test_category_can_be_sorted_and_shown_after_a_round(client: Client, event: Event) -> None:
    html = page(client, f"{EVENT}standings/category/U20/?after=1")
    assert next(row[2] for row in rows(html)) == "Cas"
    assert 'href="?sort=name&dir=asc&after=1"' in html
    html = page(client, f"{EVENT}standings/category/U20/?sort=name&dir=desc")
    assert [row[2] for row in rows(html)] == ["Fay", "Eef", "Cas", "Ann"]
    assert client.get(f"{EVENT}standings/category/U20/?after=9").status_code == 404


@pytest.mark.parametrize("code", ["u20", "X", "W%20"])
def test_unknown_codes_are_not_found(client: Client, event: Event, code: str) -> None:
    assert client.get(f"{EVENT}standings/category/{code}/").status_code == 404


def test_manual_decision_is_shown_with_its_reason(client: Client, event: Event) -> None:
    decision = {"category": "W", "belongs": False, "reason": "Plays for the men's title."}
    Competitor.objects.filter(name="Bea").update(category_decisions=[decision])
    html = page(client, f"{EVENT}standings/category/W/")
    assert [row[2] for row in rows(html)] == ["Ann", "Eef"]
    assert "Bea is excluded by decision: Plays for the men's title." in html


def test_category_page_needs_three_queries_and_one_if_cached(
    client: Client, event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page(client, f"{EVENT}standings/")
    # Head, event, rounds; the standings have read the members.
    with django_assert_num_queries(3):
        page(client, f"{EVENT}standings/category/W/")
    with django_assert_num_queries(1):
        page(client, f"{EVENT}standings/category/W/")


# --- prizes -----------------------------------------------------------------------------------------------


def test_prize_list_explains_each_amount(client: Client, event: Event) -> None:
    html = page(client, f"{EVENT}prizes/")
    shared = "50 + 20.50 shared by 2: 35.25 each"
    assert rows(html) == [
        ["1", "Bea", "100 + a cup"],
        ["2", "Cas", "60"],
        ["3", "Fay", "40"],
        ["1", f"Ann {shared}", "4", "35.25"],
        ["1", f"Eef {shared}", "4", "35.25"],
        ["No competitor can win these prizes."],
        ["1", "Dov", "6", "a book"],
        ["Best game", "Dov", "25"],
    ]
    assert "Winners of another prize: Bea (100 + a cup)." in html
    assert "Not awarded, because no other competitor can win it: EUR 30." in html
    assert "better placed" not in html
    assert "Prizes offered: EUR 325.50; awarded: EUR 295.50." in html
    assert "35,25" in page(client, f"/nl{EVENT}prizes/")


def test_hort_is_explained_by_both_parts(client: Client, event: Event) -> None:
    Event.objects.update(prize_sharing="hort", prize_step=100)
    Competitor.objects.filter(name__in=["Bea", "Cas"]).update(outside=True)
    # Ann, Eef and Dov are level in points; Ann and Eef share the places above. Dov's largest prize is 60.
    html = page(client, f"{EVENT}prizes/")
    assert rows(html)[0][1:] == ["Fay", "100 + a cup"]
    pool = "60 (Main prizes) + 40 (Main prizes) + 50 (Women)"
    half = "shared by 3: 50 each; 50 per cent of this and of"
    text = f"{pool} {half} 55, the prize by place: 52.50, rounded down to 52"
    assert [row[1:] for row in rows(html)[1:3]] == [[f"Ann {text}", "52"], [f"Eef {text}", "52"]]
    assert rows(html)[3][1].startswith(f"Dov {pool} {half} 40, the prize by place: 45")
    assert rows(html)[3][2] == "45"
    assert "50: among the prizes that Ann, Eef, Dov share, listed under “Main prizes”." in html
    assert "Left over by rounding: EUR 1." in html


def two_women(sharing: str) -> Event:
    data = json.loads((CASES / "prizes-two-women.json").read_text())
    data["event"]["prizes"]["sharing"] = sharing
    return stored_event(data)


def test_women_sharing_first_place_add_the_women_prize_to_the_pool(client: Client) -> None:
    two_women("us-chess")
    html = page(client, "/events/prizes-two-women/prizes/")
    shared = "300 (Main prizes) + 250 (Women) shared by 2: 275 each"
    assert rows(html) == [
        ["1", f"Alma {shared}", "275"],
        ["1", f"Bea {shared}", "275"],
        ["2", "Carl", "100"],
        ["3", "Dora 50 shared by 2: 25 each", "25"],
        ["3", "Emil 50 shared by 2: 25 each", "25"],
        ["The winners of these prizes are listed under other prizes."],
    ]
    assert "250: among the prizes that Alma, Bea share, listed under “Main prizes”." in html
    assert "better placed" not in html
    assert "300 (Hoofdprijzen) + 250 (Women) gedeeld door 2: elk 275" in page(
        client, "/nl/events/prizes-two-women/prizes/"
    )


def test_lower_placed_player_with_more_money_is_named_with_the_reason(client: Client) -> None:
    two_women("equal")
    html = page(client, "/events/prizes-two-women/prizes/")
    assert [row[-1] for row in rows(html)] == ["200", "200", "50", "250"]
    assert "Winners of another prize: Alma (200), Bea (200)." in html
    assert (
        "Dora (250) gets more than better placed competitors eligible for the same prizes: Alma (200), Bea "
        "(200). The rule allows this: in a tie, competitors share either main prizes"
    ) in html
    notes = client.get("/api/events/prizes-two-women/prizes/").json()["notes"]
    assert len(notes) == 2
    assert notes[0].startswith("Dora (250) gets more")


def test_prizes_are_public_after_the_event_or_if_published(client: Client, event: Event) -> None:
    assert 'prizes/">Prizes</a>' in page(client, EVENT)
    Event.objects.update(state="live")
    assert client.get(f"{EVENT}prizes/").status_code == 404
    assert ">Prizes</a>" not in page(client, EVENT)
    Event.objects.update(prizes_public=True)
    assert client.get(f"{EVENT}prizes/").status_code == 200
    Event.objects.update(state="final", prizes=[])
    assert client.get(f"{EVENT}prizes/").status_code == 404


def test_outside_and_withdrawn_competitors_win_no_prizes(client: Client, event: Event) -> None:
    Competitor.objects.filter(name="Bea").update(outside=True)
    Competitor.objects.filter(name="Cas").update(withdrawn_after=2)
    html = page(client, f"{EVENT}prizes/")
    names = [row[1].split()[0] for row in rows(html)[:3]]
    # A third of 100 is less for Ann and Eef than the women's prizes, so Dov moves up.
    assert names == ["Fay", "Dov", "Ann"]
    assert "No prize because of withdrawal: Cas." in " ".join(html.split())
    women = rows(page(client, f"{EVENT}standings/category/W/"))
    assert [row[:3] for row in women[:2]] == [["-", "-", "Bea"], ["1", "3", "Ann"]]


def test_competitors_with_unknown_membership_are_counted(client: Client, event: Event) -> None:
    assert "it is not known whether" not in page(client, f"{EVENT}prizes/")
    Competitor.objects.update(sex="")
    assert "It is not known whether 6 competitors belong here" in page(client, f"{EVENT}prizes/")


def test_archive_and_sitemap_contain_categories_and_prizes(
    client: Client, event: Event, tmp_path: Path
) -> None:
    folder = archived("six-prizes", tmp_path)
    assert (folder / "standings/category/U20/index.html").exists()
    assert (folder / "prizes/index.html").exists()
    sitemap = client.get("/sitemap.xml").content.decode()
    assert f"{EVENT}standings/category/U20/" in sitemap
    assert f"{EVENT}prizes/" in sitemap


def test_api_and_workbook_have_the_same_categories_and_prizes(client: Client, event: Event) -> None:
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

"""Page of federation codes: a line for each federation, an anchor for each code."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.pages.site.codes import FederationRow, federation_anchor, federation_rows
from tests.cast import create_player_event
from tournaments.event.federations import bearers
from tournaments.models import Competitor

TODAY, CERTAIN = federation_rows()


def line(code: str, among: list[FederationRow] = TODAY) -> FederationRow:
    return next(each for each in among if code in (every.text for every in each.codes))


def test_federation_of_today() -> None:
    georgia = line("GEO")
    assert georgia.name == "Georgia"
    assert "flags/ge.svg" in georgia.flag
    assert georgia.flag_since == 2004
    assert "ge" in [code.anchor for code in georgia.codes]
    assert (georgia.years, georgia.otherwise) == ("", "")
    assert [each.name for each in TODAY] == sorted(each.name for each in TODAY)


@pytest.mark.parametrize(
    ("anchor", "name", "years", "otherwise"),
    [
        ("URS", "Soviet Union", "1922–1991", ""),
        ("YUG", "Yugoslavia", "1918–1941", ""),
        ("YUG-1992", "Yugoslavia", "1992–2003", ""),
        ("GER-1949", "West Germany", "1949–1990", "Germany"),
        ("BUR-1948", "Burma", "1948–1983", "Burkina Faso"),
        ("GBG", "Guernsey and Jersey", "1982", ""),
        ("RUS-2021", "Russia", "from 2021", "Russia"),
    ],
)
def test_historical_federation(anchor: str, name: str, years: str, otherwise: str) -> None:
    found = next(each for each in CERTAIN if each.codes[0].anchor == anchor)
    assert (found.name, found.years, found.otherwise) == (name, years, otherwise)


def test_historical_federation_has_the_flag_of_its_years() -> None:
    assert "flags/de.svg" in line("FRG", CERTAIN).flag
    assert "flags/sy-1980.svg" in next(each for each in CERTAIN if each.name == "Syria").flag
    assert line("URS", CERTAIN).flag == ""


@pytest.mark.parametrize(
    ("code", "anchor"), [("NED", "NED"), ("GEO2", "GEO"), ("nl", "nl"), ("URS", "URS"), ("XXX", ""), ("", "")]
)
def test_anchor_of_a_code(code: str, anchor: str) -> None:
    assert federation_anchor(code) == anchor


@pytest.mark.django_db
def test_page_has_every_code_once(client: Client) -> None:
    page = client.get("/codes/").content.decode()
    anchors = re.findall(r' id="([^"]+)"', page.split("<main", 1)[1])
    assert len(anchors) == len(set(anchors))
    assert {code for bearer in bearers() for code in bearer.codes} <= set(anchors)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= {*anchors, "content"}


@pytest.mark.django_db
def test_page_is_cached_by_the_revision_of_the_site(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = client.get("/codes/")
    assert first.status_code == 200
    with django_assert_num_queries(2):  # one per response
        assert client.get("/codes/").content == first.content
        assert client.get("/codes/", headers={"if-none-match": first.headers["ETag"]}).status_code == 304


@pytest.mark.django_db
def test_card_of_a_competitor_links_to_its_code(client: Client) -> None:
    event = create_player_event()
    address = f"/events/{event.slug}/competitors/1/"
    assert '<a href="/codes/#NED">NED</a>' in client.get(address).content.decode()
    Competitor.objects.filter(event=event).update(code="XXX")
    assert "/codes/#" not in client.get(address).content.decode()

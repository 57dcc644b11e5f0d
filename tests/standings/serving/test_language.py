"""The URL determines the language of a page, and every link preserves it."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import translation

from standings.criteria.examples import ROUND_ROBIN
from standings.engine import SYSTEMS, rank, read_crosstable
from standings.serving.language import in_language, language_of
from standings.texts import translated, value_of, values_of
from tests.cast import create_player_event, create_team_event
from tournaments.models import Event, FormerSlug
from tournaments.texts import localized


@pytest.fixture
def event(transactional_db: None) -> Event:
    return create_team_event()


def body(client: Client, address: str, **headers: str) -> str:
    return client.get(address, headers=headers).content.decode()


@pytest.mark.parametrize(
    ("path", "language"),
    [("/", "en"), ("/nl/", "nl"), ("/nl", "nl"), ("/nl/events/x/", "nl"), ("/nld/", "en"), ("/en/", "en")],
)
def test_address_determines_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize("plain", ["/", "/events/x/", "/events/nl/"])
def test_page_has_an_address_per_language(plain: str) -> None:
    dutch = f"/nl{plain}"
    assert (in_language(plain, "nl"), in_language(dutch, "en")) == (dutch, plain)
    assert (in_language(plain, "en"), in_language(dutch, "nl")) == (plain, dutch)


def test_neither_a_cookie_nor_the_browser_changes_the_language(event: Event, client: Client) -> None:
    client.cookies["django_language"] = "nl"
    answer = client.get("/events/two-teams/", headers={"accept-language": "nl"})
    assert '<html lang="en">' in answer.content.decode()
    assert answer["Content-Language"] == "en"


def test_a_page_names_itself_in_every_language(event: Event, client: Client) -> None:
    page = body(client, "/nl/events/two-teams/standings/?sort=dsb&dir=asc&else=1")
    host = "http://testserver"
    assert f'<link rel="canonical" href="{host}/nl/events/two-teams/standings/">' in page
    for code, path in (("en", ""), ("nl", "/nl"), ("x-default", "")):
        address = f"{host}{path}/events/two-teams/standings/"
        assert f'<link rel="alternate" hreflang="{code}" href="{address}">' in page
    assert (
        '<a href="/events/two-teams/standings/?sort=dsb&amp;dir=asc" hreflang="en" lang="en">English</a>'
        in page
    )


def test_a_page_that_is_not_there_has_no_other_language(event: Event, client: Client) -> None:
    page = body(client, "/nl/events/nothing/")
    assert "Op dit adres staat geen pagina" in page
    assert "hreflang" not in page


def test_a_former_address_leads_on_in_its_language(event: Event, client: Client) -> None:
    FormerSlug.objects.create(event=event, slug="old")
    assert (
        client.get("/nl/events/old/rounds/1/?x=1").headers["Location"] == "/nl/events/two-teams/rounds/1/?x=1"
    )


def test_a_live_page_is_polled_in_its_language(event: Event, client: Client) -> None:
    page = body(client, "/nl/events/two-teams/standings/")
    asked = re.search(r'hx-get="([^"]*)"', page)
    assert asked
    assert asked[1].startswith("/nl/events/two-teams/poll/")
    assert '<html lang="nl" ' in body(client, "/nl/events/two-teams/poll/?revision=0&page=standings")


@pytest.mark.parametrize("ending", ["csv", "json", "xlsx", "trf", "bib"])
def test_data_has_no_language(event: Event, client: Client, ending: str) -> None:
    assert f'href="/events/two-teams.{ending}"' in body(client, "/nl/events/two-teams/")
    assert client.get(f"/nl/events/two-teams.{ending}").status_code == 404


def test_the_feed_is_in_the_language_of_its_address(event: Event, client: Client) -> None:
    feed = body(client, "/nl/feed.atom")
    assert 'xml:lang="nl"' in feed
    assert "<title>Crosstable: toernooien en correcties</title>" in feed
    assert 'href="http://testserver/nl/events/two-teams/"' in feed
    assert "Zwitsers, 2 rondes" in feed


def test_the_map_lists_every_page_in_every_language(event: Event, client: Client) -> None:
    sitemap = body(client, "/sitemap.xml")
    english, dutch = (f"http://testserver{prefix}/events/two-teams/" for prefix in ("", "/nl"))
    for address in (english, dutch):
        told = sitemap.partition(f"<loc>{address}</loc>")[2].partition("</url>")[0]
        assert re.findall(r'href="([^"]*)" hreflang="([^"]*)"', told) == [(english, "en"), (dutch, "nl")]


@pytest.mark.parametrize("path", ["/nl/admin/", "/nl/healthz", "/nl/sitemap.xml", "/en/"])
@pytest.mark.django_db
def test_content_without_language_has_no_prefix(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


# --- words and figures ------------------------------------------------------------------------------------

RATED = """
    1 A  2301  2:2-0
    2 B  2302  1:0-2
"""


@pytest.fixture
def dutch() -> Iterator[None]:
    with translation.override("nl"):
        yield


@pytest.mark.usefixtures("dutch")
class TestInDutch:
    def test_figures_have_a_decimal_comma(self) -> None:
        assert [localized(text) for text in ("2187.4", "31.375*", "2½", "12", "1662.5·1700.0")] == [
            "2187,4", "31,375*", "2½", "12", "1662,5·1700,0",
        ]  # fmt: skip

    def test_a_column_has_it_too(self) -> None:
        standings = rank(read_crosstable(RATED), SYSTEMS["fmjd-swiss-rating"])
        assert values_of(standings.column("average-rating-opponents")) == ["2302,0", "2301,0"]

    def test_names_in_a_value_are_not_translated(self) -> None:
        table = read_crosstable(ROUND_ROBIN.drawn.replace(" V ", " V1.5 "), games_each=4)
        system = ROUND_ROBIN.system.ordered_by(("total-score", "best-opponents"))
        assert value_of(rank(table, system).column("best-opponents"), 2) == "V1.5 1"

    def test_texts_of_the_engine_are_translated_with_their_arguments(self) -> None:
        standings = rank(read_crosstable(RATED), SYSTEMS["manual-round-robin"])
        folds = standings.explain(0, "won-lost-ratio").calculations
        assert list(map(translated, folds)) == ["1 gewonnen / 0 verloren"]

    def test_other_texts_are_not_translated(self) -> None:
        assert translated("Progress") == "Progress"


def test_a_cell_is_dutch_for_people_and_plain_for_machines(transactional_db: None, client: Client) -> None:
    create_player_event()
    page = body(client, "/nl/events/two-players/standings/")
    assert 'aria-label="Ronde 1, wit tegen Bea, gewonnen met 2-0"' in page
    assert 'data-value="2"' in page

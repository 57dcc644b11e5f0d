"""The language of a page: its address alone says it, and every link of a page stays in it."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from config.urls import files
from standings.criteria.examples import ROUND_ROBIN
from standings.engine import SYSTEMS, rank, read_crosstable
from standings.serving.language import in_language, language_of
from standings.words import translated, value_of, values_of, written
from tests.cast import create_player_event, create_team_event
from tests.standings.serving.test_pages import ADDRESSES, queries_of
from tournaments.models import Event, FormerSlug

LINK = re.compile(r'<(?:a|form|button|div|link rel="(?:next|prev)")[^>]* (?:href|action|hx-get)="(/[^"]*)"')
OF_EVENT = re.compile("(/nl)?/events/")
FILES = {file.name for file in files}


def has_language(address: str) -> bool:
    return resolve(address.partition("?")[0]).url_name not in FILES


FOR_PROGRAMS = [
    "/feed.atom",
    "/added.atom",
    "/events/two-teams/feed.atom",
    "/events/two-teams/competitors/1/feed.atom",
    "/events/two-teams/followed/1/",
    "/events/two-teams/rounds.ics",
]
"""What programs and scripts read, in the language of its address."""

PICTURE = "/events/two-teams/card.png"
NO_PAGES = {*FOR_PROGRAMS, PICTURE}
PAGES = [address for address in ADDRESSES if has_language(address) and address not in NO_PAGES]
"""The public pages, those of an event among them."""


@pytest.fixture
def event(transactional_db: None) -> Event:
    return create_team_event()


def body(client: Client, address: str, **headers: str) -> str:
    return client.get(address, headers=headers).content.decode()


@pytest.mark.parametrize(
    ("path", "language"),
    [("/", "en"), ("/nl/", "nl"), ("/nl", "nl"), ("/nl/events/x/", "nl"), ("/nld/", "en"), ("/en/", "en")],
)
def test_the_address_says_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize("plain", ["/", "/events/x/", "/events/nl/"])
def test_a_page_has_one_address_in_each_language(plain: str) -> None:
    dutch = f"/nl{plain}"
    assert (in_language(plain, "nl"), in_language(dutch, "en")) == (dutch, plain)
    assert (in_language(plain, "en"), in_language(dutch, "nl")) == (plain, dutch)


def test_neither_a_cookie_nor_the_browser_changes_the_language(event: Event, client: Client) -> None:
    client.cookies["django_language"] = "nl"
    answer = client.get("/events/two-teams/", headers={"accept-language": "nl"})
    assert '<html lang="en">' in answer.content.decode()
    assert answer["Content-Language"] == "en"


@pytest.mark.parametrize("address", [*PAGES, *FOR_PROGRAMS])
@pytest.mark.parametrize("prefix", ["", "/nl"])
def test_pages_vary_by_coding_only_and_set_no_cookie(
    event: Event, client: Client, prefix: str, address: str
) -> None:
    answer = client.get(f"{prefix}{address}")
    assert (answer.status_code, answer["Vary"], answer.cookies) == (200, "Accept-Encoding", {})


@pytest.mark.parametrize("address", [*PAGES, *FOR_PROGRAMS])
def test_a_dutch_page_costs_what_the_english_one_costs(
    event: Event, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries, address: str
) -> None:
    client.get(address)  # the first reader of all asks the worker for a check of the pairings
    english = queries_of(client, address)
    assert queries_of(client, f"/nl{address}") == english
    with django_assert_max_num_queries(1):
        client.get(f"/nl{address}")


@pytest.mark.parametrize("address", PAGES)
def test_what_is_kept_in_one_language_is_never_answered_in_another(
    event: Event, client: Client, address: str
) -> None:
    english, dutch = body(client, address), body(client, f"/nl{address}")
    assert '<html lang="en">' in english
    assert '<html lang="nl">' in dutch
    assert (body(client, address), body(client, f"/nl{address}")) == (english, dutch)


@pytest.mark.parametrize("address", [*PAGES, "/criteria/solkoff/"])
def test_every_link_of_a_dutch_page_stays_dutch(event: Event, client: Client, address: str) -> None:
    page = body(client, f"/nl{address}").partition('<nav class="foot languages"')[0]
    links = LINK.findall(page)
    plain = [link for link in links if not link.startswith("/nl/")]
    assert links
    assert {resolve(link).url_name for link in plain} <= FILES


@pytest.mark.parametrize("address", FOR_PROGRAMS)
def test_what_programs_read_leads_to_pages_in_its_language(
    event: Event, client: Client, address: str
) -> None:
    english, dutch = body(client, address), body(client, f"/nl{address}")
    assert {*OF_EVENT.findall(english)} == {""}
    assert {*OF_EVENT.findall(dutch)} == {"/nl"}
    assert (body(client, address), body(client, f"/nl{address}")) == (english, dutch)


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
    assert "Op dit adres staat niets" in page
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
    assert '<html lang="nl">' in body(client, "/nl/events/two-teams/poll/?revision=0&page=standings")


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
def test_what_has_no_language_has_no_prefix(client: Client, path: str) -> None:
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
        assert [written(text) for text in ("2187.4", "31.375*", "2½", "12", "1662.5·1700.0")] == [
            "2187,4", "31,375*", "2½", "12", "1662,5·1700,0",
        ]  # fmt: skip

    def test_a_column_has_it_too(self) -> None:
        standings = rank(read_crosstable(RATED), SYSTEMS["fmjd-swiss-rating"])
        assert values_of(standings.column("average-rating-opponents")) == ["2302,0", "2301,0"]

    def test_names_in_a_value_are_left_alone(self) -> None:
        table = read_crosstable(ROUND_ROBIN.drawn.replace(" V ", " V1.5 "), games_each=4)
        system = ROUND_ROBIN.system.ordered_by(("total-score", "best-opponents"))
        assert value_of(rank(table, system).column("best-opponents"), 2) == "V1.5 1"

    def test_texts_of_the_engine_are_said_with_their_parts(self) -> None:
        standings = rank(read_crosstable(RATED), SYSTEMS["manual-round-robin"])
        folds = standings.explain(0, "won-lost-ratio").folds
        assert list(map(translated, folds)) == ["1 gewonnen / 0 verloren"]

    def test_what_is_no_text_of_the_engine_is_left_alone(self) -> None:
        assert translated("Progress") == "Progress"


def test_a_cell_is_dutch_for_people_and_plain_for_machines(transactional_db: None, client: Client) -> None:
    create_player_event()
    page = body(client, "/nl/events/two-players/standings/")
    assert 'aria-label="Ronde 1, wit tegen Bea, gewonnen met 2-0"' in page
    assert 'data-value="2"' in page

"""Machine-readable parts: page heads, structured data, feed, sitemap, robots.txt."""

import json
import re
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from standings.pages.page_list import EVENT_PAGES, once
from standings.pages.site import feeds
from tests.cast import create_player_event, create_team_event
from tournaments.models import Change, Competitor, Event, Series

pytestmark = pytest.mark.django_db(transaction=True)

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
HOSTILE = "</script><script>alert('&\u2028')</script>"


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def graph(page: str) -> list[dict[str, Any]]:
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1
    nodes: list[dict[str, Any]] = json.loads(found[0])["@graph"]
    return nodes


def change(event: Event, day: int, reason: str = "Misread.") -> Change:
    at = datetime(2026, 5, day, 9, tzinfo=UTC)
    return Change.objects.create(
        event=event, round=1, table=1, was="1-1", now="2-0", reason=reason, by="Arbiter", at=at
    )


def test_preview_matches_the_page(client: Client) -> None:
    create_team_event()
    Event.objects.update(name='The "Cup" & more')
    page = text(client, "/events/two-teams/?sort=dsb&utm=x")
    title = "The &quot;Cup&quot; &amp; more · Crosstable"
    assert f"<title>{title}</title>" in page
    assert f'<meta property="og:title" content="{title}">' in page
    described = re.search('<meta name="description" content="([^"]*)">', page)
    assert described
    assert f'<meta property="og:description" content="{described[1]}">' in page
    assert "1. Greens, 2. Reds, 3. Blues" in described[1]
    address = "http://testserver/events/two-teams/"
    assert f'<link rel="canonical" href="{address}">' in page
    assert f'<meta property="og:url" content="{address}">' in page
    assert '<meta property="og:type" content="website">' in page
    assert '<meta property="og:site_name" content="Crosstable">' in page


@pytest.mark.parametrize("address", ["/", "/people/", "/teams/", "/nl/people/"])
def test_title_begins_with_the_search(client: Client, address: str) -> None:
    create_team_event()
    assert "<title>Réds &amp; co ·" in text(client, f"{address}?q=Réds+%26+co")
    assert "·" not in text(client, address).partition("<title>")[2].partition(" · Crosstable</title>")[0]


@pytest.mark.parametrize("address", ["/", "/criteria/", "/series/cup/", "/events/two-teams/standings/"])
def test_every_page_has_a_preview_and_search(client: Client, address: str) -> None:
    create_team_event()
    page = text(client, address)
    assert page.count('property="og:title"') == page.count('rel="canonical"') == 1
    assert '<form class="find" role="search" action="/find/">' in page
    assert "application/ld+json" not in page


def test_page_of_an_error_has_no_preview(client: Client) -> None:
    page = text(client, "/events/nothing/")
    assert "og:" not in page
    assert 'role="search"' in page


def test_event_has_json_ld_of_event_and_data_set(client: Client) -> None:
    create_team_event()
    Event.objects.update(start="2026-05-01", end="2026-05-02", place="Łódź", sources=["A bulletin"])
    event, data = graph(text(client, "/events/two-teams/"))
    assert event["@type"] == "SportsEvent"
    assert (event["name"], event["sport"], event["startDate"]) == ("Cup of Teams", "chess", "2026-05-01")
    assert event["location"]["name"] == "Łódź"
    assert event["superEvent"] == {"@type": "EventSeries", "name": "Cup"}
    assert data["@type"] == "Dataset"
    assert data["about"] == {"@id": event["@id"]}
    assert data["temporalCoverage"] == "2026-05-01/2026-05-02"
    assert data["isBasedOn"] == ["A bulletin"]
    assert "3 teams" in data["description"]
    assert "license" not in data


def test_unknown_properties_are_omitted(client: Client) -> None:
    create_player_event()
    event, _ = graph(text(client, "/events/two-players/"))
    assert not event.keys() & {"startDate", "endDate", "location", "superEvent"}


def test_names_cannot_end_the_script(client: Client) -> None:
    create_team_event()
    Event.objects.update(name=HOSTILE, place=HOSTILE)
    Series.objects.update(name=HOSTILE)
    Competitor.objects.update(name=HOSTILE)
    page = text(client, "/events/two-teams/")
    assert "<script>alert" not in page
    assert graph(page)[0]["name"] == HOSTILE
    assert graph(page)[0]["superEvent"]["name"] == HOSTILE


def test_feed_newest_first(client: Client) -> None:
    team, player = create_team_event(), create_player_event()
    Event.objects.filter(pk=team.pk).update(start="2026-05-01", end="2026-05-02")
    Event.objects.filter(pk=player.pk).update(start="1948", name="A & B <Cup>")
    Event.objects.filter(pk=create_player_event("undated").pk).update(name="Undated")
    Event.objects.filter(pk=create_player_event("draft").pk).update(state=Event.State.DRAFT)
    corrected = change(team, 3, "Score <misread> & mended.")
    answer = client.get("/feed.atom")
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ET.fromstring(answer.content)  # noqa: S314 - our own
    entries = feed.findall(f"{ATOM}entry")
    titles = [each.findtext(f"{ATOM}title") for each in entries]
    assert titles == ["Correction: Cup of Teams, round 1", "Cup of Teams", "A & B <Cup>", "Undated"]
    assert entries[0].findtext(f"{ATOM}summary") == "1-1 changed to 2-0. Score &lt;misread&gt; &amp; mended."
    changes = "http://testserver/events/two-teams/changes/"
    assert entries[0].findtext(f"{ATOM}id") == f"{changes}#change-{corrected.pk}"
    assert feed.findtext(f"{ATOM}updated") == "2026-05-03T09:00:00+00:00"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Crosstable"


@pytest.mark.parametrize(
    ("end", "newest"), [("", "A"), ("2026", "A"), ("2026-05-31", "A"), ("2026-05-29", "B"), ("2025", "B")]
)
def test_feed_keeps_event_that_ends_last(
    client: Client, monkeypatch: pytest.MonkeyPatch, end: str, newest: str
) -> None:
    monkeypatch.setattr(feeds, "NEWEST", 1)
    for slug, dates in {
        "a": {"start": end or "2026", "end": end},
        "b": {"start": "2026-05-30", "end": ""},
    }.items():
        event = create_player_event(slug)
        Event.objects.filter(pk=event.pk).update(name=slug.upper(), **dates)

    [entry] = ET.fromstring(client.get("/feed.atom").content).findall(f"{ATOM}entry")  # noqa: S314 - our own
    assert entry.findtext(f"{ATOM}title") == newest


def test_feed_follows_a_correction(client: Client) -> None:
    event = create_team_event()
    etag = client.get("/feed.atom").headers["ETag"]
    assert client.get("/feed.atom", headers={"if-none-match": etag}).status_code == 304
    change(event, 3)
    assert "Correction" in text(client, "/feed.atom")


def test_feed_of_an_empty_site(client: Client) -> None:
    assert client.get("/feed.atom").status_code == 200


def test_sitemap(client: Client) -> None:
    team, player = create_team_event(), create_player_event()
    Event.objects.filter(pk=team.pk).update(end="2026-05-09")
    Event.objects.filter(pk=player.pk).update(end="2026-04-30")
    Event.objects.filter(pk=create_player_event("draft").pk).update(state=Event.State.DRAFT)
    Series.objects.create(slug="empty", name="Empty")
    change(team, 3)
    answer = client.get("/sitemap.xml")
    assert answer.headers["Content-Type"] == "application/xml; charset=utf-8"
    found = {
        url.findtext(f"{MAP}loc", "").removeprefix("http://testserver"): url.findtext(f"{MAP}lastmod")
        for url in ET.fromstring(answer.content)  # noqa: S314 - our own
    }
    pages = {
        "/": None,
        "/codes/": None,
        "/criteria/": None,
        "/api-reference/": None,
        "/event-file/": None,
        "/layouts/": None,
        "/validate/": None,
        "/series/": None,
        "/people/": None,
        "/people/records/": None,
        "/teams/": None,
        "/series/cup/": None,
        **{
            f"/events/two-teams/{page.route}": "2026-05-03" for page in EVENT_PAGES if page.in_sitemap is once
        },
        "/events/two-teams/standings/category/A/": "2026-05-03",
        "/events/two-teams/prizes/": "2026-05-03",
        **{
            f"/events/two-players/{page.route}": "2026-04-30"
            for page in EVENT_PAGES
            if page.in_sitemap is once
        },
    }
    assert {"/events/two-teams/", "/events/two-teams/standings/"} <= pages.keys()
    assert found == {f"{prefix}{page}": day for prefix in ("", "/nl") for page, day in pages.items()}


def test_sitemap_has_newest_events_up_to_its_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    create_team_event()
    create_player_event()
    Event.objects.filter(slug="two-players").update(start="2026-05-01")
    Event.objects.filter(slug="two-teams").update(start="2025-05-01")
    paths = [path for path, _changed in feeds._paths_of_sitemap()]
    monkeypatch.setattr(feeds, "MOST_PATHS", paths.index("/events/two-players/standings/") + 1)

    found = re.findall("<loc>http://testserver(.*?)</loc>", text(client, "/sitemap.xml"))
    pages = [f"/events/two-players/{page}" for page in ("", "standings/")]
    assert found[-4:] == [f"{language}{page}" for page in pages for language in ("", "/nl")]


def test_robots(client: Client) -> None:
    answer = client.get("/robots.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    refused = (
        b"Disallow: /admin/\nDisallow: /find/\nDisallow: /suggest/\nDisallow: /events/*.zip$\n"
        b"Disallow: /api/events.ndjson\nDisallow: /*events/*/archive/$\n"
        b"Disallow: /*events/*/report/\n"
    )
    assert refused + b"Sitemap: http://testserver/sitemap.xml\n" in answer.content

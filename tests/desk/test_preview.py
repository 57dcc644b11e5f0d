"""The preview of a draft event: only at the desk, not cached, and with links that stay at the desk."""

import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from pytest_django import Settings

from tests.cast import Desk
from tests.markup import markup_of
from tournaments.models import Competitor, Event

pytestmark = pytest.mark.django_db

PAGES = (
    "",
    "standings/",
    "standings/after/1/",
    "crosstable/",
    "rounds/1/",
    "rounds/1/1/",
    "competitors/",
    "competitors/1/",
    "competitors/1/dsb/",
    "compare/1/2/",
    "statistics/",
    "changes/",
    "check/",
)
SHARED = re.compile(
    r'<meta (?:property="og:image|name="twitter:card")[^>]*>|<link rel="alternate" type="[^"]*oembed"[^>]*>'
)
"""Metadata for other sites, which a preview does not have."""
REPORT = re.compile(
    r'<span class="unprinted"> ·\s*<a rel="nofollow" href="/events/two-teams/report/[^>]*>'
    r"\s*Report an error</a></span>"
)


@pytest.fixture(autouse=True)
def served(settings: Settings) -> None:
    """As in production: public pages are cached."""
    settings.DEBUG = False


@pytest.fixture
def draft(desk: Desk) -> Desk:
    Event.objects.filter(pk=desk.event.pk).update(state="draft")
    return desk


def prefix(desk: Desk) -> str:
    return f"/admin/events/{desk.event.pk}/preview"


def preview(desk: Desk, page: str, who: str = "arbiter", language: str = "") -> Any:
    return desk.browser(who).get(f"{prefix(desk)}{language}/events/two-teams/{page}")


@pytest.mark.parametrize("below", PAGES)
def test_preview_equals_the_public_page(draft: Desk, below: str) -> None:
    shown = preview(draft, below).content.decode()
    assert draft.browser("nobody").get(f"/events/two-teams/{below}").status_code == 404

    Event.objects.filter(pk=draft.event.pk).update(state="archived")
    public = draft.browser("nobody").get(f"/events/two-teams/{below}").content.decode()
    bar = re.compile(r'<aside class="preview".*?</aside>\n', re.DOTALL)
    version = re.compile(r'version \d+(, last changed [^<]*)?|"version": "\d+"')
    plain = bar.sub("", shown).replace(prefix(draft), "")

    assert len(bar.findall(shown)) == 1
    assert not SHARED.search(shown)
    assert "report/" not in shown
    public = REPORT.sub("", SHARED.sub("", public))
    assert markup_of(version.sub("", plain)) == markup_of(version.sub("", public))


@pytest.mark.parametrize("language", ["", *(f"/{code}" for code, _ in settings.LANGUAGES if code != "en")])
def test_links_stay_at_the_desk(draft: Desk, language: str) -> None:
    page = preview(draft, "standings/", language=language).content.decode()
    led = re.findall(r'(?:href|action|hx-get)="([^"]*/events/[^"]*)"', page)
    elsewhere = ("http://testserver/", f"{prefix(draft)}/")
    away = [link for link in led if not link.startswith(elsewhere)]

    assert f"{prefix(draft)}{language}/events/two-teams/competitors/" in led
    assert away == [f"/admin/events/{draft.event.pk}/"]


def test_preview_is_not_cached(draft: Desk) -> None:
    first = preview(draft, "competitors/")
    Competitor.objects.filter(event=draft.event, number=1).update(name="Crimsons")

    assert "no-store" in first["Cache-Control"]
    assert "ETag" not in first
    assert "Crimsons" in preview(draft, "competitors/").content.decode()
    assert not [key for key in getattr(cache, "_cache", {}) if "page-event" in key]


def test_preview_does_not_publish_the_page(draft: Desk) -> None:
    preview(draft, "standings/")

    below = ("standings/", "poll/", "live/", "screen/", "card.png", "feed.atom", "rounds.ics", "report/")
    for address in (
        *("/events/two-teams.json", "/embed/events/two-teams/standings/"),
        *(f"/events/two-teams/{page}" for page in (*below, "followed/1/", "competitors/1/feed.atom")),
    ):
        assert draft.browser("nobody").get(address).status_code == 404, address
        assert draft.browser("arbiter").get(address).status_code == 404, address


def test_downloads_of_a_draft(draft: Desk) -> None:
    file = draft.browser("arbiter").get(f"{prefix(draft)}/events/two-teams.json")
    own = draft.browser("arbiter").get(f"/admin/events/{draft.event.pk}/file/")

    assert json.loads(file.content)["event"]["state"] == "draft"
    assert file.content == own.content
    assert own["Content-Disposition"] == 'attachment; filename="two-teams.json"'


def test_comparison_form_stays_at_the_desk(draft: Desk) -> None:
    answer = preview(draft, "compare/?first=1&second=2")

    assert answer["Location"] == f"{prefix(draft)}/events/two-teams/compare/1/2/"
    assert draft.browser("arbiter").get(answer["Location"]).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "events/two-players/",
        "events/nothing/",
        "events/two-teams/nothing/",
        "events/two-teams/rounds/9/",
        "series/cup/",
        "criteria/",
        "admin/",
        "healthz",
        "events/two-teams/poll/",
    ],
)
def test_pages_of_other_kinds_are_404(draft: Desk, address: str) -> None:
    assert draft.browser("superuser").get(f"{prefix(draft)}/{address}").status_code == 404


@pytest.mark.parametrize(("who", "status"), [("nobody", 302), ("other", 404), ("organiser", 200)])
def test_preview_by_role(draft: Desk, who: str, status: int) -> None:
    assert preview(draft, "", who).status_code == status


def test_removed_event_has_a_preview(desk: Desk) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state="removed")

    assert preview(desk, "standings/").status_code == 200
    assert desk.browser("arbiter").get("/events/two-teams/standings/").status_code == 410


def test_preview_of_a_public_event_redirects(desk: Desk) -> None:
    assert preview(desk, "standings/")["Location"] == "/events/two-teams/standings/"


@pytest.mark.parametrize("state", ["draft", "archived"])
@pytest.mark.parametrize(
    "page",
    [
        *("/evil.example/", "//evil.example/", "\\evil.example/", "/evil.example/events/two-teams/"),
        *(
            "events/two-teams/../../evil.example/",
            "/events/two-teams/",
            "nl//evil.example/",
            "http://evil.example/",
        ),
        *("%2Fevil.example/", "%5Cevil.example/", "%09/evil.example/", "admin/", "series/two-teams/"),
    ],
)
def test_preview_does_not_redirect_to_other_sites(desk: Desk, page: str, state: str) -> None:
    Event.objects.filter(pk=desk.event.pk).update(state=state)

    assert desk.browser("arbiter").get(f"{prefix(desk)}/{page}").status_code == 404

"""Image for shared links: size, caching, content, and the tags that refer to it."""

import struct

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.pages.frame import sheet_of
from standings.pages.live.share_image import png_of
from tests.cast import create_team_event
from tests.demo import record
from tournaments.models import Competitor, Event

pytestmark = pytest.mark.django_db(transaction=True)

IMAGE = "/events/two-teams/card.png"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def event() -> Event:
    return create_team_event()


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(SIGNATURE)
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_image_is_a_cached_png_of_1200_by_630(
    event: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = client.get(IMAGE)
    with django_assert_num_queries(1):
        again = client.get(IMAGE)
    assert size_of(first.content) == (1200, 630)
    assert first.content == again.content
    assert len(first.content) < 100_000
    assert first["Content-Type"] == "image/png"
    assert first["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_change_of_the_event_changes_the_image(event: Event, client: Client) -> None:
    before = client.get(IMAGE)
    Competitor.objects.filter(event=event, number=3).update(name="Зелёные Ščěřbaťí")
    after = client.get(IMAGE)
    assert before.content != after.content
    assert before["ETag"] != after["ETag"]


@pytest.mark.parametrize("name", ["A " * 60, "W" * 120, "", "\u202e<&\x01>", "象棋"])
def test_unusual_names_are_drawn(event: Event, name: str) -> None:
    event.name = name
    Competitor.objects.filter(event=event, number=3).update(name=name)
    assert size_of(png_of(sheet_of(event, None))) == (1200, 630)


def test_image_contains_flags(client: Client) -> None:
    record("olympiad-2018-open")
    event = Event.objects.get(slug="olympiad-2018-open")
    with_flags = png_of(sheet_of(event, None))
    event.start = "1900"  # no flag is known in that year
    assert len(png_of(sheet_of(event, None))) < len(with_flags)


def test_image_before_the_first_round_describes_the_event(event: Event, client: Client) -> None:
    event.rounds.all().delete()
    assert size_of(client.get(IMAGE).content) == (1200, 630)


@pytest.mark.parametrize(("state", "status"), [(Event.State.DRAFT, 404), (Event.State.REMOVED, 410)])
def test_draft_has_no_image(event: Event, client: Client, state: str, status: int) -> None:
    Event.objects.update(state=state)
    assert client.get(IMAGE).status_code == status
    assert client.post(IMAGE).status_code == 405


def test_pages_refer_to_the_image_and_the_frame(event: Event, client: Client) -> None:
    page = client.get("/nl/events/two-teams/standings/").content.decode()
    version = page.partition("card.png?v=")[2].partition('"')[0]
    assert f'<meta property="og:image"\n  content="http://testserver/nl{IMAGE}?v={version}">' in page
    assert version.isdecimal()
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    assert 'type="application/json+oembed"' in page
    assert "?url=http%3A%2F%2Ftestserver%2Fnl%2Fevents%2Ftwo-teams%2Fstandings%2F" in page
    assert "json+oembed" not in client.get("/events/two-teams/changes/").content.decode()

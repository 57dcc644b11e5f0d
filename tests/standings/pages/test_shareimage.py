"""The picture of a shared link: its size, whose it is, when it is made, and the tags that name it."""

import struct

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.pages.frame import sheet_of
from standings.pages.shareimage import png_of
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


def test_it_is_a_png_of_the_size_that_sites_expect_and_is_kept(
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


def test_a_change_makes_another(event: Event, client: Client) -> None:
    before = client.get(IMAGE)
    Competitor.objects.filter(event=event, number=3).update(name="Зелёные Ščěřbaťí")
    after = client.get(IMAGE)
    assert before.content != after.content
    assert before["ETag"] != after["ETag"]


@pytest.mark.parametrize("name", ["A " * 60, "W" * 120, "", "\u202e<&\x01>", "象棋"])
def test_any_name_is_drawn(event: Event, name: str) -> None:
    event.name = name
    Competitor.objects.filter(event=event, number=3).update(name=name)
    assert size_of(png_of(sheet_of(event, None))) == (1200, 630)


def test_flags_are_part_of_it(client: Client) -> None:
    record("olympiad-2018-open")
    event = Event.objects.get(slug="olympiad-2018-open")
    with_flags = png_of(sheet_of(event, None))
    event.start = "1900"  # nobody's flag is known of that year
    assert len(png_of(sheet_of(event, None))) < len(with_flags)


def test_before_the_first_round_it_tells_of_the_event(event: Event, client: Client) -> None:
    event.rounds.all().delete()
    assert size_of(client.get(IMAGE).content) == (1200, 630)


@pytest.mark.parametrize(("state", "status"), [(Event.State.DRAFT, 404), (Event.State.REMOVED, 410)])
def test_what_readers_do_not_see_has_none(event: Event, client: Client, state: str, status: int) -> None:
    Event.objects.update(state=state)
    assert client.get(IMAGE).status_code == status
    assert client.post(IMAGE).status_code == 405


def test_pages_name_it_and_the_frame(event: Event, client: Client) -> None:
    page = client.get("/nl/events/two-teams/standings/").content.decode()
    version = page.partition("card.png?v=")[2].partition('"')[0]
    assert f'<meta property="og:image" content="http://testserver/nl{IMAGE}?v={version}">' in page
    assert version.isdecimal()
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    assert 'type="application/json+oembed"' in page
    assert "?url=http%3A%2F%2Ftestserver%2Fnl%2Fevents%2Ftwo-teams%2Fstandings%2F" in page
    assert "json+oembed" not in client.get("/events/two-teams/changes/").content.decode()

"""The edition of FIDE's rules is stated below every standings table."""

from html import unescape
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from standings.archive.builder import Origin, event_archive
from tests.cast import create_players, play
from tournaments.models import Competitor, Event
from tournaments.operations.revision import present

pytestmark = pytest.mark.django_db

EDITION = "Unplayed rounds count by FIDE's rules of 2024."
EVENT = "/events/open/"
PAGES = (
    EVENT,
    f"{EVENT}standings/",
    f"{EVENT}standings/after/1/",
    f"{EVENT}standings/category/guests/",
    f"{EVENT}crosstable/",
    f"{EVENT}live/",
    f"{EVENT}screen/?show=standings",
    f"{EVENT}paste/",
    f"/embed{EVENT}standings/",
    f"/embed{EVENT}crosstable/",
    "/events/open.html",
    "/events/open.csv",
)
PRINTED = ("standings", "crosstable", "categories")


@pytest.fixture
def event() -> Event:
    """A live Swiss by FIDE's rules of 2024, after round 1 of 2."""
    event = create_players(
        "open", ["Ann", "Bea", "Cas", "Dov"], 2, name="Open", state="live", system="fide-swiss",
        unplayed="fide-2024", categories=[{"code": "guests"}],
    )  # fmt: skip
    Competitor.objects.filter(name="Ann").update(categories=["guests"])
    play(event, [(1, 1, 1, 2, 2), (1, 2, 3, 4, 1)])
    return event


def test_pages_show_the_edition_once(event: Event, client: Client, subtests: pytest.Subtests) -> None:
    for address in PAGES:
        with subtests.test(address):
            answer = client.get(address)
            assert answer.status_code == 200
            # The page has the table twice: rendered, and as source.
            assert unescape(unescape(answer.text)).count(EDITION) == (2 if "paste" in address else 1)


def test_printed_tables_show_the_edition(
    event: Event, admin_client: Client, subtests: pytest.Subtests
) -> None:
    for kind in PRINTED:
        with subtests.test(kind):
            answer = admin_client.get(reverse("event-printout", args=[event.pk, kind]))
            assert unescape(answer.text).count(EDITION) == 1


def test_archive_shows_the_edition(event: Event) -> None:
    files = dict(event_archive(present(event.pk), Origin("http", "testserver")))
    for name in ("index.html", "standings/index.html"):
        assert EDITION in unescape(files[name].decode())


def test_workbook_states_the_edition(event: Event, client: Client) -> None:
    book = load_workbook(BytesIO(client.get("/events/open.xlsx").content))
    assert [EDITION] in [[cell.value for cell in row[1:2]] for row in book["about"].iter_rows()]


def test_event_without_an_edition_shows_none(event: Event, client: Client) -> None:
    Event.objects.update(system="manual-swiss", unplayed="", discipline="draughts-100")
    assert "Unplayed rounds count by FIDE" not in client.get(f"{EVENT}standings/").text

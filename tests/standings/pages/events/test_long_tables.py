"""A long table of standings: its first rows, and a link to all of them."""

import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from tests.archives import archived
from tests.cast import prizes_file, stored_event
from tests.standings.pages.events.test_categories import page
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)
EVENT = "/events/six-prizes/"
STANDINGS = f"{EVENT}standings/"


@pytest.fixture
def event() -> Iterator[Event]:
    """An event of six players; a table with more than three rows is long, and two rows are its first ones."""
    with patch("standings.tables.rows.LONG_TABLE", 3), patch("standings.pages.frame.FIRST_ROWS", 2):
        yield stored_event(prizes_file())


def shown(html: str) -> tuple[list[str], str]:
    """Return the names in the table, and the address of the link to all rows."""
    page = LexborHTMLParser(html)
    names = [name.text() for name in page.css("#standings tbody .name")]
    return names, " ".join(link.attributes["href"] or "" for link in page.css("#later-rows a"))


@pytest.mark.parametrize(
    ("address", "count", "link"),
    [
        (STANDINGS, 2, "?top=all"),
        (f"{STANDINGS}after/1/", 2, "?top=all"),
        (f"{STANDINGS}?sort=name&dir=desc&layout=wide", 2, "?sort=name&dir=desc&layout=wide&top=all"),
        (f"{STANDINGS}category/U20/", 2, "?top=all"),
        (f"{STANDINGS}category/W/", 3, ""),
        (f"{STANDINGS}?sex=w", 3, ""),
        (f"/embed{STANDINGS}", 2, "?top=all"),
    ],
)
def test_long_table_has_its_first_rows_and_a_link_to_all(
    client: Client, event: Event, address: str, count: int, link: str
) -> None:
    first, found = shown(page(client, address))
    assert (len(first), found) == (count, link)
    if link:
        own = address.partition("?")[0]
        whole = page(client, own + link)
        names, none = shown(whole)
        assert (names[:count], len(names) > count, none) == (first, True, "")
        assert f'<link rel="canonical" href="http://testserver{own.removeprefix("/embed")}">' in whole


def test_update_of_a_long_table_has_all_rows(client: Client, event: Event) -> None:
    Event.objects.update(state=Event.State.LIVE)
    for query in ("", "?top=all"):
        polled = re.search('hx-get="(.*?)"', page(client, STANDINGS + query))
        assert polled
        updated = page(client, polled[1].replace("revision=", "revision=0"))
        assert len(shown(updated)[0]) == 6
        assert f'hx-get="{polled[1]}"' in updated


def test_update_of_a_table_with_a_chosen_number_of_rows_keeps_the_number(
    client: Client, event: Event
) -> None:
    Event.objects.update(state=Event.State.LIVE)
    with patch.dict("standings.caching.cached_pages.VALUES", top="5|all"):
        polled = re.search('hx-get="(.*?)"', page(client, f"{STANDINGS}?top=5"))
    assert polled
    assert "top=" not in polled[1]  # the script adds the query of the page


def test_archive_has_all_rows(event: Event, tmp_path: Path) -> None:
    folder = archived("six-prizes", tmp_path)
    html = (folder / "standings" / "index.html").read_text()
    assert len(LexborHTMLParser(html).css("#standings tbody tr")) == 6
    assert shown(html)[1] == ""

"""Choices of a reader are propagated to all links of an event's pages, and to no others."""

import re
from html import unescape

import pytest
from django.test import Client

from standings.pages.page_list import EVENT_PAGES
from tests.demo import OUAGADOUGOU, record
from tests.routes import VALUES, filled

pytestmark = pytest.mark.django_db

CHOSEN = "?notation=1-0&cells=W12"
AT = VALUES | {"slug": OUAGADOUGOU.split("/")[2], "code": "solkoff-short"}


def links_of(client: Client, address: str) -> list[str]:
    page = client.get(address).content.decode()
    return [unescape(link) for link in re.findall(r'<a [^>]*href="([^"]*)"', page)]


@pytest.mark.exhaustive
@pytest.mark.parametrize("prefix", ["", pytest.param("/nl", marks=pytest.mark.exhaustive)])
def test_every_link_to_a_page_of_the_event_carries_them(client: Client, prefix: str) -> None:
    record(OUAGADOUGOU)
    pages = [page for page in EVENT_PAGES if page.name not in {"compare-with", "prizes", "screen"}]
    for page in pages:
        address = filled(f"{prefix}/events/<slug:slug>/{page.route}", AT)
        if client.get(address).status_code != 200:
            continue
        of_event = [
            link
            for link in links_of(client, f"{address}{CHOSEN}")
            if re.match(rf"{prefix}{OUAGADOUGOU}[^.]*$|(\.\./)+[^.]*$", link.partition("?")[0])
            and "picture=" not in link
        ]
        assert len(of_event) > 5, address
        assert [link for link in of_event if "notation=1-0&cells=W12" not in link] == [], address


def test_link_keeps_its_own_parameters_and_anchor(client: Client) -> None:
    record(OUAGADOUGOU)
    links = links_of(client, f"{OUAGADOUGOU}standings/{CHOSEN}&ratings=shown")
    assert "../competitors/1/?notation=1-0&cells=W12&ratings=shown#ratings" in links
    assert f"{OUAGADOUGOU}rounds/?notation=1-0&cells=W12&ratings=shown" in links
    assert not any(link.startswith(f"{OUAGADOUGOU[:-1]}.csv?") for link in links)
    assert "../?notation=1-0&cells=W12&ratings=shown#race" in links
    # The file of a chart is the same with all cells.
    assert f"{OUAGADOUGOU}?notation=1-0&picture=race.png" in links_of(client, f"{OUAGADOUGOU}{CHOSEN}")


def test_a_page_without_choices_has_links_without(client: Client) -> None:
    record(OUAGADOUGOU)
    assert not any("notation" in link for link in links_of(client, f"{OUAGADOUGOU}rounds/1/?utm=notation"))

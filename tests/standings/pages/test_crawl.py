"""Every link of the site works, and every page meets the rules for all pages.

Of the links of a kind, a sample is followed (tests/sampling.py).
"""

from collections import deque
from collections.abc import Callable, Sequence

import pytest
from django.test import Client

from tests.cast import create_event_to_come, create_team_event
from tests.demo import DEMO_EVENTS, record
from tests.sampling import Sample
from tests.standings.pages.promises import Page, query_faults
from tournaments.models import Event

SMALL = ("1947-vierkamp-den-haag",)
"""Demo events with few pages. Together with the event of two teams they have pages of all kinds."""


class Crawl:
    """Follows the links of an event, or of the site's pages; `problems` are all it found."""

    def __init__(self, *starts: str, own: Callable[[str], bool]) -> None:
        self.client, self.own = Client(raise_request_exception=False), own
        self.problems: list[str] = []
        self.pages: dict[str, Page] = {}
        self.sample = Sample()
        self.waiting = deque(("", "a", start) for start in starts)
        self.seen = set(starts)
        self.anchors: set[tuple[str, str, str]] = set()
        while self.waiting:
            self._follow(*self.waiting.popleft())
        self._compare_titles()
        self._compare_looks()
        self._look_up_anchors()

    def _follow(self, origin: str, tag: str, address: str) -> None:
        response = self.client.get(address, follow=tag == "form")
        if response.status_code != (204 if tag == "hx-get" else 200):
            self.problems.append(f"{origin}: {tag} {address} answers {response.status_code}")
        self.problems += [f"{address}: sets the cookie {name}" for name in response.cookies]
        is_page = response.get("Content-Type", "").startswith("text/html")
        is_file = response.get("Content-Disposition", "").startswith("attachment")
        if is_page and not is_file and tag not in {"hx-get", "form"}:
            self._read(Page(address, response.content.decode()))
        if response.streaming:
            response.getvalue()  # to the end: the client then closes the file, but not the connection

    def _read(self, page: Page) -> None:
        address = page.address
        self.pages[address] = page
        self.problems += [f"{address}: {fault}" for fault in page.faults()]
        for tag, lead, anchor in page.leads_to():
            if anchor:
                self.anchors.add((address, lead, anchor))
            if lead in self.seen:
                continue
            self.seen.add(lead)
            if tag not in {"hx-get", "form"}:
                self.problems += [f"{address}: {lead} {fault}" for fault in query_faults(lead)]
            if self.own(address) and self._followed(lead):
                self.waiting.append((address, tag, lead))

    def _followed(self, address: str) -> bool:
        # An archive takes seconds, and other tests cover it.
        return not address.endswith((".zip", "/archive/")) and self.sample.takes(address)

    def _compare_titles(self) -> None:
        """Pages have different titles, unless they differ only by the reader's choices."""
        titled: dict[tuple[str, str], str] = {}
        for address, page in self.pages.items():
            other = titled.setdefault((page.language, page.title), address) if "?" not in address else address
            if other != address:
                self.problems.append(f"{address} and {other} are both {page.title!r}")

    def _compare_looks(self) -> None:
        """Every choice changes the page, except carried ones and the last round."""
        for address, page in self.pages.items():
            plain = self.pages.get(address.partition("?")[0])
            if not plain or plain is page or "after=" in address:
                continue
            if plain.main == page.main and address in {lead for _tag, lead, _anchor in plain.leads_to()}:
                self.problems.append(f"{address} is {plain.address}")

    def _look_up_anchors(self) -> None:
        for origin, lead, anchor in self.anchors:
            if lead in self.pages and anchor not in self.pages[lead].ids:
                self.problems.append(f"{origin}: {lead} has nothing called {anchor}")


@pytest.mark.exhaustive
@pytest.mark.django_db(transaction=True)  # so that standings are cached as on the site
@pytest.mark.parametrize("slug", DEMO_EVENTS)
def test_every_link_of_a_demo_event(slug: str) -> None:
    record(slug)
    address = f"/events/{slug}/"
    crawl = Crawl(address, own=lambda page: page.startswith(address))
    assert crawl.problems == [], "\n".join(crawl.problems[:40])
    assert {address, f"{address}standings/", f"{address}competitors/", f"{address}check/"} <= set(crawl.pages)


@pytest.mark.django_db(transaction=True)  # so that standings are cached as on the site
@pytest.mark.parametrize("slug", [pytest.param("two-teams", marks=pytest.mark.exhaustive), "to-come"])
def test_every_link_of_an_event_in_progress(slug: str) -> None:
    create_team_event()
    Event.objects.filter(pk=create_team_event("next-cup").pk).update(name="Next Cup", start="2026-05-01")
    create_event_to_come()
    address = f"/events/{slug}/"
    crawl = Crawl(address, own=lambda page: page.startswith(address))
    assert crawl.problems == [], "\n".join(crawl.problems[:40])
    assert f"{address}standings/" in crawl.pages


@pytest.mark.django_db(transaction=True)  # so that standings are cached as on the site
@pytest.mark.exhaustive
@pytest.mark.parametrize("events", [SMALL, DEMO_EVENTS], ids=len)
def test_every_link_above_the_events(events: Sequence[str]) -> None:
    record(*events)
    create_team_event()
    starts = ("/", "/?q=ned", "/?q=nobody", "/?discipline=chess&year=2018", "/series/cup/")
    crawl = Crawl(*starts, own=lambda page: "/events/" not in page)
    assert crawl.problems == [], "\n".join(crawl.problems[:40])
    assert {f"/events/{slug}/standings/" for slug in events} <= set(crawl.pages)


KEEPS_ALL = """<!doctype html><html lang="en"><head><title>Page</title>
<link rel="canonical" href="http://testserver/page/"><script type="application/ld+json">{}</script></head>
<body><h1 id="top">Page</h1><nav aria-labelledby="top"><a href="https://elsewhere.example/">away</a></nav></body></html>"""


def test_valid_page_has_no_faults() -> None:
    assert list(Page("/page/?sort=name", KEEPS_ALL).faults()) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("{}", "</script><script>1", "inline <script>"),
        ("</nav>", "</nav><style></style>", "inline <style>"),
        ("<nav", "<nav style=''", "inline style"),
        ("<nav", "<nav onclick='1'", "inline onclick"),
        ("https://elsewhere.example/", "JavaScript:1", "inline JavaScript:1"),
        ("</nav>", "</nav><p id='top'></p>", "two elements are called top"),
        ("</nav>", "</nav><label for='box'></label>", "nothing is called box"),
        ("</nav>", "</nav><img src='//elsewhere.example/x.png'>", "fetches //elsewhere.example/x.png"),
        ("</nav>", "</nav><link rel='stylesheet' href='http://a.example/'>", "fetches http://a.example/"),
        ("</h1>", "</h1><h1>Again</h1>", "2 headings of the first level"),
        (' lang="en"', "", "no language"),
        (">Page</title>", "> </title>", "no title"),
        ("testserver/page/", "testserver/page/?sort=name", "canonical http://testserver/page/?sort=name"),
    ],
)
def test_each_fault_is_found(old: str, new: str, fault: str) -> None:
    assert list(Page("/page/?sort=name", KEEPS_ALL.replace(old, new, 1)).faults()) == [fault]


def test_unknown_query_is_a_fault() -> None:
    assert not list(query_faults("/events/x/standings/?sort=name&dir=asc"))
    assert list(query_faults("/events/x/standings/?sort=name&shade=dark"))
    assert list(query_faults("/events/x/standings/?sort=nothing"))

"""Every link of the site leads somewhere, and every page keeps what is promised of all pages.

Of the links of one kind a sample is followed (tests/sampling.py).
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator
from urllib.parse import urldefrag, urlencode, urljoin, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client, RequestFactory
from selectolax.lexbor import LexborHTMLParser, LexborNode

from standings.serving.pages import choices
from tests.cast import create_event_to_come, create_team_event
from tests.demo import DEMO_EVENTS, record
from tests.markup import attributes_of
from tests.sampling import Sample
from tournaments.models import Event

HOST = "http://testserver"

LEADS = {"a": "href", "link": "href", "script": "src", "img": "src", "use": "href"}
RESOURCES = ("script", "img", "use", "stylesheet", "icon")
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls")
DATA_BLOCK = "application/ld+json"


class Page:
    """What a page of HTML holds that all pages make promises about."""

    def __init__(self, address: str, html: str) -> None:
        self.address = address
        self.links: dict[tuple[str, str], None] = {}
        self.ids: Counter[str] = Counter()
        self.referred: set[str] = set()
        self.headings = 0
        self.language = self.canonical = ""
        self.inline: list[str] = []
        self.main = re.sub(r'href="[^"]*"', "", html.partition("<main")[2].partition("</main")[0])
        parsed = LexborHTMLParser(html)
        for element in parsed.css("*"):
            self._note(element.tag or "", attributes_of(element))
        titles = parsed.css("title")
        self.title = " ".join(titles[0].text().split()) if titles else ""
        for form in parsed.css("form"):
            if action := attributes_of(form).get("action"):
                self.links["form", f"{action}?{urlencode(asked_by(form))}"] = None

    def _note(self, tag: str, given: dict[str, str]) -> None:
        """Note where an element leads, what it is called and what it brings along."""
        self.headings += tag == "h1"
        self._note_inline(tag, given)
        if tag == "html":
            self.language = given.get("lang", "")
        if given.get("rel") == "canonical":
            self.canonical = given["href"]
        if "id" in given:
            self.ids[given["id"]] += 1
        self.referred.update(*(given[name].split() for name in REFERENCES if name in given))
        if LEADS.get(tag) in given:
            self.links[given.get("rel", tag) if tag == "link" else tag, given[LEADS[tag]]] = None
        if "hx-get" in given:
            self.links["hx-get", given["hx-get"]] = None

    def _note_inline(self, tag: str, given: dict[str, str]) -> None:
        if tag == "style" or (tag == "script" and "src" not in given and given.get("type") != DATA_BLOCK):
            self.inline.append(f"<{tag}>")
        for name, value in given.items():
            if name == "style" or name.startswith("on"):
                self.inline.append(name)
            if value.strip().lower().startswith("javascript:"):
                self.inline.append(value)

    def leads_to(self) -> Iterator[tuple[str, str, str]]:
        """For each link on our own host: its element, its address without the anchor, and the anchor."""
        for tag, link in self.links:
            address, anchor = urldefrag(urljoin(HOST + self.address, link))
            if address.startswith(HOST):
                yield tag, address.removeprefix(HOST) or "/", anchor

    def faults(self) -> Iterator[str]:
        """What this page has that no page may have, or lacks that every page has."""
        yield from (f"inline {what}" for what in self.inline)
        yield from (f"two elements are called {name}" for name, count in self.ids.items() if count > 1)
        yield from (f"nothing is called {name}" for name in self.referred - set(self.ids))
        for tag, link in self.links:
            if tag in RESOURCES and urlsplit(link).netloc:
                yield f"fetches {link}"
        if self.headings != 1:
            yield f"{self.headings} headings of the first level"
        if not self.language:
            yield "no language"
        if not self.title:
            yield "no title"
        if self.canonical != HOST + self.address.partition("?")[0]:
            yield f"canonical {self.canonical or 'missing'}"


def asked_by(form: LexborNode) -> dict[str, str]:
    """Return what a form asks for as it stands."""
    asked, select = dict[str, str](), ""
    for field in form.css("input[name], select[name], button[name], option"):
        given = attributes_of(field)
        if field.tag != "option":
            asked[given["name"]] = given.get("value", "")
            select = given["name"] if field.tag == "select" else ""
        elif "selected" in given or not asked.get(select):
            asked[select] = given.get("value", "")
    return asked


class Crawl:
    """Follows the links of one event, or of the pages above the events; `problems` are all it met."""

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
            response.getvalue()  # to its end, where the client closes the file and leaves the connection open

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
        # An archive takes seconds to make, and has tests of its own.
        return not address.endswith((".zip", "/archive/")) and self.sample.takes(address)

    def _compare_titles(self) -> None:
        """Pages that differ by more than the reader's choices have titles of their own."""
        titled: dict[tuple[str, str], str] = {}
        for address, page in self.pages.items():
            other = titled.setdefault((page.language, page.title), address) if "?" not in address else address
            if other != address:
                self.problems.append(f"{address} and {other} are both {page.title!r}")

    def _compare_looks(self) -> None:
        """A choice that a page offers changes it; a carried one need not; a round may be the last."""
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


def query_faults(address: str) -> Iterator[str]:
    """What an address asks for that no page knows."""
    path, _, query = address.partition("?")
    # These are told of a page, and read what is asked of them by themselves.
    if query and not path.endswith(("/oembed/", "/report/", "/card.png")):
        known = choices(RequestFactory().get(address))
        if known != QueryDict(query).dict():
            yield f"asks for more than is known: {known}"


@pytest.mark.django_db(transaction=True)  # so that standings are kept as on the site
@pytest.mark.parametrize("slug", DEMO_EVENTS)
def test_every_link_of_a_demo_event(slug: str) -> None:
    record(slug)
    address = f"/events/{slug}/"
    crawl = Crawl(address, own=lambda page: page.startswith(address))
    assert crawl.problems == [], "\n".join(crawl.problems[:40])
    assert {address, f"{address}standings/", f"{address}competitors/", f"{address}check/"} <= set(crawl.pages)


@pytest.mark.django_db(transaction=True)  # so that standings are kept as on the site
@pytest.mark.parametrize("slug", ["two-teams", "to-come"])
def test_every_link_of_an_event_in_progress(slug: str) -> None:
    create_team_event()
    Event.objects.filter(pk=create_team_event("next-cup").pk).update(name="Next Cup", start="2026-05-01")
    create_event_to_come()
    address = f"/events/{slug}/"
    crawl = Crawl(address, own=lambda page: page.startswith(address))
    assert crawl.problems == [], "\n".join(crawl.problems[:40])
    assert f"{address}standings/" in crawl.pages


@pytest.mark.django_db(transaction=True)  # so that standings are kept as on the site
def test_every_link_above_the_events() -> None:
    record(*DEMO_EVENTS)
    create_team_event()
    starts = ("/", "/?q=ned", "/?q=nobody", "/?discipline=chess&year=2018", "/series/cup/")
    crawl = Crawl(*starts, own=lambda page: "/events/" not in page)
    assert crawl.problems == [], "\n".join(crawl.problems[:40])
    assert {f"/events/{slug}/standings/" for slug in DEMO_EVENTS} <= set(crawl.pages)


KEEPS_ALL = """<!doctype html><html lang="en"><head><title>Page</title>
<link rel="canonical" href="http://testserver/page/"><script type="application/ld+json">{}</script></head>
<body><h1 id="top">Page</h1><nav aria-labelledby="top"><a href="https://elsewhere.example/">away</a></nav></body></html>"""


def test_page_that_keeps_all_promises() -> None:
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
def test_page_that_breaks_one(old: str, new: str, fault: str) -> None:
    assert list(Page("/page/?sort=name", KEEPS_ALL.replace(old, new, 1)).faults()) == [fault]


def test_query_that_no_page_knows() -> None:
    assert not list(query_faults("/events/x/standings/?sort=name&dir=asc"))
    assert list(query_faults("/events/x/standings/?sort=name&shade=dark"))
    assert list(query_faults("/events/x/standings/?sort=nothing"))

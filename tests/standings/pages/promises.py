"""Checks that apply to every HTML page, and its links."""

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urldefrag, urlencode, urljoin, urlsplit

from django.http import QueryDict
from django.test import RequestFactory
from selectolax.lexbor import LexborHTMLParser, LexborNode

from standings.caching.cached_pages import choices
from tests.markup import attributes_of

HOST = "http://testserver"

LEADS = {"a": "href", "link": "href", "script": "src", "img": "src", "use": "href"}
RESOURCES = ("script", "img", "use", "stylesheet", "icon")
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls")
DATA_BLOCK = "application/ld+json"


class Page:
    """An HTML page with the parts that the checks need."""

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
        """Yield element, path and anchor of each link on the own host."""
        for tag, link in self.links:
            address, anchor = urldefrag(urljoin(HOST + self.address, link))
            if address.startswith(HOST):
                yield tag, address.removeprefix(HOST) or "/", anchor

    def faults(self) -> Iterator[str]:
        """Yield violations of the rules for all pages."""
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
    """Return the query of a form with its initial values."""
    asked, select = dict[str, str](), ""
    for field in form.css("input[name], select[name], button[name], option"):
        given = attributes_of(field)
        if field.tag != "option":
            asked[given["name"]] = given.get("value", "")
            select = given["name"] if field.tag == "select" else ""
        elif "selected" in given or not asked.get(select):
            asked[select] = given.get("value", "")
    return asked


def query_faults(address: str) -> Iterator[str]:
    """Yield query parameters that the page of a URL does not know."""
    path, _, query = address.partition("?")
    # These views do not use `@uses_parameters`.
    if query and not path.endswith(("/oembed/", "/report/", "/card.png")):
        known = choices(RequestFactory().get(address))
        if known != QueryDict(query).dict():
            yield f"asks for more than is known: {known}"

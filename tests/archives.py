"""An archive as a folder of files, without a server."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote, urldefrag, urlsplit
from zipfile import ZipFile

from django.http.response import HttpResponseBase
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from standings.archive import builder
from standings.archive.builder import File, Origin, write_zip
from standings.management.commands.work import work_off
from tests.sampling import Sample
from tournaments.models import Event
from tournaments.operations.revision import present

ORIGIN = Origin("https", "testserver")
ADDRESSES = ("href", "src", "action", "hx-get")
NO_PART_OF_IT = re.compile(
    r"<script(?! src=\S*static/js/archive\.js defer>)"
    r"|<form|<input|<button|<dialog|\bhx-|/compare/|[?]sort=|[?]q="
)
"""Features of live pages. The only script of an archive needs no server."""


def unpacked(zipped: bytes, to: Path) -> Path:
    """The folder that a ZIP unpacks to."""
    with ZipFile(BytesIO(zipped)) as archive:
        assert archive.testzip() is None
        archive.extractall(to)
    (folder,) = to.iterdir()
    return folder


def archived(slug: str, to: Path) -> Path:
    """The archive of a recorded event, unpacked below this folder."""
    file = to / f"{slug}.zip"
    to.mkdir(parents=True, exist_ok=True)
    write_zip(present(Event.objects.get(slug=slug).pk), ORIGIN, file)
    return unpacked(file.read_bytes(), to / "unpacked")


def zip_of(client: Client, address: str) -> HttpResponseBase:
    """Return the archive after the worker built it; a response other than 202 is returned unchanged."""
    answer = client.get(address)
    if answer.status_code == 202:
        work_off()
        answer = client.get(address)
    return answer


@contextmanager
def fewer_pages(names: Collection[str] = ()) -> Iterator[set[str]]:
    """Archive only pages with these names, and all other files; yield the omitted names.

    Without names it is a sample of each kind of page (tests/sampling.py), or all pages with `CRAWL=all`.
    """
    made, left_out = builder.render_pages, set[str]()

    def few(pages: Mapping[str, str], *rest: Any) -> Iterator[File]:
        sample = Sample()
        taken = {
            address: file
            for address, file in pages.items()
            if (file in names if names else sample.takes(address))
        }
        left_out.update(set(pages.values()) - set(taken.values()))
        return made(taken, *rest)

    with patch.object(builder, "render_pages", few):
        yield left_out


class Page:
    """The links and the link targets of a page."""

    def __init__(self, text: str) -> None:
        parsed = LexborHTMLParser(text)
        self.ids = {element.attributes["id"] for element in parsed.css("[id]")}
        self.links = {
            element.attributes[name] or "" for name in ADDRESSES for element in parsed.css(f"[{name}]")
        }


def faults(folder: Path, start: str = "index.html", left_out: Collection[str] = ()) -> list[str]:
    """Return broken links, features that need a server, and unreachable pages.

    Links may lead to an omitted page, and a page may be reachable only through an omitted page.
    """
    elsewhere = {folder.resolve() / name for name in left_out}
    unlinked = folder / "404.html"  # hosts show it for missing pages
    pages = {file: Page(file.read_text("utf-8")) for file in sorted(folder.rglob("*.html"))}
    found, reached = [], {folder / start}
    for file, page in pages.items():
        alive = NO_PART_OF_IT.findall(file.read_text("utf-8"))
        found += [f"{file}: {what}" for what in set(alive)]
        for link in page.links:
            if urlsplit(link).scheme:
                continue  # a source, on the net
            path, place = urldefrag(link)
            target = Path(file.parent / unquote(path)).resolve() if path else file
            reached.add(target)
            if target in elsewhere:
                continue
            if not target.is_file() or not target.is_relative_to(folder.resolve()):
                found.append(f"{file}: {link} leads nowhere")
            elif place and place not in pages[target].ids:
                found.append(f"{file}: nothing is called {link}")
    return found + [
        f"nothing leads to {file}" for file in pages if file not in reached | {unlinked} and not left_out
    ]


def sums_hold(folder: Path) -> bool:
    """Return whether the checksums match all files."""
    lines = (line.partition("  ") for line in (folder / "SHA256SUMS").read_text().splitlines())
    noted = {name: digits for digits, _, name in lines}
    files = [file for file in folder.rglob("*") if file.is_file() and not file.name.startswith("SHA256SUMS")]
    real = {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if ".parts" not in file.parts
    }
    return noted == real

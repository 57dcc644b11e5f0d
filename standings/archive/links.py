"""Rewrite links of live pages to links between files, and collect the static files.

Links to pages outside the archive become text.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache as once
from html import escape, unescape
from pathlib import Path
from posixpath import dirname, relpath
from urllib.parse import urljoin, urlsplit

import resvg_py
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

from tournaments.interchange.formats.sources import STATIC

FLAG = re.compile(r"flags/[a-z-]+\.svg")
FLAG_WIDTH, FLAG_HEIGHT = 48, 36
"""The size in pixels of a flag stored as PNG: three times the displayed size, for print and sharp screens."""

LINK = re.compile(r'<a\b([^>]*?) href="([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
RESOURCE = re.compile(r'(<(?:img|link|script)\b[^>]*? (?:src|href)=")(/[^"]*)"')
CLASS = re.compile(r' class="[^"]*"')

Find = Callable[[str], str | None]
"""Returns the file and anchor of a URL, None if it is not in the archive."""


def between_files(html: str, address: str, file: str, find: Find, base: str = "") -> str:
    """Return the page at that URL as a file of an archive.

    Links are relative, or absolute below `base` if given. External links are unchanged. Raise LookupError if
    a picture or style is missing in the archive.
    """

    own_folder = dirname(f"/{file}")
    folders = address.partition("?")[0].split("/")[:-1]

    @once
    def lead(href: str) -> str | None:
        target = unescape(href)
        if target.startswith("#"):
            return href
        if target.startswith("../"):  # `urljoin` takes ten times as long
            steps = target.count("../")
            target = "/".join([*folders[:-steps], target[3 * steps :]])
        elif not target.startswith("/") or "/." in target:
            if urlsplit(target).scheme:
                return href
            target = urljoin(address, target)
        target, _, fragment = target.partition("#")
        found = find(target)
        if found is None:
            return None
        return escape(f"{base}{found}" if base else _relative(found, fragment, file, own_folder))

    def link(found: re.Match[str]) -> str:
        before, href, after, inside = found.groups()
        to = lead(href)
        if to is not None:
            return f'<a{before} href="{to}"{after}>{inside}</a>'
        style = CLASS.search(before + after)  # the other attributes need a URL
        return f"<span{style[0] if style else ''}>{inside}</span>"

    def resource(found: re.Match[str]) -> str:
        to = lead(found[2])
        if to is None:
            raise LookupError(f"{address} shows {found[2]}, which no archive holds")
        return f'{found[1]}{to}"'

    return RESOURCE.sub(resource, LINK.sub(link, html))


def _relative(found: str, fragment: str, file: str, own_folder: str) -> str:
    target, _, place = found.partition("#")
    place = fragment or place
    if target == file and place:
        return f"#{place}"
    way = relpath(f"/{target}", own_folder)
    return f"{way}#{place}" if place else way


class Statics:
    """The static files that pages use, by their name in the archive. `page`: finds the other files."""

    def __init__(self, page: Find) -> None:
        self.page = page
        self.used: set[str] = set()

    def find(self, address: str) -> str | None:
        if not address.startswith(settings.STATIC_URL):
            return self.page(address)
        name = address.removeprefix(settings.STATIC_URL)
        file = f"{STATIC}{_kept_as(_plain_names().get(name, name))}"
        self.used.add(file)
        return file

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files in use. Raise LookupError if a file is missing."""
        return ((file, _content_of(file)) for file in sorted(self.used))


def _content_of(file: str) -> bytes:
    name = file.removeprefix(STATIC)
    drawn = name.replace(".png", ".svg")
    return _pixels(drawn) if FLAG.fullmatch(drawn) and name != drawn else _bytes_of(name)


def _bytes_of(name: str) -> bytes:
    found = finders.find(name)
    if found is None:
        raise LookupError(f"There is no {STATIC}{name}.")
    return Path(found).read_bytes()


@once
def _kept_as(name: str) -> str:
    """Return the name of a static file in the archive. A flag is a PNG if that is smaller.

    Coats of arms take up to 60 kB, and are shown at the size of a letter.
    """
    if FLAG.fullmatch(name) and len(_pixels(name)) < len(_bytes_of(name)):
        return name.replace(".svg", ".png")
    return name


@once
def _pixels(name: str) -> bytes:
    drawing = _bytes_of(name).decode()
    # Without system fonts, the result is the same on every machine.
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawing, width=FLAG_WIDTH, height=FLAG_HEIGHT, skip_system_fonts=True
        )
    )


@once
def _plain_names() -> dict[str, str]:
    """Return the source names by hashed name: an archive is the same wherever it is built."""
    # Only the storage of production has hashed names.
    hashed: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    return {served: plain for plain, served in hashed.items()}

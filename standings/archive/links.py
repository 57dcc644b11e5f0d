"""Links of a live page as links between files, and the static files that pages of an archive show.

A link that leads out of the archive is text.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache as once
from html import escape, unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import resvg_py
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

from tournaments.formats.sources import STATIC

FLAG = re.compile(r"flags/[a-z-]+\.svg")
FLAG_WIDTH, FLAG_HEIGHT = 48, 36
"""The pixels of a flag that is kept as such: pages show it a third as wide and high, printers and screens
that are finer have enough of them."""

LINK = re.compile(r'<a\b([^>]*?) href="([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
RESOURCE = re.compile(r'(<(?:img|link|script)\b[^>]*? (?:src|href)=")(/[^"]*)"')
CLASS = re.compile(r' class="[^"]*"')

Find = Callable[[str], str | None]
"""Says which file, and which place in it, has what stands at an address; None where none has."""


def between_files(html: str, address: str, file: str, find: Find, base: str = "") -> str:
    """The page that stands at that address of the site, as a file of an archive.

    Links lead from file to file; with `base`, an address, they are whole ones below it.

    What leads to another host stays as it is, LookupError for a picture or a style that the archive lacks.
    """

    ways = list(_ways_up(file))

    @once
    def lead(href: str) -> str | None:
        target = unescape(href)
        if target.startswith("#"):
            return href
        if not target.startswith("/") or "/." in target:  # most are whole addresses, and joining costs more
            if urlsplit(target).scheme:
                return href
            target = urljoin(address, target)
        target, _, fragment = target.partition("#")
        found = find(target)
        if found is None:
            return None
        return escape(f"{base}{found}" if base else _relative(found, fragment, file, ways))

    def link(found: re.Match[str]) -> str:
        before, href, after, inside = found.groups()
        to = lead(href)
        if to is not None:
            return f'<a{before} href="{to}"{after}>{inside}</a>'
        style = CLASS.search(before + after)  # nothing else of a link means anything without its address
        return f"<span{style[0] if style else ''}>{inside}</span>"

    def resource(found: re.Match[str]) -> str:
        to = lead(found[2])
        if to is None:
            raise LookupError(f"{address} shows {found[2]}, which no archive holds")
        return f'{found[1]}{to}"'

    return RESOURCE.sub(resource, LINK.sub(link, html))


def _relative(found: str, fragment: str, file: str, ways: Sequence[tuple[str, str]]) -> str:
    target, _, place = found.partition("#")
    place = fragment or place
    if target == file and place:
        return f"#{place}"
    way = next(f"{up}{target.removeprefix(folder)}" for folder, up in ways if target.startswith(folder))
    return f"{way}#{place}" if place else way


def _ways_up(file: str) -> Iterator[tuple[str, str]]:
    """Yield each folder around a file, the innermost first, and the way up to it."""
    folders = file.split("/")[:-1]
    for steps in range(len(folders) + 1):
        yield "".join(f"{folder}/" for folder in folders[: len(folders) - steps]), "../" * steps


class Statics:
    """The static files that pages asked for so far, by the name they have in an archive."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def find(self, address: str) -> str | None:
        """The file of the archive that has the static file of that address; None for any other address."""
        if not address.startswith(settings.STATIC_URL):
            return None
        name = address.removeprefix(settings.STATIC_URL)
        file = f"{STATIC}{_kept_as(_plain_names().get(name, name))}"
        self.used.add(file)
        return file

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files that were asked for; LookupError where there is none."""
        return ((file, _content_of(file)) for file in sorted(self.used))


def _content_of(file: str) -> bytes:
    """The bytes of a static file of an archive; LookupError where there is none."""
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
    """Return the name under which an archive has a static file: a flag is a PNG where that is smaller.

    A coat of arms takes up to 60 kB to draw, and is shown in the size of a letter.
    """
    if FLAG.fullmatch(name) and len(_pixels(name)) < len(_bytes_of(name)):
        return name.replace(".svg", ".png")
    return name


@once
def _pixels(name: str) -> bytes:
    """Return a flag as a PNG."""
    drawing = _bytes_of(name).decode()
    # Every machine draws the same: no flag is to show what its fonts are.
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawing, width=FLAG_WIDTH, height=FLAG_HEIGHT, skip_system_fonts=True
        )
    )


@once
def _plain_names() -> dict[str, str]:
    """The names in the tree by those with a hash: an archive is the same wherever it is made."""
    # Only the storage of production has hashed names.
    hashed: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    return {served: plain for plain, served in hashed.items()}

"""Links of a live page as links between files; one that leads out of the archive is text."""

import re
from collections.abc import Callable
from functools import cache as once
from html import escape, unescape
from posixpath import dirname, relpath
from urllib.parse import urljoin, urlsplit

LINK = re.compile(r'<a\b([^>]*?) href="([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
RESOURCE = re.compile(r'(<(?:img|link)\b[^>]*? (?:src|href)=")(/[^"]*)"')
CLASS = re.compile(r' class="[^"]*"')

Find = Callable[[str], str | None]
"""Says which file, and which place in it, has what stands at an address; None where none has."""


def between_files(html: str, address: str, file: str, find: Find) -> str:
    """The page that stands at that address of the site, as a file of an archive.

    What leads to another host stays as it is, LookupError for a picture or a style that the archive lacks.
    """

    @once
    def lead(href: str) -> str | None:
        target = unescape(href)
        if target.startswith("#") or urlsplit(target).scheme:
            return href
        target, _, fragment = urljoin(address, target).partition("#")
        found = find(target)
        return None if found is None else escape(_relative(found, fragment, file))

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


def _relative(found: str, fragment: str, file: str) -> str:
    target, _, place = found.partition("#")
    place = fragment or place
    return relpath(target, dirname(file) or ".") + (f"#{place}" if place else "")

"""The contents of an archive: its URLs of the live site, with their files."""

from collections.abc import Iterator
from typing import NamedTuple

from django.urls import reverse

from standings.criteria.explanations import explained_codes
from standings.downloads.views import formats_of
from standings.engine import get_criterion
from standings.pages.frame import sheet_of
from standings.pages.page_list import EVENT_PAGES, Numbers, once
from standings.texts import criterion_texts
from tournaments.models import Event

INDEX = "index.html"


class Contents(NamedTuple):
    """URLs and their files. `pages`: rendered by views. `files`: downloads.

    `anchors`: URLs that are a part of another page, with the anchor. Matches are on the page of the round,
    explanations on that of the competitor.
    """

    pages: dict[str, str]
    files: dict[str, str]
    anchors: dict[str, str]

    def find(self, address: str) -> str | None:
        return self.pages.get(address) or self.anchors.get(address) or self.files.get(address)


def contents_of(event: Event, folder: str) -> Contents:
    """Return the contents for an event in that folder; three queries and those of the standings."""
    base = reverse("event", args=[event.slug])
    pages = {f"{base}{page}": f"{folder}{page}{INDEX}" for page in _archived_pages(event)}
    files = {
        reverse(each.view, args=[event.slug]): f"{folder}{event.slug}.{each.ending}"
        for each in formats_of(event)
        if each.is_archived
    }
    return Contents(pages, files, dict(_anchors(event, base, folder)))


def criteria_pages(event: Event) -> dict[str, str]:
    pages = {criterion_texts(get_criterion(code)).page for code in explained_codes(sheet_of(event, None))}
    return {page: criterion_file(page) for page in sorted(pages)}


def criterion_file(page: str) -> str:
    """Return the file of a criterion's page: `criteria/BH-MP-C1/index.html`."""
    # Windows allows no colon in file names.
    code = page.removeprefix(reverse("criteria")).replace(":", "-")
    return f"criteria/{code}{INDEX}"


def _archived_pages(event: Event) -> Iterator[str]:
    numbers, base = Numbers(event), reverse("event", args=[event.slug])
    # The order of the checksums: archives of other versions are compared with this one.
    for page in sorted(EVENT_PAGES, key=lambda each: each.archived is not once):
        for arguments in page.archived(numbers) if page.archived and page.is_of(event) else ():
            yield page.address(event, **arguments).removeprefix(base)


def _anchors(event: Event, base: str, folder: str) -> Iterator[tuple[str, str]]:
    """Yield the matches and explanations. Those after the last round are of the final standings."""
    numbers = Numbers(event)
    for number in numbers.rounds[-1:]:
        yield f"{base}standings/after/{number}/", f"{folder}standings/{INDEX}"
    for number, table in numbers.tables:
        yield f"{base}rounds/{number}/{table}/", f"{folder}rounds/{number}/{INDEX}#m{table}"
    sheet = sheet_of(event, None)
    last = f"?after={sheet.standings.table.rounds}"
    parts = [get_criterion(code).address for code in explained_codes(sheet)]
    for entry in sheet.entries:
        competitor = f"competitors/{entry.number}/"
        for part in parts:
            for query in ("", last):
                yield f"{base}{competitor}{part}/{query}", f"{folder}{competitor}{INDEX}#{part}"

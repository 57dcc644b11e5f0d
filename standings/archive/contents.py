"""The contents of an archive: each address of the live site that it has, and the file that it stands in."""

from collections.abc import Iterator
from typing import NamedTuple

from django.urls import reverse

from standings.criteria.explanations import explained
from standings.downloads.answers import FORMATS
from standings.engine import get
from standings.pages.eventpages import EVENT_PAGES, Numbers, once
from standings.services import ranked
from standings.tables.sheet import StandingsSheet
from tournaments.models import Event

INDEX = "index.html"
VALUES = "values/"
"""The end of the address at which an archive has all explanations of a competitor."""


class Contents(NamedTuple):
    """Addresses and their files: `pages` are made by the views, `files` are downloads.

    `anchors` are addresses that are part of a page, with the place in it: each explanation stands on one page
    with all of its competitor.
    """

    pages: dict[str, str]
    files: dict[str, str]
    anchors: dict[str, str]

    def find(self, address: str) -> str | None:
        """The file, and the place in it, that has what stands at the address; None for what is not held."""
        return self.pages.get(address) or self.anchors.get(address) or self.files.get(address)


def contents_of(event: Event, folder: str) -> Contents:
    """Return what the archive holds of one event, in that folder; three queries beside the standings'."""
    base = reverse("event", args=[event.slug])
    pages = {f"{base}{page}": f"{folder}{page}{INDEX}" for page in _pages(event)}
    endings = {each.view: each.ending for each in FORMATS} | {"event-bib": "bib"}
    files = {reverse(view, args=[event.slug]): f"{folder}{event.slug}.{end}" for view, end in endings.items()}
    return Contents(pages, files, dict(_anchors(event, base, folder)))


def criteria_pages(event: Event) -> dict[str, str]:
    """The pages of the criteria that the event's values are made by."""
    codes = {get(code).plain_code for code in explained(_sheet(event))}
    return {reverse("criterion", args=[code]): f"criteria/{code}/{INDEX}" for code in sorted(codes)}


def _pages(event: Event) -> Iterator[str]:
    """Yield the pages of an event, those that every event has first, each as the end of its address."""
    numbers, base = Numbers(event), reverse("event", args=[event.slug])
    # The order is that of the checksums: an archive made by another version is compared with this one.
    for page in sorted(EVENT_PAGES, key=lambda each: each.archived is not once):
        for arguments in page.archived(numbers) if page.archived else ():
            address = page.address(event, **arguments).removeprefix(base)
            yield address
            if page.name == "competitor":
                yield f"{address}{VALUES}"


def _anchors(event: Event, base: str, folder: str) -> Iterator[tuple[str, str]]:
    """The explanations; those after the last round are those of the final standings."""
    sheet = _sheet(event)
    last = f"?after={sheet.standings.table.rounds}"
    for entry in sheet.entries:
        competitor = f"competitors/{entry.number}/"
        for code in explained(sheet):
            for query in ("", last):
                yield f"{base}{competitor}{code}/{query}", f"{folder}{competitor}{VALUES}{INDEX}#{code}"


def _sheet(event: Event) -> StandingsSheet:
    entries, judged = ranked(event)
    return StandingsSheet(event, judged, entries, reverse("event", args=[event.slug]))

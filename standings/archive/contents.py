"""What an archive holds: each address of the live site that it has, and the file that it stands in."""

from collections.abc import Iterator
from typing import NamedTuple

from django.urls import reverse

from standings.criteria.explanations import explained
from standings.downloads.answers import FORMATS
from standings.engine import get
from standings.services import paired_rounds, ranked
from standings.tables.matrix import LARGEST
from standings.tables.sheet import StandingsSheet
from tournaments.models import Event
from tournaments.models.shown import shown_pairings

INDEX = "index.html"
PAGES = ("", "standings/", "competitors/", "statistics/", "changes/", "check/")
"""The pages that every event has, below its own."""


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
    """What the archive holds of one event, in that folder; three queries, and those of the standings."""
    base = reverse("event", args=[event.slug])
    pages = {f"{base}{page}": f"{folder}{page}{INDEX}" for page in _pages(event)}
    endings = {each.view: each.ending for each in FORMATS} | {"event-bib": "bib"}
    files = {reverse(view, args=[event.slug]): f"{folder}{event.slug}.{end}" for view, end in endings.items()}
    return Contents(pages, files, dict(_anchors(event, base, folder)))


def criteria_pages(event: Event) -> dict[str, str]:
    """The pages of the criteria that the event's values are made by."""
    plain = {get(code).plain_code for code in explained(_sheet(event))}
    return {reverse("criterion", args=[code]): f"criteria/{code}/{INDEX}" for code in sorted(plain)}


def _pages(event: Event) -> Iterator[str]:
    """The pages of an event, each as the end of its address."""
    entries = ranked(event).entries
    yield from PAGES
    if event.is_round_robin and len(entries) <= LARGEST:
        yield "crosstable/"
    for number in range(1, paired_rounds(event) + 1):
        yield f"standings/after/{number}/"
    tables = list(
        shown_pairings(event).order_by("round__number", "table").values_list("round__number", "table")
    )
    for number in sorted({number for number, _table in tables}):
        yield f"rounds/{number}/"
    for number, table in tables:
        yield f"rounds/{number}/{table}/"
    for entry in entries:
        yield f"competitors/{entry.number}/"
        yield f"competitors/{entry.number}/values/"


def _anchors(event: Event, base: str, folder: str) -> Iterator[tuple[str, str]]:
    """The explanations; those after the last round are those of the final standings."""
    sheet = _sheet(event)
    last = f"?after={sheet.standings.table.rounds}"
    for entry in sheet.entries:
        competitor = f"competitors/{entry.number}/"
        for code in explained(sheet):
            for query in ("", last):
                yield f"{base}{competitor}{code}/{query}", f"{folder}{competitor}values/{INDEX}#{code}"


def _sheet(event: Event) -> StandingsSheet:
    entries, judged = ranked(event)
    return StandingsSheet(event, judged, entries, reverse("event", args=[event.slug]))

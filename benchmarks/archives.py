"""What the archive of an olympiad costs, beside the same pages asked of the site one by one.

Both are made in this process under the settings of production on SQLite, with nothing kept but what the one
or the other keeps for itself. The archive has in addition the matches and explanations in its pages, its
downloads, its links from file to file, and checksums. The yardstick asks the live page at each address that
the archive holds, through all middleware.
"""

from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache

from benchmarks.clock import each
from benchmarks.visitor import Visitor
from standings.archive.contents import contents_of
from standings.archive.making import Origin, alone
from tournaments.models import Event
from tournaments.recording.imports import import_event
from tournaments.revision import present

EVENTS = ("olympiad-2018-open", "olympiad-2022-open")
ORIGIN = Origin("https", "crosstable.example")
TIMES = 2


class ArchiveCost(NamedTuple):
    """The files and bytes of an archive, its pages, and the CPU milliseconds of all of it and of the site."""

    files: int
    size: int
    pages: int
    archive: float
    site: float


def report() -> None:
    """Import, measure, print."""
    visitor = Visitor()
    print("\nArchives of events, and the same pages asked of the site; least CPU s")
    print(f"{'':20}{'files':>7}{'MB':>7}{'archive':>9}{'site':>7}{'archive / site':>16}{'ms a page':>11}")
    for slug in EVENTS:
        if not Event.objects.filter(slug=slug).exists():
            import_event(settings.BASE_DIR / "tournaments" / "demo" / f"{slug}.json", announce=lambda _: None)
        cost = measure(slug, visitor)
        print(
            f"{slug:20}{cost.files:7,}{cost.size / 1e6:7.1f}{cost.archive / 1000:9.2f}{cost.site / 1000:7.2f}"
            f"{cost.archive / cost.site:15.2f}×{cost.archive / cost.pages:11.1f}"
        )


def measure(slug: str, visitor: Visitor, times: int = TIMES) -> ArchiveCost:
    """Return what the archive of an event costs, and its pages on the site."""
    event = Event.objects.get(slug=slug)
    files = dict(alone(present(event.pk), ORIGIN))
    pages = contents_of(present(event.pk), "").pages
    assert set(pages.values()) <= set(files)
    assert all(visitor.get(address).status == 200 for address in pages)
    # The warm process is that of a worker; each archive begins with nothing kept.
    made = each(lambda: list(alone(present(event.pk), ORIGIN)), times, before=cache.clear)
    asked = each(lambda: [visitor.get(address) for address in pages], times, before=cache.clear)
    return ArchiveCost(len(files), sum(map(len, files.values())), len(pages), min(made), min(asked))

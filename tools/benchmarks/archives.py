"""The cost of an olympiad's archive, compared with requesting its pages from the site one by one.

Both run in this process with production settings on SQLite and an empty cache. The archive also contains
matches and explanations in its pages, downloads, relative links and checksums. The reference requests the
live page for each page in the archive, through all middleware.
"""

from typing import NamedTuple

from django.conf import settings
from django.core.cache import cache

from standings.archive.builder import Origin, event_archive
from standings.archive.contents import contents_of
from tools.benchmarks.clock import each
from tools.benchmarks.visitor import Visitor
from tournaments.models import Event
from tournaments.operations.revision import present
from tournaments.recording.imports.importing import import_event

EVENTS = ("olympiad-2018-open", "olympiad-2022-open")
ORIGIN = Origin("https", "crosstable.example")
TIMES = 2


class ArchiveCost(NamedTuple):
    """Numbers of files, bytes and pages of an archive, and the CPU milliseconds of the archive and of the
    site.
    """

    files: int
    size: int
    pages: int
    archive: float
    site: float


def report() -> None:
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
    event = Event.objects.get(slug=slug)
    files = dict(event_archive(present(event.pk), ORIGIN))
    pages = contents_of(present(event.pk), "").pages
    assert set(pages.values()) <= set(files)
    assert all(visitor.get(address).status == 200 for address in pages)
    # The process is warm, like the worker's, and the cache is empty for each archive.
    made = each(lambda: list(event_archive(present(event.pk), ORIGIN)), times, before=cache.clear)
    asked = each(lambda: [visitor.get(address) for address in pages], times, before=cache.clear)
    return ArchiveCost(len(files), sum(map(len, files.values())), len(pages), min(made), min(asked))

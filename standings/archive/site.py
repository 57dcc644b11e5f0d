"""The parts of a published site: each public event, and the pages of the site."""

import re
from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import get_language

from standings.archive import builder
from standings.archive.bag import bag_files
from standings.archive.compact import compact
from standings.archive.contents import INDEX, criterion_file
from standings.archive.folder import Part
from standings.archive.links import Statics, between_files
from standings.archive.sitefiles import feed_files, host_files, search_files, sitemap_file
from standings.build import build
from standings.caching.cached_pages import Archived
from standings.catalogue.editions import beside
from standings.catalogue.listing import Listing
from standings.downloads.citations import citation_data
from standings.engine import SYSTEMS, all_criteria, get_criterion
from standings.pages.page_list import EVENT_PAGES
from standings.texts import criterion_texts
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, Series
from tournaments.operations.revision import present, site_revision, with_versions

EVENT = "event-"
"""The prefix of the parts of events."""

LINKED = r"(events/([^/]+)/(?:standings/|changes/|competitors/[0-9]+/)?)"
"""The pages of an event to which pages of other events, series and lists link."""


def public_events() -> list[Event]:
    """Return the public events by slug with their revisions; one query."""
    events = Event.objects.filter(state__in=PUBLIC).select_related("series")
    return list(with_versions(events).order_by("slug"))


def event_part(
    event: Event, origin: builder.Origin, tell: builder.ReportProgress, *, is_bag: bool = False
) -> Part:
    def make() -> Iterator[builder.File]:
        now = present(event.pk)
        files = builder.event_archive(now, origin, tell)
        if is_bag:
            address = origin.address_of(reverse("event", args=[now.slug]))
            files = bag_files(citation_data(now, address, in_archive=True), files)
        return ((f"{event.slug}/{name}", file) for name, file in files)

    made_of = (origin, event.pk, event.stamp, *(["bag"] if is_bag else []))
    return Part(f"{EVENT}{event.slug}", _part_key(*made_of), make)


class Site:
    """All public events and the pages of the site in a folder.

    Pages without a file are not linked: search, comparisons, feeds.
    """

    def __init__(self, origin: builder.Origin) -> None:
        self.origin, self.events = origin, public_events()
        self.slugs = {event.slug for event in self.events}
        self.revision = site_revision()
        self.lists, self.rules = dict(_lists()), dict(_rule_pages())
        self._of_event = re.compile(re.escape(reverse("events")) + LINKED)

    def find(self, address: str) -> str | None:
        found = self._of_event.fullmatch(address)
        if found and found[2] in self.slugs:
            return f"{found[1]}{INDEX}"
        return self.lists.get(address) or self.rules.get(address)

    def own_parts(self) -> list[Part]:
        """Return the pages of the site: those that change with the events, and the others."""
        return [
            Part("rules", _part_key(self.origin), self._rules_and_schema),
            Part("site", _part_key(self.origin, self.revision), self._site),
        ]

    def part_of(self, event: Event, tell: builder.ReportProgress) -> Part:
        def make() -> Iterator[builder.File]:
            folder = f"events/{event.slug}/"
            return builder.event_in_site(present(event.pk), self.origin, folder, self.find, tell)

        # Names and URLs of the neighbours are on the pages, and may change while this event does not.
        named = [(edition.slug, edition.name) for edition in beside(event).values() if edition]
        key = _part_key(self.origin, event.pk, event.stamp, named)
        return Part(f"{EVENT}{event.slug}", key, make)

    def _rules_and_schema(self) -> Iterator[builder.File]:
        yield from self._made(self.rules)
        yield builder.schema_file(self.origin)

    def _made(self, pages: dict[str, str]) -> Iterator[builder.File]:
        return builder.render_pages(pages, self.origin, Archived(), self.find)

    def _files(self) -> Iterator[str]:
        yield from (*self.lists.values(), *self.rules.values())
        for event in self.events:
            base = reverse("event", args=[event.slug])
            for page in EVENT_PAGES:
                for arguments in page.in_sitemap(event) if page.in_sitemap and page.is_of(event) else ():
                    ending = page.address(event, **arguments).removeprefix(base)
                    yield f"events/{event.slug}/{ending}{INDEX}"

    def _site(self) -> Iterator[builder.File]:
        statics, base = Statics(self.find), self.origin.base
        yield from self._made(self.lists)
        yield builder.missing_page(self.origin, statics.find)
        yield from host_files(base)
        yield from feed_files(self.origin, self.find)
        yield from search_files(
            lambda line: compact(between_files(line, reverse("events"), INDEX, statics.find))
        )
        yield from statics.files()
        if base:
            yield sitemap_file(base, self._files())


def _part_key(*made_of: object) -> str:
    return f"{build()} {get_language()} {made_of}"


def _lists() -> Iterator[tuple[str, str]]:
    home = reverse("events")
    yield home, INDEX
    for page in range(2, Listing({}).pages + 1):
        yield f"{home}?page={page}", f"pages/{page}/{INDEX}"
    yield reverse("series-list"), f"series/{INDEX}"
    named = Series.objects.filter(events__state__in=PUBLIC).distinct().order_by("slug")
    for slug in named.values_list("slug", flat=True):
        yield reverse("series", args=[slug]), f"series/{slug}/{INDEX}"


def _rule_pages() -> Iterator[tuple[str, str]]:
    yield reverse("criteria"), f"criteria/{INDEX}"
    yield reverse("codes"), f"codes/{INDEX}"
    yield reverse("editions"), f"criteria/editions/{INDEX}"
    named = {code for system in SYSTEMS.values() for code in system.criteria}
    for page in sorted(
        {criterion_texts(criterion).page for criterion in (*all_criteria(), *map(get_criterion, named))}
    ):
        yield page, criterion_file(page)

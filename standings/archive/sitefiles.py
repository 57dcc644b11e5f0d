"""The other files of a published site: search, feed, sitemap and files for web hosts.

Sitemaps need absolute URLs, so the URL of the site must be known.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from standings.archive.builder import File, Origin
from standings.archive.contents import INDEX
from standings.archive.links import Find
from standings.catalogue.eventlines import event_lines, listed_events
from standings.catalogue.filters import current_catalogue
from standings.catalogue.listing import Listing
from standings.catalogue.outcomes import outcomes_of
from standings.pages.site.feeds import NEWEST, items_of_site, sitemap_text
from tournaments.event.hiddensigns import written_out
from tournaments.models import Competitor, Player
from tournaments.operations.revision import site_revision
from tournaments.search.folding import fold

EVENTS, NAMES, FEED = "search/events.js", "search/names.js", "feed.xml"

AsFile = Callable[[str], str]
"""Returns HTML of the list with its links rewritten to files of the site."""


def host_files(base: str) -> Iterator[File]:
    """Yield the files for hosts and robots; `base`: the URL of the site, or blank."""
    # Without this file, GitHub Pages ignores names that start with a dot or an underscore.
    yield ".nojekyll", b""
    lines = ["User-agent: *", "Allow: /", *([f"Sitemap: {base}sitemap.xml"] if base else []), ""]
    yield "robots.txt", "\n".join(lines).encode()


def search_files(as_file: AsFile) -> Iterator[File]:
    """Yield the events with their search and filter values, and the names of all participants.

    Both are scripts that call a function with the data, as a page opened from a disk cannot fetch files.
    """
    site = site_revision()
    found = current_catalogue(site)
    keys: list[int] = found.pks.tolist()
    events = listed_events(keys)
    lines = event_lines(events, outcomes_of(site.epoch, keys), {})
    words = {
        "search": _("Search"),
        "hint": _("Event, place, year, player"),
        "all": _("all"),
        "events": _("Events"),
    }
    offered = [each.key for each in Listing({}).filters]
    series_names = [found.series_names.get(slug, "") for (slug,) in found.values(["series"])]
    told = {
        "words": words,
        "filters": [
            {
                "key": each.key,
                "label": str(each.label),
                "options": [[option.value, option.name] for option in each.options],
            }
            for each in Listing({}).filters
        ],
        "events": [
            {
                "slug": event.slug,
                "name": event.name,
                "line": as_file(line),
                "folded": fold(f"{event.name} {event.place} {event.start[:4]} {series}"),
                "keys": values,
            }
            for event, line, values, series in zip(
                events, lines, found.values(offered), series_names, strict=True
            )
        ],
    }
    yield EVENTS, _call("archiveEvents", told)
    yield NAMES, _call("archiveNames", _names_by_event(keys))


def _names_by_event(keys: list[int]) -> list[list[Any]]:
    found: dict[int, list[Any]] = defaultdict(list)
    competitors = Competitor.objects.filter(event__in=keys).order_by("event", "number")
    for event, number, name in competitors.values_list("event", "number", "name"):
        found[event] += [number, name]
    players = Player.objects.filter(competitor__event__in=keys).order_by("competitor__number", "pk")
    for event, number, name in players.values_list("competitor__event", "competitor__number", "name"):
        found[event] += [number, name]
    return [found[key] for key in keys]


def _call(name: str, data: Any) -> bytes:
    return f"{name}({json.dumps(data, ensure_ascii=False, separators=(',', ':'))});\n".encode()


def feed_files(origin: Origin, find: Find) -> Iterator[File]:
    """Yield the newest events and corrections as an Atom feed, no file if there are none.

    The id of an entry is its URL in the feed of the live site; its link leads to this site.
    """
    base, items = origin.base, items_of_site()[:NEWEST]
    if not items:
        return
    atom = Atom1Feed(
        title=_("Crosstable: events and corrections"),
        link=base or origin.address_of(reverse("events")),
        description=_("Draughts and chess tournaments, and their corrections."),
        feed_url=f"{base}{FEED}" if base else None,
        language=get_language(),
        author_name="Crosstable",
    )
    for item in items:
        live = origin.address_of(item.address)
        atom.add_item(
            written_out(item.title),
            f"{base}{find(item.address) or ''}",
            escape(written_out(item.text)),  # a summary is HTML
            unique_id=f"{live}#{item.anchor}" if item.anchor else live,
            updateddate=item.at,
        )
    yield FEED, atom.writeString("utf-8").encode()


def sitemap_file(base: str, files: Iterable[str]) -> File:
    """Return the sitemap of these pages; `base`: the URL of the site."""
    pages = (escape(base + file.removesuffix(INDEX)) for file in sorted(set(files)))
    return "sitemap.xml", sitemap_text(f"<url><loc>{page}</loc></url>" for page in pages).encode()

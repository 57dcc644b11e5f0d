"""Publish events as static pages into a folder."""

import gc
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, TextIO
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.http.request import validate_host
from django.utils import translation

from standings.archive.builder import Origin, OvertakenError, site_address
from standings.archive.folder import Folder, Part
from standings.archive.site import EVENT, Site, event_part, public_events
from tournaments.models import Event

TRIES = 3
WIDTH = 28
GARBAGE_THRESHOLD = 100_000
PAUSE = 0.1
"""Seconds between two updates of the progress bar, because terminals are slow."""


class Progress:
    """A progress bar on stderr; `name` is the current item."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.shown = self.stream.isatty()
        self.total, self.done, self.name = total, 0, ""
        self._drawn = 0.0

    def begin(self, name: str) -> None:
        self.name = name
        self._draw(0.0)

    def tell(self, made: int, of: int) -> None:
        if monotonic() - self._drawn >= PAUSE:
            self._draw(made / of if of else 0.0)

    def finish(self) -> None:
        self.done += 1

    def clear(self) -> None:
        if self.shown:  # no escape sequences in log files
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def _draw(self, part: float) -> None:
        if not self.shown:
            return
        self._drawn = monotonic()
        full = min(int(WIDTH * (self.done + part) / max(self.total, 1)), WIDTH)
        bar = "█" * full + "·" * (WIDTH - full)
        self.stream.write(f"\r\x1b[K{bar} {self.done + 1}/{self.total} {self.name}")
        self.stream.flush()


class Command(BaseCommand):
    """`manage.py publish_archive [SLUG…|--all] --out DIR`."""

    help = (
        "Publishes events as static pages that open from a disk or from any web server (docs/archive.md): "
        "each in a folder of its own, or all of them as a site. Only what has changed is made again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", metavar="SLUG", nargs="*", help="events, each in a folder of its own")
        parser.add_argument("--all", action="store_true", dest="everything", help="the whole site")
        parser.add_argument("--out", metavar="DIR", type=Path, required=True)
        parser.add_argument(
            "--base-url",
            default="",
            metavar="URL",
            help="where the folder will stand, for canonical addresses and the sitemap; with --all",
        )
        parser.add_argument("--address", metavar="URL", help="the live site, as https://results.example.org")
        parser.add_argument("--language", choices=list(dict(settings.LANGUAGES)), default="en")
        parser.add_argument("--bagit", action="store_true", help="with SLUG: each as a bag (RFC 8493)")
        parser.add_argument("--prune", action="store_true", help="with --all: delete events no longer public")

    def handle(self, *_: Any, slugs: list[str], everything: bool, out: Path, **options: Any) -> None:
        """Raise CommandError if an event or the folder is not available, or if an event keeps changing."""
        if everything == bool(slugs) or (options["prune"] and not everything):
            raise CommandError("Say which events, or --all for all of them; --prune goes with --all.")
        if everything and options["bagit"]:
            raise CommandError("--bagit makes a bag of each event that you name; the site is none.")
        base = _base(options["base_url"], everything=everything)
        origin, folder = _origin(options["address"]), Folder(out)
        # Pages are mostly objects without cycles: searching them for garbage takes a seventh of the time.
        gc.set_threshold(GARBAGE_THRESHOLD)
        try:
            with translation.override(options["language"]):
                if everything:
                    site = Site(origin._replace(base=base))
                    failed = self._publish_site(folder, site, prune=options["prune"])
                else:
                    events = _chosen(slugs)
                    progress, is_bag = Progress(len(events)), options["bagit"]
                    parts = (event_part(event, origin, progress.tell, is_bag=is_bag) for event in events)
                    failed = self._put(folder, parts, progress)
        except OSError as problem:
            text = f"{problem.filename or out} cannot be written: {problem.strerror}."
            raise CommandError(text) from problem
        if failed:
            raise CommandError(f"Changed while they were made, so not published: {', '.join(failed)}.")

    def _publish_site(self, folder: Folder, site: Site, *, prune: bool) -> list[str]:
        site_parts = site.own_parts()
        progress = Progress(len(site.events) + len(site_parts))
        events = (site.part_of(event, progress.tell) for event in site.events)
        gone = sorted(
            set(folder.parts())
            - {part.name for part in site_parts}
            - {f"{EVENT}{slug}" for slug in site.slugs}
        )
        failed = self._put(folder, (*events, *site_parts), progress, gone if prune else [])
        if gone:
            what = "Deleted" if prune else "No longer public, still in the folder (--prune deletes them)"
            self.stdout.write(f"{what}: {', '.join(name.removeprefix(EVENT) for name in gone)}.")
        return failed

    def _put(
        self, folder: Folder, parts: Iterable[Part], progress: Progress, gone: Iterable[str] = ()
    ) -> list[str]:
        """Write changed parts and delete obsolete files. Return the names of the parts that failed."""
        changed, unchanged, failed = 0, 0, list[str]()
        for part in parts:
            progress.begin(part.name.removeprefix(EVENT))
            try:
                written = 0 if folder.has(part) else put(folder, part)
            except OSError:
                progress.clear()
                if changed:
                    with suppress(OSError):  # parts that do not exist are skipped
                        folder.write_sums()
                raise
            if written is None:
                failed.append(part.name.removeprefix(EVENT))
            elif written:
                changed += 1
            else:
                unchanged += 1
            progress.finish()
        progress.clear()
        # Last, when all new files are written, so that no list links to a deleted page.
        for name in gone:
            folder.take_away(name)
        if changed or gone:
            folder.write_sums()
        self.stdout.write(f"{changed} changed, {unchanged} unchanged.")
        return failed


def put(folder: Folder, part: Part) -> int | None:
    """Return the number of changed files, or None if the event changed during every attempt."""
    # If the event changes meanwhile, the part would mix two versions.
    for _ in range(TRIES):
        with suppress(OvertakenError):
            return folder.put(part)
    return None


def _chosen(slugs: list[str]) -> list[Event]:
    public = {event.slug: event for event in public_events()}
    unknown = [slug for slug in slugs if slug not in public]
    if unknown:
        raise CommandError(f"There is no public event {', '.join(unknown)}.")
    return [public[slug] for slug in dict.fromkeys(slugs)]


def _origin(address: str | None) -> Origin:
    """Return the live site, by default the first allowed host. Raise CommandError for an unknown host."""
    given = urlsplit(address or site_address())
    hosts = settings.ALLOWED_HOSTS
    if given.scheme not in ("http", "https") or not validate_host(given.hostname or "", hosts):
        raise CommandError("Say the live site's own --address, as https://results.example.org.")
    return Origin(given.scheme, given.netloc)


def _base(address: str, *, everything: bool) -> str:
    """Return the URL of a site with a trailing slash. Raise CommandError if it is invalid."""
    parts = urlsplit(address)
    if address and not (
        everything and parts.scheme in ("http", "https") and parts.netloc and not parts.query
    ):
        raise CommandError("Say --base-url with --all, as https://results.example.org/archive/.")
    return f"{address.rstrip('/')}/" if address else ""

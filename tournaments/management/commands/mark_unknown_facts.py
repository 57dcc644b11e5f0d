"""`manage.py mark_unknown_facts`: mark events whose file had no colours or no order of rounds."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.event.document import Document
from tournaments.interchange.formats.file_formats import holds_event, read
from tournaments.models import Event
from tournaments.stored import stored

Arrangement = frozenset[tuple[int, int, int | None]]


class Command(BaseCommand):
    """Reads the stored files of events from earlier releases, which have no marks."""

    help = "Mark stored events whose uploaded file gives no colours or no order of rounds."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Only list the events.")

    def handle(self, *_args: Any, dry_run: bool, **_options: Any) -> None:
        for event, unknown in _unmarked_events():
            self.stdout.write(f"{event.slug}: {', '.join(unknown)}")
            if not dry_run:
                event.unknown = unknown
                event.save(update_fields=["unknown"])


def _unmarked_events() -> Iterator[tuple[Event, list[str]]]:
    """Yield the events with the facts that are missing in their first file.

    Events whose rounds were reordered since then are left out, because the order is known now.
    """
    for event in Event.objects.filter(entrants=Event.Entrants.PLAYERS, unknown=[]).order_by("slug"):
        upload = event.uploads.exclude(applied=None).order_by("applied", "pk").first()
        if upload is None or not upload.file or holds_event(upload.name, bytes(upload.file)):
            continue
        document = stored(event).document
        base = {event.slug: Document(document.event)}
        found = read(upload.name, bytes(upload.file), base.get, into=event.slug).document
        if found and found.event.unknown and _arrangement(found) == _arrangement(document):
            yield event, list(found.event.unknown)


def _arrangement(document: Document) -> Arrangement:
    return frozenset((number, each.first, each.second) for number, each in document.pairings())

"""Export one event, as an event file or as a CSV for spreadsheets."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from standings.downloads import event_csv, event_file
from tournaments.models import Event

FORMATS = {"json": event_file, "csv": event_csv}


class Command(BaseCommand):
    """Write an event to standard output or into a file."""

    help = "Exports an event as an event file (docs/event-file.md), or its standings and results as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which event, in which format, and where to."""
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--format", choices=list(FORMATS), default="json")
        parser.add_argument("--out", metavar="FILE", type=Path, help="Write into this file.")

    def handle(self, *_: Any, slug: str, out: Path | None, **options: Any) -> None:
        """Write the event; CommandError where there is none, or the file cannot be written."""
        try:
            event = Event.objects.select_related("series").get(slug=slug)
        except Event.DoesNotExist:
            raise CommandError(f"There is no event {slug}.") from None
        text = FORMATS[options["format"]](event)
        if out is None:
            self.stdout.write(text, ending="")
            return
        try:
            out.write_text(text, encoding="utf-8", newline="")
        except OSError as problem:
            raise CommandError(f"{out} cannot be written: {problem.strerror}.") from problem

"""Export one event, as an event file or as a CSV for spreadsheets."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from standings.downloads.answers import FORMATS
from tournaments.formats.trf.writing import what_trf_cannot_say
from tournaments.models import Event
from tournaments.stored import stored

WRITERS = {file.ending: file.whole for file in FORMATS}


class Command(BaseCommand):
    """Write an event to standard output or into a file."""

    help = "Exports an event as an event file (docs/event-file.md), or its standings and results as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event, the format and the file."""
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--format", choices=list(WRITERS), default="json")
        parser.add_argument("--out", metavar="FILE", type=Path, help="Write into this file.")

    def handle(self, *_: Any, slug: str, out: Path | None, **options: Any) -> None:
        """Write the event; CommandError where there is none, or the file cannot be written."""
        try:
            event = Event.objects.select_related("series").get(slug=slug)
        except Event.DoesNotExist:
            raise CommandError(f"There is no event {slug}.") from None
        content = WRITERS[options["format"]](event)
        if options["format"] == "trf":
            self._tell_what_others_miss(event)
        if out is None:
            self._print(content)
            return
        try:
            out.write_bytes(content if isinstance(content, bytes) else content.encode())
        except OSError as problem:
            raise CommandError(f"{out} cannot be written: {problem.strerror}.") from problem

    def _tell_what_others_miss(self, event: Event) -> None:
        """Print on standard error what stands in comments only, where a federation's program misses it."""
        if missed := what_trf_cannot_say(stored(event).document.without_drafts()):
            self.stderr.write("In comments only, which other programs skip:")
            for each in missed:
                self.stderr.write(f"- {each}")

    def _print(self, content: str | bytes) -> None:
        """Write to standard output, where only text belongs."""
        # A terminal would take the bytes of a workbook for control codes.
        if isinstance(content, bytes):
            raise CommandError("This is no text to print: say --out FILE.")
        self.stdout.write(content, ending="")

"""Export an event as an event file, as CSV or in another format."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from standings.archive.builder import site_address
from standings.downloads.views import FORMATS, DownloadedEvent
from tournaments.interchange.formats.trf.writing import what_trf_cannot_say
from tournaments.models import Event
from tournaments.operations.revision import present
from tournaments.stored import stored

FORMS = {file.ending: file for file in FORMATS}


class Command(BaseCommand):
    """Write an event to standard output or to a file."""

    help = "Exports an event as an event file (docs/event-file.md), or its standings and results as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--format", choices=list(FORMS), default="json")
        parser.add_argument(
            "--address", metavar="URL", help="The site, as citations and links name it; else SITE_ADDRESS."
        )
        parser.add_argument("--out", metavar="FILE", type=Path, help="Write into this file.")

    def handle(self, *_: Any, slug: str, out: Path | None, **options: Any) -> None:
        """Raise CommandError if the event is unknown or the file cannot be written."""
        try:
            event = present(Event.objects.only("pk").get(slug=slug).pk)
        except Event.DoesNotExist:
            raise CommandError(f"There is no event {slug}.") from None
        form = FORMS[options["format"]]
        if not event.knows_results and not form.fits(event):
            raise CommandError(f"No results of {slug} are recorded, so it cannot be exported as {form.name}.")
        if not form.fits(event):
            raise CommandError(f"Events of {event.discipline} have no {form.name}.")
        site = (options["address"] or site_address()).rstrip("/")
        if form.has_address and not site:
            raise CommandError("Say the site's own --address, as https://results.example.org.")
        address = f"{site}{reverse('event', args=[slug])}"
        content = form.written(DownloadedEvent(event, address, whole=True))
        is_report = options["format"] == "trf"
        if is_report and (missed := what_trf_cannot_say(stored(event).document.without_drafts())):
            # Federations' programs ignore the comments of a report.
            self.stderr.write("In comments only, which other programs skip:")
            for each in missed:
                self.stderr.write(f"- {each}")
        if out is None:
            # Binary formats would be control codes for the terminal.
            if isinstance(content, bytes):
                raise CommandError("This is no text to print: say --out FILE.")
            self.stdout.write(content, ending="")
            return
        try:
            out.write_bytes(content if isinstance(content, bytes) else content.encode())
        except OSError as problem:
            raise CommandError(f"{out} cannot be written: {problem.strerror}.") from problem

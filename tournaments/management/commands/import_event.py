"""Import events from files, folders and archives: differences first, then one transaction per file."""

from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, reset_queries

from tournaments.event.finding import Finding, Place, error, errors
from tournaments.formats.account import Account
from tournaments.formats.options import add_reading_options, options_of
from tournaments.formats.sources import Source, sources
from tournaments.imports.description import lines, summary
from tournaments.imports.proposal import Proposal
from tournaments.recording.imports import ImportRequest, import_file

BAR = 30
IMPORTED, UNCHANGED, FAULTY = "imported", "unchanged", "with errors"


class Command(BaseCommand):
    """Show what each file would change, and store it."""

    help = (
        "Imports events from event files, tournament reports, folders and ZIP archives (docs/import.md), "
        "and with --into tables into an event. Warnings import; a file with errors changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files and how they are imported."""
        parser.add_argument(
            "files", metavar="FILE", nargs="+", type=Path, help="Files, folders or ZIP archives."
        )
        parser.add_argument("--dry-run", action="store_true", help="Show the differences and change nothing.")
        parser.add_argument(
            "--into", metavar="SLUG", default="", help="The event that tables and reports are read into."
        )
        parser.add_argument(
            "--reason", default="", help="Why published results change; the public log shows it."
        )
        parser.add_argument(
            "--accept",
            metavar="REASON",
            default="",
            help="Why a file is imported against the objections to it; kept with the imports of its event.",
        )
        add_reading_options(parser)

    def handle(self, *_: Any, files: list[Path], **options: Any) -> None:
        """Import each file on its own; CommandError, exit code 1, where any had errors."""
        settings = {each: options[each] for each in ("dry_run", "into", "reason", "accept")}
        self.wishes = ImportRequest(**settings, options=options_of(options))
        # All names first: the bar needs their number, and a wrong path is told before anything is stored.
        found, start = list(sources(files)), perf_counter()
        counted = Counter(
            self._turn(source, index, len(found)) for index, source in enumerate(found, start=1)
        )
        self._show_bar("")
        if len(found) > 1:
            seconds = perf_counter() - start
            counts = ", ".join(f"{count} {what}" for what, count in counted.items())
            self.stdout.write(
                f"{len(found)} files: {counts}; {seconds:.1f} s, {len(found) / seconds:.1f} a second"
            )
        if not found:
            raise CommandError("No file with a known ending is there.")
        if counted[FAULTY]:
            raise CommandError(f"{counted[FAULTY]} of {len(found)} files had errors and were not imported.")

    def _turn(self, source: Source, index: int, count: int) -> str:
        """Import one file, report it, and say what became of it."""
        self._show_bar("")
        if count > 1:
            self.stdout.write(f"[{index}/{count}] {source.name}")
        self.changes = False
        findings = self._import(source)
        for finding in findings:
            self.stderr.write(f"{source.name}: {finding}")
        reset_queries()  # under DEBUG they would be kept, and a folder of events fill the memory
        if count > 1:
            done = BAR * index // count
            self._show_bar(f"{'█' * done}{'░' * (BAR - done)} {index}/{count}")
        return FAULTY if errors(findings) else IMPORTED if self.changes else UNCHANGED

    def _show_bar(self, bar: str) -> None:
        """Show how far it is, on a terminal only; a blank takes the bar away."""
        if self.stderr.isatty():
            self.stderr.write(f"\r\x1b[K{bar}", ending="")
            self.stderr.flush()

    def _import(self, source: Source) -> tuple[Finding, ...]:
        content, problem = source.read()
        if problem:
            return (problem,)
        try:
            return import_file(
                source.name, content, announce=self._announce, report=self._report, wishes=self.wishes
            )
        except DatabaseError as refusal:
            text = f"The database refused the event: {refusal}. Nothing of it was stored."
            return (error("refused-by-the-database", Place(), text),)

    def _report(self, account: Account) -> None:
        for count in account:
            self.stdout.write(str(count))

    def _announce(self, proposal: Proposal) -> None:
        self.changes = not proposal.differences.is_empty
        if proposal.stored:  # of a new event everything is new: the summary says how much
            for line in lines(proposal.differences):
                self.stdout.write(line)
        self.stdout.write(f"{proposal.document.event.slug}: {summary(proposal.differences)}")

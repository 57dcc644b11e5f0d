"""Import event files: differences first, then one transaction per file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from tournaments.files.description import lines, summary
from tournaments.files.importing import import_event
from tournaments.files.proposal import Proposal
from tournaments.findings import Finding, Place, error, errors


class Command(BaseCommand):
    """Show what each file would change, and store it."""

    help = "Imports event files (docs/event-file.md). Warnings import; a file with errors changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Files, and whether to stop after showing."""
        parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="Show the differences and change nothing.")

    def handle(self, *_: Any, files: list[Path], dry_run: bool, **__: Any) -> None:
        """Import each file on its own; CommandError, exit code 1, where any had errors."""
        faulty = 0
        for index, file in enumerate(files, start=1):
            if len(files) > 1:
                self.stdout.write(f"[{index}/{len(files)}] {file.name}")
            findings = self._import(file, dry_run=dry_run)
            for finding in findings:
                self.stderr.write(f"{file.name}: {finding}")
            faulty += bool(errors(findings))
        if faulty:
            raise CommandError(f"{faulty} of {len(files)} files had errors and were not imported.")

    def _import(self, file: Path, *, dry_run: bool) -> tuple[Finding, ...]:
        try:
            return import_event(file, announce=self._announce, dry_run=dry_run)
        except DatabaseError as problem:
            text = f"The database refused the event: {problem}. Nothing of it was stored."
            return (error("refused-by-the-database", Place(), text),)

    def _announce(self, proposal: Proposal) -> None:
        if proposal.stored:  # of a new event everything is new: the summary says how much
            for line in lines(proposal.differences):
                self.stdout.write(line)
        self.stdout.write(f"{proposal.document.event.slug}: {summary(proposal.differences)}")

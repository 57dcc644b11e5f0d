"""Import redirects from the URLs of an old site."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.interchange.formats.encodings import decode_text
from tournaments.recording.events.redirects import enter_redirects, read_redirects


class Command(BaseCommand):
    """Print the redirects of a list, and store them."""

    help = (
        "Imports redirects, one `old path,new path or slug` per line (docs/redirects.md): all of them, or "
        "none if there is an error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.csv", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="Check the file without changes.")

    def handle(self, *_: Any, file: Path, dry_run: bool, **__: Any) -> None:
        try:
            text = decode_text(file.read_bytes())[0]
        except OSError as problem:
            raise CommandError(f"{file} cannot be read: {problem.strerror}.") from problem
        redirects = read_redirects(text)
        for each in redirects.faults:
            self.stderr.write(f"{file.name}:{each.line}: {each.text}: {each.fault}")
        if redirects.faults:
            raise CommandError(
                f"{len(redirects.faults)} of {len(redirects.lines)} lines have errors. No changes were made."
            )
        if redirects.lines and not dry_run:
            redirects = enter_redirects(text)
        new, changed, same = (redirects.count(state) for state in ("new", "changed", "same"))
        self.stdout.write(f"{redirects.changes} changes: {new} new, {changed} changed, {same} as they were.")

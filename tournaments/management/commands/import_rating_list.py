"""Import a rating list of FIDE or the FMJD."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.interchange.ratinglists.players import KINDS, SOURCES
from tournaments.interchange.ratinglists.published import NoListError
from tournaments.interchange.ratinglists.storing import import_list

TENTHS = 10


class Command(BaseCommand):
    """Import a list as published; it replaces the previous one."""

    help = (
        "Imports a rating list, as text, XML or CSV, or any of them in a ZIP archive (docs/rating-lists.md)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--source", choices=SOURCES, default="fide", help="Organisation of the list.")
        parser.add_argument("--date", default="", help="First day of validity, such as 2026-05-01.")
        parser.add_argument(
            "--kind", choices=KINDS, default="", help=("For a list with one rating per player.")
        )

    def handle(self, *_: Any, file: Path, source: str, date: str, kind: str, **__: Any) -> None:
        told = 0

        def tell(done: int, parts: int) -> None:
            nonlocal told
            if done * TENTHS // parts > told:
                told = done * TENTHS // parts
                self.stdout.write(f"{told * 100 // TENTHS} %")

        try:
            made = import_list(file, source, date=date, kind=kind, by="import_rating_list", tell=tell)
        except OSError as problem:
            raise CommandError(f"{file} cannot be read, or the list not written: {problem}.") from problem
        except NoListError as problem:
            raise CommandError(f"{problem} No changes were made.") from problem
        for example in made.examples:
            self.stderr.write(f"{file.name}: {example}")
        self.stdout.write(
            f"{made}: {made.rows:,} players, {made.bad:,} rows left out, {made.size / 1_000_000:.0f} MB."
        )

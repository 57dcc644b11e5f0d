"""Delete expired data. Started by a timer while the site runs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from tournaments.operations.upkeep.housekeeping import chores


class Command(BaseCommand):
    """Run every task and print how much it deleted."""

    help = (
        "Deletes what is kept for a while only: sessions, login log, uploads that were never imported, "
        "old files of imports, old backups of events (docs/deployment.md). Nothing of the record goes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="Say how much would go, and change nothing."
        )

    def handle(self, *_: Any, dry_run: bool, **__: Any) -> None:
        """Raise CommandError, exit code 1, after the last task if any task failed."""
        failed = []
        for chore in chores():
            try:
                count = chore.do(dry_run=dry_run)
            except (DatabaseError, OSError) as problem:
                failed.append(f"{chore.about}: {problem}".strip())
                continue
            self.stdout.write(f"{chore.about}: {count} {'would go' if dry_run else 'gone'}")
        if failed:
            raise CommandError("Not everything was done. " + " ".join(failed))

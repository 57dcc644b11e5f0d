"""Bring the lists of persons and teams up to date, after a deploy or the import of an archive."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from standings.careers.tallies import refresh_all


class Command(BaseCommand):
    """Count and tally until nothing is left; any number of times, beside the running site."""

    help = (
        "Counts the medals of events, and tallies persons and teams, for their lists. Readers' lists do it"
        " bit by bit; after a deploy or many imports this does all of it at once (docs/deployment.md)."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        """Do all that is left; CommandError, exit code 1, where others keep writing to the same events."""
        left = refresh_all(self._tell)
        if left:
            raise CommandError(f"{left} are being written to by others: run this again later.")
        self.stdout.write("The lists of persons and teams are up to date.")

    def _tell(self, left: int) -> None:
        self.stdout.write(f"{left} left")

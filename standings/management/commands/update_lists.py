"""Update the lists of persons and teams, after a deployment or the import of an archive."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from standings.careers.medals import refresh_all


class Command(BaseCommand):
    """Can run repeatedly and while the site runs."""

    help = (
        "Counts the medals of events, and tallies persons and teams, for their lists. Readers' lists do it"
        " bit by bit; after a deploy or many imports this does all of it at once (docs/deployment.md)."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        """Raise CommandError, exit code 1, if the same events are written to all the time."""
        left = refresh_all(lambda left: self.stdout.write(f"{left} left"))
        if left:
            raise CommandError(f"{left} are being written to by others: run this again later.")
        self.stdout.write("The lists of persons and teams are up to date.")

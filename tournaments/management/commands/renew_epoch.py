"""Begin a new epoch, after a restore: nothing that was served or kept before is taken for fresh."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.epoch import renew_epoch


class Command(BaseCommand):
    """Makes every kept page, standing and archive be made anew, and every open page and form ask again."""

    help = "Begin a new epoch; run it after a backup was restored (docs/deployment.md)."

    def handle(self, *_: Any, **__: Any) -> None:
        """Print the new epoch."""
        self.stdout.write(renew_epoch())

"""Start a new epoch after a restore, so that no cached response is considered fresh."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.operations.epoch import renew_epoch


class Command(BaseCommand):
    """Invalidates all cached pages, standings and archives, and all open pages and forms."""

    help = "Begin a new epoch; run it after a backup was restored (docs/deployment.md)."

    def handle(self, *_: Any, **__: Any) -> None:
        self.stdout.write(renew_epoch())

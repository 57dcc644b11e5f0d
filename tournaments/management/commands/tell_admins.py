"""Mail the admins about a failed unit of systemd; started by crosstable-failed@.service."""

import subprocess
from argparse import ArgumentParser
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import mail_admins
from django.core.management.base import BaseCommand, CommandError

LINES = 40
SECONDS = 20


class Command(BaseCommand):
    """Mail the last log lines of the unit."""

    help = "Mails ADMINS that a unit has failed, with its last lines in the journal; or prints them only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("unit", metavar="UNIT")

    def handle(self, *_: Any, unit: str, **__: Any) -> None:
        text = f"{unit} has failed. Its last lines:\n\n{_last_lines(unit)}"
        self.stderr.write(text)
        if not settings.ADMINS:
            return
        try:
            mail_admins(f"Crosstable: {unit} has failed", text)
        except (SMTPException, OSError) as problem:
            raise CommandError(f"Could not email the admins: {problem}") from problem


def _last_lines(unit: str) -> str:
    command = ["journalctl", "--no-pager", f"--lines={LINES}", f"--unit={unit}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603 - no shell
    except (OSError, subprocess.TimeoutExpired) as problem:
        return f"(no journal: {problem})"
    return done.stdout or done.stderr

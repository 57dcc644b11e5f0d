"""Load real events and two accounts, to look around in."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.crypto import get_random_string

from tournaments.admin.permissions import Role
from tournaments.event.finding import errors
from tournaments.imports.description import summary
from tournaments.imports.proposal import Proposal
from tournaments.models import Event, LinkProposal
from tournaments.recording.imports import import_event
from tournaments.recording.people.deciding import confirm

EVENT_FILES = Path(__file__).resolve().parents[2] / "demo"
ACCOUNTS = {"arbiter": Role.ARBITER, "organiser": Role.ORGANISER}
"""Demo accounts, and the group that gives each its permissions."""

SAME_PEOPLE = ("Pierre Ghestem", "Piet Roozenburg")
"""Players of the events of 1947 and 1948 who are the same."""

SAME_SOURCE = (
    "One collection writes both names alike, of two events at the top of draughts a year apart: "
    "github.com/clpippel/tiebreak, gamefiles/1947-Vierkamp-Den-Haag.csv and 1948-wereldkampioenschap-KNDB.csv"
)

UNMISTAKABLE = "abcdefghjkmnpqrstuvwxyz23456789"
"""Signs of a password that is typed off a screen: no 1 beside l and I, no 0 beside O."""


class Command(BaseCommand):
    """Import the demo events and make an arbiter and an organiser, any number of times."""

    help = "Loads the demo events and makes the accounts arbiter and organiser with fresh passwords."

    def handle(self, *_: Any, **__: Any) -> None:
        """Load everything; CommandError outside a laptop, where accounts of known names have no place."""
        # Names that everybody knows, and passwords that may stay on a screen.
        if not settings.DEBUG:
            raise CommandError("The demo is for a laptop: it makes accounts. Set DEBUG=1 to load it.")
        slugs = [self._load(file) for file in sorted(EVENT_FILES.glob("*.json"))]
        for person in self._link(slugs):
            self.stdout.write(f"{person}: linked over events")
        with transaction.atomic():
            passwords = {name: self._account(name, group, slugs) for name, group in ACCOUNTS.items()}
        self.stdout.write("The desk is at /admin/ of the site. Accounts and their passwords:")
        for name, password in passwords.items():
            self.stdout.write(f"{name}: {password}")

    def _load(self, file: Path) -> str:
        """Import one file and return the slug of its event."""

        def announce(proposal: Proposal) -> None:
            self.stdout.write(f"{proposal.document.event.slug}: {summary(proposal.differences)}")

        if found := errors(import_event(file, announce=announce)):
            raise CommandError(f"{file.name}: {found[0]}")
        return file.stem

    def _link(self, slugs: list[str]) -> list[str]:
        """Confirm the links that sources tell and no id does, and return the names of whose they are.

        A name alone links nobody by itself (docs/people.md).
        """
        told = []
        for proposal in LinkProposal.objects.filter(event__slug__in=slugs, competitor__name__in=SAME_PEOPLE):
            name = proposal.competitor.name if proposal.competitor else ""
            confirm(proposal, "manage.py demo", SAME_SOURCE)
            told.append(name)
        return told

    def _account(self, name: str, group: str, slugs: list[str]) -> str:
        """Make or reset an account and return its new password."""
        password = get_random_string(16, UNMISTAKABLE)
        account, _ = get_user_model().objects.get_or_create(username=name)
        account.set_password(password)
        account.is_staff = True
        account.save(update_fields=["password", "is_staff"])
        account.groups.add(Group.objects.get_or_create(name=group)[0])
        if name == "arbiter":
            for event in Event.objects.filter(slug__in=slugs):
                event.arbiters.add(account)
        return password

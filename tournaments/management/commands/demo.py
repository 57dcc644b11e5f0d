"""Load real events and two accounts for a demo."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import get_random_string

from tournaments.accounts.services.roles import Role
from tournaments.event.finding import errors
from tournaments.interchange.imports.description import summary
from tournaments.interchange.imports.import_diff import ImportDiff
from tournaments.models import Event, LinkProposal
from tournaments.people.services.decisions import confirm
from tournaments.recording.imports.importing import import_event

EVENT_FILES = sorted((Path(__file__).resolve().parents[2] / "demo").glob("*.json"))
ACCOUNTS = {"arbiter": Role.ARBITER, "organiser": Role.ORGANISER}
"""Demo accounts, and the group with their permissions."""

SAME_PEOPLE = ("Pierre Ghestem", "Piet Roozenburg")
"""Players who are the same person in the events of 1947 and 1948."""

SAME_SOURCE = (
    "One collection writes both names alike, of two events at the top of draughts a year apart: "
    "github.com/clpippel/tiebreak, gamefiles/1947-Vierkamp-Den-Haag.csv and 1948-wereldkampioenschap-KNDB.csv"
)

UNMISTAKABLE = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters for passwords that are typed off a screen: no 1, l and I, and no 0 and O."""

COMMAND = (
    "DEBUG=1 .venv/bin/python manage.py demo" if settings.SHARE == settings.BASE_DIR else "crosstable demo"
)


class Command(BaseCommand):
    """Import the demo events, then create the accounts arbiter and organiser.

    The accounts are created last, in one transaction. If one of them exists, an earlier run loaded all
    events, and this run does not restore what the user has changed or deleted since then. If there are no
    accounts, an earlier run was interrupted, and this run loads the events that are missing.
    """

    help = (
        "Loads the demo events and creates the accounts arbiter and organiser. A second run makes no changes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--restore", action="store_true", help="import all demo events again")
        parser.add_argument(
            "--reset-passwords", action="store_true", help="give the accounts new passwords and print them"
        )

    def handle(self, *_: Any, restore: bool, reset_passwords: bool, **__: Any) -> None:
        # The names of the accounts are public, and passwords may remain on a screen.
        if settings.HTTPS:
            raise CommandError("The demo is for a laptop: it makes accounts. Set DEBUG=1 to load it.")
        loaded = User.objects.filter(username__in=ACCOUNTS).exists()
        if loaded and not restore:
            self.stdout.write(
                f"The demo events exist already and are not changed. To restore them:\n  {COMMAND} --restore"
            )
        else:
            self._load(restore=restore)
        if loaded and not reset_passwords:
            self.stdout.write(
                "The desk is at /admin/ of the site. The passwords of arbiter and organiser are not changed. "
                f"To set new ones:\n  {COMMAND} --reset-passwords"
            )
        else:
            self._set_passwords()

    def _load(self, *, restore: bool) -> None:
        stored = set() if restore else set(_demo_events().values_list("slug", flat=True))
        for file in EVENT_FILES:
            if file.stem not in stored:
                self._import(file)
        # Links that are known from sources but not by id. Persons are never linked automatically by name
        # only (docs/people.md).
        for proposal in LinkProposal.objects.filter(
            event__in=_demo_events(), competitor__name__in=SAME_PEOPLE
        ).select_related("competitor"):
            confirm(proposal, "manage.py demo", SAME_SOURCE)
            self.stdout.write(f"{proposal.competitor}: linked over events")
        for arbiter in User.objects.filter(username="arbiter"):
            _make_arbiter(arbiter)

    def _import(self, file: Path) -> None:
        def announce(diff: ImportDiff) -> None:
            self.stdout.write(f"{diff.document.event.slug}: {summary(diff.differences)}")

        if found := errors(import_event(file, announce=announce)):
            raise CommandError(f"{file.name}: {found[0]}")

    @transaction.atomic
    def _set_passwords(self) -> None:
        self.stdout.write("The desk is at /admin/ of the site. Accounts and their passwords:")
        for name, group in ACCOUNTS.items():
            password = get_random_string(16, UNMISTAKABLE)
            account, created = User.objects.get_or_create(username=name, defaults={"is_staff": True})
            account.set_password(password)
            account.save(update_fields=["password"])
            if created:
                account.groups.add(Group.objects.get_or_create(name=group)[0])
            if created and name == "arbiter":
                _make_arbiter(account)
            self.stdout.write(f"{name}: {password}")
        # Printed before the commit, so that no stored password is ever lost.
        self.stdout.flush()


def _demo_events() -> QuerySet[Event]:
    return Event.objects.filter(slug__in=[file.stem for file in EVENT_FILES])


def _make_arbiter(account: User) -> None:
    for event in _demo_events():
        event.arbiters.add(account)

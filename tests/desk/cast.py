"""The people of the desk's tests, and one row of everything, in an event of the arbiter's own."""

from dataclasses import dataclass

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import Group, User
from django.db.models import Model
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.cast import create_player_event, create_team_event
from tournaments.admin.permissions import Role
from tournaments.models import (
    Acknowledgement,
    Change,
    Competitor,
    Event,
    ManualTiebreak,
    Override,
    Pairing,
    Published,
    Redirect,
    Round,
    Series,
)
from tournaments.recording.backups import back_up
from tournaments.recording.imports import keep_upload

PASSWORD = "a long enough password"


def create_account(name: str, role: Role | None = None, *, superuser: bool = False) -> User:
    """A member of staff, in a role or none."""
    account = User.objects.create_user(name, password=PASSWORD, is_staff=True, is_superuser=superuser)
    if role:
        account.groups.add(Group.objects.get(name=role))
    return account


def browser_of(account: User | None) -> Client:
    """A client that is logged in as the account, by cookie only."""
    client = Client()
    if account:
        client.force_login(account)
    return client


@dataclass
class Desk:
    """Two events, each with an arbiter of its own, an organiser and a superuser."""

    event: Event
    other_event: Event
    people: dict[str, User]
    rows: dict[str, Model]

    def browser(self, name: str) -> Client:
        """The browser of one of them."""
        return browser_of(self.people.get(name))


def create_desk() -> Desk:
    """The team event is the arbiter's, the players' event is the other arbiter's."""
    event, other_event = create_team_event(), create_player_event()
    people = {
        "other": create_account("olga", Role.ARBITER),
        "arbiter": create_account("anna", Role.ARBITER),
        "organiser": create_account("otto", Role.ORGANISER),
        "superuser": create_account("sara", superuser=True),
    }
    event.arbiters.add(people["arbiter"])
    other_event.arbiters.add(people["other"])
    return Desk(event, other_event, people, _rows(event, people["arbiter"]))


def _rows(event: Event, account: User) -> dict[str, Model]:
    """One row of each model that the admin shows, by the model's name in addresses."""
    competitor = Competitor.objects.get(event=event, number=1)
    ruling = {"event": event, "reason": "Seen by the arbiter.", "by": "anna"}
    login = {"username": "anna", "ip_address": "192.0.2.1", "path_info": "/admin/login/"}
    return {
        "event": event,
        "series": Series.objects.get(slug="cup"),
        "redirect": Redirect.objects.create(path="/history", target="/codes/"),
        "competitor": competitor,
        "round": Round.objects.get(event=event, number=2),
        "pairing": Pairing.objects.get(round__event=event, table=1),
        "manualtiebreak": ManualTiebreak.objects.create(competitor=competitor, number=1),
        "override": Override.objects.create(
            number=1, kind=Override.Kind.PLACE, competitor=competitor, place=1, **ruling
        ),
        "change": Change.objects.create(round=1, table=1, was="2-0", now="1-1", **ruling),
        "acknowledgement": Acknowledgement.objects.create(finding="rematch", **ruling),
        "backup": back_up(event, account, "To be sure."),
        "upload": keep_upload(event, "list.csv", b"Name;Rating\nReds;2000\n", "anna"),
        "published": Published.objects.create(event=event, source="A booklet."),
        "user": account,
        "accessattempt": AccessAttempt.objects.create(
            failures_since_start=1, get_data="", post_data="", **login
        ),
        "accesslog": AccessLog.objects.create(**login),
        "accessfailurelog": AccessFailureLog.objects.create(**login),
    }


def give_second_factor(account: User) -> TOTPDevice:
    """An authenticator for the account."""
    return TOTPDevice.objects.create(user=account, name="authenticator")

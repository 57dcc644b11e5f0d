"""Changes to accounts by organisers and superusers. Each is logged, for the page of the account."""

from collections.abc import Iterable
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.accounts.services.roles import Role
from tournaments.accounts.services.second_factor import remove_second_factor
from tournaments.accounts.services.sessions import end_access
from tournaments.models import Event
from tournaments.recording.locking import lock_event


def log_change(by: User, account: User, text: str) -> None:
    # Log entries are permanent, so the text must not contain mail addresses or links.
    rows = User.objects.filter(pk=account.pk)
    LogEntry.objects.log_actions(by.pk, rows, CHANGE, text, single_object=True)


@transaction.atomic
def create_account(by: User, values: dict[str, Any]) -> User:
    """Create an account without a password from the values of an InvitationForm."""
    names = {name: values[name] for name in ("username", "first_name", "last_name", "email")}
    account = User(**names, is_staff=True)
    account.set_unusable_password()
    account.save()
    account.groups.add(Group.objects.get(name=values["role"]))
    log_change(by, account, _("Invited, as %(role)s.") % {"role": values["role"].lower()})
    assign_events(by, account, values["events"])
    return account


def change_email(by: User, account: User, email: str) -> None:
    if email != account.email:
        account.email = email
        account.save(update_fields=["email"])
        log_change(by, account, _("Changed the mail address."))


def assign_events(by: User, account: User, chosen: Iterable[Event]) -> None:
    """Make these the events of the account. An account without a role becomes an arbiter."""
    before, after = set(account.events.all()), set(chosen)
    for event in sorted(before ^ after, key=lambda event: event.pk):
        with lock_event(event, lent=True) as locked:  # arbiters are those of this site
            if event in after:
                locked.arbiters.add(account)
                text = _("Made arbiter of %(event)s.")
            else:
                locked.arbiters.remove(account)
                text = _("No arbiter of %(event)s any more.")
            log_change(by, account, text % {"event": event.slug})
    if after and not account.groups.exists():
        account.groups.add(Group.objects.get(name=Role.ARBITER))


def set_active(by: User, account: User, *, is_active: bool) -> None:
    account.is_active = is_active
    account.save(update_fields=["is_active"])
    if not is_active:
        end_access(account)
    log_change(by, account, _("Opened the account again.") if is_active else _("Closed the account."))


def reset_second_factor(by: User, account: User) -> None:
    remove_second_factor(account)
    end_access(account)
    log_change(by, account, _("Took the second factor away."))


def expire_invitations(by: User, account: User) -> None:
    """Let older links expire if the account has no password yet, and log that there is a new link."""
    if not account.has_usable_password():
        account.set_unusable_password()
        account.save(update_fields=["password"])
    log_change(by, account, _("Made a link that sets a password."))

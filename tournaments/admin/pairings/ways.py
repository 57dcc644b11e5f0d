"""Links from doubts about a round to the screens that resolve them."""

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.permissions import may_publish
from tournaments.models import Event, Round
from tournaments.recording.pairings.unusual import Doubt


class LinkedDoubt(NamedTuple):
    """A doubt, and a link to the screen that resolves it.

    Label and address are blank if there is no such screen.
    """

    doubt: Doubt
    label: str
    address: str


def linked_doubts(
    event: Event, doubts: Sequence[Doubt], user: User, round_: Round | None = None
) -> list[LinkedDoubt]:
    date = ("tournaments_round_change", round_.pk) if round_ else ("event-rounds", event.pk)
    ways: dict[str, tuple[str, str, tuple[object, ...]]] = {
        "start-order": (_("Register"), "event-register", (event.pk,)),
        "missing-results": (_("Rounds"), "event-rounds", (event.pk,)),
        "unknown-results": (_("Rounds"), "event-rounds", (event.pk,)),
        "no-date": (_("Set the date"), date[0], date[1:]),
    }
    if may_publish(user, event):
        ways["not-public"] = (_("Set the event live"), "event-publish", (event.pk, Event.State.LIVE))
    found = []
    for each in doubts:
        label, name, args = ways.get(each.code, ("", "", ()))
        found.append(LinkedDoubt(each, label, reverse(f"admin:{name}", args=args) if name else ""))
    return found

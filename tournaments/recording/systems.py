"""The ranking system of an event, chosen or replaced; and which systems suit it."""

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from standings.engine import SYSTEMS, RankingSystem
from tournaments.models import Event, Override
from tournaments.recording.refusal import Refused
from tournaments.recording.turns import compare, in_turn, save


def choose_system(event: Event, code: str, seen: int, by: User) -> Event:
    """Rank the event by another system, with the list of criteria that the system starts with.

    Conflict where the event has changed. Refused while an override gives the event a list of its own: it
    would stand above the new system as well.
    """
    with in_turn(event) as now:
        compare(now, seen)
        if code not in SYSTEMS:
            raise Refused(_("There is no ranking system “%(code)s”. Take one of the list.") % {"code": code})
        if code == now.system:
            raise Refused(_("This is the system that the event has. Choose another one, or leave it."))
        ruled = criteria_override(now)
        if ruled:
            raise Refused(
                _("Override %(number)s gives this event a list of its own. Undo it first.")
                % {"number": ruled.number}
            )
        now.system, now.criteria = code, []
        save(now, by)
    return now


def criteria_override(event: Event) -> Override | None:
    """The override whose list of criteria is in force: the last one that is not undone; one query."""
    rulings = event.overrides.filter(kind=Override.Kind.CRITERIA, undone_by=None)
    return rulings.order_by("-number").first()


def suits(system: RankingSystem, event: Event) -> bool:
    """Whether the system is made for events of this schedule, these entrants and this discipline."""
    if event.is_round_robin:
        return system.code == "manual-round-robin" or (event.is_team and system.code == "league")
    if system.code.startswith("fmjd-"):
        return event.discipline != "chess"
    return system.code == "manual-swiss" or (event.is_team and system.code != "manual-round-robin")

"""The ranking system of an event, chosen or replaced; and which systems suit it."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from standings.engine import SYSTEMS, RankingSystem, UnknownCriterionError, get
from tournaments.event.judging import system_of
from tournaments.models import Event
from tournaments.recording.refusal import Refused
from tournaments.recording.rules import change_rules, refuse_older_list
from tournaments.recording.turns import in_turn


def choose_system(
    event: Event, code: str, seen: int, by: User, reason: str = "", after: int | None = None
) -> Event:
    """Rank the event by another system, with the list of criteria that the system starts with.

    Once there is a result, with a reason and a record of kind `rules`. Conflict where the event has changed.
    Refused while an older override gives the event a list of its own: it would stand above the new system.
    """
    with in_turn(event) as now:
        if code not in SYSTEMS:
            raise Refused(_("There is no ranking system “%(code)s”. Take one of the list.") % {"code": code})
        if code == now.system:
            raise Refused(_("This is the system that the event has. Choose another one, or leave it."))
        refuse_older_list(now)
        change_rules(now, {"system": code, "criteria": []}, by, reason, after, seen)
    return now


def suits(system: RankingSystem, event: Event) -> bool:
    """Say whether the system is made for events of this schedule, these entrants and this discipline."""
    return system.suits(
        round_robin=event.is_round_robin, teams=event.is_team, chess=event.discipline == "chess"
    )


def order_criteria(
    event: Event, criteria: Sequence[str], seen: int, by: User, reason: str = "", after: int | None = None
) -> Event:
    """Give an event of an open system its criteria; with a reason, and a record, once there is a result.

    Conflict where the event has changed.
    """
    with in_turn(event) as now:
        if system_of(now).frozen:
            raise Refused(
                _("The criteria of this system are fixed. The one way out is an override with a reason.")
            )
        change_rules(now, {"criteria": known_criteria(criteria)}, by, reason, after, seen)
    return now


def known_criteria(criteria: Sequence[str]) -> list[str]:
    """Return the codes as a list; Refused where one is none, stands twice, or there are none at all."""
    codes = list(criteria)
    if not codes:
        raise Refused(_("A list of criteria has at least one. Add the score."))
    if len(set(codes)) < len(codes):
        raise Refused(_("A criterion stands twice in the list. Take one of the two out."))
    for code in codes:
        _known(code)
    return codes


def _known(code: str) -> None:
    try:
        get(code)
    except UnknownCriterionError as unknown:
        raise Refused(_("“%(code)s” is no criterion. Take one of the list.") % {"code": code}) from unknown

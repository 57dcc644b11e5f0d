"""The ranking system of an event, chosen or replaced; and which systems suit it."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from standings.engine import (
    POLICIES,
    SYSTEMS,
    RankingSystem,
    UnknownCriterionError,
    edition_of,
    get_criterion,
)
from tournaments.event.judging import system_of
from tournaments.models import Event
from tournaments.recording.refusal import Refused
from tournaments.recording.rules import change_rules, refuse_older_list
from tournaments.recording.turns import in_turn

FIDE_POLICIES = tuple(code for code, policy in POLICIES.items() if policy.dummy)
"""The editions of FIDE's C.07, as policies for unplayed rounds, the oldest first."""


def choose_system(
    event: Event,
    code: str,
    seen: int,
    by: User,
    reason: str = "",
    after: int | None = None,
    edition: str = "",
) -> Event:
    """Rank the event by another system, with the list of criteria that the system starts with.

    Of FIDE's systems in an edition of the rules, the one of the event's start unless another is given; the
    system that the event has can be chosen again in another edition, and then keeps the event's list. Once
    there is a result, with a reason and a record of kind `rules`. Conflict where the event has changed.
    Refused while an older override gives the event a list of its own: it would stand above the new system.
    """
    with in_turn(event) as now:
        settings = settings_of_system(now, code, edition)
        if code == now.system and not SYSTEMS[code].chess:
            raise Refused(_("This is the system that the event has. Choose another one, or leave it."))
        refuse_older_list(now)
        change_rules(now, settings, by, reason, after, seen)
    return now


def settings_of_system(event: Event, code: str, edition: str = "") -> dict[str, Any]:
    """Return the settings with which an event takes up a system; Refused where there is no such system."""
    if code not in SYSTEMS:
        raise Refused(_("There is no ranking system “%(code)s”. Take one of the list.") % {"code": code})
    if edition and edition not in FIDE_POLICIES:
        raise Refused(_("There is no edition “%(code)s”. Take one of the list.") % {"code": edition})
    # An edition of FIDE's rules belongs to its systems: the next system has a policy of its own.
    unplayed = "" if event.unplayed in FIDE_POLICIES else event.unplayed
    if SYSTEMS[code].chess:
        unplayed = edition or edition_of(event.start).code
        if code == event.system:
            return {"unplayed": unplayed}
    return {"system": code, "criteria": [], "unplayed": unplayed}


def fide_system(event: Event) -> RankingSystem | None:
    """Return FIDE's system for events of this kind; None where no chess is played."""
    return next((each for each in SYSTEMS.values() if each.chess and suits(each, event)), None)


def edition_in_force(event: Event) -> str:
    """Return the edition of FIDE's rules by which unplayed rounds count; blank where others do."""
    policy = event.unplayed or SYSTEMS[event.system].unplayed.code
    return policy if policy in FIDE_POLICIES else ""


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
    """Return the codes as they are stored, `BH/C1` for `BH-C1`.

    Refused where one is none, stands twice, or there are none at all.
    """
    codes = list(map(_known, criteria))
    if not codes:
        raise Refused(_("A list of criteria has at least one. Add the score."))
    if len(set(codes)) < len(codes):
        raise Refused(_("A criterion stands twice in the list. Take one of the two out."))
    return codes


def _known(code: str) -> str:
    try:
        return get_criterion(code).code
    except UnknownCriterionError as unknown:
        raise Refused(str(unknown)) from unknown

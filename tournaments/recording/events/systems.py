"""Choose and replace the ranking system of an event."""

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
from tournaments.recording.events.rules import change_rules, refuse_older_list
from tournaments.recording.locking import lock_event
from tournaments.recording.refusal import Refused

FIDE_POLICIES = tuple(code for code, policy in POLICIES.items() if policy.dummy)
"""Policies for unplayed rounds of FIDE's C.07, oldest edition first."""


def choose_system(
    event: Event,
    code: str,
    seen: int,
    by: User,
    reason: str = "",
    after: int | None = None,
    edition: str = "",
) -> Event:
    """Change the ranking system, with the system's initial list of criteria.

    For FIDE's systems the edition defaults to that of the event's start. Choosing the same system in
    another edition keeps the list of criteria. Needs a reason and an override of kind `rules` if there are
    results. Raise Conflict if the event has changed, Refused while an older override sets a list of
    criteria, because it would take precedence.
    """
    with lock_event(event) as now:
        settings = settings_of_system(now, code, edition)
        if code == now.system and not SYSTEMS[code].chess:
            raise Refused(_("This is the system that the event has. Choose another one, or leave it."))
        refuse_older_list(now)
        change_rules(now, settings, by, reason, after, seen)
    return now


def settings_of_system(event: Event, code: str, edition: str = "") -> dict[str, Any]:
    """Return the settings for a system. Raise Refused if the system does not exist."""
    if code not in SYSTEMS:
        raise Refused(_("There is no ranking system “%(code)s”. Choose one from the list.") % {"code": code})
    if edition and edition not in FIDE_POLICIES:
        raise Refused(_("There is no edition “%(code)s”. Choose one from the list.") % {"code": edition})
    # An edition of FIDE's rules applies only to FIDE's systems.
    unplayed = "" if event.unplayed in FIDE_POLICIES else event.unplayed
    if SYSTEMS[code].chess:
        unplayed = edition or edition_of(event.start).code
        if code == event.system:
            return {"unplayed": unplayed}
    return {"system": code, "criteria": [], "unplayed": unplayed}


def fide_system(event: Event) -> RankingSystem | None:
    return next((each for each in SYSTEMS.values() if each.chess and suits(each, event)), None)


def edition_in_force(event: Event) -> str:
    """Return the edition of FIDE's rules for unplayed rounds. Blank if other rules apply."""
    policy = event.unplayed or SYSTEMS[event.system].unplayed.code
    return policy if policy in FIDE_POLICIES else ""


def suits(system: RankingSystem, event: Event) -> bool:
    return system.suits(
        round_robin=event.is_round_robin, teams=event.is_team, chess=event.discipline == "chess"
    )


def order_criteria(
    event: Event, criteria: Sequence[str], seen: int, by: User, reason: str = "", after: int | None = None
) -> Event:
    """Set the criteria of an event with an open system. Needs a reason and an override if there are results.

    Raise Conflict if the event has changed.
    """
    with lock_event(event) as now:
        if system_of(now).frozen:
            raise Refused(
                _("The criteria of this system are fixed. To change them, make an override with a reason.")
            )
        change_rules(now, {"criteria": stored_codes(criteria)}, by, reason, after, seen)
    return now


def stored_codes(criteria: Sequence[str]) -> list[str]:
    """Return the codes in stored form, for example `BH/C1` for `BH-C1`.

    Raise Refused for an unknown code, a duplicate or an empty list.
    """
    try:
        codes = [get_criterion(each).code for each in criteria]
    except UnknownCriterionError as unknown:
        raise Refused(str(unknown)) from unknown
    if not codes:
        raise Refused(_("A list of criteria has at least one. Add the score."))
    if len(set(codes)) < len(codes):
        raise Refused(_("A criterion is in the list twice. Remove one of the two."))
    return codes

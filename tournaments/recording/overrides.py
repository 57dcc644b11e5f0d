"""Overrides of computed values: added with a reason, undone by another record, never changed."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import cast

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from standings.engine import Standings
from tournaments.crosstable import judge
from tournaments.event.checks.rulings import exact_level, fault_of_value
from tournaments.event.choices import ALONE, Kind, is_settled
from tournaments.event.judging import system_of
from tournaments.models import Event, Override, Pairing
from tournaments.recording.corrections import is_built_upon
from tournaments.recording.events.rules import change_rules, first_round, undo_change
from tournaments.recording.events.systems import stored_codes
from tournaments.recording.locking import add, add_override, lock_event, name_of_user
from tournaments.recording.pairings.by_hand import (
    Seats,
    competitor_numbered,
    competitors_by_number,
    reseat,
    round_off,
    tables_after,
)
from tournaments.recording.refusal import Refused, required
from tournaments.recording.teams.match_scores import has_result

_SEATS = re.compile(rf"(\d+)(?:-(\d+)| ({'|'.join(ALONE)}))")
_QUARTERS = {"¼": ".25", "½": ".5", "¾": ".75"}


def override_value(
    event: Event,
    competitor: int,
    criterion: str,
    value: Sequence[str],
    by: User,
    reason: str,
    after: int | None = None,
) -> Override:
    """Replace one criterion's value of a competitor. `value`: its levels as typed: `372½`, `372.5`, `6/4`."""
    with lock_event(event) as now:
        reason_text = required(reason)
        after = first_round(now, after)
        row = competitor_numbered(competitors_by_number(now), competitor)
        exact = [_exact_value(level) for level in value]
        if not exact:
            raise Refused(_("Type the value, such as 372½."))
        standings = judge(now).after(after)
        if criterion not in standings.criteria:
            raise Refused(
                _("This event does not use the criterion “%(code)s”. Choose a criterion from its list.")
                % {"code": criterion}
            )
        for level in exact:
            if fault := fault_of_value(criterion, Fraction(level)):
                raise Refused(fault)
        # The value without earlier overrides, because readers compare with the computed value.
        computed = standings.column(criterion).as_computed
        was = computed.text(_row_of_number(standings, competitor))
        return add_override(
            now, Override.Kind.VALUE, name_of_user(by), reason_text,
            competitor=row, criterion=criterion, levels=exact, was=was[:200], after=after,
        )  # fmt: skip


def override_place(
    event: Event, competitor: int, place: int, by: User, reason: str, after: int | None = None
) -> Override:
    """Set the place of a competitor. ADR 0019 describes the effect on the others."""
    with lock_event(event) as now:
        reason_text = required(reason)
        after = first_round(now, after)
        members = competitors_by_number(now)
        row, last = competitor_numbered(members, competitor), len(members)
        if not 1 <= place <= last:
            raise Refused(_("There are places 1 to %(last)s. Correct the place.") % {"last": last})
        standings = judge(now).after(after).as_computed
        computed_place = int(standings.place[_row_of_number(standings, competitor)])
        return add_override(
            now, Override.Kind.PLACE, name_of_user(by), reason_text,
            competitor=row, place=place, was=str(computed_place or "-"), after=after,
        )  # fmt: skip


def override_criteria(
    event: Event, criteria: Sequence[str], by: User, reason: str, after: int | None = None
) -> Override:
    """Set an own list of criteria for an event of a frozen system, by an override of kind `rules`.

    Raise Refused for other systems, where the list is a setting.
    """
    with lock_event(event) as now:
        reason_text = required(reason)
        if not system_of(now).frozen:
            raise Refused(_("The criteria of this system are a setting of the event. Order them there."))
        made = change_rules(now, {"criteria": stored_codes(criteria)}, by, reason_text, after)
        return cast("Override", made)  # another list in a frozen system always needs an override


def undo_override(override: Override, by: User, reason: str) -> list[Override]:
    """Undo an override by further records, and return these.

    For a pairing, all tables that were changed in the same act get their former competitors. For a change
    of the rules, the former rules are restored. Raise Refused if results depend on the override, or if it
    is undone or an undo itself.
    """
    with lock_event(override.event) as event:
        reason_text = required(reason)
        if override.kind == Override.Kind.REWIND:
            raise Refused(_("This cannot be undone here. Restore the backup made before it as a copy."))
        if override.kind == Override.Kind.UNDO:
            raise Refused(_("An undoing is not undone. Make the override again, with its reason."))
        if event.overrides.filter(undoes=override.pk).exists():
            raise Refused(_("Override %(number)s is undone already.") % {"number": override.number})
        undone = [override]
        if override.kind == Override.Kind.PAIRING:
            # Only the time identifies the overrides of one act.
            acts = event.overrides.filter(kind=override.kind, round=override.round, at=override.at)
            undone = list(acts.filter(undone_by=None).order_by("number"))
            _restore_seats(event, undone, by, reason_text)
        if override.kind == Override.Kind.RULES:
            return [undo_change(event, override, by, reason_text)]
        return [
            add_override(event, Override.Kind.UNDO, name_of_user(by), reason_text, undoes=each)
            for each in undone
        ]


# --- values -----------------------------------------------------------------------------------------------


def _exact_value(level: str) -> str:
    # Not a float: quarters are exact decimals, and ratios stay ratios.
    decimal_text = level.strip().replace(",", ".")
    for sign, decimal in _QUARTERS.items():
        decimal_text = decimal_text.replace(sign, decimal)
    if exact_level(decimal_text) is None:
        raise Refused(
            _("“%(value)s” is not an exact value. Type 372½, 372.5, or a ratio such as 6/4.")
            % {"value": level}
        )
    return decimal_text.removeprefix("+")


def _row_of_number(standings: Standings, number: int) -> int:
    return int(standings.table.numbers.tolist().index(number))


# --- undo -------------------------------------------------------------------------------------------------


def _restore_seats(event: Event, overrides: Sequence[Override], by: User, reason: str) -> None:
    round_ = event.rounds.get(number=overrides[0].round or 0)
    at_table = {row.table: row for row in round_.pairings.select_related("first", "second")}
    _require_independent(event, overrides, at_table)
    changed = [(each, at_table[each.table or 0]) for each in overrides]
    added = [row for each, row in changed if not each.was]
    reseat(round_, at_table, {row.table: _former_seats(each, row) for each, row in changed}, by, reason)
    for row in added:
        if row.second:  # unpaired before, so unpaired again
            left = Pairing(round=round_, table=next(tables_after(at_table.values())), first=row.second)
            round_off(event, left, Kind.ABSENT)
            add(left, by, reason)


def _former_seats(override: Override, row: Pairing) -> Seats:
    if not override.was:
        return Seats(row.first.number, kind=Kind.ABSENT)
    found = _SEATS.fullmatch(override.was)
    if not found:
        raise Refused(_("The previous pairing is not recorded. Change the pairing by hand."))
    return Seats(int(found[1]), int(found[2]) if found[2] else None, found[3] or "")


def _require_independent(event: Event, overrides: Sequence[Override], at_table: dict[int, Pairing]) -> None:
    round_ = next(iter(at_table.values())).round
    rows = [at_table[each.table or 0] for each in overrides]
    # A Swiss pairs the next round from this one; rounds of a round robin are independent.
    if is_settled(event.state, round_.state) or (not event.is_round_robin and is_built_upon(event, round_)):
        raise Refused(
            _("Round %(round)s is settled: later rounds depend on its pairings.") % {"round": round_.number}
        )
    if any(has_result(row) for row in rows):
        raise Refused(_("Results depend on this pairing. Clear them first, then undo the change."))
    tables, last = [row.table for row in rows], max(each.number for each in overrides)
    if event.overrides.filter(
        kind=Override.Kind.PAIRING, round=round_.number, table__in=tables, number__gt=last, undone_by=None
    ).exists():
        raise Refused(_("This pairing was changed again later. Undo the later change first."))

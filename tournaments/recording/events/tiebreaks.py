"""Manual tie-breaks for competitors who are tied on all other criteria."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext as _

from standings.engine import rank
from tournaments.crosstable import judge
from tournaments.models import Event, ManualTiebreak
from tournaments.models.versioned import past_of
from tournaments.recording.locking import compare_version, lock_event, remove_row, save
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.rounds.opening import current_round

MOST = 32_767


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """A manual tie-break of a competitor, by number. `number` None removes it. `seen`: version, 0 if new."""

    competitor: int
    number: int | None
    seen: int


def level_competitors(event: Event) -> list[list[int]]:
    """Return the numbers of tied competitors, ignoring manual tie-breaks, a list for each place.

    After the last paired round, with overrides. Three queries.
    """
    judged = judge(event)
    # Set to zero, so that competitors whose tie is already broken by hand are listed too.
    undecided = replace(judged.table, manual=np.zeros_like(judged.table.manual))
    system = judged.system.ordered_by(judged.criteria)
    # `judged.criteria` contains these overrides already.
    others = [ruling for ruling in judged.overrides if ruling.kind not in {"criteria", "rules"}]
    standings = rank(undecided, system, others)
    levels: dict[int, list[int]] = {}
    for row in standings.rows():
        if row.place and row.shared:
            levels.setdefault(row.place, []).append(int(judged.table.numbers[row.competitor]))
    return list(levels.values())


def enter_tiebreaks(event: Event, tiebreaks: Sequence[Tiebreak], by: User) -> list[int]:
    """Store changed numbers, all or none. Return the numbers of the changed competitors.

    They count from the current round. Raise Conflict if one has changed since, Refused for an unknown
    competitor.
    """
    with lock_event(event) as now:
        current, entrants = current_round(now), {each.number: each.pk for each in now.competitors.all()}
        stored = ManualTiebreak.objects.filter(competitor__event=now).select_for_update(of=("self",))
        existing = {each.competitor_id: each for each in stored}
        past = past_of(ManualTiebreak).objects.filter(competitor__event=now).order_by()
        versions = dict(past.values_list("competitor_id").annotate(Max("version")))
        changed = []
        for each in tiebreaks:
            key = entrants.get(each.competitor)
            if key is None:
                raise Refused(
                    _("There is no competitor %(number)s. Correct the number.") % {"number": each.competitor}
                )
            # The version continues, so that an outdated form cannot match it by chance.
            row = existing.get(key) or ManualTiebreak(
                competitor_id=key, number=0, version=versions.get(key, 0)
            )
            if _save_number(row, each, current, by):
                changed.append(each.competitor)
    return changed


def _save_number(row: ManualTiebreak, tiebreak: Tiebreak, current: int, by: User) -> bool:
    is_there = not row._state.adding
    if not is_there and tiebreak.seen:
        raise Conflict(0)
    if is_there:
        compare_version(row, tiebreak.seen)
    if tiebreak.number == (row.number if is_there else None):
        return False
    if tiebreak.number is None:
        remove_row(row, by)
        return True
    if abs(tiebreak.number) > MOST:
        raise Refused(_("A tie-break number is at most %(most)s. Type a smaller one.") % {"most": MOST})
    row.number, row.after = tiebreak.number, current
    save(row, by)
    return True

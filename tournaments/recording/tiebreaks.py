"""Manual tie-breaks: a number for whom the other criteria leave level."""

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
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.rounds import current_round
from tournaments.recording.turns import add, compare, in_turn, remove, save

MOST = 32_767


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """The number for a competitor, by his number; None takes it away. `seen` is 0 where there was none."""

    competitor: int
    number: int | None
    seen: int


def level_competitors(event: Event) -> list[list[int]]:
    """Return the numbers of those whom all criteria but the manual one leave level, a list for each place.

    After the last round that is paired, as ruled; three queries.
    """
    judged = judge(event)
    # All zero: those whom the numbers already part must be listed too, to change them.
    undecided = replace(judged.table, manual=np.zeros_like(judged.table.manual))
    system = judged.system.ordered_by(judged.criteria)
    # The criteria above are those of the rulings already.
    others = [ruling for ruling in judged.overrides if ruling.kind not in {"criteria", "rules"}]
    standings = rank(undecided, system, others)
    levels: dict[int, list[int]] = {}
    for row in standings.rows():
        if row.place and row.shared:
            levels.setdefault(row.place, []).append(int(judged.table.numbers[row.competitor]))
    return list(levels.values())


def enter_tiebreaks(event: Event, tiebreaks: Sequence[Tiebreak], by: User) -> list[int]:
    """Store the numbers that differ, all or none; the competitors, by number, whose number changed.

    They count from the current round on. Conflict where one was changed meanwhile; Refused for a competitor
    who is not there.
    """
    with in_turn(event) as now:
        current, entrants = current_round(now), {each.number: each.pk for each in now.competitors.all()}
        stored = ManualTiebreak.objects.filter(competitor__event=now).select_for_update(of=("self",))
        there = {each.competitor_id: each for each in stored}
        versions = _last_versions(now)
        changed = []
        for each in tiebreaks:
            key = entrants.get(each.competitor)
            if key is None:
                raise Refused(
                    _("There is no competitor %(number)s. Correct the number.") % {"number": each.competitor}
                )
            row = there.get(key) or ManualTiebreak(competitor_id=key, number=0, version=versions.get(key, 0))
            if _enter(row, each, current, by):
                changed.append(each.competitor)
    return changed


def _last_versions(event: Event) -> dict[int, int]:
    """Return the highest version that each competitor's number ever had; one given again goes on from it."""
    past = past_of(ManualTiebreak).objects.filter(competitor__event=event).order_by()
    return dict(past.values_list("competitor_id").annotate(Max("version")))


def _enter(row: ManualTiebreak, tiebreak: Tiebreak, current: int, by: User) -> bool:
    """Store one number if it is another one, and say whether it was."""
    is_there = not row._state.adding
    if not is_there and tiebreak.seen:
        raise Conflict(0)
    if is_there:
        compare(row, tiebreak.seen)
    if tiebreak.number == (row.number if is_there else None):
        return False
    if tiebreak.number is None:
        remove(row, by)
        return True
    if abs(tiebreak.number) > MOST:
        raise Refused(_("A tie-break number is at most %(most)s. Type a smaller one.") % {"most": MOST})
    row.number, row.after = tiebreak.number, current
    if is_there:
        save(row, by)
    else:
        # A number taken away and given again goes on counting: a stale form must not meet its old version.
        row.version += 1
        add(row, by)
    return True

"""Start numbers, and the pairing numbers that differ from them once round 1 is published.

Addresses, links, slips and logs contain the start number, so it stays. The pairing number orders competitors
for the pairing. A late entry gets the one that belongs to it, and the others move up (FIDE C.04.2, initial
order and late entries), until round 4 is paired.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments.event.choices import StartOrder
from tournaments.models import Competitor, Event, Round
from tournaments.pairing.startorder import new_seed, ordered
from tournaments.recording.competitors.checks import give_number, rename_in_record
from tournaments.recording.locking import lock_event, save
from tournaments.recording.pairings.by_hand import competitor_numbered
from tournaments.recording.refusal import Refused, prose

LONGEST_SEED = 40
ASIDE = 2**14
"""Temporary offset of numbers: twice the highest number still fits into the column."""

LAST_NUMBERED = 4
"""No number may change once this round is paired (FIDE C.04.2)."""


# --- pairing numbers of a document ------------------------------------------------------------------------


def start_numbers(numbers: Mapping[int, int]) -> dict[str, int]:
    """Return the start numbers by pairing number, if they differ."""
    return {str(paired_as): number for number, paired_as in numbers.items() if paired_as != number}


# --- changes of numbers -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Renumbering:
    """A renumbering: competitors in the new order with their new numbers, and the seed if lots are drawn."""

    order: str
    rows: Sequence[tuple[Competitor, int]]
    changed: Sequence[tuple[Competitor, int]]
    seed: str = ""

    @property
    def summary(self) -> str:
        """A text to compare what a user saw with what is to be saved."""
        return " ".join(f"{row.pk}:{row.paired_as}-{number}" for row, number in self.rows)


def is_numbered(event: Event) -> bool:
    """Return whether round 1 is published, so that only pairing numbers may change. A single query."""
    return event.rounds.filter(number=1).exclude(state=Round.State.DRAFT).exists()


def why_numbers_stand(event: Event) -> str:
    """Return a sentence why the numbers are fixed. Blank if they are not. At most two queries."""
    if not is_numbered(event):
        return ""
    if event.is_round_robin or event.start_order == StartOrder.LOTS:
        return _("Round 1 is published, so the numbers are fixed. They change only before it is published.")
    if event.rounds.filter(number__gte=LAST_NUMBERED, pairings__isnull=False).exists():
        return _("Round 4 is paired, so no number may change (FIDE C.04.2).")
    return ""


def planned_renumbering(event: Event, order: str, seed: str = "") -> Renumbering:
    """Return the changes that `renumber` would make, without making them. A blank seed is replaced."""
    if order not in StartOrder.values:
        raise Refused(_("Choose an order: rating, title, name or lots."))
    if refusal := why_numbers_stand(event):
        raise Refused(refusal)
    if order == StartOrder.LOTS and is_numbered(event):
        raise Refused(_("Lots are drawn before round 1. Choose another order."))
    seed = (prose(seed)[:LONGEST_SEED] or new_seed()) if order == StartOrder.LOTS else ""
    entrants = ordered(event.competitors.all(), order, seed)
    if is_numbered(event):
        rows = _with_sorted_numbers(entrants)
        changed = [(row, number) for row, number in rows if row.paired_as != number]
    else:
        rows = [(row, number) for number, row in enumerate(entrants, start=1)]
        changed = [(row, number) for row, number in rows if row.number != number or row.pairing_number]
    return Renumbering(order, rows, changed, seed)


def _with_sorted_numbers(rows: Sequence[Competitor]) -> list[tuple[Competitor, int]]:
    return list(zip(rows, sorted(each.number for each in rows), strict=True))


def renumber(event: Event, order: str, by: User, seed: str = "", seen: str | None = None) -> Renumbering:
    """Number all competitors by a `StartOrder`, and store the order and the seed in the event.

    Before round 1 is published the start numbers change, then the pairing numbers. A blank seed is replaced
    by a random one. Raise Refused if the numbers are fixed, the order is unknown, or the changes are not
    those of the summary that the user has seen.
    """
    with lock_event(event) as now:
        plan = planned_renumbering(now, order, seed)
        if seen not in {None, plan.summary}:
            raise Refused(_("The list has changed since. Look at the new numbers once more."))
        store = _store_pairing_numbers if is_numbered(now) else _store_start_numbers
        store(now, plan.changed, by, _("Renumbered: %(order)s") % {"order": StartOrder(order).label})
        now.start_order, now.start_seed = order, plan.seed
        save(now, by)
    return plan


def _store_start_numbers(
    event: Event, changed: Sequence[tuple[Competitor, int]], by: User, reason: str
) -> None:
    numbers = {row.number: number for row, number in changed}
    # The database refuses a duplicate number, even for a moment.
    Competitor.objects.filter(pk__in=[row.pk for row, _number in changed]).update(number=F("number") + ASIDE)
    for row, number in changed:
        row.number, row.pairing_number = number, None
        save(row, by, reason)
    rename_in_record(event, numbers)


def _store_pairing_numbers(
    event: Event, changed: Sequence[tuple[Competitor, int]], by: User, reason: str
) -> None:
    former = {str(row.number): row.paired_as for row, _number in changed}
    today = {str(row.number): number for row, number in changed}
    # Also drafts that are paired: publication does not pair them again.
    for round_ in event.rounds.filter(pairings__isnull=False).distinct() if changed else ():
        numbers = former | round_.pairing_numbers
        round_.pairing_numbers = {key: each for key, each in numbers.items() if today.get(key) != each}
        save(round_, by)
    for row, number in changed:
        row.pairing_number = None if number == row.number else number
        save(row, by, reason)


def number_late_entries(event: Event, entries: Sequence[Competitor], by: User) -> None:
    """Give new competitors the pairing numbers that belong to them. The others keep their order.

    Before round 1 is published, in a round robin, after lots, and once round 4 is paired, they stay the last.
    """
    if not entries or not is_numbered(event) or why_numbers_stand(event):
        return
    known = event.competitors.exclude(pk__in=[each.pk for each in entries])
    rows = sorted(known, key=lambda each: each.paired_as)
    for entry in entries:
        wanted = ordered([*rows, entry], event.start_order)
        lower = set(wanted[wanted.index(entry) + 1 :])
        rows.insert(next((at for at, each in enumerate(rows) if each in lower), len(rows)), entry)
    reason = _("Late entry: %(numbers)s") % {"numbers": ", ".join(str(each.number) for each in entries)}
    changed = [(row, number) for row, number in _with_sorted_numbers(rows) if row.paired_as != number]
    _store_pairing_numbers(event, changed, by, reason)


def swap_numbers(event: Event, one: int, other: int, by: User) -> tuple[Competitor, Competitor]:
    """Swap the numbers of two competitors, after round 1 their pairing numbers.

    Raise Refused if a number does not exist, or may not change.
    """
    with lock_event(event) as now:
        numbered = is_numbered(now)
        key = "paired_as" if numbered else "number"
        rows = {getattr(row, key): row for row in now.competitors.all()}
        first, second = competitor_numbered(rows, one), competitor_numbered(rows, other)
        if one != other and numbered:
            if refusal := why_numbers_stand(now):
                raise Refused(refusal)
            reason = _("Swapped: %(one)s and %(other)s.") % {"one": one, "other": other}
            _store_pairing_numbers(now, [(first, other), (second, one)], by, reason)
        elif one != other:
            now.competitors.exclude(pairing_number=None).update(pairing_number=None)
            first.event, first.number, first.version = now, other, first.version + 1
            first.pairing_number = None
            give_number(first, by)
    return first, second

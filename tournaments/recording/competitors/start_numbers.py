"""Renumber all competitors until round 1 is published, or swap two numbers."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments.event.choices import StartOrder
from tournaments.models import Competitor, Event, Round
from tournaments.pairing.startorder import new_seed, ordered
from tournaments.recording.competitors.checks import give_number, rename_in_record
from tournaments.recording.locking import lock_event, save
from tournaments.recording.refusal import Refused, prose

LONGEST_SEED = 40
ASIDE = 2**14
"""Temporary offset of numbers: twice the highest number still fits into the column."""


@dataclass(frozen=True, slots=True)
class Renumbering:
    """Result of a renumbering: how many numbers changed, and the seed if lots were drawn."""

    changed: int
    seed: str


def why_numbers_stand(event: Event) -> str:
    """Return a sentence why the numbers are fixed. Blank if they are not. A single query."""
    if event.rounds.filter(number=1).exclude(state=Round.State.DRAFT).exists():
        return _("Round 1 is published: readers know the numbers, so they stay. Two can still be swapped.")
    return ""


def draw_lots(event: Event, seed: str = "") -> tuple[str, list[Competitor]]:
    """Return the seed, random if blank, and the competitors in the order drawn with it. Stores nothing."""
    seed = prose(seed)[:LONGEST_SEED] or new_seed()
    return seed, ordered(event.competitors.order_by("number"), StartOrder.LOTS, seed)


def renumber(event: Event, order: str, by: User, seed: str = "") -> Renumbering:
    """Number all competitors from 1 by a `StartOrder`, and store the order and the seed in the event.

    A blank seed is replaced by a random one. Raise Refused if round 1 is published or the order is
    unknown.
    """
    if order not in StartOrder.values:
        raise Refused(_("Choose an order: rating, title, name or lots."))
    with lock_event(event) as now:
        if refusal := why_numbers_stand(now):
            raise Refused(refusal)
        if order == StartOrder.LOTS:
            seed, rows = draw_lots(now, seed)
        else:
            seed, rows = "", ordered(now.competitors.order_by("number"), order)
        numbers = {row.number: number for number, row in enumerate(rows, start=1) if row.number != number}
        moving = [(row, numbers[row.number]) for row in rows if row.number in numbers]
        # The database refuses a duplicate number, even for a moment.
        Competitor.objects.filter(pk__in=[row.pk for row, _number in moving]).update(
            number=F("number") + ASIDE
        )
        for row, number in moving:
            row.number = number
            save(row, by, _("Renumbered: %(order)s") % {"order": StartOrder(order).label})
        rename_in_record(now, numbers)
        now.start_order, now.start_seed = order, seed
        save(now, by)
    return Renumbering(len(numbers), seed)


def swap_numbers(event: Event, one: int, other: int, by: User) -> tuple[Competitor, Competitor]:
    """Swap the numbers of two competitors. Raise Refused if one does not exist."""
    with lock_event(event) as now:
        rows = {row.number: row for row in now.competitors.filter(number__in=(one, other))}
        for number in (one, other):
            if number not in rows:
                raise Refused(
                    _("There is no competitor %(number)s. Correct the number.") % {"number": number}
                )
        if one != other:
            row = rows[one]
            row.event, row.number, row.version = now, other, row.version + 1
            give_number(row, by)
    return rows[one], rows[other]

"""Why a result, a place or a value carries a mark: what was corrected or ruled, why, by whom and when."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from standings.pages.notes import Ruled, ruled
from tournaments.models import Change, Event, Override

CORRECTED, BY_HAND = "†", "*"


class Remark(NamedTuple):
    """A correction or a ruling in words; `sign` is the mark of what it touched."""

    sign: str
    ruled: Ruled


class Remarks(NamedTuple):
    """The corrections of an event and the rulings in force, by (round, table) and by competitor number."""

    pairings: dict[tuple[int, int], list[Remark]]
    competitors: dict[int, list[Remark]]

    def of_pairing(self, number: int, table: int) -> list[Remark]:
        """Those of a pairing, by its round and table."""
        return self.pairings.get((number, table), [])


def remarks_of(event: Event) -> Remarks:
    """Return the corrections and rulings of an event; two queries."""
    found = Remarks(defaultdict(list), defaultdict(list))
    for change in Change.objects.filter(event=event).order_by("at", "pk"):
        found.pairings[change.round, change.table].append(Remark(CORRECTED, _corrected(change)))
    in_force = Override.objects.filter(event=event, undone_by=None).select_related("competitor", "event")
    for ruling in in_force.order_by("number"):
        remark = Remark(BY_HAND, ruled(ruling))
        if ruling.kind == Override.Kind.PAIRING:
            found.pairings[ruling.round or 0, ruling.table or 0].append(remark)
        elif ruling.competitor:
            found.competitors[ruling.competitor.number].append(remark)
    return found


def marks_of(remarks: Iterable[Remark]) -> str:
    """The marks of these remarks, each once."""
    return "".join(dict.fromkeys(remark.sign for remark in remarks))


def _corrected(change: Change) -> Ruled:
    values = {"number": change.round, "table": change.table, "was": change.was, "now": change.now}
    what = _("The result of round %(number)s, table %(table)s was corrected from %(was)s to %(now)s") % values
    return Ruled(what, change.reason, change.by, change.at)

"""Reasons for the marks at results, places and values: corrections and rulings."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from standings.pages.events.notes import ManualChange, ruled
from standings.services import memoized_on_event
from tournaments.models import Change, Event, Override

CORRECTED, BY_HAND = "†", "*"


class Remark(NamedTuple):
    """A correction or a ruling in words, with its mark."""

    sign: str
    ruled: ManualChange


class Remarks(NamedTuple):
    """Corrections and rulings in force of an event, by (round, table) and by start number."""

    pairings: dict[tuple[int, int], list[Remark]]
    competitors: dict[int, list[Remark]]

    def of_pairing(self, number: int, table: int) -> list[Remark]:
        return self.pairings.get((number, table), [])


def remarks_of(event: Event) -> Remarks:
    """Return the corrections and rulings of an event; two queries, once for an event of a page or archive."""
    if event.data_version:
        return memoized_on_event("remarks", event, _stored_remarks)
    return _stored_remarks(event)


def _stored_remarks(event: Event) -> Remarks:
    remarks = Remarks(defaultdict(list), defaultdict(list))
    for change in Change.objects.filter(event=event).order_by("at", "pk"):
        values = {"number": change.round, "table": change.table, "was": change.was, "now": change.now}
        what = _("The result of round %(number)s, table %(table)s was corrected from %(was)s to %(now)s")
        correction = ManualChange(what % values, change.reason, change.by, change.at)
        remarks.pairings[change.round, change.table].append(Remark(CORRECTED, correction))
    in_force = Override.objects.filter(event=event, undone_by=None).select_related("competitor", "event")
    for ruling in in_force.order_by("number"):
        remark = Remark(BY_HAND, ruled(ruling))
        if ruling.kind == Override.Kind.PAIRING:
            remarks.pairings[ruling.round or 0, ruling.table or 0].append(remark)
        elif ruling.competitor:
            remarks.competitors[ruling.competitor.number].append(remark)
    return remarks


def marks_of(remarks: Iterable[Remark]) -> str:
    return "".join(dict.fromkeys(remark.sign for remark in remarks))

"""What the check page prints: our standings against every table the source published."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from standings.checking import ORDER, Agreement, check, check_after, published_places
from standings.engine import Standings
from standings.services import standings_of
from standings.words import written
from tournaments.models import Event, Published
from tournaments.prepared import prepared


@dataclass(frozen=True)
class ShownDifference:
    """One difference, with the competitor's name."""

    number: int
    name: str
    label: str
    published: str
    computed: str
    why: str


@dataclass(frozen=True)
class CheckedTable:
    """A published table and how far we agree with it."""

    after: int
    agreements: list[Agreement]
    differences: list[ShownDifference]

    @property
    def lines(self) -> list[tuple[str, Agreement]]:
        """The agreements, each with what it is called."""
        return [(label_of(agreement), agreement) for agreement in self.agreements]


def label_of(agreement: Agreement) -> str:
    """The column as its source calls it; the order has no label there."""
    return _("order") if agreement.label == ORDER else agreement.label


def checked_tables(event: Event, published: Published) -> list[CheckedTable]:
    """The final table, then those of earlier rounds, the latest first; none without anything to check."""
    final = standings_of(event)
    tables = [_checked(final, check(final, published))]
    for after in sorted(map(int, published.after_round), reverse=True):
        if after <= final.table.rounds:
            earlier = standings_of(event, after)
            tables.append(_checked(earlier, check_after(earlier, published)))
    return [table for table in tables if table.agreements]


def _checked(standings: Standings, agreements: list[Agreement]) -> CheckedTable:
    name_of = dict(zip(standings.table.numbers.tolist(), standings.table.names, strict=True))
    differences = [
        ShownDifference(
            difference.number,
            name_of[difference.number],
            label_of(agreement),
            written(difference.published),
            written(difference.computed),
            difference.why,
        )
        for agreement in agreements
        for difference in agreement.differences
    ]
    return CheckedTable(standings.table.rounds, agreements, differences)


@prepared
def _orders(event: int) -> QuerySet[Published, Any]:
    return Published.objects.filter(event=event).values_list("order", "after_round")


def places_published(event: Event, standings: Standings, *, final: bool) -> dict[int, int]:
    """The places that the source printed after this round, by competitor number; one query."""
    orders = _orders(event.pk)
    if not orders:
        return {}
    order, earlier = orders[0]
    printed = earlier.get(str(standings.table.rounds), {}).get("order", [])
    return dict(published_places(order if final else printed))


def agreement_text(event: Event, published: Published | None) -> str:
    """The badge: `agrees with the published order, 185 of 185`; empty where no order was published."""
    if published is None or not published.order:
        return ""
    order = check(standings_of(event), published)[0]
    if order.unexplained:
        return _("differs from the published order in %(count)s of %(rows)s") % {
            "count": len(order.unexplained),
            "rows": order.rows,
        }
    return _("agrees with the published order, %(count)s of %(rows)s") % {
        "count": order.agreeing,
        "rows": order.rows,
    }

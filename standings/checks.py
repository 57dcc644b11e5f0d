"""What the check page prints: our standings against every table the source published."""

from dataclasses import dataclass

from standings.checking import Agreement, check, check_after
from standings.engine import Standings
from standings.services import standings_of
from tournaments.models import Event, Published


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
            agreement.label,
            difference.published,
            difference.computed,
            difference.why,
        )
        for agreement in agreements
        for difference in agreement.differences
    ]
    return CheckedTable(standings.table.rounds, agreements, differences)


def agreement_text(event: Event, published: Published | None) -> str:
    """The badge: `agrees with the published order, 185 of 185`; empty where no order was published."""
    if published is None or not published.order:
        return ""
    order = check(standings_of(event), published)[0]
    if order.unexplained:
        return f"differs from the published order in {len(order.unexplained)} of {order.rows}"
    return f"agrees with the published order, {order.agreeing} of {order.rows}"

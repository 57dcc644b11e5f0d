"""The reports of our standings held against the published ones: every table, and the badge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from standings.checking.comparing import ORDER, Agreement, Figures, check, check_after
from standings.engine import Standings
from standings.services import standings_of
from standings.words import written
from tournaments.models import Event, Published

AGREES, PARTIAL, DIFFERS, UNCHECKED = "agrees", "partial", "differs", "unchecked"


class Verdict(NamedTuple):
    """How far we agree with what was published: one of four states, and the words of the badge."""

    state: str
    text: str


@dataclass(frozen=True)
class ShownFigures:
    """The figures of one competitor in one column, as people read them."""

    number: int
    name: str
    label: str
    published: str
    computed: str
    ruled: str
    why: str


@dataclass(frozen=True)
class CheckedTable:
    """A published table, how far we agree with it, and the figures that were ruled otherwise."""

    standings: Standings
    agreements: list[Agreement]

    @property
    def after(self) -> int:
        """The round after which it was published."""
        return self.standings.table.rounds

    @property
    def named_agreements(self) -> list[tuple[str, Agreement]]:
        """The agreements, each with what it is called."""
        return [(label_of(agreement), agreement) for agreement in self.agreements]

    @property
    def differences(self) -> list[ShownFigures]:
        """The figures that are published otherwise than computed."""
        return self._shown({each.label: each.differences for each in self.agreements})

    @property
    def ruled(self) -> list[ShownFigures]:
        """The figures that agree as computed, and that a ruling made others."""
        return self._shown(
            {each.label: [line for line in each.ruled if line.is_same] for each in self.agreements}
        )

    def _shown(self, by_label: Mapping[str, list[Figures]]) -> list[ShownFigures]:
        table = self.standings.table
        name_of = dict(zip(table.numbers.tolist(), table.names, strict=True))
        return [
            ShownFigures(
                line.number,
                name_of[line.number],
                _("order") if label == ORDER else label,
                written(line.published),
                written(line.computed),
                written(line.ruled),
                line.why,
            )
            for label, lines in by_label.items()
            for line in lines
        ]


def label_of(agreement: Agreement) -> str:
    """The column as its source calls it; the order has no label there."""
    return _("order") if agreement.label == ORDER else agreement.label


def checked_tables(event: Event, published: Published) -> list[CheckedTable]:
    """The final table, then those of earlier rounds, the latest first; none without anything to check."""
    if not event.knows_results:
        return []
    final = standings_of(event)
    tables = [CheckedTable(final, check(final, published))]
    # As numbers: keys of JSON are text, and there 10 comes before 9.
    for after in sorted(map(int, published.after_round), reverse=True):
        if after <= final.table.rounds:
            earlier = standings_of(event, after)
            tables.append(CheckedTable(earlier, check_after(earlier, published)))
    return [table for table in tables if table.agreements]

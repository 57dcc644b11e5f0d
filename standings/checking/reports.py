"""Reports of the comparison with published standings: all tables, and the badge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from standings.checking.comparing import ORDER, Agreement, Figures, agreements_with_published
from standings.engine import Standings
from standings.services import standings_of
from tournaments.models import Event, Published
from tournaments.texts import localized

AGREES, PARTIAL, DIFFERS, UNCHECKED = "agrees", "partial", "differs", "unchecked"


class Verdict(NamedTuple):
    """The agreement with published standings as a state and the text of the badge."""

    state: str
    text: str


@dataclass(frozen=True)
class CheckedTable:
    standings: Standings
    agreements: list[Agreement]

    @property
    def after(self) -> int:
        return self.standings.table.rounds

    @property
    def named_agreements(self) -> list[tuple[str, Agreement]]:
        return [(_("order") if each.label == ORDER else each.label, each) for each in self.agreements]

    @property
    def differences(self) -> list[Figures]:
        return self._printed({label: each.differences for label, each in self.named_agreements})

    @property
    def ruled(self) -> list[Figures]:
        return self._printed(
            {label: [line for line in each.ruled if line.is_same] for label, each in self.named_agreements}
        )

    def _printed(self, by_label: Mapping[str, list[Figures]]) -> list[Figures]:
        table = self.standings.table
        name_of = dict(zip(table.numbers.tolist(), table.names, strict=True))
        return [
            line._replace(
                name=name_of[line.number],
                label=label,
                published=localized(line.published),
                computed=localized(line.computed),
                ruled=localized(line.ruled),
            )
            for label, lines in by_label.items()
            for line in lines
        ]


def checked_tables(event: Event, published: Published) -> list[CheckedTable]:
    """Return the final table and those of earlier rounds, latest first, if there is anything to compare."""
    if not event.knows_results:
        return []
    final = standings_of(event)
    tables = [CheckedTable(final, agreements_with_published(final, published))]
    # Converted to numbers, because as JSON keys 10 is sorted before 9.
    for after in sorted(map(int, published.after_round), reverse=True):
        if after <= final.table.rounds:
            earlier = standings_of(event, after)
            agreements = agreements_with_published(earlier, published, is_final=False)
            tables.append(CheckedTable(earlier, agreements))
    return [table for table in tables if table.agreements]

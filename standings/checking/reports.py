"""The reports of our standings held against the published ones: every table, and the badge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.checking.comparing import ORDER, Agreement, Figures, check, check_after, published_places
from standings.engine import Standings
from standings.eventwords import day_text
from standings.services import standings_of
from standings.words import written
from tournaments.models import Event, Published
from tournaments.models.records import RecordQuery

AGREES, PARTIAL, DIFFERS, UNCHECKED = "agrees", "partial", "differs", "unchecked"


class PublishedOrder(NamedTuple):
    """The order that a source printed: lists of numbers that share a place, at the end and after rounds."""

    order: list[list[int]]
    after_round: dict[str, dict[str, Any]]


PUBLISHED_ORDER = RecordQuery(PublishedOrder, Published.objects.all())


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
    final = standings_of(event)
    tables = [CheckedTable(final, check(final, published))]
    # As numbers: keys of JSON are text, and there 10 comes before 9.
    for after in sorted(map(int, published.after_round), reverse=True):
        if after <= final.table.rounds:
            earlier = standings_of(event, after)
            tables.append(CheckedTable(earlier, check_after(earlier, published)))
    return [table for table in tables if table.agreements]


def places_published(event: Event, standings: Standings, *, final: bool) -> dict[int, int]:
    """The places that the source printed after this round, by competitor number; one query."""
    places: dict[int, int] = {}
    for published in PUBLISHED_ORDER.where(event=event):  # one at most
        earlier = published.after_round.get(str(standings.table.rounds), {}).get("order", [])
        places |= published_places(published.order if final else earlier)
    return places


def verdict_of(event: Event, published: Published | None) -> Verdict:
    """Return the words of the badge: how far the final standings, as computed, are the published ones."""
    if published is None:
        return Verdict(UNCHECKED, _("not checked: nothing was published"))
    standings = standings_of(event)
    checked = [each for each in check(standings, published) if each.checked]
    if not checked:
        return Verdict(UNCHECKED, _("not checked: no published column is known here"))
    order, values = (_together(checked, is_order=each) for each in (True, False))
    source = _source(published)
    if order.differences or values.differences:
        return Verdict(DIFFERS, _differs(source, order, values))
    # Nobody is told that all agrees where a source printed the first ten.
    if order.rows and _is_whole(standings, published):
        told = {"count": order.rows, "rows": order.rows, "source": source}
        return Verdict(AGREES, _("%(count)s of %(rows)s places agree with %(source)s") % told)
    return Verdict(PARTIAL, _agrees_in_part(source, event, len(standings.table.names), order, values))


def _together(checked: list[Agreement], *, is_order: bool) -> Agreement:
    """The order, or all columns as one."""
    parts = [each for each in checked if (each.label == ORDER) == is_order]
    figures = [figure for each in parts for figure in each.figures]
    return Agreement(ORDER if is_order else "", len(figures), figures)


def _is_whole(standings: Standings, published: Published) -> bool:
    """Say whether everybody who has a place as computed stands in the published order."""
    computed = standings.as_computed
    placed = computed.table.numbers[computed.place > 0].tolist()
    return set(placed) <= {number for number, _place in published_places(published.order)}


def _source(published: Published) -> str:
    """Return who published it, with the day on which it was taken from there."""
    name = published.publisher or _("the published standings")
    if not published.taken:
        return name
    return _("%(publisher)s, taken %(date)s") % {"publisher": name, "date": day_text(published.taken)}


def _differs(source: str, order: Agreement, values: Agreement) -> str:
    told = {
        "source": source,
        "places": len(order.differences),
        "all_places": order.rows,
        "values": len(values.differences),
        "all_values": values.rows,
    }
    if order.differences and values.differences:
        text = _(
            "differs from %(source)s in %(places)s of %(all_places)s published places"
            " and %(values)s of %(all_values)s published values"
        )
    elif order.differences:
        text = _("differs from %(source)s in %(places)s of %(all_places)s published places")
    else:
        text = _("differs from %(source)s in %(values)s of %(all_values)s published values")
    if order.unexplained or values.unexplained:
        return text % told
    return _("%(difference)s, each for a known reason") % {"difference": text % told}


def _agrees_in_part(source: str, event: Event, entries: int, order: Agreement, values: Agreement) -> str:
    """Never a plain “agrees”: how much was published, of how many."""
    if event.is_team:
        whole = ngettext("%(count)s team", "%(count)s teams", entries) % {"count": entries}
    else:
        whole = ngettext("%(count)s player", "%(count)s players", entries) % {"count": entries}
    if order.rows:
        part = _("%(count)s of %(rows)s published places; %(whole)s")
    else:
        part = _("%(count)s of %(rows)s published values; %(whole)s")
    rows = order.rows or values.rows
    told = {"source": source, "part": part % {"count": rows, "rows": rows, "whole": whole}}
    return _("agrees with %(source)s in the part that was published: %(part)s") % told

"""The explanation of a competitor's value, line by line, from the engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from standings.engine import ExplainedTerm, Explanation, InnerValue, RoundKind, Standings, Term, get_criterion
from standings.services import cached_at_revision
from standings.tables.sheet import StandingsSheet, displayed_codes
from standings.texts import CriterionTexts, criterion_texts, translated, value_of
from tournaments.models import Event
from tournaments.texts import localized


def is_product(term: Term) -> bool:
    """Return whether the amount is computed from more than the amount and its unit."""
    return len(term.factors) > 1


def working_of(term: Term) -> str:
    """Return the calculation of the amount: `13 MP × 2½ pts` or `1 won`."""
    return " × ".join(f"{localized(factor.text)} {translated(factor.symbol)}" for factor in term.factors)


@dataclass(frozen=True)
class ValueTerm:
    """A term of the value.

    `working`: the calculation of the amount. `counted`: whether it counts. `cut`: excluded at all steps.
    `opponent` and `inner`: URLs of the competitor and of the value that is a factor of the amount.
    """

    round: str
    against: str
    working: str
    amount: str
    counted: bool
    cut: bool
    note: str
    opponent: str = ""
    inner: str = ""


@dataclass(frozen=True)
class Total:
    """A figure of the value: its name, the sum and the result."""

    name: str
    sum: str
    figure: str


@dataclass(frozen=True)
class ExplainedValue:
    """The explanation of a competitor's value under a criterion.

    `address` and `query`: the URL of the event and the query string of links, blank for example tournaments.
    `links_opponents`: whether rows link to the opponents, which an adjacent table may already do.
    """

    standings: Standings
    row: int
    code: str
    address: str = ""
    query: str = ""
    links_opponents: bool = True

    @cached_property
    def explanation(self) -> Explanation:
        return self.standings.explain(self.row, self.code)

    @property
    def criterion(self) -> CriterionTexts:
        return criterion_texts(self.explanation.criterion)

    @property
    def computed(self) -> str:
        return self.totals[-1].figure if self.totals else _("no value")

    @property
    def name(self) -> str:
        return self.standings.table.names[self.row]

    @property
    def value(self) -> str:
        return value_of(self.standings.column(self.code), self.row)

    @property
    def heads(self) -> tuple[str, str]:
        # Terms of the entire event, such as ratings, have round 0.
        by_round = any(line.term.round for line in self.explanation.lines)
        if by_round:
            return _("round"), _("opponent")
        return pgettext("heading: for which rounds", "for"), pgettext("heading: of whom", "of")

    @cached_property
    def products(self) -> bool:
        return any(is_product(line.term) for line in self.explanation.lines)

    @cached_property
    def notes(self) -> bool:
        return any(line.note for line in self.terms)

    @property
    def unit(self) -> str:
        if self.products:
            return _("amount")
        lines = self.explanation.lines
        return translated(lines[0].term.factors[0].symbol) if lines else ""

    @cached_property
    def terms(self) -> list[ValueTerm]:
        return [self._line(line) for line in self.explanation.lines]

    @property
    def rows(self) -> SafeString:
        return SafeString("\n".join(map(self._row, self.terms)))

    @property
    def table(self) -> SafeString:
        """Return the table as HTML. Rendered without a template, because an archive has thousands."""
        caption = escape(_("How the value of %(name)s came about") % {"name": self.name})
        amounts = [*([pgettext("heading: how an amount is multiplied", "working")] if self.products else [])]
        amounts.append(self.unit)
        first, second = map(escape, self.heads)
        heads = [f'<th scope="col">{first}</th>', f'<th scope="col" class="left">{second}</th>']
        heads += [f'<th scope="col">{escape(amount)}</th>' for amount in amounts]
        if self.notes:
            note = escape(_("note"))
            heads.append(f'<th scope="col" class="left beside">{note}</th>')
        totals = "\n".join(self._total(total, len(amounts)) for total in self.totals)
        return SafeString(
            f"<table>\n<caption>{caption}</caption>\n<thead>\n<tr>{''.join(heads)}</tr>\n</thead>\n"
            f"<tbody>\n{self.rows}\n</tbody>\n<tfoot>\n{totals}\n</tfoot>\n</table>"
        )

    def section(self, *, has_own_table: bool) -> str:
        """Return the value as HTML for an archive. Otherwise its terms are in a table of several values."""
        criterion = self.criterion
        name, place = escape(criterion.name), escape(criterion.address)
        value = f" = {escape(self.value)}" if self.value else ""
        parts = [f'<h3 id="{place}"><a href="{escape(criterion.page)}">{name}</a>{value}</h3>']
        if self.explanation.ruled:
            text = _("An arbiter replaced this value; the lines below give %(value)s.")
            parts.append(f"<p><b>*</b> {escape(text % {'value': self.computed})}</p>")
        if not self.terms:
            text = _(
                "This value has no entries: it is used only among competitors still level, and no "
                "competitors were."
            )
            parts.append(f"<p>{escape(text)}</p>")
        elif has_own_table:
            labelled = f'role="region" aria-labelledby="{place}" tabindex="0"'
            parts.append(f'<div class="scroll working" {labelled}>{self.table}</div>')
        elif not self._is_sum_of_column:
            for total in self.totals:
                step = f"{escape(total.name)}: " if len(self.totals) > 1 else ""
                added = f"{escape(total.sum)} = " if total.sum else ""
                parts.append(f"<p>{step}{added}<b>{escape(total.figure)}</b></p>")
        if self.terms and not self.totals:
            text = _("These results do not separate any competitors who are level.")
            parts.append(f'<p class="notes">{escape(text)}</p>')
        return "\n".join(parts)

    @property
    def _is_sum_of_column(self) -> bool:
        added = " + ".join(term.amount for term in self.terms if term.counted and not term.cut)
        return [(total.sum, total.figure) for total in self.totals] == [(added, self.value)]

    def cells_beside(self, term: ValueTerm) -> str:
        """Return the cells of a term in a table of several values. The note is below the amount."""
        cells = self._amount_cells(term)
        if term.note:
            cells[-1] += f" <small>{escape(term.note)}</small>"
        css = "" if term.counted else ' class="idle"'
        return "".join(f"<td{css}>{cell}</td>" for cell in cells)

    def _total(self, total: Total, amounts: int) -> str:
        name, figure = escape(total.name), escape(total.figure)
        if total.sum:
            span = f' colspan="{amounts}"' if amounts > 1 else ""
            cells = f'<td{span} class="sum">{escape(total.sum)}</td><td>{figure}</td>'
        else:
            cells = f'<td colspan="{amounts + 1}">{figure}</td>'
        beside = '<td class="beside"></td>' if self.notes else ""
        return f'<tr><th scope="row">{name}</th>{cells}{beside}</tr>'

    def _row(self, term: ValueTerm) -> str:
        against, note = escape(term.against), escape(term.note)
        if term.opponent and self.links_opponents:
            against = f'<a href="{escape(term.opponent)}">{against}</a>'
        below = f'<span class="below">{note}</span>' if note else ""
        cells = self._amount_cells(term)
        beside = f'<td class="left note beside">{note}</td>' if self.notes else ""
        css = "" if term.counted else ' class="idle"'
        return (
            f'<tr{css}><th scope="row">{escape(term.round)}</th>'
            f'<td class="left">{against}{below}</td><td>{"</td><td>".join(cells)}</td>{beside}</tr>'
        )

    def _amount_cells(self, term: ValueTerm) -> list[str]:
        cells = [escape(term.working), escape(term.amount)] if self.products else [escape(term.amount)]
        if term.cut:
            return [f"<s>{cell}</s>" for cell in cells]
        if term.inner:
            cells[0] = f'<a href="{escape(term.inner)}">{cells[0]}</a>'
        return cells

    @cached_property
    def totals(self) -> list[Total]:
        """Return the figures that were compared. Empty if the value decides nothing."""
        folds = list(map(translated, self.explanation.calculations))
        steps = [_("step %(step)s") % {"step": at} for at in range(1, len(folds) + 1)]
        names = [_("value")] if len(folds) == 1 else steps
        parts = (fold.rpartition(" = ") for fold in folds)
        return [
            Total(name, localized(added), self._figure(figure))
            for name, (added, _equals, figure) in zip(names, parts, strict=True)
        ]

    def _figure(self, text: str) -> str:
        # `localized` replaces decimal points, but the name in such a figure may contain one, as in 2.0.
        return text if self.explanation.criterion.within_tie else localized(text)

    def _line(self, line: ExplainedTerm) -> ValueTerm:
        term = line.term
        # Notes of FIDE's criteria already state the forfeit and the winner.
        forfeit = [_("by forfeit")] if term.kind is RoundKind.FORFEIT and not term.note else []
        return ValueTerm(
            round=self._round_text(term.round),
            against=translated(term.against),
            working=working_of(term) if is_product(term) else "",
            amount=localized(term.text),
            counted=line.counted,
            cut=term.since >= term.until,
            note="; ".join([*forfeit, *map(translated, line.notes)]),
            opponent=self._competitor(term.opponent),
            inner=self._value(line.inner) if line.inner else "",
        )

    def _round_text(self, number: int) -> str:
        if not number:
            return _("the event")
        return str(number) if self.standings.table.order_known else "?"

    def _competitor(self, row: int) -> str:
        numbers = self.standings.table.numbers
        return f"{self.address}competitors/{numbers[row]}/" if self.address and row >= 0 else ""

    def _value(self, inner: InnerValue) -> str:
        competitor = self._competitor(inner.row)
        return f"{competitor}{get_criterion(inner.code).address}/{self.query}" if competitor else ""


def side_by_side(values: Sequence[ExplainedValue]) -> SafeString:
    """Return a table of several values of one competitor as HTML, blank if there are none.

    All must have the same rounds and opponents (`has_same_terms`), which an archive then contains only once.
    """
    if not values:
        return SafeString("")
    first, second = (escape(head) for head in values[0].heads)
    names, units = [], []
    for value in values:
        abbr = escape(value.criterion.abbr)
        working = pgettext("heading: how an amount is multiplied", "working")
        span = ' colspan="2"' if value.products else ""
        names.append(
            f'<th{span} scope="colgroup"><a href="#{escape(value.criterion.address)}">{abbr}</a></th>'
        )
        units += [f"<th>{escape(unit)}</th>" for unit in ([working] if value.products else []) + [value.unit]]
    rows = [
        f'<tr><th scope="row">{escape(terms[0].round)}</th><td>{escape(terms[0].against)}</td>'
        + "".join(value.cells_beside(term) for value, term in zip(values, terms, strict=True))
        + "</tr>"
        for terms in zip(*(value.terms for value in values), strict=True)
    ]
    caption = escape(_("How the values of %(name)s came about") % {"name": values[0].name})
    return SafeString(
        f"<table>\n<caption>{caption}</caption>\n<thead>\n"
        f'<tr><th rowspan="2">{first}</th><th rowspan="2" class="left">{second}</th>{"".join(names)}</tr>\n'
        f"<tr>{''.join(units)}</tr>\n</thead>\n<tbody>\n{chr(10).join(rows)}\n</tbody>\n</table>"
    )


def has_same_terms(value: ExplainedValue, other: ExplainedValue) -> bool:
    return value.heads == other.heads and [(term.round, term.against) for term in value.terms] == [
        (term.round, term.against) for term in other.terms
    ]


def explained_codes(sheet: StandingsSheet) -> list[str]:
    """Return the codes of the criteria with a column and of their factors, for the final standings.

    No query if the standings are cached.
    """

    def compute(_event: Event) -> list[str]:
        codes, rows = displayed_codes(sheet), range(len(sheet.entries))
        # A factor may have factors of its own, so its criterion is visited too.
        for code in codes:  # extended in the loop
            lines = (line for row in rows for line in sheet.standings.explain(row, code).lines)
            inner = {line.inner.code for line in lines if line.inner}
            codes.extend(sorted(inner.difference(codes)))
        return codes

    return cached_at_revision("explained", sheet.event, compute)

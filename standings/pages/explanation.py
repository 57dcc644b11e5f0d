"""How the values of a competitor came about: one of them, or all of them for an archive."""

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from standings.basis import rests_on
from standings.criteria.explanations import ExplainedValue, explained
from standings.engine import Criterion, UnknownCriterionError, get
from standings.pages.frame import event_answer, round_asked, row_of, rulings_among, sheet_of
from standings.services import remembered
from standings.serving.pages import event_page, knows
from standings.serving.seldom import seldom
from standings.tables.sheet import StandingsNeighbour, neighbours_of
from standings.tables.switches import CARRIED
from tournaments.models import Event


def criterion_at(address: str) -> Criterion:
    """Return the criterion whose code stands so in addresses; Http404 for another spelling, or none."""
    try:
        criterion = get(address)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    # A page is kept under its address, and each of these has one alone.
    if criterion.address != address:
        raise Http404
    return criterion


@event_page
@seldom
@knows("after", *CARRIED)
def explanation(request: HttpRequest, event: Event, number: int, code: str) -> HttpResponse:
    """Show how one competitor's value came about, and those of its neighbours."""
    sheet = sheet_of(event, round_asked(request))
    row = row_of(sheet, number)
    criterion = criterion_at(code)
    score_sheet = ExplainedValue(sheet.standings, row, criterion.code, sheet.address, sheet.query)
    neighbours = neighbours_of(sheet, row, criterion.code)
    context = {
        "sheet": score_sheet,
        "neighbours": neighbours,
        "number": number,
        "query": sheet.query,
        "rests_on": rests_on(sheet.basis),
        "rulings": rulings_among(sheet, neighbours),
    }
    return event_answer(request, event, "explanation", context)


def explanations(event: Event, number: int) -> dict[str, Any]:
    """Return how every value of one competitor came about, as its page in an archive shows it."""
    sheet = remembered("sheet", event, partial(sheet_of, after=None))
    row = row_of(sheet, number)
    codes = explained(sheet)
    by_criterion = [neighbours_of(sheet, row, code) for code in codes]
    # One line for each of them, with its value under each criterion.
    lines = zip(*by_criterion, strict=True)
    return {
        "explanations": [
            ExplainedValue(sheet.standings, row, code, sheet.address, links_opponents=False) for code in codes
        ],
        "neighbour_rows": SafeString("\n".join(_row_of_neighbour(sheet.address, line) for line in lines)),
        "rests_on": rests_on(sheet.basis),
        "rulings": rulings_among(sheet, [each for neighbours in by_criterion for each in neighbours]),
    }


def _row_of_neighbour(address: str, values: Sequence[StandingsNeighbour]) -> str:
    """Return one neighbour with its values as a row of a table, as HTML."""
    first = values[0]
    css, entry = ' class="here"' if first.here else "", first.entry
    cells = "".join(f"<td>{escape(each.text)}</td>" for each in values)
    return (
        f'<tr{css}><td class="no">{escape(first.place)}</td><th scope="row" class="left wrap">'
        f'<a href="{address}competitors/{entry.number}/">{escape(entry.name)}</a></th>{cells}</tr>'
    )

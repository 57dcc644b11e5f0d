"""Explanation of a competitor's values: one value, or all of them in an archive."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from standings.basis import basis_text
from standings.caching.cached_pages import event_page, require_results, uses_parameters
from standings.caching.page_cache import bounded_cache
from standings.criteria.explanations import ExplainedValue, explained_codes, has_same_terms, side_by_side
from standings.engine import Criterion, UnknownCriterionError, get_criterion
from standings.pages.frame import event_response, requested_round, rulings_of_competitors, sheet_of
from standings.services import memoized_on_event, row_of
from standings.tables.sheet import neighbours_of
from tournaments.models import Event


def criterion_at(address: str) -> Criterion:
    """Return the criterion with this code in URLs; Http404 for another spelling or an unknown code."""
    try:
        criterion = get_criterion(address)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    # Pages are cached by URL, so each criterion has only one.
    if criterion.address != address:
        raise Http404
    return criterion


@event_page
@bounded_cache
@uses_parameters("after")
def explanation(request: HttpRequest, event: Event, number: int, code: str) -> HttpResponse:
    require_results(event)
    sheet = sheet_of(event, requested_round(request, event))
    row = row_of(sheet.entries, number)
    criterion = criterion_at(code)
    score_sheet = ExplainedValue(sheet.standings, row, criterion.code, sheet.address, sheet.query)
    neighbours = neighbours_of(sheet, row, criterion.code)
    context = {
        "sheet": score_sheet,
        "neighbours": neighbours,
        "number": number,
        "query": sheet.query,
        "rests_on": basis_text(sheet.basis),
        "rulings": rulings_of_competitors(sheet, {neighbour.entry.number for neighbour in neighbours}),
    }
    return event_response(request, event, "explanation", context)


def explanations(event: Event, number: int) -> dict[str, Any]:
    sheet = memoized_on_event("sheet", event, partial(sheet_of, after=None))
    row = row_of(sheet.entries, number)
    codes = explained_codes(sheet)
    values = [
        ExplainedValue(sheet.standings, row, code, sheet.address, links_opponents=False) for code in codes
    ]
    # Most criteria have a term per round: their rounds are shown once for all of them.
    longest = max(values, key=lambda value: len(value.terms), default=None)
    together = [value for value in values if longest and value.terms and has_same_terms(value, longest)]
    together = together if len(together) > 1 else []
    return {
        # Rendered without a template, because an archive has thousands.
        "explanations": SafeString(
            "\n".join(value.section(has_own_table=value not in together) for value in values)
        ),
        "side_by_side": side_by_side(together),
        "rests_on": basis_text(sheet.basis),
        "rulings": rulings_of_competitors(sheet, {number}),
    }

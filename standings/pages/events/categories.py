"""Standings of a category, with places of its own in the order of the entire event; and the prizes."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse

from standings.caching.cached_pages import choices, event_page, insert_rows, uses_parameters
from standings.pages.events.filters import FILTERS, RowFilter
from standings.pages.events.tables import category_links, table_context
from standings.pages.frame import default_sheet, event_response, requested_round, sheet_context, sheet_of
from standings.services import Ranked, category_members, paired_rounds, prizes_of
from standings.tables.switches import apply_choices, carried_choices, query_of
from tournaments.event.prizes import shows_prizes
from tournaments.models import Event
from tournaments.prizes.texts import category_name, rule_text, sharing_text


@event_page
@uses_parameters("sort", "dir", "after", "top", *FILTERS)
def category_standings(request: HttpRequest, event: Event, category: str) -> HttpResponse:
    definition = next((declared for declared in event.categories if declared["code"] == category), None)
    if definition is None:
        raise Http404
    chosen = choices(request)
    after = requested_round(request, event)
    base_sheet = default_sheet(request, event) if after is None else sheet_of(event, after)
    members, name = category_members(event)[category], category_name(definition)
    base_sheet = replace(base_sheet, address="../../../", among=members.numbers, group=name)
    row_filter = RowFilter(request, apply_choices(base_sheet, chosen))
    sheet, carried = row_filter.sheet, carried_choices(chosen) | row_filter.chosen
    carried |= {"after": chosen["after"]} if "after" in chosen else {}
    by_number = {entry.number: entry for entry in sheet.entries}
    paired = paired_rounds(event)
    is_final = sheet.standings.table.rounds == paired
    context = {
        **sheet_context(request, sheet, None if after is None else paired),
        **table_context(request, row_filter, carried, is_final=is_final),
        "page": "standings-category",
        "category": name,
        "code": category,
        "rule": rule_text(definition),
        "categories": category_links(event, category),
        "rounds": [
            (number, query_of({**carried, "after": str(number)}))
            for number in range(1, paired + 1 if event.knows_round_order else 0)
        ],
        "decided": [(by_number[number], belongs, reason) for number, belongs, reason in members.decided],
    }
    page = event_response(request, event, "category", context)
    return insert_rows(page, context["table"].rows)


@event_page
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the prizes, with the winners and the calculation of each amount.

    Raise Http404 before the end of the event, unless the organiser publishes them before.
    """
    if not shows_prizes(event) and not hasattr(request, "preview"):
        raise Http404
    sheet = default_sheet(request, event)
    paired = sheet.shown_results.table.rounds
    context = {
        **sheet_context(request, sheet),
        "list": prizes_of(event, Ranked(sheet.entries, sheet.standings)) if paired else None,
        "sharing": sharing_text(event),
    }
    return event_response(request, event, "prizes", context)

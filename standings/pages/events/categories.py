"""Standings of a category, with places of its own in the order of the entire event; and the prizes."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse

from standings.caching.cached_pages import (
    ROWS,
    choices,
    event_page,
    insert_rows,
    mark_uncacheable,
    uses_parameters,
)
from standings.checking.trust import trust_statement
from standings.pages.events.filters import FILTERS, RowFilter
from standings.pages.events.notes import notes_of
from standings.pages.events.tables import category_links, optional_rating_columns
from standings.pages.frame import (
    default_sheet,
    event_response,
    requested_round,
    sheet_context,
    sheet_of,
    shorten,
)
from standings.services import Ranked, category_members, paired_rounds, prizes_of
from standings.tables.columns import all_columns
from standings.tables.rows import StandingsTable
from standings.tables.switches import (
    SHOWN,
    apply_choices,
    carried_choices,
    query_of,
    switches_of,
)
from standings.tables.values import table_legend
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
    columns = all_columns(sheet := row_filter.sheet)
    columns += optional_rating_columns(sheet) if chosen.get("ratings") == SHOWN else []
    carried = carried_choices(chosen) | row_filter.chosen
    carried |= {"after": chosen["after"]} if "after" in chosen else {}
    table = StandingsTable(sheet, columns, chosen.get("sort", ""), chosen.get("dir", ""), carried=carried)
    if "sort" in chosen and not table.sort:
        mark_uncacheable(request)
    table.add_reasons()
    by_number = {entry.number: entry for entry in sheet.entries}
    paired = paired_rounds(event)
    context = {
        **sheet_context(request, sheet, None if after is None else paired),
        "page": "standings-category",
        "table": table,
        "rows": ROWS,
        "all_rows": shorten(request, table),
        "category": name,
        "filter": row_filter,
        "code": category,
        "trust": trust_statement(sheet, is_final=sheet.standings.table.rounds == paired),
        "rule": rule_text(definition),
        "categories": category_links(event, category),
        "rounds": [
            (number, query_of({**carried, "after": str(number)}))
            for number in range(1, paired + 1 if event.knows_round_order else 0)
        ],
        "notes": notes_of(sheet),
        "decided": [(by_number[number], belongs, reason) for number, belongs, reason in members.decided],
        "legend": table_legend(sheet, table.columns),
        "switches": switches_of(sheet, chosen),
        "other_query": query_of({**chosen, "as": "" if sheet.as_computed else "computed"}),
    }
    page = event_response(request, event, "category", context)
    return insert_rows(page, table.rows)


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
        "sharing": sharing_of(event),
    }
    return event_response(request, event, "prizes", context)


def sharing_of(event: Event) -> str:
    return sharing_text(event.prize_sharing, is_cumulative=event.prizes_cumulative, step=event.prize_step)

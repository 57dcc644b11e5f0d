"""Standings of a category, with places of its own in the order of the entire event; and the prizes."""

from dataclasses import replace
from html import escape

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from standings.caching.cached_pages import (
    ROWS,
    choices,
    event_page,
    insert_rows,
    mark_uncacheable,
    uses_parameters,
)
from standings.checking.trust import trust_statement
from standings.engine import Row
from standings.pages.events.notes import PLACE_IN_WHOLE, notes_of
from standings.pages.events.tables import category_links, optional_rating_columns
from standings.pages.frame import default_sheet, event_response, requested_round, sheet_context, sheet_of
from standings.services import Ranked, category_members, paired_rounds, prizes_of
from standings.tables.columns import all_columns, place_column, place_text
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import TableColumn
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
from tournaments.prizes.members import rows_among
from tournaments.prizes.texts import category_name, rule_text, sharing_text


class CategoryTable(StandingsTable):
    """The standings table of a category called `name`; its rows have places in the category."""

    name: str

    @property
    def about(self) -> str:
        return f"{self.sheet.event.name}, {self.name}"


def category_columns(sheet: StandingsSheet, rows: list[Row]) -> list[TableColumn]:
    """Return the columns of the standings page, with the category's place before the event's."""
    in_whole, *others = all_columns(sheet)
    own = place_column(sheet, rows, {row.place: row.competitor for row in reversed(rows) if row.place})
    cells = dict(zip((row.competitor for row in rows), own.cells, strict=True))
    own = replace(own, cells=[cells.get(row, "") for row in range(len(sheet.entries))])
    # Every row shows its place: the first row of a shared place may not be in the table.
    unshared = (row._replace(sharing=1) for row in sheet.by_competitor)
    label, name = _("all"), _("Overall place")
    start = f'<td role="cell" class="overall" data-label="{escape(label)}">'
    event_cells = [f"{start}{place_text(sheet, row, {}, '')}</td>" for row in unshared]
    return [own, replace(in_whole, label=label, name=name, css="overall", cells=event_cells), *others]


@event_page
@uses_parameters("sort", "dir", "after")
def category_standings(request: HttpRequest, event: Event, category: str) -> HttpResponse:
    definition = next((declared for declared in event.categories if declared["code"] == category), None)
    if definition is None:
        raise Http404
    chosen = choices(request)
    after = requested_round(request, event)
    base_sheet = default_sheet(request, event) if after is None else sheet_of(event, after)
    sheet = apply_choices(replace(base_sheet, address="../../../"), chosen)
    members = category_members(event)[category]
    rows = rows_among(sheet.standings, members.numbers)
    columns = category_columns(sheet, rows)
    columns += optional_rating_columns(sheet) if chosen.get("ratings") == SHOWN else []
    carried = carried_choices(chosen) | ({"after": chosen["after"]} if "after" in chosen else {})
    table = CategoryTable(sheet, columns, chosen.get("sort", ""), chosen.get("dir", ""), carried=carried)
    table.name, table.standings_rows = category_name(definition), rows
    if "sort" in chosen and not table.sort:
        mark_uncacheable(request)
    table.add_reasons()
    by_number = {entry.number: entry for entry in sheet.entries}
    paired = paired_rounds(event)
    is_final = sheet.standings.table.rounds == paired
    context = {
        **sheet_context(request, sheet, None if after is None else paired, members.numbers),
        "page": "standings-category",
        "table": table,
        "rows": ROWS,
        "category": table.name,
        "code": category,
        "trust": trust_statement(sheet, is_final=is_final, members=members.numbers),
        "rule": rule_text(definition),
        "categories": category_links(event, category),
        "rounds": [
            (number, query_of({**carried, "after": str(number)}))
            for number in range(1, paired + 1 if event.knows_round_order else 0)
        ],
        "notes": notes_of(sheet, PLACE_IN_WHOLE),
        "decided": [(by_number[number], belongs, reason) for number, belongs, reason in members.decided],
        "legend": table_legend(sheet, table.columns),
        "switches": switches_of(event, chosen, rated=any(entry.rating for entry in sheet.entries)),
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

"""Standings, cross table, statistics, world map and check of an event."""

from dataclasses import replace
from html import escape
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from standings.basis import sentence
from standings.caching.cached_pages import (
    ROWS,
    choices,
    event_page,
    insert_rows,
    mark_uncacheable,
    require_results,
    uses_parameters,
)
from standings.charts.bars import (
    colour_bars,
    difference_bars,
    match_score_bars,
    score_group_bars,
)
from standings.charts.heatmap import heat_map
from standings.charts.race import places_column, race_of, rounds_of_race
from standings.charts.scatter import scatter_of
from standings.charts.worldmap import is_mapped, map_of_event
from standings.checking.pairings import pairings_verdict
from standings.checking.reports import checked_tables
from standings.checking.trust import published_check, trust_statement
from standings.pages.events.filters import FILTERS, RowFilter
from standings.pages.events.notes import crosstable_notes_of, manual_changes, notes_of
from standings.pages.frame import (
    PageLink,
    default_sheet,
    event_response,
    sheet_context,
    sheet_of,
    shorten,
)
from standings.pages.people.lookup import ways_over_events
from standings.services import paired_rounds, places_after_each_round
from standings.statistics.ratingcolumns import rating_columns, ratings_in
from standings.statistics.scorers import scorers_of
from standings.statistics.scorertable import ScorerTable
from standings.statistics.summary import summary_of
from standings.statistics.texts import contenders_table
from standings.tables.columns import all_columns
from standings.tables.matrix import LARGEST, Matrix
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet
from standings.tables.switches import (
    SHOWN,
    apply_choices,
    carried_choices,
    query_of,
    reasons_switch,
    switches_of,
)
from standings.tables.values import table_legend
from standings.texts import day_text
from tournaments.models import Event, Published
from tournaments.prizes.texts import category_name


@event_page
@uses_parameters("sort", "dir", "picture", "top", *FILTERS)
def standings(request: HttpRequest, event: Event, after: int | None = None) -> HttpResponse:
    chosen = choices(request)
    # Relative addresses: a table has 3,000 links, and absolute ones would add a sixth to its size.
    default = default_sheet(request, event) if after is None else sheet_of(event, after)
    relative = replace(default, address="../" if after is None else "../../../")
    ranking = relative.standings
    is_archived_earlier = after is not None and hasattr(request, "archive")
    if is_archived_earlier:
        # In an archive, the final table has all rounds, links of their cells, and facts about competitors.
        relative = replace(relative, last_round_only=True)
    paired = default.shown_results.table.rounds if after is None else paired_rounds(event)
    # The table after the last paired round is the final one, at both of its addresses.
    is_final = ranking.table.rounds == paired
    published = published_check(event, None if is_final else ranking.table.rounds)
    row_filter = RowFilter(request, apply_choices(replace(relative, published=published.places), chosen))
    sheet, carried = row_filter.sheet, carried_choices(chosen) | row_filter.chosen
    has_race = not row_filter.chosen and rounds_of_race(sheet) > 0
    # The overview has the race of the default standings, and an archive that of all rounds with the final
    # table. It takes longer than the rows of this page.
    is_drawn = not is_archived_earlier and (
        after is not None or "picture" in chosen or hasattr(request, "archive")
    )
    rounds = ranking.table.rounds if event.knows_round_order else 0
    context = {
        **sheet_context(request, sheet, None if after is None else paired),
        **table_context(request, row_filter, carried, is_final=is_final, rounds=rounds),
        "race": race_of(sheet, places_after_each_round(event)) if has_race and is_drawn else None,
        "has_race": has_race,
        "after": after,
        "categories": category_links(event),
        "rounds": range(1, paired + 1) if event.knows_round_order else (),
        "contenders": contenders_table(sheet) if after is None and not sheet.as_computed else None,
        "over_events": ways_over_events(request, event, _numbers_by_place(sheet)),
        "query": query_of(carried) if carried else "",
    }
    page = event_response(request, event, "standings", context)
    return insert_rows(page, context["table"].rows)


def table_context(
    request: HttpRequest, row_filter: RowFilter, carried: dict[str, str], *, is_final: bool, rounds: int = 0
) -> dict[str, Any]:
    """Return the context of a filtered table, in the order that the reader chose.

    `carried`: the query parameters of its links. `rounds`: those whose places can be a column.
    """
    sheet, chosen = row_filter.sheet, choices(request)
    columns = all_columns(sheet)
    if chosen.get("ratings") == SHOWN:
        births = [entry.birth_year for entry in sheet.entries]
        address = escape(f"{sheet.address}competitors/")
        places = [f"{address}{entry.number}/#ratings" for entry in sheet.entries]
        columns += rating_columns(ratings_in(sheet.event, sheet.standings.table, births), places)
    if chosen.get("places") == SHOWN and rounds > 1:
        after_name = 1 + next(at for at, column in enumerate(columns) if column.css == "who")
        columns.insert(after_name, places_column(sheet, places_after_each_round(sheet.event)))
    table = StandingsTable(sheet, columns, chosen, carried=carried)
    if "sort" in chosen and not table.sort:
        mark_uncacheable(request)
    table.add_reasons()
    return {
        "table": table,
        "filter": row_filter,
        "rows": ROWS,
        "all_rows": shorten(request, table),
        "trust": trust_statement(sheet, is_final=is_final),
        "notes": notes_of(sheet),
        "legend": table_legend(sheet, table.columns),
        "switches": switches_of(sheet, chosen, rounds=rounds),
        "other_query": query_of({**chosen, "as": "" if sheet.as_computed else "computed"}),
    }


def _numbers_by_place(sheet: StandingsSheet) -> list[int]:
    return [sheet.entries[row.competitor].number for row in sheet.rows_of_group]


@event_page
@uses_parameters("picture")
def crosstable(request: HttpRequest, event: Event) -> HttpResponse:
    require_results(event)
    sheet = replace(default_sheet(request, event), reasons=choices(request).get("why", ""))
    if len(sheet.entries) > LARGEST:
        too_many = {"entries": len(sheet.entries), "largest": LARGEST}
        return event_response(request, event, "crosstable", too_many)
    matrix = Matrix(sheet, reasons=True)
    context = {
        **sheet_context(request, sheet),
        "matrix": matrix,
        "switches": [reasons_switch(choices(request))],
        "over_events": ways_over_events(request, event, _numbers_by_place(sheet)),
        "heat_map": heat_map(sheet),
        "legend": table_legend(sheet, [*matrix.lead, *matrix.figures]),
        "notes": crosstable_notes_of(sheet),
        "trust": trust_statement(sheet, is_final=sheet.with_running is None),
    }
    return event_response(request, event, "crosstable", context)


@event_page
@uses_parameters("sort", "dir", "page", "picture")
def statistics(request: HttpRequest, event: Event) -> HttpResponse:
    require_results(event)
    sheet, chosen = sheet_of(event, None), choices(request)
    scorers = scorers_of(sheet)
    table = ScorerTable(scorers, "../", chosen, whole=hasattr(request, "archive"))
    if ("sort" in chosen and not table.sort) or chosen.get("page", str(table.page)) != str(table.page):
        mark_uncacheable(request)
    context: dict[str, Any] = {
        "scorers": scorers,
        "table": table,
        "entries": len(sheet.entries),
        "has_running": sheet.basis.running,
    }
    if table.page == 1:
        summary = summary_of(sheet)
        context |= {
            "basis": sentence(sheet.basis),
            "rulings": manual_changes(sheet, sheet.standings.table.rounds),
            "summary": summary,
            "colour_bars": colour_bars(summary),
            "match_score_bars": match_score_bars(summary),
            "score_group_bars": score_group_bars(sheet),
            "difference_bars": difference_bars(scorers),
            "scatter": scatter_of(scorers, "../"),
            "is_mapped": is_mapped(sheet),
        }
    return event_response(request, event, "statistics", context)


@event_page
def check(request: HttpRequest, event: Event) -> HttpResponse:
    require_results(event)
    published = Published.objects.filter(event=event).first()
    tables = checked_tables(event, published) if published else []
    rulings, verdict = [], None
    if published:
        sheet = sheet_of(event, None)
        rulings = manual_changes(sheet, sheet.standings.table.rounds) if tables else []
        verdict = trust_statement(apply_choices(sheet, {"as": "computed"}))
    context = {
        "tables": tables,
        "verdict": verdict,
        "published": published,
        "taken": day_text(published.taken) if published else "",
        "rulings": rulings,
        # The worker may check pairings at any time, but an archive depends only on recorded data.
        "pairings": None if hasattr(request, "archive") else pairings_verdict(event),
    }
    return event_response(request, event, "check", context)


# --- category links -----------------------------------------------------------------------------------------


def category_links(event: Event, shown: str = "") -> list[PageLink]:
    """Return the entire event and its categories; empty without categories. `shown` is the open category's
    code.
    """
    if not event.categories:
        return []
    links = [PageLink(_("All"), reverse("standings", args=[event.slug]), not shown)]
    for category in event.categories:
        address = reverse("standings-category", args=[event.slug, category["code"]])
        links.append(PageLink(category_name(category), address, category["code"] == shown))
    return links


@event_page
@uses_parameters("picture")
def world_map(request: HttpRequest, event: Event) -> HttpResponse:
    # A separate page, because outlines and their table are as large as all statistics.
    require_results(event)
    sheet = default_sheet(request, event)
    context = sheet_context(request, sheet) | {"map": map_of_event(sheet, "../")}
    return event_response(request, event, "map", context)

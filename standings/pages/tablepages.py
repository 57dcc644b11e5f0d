"""The pages that are tables: the standings, everybody against everybody, the statistics, and the check."""

from dataclasses import replace
from html import escape

from django.http import Http404, HttpRequest, HttpResponse

from standings.basis import rests_on, sentence
from standings.checking.reports import checked_tables, places_published, verdict_of
from standings.eventwords import day_text
from standings.pages.frame import event_answer, sheet_of
from standings.pages.notes import crosstable_notes_of, manual_changes, notes_of
from standings.services import paired_rounds
from standings.serving.pages import ROWS, choices, event_page, filled, knows, only_shown
from standings.statistics.ratingcolumns import rating_columns, ratings_in
from standings.statistics.scorers import scorers_of
from standings.statistics.scorertable import ScorerTable, team_rows
from standings.statistics.summary import summary_of
from standings.tables.columns import all_columns
from standings.tables.matrix import LARGEST, Matrix
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import TableColumn
from standings.tables.switches import CARRIED, SHOWN, as_chosen, carried_choices, query_of, switches_of
from standings.tables.values import legend_of
from tournaments.models import Event, Published


@event_page
@knows("sort", "dir", *CARRIED)
def standings(request: HttpRequest, event: Event, after: int | None = None) -> HttpResponse:
    """Show the standings after the last paired round, or after an earlier one."""
    chosen = choices(request)
    carried = carried_choices(chosen)
    # Relative, because a table has three thousand links: a sixth of its bytes would be the event's address.
    nearby = replace(sheet_of(event, after), address="../" if after is None else "../../../")
    judged = nearby.standings
    paired = judged.table.rounds if after is None else paired_rounds(event)
    # After the last paired round the standings are the final ones, at whichever of their two addresses.
    published = places_published(event, judged, final=judged.table.rounds == paired)
    sheet = as_chosen(replace(nearby, published=published), chosen)
    sort, direction = chosen.get("sort", ""), chosen.get("dir", "")
    columns = [*all_columns(sheet), *(_rating_columns(sheet) if chosen.get("ratings") == SHOWN else [])]
    table = StandingsTable(sheet, columns, sort, direction, carried=carried)
    if sort and not table.sort:
        only_shown(request)
    context = {
        "table": table,
        "rows": ROWS,
        "after": after,
        "basis": sentence(sheet.basis),
        "rests_on": rests_on(sheet.basis),
        "rounds": range(1, paired + 1),
        "notes": notes_of(sheet),
        "legend": legend_of(sheet, table.columns),
        "rulings": manual_changes(sheet, paired),
        "switches": switches_of(event, chosen, rated=any(entry.rating for entry in sheet.entries)),
        "query": query_of(carried) if carried else "",
        "other_query": query_of({**chosen, "as": "" if sheet.as_computed else "computed"}),
    }
    page = event_answer(request, event, "standings", context | {"entries": len(sheet.entries)})
    return filled(page, table.rows)


def _rating_columns(sheet: StandingsSheet) -> list[TableColumn]:
    ratings = ratings_in(sheet.event, sheet.standings.table, [entry.birth_year for entry in sheet.entries])
    address = escape(sheet.address)
    places = [f"{address}competitors/{entry.number}/#ratings" for entry in sheet.entries]
    return rating_columns(ratings, places) if ratings else []


@event_page
def crosstable(request: HttpRequest, event: Event) -> HttpResponse:
    """Show everybody against everybody; not for more competitors than a table can show."""
    sheet = sheet_of(event, None)
    if len(sheet.entries) > LARGEST:
        raise Http404
    matrix = Matrix(sheet)
    context = {
        "matrix": matrix,
        "basis": sentence(sheet.basis),
        "rests_on": rests_on(sheet.basis),
        "legend": legend_of(sheet, [*matrix.lead, *matrix.figures]),
        "notes": crosstable_notes_of(sheet),
        "rulings": manual_changes(sheet, sheet.standings.table.rounds),
        "entries": len(sheet.entries),
    }
    return event_answer(request, event, "crosstable", context)


@event_page
@knows("sort", "dir")
def statistics(request: HttpRequest, event: Event) -> HttpResponse:
    """Show how the games ended, the best of each board, and what everybody scored."""
    sheet, chosen = sheet_of(event, None), choices(request)
    scorers = scorers_of(sheet)
    table = ScorerTable(scorers, "../", chosen.get("sort", ""), chosen.get("dir", ""))
    if "sort" in chosen and not table.sort:
        only_shown(request)
    context = {
        "basis": sentence(sheet.basis),
        "rulings": manual_changes(sheet, sheet.standings.table.rounds),
        "summary": summary_of(sheet, in_short=False),
        "scorers": scorers,
        "team_rows": team_rows(scorers, "../"),
        "table": table,
    }
    return event_answer(request, event, "statistics", context | {"entries": len(sheet.entries)})


@event_page
def check(request: HttpRequest, event: Event) -> HttpResponse:
    """Show our standings against the published ones."""
    published = Published.objects.filter(event=event).first()
    tables = checked_tables(event, published) if published else []
    rulings = []
    if tables:
        sheet = sheet_of(event, None)
        rulings = manual_changes(sheet, sheet.standings.table.rounds)
    context = {
        "tables": tables,
        "verdict": verdict_of(event, published),
        "published": published,
        "taken": day_text(published.taken) if published else "",
        "rulings": rulings,
    }
    return event_answer(request, event, "check", context)

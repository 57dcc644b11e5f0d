"""The public pages. Each is read from top to bottom: what it asks for, and what it prints."""

import re
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from standings.basis import rests_on, sentence
from standings.catalogue.editions import beside, editions_of
from standings.catalogue.listing import Listing
from standings.catalogue.series.honours import honours_of
from standings.catalogue.series.tables import all_time_table, medal_table
from standings.checking.reports import checked_tables, places_published, verdict_of
from standings.criteria.descriptions import SOURCES, families, page_of, policies, systems
from standings.criteria.explanations import ExplainedValue, explained
from standings.downloads.answers import FORMATS
from standings.engine import UnknownCriterionError
from standings.entries import flag_of, year_of
from standings.eventwords import dates_text, day_text, entrants_and_schedule, properties_of, rounds_of
from standings.pages.changes import changes_of, rulings_of
from standings.pages.citation import citation_of
from standings.pages.codes import anchor_of, teams
from standings.pages.codes import lines as codes_of_federations
from standings.pages.comparison import comparison_card
from standings.pages.competitor import competitor_card
from standings.pages.heads import structured_data
from standings.pages.match import match_card
from standings.pages.notes import Ruled, crosstable_notes_of, manual_changes, notes_of
from standings.pages.roster import roster
from standings.pages.round import round_card
from standings.services import NoSuchRoundError, paired_rounds, ranked
from standings.serving.pages import (
    ROWS,
    choices,
    event_page,
    filled,
    head_of,
    only_read,
    rendered,
    site_page,
    static_page,
)
from standings.statistics.scorers import scorers_of
from standings.statistics.scorertable import ScorerTable, team_rows
from standings.statistics.summary import summary_of
from standings.tables.columns import all_columns, summary_columns
from standings.tables.matrix import LARGEST, Matrix
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsNeighbour, StandingsSheet, neighbours_of
from standings.tables.switches import as_chosen, carried_choices, query_of, switches_of
from standings.tables.values import legend_of
from tournaments.models import Event, ManualTiebreak, Published, Series

TOP = 10
TWO_NUMBERS = "[0-9]{1,9} [0-9]{1,9}"


@site_page
def event_list(request: HttpRequest) -> HttpResponse:
    """The public events that a reader asked for, live ones first, then the most recent."""
    canonical = request.build_absolute_uri(request.path)
    context = {"listing": Listing(choices(request)), "canonical": canonical}
    return rendered(request, "standings/event_list.html", context)


@site_page
def series(request: HttpRequest, slug: str) -> HttpResponse:
    """The editions of a series in a row, and what they come to; not found without a public one."""
    found = get_object_or_404(Series, slug=slug)
    editions = editions_of(found)
    if not editions:
        raise Http404
    chosen = choices(request)
    honours = honours_of([edition.event for edition in editions])
    context = {
        "series": found,
        "editions": editions,
        "honours": honours,
        "medals": medal_table(honours, chosen),
        "all_time": all_time_table(honours, chosen) if honours.is_team else None,
        "canonical": request.build_absolute_uri(request.path),
    }
    return rendered(request, "standings/series.html", context)


@event_page
def event(request: HttpRequest, event: Event) -> HttpResponse:
    """What the event is, the top of its standings, its rounds, its sources."""
    sheet = _sheet(event, None)
    columns = summary_columns(sheet)
    rounds = rounds_of(event)
    context = {
        "table": StandingsTable(sheet, columns, limit=TOP),
        "basis": sentence(sheet.basis),
        "rulings": manual_changes(sheet, sheet.standings.table.rounds),
        "legend": legend_of(sheet, columns),
        "about": properties_of(event, ruled=sheet.standings.has_other_rules),
        "rounds": rounds,
        "dated": any(each.date for each in rounds),
        "summary": summary_of(sheet, in_short=True),
        "verdict": verdict_of(event, Published.objects.filter(event=event).first()),
        "citation": citation_of(event, request.build_absolute_uri(request.path)),
        "structured": structured_data(event, request.build_absolute_uri(request.path), len(sheet.entries)),
    }
    return _render(request, event, "event", context | {"entries": len(sheet.entries)})


@event_page
def standings(request: HttpRequest, event: Event, after: int | None = None) -> HttpResponse:
    """The standings after the last paired round, or after an earlier one."""
    chosen = choices(request)
    carried = carried_choices(chosen)
    # Relative, because a table has three thousand links: a sixth of its bytes would be the event's address.
    nearby = replace(_sheet(event, after), address="../" if after is None else "../../../")
    judged = nearby.standings
    paired = judged.table.rounds if after is None else paired_rounds(event)
    published = places_published(event, judged, final=judged.table.rounds == paired)
    sheet = as_chosen(replace(nearby, published=published), chosen)
    sort, direction = chosen.get("sort", ""), chosen.get("dir", "")
    table = StandingsTable(sheet, all_columns(sheet), sort, direction, carried=carried)
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
        "switches": switches_of(event, chosen),
        "query": query_of(carried) if carried else "",
        "other_query": query_of({**chosen, "as": "" if sheet.as_computed else "computed"}),
    }
    page = _render(request, event, "standings", context | {"entries": len(sheet.entries)})
    return filled(page, table.rows)


@event_page
def crosstable(request: HttpRequest, event: Event) -> HttpResponse:
    """Everybody against everybody; not for more competitors than a table can show."""
    sheet = _sheet(event, None)
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
    return _render(request, event, "crosstable", context)


@event_page
def round_(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The pairings and results of a round."""
    card = round_card(event, number)
    if card is None:
        raise Http404
    context = {"card": card, "rounds": range(1, paired_rounds(event) + 1)}
    return _render(request, event, "round", context)


@event_page
def match(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    """One match with its boards, or one game."""
    card = match_card(event, number, table)
    if card is None:
        raise Http404
    return _render(request, event, "match", {"card": card})


@event_page
def competitor(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One competitor, round by round."""
    card = competitor_card(event, number)
    if card is None:
        raise Http404
    return _render(request, event, "competitor", {"card": card, "code": anchor_of(event, card.entry)})


@event_page
def competitors(request: HttpRequest, event: Event) -> HttpResponse:
    """All competitors, teams with their players."""
    lines = roster(event)
    context = {
        "roster": lines,
        "rated": any(line.entry.rating for line in lines),
        "entries": len(lines),
    }
    return _render(request, event, "competitors", context)


@event_page
def explanation(request: HttpRequest, event: Event, number: int, code: str) -> HttpResponse:
    """How one competitor's value came about, and those of its neighbours."""
    sheet = _sheet(event, _after(request))
    row = _row(sheet, number)
    score_sheet = ExplainedValue(sheet.standings, row, code, sheet.address, sheet.query)
    try:
        neighbours = neighbours_of(sheet, row, code)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    context = {
        "sheet": score_sheet,
        "neighbours": neighbours,
        "number": number,
        "query": sheet.query,
        "rests_on": rests_on(sheet.basis),
        "rulings": _rulings_among(sheet, neighbours),
    }
    return _render(request, event, "explanation", context)


@event_page
def explanations(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """How every value of one competitor came about: the explanations as a static archive has them."""
    sheet = _sheet(event, None)
    row = _row(sheet, number)
    judged, address = sheet.standings, sheet.address
    parts: list[dict[str, Any]] = [
        {"sheet": ExplainedValue(judged, row, code, address), "neighbours": neighbours_of(sheet, row, code)}
        for code in explained(sheet)
    ]
    shown = [each for part in parts for each in part["neighbours"]]
    context = {
        "explanations": parts,
        "number": number,
        "name": sheet.entries[row].name,
        "rests_on": rests_on(sheet.basis),
        "rulings": _rulings_among(sheet, shown),
    }
    return _render(request, event, "explanations", context)


@event_page
def compare(request: HttpRequest, event: Event, first: int, second: int) -> HttpResponse:
    """Why one competitor stands above another."""
    after = _after(request)
    sheet = _sheet(event, after)
    paired = sheet.standings.table.rounds if after is None else paired_rounds(event)
    card = comparison_card(sheet, _row(sheet, first), _row(sheet, second), paired)
    context = {"card": card, "query": sheet.query, "basis": sentence(sheet.basis), "after": after}
    return _render(request, event, "compare", context)


@event_page
def changes(request: HttpRequest, event: Event) -> HttpResponse:
    """What was corrected and what was changed by hand."""
    tiebreaks = ManualTiebreak.objects.filter(competitor__event=event).exists()
    context = {"changes": changes_of(event), "rulings": rulings_of(event), "tiebreaks": tiebreaks}
    return _render(request, event, "changes", context)


@event_page
def check(request: HttpRequest, event: Event) -> HttpResponse:
    """Our standings against the published ones."""
    published = Published.objects.filter(event=event).first()
    tables = checked_tables(event, published) if published else []
    rulings = []
    if tables:
        sheet = _sheet(event, None)
        rulings = manual_changes(sheet, sheet.standings.table.rounds)
    context = {
        "tables": tables,
        "verdict": verdict_of(event, published),
        "published": published,
        "taken": day_text(published.taken) if published else "",
        "rulings": rulings,
    }
    return _render(request, event, "check", context)


@event_page
def statistics(request: HttpRequest, event: Event) -> HttpResponse:
    """How the games ended, the best of each board, and what everybody scored."""
    sheet, chosen = _sheet(event, None), choices(request)
    scorers = scorers_of(sheet)
    context = {
        "basis": sentence(sheet.basis),
        "rulings": manual_changes(sheet, sheet.standings.table.rounds),
        "summary": summary_of(sheet, in_short=False),
        "scorers": scorers,
        "team_rows": team_rows(scorers, "../"),
        "table": ScorerTable(scorers, "../", chosen.get("sort", ""), chosen.get("dir", "")),
    }
    return _render(request, event, "statistics", context | {"entries": len(sheet.entries)})


@only_read
def compare_with(request: HttpRequest, slug: str) -> HttpResponse:
    """Leads from a form that names two competitors to their comparison, which has an address of its own."""
    event = head_of(request, slug)
    if isinstance(event, HttpResponse):
        return event
    two = " ".join(request.GET.get(name, "") for name in ("first", "second"))
    if not re.fullmatch(TWO_NUMBERS, two):
        raise Http404
    return redirect("compare", slug, *map(int, two.split()))


@site_page
def codes(request: HttpRequest) -> HttpResponse:
    """The codes of federations, of today and of certain years; of clubs and cities in the site's events."""
    today, certain = codes_of_federations()
    kinds = {
        "clubs": (_("Clubs"), _("Clubs and their codes"), teams("clubs")),
        "cities": (_("Cities"), _("Cities and their codes"), teams("cities")),
    }
    of_teams = [(key, *told) for key, told in kinds.items() if told[-1]]
    context = {
        "today": today,
        "certain": certain,
        "of_teams": of_teams,
        "canonical": request.build_absolute_uri(request.path),
    }
    return rendered(request, "standings/codes.html", context)


@static_page
def criteria(request: HttpRequest) -> HttpResponse:
    """All criteria, the ranking systems made of them, and what unplayed rounds are worth."""
    context = {"families": families(), "sources": SOURCES, "systems": systems(), "policies": policies()}
    about = {"page": "criteria", "canonical": request.build_absolute_uri(request.path)}
    return rendered(request, "standings/criteria.html", context | about)


@static_page
def criterion(request: HttpRequest, code: str) -> HttpResponse:
    """One criterion: its rule, its systems, and a worked example."""
    try:
        criterion_page = page_of(code)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    about = {"page": "criteria", "canonical": request.build_absolute_uri(request.path)}
    return rendered(request, "standings/criterion.html", about | {"criterion_page": criterion_page})


def _sheet(event: Event, after: int | None) -> StandingsSheet:
    try:
        entries, judged = ranked(event, after)
    except NoSuchRoundError as missing:
        raise Http404 from missing
    query = "" if after is None else f"?after={after}"
    moves = after is not None or event.state == Event.State.LIVE
    address = reverse("event", args=[event.slug])
    return StandingsSheet(event, judged, entries, address, query, moves=moves)


def _rulings_among(sheet: StandingsSheet, neighbours: list[StandingsNeighbour]) -> list[Ruled]:
    """The manual changes that concern these competitors; two queries where there are manual changes."""
    paired = paired_rounds(sheet.event) if sheet.standings.overrides else 0
    return manual_changes(sheet, paired, {each.entry.number for each in neighbours})


def _after(request: HttpRequest) -> int | None:
    """The round whose standings a reader asked for; what is no number is dropped."""
    asked = choices(request).get("after", "")
    return int(asked) if asked.isdecimal() else None


def _row(sheet: StandingsSheet, number: int) -> int:
    row = next((at for at, entry in enumerate(sheet.entries) if entry.number == number), None)
    if row is None:
        raise Http404
    return row


def _render(request: HttpRequest, event: Event, page: str, context: dict[str, Any]) -> HttpResponse:
    about = {
        "event": event,
        "page": page,
        "country": flag_of(event.country, year_of(event)),
        "dates": dates_text(event),
        "entrants_and_schedule": entrants_and_schedule(event, context.get("entries")),
        "canonical": request.build_absolute_uri(request.path),
        "matrix_shown": event.is_round_robin,
        "downloads": FORMATS,
    }
    return rendered(request, f"standings/{page}.html", about | beside(event) | context)

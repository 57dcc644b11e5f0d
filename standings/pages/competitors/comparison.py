"""Comparison of two competitors: their values by criterion, and their games against each other."""

import re
from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from standings.basis import sentence
from standings.caching.cached_pages import event_page, head_of, read_only, uses_parameters
from standings.caching.page_cache import bounded_cache
from standings.engine import PUBLISHED, ComparedValues, Comparison
from standings.flags import flag_html
from standings.pages.competitors.duel import Duel, duel_of
from standings.pages.competitors.verdict import Sentence, answer_sentences, primary_of, question
from standings.pages.events.boards import Board, board_of
from standings.pages.events.notes import ManualChange, manual_changes
from standings.pages.frame import event_response, requested_round, sheet_of
from standings.services import paired_rounds, row_of
from standings.tables.cells import RoundCells, facts_in, rounds_by_opponent, sign
from standings.tables.sheet import StandingsSheet, is_used
from standings.texts import CriterionTexts, criterion_phrase, criterion_texts
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Event
from tournaments.models.pairing import public_games
from tournaments.texts import criterion_name, localized

TWO_NUMBERS = "[0-9]{1,9} [0-9]{1,9}"


@dataclass(frozen=True)
class ComparedRow:
    """A criterion in the comparison.

    `texts`: both values. `decided`: the criterion separates the two. `verdict`: its effect in words. `star`:
    a star if other rules than the system's changed its values.
    """

    criterion: CriterionTexts
    name: str
    meaning: str
    star: str
    texts: tuple[str, str]
    decided: bool
    verdict: str


@dataclass(frozen=True)
class Encounter:
    """A pairing of the two against each other, from the side of the first."""

    round: int
    table: int
    result: str
    words: str


@dataclass(frozen=True)
class Meeting:
    round: int
    first: str
    second: str
    score: str
    boards: list[Board]


@dataclass(frozen=True)
class ComparisonCard:
    """Two competitors side by side.

    `title`: the question about their order. `answer`: the reason in sentences. `places`: both places if a
    ruling on a place or the published ranking decides, else None. `rulings`: manual changes of either.
    `meetings`: matches with known boards. `duel`: None if no results are known. `names`: short names.
    """

    first: CompetitorInfo
    second: CompetitorInfo
    places: tuple[str, str] | None
    criteria: list[ComparedRow]
    rulings: list[ManualChange]
    encounters: list[Encounter]
    meetings: list[Meeting]
    title: str
    answer: list[Sentence]
    duel: Duel | None
    flags: tuple[SafeString, SafeString]
    names: tuple[str, str]


def comparison_card(
    sheet: StandingsSheet, first: int, second: int, paired: int, after: int | None
) -> ComparisonCard:
    """Compare two rows of the crosstable after the sheet's last round.

    `paired`: the event's last paired round. `after`: the requested round, None for the last. One query for
    the boards of teams, and one if there are manual changes.
    """
    compared = sheet.standings.compare(first, second)
    numbers = sheet.entries[first].number, sheet.entries[second].number
    words = RoundCells(sheet.entries, sheet.label, sheet.address, players=not sheet.event.is_team)
    encounters = []
    for met in rounds_by_opponent(sheet.standings.table, first)[second]:
        changed = (first, met.round) in sheet.standings.changed_pairings
        mark = "*" if changed else ""
        spoken = words.words(met, changed=changed) + mark
        encounters.append(Encounter(met.round, met.table, sign(met.result) + mark, spoken))
    return ComparisonCard(
        sheet.entries[first],
        sheet.entries[second],
        (sheet.place_text(first), sheet.place_text(second))
        if compared.by_hand or compared.parting == PUBLISHED
        else None,
        [
            _compared_line(sheet, compared, values)
            for values in (*compared.criteria, *compared.later)
            if is_used(sheet.standings, values.criterion.code)
        ],
        manual_changes(sheet, paired, numbers),
        encounters,
        _meetings(sheet.event, numbers, sheet.standings.table.rounds) if sheet.event.is_team else [],
        question(sheet, compared, after),
        answer_sentences(sheet, compared),
        duel_of(sheet, compared) if sheet.event.knows_results else None,
        (flag_html(sheet.event, sheet.entries[first]), flag_html(sheet.event, sheet.entries[second])),
        (sheet.short_name(first), sheet.short_name(second)),
    )


def _compared_line(sheet: StandingsSheet, compared: Comparison, values: ComparedValues) -> ComparedRow:
    criterion, name = values.criterion, criterion_name(values.criterion)
    if criterion.is_fide:
        name = f"{name} ({criterion.source})"  # the article of C.07
    first, second = values.texts
    # The texts of a criterion within a tie are names of competitors.
    texts = values.texts if criterion.within_tie else (localized(first), localized(second))
    decided = criterion.code == compared.parting and not compared.by_hand
    return ComparedRow(
        criterion_texts(criterion),
        name,
        criterion_phrase(criterion, primary_of(sheet)),
        "*" if criterion.code in sheet.standings.changed_columns else "",
        texts,
        decided,
        _("decides") if decided else _undecided_text(sheet, compared, values),
    )


def _undecided_text(sheet: StandingsSheet, compared: Comparison, values: ComparedValues) -> str:
    if values.criterion.code == compared.parting:
        return _("would decide without the arbiter's decision")
    # The values of a competitor with annulled results differ, but they do not decide.
    if values.texts[0] != values.texts[1] and sheet.standings.table.annulled[[compared.a, compared.b]].any():
        return ""
    if values.is_unknown:
        return _("not known, so not used")
    is_later = values in compared.later
    if is_later and values.criterion.within_tie:
        return _("only for competitors still level")
    if values.better is None:
        return pgettext("both have the same", "level")
    return _("not needed; %(name)s ahead") % {"name": sheet.short_name(values.better)}


def _meetings(event: Event, numbers: tuple[int, int], rounds: int) -> list[Meeting]:
    games = (
        public_games(event)
        .filter(
            pairing__first__number__in=numbers,
            pairing__second__number__in=numbers,
            pairing__round__number__lte=rounds,
        )
        .select_related(
            "first_player", "second_player", "pairing__round", "pairing__first", "pairing__second"
        )
    )
    # `groupby` needs the boards of a match next to each other.
    in_order = games.order_by("pairing__round__number", "pairing_id", "board")
    meetings = []
    for pairing, boards in groupby(in_order, lambda game: game.pairing):
        own = facts_in(event, pairing.round.number).get(pairing.first.number)
        meetings.append(
            Meeting(
                pairing.round.number,
                pairing.first.name,
                pairing.second.name if pairing.second else "",
                sign(own) if own and own.open_boards else recorded_text(event, pairing),
                [board_of(event, game, game.first_player, game.second_player) for game in boards],
            )
        )
    return meetings


@event_page
@bounded_cache
@uses_parameters("after")
def compare(request: HttpRequest, event: Event, first: int, second: int) -> HttpResponse:
    after = requested_round(request, event)
    sheet = sheet_of(event, after)
    paired = sheet.standings.table.rounds if after is None else paired_rounds(event)
    card = comparison_card(sheet, row_of(sheet.entries, first), row_of(sheet.entries, second), paired, after)
    context = {"card": card, "query": sheet.query, "basis": sentence(sheet.basis), "after": after}
    return event_response(request, event, "compare", context)


@read_only
def compare_with(request: HttpRequest, slug: str) -> HttpResponse:
    event = head_of(request, slug)
    if isinstance(event, HttpResponse):
        return event
    numbers = " ".join(request.GET.get(name, "") for name in ("first", "second"))
    if not re.fullmatch(TWO_NUMBERS, numbers):
        raise Http404
    return redirect("compare", slug, *map(int, numbers.split()))

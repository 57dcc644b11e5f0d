"""Why one competitor stands above another: criterion by criterion, and what they did against each other."""

import re
from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from standings.basis import sentence
from standings.caching.bounded_cache import bounded_cache
from standings.caching.cached_pages import event_page, head_of, knows, only_read
from standings.engine import PUBLISHED, ComparedValues, Comparison, Criterion, Standings
from standings.flags import flag_beside
from standings.pages.boards import Board, board_of
from standings.pages.duel import Duel, duel_of
from standings.pages.frame import event_answer, round_asked, row_of, sheet_of
from standings.pages.notes import Ruled, manual_changes
from standings.pages.sides import RunningScores
from standings.pages.verdict import Sentence, answer, primary_of, question
from standings.services import paired_rounds
from standings.tables.cells import CrosstableRound, RoundCells, rounds_of_competitor, sign
from standings.tables.sheet import StandingsSheet, is_used
from standings.tables.switches import CARRIED
from standings.words import CriterionWords, name_of, plain_words, words_of, written
from tournaments.event.arrays import Entry
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Event, Pairing
from tournaments.models.pairing import shown_games

TWO_NUMBERS = "[0-9]{1,9} [0-9]{1,9}"


@dataclass(frozen=True)
class ComparedLine:
    """One criterion: both values, whether it parted the two, and what it comes to in words.

    `star`: on a criterion whose values other rules than the system's have touched.
    """

    criterion: CriterionWords
    name: str
    meaning: str
    star: str
    texts: tuple[str, str]
    decided: bool
    verdict: str


@dataclass(frozen=True)
class Encounter:
    """One pairing of the two with each other, as the first of them sees it."""

    round: int
    table: int
    result: str
    words: str


@dataclass(frozen=True)
class Meeting:
    """A match of the two teams with its boards, the first-named team on the left."""

    round: int
    first: str
    second: str
    score: str
    boards: list[Board]


@dataclass(frozen=True)
class ComparisonCard:
    """Two competitors side by side: `title` asks why, `answer` says it in sentences, `duel` shows it.

    `places` are their places if a ruling on one or the published ranking decides, None otherwise; `rulings`
    are those on either. `meetings` are their matches whose boards are known. `names` are short. There is no
    `duel` if no results are known.
    """

    first: Entry
    second: Entry
    places: tuple[str, str] | None
    criteria: list[ComparedLine]
    rulings: list[Ruled]
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
    """The comparison of two rows of the crosstable after the sheet's last round; `paired` is the event's.

    `after`: the round that was asked for, None for the last one.

    One query in an event of teams, for their boards, and one where something was ruled by hand.
    """
    compared = sheet.standings.compare(first, second)
    numbers = sheet.entries[first].number, sheet.entries[second].number
    words = RoundCells(sheet.entries, sheet.label, sheet.address, players=not sheet.event.is_team)
    return ComparisonCard(
        sheet.entries[first],
        sheet.entries[second],
        _places(sheet.standings, compared) if compared.by_hand or compared.parting == PUBLISHED else None,
        [
            _line(sheet, compared, each)
            for each in (*compared.criteria, *compared.later)
            if is_used(sheet.standings, each.criterion.code)
        ],
        manual_changes(sheet, paired, numbers),
        [
            _encounter(
                competitor_round,
                words,
                changed=(first, competitor_round.round) in sheet.standings.changed_pairings,
            )
            for competitor_round in rounds_of_competitor(sheet.standings.table, first)
            if competitor_round.opponent == second
        ],
        _meetings(sheet.event, numbers, sheet.standings.table.rounds) if sheet.event.is_team else [],
        question(sheet, compared, after),
        answer(sheet, compared),
        duel_of(sheet, compared) if sheet.event.knows_results else None,
        (flag_beside(sheet.event, sheet.entries[first]), flag_beside(sheet.event, sheet.entries[second])),
        (_short(sheet, first), _short(sheet, second)),
    )


def _places(standings: Standings, compared: Comparison) -> tuple[str, str]:
    """Both places, with the star of one that was set by hand."""
    first, second = (
        f"{standings.place[row] or '-'}{standings.place_mark(row)}" for row in (compared.a, compared.b)
    )
    return first, second


def _line(sheet: StandingsSheet, compared: Comparison, each: ComparedValues) -> ComparedLine:
    criterion, texts = each.criterion, _texts(each)
    decided = criterion.code == compared.parting and not compared.by_hand
    return ComparedLine(
        words_of(criterion),
        _with_article(criterion),
        plain_words(criterion, primary_of(sheet)),
        "*" if criterion.code in sheet.standings.changed_columns else "",
        texts,
        decided,
        _("decides") if decided else _verdict(sheet, compared, each),
    )


def _verdict(sheet: StandingsSheet, compared: Comparison, each: ComparedValues) -> str:
    """Return what a criterion that did not decide would have said."""
    if each.criterion.code == compared.parting:
        return _("would decide without the arbiter's decision")
    # Values of somebody whose results are annulled differ and part nobody.
    if each.texts[0] != each.texts[1] and sheet.standings.table.annulled[[compared.a, compared.b]].any():
        return ""
    if each.is_unknown:
        return _("not known, so not used")
    is_later = each in compared.later
    if is_later and each.criterion.within_tie:
        return _("only for competitors still level")
    if each.better is None:
        return pgettext("both have the same", "level")
    return _("not needed; %(name)s ahead") % {"name": _short(sheet, each.better)}


def _short(sheet: StandingsSheet, row: int) -> str:
    """Return a competitor's code, or the name without what follows a comma."""
    return sheet.label(row) if sheet.codes_tell else sheet.entries[row].name.partition(",")[0]


def _with_article(criterion: Criterion) -> str:
    """Return the criterion's name, of FIDE's with its article: `Buchholz Cut 1 (C.07 8.1)`."""
    return f"{name_of(criterion)} ({criterion.source})" if criterion.is_fide else name_of(criterion)


def _meetings(event: Event, numbers: tuple[int, int], rounds: int) -> list[Meeting]:
    """The matches of two teams against each other up to a round, in the order of the rounds."""
    games = (
        shown_games(event)
        .filter(
            pairing__first__number__in=numbers,
            pairing__second__number__in=numbers,
            pairing__round__number__lte=rounds,
        )
        .select_related(
            "first_player", "second_player", "pairing__round", "pairing__first", "pairing__second"
        )
    )
    # `groupby` takes what lies together: all boards of a match have to.
    in_order = games.order_by("pairing__round__number", "pairing_id", "board")
    return [
        _meeting(
            event, pairing, [board_of(event, game, game.first_player, game.second_player) for game in games]
        )
        for pairing, games in groupby(in_order, lambda game: game.pairing)
    ]


def _meeting(event: Event, pairing: Pairing, boards: list[Board]) -> Meeting:
    so_far = RunningScores(event).of(pairing)
    score = sign(so_far) if so_far else recorded_text(event, pairing)
    second = pairing.second.name if pairing.second else ""
    return Meeting(pairing.round.number, pairing.first.name, second, score, boards)


def _texts(compared: ComparedValues) -> tuple[str, str]:
    """Both values; where they name somebody, the names are left alone."""
    if compared.criterion.within_tie:
        return compared.texts
    first, second = map(written, compared.texts)
    return first, second


def _encounter(competitor_round: CrosstableRound, words: RoundCells, *, changed: bool) -> Encounter:
    mark = "*" if changed else ""
    spoken = words.words(competitor_round, changed=changed) + mark
    return Encounter(
        competitor_round.round, competitor_round.table, sign(competitor_round.result) + mark, spoken
    )


@event_page
@bounded_cache
@knows("after", *CARRIED)
def compare(request: HttpRequest, event: Event, first: int, second: int) -> HttpResponse:
    """Show why one competitor stands above another."""
    after = round_asked(request, event)
    sheet = sheet_of(event, after)
    paired = sheet.standings.table.rounds if after is None else paired_rounds(event)
    card = comparison_card(sheet, row_of(sheet, first), row_of(sheet, second), paired, after)
    context = {"card": card, "query": sheet.query, "basis": sentence(sheet.basis), "after": after}
    return event_answer(request, event, "compare", context)


@only_read
def compare_with(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead from a form that names two competitors to their comparison, which has an address of its own."""
    event = head_of(request, slug)
    if isinstance(event, HttpResponse):
        return event
    two = " ".join(request.GET.get(name, "") for name in ("first", "second"))
    if not re.fullmatch(TWO_NUMBERS, two):
        raise Http404
    return redirect("compare", slug, *map(int, two.split()))

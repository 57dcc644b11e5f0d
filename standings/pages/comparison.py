"""Why one competitor stands above another: criterion by criterion, and what they did against each other."""

import re
from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from standings.basis import sentence
from standings.engine import Compared, Comparison, Criterion, Standings, get
from standings.pages.frame import event_answer, round_asked, row_of, sheet_of
from standings.pages.match import Board, board_of
from standings.pages.notes import Ruled, manual_changes
from standings.services import paired_rounds
from standings.serving.pages import event_page, head_of, knows, only_read
from standings.serving.seldom import seldom
from standings.tables.cells import CrosstableRound, RoundCells, rounds_of_competitor, sign
from standings.tables.sheet import StandingsSheet
from standings.words import name_of, words_of, written
from tournaments.event.arrays import Entry
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Event, Pairing
from tournaments.models.pairing import shown_games

TWO_NUMBERS = "[0-9]{1,9} [0-9]{1,9}"


@dataclass(frozen=True)
class ComparedLine:
    """One criterion: both values, whether it parted the two, and what it comes to in words."""

    address: str
    name: str
    rule: str
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
    """Two competitors side by side; `verdict` says in a sentence who is ahead and why.

    `places` are their places where a ruling on one decides, None elsewhere; `rulings` are those on either.
    `meetings` are their matches whose boards are known.
    """

    first: Entry
    second: Entry
    places: tuple[str, str] | None
    criteria: list[ComparedLine]
    rulings: list[Ruled]
    encounters: list[Encounter]
    meetings: list[Meeting]
    verdict: str


def comparison_card(sheet: StandingsSheet, first: int, second: int, paired: int) -> ComparisonCard:
    """The comparison of two rows of the crosstable after the sheet's last round; `paired` is the event's.

    One query in an event of teams, for their boards, and one where something was ruled by hand.
    """
    compared = sheet.standings.compare(first, second)
    numbers = sheet.entries[first].number, sheet.entries[second].number
    words = RoundCells(sheet.entries, sheet.label, sheet.address, players=not sheet.event.is_team)
    return ComparisonCard(
        sheet.entries[first],
        sheet.entries[second],
        _places(sheet.standings, compared) if compared.by_hand else None,
        [_line(compared, each, sheet.standings) for each in compared.criteria],
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
        _verdict(sheet, compared),
    )


def _places(standings: Standings, compared: Comparison) -> tuple[str, str]:
    """Both places, with the star of one that was set by hand."""
    first, second = (
        f"{standings.place[row] or '-'}{standings.place_mark(row)}" for row in (compared.a, compared.b)
    )
    return first, second


def _line(compared: Comparison, each: Compared, standings: Standings) -> ComparedLine:
    criterion, texts = each.criterion, _texts(each)
    decided = criterion.code == compared.parting and not compared.by_hand
    if decided:
        verdict = _("decides")
    elif criterion.code == compared.parting:
        verdict = _("would decide; the ruling does")
    # Values of somebody whose results are annulled differ and part nobody.
    elif standings.table.annulled[[compared.a, compared.b]].any() and texts[0] != texts[1]:
        verdict = ""
    else:
        verdict = pgettext("both have the same", "level")
    return ComparedLine(
        criterion.address, _with_article(criterion), words_of(criterion).rule, texts, decided, verdict
    )


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
        _meeting(event, pairing, [board_of(event, board) for board in boards])
        for pairing, boards in groupby(in_order, lambda game: game.pairing)
    ]


def _meeting(event: Event, pairing: Pairing, boards: list[Board]) -> Meeting:
    score = recorded_text(event, pairing)
    second = pairing.second.name if pairing.second else ""
    return Meeting(pairing.round.number, pairing.first.name, second, score, boards)


def _texts(compared: Compared) -> tuple[str, str]:
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


def _verdict(sheet: StandingsSheet, compared: Comparison) -> str:
    if compared.ahead is None and compared.by_hand:
        return _("They share a place by a ruling*.")
    if compared.ahead is None:
        return _("They share a place: no criterion parts them.")
    behind = compared.b if compared.ahead == compared.a else compared.a
    names = {"ahead": sheet.entries[compared.ahead].name, "behind": sheet.entries[behind].name}
    decision = compared.decision
    if decision is None:
        return _("%(ahead)s stands above %(behind)s, whose results are annulled.") % names
    if decision.by == "place":
        return _("%(ahead)s stands above %(behind)s by a ruling on the place*.") % names
    ruled = sheet.standings.column(decision.by).ruled
    more, less = (
        f"{written(figure)}{'*' if row in ruled else ''}"
        for row, figure in zip((decision.ahead, decision.behind), decision.figures, strict=True)
    )
    figures = {"criterion": _with_article(get(decision.by)), "more": more, "less": less}
    return _("%(ahead)s stands above %(behind)s by %(criterion)s, %(more)s to %(less)s.") % {
        **names,
        **figures,
    }


@event_page
@seldom
@knows("after")
def compare(request: HttpRequest, event: Event, first: int, second: int) -> HttpResponse:
    """Show why one competitor stands above another."""
    after = round_asked(request)
    sheet = sheet_of(event, after)
    paired = sheet.standings.table.rounds if after is None else paired_rounds(event)
    card = comparison_card(sheet, row_of(sheet, first), row_of(sheet, second), paired)
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

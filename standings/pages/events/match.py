"""Page of a match with its boards, or of a game."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.caching.cached_pages import event_page, require_results
from standings.careers.overevents import players_over_events
from standings.downloads.views import FORMATS
from standings.engine import RoundKind, fraction_text
from standings.pages.events.boards import Board, boards_of_round
from standings.pages.events.notes import Remark, marks_of, remarks_of
from standings.pages.events.sides import COLOURS, Side, side_of
from standings.pages.frame import PageLink, event_response, links_beside
from standings.pages.people.lookup import PERSONS, TEAMS, OverEvents, ways_over_events
from standings.services import ranked
from standings.tables.cells import RoundResult, boards_open, facts_in, sign
from standings.texts import kind_name
from tournaments.event.choices import Kind, white_side
from tournaments.event.moves import moves_without_clocks
from tournaments.event.resultcodes import recorded_text, side_texts
from tournaments.models import Event, Pairing
from tournaments.models.pairing import public_pairings
from tournaments.people.entries import Leading

MOVES_AS = ("pgn", "pdn")
"""The downloads that contain moves."""


@dataclass(frozen=True)
class MatchCard:
    """A match with its boards, or a game.

    `score`: the text between the two names; the running score of a match in progress. `competitors`: the
    start of competitors' URLs. The tables are HTML from Python because a round shows a hundred of them.
    """

    round: int
    table: int
    first: Side
    second: Side | None
    score: str
    annulled: bool
    defaulted: bool
    words: str
    match_points: str
    note: str
    moves: str
    boards: list[Board]
    total: str
    remarks: list[Remark]
    competitors: str

    @property
    def table_html(self) -> SafeString:
        first, second = escape(self.first.name), escape(self.second.name) if self.second else ""
        against = escape(_("%(first)s against %(second)s")) % {"first": first, "second": second}
        spoken = escape(_("board"))
        board = f'<th scope="col" class="board"><span class="spoken">{spoken}</span></th>'
        css = "result" + " default" * self.defaulted + " annulled" * self.annulled
        parts = [
            f"<caption>{against if self.second else first}</caption>\n<thead>\n<tr>",
            board if self.boards else "",
            f'<th scope="col" class="first">{self.first.written(self.competitors)}</th>',
            f'<th scope="col" class="{css}">{escape(self.score)}</th>',
        ]
        if self.second:
            parts.append(f'<th scope="col" class="second">{self.second.written(self.competitors)}</th>')
        parts.append("</tr>\n</thead>")
        if self.boards:
            rows = "\n".join(board.row for board in self.boards)
            label = escape(_("Total"))
            total = f'<th scope="row" class="first">{label}</th>'
            parts.append(f"\n<tbody>\n{rows}\n</tbody>\n<tfoot>\n<tr><td></td>{total}")
            parts.append(f'<td class="result">{escape(self.total)}</td><td></td></tr>\n</tfoot>')
        return SafeString("".join(parts))

    @property
    def archived_rows(self) -> SafeString:
        """Return the rows in the table of all matches of a round, as HTML.

        The pairing above it has the flags and links of both sides.
        """
        css = "result" + " default" * self.defaulted + " annulled" * self.annulled
        second = f"<th>{self.second.briefly}</th>" if self.second else "<td></td>"
        score = f'<th class="{css}">{escape(self.score)}</th>'
        rows = [f"<tr><th>{self.table}</th><th>{self.first.briefly}</th>{score}{second}</tr>"]
        rows += [board.archived_row for board in self.boards]
        # The score has the marks of its remarks, which are below the table.
        if self.boards and self.total.replace("-", " : ") != self.score.rstrip("*†"):
            label = escape(_("Total"))
            rows.append(f"<tr><td></td><th>{label}</th><td>{escape(self.total)}</td><td></td></tr>")
        return SafeString("\n".join(rows))

    @property
    def place(self) -> str:
        return f"m{self.table}"

    @property
    def has_colours(self) -> bool:
        return bool(self.first.colour) or any(board.first.colour for board in self.boards)

    @property
    def has_notes(self) -> bool:
        return bool(self.words or self.match_points or self.note or self.remarks) or self.has_moves

    @property
    def is_complete_in_its_line(self) -> bool:
        """Return whether the line of the pairing has the same content, if its columns name the colours.

        Titles and ratings are in the list of competitors too.
        """
        return not any((self.boards, self.words, self.match_points, self.note, self.moves))

    @property
    def has_moves(self) -> bool:
        return bool(self.moves) or any(board.moves for board in self.boards)


def match_card(event: Event, number: int, table: int, *, linked: bool = False) -> MatchCard | None:
    """Return the card of a pairing, or None; four queries, and those of the standings.

    `linked`: players of teams link to persons across events.
    """
    people = players_over_events(event) if linked and event.is_team else {}
    return next(match_cards(event, number, people, table=table), None)


def match_cards(
    event: Event, number: int, people: Mapping[int, Leading], **chosen: int
) -> Iterator[MatchCard]:
    """Yield the cards of a round's pairings by table; four queries, and those of the standings."""
    pairings = public_pairings(event).filter(round__number=number, **chosen).order_by("table")
    with_sides = list(pairings.select_related("first", "second"))
    if not with_sides:
        return
    remarks, results = remarks_of(event), facts_in(event, number)
    boards = boards_of_round(event, number, people, **chosen) if event.is_team else {}
    for pairing in with_sides:
        of_pairing = remarks.of_pairing(number, pairing.table)
        yield _match_card(event, number, pairing, of_pairing, results, boards.get(pairing.pk, []))


def _match_card(
    event: Event,
    number: int,
    pairing: Pairing,
    remarks: list[Remark],
    results: dict[int, RoundResult],
    boards: list[Board],
) -> MatchCard:
    """Return the card of a pairing; its score has the marks of its remarks.

    `results` by start number are those of the crosstable, which count withdrawals.
    """
    has_no_colours = event.is_team or pairing.second is None
    colours = ("", "") if has_no_colours else COLOURS[white_side(event, pairing.colours)]
    counted = [
        results[side.number] for side in (pairing.first, pairing.second) if side and side.number in results
    ]
    annulled = any(result.kind == RoundKind.ANNULLED for result in counted)
    # No result is recorded, but a side withdrew: the tables count a forfeit.
    given_up = pairing.kind == Kind.PENDING and any(result.kind == RoundKind.FORFEIT for result in counted)
    running = next((result for result in counted if result.open_boards), None)
    sides = [
        side_of(event, side, colour)
        for side, colour in zip((pairing.first, pairing.second), colours, strict=True)
        if side is not None
    ]
    return MatchCard(
        round=number,
        table=pairing.table,
        first=sides[0],
        second=sides[1] if len(sides) > 1 else None,
        score=_score_between(pairing, counted, running, given_up=given_up) + marks_of(remarks),
        annulled=annulled,
        defaulted=given_up or pairing.kind not in (Kind.PLAYED, Kind.PENDING, Kind.UNKNOWN),
        words=""
        if pairing.kind == Kind.PENDING and (annulled or (not running and any(each.moves for each in boards)))
        else _result_sentence(pairing, running, given_up=given_up),
        match_points=_match_points_text(event, pairing),
        note=pairing.note,
        moves=moves_without_clocks(pairing.moves),
        boards=boards,
        total=sign(running) if running else recorded_text(event, pairing),
        remarks=remarks,
        competitors=reverse("competitors", args=[event.slug]),
    )


def _score_between(
    pairing: Pairing, counted: list[RoundResult], running: RoundResult | None, *, given_up: bool
) -> str:
    if running:
        return sign(running)
    if given_up:
        return " : ".join(map(sign, counted))
    first, second = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
    return f"{first} : {second}" if second else first or "–"


def _result_sentence(pairing: Pairing, running: RoundResult | None, *, given_up: bool) -> str:
    if running:
        return f"{', '.join(filter(None, (boards_open(running.open_boards), running.delayed_text)))}."
    if given_up:
        return _("Decided by forfeit, after a withdrawal.")
    if pairing.kind == Kind.FORFEIT:
        if pairing.first_score != pairing.second_score:
            return _("Decided by forfeit.")
        return _("Drawn by forfeit.") if pairing.first_score else _("Lost by forfeit on both sides.")
    if pairing.kind == Kind.PLAYED:
        played = pairing.games_played or 0
        sentence = ngettext(
            "A micro-match: %(count)s game that counts as one.",
            "A micro-match: %(count)s games that count as one.",
            played,
        )
        return sentence % {"count": played} if played else ""
    return f"{capfirst(kind_name(pairing.kind, pairing.delayed, pairing.moves))}."


def _match_points_text(event: Event, pairing: Pairing) -> str:
    """Return recorded match points, which do not follow from the score; empty if they do."""
    if not event.is_team or pairing.first_match_points is None:
        return ""
    points = (pairing.first_match_points, pairing.second_match_points or 0)
    return "-".join(fraction_text(score, 2) for score in points)


@event_page
def match(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    require_results(event)
    card = match_card(event, number, table, linked=not hasattr(request, "archive"))
    if card is None:
        raise Http404
    counted = ranked(event).standings.table
    # A draft, previewed at the desk, is not in the standings.
    tables = set(counted.table_number[:, number - 1].tolist()) - {0} if number <= counted.rounds else set()
    moves_as = (file for file in FORMATS if file.ending in MOVES_AS and file.fits(event))
    sides = [side.number for side in (card.first, card.second) if side and side.number]
    ways = ways_over_events(request, event, sides)
    kind: OverEvents[Any] = TEAMS if event.is_team else PERSONS
    is_pair = len(ways) > 1 and not any(way.is_hidden for way in ways) and ways[0].id != ways[1].id

    def match_link(table: int) -> PageLink:
        label = _("Match %(table)s") if event.is_team else _("Table %(table)s")
        return PageLink(label % {"table": table}, reverse("match", args=[event.slug, number, table]))

    context = {
        "card": card,
        "over_events": ways,
        "encounters": kind.against(ways[0].id, ways[1].id) if is_pair else "",
        "games_as": next(moves_as, None),
        **links_beside(tables, table, match_link),
    }
    return event_response(request, event, "match", context)

"""One match with its boards, or one game."""

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

from standings.caching.cached_pages import event_page, knows
from standings.careers.leading import players_over_events
from standings.downloads.answers import FORMATS
from standings.engine import RoundKind, points_text
from standings.eventwords import kind_name
from standings.pages.boards import Board, boards_of_round
from standings.pages.frame import Beside, event_answer
from standings.pages.overevents import PERSONS, TEAMS, ways_over_events
from standings.pages.remarks import Remark, marks_of, remarks_of
from standings.pages.sides import COLOURS, Side, side_of
from standings.services import ranked
from standings.tables.cells import RoundResult, boards_open, sign
from standings.tables.facts import facts_in
from standings.tables.switches import CARRIED
from tournaments.event.choices import Kind
from tournaments.event.moves import publishable_moves
from tournaments.event.resultcodes import recorded_text, side_texts
from tournaments.event.unknown import white_side
from tournaments.models import Event, Pairing
from tournaments.models.pairing import shown_pairings
from tournaments.people.entries import Leading

MOVES_AS = ("pgn", "pdn")
"""The downloads that hold the moves of an event."""


@dataclass(frozen=True)
class MatchCard:
    """A match with its boards, or one game; `score` is what stands between the two names.

    A match in progress has its running score.

    `competitors` is where the addresses of competitors begin.
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
        """Return what stands in the table of the match, as HTML: written here, a round shows a hundred."""
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
        """Return the match as rows of the table of all matches of a round, as HTML; an archive has thousands.

        The pairing above it has the flags of its sides, and leads to their cards.
        """
        css = "result" + " default" * self.defaulted + " annulled" * self.annulled
        second = f"<th>{self.second.briefly}</th>" if self.second else "<td></td>"
        score = f'<th class="{css}">{escape(self.score)}</th>'
        rows = [f"<tr><th>{self.table}</th><th>{self.first.briefly}</th>{score}{second}</tr>"]
        rows += [board.archived_row for board in self.boards]
        # The marks of a score are those of its remarks, which stand below.
        if self.boards and self.total.replace("-", " : ") != self.score.rstrip("*†"):
            label = escape(_("Total"))
            rows.append(f"<tr><td></td><th>{label}</th><td>{escape(self.total)}</td><td></td></tr>")
        return SafeString("\n".join(rows))

    @property
    def place(self) -> str:
        """Return what the match is called among others on one page: `m5`."""
        return f"m{self.table}"

    @property
    def has_colours(self) -> bool:
        """Say whether it is recorded who had White, in the game or on a board."""
        return bool(self.first.colour) or any(board.first.colour for board in self.boards)

    @property
    def has_notes(self) -> bool:
        """Say whether there is anything to say beside the table of the match."""
        return bool(self.words or self.match_points or self.note or self.remarks) or self.has_moves

    @property
    def is_told_by_its_line(self) -> bool:
        """Say whether there is nothing here that the line of the pairing in its round does not tell."""
        more = (self.boards, self.words, self.match_points, self.note, self.moves)
        sides = [side for side in (self.first, self.second) if side]
        return not any(more) and not any(side.title or side.rating for side in sides)

    @property
    def has_moves(self) -> bool:
        """Say whether the moves of the game, or of one of the boards, are recorded."""
        return bool(self.moves) or any(board.moves for board in self.boards)


def match_card(event: Event, number: int, table: int, *, linked: bool = False) -> MatchCard | None:
    """The card of a pairing, None where there is none; four queries, and those of the standings.

    `linked`: the players of a team lead to the persons that they are over events.
    """
    people = players_over_events(event) if linked and event.is_team else {}
    return next(iter(_cards(event, number, people, table=table)), None)


def match_cards(event: Event, number: int) -> list[MatchCard]:
    """The cards of all pairings of a round by table; four queries, and those of the standings."""
    return list(_cards(event, number, {}))


def _cards(event: Event, number: int, people: Mapping[int, Leading], **chosen: int) -> Iterator[MatchCard]:
    pairings = shown_pairings(event).filter(round__number=number, **chosen).order_by("table")
    found = list(pairings.select_related("first", "second"))
    if not found:
        return
    remarks, results = remarks_of(event), facts_in(event, number)
    boards = boards_of_round(event, number, people, **chosen) if event.is_team else {}
    for pairing in found:
        of_pairing = remarks.of_pairing(number, pairing.table)
        yield _card(event, number, pairing, of_pairing, results, boards.get(pairing.pk, []))


def _card(
    event: Event,
    number: int,
    pairing: Pairing,
    remarks: list[Remark],
    results: dict[int, RoundResult],
    boards: list[Board],
) -> MatchCard:
    """Return the card of a pairing, whose score carries the marks of its remarks.

    What a withdrawal made of it is told as the tables count it, which `results` are by competitor.
    """
    has_no_colours = event.is_team or pairing.second is None
    colours = ("", "") if has_no_colours else COLOURS[white_side(event, pairing)]
    counted = [
        results[side.number] for side in (pairing.first, pairing.second) if side and side.number in results
    ]
    annulled = any(each.kind == RoundKind.ANNULLED for each in counted)
    # The record still waits for a result; the tables count a forfeit, because one side withdrew.
    given_up = pairing.kind == Kind.PENDING and any(each.kind == RoundKind.FORFEIT for each in counted)
    running = next((each for each in counted if each.open_boards), None)
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
        score=_score(pairing, counted, running, given_up=given_up) + marks_of(remarks),
        annulled=annulled,
        defaulted=given_up or pairing.kind not in (Kind.PLAYED, Kind.PENDING, Kind.UNKNOWN),
        words=_words(pairing, running, given_up=given_up),
        match_points=_match_points(event, pairing),
        note=pairing.note,
        moves=publishable_moves(pairing.moves),
        boards=boards,
        total=sign(running) if running else recorded_text(event, pairing),
        remarks=remarks,
        competitors=reverse("competitors", args=[event.slug]),
    )


def _score(
    pairing: Pairing, counted: list[RoundResult], running: RoundResult | None, *, given_up: bool
) -> str:
    if running:
        return sign(running)
    if given_up:
        return " : ".join(map(sign, counted))
    first, second = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
    return f"{first} : {second}" if second else first or "–"


def _words(pairing: Pairing, running: RoundResult | None, *, given_up: bool) -> str:
    if running:
        return f"{boards_open(running.open_boards)}."
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
    return f"{capfirst(kind_name(pairing.kind))}."


def _match_points(event: Event, pairing: Pairing) -> str:
    """Match points where they do not follow from the score, so that nobody wonders."""
    if not event.is_team or pairing.first_match_points is None:
        return ""
    points = (pairing.first_match_points, pairing.second_match_points or 0)
    return "-".join(points_text(each, 2) for each in points)


@event_page
@knows(*CARRIED)
def match(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    """Show one match with its boards, or one game."""
    card = match_card(event, number, table, linked=not hasattr(request, "archive"))
    if card is None:
        raise Http404
    counted = ranked(event).standings.table
    # A draft, which the desk previews, is in no standings.
    tables = set(counted.table_number[:, number - 1].tolist()) - {0} if number <= counted.rounds else set()
    moves_as = (each for each in FORMATS if each.ending in MOVES_AS and each.fits(event))
    context = {
        "card": card,
        **_over_events(request, event, card),
        "games_as": next(moves_as, None),
        "previous": _beside(event, number, max((each for each in tables if each < table), default=None)),
        "next": _beside(event, number, min((each for each in tables if each > table), default=None)),
    }
    return event_answer(request, event, "match", context)


def _over_events(request: HttpRequest, event: Event, card: MatchCard) -> dict[str, Any]:
    """Return the ways to both sides over all events, and to all that they played against each other."""
    sides = [side.number for side in (card.first, card.second) if side and side.number]
    ways = ways_over_events(request, event, sides)
    kind = TEAMS if event.is_team else PERSONS
    met = len(ways) > 1 and not any(each.is_hidden for each in ways) and ways[0].key != ways[1].key
    return {"over_events": ways, "encounters": kind.against(ways[0].key, ways[1].key) if met else ""}


def _beside(event: Event, number: int, table: int | None) -> Beside | None:
    if table is None:
        return None
    label = _("Match %(table)s") if event.is_team else _("Table %(table)s")
    return Beside(label % {"table": table}, reverse("match", args=[event.slug, number, table]))

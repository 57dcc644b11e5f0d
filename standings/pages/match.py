"""One match with its boards, or one game."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.engine import RoundKind, points_text
from standings.eventwords import kind_name
from standings.pages.frame import event_answer
from standings.pages.remarks import Remark, marks_of, remarks_of
from standings.pages.sides import COLOURS, Side, facts_in, side_of
from standings.serving.pages import event_page
from standings.tables.cells import sign
from tournaments.event.choices import Kind
from tournaments.event.resultcodes import recorded_text, side_texts
from tournaments.models import Event, Game, Pairing, Player
from tournaments.models.pairing import shown_pairings


@dataclass(frozen=True)
class Board:
    """One board of a match."""

    number: int
    first: Side
    second: Side
    result: str
    defaulted: bool
    unplayed: str


@dataclass(frozen=True)
class MatchCard:
    """A match with its boards, or one game; `score` is what stands between the two names."""

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
    boards: list[Board]
    total: str
    remarks: list[Remark]


def match_card(event: Event, number: int, table: int) -> MatchCard | None:
    """The card of a pairing, None where there is none; four queries, and those of the standings.

    Its score carries the marks of `remarks`. What a withdrawal made of it is told as the tables count it.
    """
    pairings = shown_pairings(event).select_related("first", "second")
    pairing = pairings.filter(round__number=number, table=table).first()
    if pairing is None:
        return None
    colours = ("", "") if event.is_team or pairing.second is None else COLOURS["first"]
    remarks, results = remarks_of(event).of_pairing(number, table), facts_in(event, number)
    counted = [
        results[side.number] for side in (pairing.first, pairing.second) if side and side.number in results
    ]
    annulled = any(each.kind == RoundKind.ANNULLED for each in counted)
    # The record still waits for a result; the tables count a forfeit, because one side withdrew.
    given_up = pairing.kind == Kind.PENDING and any(each.kind == RoundKind.FORFEIT for each in counted)
    sides = [
        side_of(event, side, colour)
        for side, colour in zip((pairing.first, pairing.second), colours, strict=True)
        if side is not None
    ]
    return MatchCard(
        round=number,
        table=table,
        first=sides[0],
        second=sides[1] if len(sides) > 1 else None,
        score=(" : ".join(map(sign, counted)) if given_up else _score(pairing)) + marks_of(remarks),
        annulled=annulled,
        defaulted=given_up or pairing.kind not in (Kind.PLAYED, Kind.PENDING, Kind.UNKNOWN),
        words=_("Decided by forfeit, after a withdrawal.") if given_up else _words(pairing),
        match_points=_match_points(event, pairing),
        note=pairing.note,
        boards=list(_boards(event, pairing)) if event.is_team else [],
        total=recorded_text(event, pairing),
        remarks=remarks,
    )


def _score(pairing: Pairing) -> str:
    first, second = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
    return f"{first} : {second}" if second else first or "–"


def _words(pairing: Pairing) -> str:
    if pairing.kind == Kind.FORFEIT:
        if pairing.first_score != pairing.second_score:
            return _("Decided by forfeit.")
        return _("Halved by forfeit.") if pairing.first_score else _("Lost by forfeit on both sides.")
    if pairing.kind == Kind.PLAYED:
        played = pairing.games_played or 0
        sentence = ngettext("A micro-match of %(count)s game.", "A micro-match of %(count)s games.", played)
        return sentence % {"count": played} if played else ""
    return f"{capfirst(kind_name(pairing.kind))}."


def _match_points(event: Event, pairing: Pairing) -> str:
    """Match points where they do not follow from the score, so that nobody wonders."""
    if not event.is_team or pairing.first_match_points is None:
        return ""
    points = (pairing.first_match_points, pairing.second_match_points or 0)
    return "-".join(points_text(each, 2) for each in points)


def _boards(event: Event, pairing: Pairing) -> Iterator[Board]:
    games = pairing.games.select_related("first_player", "second_player").order_by("board")
    return map(partial(board_of, event), games)


def board_of(event: Event, game: Game) -> Board:
    """A board as its match card prints it."""
    white = COLOURS[game.white]
    return Board(
        number=game.board,
        first=_player(game.first_player, white[0]),
        second=_player(game.second_player, white[1]),
        result=recorded_text(event, game),
        defaulted=game.kind == Kind.FORFEIT,
        unplayed="" if game.kind in (Kind.PLAYED, Kind.FORFEIT) else kind_name(game.kind),
    )


def _player(player: Player | None, colour: str) -> Side:
    if player is None:
        return Side(_("nobody"))
    return Side(player.name, title=player.title, rating=player.rating, colour=colour)


@event_page
def match(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    """Show one match with its boards, or one game."""
    card = match_card(event, number, table)
    if card is None:
        raise Http404
    return event_answer(request, event, "match", {"card": card})

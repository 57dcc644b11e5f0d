"""The form for the result of a game, opened by the QR code of its slip: buttons, for one side or both."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from tournaments.event.choices import Kind, PairingSide
from tournaments.event.resultcodes import buttons_of, read_game
from tournaments.hall.answers import hall_page, hall_view, network_from, speak
from tournaments.hall.links import GameToken, game_token
from tournaments.models import Competitor, Pairing
from tournaments.recording.refusal import Refused
from tournaments.recording.results.from_players import (
    PlayersGame,
    TooMany,
    game_of,
    last_sent,
    may_send,
    send_result,
    why_not_sent,
)


@hall_view
def game(request: HttpRequest, token: str) -> HttpResponse:
    parsed = game_token(token)
    if parsed is None:
        return hall_page(request, "gone", 404)
    found = _game(parsed)
    if found is None:
        return hall_page(request, "gone", 410)
    speak(request, found.event)
    if found.pairing.round.is_draft:
        return hall_page(request, "early", 404)
    refusal, status = "", 200
    if request.method == "POST":
        try:
            send_result(found, parsed.side, request.POST.get("result", ""), network_from(request))
        except Refused as refused:
            refusal, status = str(refused), 429 if isinstance(refused, TooMany) else 409
        else:
            return HttpResponseRedirect(request.get_full_path())
    sent = last_sent(found)
    mine = sent.pop(parsed.side, None)
    others = {each.text for each in sent.values()}
    closed = why_not_sent(found)
    buttons = buttons_of(found.event, found.white)
    return hall_page(
        request,
        "game",
        status,
        event=found.event,
        pairing=found.pairing,
        board=found.board,
        sides=[_side(found, each.value, parsed.side) for each in PairingSide],
        usual=[(text, _words(found, text)) for text in buttons.usual],
        further=[(text, _words(found, text)) for text in buttons.further],
        mine=mine,
        # Only shown to a side that has sent its own result, so that it does not copy the other one.
        agrees=mine and others == {mine.text},
        differs=mine and bool(others - {mine.text}),
        closed=closed,
        refusal="" if refusal == closed else refusal,
    )


def _game(parsed: GameToken) -> PlayersGame | None:
    pairings = Pairing.objects.select_related("round__event", "first", "second")
    pairing = pairings.filter(
        pk=parsed.pairing,
        round__event=parsed.event,
        round__number=parsed.round,
        first=parsed.first,
        second=parsed.second,
    ).first()
    if pairing is None or not may_send(pairing.round.event, parsed.side):
        return None
    return game_of(pairing, parsed.board)


def _side(found: PlayersGame, side: str, sender: str) -> dict[str, object]:
    colour = "" if not found.white else "white" if found.white == side else "black"
    return {
        "name": _name(found, side),
        "team": _competitor(found, side).name if found.board else "",
        "colour": colour,
        "is_sender": side == sender,
    }


def _name(found: PlayersGame, side: str) -> str:
    player = getattr(found.row, f"{side}_player", None)
    return player.name if player else _competitor(found, side).name


def _competitor(found: PlayersGame, side: str) -> Competitor:
    competitor = found.pairing.first if side == PairingSide.FIRST else found.pairing.second
    assert competitor is not None  # noqa: S101 - `game_of` finds games of two only
    return competitor


def _words(found: PlayersGame, text: str) -> str:
    result = read_game(text, found.event, white=found.white)
    first, second = result.first_score or 0, result.second_score or 0
    leads = first > second if first != second else result.advantage == PairingSide.FIRST
    values = {"name": _name(found, PairingSide.FIRST if leads else PairingSide.SECOND)}
    if result.kind == Kind.FORFEIT:
        if first == second:
            return _("neither player came")
        return _("%(name)s won: the other did not come") % values
    if first != second:
        return _("%(name)s won") % values
    return _("draw, advantage for %(name)s") % values if result.advantage else _("draw")

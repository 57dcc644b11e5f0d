"""The form for the line-up of a team, opened by the captain's link."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from tournaments.event.choices import BoardOrder
from tournaments.event.numbers import whole_number
from tournaments.hall.answers import hall_page, hall_view, network_from, speak
from tournaments.hall.links import captain_token
from tournaments.models import LineupSent
from tournaments.recording.refusal import Refused
from tournaments.recording.results.from_players import TooMany
from tournaments.recording.teams.board_orders import Order, TeamRoster, last_orders, team_rosters
from tournaments.recording.teams.from_captains import CaptainsMatch, last_sent_by, match_of, send_lineup
from tournaments.recording.teams.lineups import whites_of

LAST = "last"
"""The value of `order` that requests the order of the last match."""


@hall_view
def lineup(request: HttpRequest, token: str) -> HttpResponse:
    parsed = captain_token(token)
    if parsed is None:
        return hall_page(request, "gone", 404)
    match = match_of(*parsed)
    if match is None:
        return hall_page(request, "gone", 410)
    speak(request, match.event)
    roster = team_rosters(match.event, [match.link.team_id])[match.link.team_id]
    if request.method != "POST":
        sent = last_sent_by(match)
        return _form(request, match, roster, sent, _first_order(request, match, roster, sent))
    order = tuple(
        whole_number(request.POST.get(f"board-{board}", "")) for board in range(1, _boards(match) + 1)
    )
    seen = whole_number(request.POST.get("seen", "")) or 0
    try:
        send_lineup(match, roster, order, seen, network_from(request))
    except Refused as refused:
        status = 429 if isinstance(refused, TooMany) else 409
        return _form(request, match, roster, last_sent_by(match), order, str(refused), status)
    return HttpResponseRedirect(request.path)


def _form(
    request: HttpRequest,
    match: CaptainsMatch,
    roster: TeamRoster,
    sent: LineupSent | None,
    order: Order,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    whites = whites_of(match.match, _boards(match))
    return hall_page(
        request,
        "lineup",
        status,
        match=match,
        event=match.event,
        boards=[
            {
                "board": board,
                "chosen": chosen,
                "colour": white and ("white" if white == match.side else "black"),
            }
            for board, (chosen, white) in enumerate(zip(order, whites, strict=True), start=1)
        ],
        players=[(roster.numbers[player.pk], player) for player in roster.players],
        sent=sent,
        sent_names=roster.names(tuple(sent.players)) if sent else [],
        is_fixed=match.event.board_order == BoardOrder.FIXED,
        refusal=refusal,
    )


def _first_order(
    request: HttpRequest, match: CaptainsMatch, roster: TeamRoster, sent: LineupSent | None
) -> Order:
    requested = request.GET.get("order", "")
    if requested == LAST:
        found = last_orders(match.link.round, _boards(match)).get(match.link.team_id)
        return found or roster.default(_boards(match))
    return tuple(sent.players) if sent and not requested else roster.default(_boards(match))


def _boards(match: CaptainsMatch) -> int:
    return match.event.boards or 0

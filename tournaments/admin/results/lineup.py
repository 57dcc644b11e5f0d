"""The line-up of a match: players by board, and who has White."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.choices import PairingSide, is_settled
from tournaments.event.finding import Finding
from tournaments.event.numbers import whole_number
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Event, Pairing, Round
from tournaments.recording.events.rulings import findings_in
from tournaments.recording.results.storing import white_at
from tournaments.recording.teams.board_orders import TeamRoster, team_rosters
from tournaments.recording.teams.lineups import BoardSeats, line_up
from tournaments.recording.teams.match_scores import has_result


@dataclass(frozen=True, slots=True)
class BoardFields:
    """A board of the form. `note`: a text about the stored players, if they differ from the chosen ones."""

    chosen: BoardSeats
    result: str = ""
    note: str = ""


@desk_view()
def lineup(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    round_ = round_of(event, number)
    match = _match_or_404(event, round_, table)
    rosters = list(team_rosters(event, [match.first_id, match.second_id or 0]).values())
    refusal, typed = "", None
    if request.method == "POST":
        boards = typed = list(_posted_boards(event, request))
        reason = request.POST.get("reason", "")
        refusal = refusal_of(lambda: line_up(match, boards, who(request), reason))
        if not refusal:
            messages.success(request, _("The line-up is saved."))
            # A wrong board order is best noticed while the captains are present.
            for each in _match_findings(round_, table):
                messages.warning(request, each.message)
            return redirect(reverse("admin:results", args=[event.pk, number]) + f"#result-{table}")
    return page(
        request,
        event,
        "results_lineup",
        _("Line-up of %(first)s against %(second)s") % {"first": match.first.name, "second": match.second},
        _("The players of each board, and who has White. Results do not change."),
        **of_round(round_, refusal=refusal, reason=request.POST.get("reason", "")),
        match=match,
        findings=_match_findings(round_, table),
        seats=list(_board_fields(event, match, typed, rosters)),
        rosters=[roster.players for roster in rosters],
    )


def _match_findings(round_: Round, table: int) -> list[Finding]:
    return [each for each in findings_in(round_) if each.table == table]


def _match_or_404(event: Event, round_: Round, table: int) -> Pairing:
    matches = round_.pairings.filter(table=table, second__isnull=False).select_related("first", "second")
    found = matches.first() if event.is_team else None
    if found is None:
        raise Http404
    found.round = round_
    return found


def _posted_boards(event: Event, request: HttpRequest) -> Iterator[BoardSeats]:
    for board in range(1, (event.boards or 0) + 1):
        values = {
            name: request.POST.get(f"{name}-{board}", "") for name in ("seen", "first", "second", "white")
        }
        first, second = (whole_number(values[side]) for side in ("first", "second"))
        yield BoardSeats(board, whole_number(values["seen"]) or 0, first, second, values["white"])


def _board_fields(
    event: Event, match: Pairing, typed: list[BoardSeats] | None, rosters: list[TeamRoster]
) -> Iterator[BoardFields]:
    games = {game.board: game for game in match.games.select_related("first_player", "second_player")}
    boards = event.boards or 0
    defaults = [roster.default(boards) for roster in rosters]
    # Once a match is played, a player who is not stored is unknown.
    is_played = has_result(match) or is_settled(event.state, match.round.state)
    for at, side in enumerate(("first_player", "second_player")):
        if is_played or any(getattr(game, side) for game in games.values()):
            defaults[at] = (None,) * boards
    for number, first, second in zip(range(1, boards + 1), *defaults, strict=True):
        game = games.get(number)
        stored, result = BoardSeats(number, 0, None, None, white_at(number)), ""
        if game:
            players = game.first_player_id, game.second_player_id
            stored = BoardSeats(number, game.version, *players, game.white)
            result = recorded_text(event, game)
        proposed = replace(stored, first=stored.first or first, second=stored.second or second)
        typed_seats = next((each for each in typed or [] if each.board == number), proposed)
        # With the current version: the form shows typed and stored players, so saving again is deliberate.
        chosen = BoardSeats(number, stored.seen, typed_seats.first, typed_seats.second, typed_seats.white)
        note = "" if chosen == stored else _("Not saved yet.")
        if note and game and typed:
            names = {side: getattr(game, f"{side}_player") or _("no name") for side in PairingSide.values}
            note = _("Stored now: %(first)s against %(second)s.") % names
        yield BoardFields(chosen, result, note)

"""Line-ups: who plays on which board of a match, and with which colour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import PairingSide, is_settled
from tournaments.models import Event, Game, Pairing, Player
from tournaments.recording.locking import compare_version, lock_event, locked, save
from tournaments.recording.refusal import Conflict, Refused, required
from tournaments.recording.results.storing import unrecorded_board, white_at


@dataclass(frozen=True, slots=True)
class BoardSeats:
    """The players of a board by key, None if unnamed.

    `white`: side with White, blank if unknown. `seen`: displayed version, 0 if the board has no row.
    """

    board: int
    seen: int
    first: int | None = None
    second: int | None = None
    white: str = ""


def line_up(pairing: Pairing, boards: Sequence[BoardSeats], by: User, reason: str = "") -> list[int]:
    """Store the changed boards, all or none. Return their numbers. Results stay unchanged.

    Raise Conflict if a board was saved since. Raise Refused for a player of another team or at two boards,
    and without a reason if the round is settled.
    """
    with lock_event(pairing.round.event) as event:
        match = locked(Pairing.objects.select_related("round", "first", "second").filter(pk=pairing.pk))
        _validate_boards(event, match, boards)
        rows = {game.board: game for game in match.games.select_for_update()}
        changing = [board for board in boards if _board_changed(rows, board)]
        required_reason = ""
        if changing and is_settled(event.state, match.round.state):
            why = _("Round %(round)s is settled: a change of the line-up needs a reason.")
            required_reason = required(reason, why % {"round": match.round.number})
        for board in changing:
            game = rows.get(board.board) or unrecorded_board(match, board.board)
            game.first_player_id, game.second_player_id, game.white = board.first, board.second, board.white
            save(game, by, required_reason)
    return [board.board for board in changing]


def whites_of(match: Pairing, boards: int) -> list[str]:
    """Return the side with White on each board, blank if unknown. A single query."""
    recorded = dict(match.games.values_list("board", "white"))
    return [recorded.get(board, white_at(board)) for board in range(1, boards + 1)]


def _board_changed(rows: Mapping[int, Game], board: BoardSeats) -> bool:
    row = rows.get(board.board)
    if row is None:
        # The line-up was cleared since the form was opened.
        if board.seen:
            raise Conflict(0)
        return (board.first, board.second, board.white) != (None, None, white_at(board.board))
    compare_version(row, board.seen)
    return (board.first, board.second, board.white) != (row.first_player_id, row.second_player_id, row.white)


def _validate_boards(event: Event, match: Pairing, boards: Sequence[BoardSeats]) -> None:
    if not event.is_team or match.second is None:
        raise Refused(_("Only a match of two teams has a line-up."))
    if any(not 1 <= board.board <= (event.boards or 0) for board in boards):
        raise Refused(_("A match here has %(boards)s boards.") % {"boards": event.boards})
    if any(board.white not in {"", *PairingSide.values} for board in boards):
        raise Refused(_("Choose which team has White, or “unknown”."))
    for team, side in ((match.first, "first"), (match.second, "second")):
        keys = [key for board in boards if (key := getattr(board, side)) is not None]
        names = dict(Player.objects.filter(competitor=team).values_list("pk", "name"))
        if not set(keys) <= set(names):
            raise Refused(_("A player is not of the team %(team)s. Choose again.") % {"team": team.name})
        twice = next((key for key in keys if keys.count(key) > 1), None)
        if twice is not None:
            raise Refused(
                _("%(player)s sits at two boards. Keep only one of them.") % {"player": names[twice]}
            )

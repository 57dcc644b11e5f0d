"""Store a result: parse it, check its version, save it, update the match total and log the correction."""

from dataclasses import dataclass, replace
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import Kind, PairingSide
from tournaments.event.resultcodes import (
    PairingResult,
    read_game,
    read_match,
    read_round_off,
    recorded_text,
    text_in,
)
from tournaments.event.scores import bye_points, own_match_points
from tournaments.models import Event, Game, Pairing
from tournaments.recording.corrections import correcting, paired_before
from tournaments.recording.locking import compare_version, locked, save
from tournaments.recording.refusal import Conflict, Refused, unpublished
from tournaments.recording.teams.match_scores import follow_boards, has_boards, result_of, set_result

MOST_GAMES = 999


@dataclass(frozen=True, slots=True)
class SubmittedResult:
    """A typed result.

    `id`: created by the client, unique for each typing. `pairing`: primary key. `board`: None for a game
    of players, a bye or absence, or the total of a match. `seen`: displayed version, 0 if the board has no
    row. `games_played`: of a micro-match. `reason`: only needed for a correction.
    """

    id: UUID
    pairing: int
    board: int | None
    text: str
    seen: int
    games_played: int | None = None
    reason: str = ""


class StoredResult(NamedTuple):
    """A stored result: text and version, and those of its match (blank and 0 if there is no match)."""

    text: str
    version: int
    match: str = ""
    match_version: int = 0


def record_result(event: Event, typed: SubmittedResult, by: User) -> tuple[StoredResult, str]:
    """Store a typed result. Return it with a note about rounds that were paired before.

    The event must be locked. Raise ResultError if the text is not a valid result, Conflict if the version
    is not the one seen, Refused if a reason is missing, the round is a draft, or the board does not exist.
    """
    pairing = _locked_pairing(event, typed)
    # Raise Refused if the round is a draft, so that a stray key publishes nothing
    if pairing.round.is_draft:
        raise unpublished(pairing.round.number)
    row = _row_of_board(event, pairing, typed)
    result = _read_result(event, pairing, row, typed)
    if not row._state.adding:
        compare_version(row, typed.seen)
    # The board had a row when it was displayed, and an import has removed it.
    elif typed.seen:
        raise Conflict(0)
    note = ""
    # The same result again is not stored: it would raise the version while another user types.
    if result != result_of(row):
        _require_total_or_boards(event, pairing, row)
        had_result = pairing.kind != Kind.PENDING
        with correcting(event, pairing, row, by, typed.reason) as reason:
            _save_result(event, pairing, row, result, by, reason)
        note = paired_before(event, pairing.round, stood=had_result)
    return _stored_result(event, pairing, row), note


def result_at(event: Event, typed: SubmittedResult) -> tuple[StoredResult, str]:
    pairing = _locked_pairing(event, typed)
    row = _row_of_board(event, pairing, typed)
    mine = _read_result(event, pairing, row, typed)
    text = text_in(event, mine, of_match=event.is_team and row is pairing) or mine.delayed
    return _stored_result(event, pairing, row), with_games(text, mine.games_played)


def with_games(text: str, games_played: int | None) -> str:
    """Return a result with the number of games of a micro-match, as it is typed: `2-0 g3`."""
    return text if games_played is None else f"{text} g{games_played}"


def read_typed(event: Event, pairing: Pairing, board: int | None, white: str, text: str) -> PairingResult:
    """Parse a typed result of a pairing or board. Raise ResultError if it is invalid."""
    if pairing.second_id is None:
        return read_round_off(text, event)
    if board is None and event.is_team:
        return read_match(text, event)
    return read_game(text, event, white=white, note=pairing.note)


def white_at(board: int) -> str:
    """Return the side with White if none is recorded: the first team on board 1, then alternating."""
    return PairingSide.FIRST if board % 2 else PairingSide.SECOND


def unrecorded_board(pairing: Pairing, board: int) -> Game:
    return Game(pairing=pairing, board=board, white=white_at(board), kind=Kind.PENDING, version=0)


# --- rows -------------------------------------------------------------------------------------------------


def _locked_pairing(event: Event, typed: SubmittedResult) -> Pairing:
    there = Pairing.objects.filter(pk=typed.pairing, round__event=event)
    return locked(there.select_related("round", "first", "second"))


def _row_of_board(event: Event, pairing: Pairing, typed: SubmittedResult) -> Pairing | Game:
    if typed.board is None:
        return pairing
    if pairing.second_id is None or not event.is_team:
        raise Refused(_("Only a match of two teams has boards. Type the result of the pairing."))
    game = Game.objects.filter(pairing=pairing, board=typed.board).select_for_update().first()
    if game is None and not 1 <= typed.board <= (event.boards or 0):
        raise Refused(
            _("There is no board %(board)s; a match here has %(boards)s.")
            % {"board": typed.board, "boards": event.boards}
        )
    return game or unrecorded_board(pairing, typed.board)


def _read_result(
    event: Event, pairing: Pairing, row: Pairing | Game, typed: SubmittedResult
) -> PairingResult:
    white = row.white if isinstance(row, Game) else PairingSide.FIRST.value
    result = read_typed(event, pairing, typed.board, white, typed.text)
    if typed.games_played is None:
        return result
    if result.kind != Kind.PLAYED or (event.is_team and typed.board is None):
        raise Refused(_("The number of games is only for a game that was played. Leave it out."))
    if not 1 <= typed.games_played <= MOST_GAMES:
        raise Refused(
            _("A micro-match takes 1 to %(most)s games. Correct the number.") % {"most": MOST_GAMES}
        )
    return replace(result, games_played=typed.games_played)


def _require_total_or_boards(event: Event, pairing: Pairing, row: Pairing | Game) -> None:
    if not event.is_team or pairing.second_id is None:
        return
    is_sum = has_boards(pairing) or pairing.games.exclude(delayed="").exists()
    if row is pairing and is_sum:
        raise Refused(_("The score of this match follows from its boards. Type the result of a board."))
    if row is not pairing and not is_sum and pairing.kind != Kind.PENDING:
        raise Refused(
            _("This match has the score %(score)s without boards. Clear it first, then type the boards.")
            % {"score": recorded_text(event, pairing)}
        )


# --- storage ----------------------------------------------------------------------------------------------


def _save_result(
    event: Event, pairing: Pairing, row: Pairing | Game, result: PairingResult, by: User, reason: str
) -> None:
    set_result(row, result)
    if isinstance(row, Pairing):
        # Match points awarded by hand belong to the old score, so a new score resets them.
        points: tuple[int | None, int | None] = None, None
        if event.is_team and result.second_score is None and result.first_score is not None:
            given = bye_points(event, result.kind)[1], None
            points = own_match_points(event, result.kind, (result.first_score, None), given)
        row.first_match_points, row.second_match_points = points
    save(row, by, reason)
    # The total is stored, so that rankings and lists need not sum up boards.
    if row is not pairing:
        follow_boards(event, pairing, by, reason)


def _stored_result(event: Event, pairing: Pairing, row: Pairing | Game) -> StoredResult:
    text = with_games(recorded_text(event, row) or row.delayed, row.games_played)
    if row is pairing:
        return StoredResult(text, row.version)
    return StoredResult(text, row.version, recorded_text(event, pairing), pairing.version)

"""One result into the record: read, compared, saved; a match follows its boards; a correction is logged."""

from typing import NamedTuple, Protocol

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
from tournaments.recording.corrections import Correction, correcting, paired_before
from tournaments.recording.matches import follow_boards, has_boards
from tournaments.recording.refusal import Conflict, Refused, refuse_without_results
from tournaments.recording.turns import add, compare, locked, save

MOST_GAMES = 999


class TypedResult(Protocol):
    """A typed result: see `ResultEntry`."""

    @property
    def pairing(self) -> int: ...
    @property
    def board(self) -> int | None: ...
    @property
    def text(self) -> str: ...
    @property
    def seen(self) -> int: ...
    @property
    def games_played(self) -> int | None: ...
    @property
    def reason(self) -> str: ...


class StoredResult(NamedTuple):
    """A result as it is stored: its text as it would be typed, its version, and those of its match (blank and
    0 without one)."""

    text: str
    version: int
    match: str = ""
    match_version: int = 0


def record(event: Event, typed: TypedResult, by: User) -> tuple[StoredResult, str]:
    """Store one typed result, and return it with a note on rounds that were paired before.

    The event's row is locked. ResultError where the text is no result here, Conflict where another version is
    stored than the one seen, Refused where a reason is missing, the round is a draft, or there is no such
    board.
    """
    refuse_without_results(event)
    pairing = _pairing(event, typed)
    _refuse_draft(pairing)
    row = _row(event, pairing, typed)
    result = _read(event, pairing, row, typed)
    _compare(row, typed.seen)
    note = ""
    # The same result sent again is no entry: it would raise the version under somebody who is typing.
    if result != result_of(row):
        _refuse_total_beside_boards(event, pairing, row)
        stood = pairing.kind != Kind.PENDING
        with correcting(event, pairing, row, by, typed.reason) as correction:
            _store(event, pairing, row, result, by, correction)
        note = paired_before(event, pairing.round, stood=stood)
    return _recorded(event, pairing, row), note


def result_at(event: Event, typed: TypedResult) -> tuple[StoredResult, str]:
    """Return the result that is stored where a typed one was to go, and the typed one as it was read."""
    pairing = _pairing(event, typed)
    row = _row(event, pairing, typed)
    mine = _read(event, pairing, row, typed)
    text = text_in(event, mine, of_match=event.is_team and row is pairing)
    return _recorded(event, pairing, row), with_games(text, mine.games_played)


def result_of(row: Pairing | Game) -> PairingResult:
    """Return the result of a stored row."""
    return PairingResult(
        Kind(row.kind or Kind.PENDING), row.first_score, row.second_score, row.advantage, row.games_played
    )


def with_games(text: str, games_played: int | None) -> str:
    """Return a result as it is typed together with the number of games of a micro-match: `2-0 g3`."""
    return text if games_played is None else f"{text} g{games_played}"


def read_typed(event: Event, pairing: Pairing, board: int | None, white: str, text: str) -> PairingResult:
    """Return the typed text as a result of that pairing or board; ResultError where it is none."""
    if pairing.second_id is None:
        return read_round_off(text, event)
    if board is None and event.is_team:
        return read_match(text, event)
    return read_game(text, event, white=white, note=pairing.note)


def white_at(board: int) -> str:
    """Return who has White where nothing else is recorded: the first team on board 1, then in turn."""
    return PairingSide.FIRST if board % 2 else PairingSide.SECOND


# --- found ------------------------------------------------------------------------------------------------


def _pairing(event: Event, typed: TypedResult) -> Pairing:
    there = Pairing.objects.filter(pk=typed.pairing, round__event=event)
    return locked(there.select_related("round", "first", "second"))


def _row(event: Event, pairing: Pairing, typed: TypedResult) -> Pairing | Game:
    """Return the row of the result: the pairing, or a board of it, perhaps one that is not stored yet."""
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
    return game or Game(
        pairing=pairing, board=typed.board, white=white_at(typed.board), kind=Kind.PENDING, version=0
    )


def _compare(row: Pairing | Game, seen: int) -> None:
    if not row._state.adding:
        compare(row, seen)
    # The board had a row when it was shown, and has none: an import took it out.
    elif seen:
        raise Conflict(0)


def _read(event: Event, pairing: Pairing, row: Pairing | Game, typed: TypedResult) -> PairingResult:
    white = row.white if isinstance(row, Game) else PairingSide.FIRST.value
    result = read_typed(event, pairing, typed.board, white, typed.text)
    return _with_games(event, typed, result)


def _with_games(event: Event, typed: TypedResult, result: PairingResult) -> PairingResult:
    if typed.games_played is None:
        return result
    if result.kind != Kind.PLAYED or (event.is_team and typed.board is None):
        raise Refused(_("Only a game that was played says how many games it took. Leave the number out."))
    if not 1 <= typed.games_played <= MOST_GAMES:
        raise Refused(
            _("A micro-match takes 1 to %(most)s games. Correct the number.") % {"most": MOST_GAMES}
        )
    return PairingResult(
        result.kind, result.first_score, result.second_score, result.advantage, typed.games_played
    )


def _refuse_draft(pairing: Pairing) -> None:
    """Raise Refused where the round is a draft, so that a stray key publishes nothing."""
    if pairing.round.is_draft:
        raise Refused(
            _("The pairings of round %(round)s are not published yet. Publish them first.")
            % {"round": pairing.round.number}
        )


def _refuse_total_beside_boards(event: Event, pairing: Pairing, row: Pairing | Game) -> None:
    """Raise Refused for a total where boards are recorded: neither is lost to the other silently."""
    if not event.is_team or pairing.second_id is None:
        return
    is_sum = has_boards(pairing)
    if row is pairing and is_sum:
        raise Refused(_("The score of this match follows from its boards. Type the result of a board."))
    if row is not pairing and not is_sum and pairing.kind != Kind.PENDING:
        raise Refused(
            _("This match has the score %(score)s without boards. Clear it first, then type the boards.")
            % {"score": recorded_text(event, pairing)}
        )


# --- stored -----------------------------------------------------------------------------------------------


def _store(
    event: Event,
    pairing: Pairing,
    row: Pairing | Game,
    result: PairingResult,
    by: User,
    correction: Correction,
) -> None:
    _fill(event, row, result)
    if row._state.adding:
        row.version = 1
        add(row, by, correction.reason)
    else:
        save(row, by, correction.reason)
    # The total is stored, so that rankings and lists need not add up boards.
    if row is not pairing:
        follow_boards(event, pairing, by, correction.reason)


def _fill(event: Event, row: Pairing | Game, result: PairingResult) -> None:
    row.kind, row.advantage, row.games_played = result.kind, result.advantage, result.games_played
    row.first_score, row.second_score = result.first_score, result.second_score
    if isinstance(row, Pairing):
        # Match points awarded by hand were given for another score, so a new score forgets them.
        row.first_match_points, row.second_match_points = _match_points(event, result)


def _match_points(event: Event, result: PairingResult) -> tuple[int | None, int | None]:
    """Return the match points of a team's bye, where they do not follow from its score."""
    if not event.is_team or result.second_score is not None or result.first_score is None:
        return None, None
    given = bye_points(event, result.kind)[1], None
    return own_match_points(event, result.kind, (result.first_score, None), given)


def _recorded(event: Event, pairing: Pairing, row: Pairing | Game) -> StoredResult:
    text = with_games(recorded_text(event, row), row.games_played)
    if row is pairing:
        return StoredResult(text, row.version)
    return StoredResult(text, row.version, recorded_text(event, pairing), pairing.version)

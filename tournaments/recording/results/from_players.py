"""Results sent by players, stored separately until the desk accepts them.

Senders have no account: a signed link names the game and the side (`tournaments.hall.links`). This module
does not write results and does not lock the event, so that many phones cannot block an arbiter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event.choices import Kind, PairingSide, PlayersEntry, is_settled
from tournaments.event.resultcodes import buttons_of, recorded_text
from tournaments.models import Event, Game, Pairing, ResultSent, Round
from tournaments.models.pairing import decided_by_withdrawal
from tournaments.models.versioned import past_of
from tournaments.recording.refusal import Refused
from tournaments.recording.results.storing import unrecorded_board

MOST_OF_A_SIDE = 5
"""How many results a side may send for a game, corrections included."""

MOST_A_MINUTE = 240
"""How many results a network may send per minute: all players in a hall share an address."""

AGREED, WAITING, DIFFERENT = "agreed", "waiting", "different"
"""State of a game: both sides (or the one needed) sent the same, one of two has sent, or results differ."""


class TooMany(Refused):
    """Raised if a network sends too much. The sender may try again later."""


@dataclass(frozen=True, slots=True)
class PlayersGame:
    """A game as its players see it. `board`: 0 if the pairing is the game. `row`: unsaved if not stored."""

    pairing: Pairing
    board: int
    row: Pairing | Game

    @property
    def event(self) -> Event:
        return self.pairing.round.event

    @property
    def white(self) -> str:
        return self.row.white if isinstance(self.row, Game) else PairingSide.FIRST

    @property
    def text(self) -> str:
        return "" if self.row.kind == Kind.PENDING else recorded_text(self.event, self.row)


@dataclass(frozen=True, slots=True)
class SentByPlayers:
    """Results sent for a game: the last one of each side, and the conclusion.

    `text`: the result to accept. Blank if the sides sent different results.
    """

    sent: Sequence[ResultSent]
    state: str
    text: str

    @property
    def texts(self) -> list[str]:
        return list(dict.fromkeys(each.text for each in self.sent))


def seats_key(pairing: Pairing) -> str:
    """Return a key for the competitors of a pairing. Results sent for other competitors are void."""
    return f"{pairing.first_id}-{pairing.second_id}"


def game_of(pairing: Pairing, board: int) -> PlayersGame | None:
    """Return a game of a pairing, or None if it does not exist. The pairing must have its round, event and
    sides loaded. A single query.
    """
    event = pairing.round.event
    if pairing.second_id is None or bool(board) != event.is_team:
        return None
    if not board:
        return PlayersGame(pairing, 0, pairing)
    if not 1 <= board <= (event.boards or 0):
        return None
    rows = pairing.games.select_related("first_player", "second_player").filter(board=board)
    return PlayersGame(pairing, board, rows.first() or unrecorded_board(pairing, board))


def may_send(event: Event, side: str) -> bool:
    """Return whether players may send results with a link of that side. A blank side means both sides."""
    if event.state != Event.State.LIVE:
        return False
    # With a shared link one player could send for both sides.
    return bool(event.players_entry) and (bool(side) or event.players_entry == PlayersEntry.ONE)


def why_not_sent(game: PlayersGame) -> str:
    """Return a sentence why no result of the game can be sent now. Blank if it can. At most two queries."""
    round_ = game.pairing.round
    if game.text:
        return _("The result is in: %(result)s. If it is wrong, go to the arbiter.") % {"result": game.text}
    if is_settled(game.event.state, round_.state):
        return _("This round is closed. If a result is wrong, go to the arbiter.")
    decided = round_.pairings.filter(decided_by_withdrawal(), pk=game.pairing.pk)
    # The desk has no line for such a game, so no arbiter would see the result.
    if game.event.is_round_robin and decided.exists():
        return _("This game needs no result, because of a withdrawal. If you played it, go to the arbiter.")
    opens, now = _opening(round_), timezone.now()
    # An opening further away is from a round that was published while the clock was ahead.
    if opens and now < opens <= now + timedelta(minutes=round_.event.players_entry_after):
        minutes = -((now - opens) // timedelta(minutes=1))
        return _("Results can be sent in %(minutes)s min. Try again then.") % {"minutes": minutes}
    return ""


def last_sent(game: PlayersGame) -> dict[str, ResultSent]:
    """Return the last result that each side sent for a game. A single query."""
    rows = ResultSent.objects.filter(pairing=game.pairing, board=game.board, seats=seats_key(game.pairing))
    return {row.side: row for row in rows}


def send_result(game: PlayersGame, side: str, text: str, network: str) -> ResultSent:
    """Store a result sent by a side. Return the stored one if it is the same.

    Raise Refused if nothing can be sent now, the result is invalid, or the side has sent too many; TooMany
    if the network has sent too many.
    """
    if refusal := why_not_sent(game):
        raise Refused(refusal)
    if text not in buttons_of(game.event, game.white).all:
        raise Refused(_("This is not a possible result of the game. Choose a button."))
    before = last_sent(game).get(side)
    if before and before.text == text:
        return before
    refuse_flood(ResultSent.objects.filter(network=network), MOST_A_MINUTE)
    rows = ResultSent.objects.filter(pairing=game.pairing, board=game.board, side=side)
    number = rows.count() + 1
    if number > MOST_OF_A_SIDE:
        raise Refused(_("No more changes are possible here. Give the result to the arbiter."))
    try:
        with transaction.atomic():
            return ResultSent.objects.create(
                pairing=game.pairing,
                board=game.board,
                side=side,
                seats=seats_key(game.pairing),
                text=text,
                number=number,
                network=network,
            )
    except IntegrityError as twice:
        raise Refused(_("Two results came at the same time. Check the result sent, then choose.")) from twice


def sent_in(round_: Round) -> Mapping[tuple[int, int], SentByPlayers]:
    """Return the results sent in a round, by pairing key and board. At most 1 query."""
    event = round_.event
    if not event.players_entry:
        return {}
    rows = ResultSent.objects.filter(pairing__round=round_).select_related("pairing").order_by("pk")
    last: dict[tuple[int, int], dict[str, ResultSent]] = {}
    for row in rows:
        if row.seats == seats_key(row.pairing):
            last.setdefault((row.pairing_id, row.board), {})[row.side] = row
    return {key: _conclude(event, list(sides.values())) for key, sides in last.items()}


def newest_in(round_: Round) -> int:
    """Return a number that increases with every result sent in a round. At most 1 query."""
    if not round_.event.players_entry:
        return 0
    newest = ResultSent.objects.filter(pairing__round=round_).order_by("-pk")
    return newest.values_list("pk", flat=True).first() or 0


def refuse_flood(rows: QuerySet[Any], most: int) -> None:
    """Raise TooMany if `most` of these rows were added within the last minute. A single query."""
    now, minute = timezone.now(), timedelta(minutes=1)
    # Rows with a later time were added while the clock was ahead.
    if rows.filter(at__gt=now - minute, at__lt=now + minute).count() >= most:
        raise TooMany(_("Too many entries from here at the moment. Try again in a minute."))


def _conclude(event: Event, sent: list[ResultSent]) -> SentByPlayers:
    texts = {each.text for each in sent}
    if len(texts) > 1:
        return SentByPlayers(sent, DIFFERENT, "")
    is_enough = event.players_entry == PlayersEntry.ONE or len({each.side for each in sent} - {""}) == 2
    return SentByPlayers(sent, AGREED if is_enough else WAITING, sent[0].text)


def _opening(round_: Round) -> datetime | None:
    if not round_.event.players_entry_after:
        return None
    past = past_of(Round).objects.filter(id=round_.pk).order_by("-history_id")
    published = None
    for state, at in past.values_list("state", "history_date"):
        if state != Round.State.PUBLISHED:
            break
        published = at
    return published and published + timedelta(minutes=round_.event.players_entry_after)

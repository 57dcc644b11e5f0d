"""Results that players send from the hall: kept beside the record until the desk takes them.

Whoever sends has no account: a signed link says for which game and side (`tournaments.hall.links`). Nothing
here touches the record, and nothing waits for the lock of the event, so that a hall of phones keeps no
arbiter from typing.
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
from tournaments.models.versioned import past_of
from tournaments.recording.refusal import Refused
from tournaments.recording.results import white_at

MOST_OF_A_SIDE = 5
"""How often a side may send for one game: a result, and corrections of it."""

MOST_A_MINUTE = 240
"""How many results come from one network in a minute at most: a hall of players has one address."""

AGREED, WAITING, DIFFERENT = "agreed", "waiting", "different"
"""What the sides of a game have sent: all that it takes, one of two, or two results."""


class TooMany(Refused):
    """Raised where too much comes from one place at once; trying again later helps."""


@dataclass(frozen=True, slots=True)
class PlayersGame:
    """A game as its players see it; `board` is 0 where the pairing is the game, `row` None without one."""

    pairing: Pairing
    board: int
    row: Pairing | Game | None

    @property
    def event(self) -> Event:
        """Return its event."""
        return self.pairing.round.event

    @property
    def white(self) -> str:
        """Return the side that has White, blank where nobody knows."""
        if not self.board:
            return PairingSide.FIRST
        return self.row.white if isinstance(self.row, Game) else white_at(self.board)

    @property
    def text(self) -> str:
        """Return the result that stands, as it is typed; blank where none does."""
        is_awaited = self.row is None or self.row.kind == Kind.PENDING
        return "" if is_awaited or self.row is None else recorded_text(self.event, self.row)


@dataclass(frozen=True, slots=True)
class SentByPlayers:
    """What came for one game: the last result of each side, and what follows.

    `text` is the result to take, blank where the sides sent different ones.
    """

    sent: Sequence[ResultSent]
    state: str
    text: str

    @property
    def texts(self) -> list[str]:
        """Return the different results that came, each once."""
        return list(dict.fromkeys(each.text for each in self.sent))


def seats_of(pairing: Pairing) -> str:
    """Return who sits at a pairing and on which side, as text; where others sit, what was sent is void."""
    return f"{pairing.first_id}-{pairing.second_id}"


def game_of(pairing: Pairing, board: int) -> PlayersGame | None:
    """Return a game of a pairing that has its round, event and sides; None where there is none. One query."""
    event = pairing.round.event
    if pairing.second_id is None or bool(board) != event.is_team:
        return None
    if not board:
        return PlayersGame(pairing, 0, pairing)
    if not 1 <= board <= (event.boards or 0):
        return None
    rows = pairing.games.select_related("first_player", "second_player").filter(board=board)
    return PlayersGame(pairing, board, rows.first())


def may_send(event: Event, side: str) -> bool:
    """Say whether players send results here, with a link of that side; a blank one is for both sides."""
    if event.state != Event.State.LIVE:
        return False
    # One link for both would let one player speak for both sides.
    return bool(event.players_entry) and (bool(side) or event.players_entry == PlayersEntry.ONE)


def why_not_sent(game: PlayersGame) -> str:
    """Return why no result of the game can be sent now, in a sentence; blank where it can. One query."""
    round_ = game.pairing.round
    if game.text:
        return _("The result is in: %(result)s. Where it is wrong, tell the arbiter.") % {"result": game.text}
    if is_settled(game.event.state, round_.state):
        return _("This round is closed. Where a result is wrong, tell the arbiter.")
    opens, now = _opening(round_), timezone.now()
    # An opening further away comes from a round that was published while the clock was ahead.
    if opens and now < opens <= now + timedelta(minutes=round_.event.players_entry_after):
        minutes = -((now - opens) // timedelta(minutes=1))
        return _("Results can be sent in %(minutes)s min. Try again then.") % {"minutes": minutes}
    return ""


def last_sent(game: PlayersGame) -> dict[str, ResultSent]:
    """Return what each side sent last for a game; one query."""
    rows = ResultSent.objects.filter(pairing=game.pairing, board=game.board, seats=seats_of(game.pairing))
    return {row.side: row for row in rows}


def send_result(game: PlayersGame, side: str, text: str, network: str) -> ResultSent:
    """Keep the result that a side sends, for the desk to see; the same again is the one that is there.

    Refused where nothing can be sent now, it is no result, or the side has sent often enough; TooMany where
    too much comes from that network.
    """
    if refusal := why_not_sent(game):
        raise Refused(refusal)
    if text not in buttons_of(game.event, game.white).all:
        raise Refused(_("This is no result of the game. Choose one of the buttons."))
    before = last_sent(game).get(side)
    if before and before.text == text:
        return before
    refuse_flood(ResultSent.objects.filter(network=network), MOST_A_MINUTE)
    rows = ResultSent.objects.filter(pairing=game.pairing, board=game.board, side=side)
    number = rows.count() + 1
    if number > MOST_OF_A_SIDE:
        raise Refused(_("This has been changed often enough. Tell the arbiter the result."))
    try:
        with transaction.atomic():
            return ResultSent.objects.create(
                pairing=game.pairing,
                board=game.board,
                side=side,
                seats=seats_of(game.pairing),
                text=text,
                number=number,
                network=network,
            )
    except IntegrityError as twice:
        raise Refused(_("Two results came at once. Look at what was sent, then choose.")) from twice


def sent_in(round_: Round) -> Mapping[tuple[int, int], SentByPlayers]:
    """Return what players sent in a round, by the key of the pairing and the board; one query at most."""
    event = round_.event
    if not event.players_entry:
        return {}
    rows = ResultSent.objects.filter(pairing__round=round_).select_related("pairing").order_by("pk")
    last: dict[tuple[int, int], dict[str, ResultSent]] = {}
    for row in rows:
        if row.seats == seats_of(row.pairing):
            last.setdefault((row.pairing_id, row.board), {})[row.side] = row
    return {key: _judged(event, list(sides.values())) for key, sides in last.items()}


def newest_in(round_: Round) -> int:
    """Return a number that rises with all that players send in a round; one query at most."""
    if not round_.event.players_entry:
        return 0
    newest = ResultSent.objects.filter(pairing__round=round_).order_by("-pk")
    return newest.values_list("pk", flat=True).first() or 0


def refuse_flood(rows: QuerySet[Any], most: int) -> None:
    """Raise TooMany where so many of these rows came within the last minute; one query."""
    now, minute = timezone.now(), timedelta(minutes=1)
    # Rows of later times were stored while the clock was ahead.
    if rows.filter(at__gt=now - minute, at__lt=now + minute).count() >= most:
        raise TooMany(_("Too much comes from here at this moment. Try again in a minute."))


def _judged(event: Event, sent: list[ResultSent]) -> SentByPlayers:
    texts = {each.text for each in sent}
    if len(texts) > 1:
        return SentByPlayers(sent, DIFFERENT, "")
    is_enough = event.players_entry == PlayersEntry.ONE or len({each.side for each in sent} - {""}) == 2
    return SentByPlayers(sent, AGREED if is_enough else WAITING, sent[0].text)


def _opening(round_: Round) -> datetime | None:
    """Return when results of a round can be sent, None where at any time; one query at most."""
    if not round_.event.players_entry_after:
        return None
    past = past_of(Round).objects.filter(id=round_.pk).order_by("-history_id")
    published = None
    for state, at in past.values_list("state", "history_date"):
        if state != Round.State.PUBLISHED:
            break
        published = at
    return published and published + timedelta(minutes=round_.event.players_entry_after)

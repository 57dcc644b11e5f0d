"""The boards of a match, and who sat at them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import NamedTuple, Protocol

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.eventwords import kind_name
from standings.pages.overevents import PERSONS
from standings.pages.sides import COLOURS, Side
from tournaments.event.choices import Kind
from tournaments.event.moves import publishable_moves
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Event, Game
from tournaments.models.pairing import shown_games
from tournaments.models.records import records
from tournaments.people.entries import Leading


class PlayerOnBoard(Protocol):
    """A player as a board names it; `pk` is the key of the player."""

    @property
    def pk(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def rating(self) -> int | None: ...


class BoardPlayer(NamedTuple):
    """A player as a board names it, out of the row of the board."""

    pk: int
    name: str
    title: str
    rating: int | None


class RecordedBoard(NamedTuple):
    """A board as it is stored, with the key of its pairing, and its players; scores in half-points."""

    pairing: int
    board: int
    white: str
    kind: str
    first_score: int | None
    second_score: int | None
    advantage: str
    games_played: int | None
    moves: str
    first_pk: int
    first_name: str | None
    first_title: str
    first_rating: int | None
    second_pk: int
    second_name: str | None
    second_title: str
    second_rating: int | None

    @property
    def first(self) -> BoardPlayer | None:
        """Return the first player, None where there is none."""
        return (
            None
            if self.first_name is None
            else BoardPlayer(self.first_pk, self.first_name, self.first_title, self.first_rating)
        )

    @property
    def second(self) -> BoardPlayer | None:
        """Return the second player, None where there is none."""
        return (
            None
            if self.second_name is None
            else BoardPlayer(self.second_pk, self.second_name, self.second_title, self.second_rating)
        )


COLUMNS = {
    f"{side}_{name}": f"{side}_player__{name}" for side in ("first", "second") for name in BoardPlayer._fields
}
"""Where the players' fields of a recorded board come from."""


@dataclass(frozen=True)
class Board:
    """One board of a match."""

    number: int
    first: Side
    second: Side
    result: str
    defaulted: bool
    unplayed: str
    moves: str

    @property
    def row(self) -> SafeString:
        """Return the row of the board in the table of its match, as HTML; nobody on a board has a card."""
        css = "result default" if self.defaulted else "result"
        result = escape(self.result) if self.result else f'<span class="title">{escape(self.unplayed)}</span>'
        return SafeString(
            f'<tr><th scope="row" class="board">{self.number}</th>'
            f'<td class="first">{self.first.written("")}</td><td class="{css}">{result}</td>'
            f'<td class="second">{self.second.written("")}</td></tr>'
        )

    @property
    def archived_row(self) -> SafeString:
        """Return the row of the board among those of all matches of a round, as HTML."""
        css = ' class="default"' if self.defaulted else ""
        result = escape(self.result) if self.result else f'<span class="title">{escape(self.unplayed)}</span>'
        return SafeString(
            f'<tr><th scope="row">{self.number}</th><td>{self.first.briefly}</td>'
            f"<td{css}>{result}</td><td>{self.second.briefly}</td></tr>"
        )


def boards_of_round(
    event: Event, number: int, people: Mapping[int, Leading], **chosen: int
) -> dict[int, list[Board]]:
    """Return the boards of the matches of a round by the key of the pairing; one query."""
    of = {f"pairing__{name}": value for name, value in chosen.items()}
    games = shown_games(event).filter(pairing__round__number=number, **of).order_by("board")
    boards: dict[int, list[Board]] = defaultdict(list)
    # As tuples: an archive has thousands, and Django would make three objects of each.
    for game in records(RecordedBoard, games, **COLUMNS):
        boards[game.pairing].append(board_of(event, game, game.first, game.second, people))
    return boards


def board_of(
    event: Event,
    game: Game | RecordedBoard,
    first: PlayerOnBoard | None,
    second: PlayerOnBoard | None,
    people: Mapping[int, Leading] | None = None,
) -> Board:
    """A board as its match card prints it, with its players; None is nobody.

    `people` are those who players are over events, by the key of the player.
    """
    known = people or {}
    white = COLOURS[game.white]
    return Board(
        number=game.board,
        first=_player(first, white[0], known),
        second=_player(second, white[1], known),
        result=recorded_text(event, game),
        defaulted=game.kind == Kind.FORFEIT,
        unplayed="" if game.kind in (Kind.PLAYED, Kind.FORFEIT) else kind_name(game.kind),
        moves=publishable_moves(game.moves),
    )


def _player(player: PlayerOnBoard | None, colour: str, people: Mapping[int, Leading]) -> Side:
    if player is None:
        return Side(_("no player"))
    leading = people.get(player.pk)
    page = PERSONS.leads_to(leading) if leading else ""
    return Side(player.name, title=player.title, rating=player.rating, colour=colour, page=page)

"""Boards of a match, with their players."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.pages.events.sides import COLOURS, Side
from standings.texts import kind_name
from tournaments.event.choices import Kind
from tournaments.event.moves import moves_without_clocks
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Event, Game, Player
from tournaments.models.pairing import public_games
from tournaments.models.rows import load_records
from tournaments.people.entries import Leading


class BoardPlayer(NamedTuple):
    pk: int
    name: str
    title: str
    rating: int | None


class RecordedBoard(NamedTuple):
    """A stored board with the key of its pairing, and its players; scores in half-points."""

    pairing: int
    board: int
    white: str
    kind: str
    delayed: str
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
        return _player_or_none(self.first_pk, self.first_name, self.first_title, self.first_rating)

    @property
    def second(self) -> BoardPlayer | None:
        return _player_or_none(self.second_pk, self.second_name, self.second_title, self.second_rating)


def _player_or_none(pk: int, name: str | None, title: str, rating: int | None) -> BoardPlayer | None:
    return None if name is None else BoardPlayer(pk, name, title, rating)


COLUMNS = {
    f"{side}_{name}": f"{side}_player__{name}" for side in ("first", "second") for name in BoardPlayer._fields
}
"""Query paths of the players' fields of a recorded board."""


@dataclass(frozen=True)
class Board:
    number: int
    first: Side
    second: Side
    result: str
    defaulted: bool
    unplayed: str
    moves: str

    @property
    def row(self) -> SafeString:
        """Return the row in the table of the match, as HTML. Players have no links to cards."""
        css = "result default" if self.defaulted else "result"
        result = escape(self.result) if self.result else f'<span class="title">{escape(self.unplayed)}</span>'
        return SafeString(
            f'<tr id="b{self.number}"><th scope="row" class="board">{self.number}</th>'
            f'<td class="first">{self.first.written("")}</td><td class="{css}">{result}</td>'
            f'<td class="second">{self.second.written("")}</td></tr>'
        )

    @property
    def archived_row(self) -> SafeString:
        css = ' class="default"' if self.defaulted else ""
        result = escape(self.result) if self.result else f'<span class="title">{escape(self.unplayed)}</span>'
        return SafeString(
            f'<tr><th scope="row">{self.number}</th><td>{self.first.briefly}</td>'
            f"<td{css}>{result}</td><td>{self.second.briefly}</td></tr>"
        )


def boards_of_round(
    event: Event, number: int, people: Mapping[int, Leading], **chosen: int
) -> dict[int, list[Board]]:
    """Return the boards of a round's matches by the key of the pairing; one query."""
    of = {f"pairing__{name}": value for name, value in chosen.items()}
    games = public_games(event).filter(pairing__round__number=number, **of).order_by("board")
    boards: dict[int, list[Board]] = defaultdict(list)
    # Tuples: an archive has thousands of boards, and Django would create three objects for each.
    for game in load_records(RecordedBoard, games, **COLUMNS):
        boards[game.pairing].append(board_of(event, game, game.first, game.second, people))
    return boards


def board_of(
    event: Event,
    game: Game | RecordedBoard,
    first: Player | BoardPlayer | None,
    second: Player | BoardPlayer | None,
    people: Mapping[int, Leading] | None = None,
) -> Board:
    """Return a board as its match card prints it; a player is None if there is none.

    `people`: the persons across events by the key of the player.
    """
    persons = people or {}
    white = COLOURS[game.white]
    return Board(
        number=game.board,
        first=_board_side(first, white[0], persons),
        second=_board_side(second, white[1], persons),
        result=recorded_text(event, game),
        defaulted=game.kind == Kind.FORFEIT,
        unplayed=""
        if game.kind in (Kind.PLAYED, Kind.FORFEIT)
        else kind_name(game.kind, game.delayed, game.moves),
        moves=moves_without_clocks(game.moves),
    )


def _board_side(player: Player | BoardPlayer | None, colour: str, people: Mapping[int, Leading]) -> Side:
    if player is None:
        return Side(_("no player"))
    leading = people.get(player.pk)
    page = leading.address if leading else ""
    return Side(player.name, title=player.title, rating=player.rating, colour=colour, page=page)

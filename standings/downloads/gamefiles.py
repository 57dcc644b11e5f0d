"""The games of an event: a list for spreadsheets, and PGN or PDN with the recorded moves."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from standings.downloads.lists import Cell, csv_text
from standings.engine import decimal_text
from tournaments.event.choices import Kind, knows_colours, knows_round_order, white_side
from tournaments.event.document import Document, EventEntry, GameEntry, PairingEntry
from tournaments.event.moves import (
    CHESS_MARKS,
    DRAUGHTS_MARKS,
    TAG,
    legal_movetext,
    parted,
    tag_line,
    unescape_tag,
)
from tournaments.interchange.formats.layouts.own_games import (
    ADVANTAGE,
    GAME_COLUMNS,
    GAMES,
    NO_COLOURS,
    NOT_KNOWN,
    NOT_PLAYED,
)
from tournaments.models import Event, Game, Pairing

GAME_TYPES = {"draughts-100": "20", "frisian": "40"}
"""The game types of the PDN standard. Draughts on 64 squares has several, so none is given."""

CHESS_RESULTS = {"won": ("1-0", "0-1"), "drawn": ("1/2-1/2", "1/2-1/2")}
DRAUGHTS_RESULTS = {"won": ("2-0", "0-2"), "drawn": ("1-1", "1-1")}
NOTATIONS = {"pgn": (CHESS_RESULTS, CHESS_MARKS), "pdn": (DRAUGHTS_RESULTS, DRAUGHTS_MARKS)}
OPEN = "*"
"""The result mark of other games: not played, unknown, or with other points."""


Record = PairingEntry | GameEntry | Pairing | Game
"""A game of two players or on a board of a match, in a document or in the database."""


@dataclass(frozen=True, slots=True)
class GameSide:
    """A side of a game. `player`: an entry or row. `number`: of the competitor. `points`: half-points."""

    player: Any
    number: int
    team: str
    points: int | None

    @property
    def name(self) -> str:
        return self.player.name if self.player else ""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game with its players by colour; if colours are unknown, by stored side.

    `round` and `table` are 0 if the order of the rounds is unknown.
    """

    round: int
    date: str
    table: int
    board: int | None
    white: GameSide
    black: GameSide
    record: Record
    has_colours: bool

    @property
    def advantage(self) -> str:
        if not self.record.advantage:
            return ""
        is_white = (self.record.advantage == "first") != self.is_turned
        return (self.white if is_white else self.black).name

    @property
    def is_turned(self) -> bool:
        return isinstance(self.record, GameEntry | Game) and self.record.white == "second"


def is_draughts(discipline: str) -> bool:
    return discipline.startswith("draughts") or discipline in GAME_TYPES


def listed_games(document: Document) -> Iterator[ListedGame]:
    competitors = {each.number: each for each in document.competitors}
    for each in document.rounds:
        for pairing in each.pairings:
            if pairing.second is None:
                continue
            pair = competitors[pairing.first], competitors[pairing.second]
            for record in pairing.games if document.event.is_team else (pairing,):
                yield listed_game(document.event, each, pairing.table, record, *pair)


def listed_game(event: Any, at: Any, table: int, record: Record, first: Any, second: Any) -> ListedGame:
    """Return a game of two competitors in the round `at`. All are entries of a document, or rows."""
    number, table = (at.number, table) if knows_round_order(event) else (0, 0)
    scores = record.first_score, record.second_score
    if isinstance(record, PairingEntry | Pairing):
        sides = GameSide(first, first.number, "", scores[0]), GameSide(second, second.number, "", scores[1])
        has_colours = bool(white_side(event, record.colours))
        return ListedGame(number, at.date, table, None, *sides, record, has_colours)
    sides = (
        GameSide(record.first_player, first.number, first.name, scores[0]),
        GameSide(record.second_player, second.number, second.name, scores[1]),
    )
    if record.white == "second":
        sides = sides[::-1]
    has_colours = bool(record.white) and knows_colours(event)
    return ListedGame(number, at.date, table, record.board, *sides, record, has_colours)


# --- the list ---------------------------------------------------------------------------------------------


def game_list(_: Event, document: Document) -> str:
    """Return a line per game for spreadsheets: White first, points as scored by the event."""
    document = document.without_drafts()
    lines: list[list[Cell]] = [[*GAME_COLUMNS]]
    for each in listed_games(document):
        white, black = _side_cells(each.white), _side_cells(each.black)
        place = (each.round or None, each.date, each.table or None, each.board)
        lines.append([*place, *white, _points_or_signs(each), *black, _remark(each)])
    return csv_text(lines)


def _side_cells(side: GameSide) -> list[Cell]:
    player = side.player
    known = (player.title, player.rating, player.fide_id) if player else ("", None, None)
    return [side.number, side.name, side.team, *known]


def _points_or_signs(game: ListedGame) -> Cell:
    """Return `1-0`, `0.5-0.5`, for a forfeit `+ -`, blank if there is none."""
    first, second = game.white.points, game.black.points
    if first is None or second is None:
        return ""
    if game.record.kind == Kind.FORFEIT:
        return {(True, False): "+ -", (False, True): "- +"}.get((first > second, second > first), "- -")
    return f"{decimal_text(first, 2)}-{decimal_text(second, 2)}"


def _remark(game: ListedGame) -> str:
    remarks = [
        {Kind.UNKNOWN: NOT_KNOWN, Kind.PENDING: NOT_PLAYED}.get(Kind(game.record.kind), ""),
        f"{ADVANTAGE}{game.advantage}" if game.advantage else "",
        f"{game.record.games_played}{GAMES}" if game.record.games_played else "",
        "" if game.has_colours else NO_COLOURS,
    ]
    return ", ".join(filter(None, remarks))


# --- PGN and PDN ------------------------------------------------------------------------------------------


def pgn(_: Event, document: Document) -> str:
    return game_texts(((document.event, each) for each in listed_games(document.without_drafts())), "pgn")


def pdn(_: Event, document: Document) -> str:
    return game_texts(((document.event, each) for each in listed_games(document.without_drafts())), "pdn")


def game_texts(games: Iterable[tuple[EventEntry | Event, ListedGame]], ending: str) -> str:
    """Return games of any events as PGN or PDN, by the extension of the file."""
    return "".join(_game_texts(games, *NOTATIONS[ending]))


def _game_texts(
    games: Iterable[tuple[Any, ListedGame]], results: dict[str, tuple[str, str]], marks: frozenset[str]
) -> Iterator[str]:
    for event, game in games:
        usual: dict[tuple[int | None, int | None], str] = {
            (event.game_win, event.game_loss): results["won"][0],
            (event.game_loss, event.game_win): results["won"][1],
            (event.game_draw, event.game_draw): results["drawn"][0],
        }
        # A match of several games is not won or drawn.
        result = OPEN if game.record.games_played else usual.get((game.white.points, game.black.points), OPEN)
        further, movetext = parted(game.record.moves)
        # Other values in the file of the moves, such as a name, take precedence over ours.
        own_tags = {name: tag_line(name, unescape_tag(text)) for name, text in reversed(TAG.findall(further))}
        own = own_tags.keys()
        tags = ((name, text) for name, text in _tags(event, game, result) if name not in own)
        lines = [tag_line(name, " ".join(text.split())) for name, text in tags]
        # The movetext ends with its own result mark.
        ending = legal_movetext(movetext, result, marks)
        ending = ending or " ".join(filter(None, [_comment(game, result), result]))
        yield "\n".join([*lines, *reversed(own_tags.values()), "", ending, "", ""])


def _tags(event: EventEntry | Event, game: ListedGame, result: str) -> Iterator[tuple[str, str]]:
    yield "Event", event.name
    yield "Site", " ".join(filter(None, [event.place, event.country])) or "?"
    yield "Date", _date(game.date or event.start[:4])
    seat = [game.round, game.table, *([game.board] if game.board else [])]
    yield "Round", ".".join(map(str, seat)) if game.round else "?"
    yield "White", game.white.name or "?"
    yield "Black", game.black.name or "?"
    yield "Result", result
    if game_type := GAME_TYPES.get(event.discipline):
        yield "GameType", game_type
    for colour, side in (("White", game.white), ("Black", game.black)):
        player = side.player
        known = {
            "Title": player.title if player else "",
            "Elo": player.rating if player else None,
            "FideId": player.fide_id if player else None,
            "Team": side.team,
        }
        yield from ((f"{colour}{name}", f"{fact}") for name, fact in known.items() if fact)
    if event.start:
        yield "EventDate", _date(event.start)
    if game.board:
        yield "Board", f"{game.board}"
    if game.record.kind == Kind.FORFEIT:
        yield "Termination", "forfeit"


def _date(written: str) -> str:
    """Return a day as `2018.09.24`, a year as `1948.??.??`, and `????.??.??` if unknown."""
    year, month, day = (*written.split("-"), "", "")[:3] if written else ("", "", "")
    return f"{year or '????'}.{month or '??'}.{day or '??'}"


def _comment(game: ListedGame, result: str) -> str:
    if game.record.kind == Kind.PENDING:
        return "" if game.has_colours else f"{{{NO_COLOURS}}}"
    score = _points_or_signs(game) if result == OPEN else ""
    comment = ", ".join(filter(None, [f"{score}", _remark(game)]))
    return f"{{{re.sub('[{}]', '', comment)}}}" if comment else ""

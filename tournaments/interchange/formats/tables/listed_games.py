"""Games as files list them, before their sides and results are looked up in the event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tournaments.event.numbers import exact_text
from tournaments.interchange.formats.tables.entrants import whole_or_text
from tournaments.interchange.formats.tables.grid import RowPlace
from tournaments.interchange.formats.tables.headings import PLAYED, HeadedTable, TableMapping

FORFEITS = frozenset({"+", "-"})
_TEXTS = ("date", "result", "kind", "white", "advantage", "moves", "note")
_NUMBERS = ("round", "table", "board", "games_played")

NumberOrText = int | str | None  # None if blank; other texts are reported when the number is needed


def number_or_text(text: str) -> NumberOrText:
    return whole_or_text(text) if text else None


class ListedSide(NamedTuple):
    """A side of a game. `number` or `name` (or code) is the competitor, `player` the player of a team."""

    name: str = ""
    number: str = ""
    player: str = ""

    @property
    def reference(self) -> str:
        return self.number or self.name


NO_SIDE = ListedSide()


class SideScores(NamedTuple):
    """The scores of both sides: half-points, or a text that is not parsed yet."""

    first: int | str = ""
    second: int | str = ""

    def __str__(self) -> str:
        first, second = (exact_text(each) if isinstance(each, int) else each for each in self)
        if {first, second} <= FORFEITS and first:
            return first + second
        return f"{first}-{second}" if first and second else first or second


NO_SCORES = SideScores()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGame:
    """A game of two players, a match, a board of a match, or a round off, which has no second side.

    The boards of a match follow it. `result`: as in result entry. `kind` with `scores`: a result that is
    stored unchecked. `white`: the side that has White, or that it is unknown.
    """

    line: int
    round: NumberOrText = None
    date: str = ""
    time: str = ""
    table: NumberOrText = None
    board: NumberOrText = None
    first: ListedSide = NO_SIDE
    second: ListedSide = NO_SIDE
    result: str = ""
    scores: SideScores = NO_SCORES
    kind: str = ""
    white: str = ""
    advantage: str = ""
    games_played: NumberOrText = None
    moves: str = ""
    note: str = ""

    @property
    def sides(self) -> dict[str, ListedSide]:
        return {"first": self.first, "second": self.second}

    @property
    def result_text(self) -> str:
        return self.result or str(self.scores)


@dataclass(frozen=True, slots=True)
class GameList:
    """The games of a table or file. `name`: of the sheet. `columns`: the label of each field in findings.

    `has_moves`: whether it is a file of moves, which may be of games that the event already has.
    `has_made_rounds`: the rounds are those of Berger tables, because the source has none.
    """

    games: tuple[ListedGame, ...] = ()
    name: str = ""
    columns: Mapping[str, str] = field(default_factory=lambda: {each: each for each in PLAYED})
    has_moves: bool = False
    has_made_rounds: bool = False

    def place(self, game: ListedGame) -> RowPlace:
        sheet = f"{self.name}, " if self.name else ""
        return RowPlace(f"{sheet}row {game.line}", columns=self.columns)

    @classmethod
    def with_used_columns(cls, games: Sequence[ListedGame]) -> "GameList":
        """Return the games of a source that has no column of boards or results if no game has them."""
        unused = set() if any(each.board is not None for each in games) else {"board"}
        if not any(each.result_text or each.kind for each in games):
            unused |= {"result", "first_score", "kind"}
        columns = {each: each for each in PLAYED if each not in unused} if games else {}
        return cls(tuple(games), columns=columns, has_moves=any(each.moves for each in games))


def listed_games(table: HeadedTable, mapping: TableMapping) -> GameList:
    columns = {each: table.labels[at] for at, each in mapping.columns.items()}
    games = []
    for row in table.rows:
        texts = {each: text for at, each in mapping.columns.items() if (text := row.cell(at))}
        if texts:
            games.append(listed_game(row.number, texts))
    return GameList(tuple(games), table.grid.name, columns, "moves" in columns)


def listed_game(line: int, texts: Mapping[str, str]) -> ListedGame:
    """Return the game in a row. `texts`: the cells by the fields of a table of results."""
    first, second = (
        ListedSide(texts.get(side, ""), texts.get(f"{side}_number", ""), texts.get(f"{side}_player", ""))
        for side in ("first", "second")
    )
    values: dict[str, Any] = {name: texts.get(name, "") for name in _TEXTS}
    values |= {name: number_or_text(texts.get(name, "")) for name in _NUMBERS}
    scores = SideScores(texts.get("first_score", ""), texts.get("second_score", ""))
    return ListedGame(line=line, first=first, second=second, scores=scores, **values)

"""The list of games that this site offers as `games.csv`: a line for each game, White first.

The list has no byes, and no matches without recorded games. The boards of two teams in a round
are combined into a match; the team with White on board 1 comes first.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournaments.event.choices import PairingColours
from tournaments.event.finding import Finding, Place, error, warning
from tournaments.event.numbers import exact_text
from tournaments.event.resultcodes import ResultError, parse_half_points
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.layout import (
    FieldRow,
    Layout,
    LayoutFile,
    LayoutReading,
    Signs,
    made_table,
    table_of_fields,
)
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.headings import COMPETITORS, RESULTS

GAME_COLUMNS = (
    "Round", "Date", "Table", "Board", "White No.", "White", "White team", "White title", "White rating",
    "White FIDE id", "Result", "Black No.", "Black", "Black team", "Black title", "Black rating",
    "Black FIDE id", "Remark",
)  # fmt: skip
NOT_KNOWN, NOT_PLAYED, NO_COLOURS = "result unknown", "not yet played", "colours not known"
# remarks, separated by commas; the first precedes a name, the second follows a number
ADVANTAGE, GAMES = "advantage ", " games"

FORFEITS = {"+ -": "+-", "- +": "-+", "- -": "--"}

_PLAYERS = ("number", "name", "title", "rating", "fide_id")
_TEAMS = ("number", "name", "player", "player_title", "player_rating", "fide_id")
_RESULTS = (
    "round", "date", "table", "board", "first_number", "first", "first_player", "result", "first_score",
    "second_score", "second_player", "second_number", "second", "kind", "white", "advantage", "games_played",
)  # fmt: skip
_MOST_NAMED = 5
_OTHER = {"first": "second", "second": "first"}


@dataclass(frozen=True, slots=True)
class _Side:
    number: str
    name: str
    team: str
    title: str
    rating: str
    fide_id: str


@dataclass(frozen=True, slots=True)
class _Game:
    """A line of the list. `kind` is blank for a forfeit, and for a result that is no score."""

    line: int
    round: str
    date: str
    table: str
    board: str
    white: _Side
    black: _Side
    result: str
    kind: str
    scores: tuple[int, int] | None
    has_colours: bool
    advantage: str
    games_played: str

    @property
    def has_first_white(self) -> bool:
        """Return whether the first team of the match has White: on odd boards."""
        return not self.has_colours or not self.board.isdecimal() or int(self.board) % 2 == 1


def _game_in_row(row: GridRow) -> _Game:
    cells = [row.cell(at) for at in range(len(GAME_COLUMNS))]
    white = _Side(*cells[4:10])
    black = _Side(*cells[11:17])
    remark = cells[17]
    # The name of the player with the advantage may contain a comma.
    sides = (("white", white), ("black", black))
    advantage = next(
        (side for side, each in sides if f"{remark}, ".startswith(f"{ADVANTAGE}{each.name}, ")), ""
    )
    words = remark.split(", ")
    played = next((each.removesuffix(GAMES) for each in words if each.endswith(GAMES)), "")
    result, scores = cells[10], _scores_or_none(cells[10])
    kind = "played" if scores else ""
    if not result:
        kind = "unknown" if NOT_KNOWN in words else "pending"
    # No scoring gives 0 to both, so this is a result with a note.
    if scores == (0, 0):
        kind = ""
    return _Game(
        line=row.number,
        round=cells[0],
        date=cells[1],
        table=cells[2],
        board=cells[3],
        white=white,
        black=black,
        result=FORFEITS.get(result, result),
        kind=kind,
        scores=scores,
        has_colours=NO_COLOURS not in words,
        advantage=advantage,
        games_played=played,
    )


def _scores_or_none(text: str) -> tuple[int, int] | None:
    try:
        first, second = (parse_half_points(each) for each in text.split("-"))
    except (ValueError, ResultError):
        return None
    return first, second


class _GameList:
    """Builds the tables from the games of the file."""

    def __init__(self, games: Sequence[_Game]) -> None:
        self.games = games
        self.is_team = any(each.white.team or each.black.team for each in games)

    def competitors(self) -> Iterator[GridRow]:
        """Yield a row for each player, with number and name of the team in events of teams."""
        seen: set[tuple[str, str]] = set()
        for game in self.games:
            for side in (game.white, game.black):
                if (side.number, side.name) in seen:
                    continue
                seen.add((side.number, side.name))
                who = (side.number, side.team) if self.is_team else (side.number,)
                yield GridRow(game.line, (*who, side.name, side.title, side.rating, side.fide_id))

    def results(self) -> Iterator[FieldRow]:
        """Yield a row for each game. In events of teams a row for each match precedes its boards."""
        if not self.is_team:
            yield from (self._row(each, is_turned=False) for each in self.games)
            return
        matches: dict[tuple[str, str, frozenset[str]], list[_Game]] = defaultdict(list)
        for each in self.games:
            teams = frozenset({each.white.number or each.white.team, each.black.number or each.black.team})
            matches[each.round, each.table, teams].append(each)
        win = max((max(each.scores) for each in self.games if each.scores), default=2)
        for games in matches.values():
            yield self._match(games, win)
            first = self._first(games[0])
            for each in games:
                yield self._row(each, is_turned=self._team(each.white) != self._team(first))

    def _team(self, side: _Side) -> str:
        return side.number or side.team

    def _first(self, game: _Game) -> _Side:
        return game.white if game.has_first_white else game.black

    def _match(self, games: Sequence[_Game], win: int) -> FieldRow:
        first = self._first(games[0])
        second = games[0].black if first is games[0].white else games[0].white
        sums = [0, 0]
        for each in games:
            points = each.scores or {"+-": (win, 0), "-+": (0, win)}.get(each.result, (0, 0))
            is_turned = self._team(each.white) != self._team(first)
            sums = [own + more for own, more in zip(sums, points[::-1] if is_turned else points, strict=True)]
        kinds = {each.kind for each in games}
        kind = next((each for each in ("pending", "unknown") if each in kinds), "played")
        if all(each.result in FORFEITS.values() for each in games):
            kind = "forfeit"
        values = {
            "round": games[0].round, "date": games[0].date, "table": games[0].table,
            "first_number": first.number, "first": first.team,
            "second_number": second.number, "second": second.team, "kind": kind,
        }  # fmt: skip
        if kind in {"played", "forfeit"}:
            values |= {"first_score": exact_text(sums[0]), "second_score": exact_text(sums[1])}
        return games[0].line, values

    def _row(self, game: _Game, *, is_turned: bool) -> FieldRow:
        first, second = (game.black, game.white) if is_turned else (game.white, game.black)
        scores = game.scores and (game.scores[::-1] if is_turned else game.scores)
        result = game.result
        if is_turned and result in FORFEITS.values():
            result = result[::-1]
        values = {"round": game.round, "date": game.date, "table": game.table, "kind": game.kind}
        if self.is_team:
            white = ("second" if is_turned else "first") if game.has_colours else ""
            values |= {"board": game.board or "1", "white": white, "first": first.team, "second": second.team,
                       "first_player": first.name, "second_player": second.name}  # fmt: skip
        else:
            values |= {"first": first.name, "second": second.name}
            values |= {} if game.has_colours else {"white": PairingColours.UNKNOWN.value}
        values |= {"first_number": first.number, "second_number": second.number}
        if game.kind == "played" and scores:
            side = {"white": "first", "black": "second", "": ""}[game.advantage]
            values |= {"first_score": exact_text(scores[0]), "second_score": exact_text(scores[1])}
            values |= {"advantage": _OTHER.get(side, "") if is_turned else side}
            values |= {"games_played": game.games_played}
        elif not game.kind:
            values["result"] = result
        return game.line, values

    def without_game(self) -> Iterator[Finding]:
        """Warn of competitors without a game in a round: the list does not include byes."""
        names: dict[str, str] = {}
        paired: dict[str, set[str]] = defaultdict(set)
        for game in self.games:
            for side in (game.white, game.black):
                names.setdefault(self._team(side), side.team if self.is_team else side.name)
                paired[game.round].add(self._team(side))
        off = [
            f"{name} (round {round_})"
            for round_, known in paired.items()
            for number, name in names.items()
            if number not in known
        ]
        if off:
            more = f" and {len(off) - _MOST_NAMED} more" if len(off) > _MOST_NAMED else ""
            text = (
                f"A list of games has no byes. Without a game: {', '.join(off[:_MOST_NAMED])}{more}. They "
                "get no points for it. Import the CSV, the event file (JSON) or the report (TRF) instead."
            )
            yield warning("no-byes-in-games", Place(), text)


def recognise_own_games(file: LayoutFile) -> Signs:
    rows = (row for grid in file.grids for row in grid.rows)
    found = next((row for row in rows if tuple(row.cells[: len(GAME_COLUMNS)]) == GAME_COLUMNS), None)
    if found is None:
        return ()
    where = f"in row {found.number}"
    return (
        f"the columns of this site's list of games {where}",
        f"a column of the round {where}",
        f"a column of remarks {where}",
    )


def read_own_games(file: LayoutFile) -> LayoutReading:
    tally = ReadingTally()
    games: list[_Game] = []
    for grid in file.grids:
        is_headed = False
        for row in grid.rows:
            if row.is_blank:
                continue
            if tuple(row.cells[: len(GAME_COLUMNS)]) == GAME_COLUMNS:
                is_headed = True
                tally.read("lines")
            elif is_headed:
                games.append(_game_in_row(row))
                tally.read("lines")
            else:
                tally.unread("lines", " ".join(filter(None, row.cells)))
    if not games:
        text = "The list has no games. Matches with a score but without games are not in it."
        empty = error("no-games", Place(), f"{text} Import the CSV or the event file (JSON) instead.")
        return LayoutReading(findings=(*file.grid_findings, empty), account=tally.account())
    found = _GameList(games)
    fields = _TEAMS if found.is_team else _PLAYERS
    tables = [
        made_table(COMPETITORS, fields, list(found.competitors())),
        table_of_fields(RESULTS, _RESULTS, found.results()),
    ]
    entrants = "teams" if found.is_team else "players"
    outline = EventOutline().with_fact("entrants", entrants, "the columns of the teams")
    findings = (*file.grid_findings, *found.without_game())
    return LayoutReading.of_built(tables, outline, findings, tally.account())


OWN_GAMES = Layout(
    code="own-games",
    name="the list of games of this site (games.csv)",
    endings=(".csv",),
    recognise=recognise_own_games,
    read=read_own_games,
    example=(
        ",".join(GAME_COLUMNS) + "\n"
        '1,2019-02-03,1,,1,"Arends, Bo",,IM,2400,,1-0,4,"Dorn, Eva",,,2100,,\n'
        '1,2019-02-03,2,,3,"Claes, Dee",,,2000,,0.5-0.5,2,"Brill, Cas",,FM,2300,,\n'
        '2,2019-02-04,1,,2,"Brill, Cas",,FM,2300,,+ -,1,"Arends, Bo",,IM,2400,,\n'
        '2,2019-02-04,2,,4,"Dorn, Eva",,,2100,,,3,"Claes, Dee",,,2000,,not yet played\n'
    ),
)

"""The list of games that this site offers as `games.csv`: a line for each game, White first.

The list has no byes, and no matches without recorded games. The boards of two teams in a round
are combined into a match; the team with White on board 1 comes first.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tournaments.event.choices import PairingColours
from tournaments.event.finding import Finding, Place, error, warning
from tournaments.event.resultcodes import ResultError, parse_half_points
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.layout import (
    Layout,
    LayoutFile,
    LayoutReading,
    Signs,
    table_of_rows,
)
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.headings import COMPETITORS
from tournaments.interchange.formats.tables.listed_games import (
    NO_SCORES,
    GameList,
    ListedGame,
    ListedSide,
    NumberOrText,
    SideScores,
    number_or_text,
)

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
_MOST_NAMED = 5
_OTHER = {"first": "second", "second": "first"}
_SIDES = (4, 11)  # the first columns of White and Black


def _game_in_row(row: GridRow, *, is_team: bool) -> ListedGame:
    cells = [row.cell(at) for at in range(len(GAME_COLUMNS))]
    white, black = (
        ListedSide(team, number, name) if is_team else ListedSide(name, number)
        for number, name, team in (cells[at : at + 3] for at in _SIDES)
    )
    remarks = cells[17].split(", ")
    # The name of the player with the advantage may contain a comma.
    names = (("first", cells[5]), ("second", cells[12]))
    advantage = (side for side, name in names if f"{cells[17]}, ".startswith(f"{ADVANTAGE}{name}, "))
    played = next((each.removesuffix(GAMES) for each in remarks if each.endswith(GAMES)), "")
    has_colours = NO_COLOURS not in remarks
    unknown = "" if is_team else PairingColours.UNKNOWN.value
    game = ListedGame(
        line=row.number,
        round=number_or_text(cells[0]),
        date=cells[1],
        table=number_or_text(cells[2]),
        board=number_or_text(cells[3] or "1") if is_team else None,
        first=white,
        second=black,
        white=("first" if is_team else "") if has_colours else unknown,
    )
    result, scores = cells[10], _scores_or_none(cells[10])
    if not result:
        return replace(game, kind="unknown" if NOT_KNOWN in remarks else "pending")
    # No scoring gives 0 to both, so this is a result with a note.
    if scores is None or scores == (0, 0):
        return replace(game, result=FORFEITS.get(result, result))
    return replace(
        game, kind="played", scores=scores, advantage=next(advantage, ""), games_played=number_or_text(played)
    )


def _scores_or_none(text: str) -> SideScores | None:
    try:
        first, second = (parse_half_points(each) for each in text.split("-"))
    except (ValueError, ResultError):
        return None
    return SideScores(first, second)


def _turned(game: ListedGame) -> ListedGame:
    return replace(
        game,
        first=game.second,
        second=game.first,
        white=_OTHER.get(game.white, ""),
        scores=SideScores(game.scores.second, game.scores.first),
        result=game.result[::-1] if game.result in FORFEITS.values() else game.result,
        advantage=_OTHER.get(game.advantage, ""),
    )


def _competitors(rows: Sequence[GridRow], *, is_team: bool) -> Iterator[GridRow]:
    seen: set[tuple[str, str]] = set()
    for row in rows:
        for at in _SIDES:
            number, name, team, *others = (row.cell(column) for column in range(at, at + 6))
            if (number, name) not in seen:
                seen.add((number, name))
                yield GridRow(row.number, (number, *((team,) if is_team else ()), name, *others))


def _with_matches(games: Sequence[ListedGame]) -> Iterator[ListedGame]:
    matches: dict[tuple[Any, ...], list[ListedGame]] = defaultdict(list)
    for each in games:
        teams = frozenset({each.first.reference, each.second.reference})
        matches[each.round, each.table, teams].append(each)
    win = max((score for each in games for score in each.scores if isinstance(score, int)), default=2)
    for found in matches.values():
        board = found[0].board
        # The first team of the match has White on odd boards.
        has_white = not found[0].white or not isinstance(board, int) or board % 2 == 1
        first = found[0].first if has_white else found[0].second
        boards = [each if each.first.reference == first.reference else _turned(each) for each in found]
        yield _match(boards, win)
        yield from boards


def _match(boards: Sequence[ListedGame], win: int) -> ListedGame:
    sums = [0, 0]
    for each in boards:
        points = {"+-": (win, 0), "-+": (0, win)}.get(each.result, each.scores)
        sums = [own + (more if isinstance(more, int) else 0) for own, more in zip(sums, points, strict=True)]
    kinds = {each.kind for each in boards}
    kind = next((each for each in ("pending", "unknown") if each in kinds), "played")
    if all(each.result in FORFEITS.values() for each in boards):
        kind = "forfeit"
    first, second = (side._replace(player="") for side in boards[0].sides.values())
    return ListedGame(
        line=boards[0].line,
        round=boards[0].round,
        date=boards[0].date,
        table=boards[0].table,
        first=first,
        second=second,
        kind=kind,
        scores=SideScores(*sums) if kind in {"played", "forfeit"} else NO_SCORES,
    )


def _without_game(games: Sequence[ListedGame]) -> Iterator[Finding]:
    names: dict[str, str] = {}
    paired: dict[NumberOrText, set[str]] = defaultdict(set)
    for game in games:
        for side in (game.first, game.second):
            names.setdefault(side.reference, side.name)
            paired[game.round].add(side.reference)
    off = [
        f"{name} (round {round_})"
        for round_, there in paired.items()
        for number, name in names.items()
        if number not in there
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
    rows: list[GridRow] = []
    for grid in file.grids:
        is_headed = False
        for row in grid.rows:
            if row.is_blank:
                continue
            if tuple(row.cells[: len(GAME_COLUMNS)]) == GAME_COLUMNS:
                is_headed = True
                tally.read("lines")
            elif is_headed:
                rows.append(row)
                tally.read("lines")
            else:
                tally.unread("lines", " ".join(filter(None, row.cells)))
    if not rows:
        text = "The list has no games. Matches with a score but without games are not in it."
        empty = error("no-games", Place(), f"{text} Import the CSV or the event file (JSON) instead.")
        return LayoutReading(findings=(*file.grid_findings, empty), account=tally.account())
    is_team = any(row.cell(at + 2) for row in rows for at in _SIDES)
    games = [_game_in_row(each, is_team=is_team) for each in rows]
    fields, entrants = (_TEAMS, "teams") if is_team else (_PLAYERS, "players")
    return LayoutReading(
        tables=(table_of_rows(COMPETITORS, fields, list(_competitors(rows, is_team=is_team))),),
        outline=EventOutline().with_fact("entrants", entrants, "the columns of the teams"),
        findings=(*file.grid_findings, *_without_game(games)),
        account=tally.account(),
        games=GameList(tuple(_with_matches(games) if is_team else games)),
    )


OWN_GAMES = Layout(
    code="own-games",
    name="the list of games of this site (games.csv)",
    endings=(".csv",),
    recognise=recognise_own_games,
    read=read_own_games,
)

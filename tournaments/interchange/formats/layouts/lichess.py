"""Results and games of Swiss tournaments and arenas of lichess, as its API gives them: a JSON object a line.

The results (`/api/swiss/…/results`, `/api/tournament/…/results`) are a final table without games: points and
tie-break of a Swiss tournament, score of an arena. The games (`…/games`, also as PGN) have no rounds, which
follow from the times: in a Swiss tournament a player's second game begins a round; in an arena a game is in
the first round after those of both players.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.game_tables import TaggedGames
from tournaments.interchange.formats.layouts.game_texts import GameText
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, table_of_rows
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.tables.grid import Grid, GridRow, as_cell
from tournaments.interchange.formats.tables.headings import COMPETITORS, PRINTED

_START = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*+(?:\[\s*+)?\{.{0,3000}?"(?:username"|players"\s{0,9}:\s{0,9}\{)', re.DOTALL
)
_COLUMNS = {
    "rank": ("label", "Rank"), "title": ("title", "Title"), "username": ("name", "Name"),
    "rating": ("rating", "Rating"), "team": ("club", "Team"), "points": ("points", "Points"),
    "score": (PRINTED, "Score"), "tieBreak": (PRINTED, "Tie break"),
    "performance": (PRINTED, "Performance"),
}  # fmt: skip
_DRAWS = frozenset({"draw", "stalemate", "outoftime", "insufficientMaterialClaim"})


_CHESS = frozenset({"", "standard", "chess960", "fromPosition"})

is_of_lichess = _START.match


def _objects(file: LayoutFile) -> list[tuple[int, Any]]:
    lines = [(at, line) for at, line in enumerate(file.lines, start=1) if line.strip()]
    try:
        if file.text.lstrip().startswith("["):
            return [(1, each) for each in json.loads(file.text, parse_float=str)]
        return [(at, json.loads(line, parse_float=str)) for at, line in lines]
    except (ValueError, RecursionError):
        return []


def _recognise_lichess(file: LayoutFile) -> tuple[str, ...]:
    found = _objects(file) if is_of_lichess(file.content) else []
    if found and all(_at(each, "rank") and _at(each, "username") for _, each in found):
        return ("a JSON object a line with “rank” and “username”",)
    if found and all(isinstance(_part(each, "players"), dict) for _, each in found):
        return ("a JSON object a line with the “players” of a game",)
    return ()


def _read_lichess(file: LayoutFile) -> LayoutReading:
    tally, found = ReadingTally(), _objects(file)
    tally.read("lines", sum(bool(line.strip()) for line in file.lines))
    rows = [
        GridRow(line, tuple(_at(each, key) for key in _COLUMNS))
        for line, each in found
        if _at(each, "username")
    ]
    if not rows:
        games = [*_lichess_games(found, tally)]
        tagged = TaggedGames(games, tally, of_draughts=False, findings=[*file.text_findings])
        outline = (reading := tagged.reading(games[0].tag("Event") if games else "", "chess")).outline
        if any(_at(each, "variant") not in _CHESS for _, each in found):
            outline = outline.without("discipline", "the variant")
        if any(_at(each, "tournament") for _, each in found):
            outline = outline.without("schedule", "an arena")  # who met whom does not show it
        return replace(reading, outline=outline)
    schedule = "" if any(_at(each, "score") for _, each in found) else "swiss"  # only arenas have scores
    facts = {"discipline": "chess", "entrants": "players", "schedule": schedule}
    fields, labels = zip(*_COLUMNS.values(), strict=True)
    table, mapping = table_of_rows(COMPETITORS, fields, rows, labels=labels)
    titled = replace(table, grid=Grid((GridRow(0, ("Final standings",)), *table.grid.rows)))
    outline = EventOutline().with_facts(facts, "the layout")
    return LayoutReading(
        tables=((titled, mapping),), outline=outline, findings=file.text_findings, account=tally.account()
    )


def _part(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _at(value: Any, *keys: str) -> str:
    found = _part(value, *keys)
    return as_cell(str(found)) if isinstance(found, str | int) and found != "BOT" else ""


def _lichess_games(found: list[tuple[int, Any]], tally: ReadingTally) -> Iterator[GameText]:
    for line, each in found:
        names = [_at(each, "players", side, "user", "name") for side in ("white", "black")]
        status = _at(each, "status")
        drawn_or_open = "1/2-1/2" if status in _DRAWS else "*" if status in {"created", "started"} else ""
        result = {"white": "1-0", "black": "0-1"}.get(_at(each, "winner"), drawn_or_open)
        if not (all(names) and result):
            tally.unread("games", _at(each, "id") or f"line {line}")
            continue
        created, variant = _part(each, "createdAt"), _at(each, "variant")
        is_dated = isinstance(created, int) and 0 < created < 10**14
        time = datetime.fromtimestamp(created // 1000, UTC) if is_dated else None
        moves = [
            move if at % 2 else f"{at // 2 + 1}. {move}" for at, move in enumerate(_at(each, "moves").split())
        ]
        tags = {
            "Event": _at(each, "arenaTour", "name"), "Site": f"https://lichess.org/{_at(each, 'id')}",
            "White": names[0], "Black": names[1], "Result": result,
            "UTCDate": f"{time:%Y.%m.%d}" if time else "", "UTCTime": f"{time:%H:%M:%S}" if time else "",
            "Variant": "" if variant == "standard" else variant, "ECO": _at(each, "opening", "eco"),
            "Termination": "unplayed" if status == "noStart" else "",
            "WhiteElo": _at(each, "players", "white", "rating"),
            "BlackElo": _at(each, "players", "black", "rating"),
            "WhiteTitle": _at(each, "players", "white", "user", "title"),
            "BlackTitle": _at(each, "players", "black", "user", "title"),
        }  # fmt: skip
        yield GameText(
            line, {name: text for name, text in tags.items() if text}, [" ".join((*moves, result))], 1
        )


LICHESS = Layout(
    code="lichess",
    name="lichess: results and games of Swiss tournaments and arenas",
    endings=(".ndjson",),
    recognise=_recognise_lichess,
    read=_read_lichess,
)

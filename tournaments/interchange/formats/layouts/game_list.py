"""Lists of games under headings of rounds, with columns or as lines of text: `Arends – Brill 1-0`.

The columns are those of `White;Black;Result`, in any language and order. A line such as `Round 3,
2021-05-03` names the round of the rows below it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournaments.event.dates import iso_date
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs
from tournaments.interchange.formats.layouts.titles import count_titles, outline_of_titles
from tournaments.interchange.formats.tables.grid import Grid, GridRow
from tournaments.interchange.formats.tables.heading_words import MEANINGS, word_of
from tournaments.interchange.formats.tables.headings import PLAYED
from tournaments.interchange.formats.tables.listed_games import GameList, ListedGame, listed_game

_ROUND_WORDS = "round|ronde|runde|ronda|rodada|rda|turno|tour|runda|kolo|тур|rd|rnd"
_TITLE = re.compile(
    rf"\W*+(?:(?:{_ROUND_WORDS})\W{{0,3}}(\d{{1,3}})|(\d{{1,3}})(?:st|nd|rd|th|[.ªaºeè])?\W{{0,3}}(?:{_ROUND_WORDS})\b)"
    r"\W*+(.*)",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{1,2}\.? [^\W\d]{3,12}\.?,? \d{4}|[^\W\d]{3,12} \d{1,2},? \d{4}"
)
_POINTS = r"(?:\d{1,2}[½.,]?\d?|½|1/2)"
_SCORE, _SIGNS = (
    rf"{_POINTS}\s?[-–:]\s?{_POINTS}\s?(?:[FfKk]\b|\([FfKk]\))?",
    r"[+-]\s?[:/]\s?[+-]|\+-{1,2}|-{1,2}\+",
)
_RESULT = rf"(?:{_SCORE}|{_SIGNS}|\*|remis|draw|½)"
_NUMBERED = r"(?:(?:board|table|bd|tisch|brett|tafel)? ?(?P<table>\d{1,3}) ?[.):]? )?"
_RESULT_LAST = re.compile(
    rf"{_NUMBERED}(?P<first>\D.*?\S) (?:[-–—:]|vs?\.?) (?P<second>\S.*?[^\s:,])[\s:,]++(?P<result>{_RESULT})",
    re.IGNORECASE,
)
_RESULT_BETWEEN = re.compile(
    rf"{_NUMBERED}(?P<first>\D.*?\S) (?P<result>{_RESULT}) (?P<second>[^\W\d_].+)", re.IGNORECASE
)
_TO_COME = re.compile(
    rf"{_NUMBERED}(?P<first>\D.*?\S) (?:[–—-]|vs?\.?) (?P<second>[^\W\d_].+)", re.IGNORECASE
)
_LONGEST_LINE = 200
_MOST_LINES = 2_000  # read to recognise the layout
_FEWEST = 2  # games in a text before it is taken for a list of games


def round_of_title(text: str) -> tuple[int, str] | None:
    """Return the round and the date in the heading of a round, None for other lines.

    The date may be blank.
    """
    found = _TITLE.fullmatch(text.strip()) if len(text) <= _LONGEST_LINE else None
    if not found or any(sign in text for sign in "½|"):
        return None
    days = _DAY.findall(found[3])
    if len(found[3]) > 60 or (found[3] and not days and re.search(_RESULT, found[3])):
        return None
    return int(found[1] or found[2]), iso_date(days[0]) if days else ""


class _ListReader:
    """Reads the games of a file.

    `games`: the games. `titles`: the rows before the first game, which may have facts about the event.
    """

    def __init__(self, tally: ReadingTally) -> None:
        self.tally = tally
        self.games: list[ListedGame] = []
        self.titles: list[GridRow] = []
        self.round: int | None = None
        self.day = ""
        self.fields: dict[int, str] = {}
        self.is_headed = False

    def read_grids(self, grids: Sequence[Grid]) -> None:
        for row in (row for grid in grids for row in grid.rows if row.cells):
            filled = [cell for cell in row.cells if cell]
            if not filled:
                self.tally.read("lines", int(len(row.cells) > 1))  # a line of separators
                continue
            if len(filled) <= 2 and self._begins_round(" ".join(filled)):
                continue
            if fields := _fields_of_heading(row):
                self.fields, self.is_headed = fields, True
                self.tally.read("lines")
            elif self.fields and len(filled) > 1:
                for at, text in enumerate(row.cells):
                    if text and at not in self.fields:
                        self.tally.unread("cells", text)
                self._add(row.number, {field: row.cell(at) for at, field in self.fields.items()})
            else:
                self._add_other_row(row)

    def read_lines(self, lines: Sequence[str]) -> None:
        for number, line in enumerate(lines, start=1):
            if not line.strip() or self._begins_round(line):
                continue
            found = _game_in(line, may_come=self.round is not None)
            if found:
                self._add(number, found)
            else:
                self._add_other_row(GridRow(number, (line.strip(),)))

    def _begins_round(self, text: str) -> bool:
        found = round_of_title(text)
        if found:
            self.round, self.day = found
            self.tally.read("lines")
        return found is not None

    def _add(self, line: int, texts: Mapping[str, str]) -> None:
        game = listed_game(line, texts)
        if game.board is not None:  # in events of players, a board is a table
            game = replace(game, table=game.board if game.table is None else game.table, board=None)
        if game.round is None:
            game = replace(game, round=self.round)
        self.games.append(replace(game, date=game.date or self.day))
        self.tally.read("lines")

    def _add_other_row(self, row: GridRow) -> None:
        if self.games:
            self.tally.unread("lines", " ".join(filter(None, row.cells)))
        else:
            self.titles.append(row)

    def reading(self, file: LayoutFile) -> LayoutReading:
        outline = outline_of_titles(self.titles)
        count_titles(self.titles, outline.titles, self.tally)
        findings = file.grid_findings if self.is_headed else file.text_findings
        games = GameList.with_used_columns(self.games)
        return LayoutReading(outline=outline, findings=findings, account=self.tally.account(), games=games)


def _fields_of_heading(row: GridRow) -> dict[int, str]:
    found: dict[int, str] = {}
    for at, cell in enumerate(row.cells):
        field = next((each for each in MEANINGS.get(word_of(cell), ()) if each in PLAYED), "")
        if field and field not in found.values():
            found[at] = field
    return found if {"first", "second"} <= set(found.values()) else {}


def _game_in(line: str, *, may_come: bool) -> dict[str, str] | None:
    if len(line) > _LONGEST_LINE:
        return None
    line = " ".join(line.split())
    # The result is more often last, and a name may contain a dash.
    found = _RESULT_LAST.fullmatch(line) or _RESULT_BETWEEN.fullmatch(line)
    if not found and may_come:
        found = _TO_COME.fullmatch(line)
    if not found:
        return None
    values = {name: " ".join(text.split()) for name, text in found.groupdict().items() if text}
    return values if len(values.get("first", "")) > 1 else None


# --- the layout -------------------------------------------------------------------------------------------


def _has_columns(file: LayoutFile) -> bool:
    heads = [fields for grid in file.grids for row in grid.rows if (fields := _fields_of_heading(row))]
    return bool(heads) and not any("round" in fields.values() for fields in heads)


def _lines_with_games(file: LayoutFile, *, may_come: bool) -> list[int]:
    lines = enumerate(file.lines[:_MOST_LINES], start=1)
    return [at for at, line in lines if _game_in(line, may_come=may_come)]


def recognise_game_list(file: LayoutFile) -> Signs:
    texts = (line.strip(" \t;,|") for line in file.lines[:_MOST_LINES])
    rounds = [(at, text) for at, text in enumerate(texts, start=1) if text and round_of_title(text)]
    signs = [f"the heading “{text}” in line {at}" for at, text in rounds[:1]]
    if rounds and _has_columns(file):
        return (*signs, "columns of White and Black without one of the round")
    games = _lines_with_games(file, may_come=False)
    all_games = games if not rounds else _lines_with_games(file, may_come=True)
    others = sum(bool(line.strip()) for line in file.lines[:_MOST_LINES]) - len(rounds) - len(all_games)
    if len(games) < _FEWEST or len(all_games) <= others:
        return ()
    return (*signs, f"a game in a line of text, such as line {games[0]}")


def read_game_list(file: LayoutFile) -> LayoutReading:
    found = _ListReader(ReadingTally())
    if _has_columns(file):
        found.read_grids(file.grids)
    else:
        found.read_lines(file.lines)
    return found.reading(file)


GAME_LIST = Layout(
    code="game-list",
    name="a list of games under headings of rounds",
    endings=(".txt", ".csv", ".tsv", ".xlsx"),
    recognise=recognise_game_list,
    read=read_game_list,
)

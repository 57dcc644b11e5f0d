"""OlimpBase's text tables of team events: round robins and Swiss tables by code, and rounds board by board.

Final tables have `no.`, `team`, `code`, then opponents (round robin) or rounds, `pts` (game points) and
`MP`. In a round each match is a line, `HUN Hungary 2½ : 1½ Poland POL`, with its boards below it, without
colours. Cells of rounds name the opponent by place or by code: `12:2½`, `POL 2½`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournaments.event.finding import Finding, Place, warning
from tournaments.event.resultcodes import half_points_or_none
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.crosstables import around, crosstable_reading
from tournaments.interchange.formats.layouts.game_list import round_of_title
from tournaments.interchange.formats.layouts.layout import (
    FieldRow,
    Layout,
    LayoutFile,
    LayoutReading,
    Signs,
    table_of_fields,
)
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.layouts.titles import count_titles, outline_of_titles
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.heading_words import word_of
from tournaments.interchange.formats.tables.headings import COMPETITORS, HeadedTable, MappedTable
from tournaments.interchange.formats.tables.listed_games import GameList, ListedGame, ListedSide

_POINTS = r"(?:\d{1,2}½|½|\d{1,2}(?:[.,][05])?)"
_CODE = r"[A-Z]{3,4}\d?"
_MATCH = re.compile(
    rf"(?P<code>{_CODE}) (?P<name>\S.*?) (?:\d{{4}} )?(?P<own>{_POINTS}) ?[:—–-] ?(?P<other>{_POINTS})"
    rf" (?:\d{{4}} )?(?P<second>\S.*?) (?P<second_code>{_CODE})"
)
_SIDE = r"(?:(?P<{0}_title>W?[GIFC]M|HGM) )?"
_BOARD = re.compile(
    r"(?:\d{1,2}[.)]? )?" + _SIDE.format("first") + r"(?P<first>[^\W\d_].*?)"
    r" (?:(?P<first_rating>\d{4}) )?"
    r"(?P<result>1 ?- ?0|0 ?- ?1|½ ?- ?½|1/2 ?- ?1/2|\+ ?(?:w/?o)? ?-|- ?(?:w/?o)? ?\+|- ?w/?o ?-|--)"
    r" (?:(?P<second_rating>\d{4}) )?" + _SIDE.format("second") + r"(?P<second>[^\W\d_].*?)"
)  # fmt: skip
_CODE_FIRST = re.compile(rf"({_CODE})\s*+(?>(?:[:=+]\s*+)?)({_POINTS})")
_POINTS_FIRST = re.compile(rf"({_POINTS})\s*+(?>(?:[:=]\s*+)?)({_CODE})")
_NEEDED = {"team", "code", "pts"}
_FIGURES = {"mp", "buch", "dsb", "dsmp"}
_LONGEST_LINE = 200
_MOST_LINES = 3_000  # read to recognise the layout


@dataclass
class ListedMatch:
    """A line with a match, and the boards below it.

    `line`: the number in the file. `groups`: the groups of `_MATCH`. `boards`: numbered lines with the groups
    of `_BOARD`.
    """

    line: int
    round: int | None
    day: str
    groups: Mapping[str, str]
    boards: list[tuple[int, Mapping[str, str]]] = field(default_factory=list)


def _match_in(line: str) -> Mapping[str, str] | None:
    found = _MATCH.fullmatch(" ".join(line.split())) if len(line) <= _LONGEST_LINE else None
    return found.groupdict() if found else None


def _board_in(line: str) -> Mapping[str, str] | None:
    found = _BOARD.fullmatch(" ".join(line.split())) if len(line) <= _LONGEST_LINE else None
    return {name: text or "" for name, text in found.groupdict().items()} if found else None


# --- rounds, board by board -------------------------------------------------------------------------------


class RoundPages:
    """The matches and boards in a text, with the titles above them."""

    def __init__(self, lines: Sequence[str], tally: ReadingTally) -> None:
        self.tally = tally
        self.matches: list[ListedMatch] = []
        self.titles: list[GridRow] = []
        self.findings: list[Finding] = []
        round_, day = None, ""
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            if title := round_of_title(line):
                round_, day = title
            elif groups := _match_in(line):
                self.matches.append(ListedMatch(number, round_, day, groups))
            elif self.matches and (board := _board_in(line)):
                self.matches[-1].boards.append((number, board))
            else:
                if self.matches:
                    tally.unread("lines", line.strip())
                else:
                    self.titles.append(GridRow(number, (line.strip(),)))
                continue
            tally.read("lines")

    def reading(self, findings: Sequence[Finding]) -> LayoutReading:
        outline = outline_of_titles(self.titles)
        of_site = [row for row in self.titles if "olimpbase" in row.cells[0].casefold()]
        count_titles(self.titles, (*outline.titles, *of_site), self.tally)
        if not any(each.round for each in self.matches):
            self.matches = [replace(each, round=1) for each in self.matches]
            text = (
                "The round number is missing, so this is read as the first round. Write “Round 3” above it."
            )
            self.findings.append(warning("no-round", Place(), text))
        boards = max((len(each.boards) for each in self.matches), default=0)
        outline = _with_site_facts(outline, str(boards or ""))
        return LayoutReading(
            tables=(self._teams(),),
            outline=outline,
            findings=(*findings, *self.findings),
            account=self.tally.account(),
            games=GameList(tuple(self._games())),
        )

    def _teams(self) -> MappedTable:
        fields = ("name", "code", "player", "player_title", "player_rating")
        rows: dict[str, list[FieldRow]] = {}
        players: set[tuple[str, str]] = set()
        for match in self.matches:
            sides = (("name", "code", "first"), ("second", "second_code", "second"))
            for name, code, side in sides:
                team = match.groups[name]
                own = rows.setdefault(team, [(match.line, {"name": team, "code": match.groups[code]})])
                for line, board in match.boards:
                    player = board[side]
                    if (team, player) not in players:
                        players.add((team, player))
                        title, rating = board[f"{side}_title"], board[f"{side}_rating"]
                        who = {"name": team, "player": player}
                        own.append((line, {**who, "player_title": title, "player_rating": rating}))
        return table_of_fields(COMPETITORS, fields, (row for team in rows.values() for row in team))

    def _games(self) -> Iterator[ListedGame]:
        tables: Counter[int | None] = Counter()
        for match in self.matches:
            tables[match.round] += 1
            first, second = ListedSide(match.groups["name"]), ListedSide(match.groups["second"])
            listed = ListedGame(line=match.line, round=match.round, first=first, second=second)
            score = f"{match.groups['own']}-{match.groups['other']}"
            yield replace(listed, date=match.day, table=tables[match.round], result=score)
            for number, (line, board) in enumerate(match.boards, start=1):
                yield replace(
                    listed,
                    line=line,
                    board=number,
                    first=first._replace(player=board["first"]),
                    second=second._replace(player=board["second"]),
                    result=re.sub(r"\s|w/?o", "", board["result"]),
                )


def _with_site_facts(outline: EventOutline, boards: str) -> EventOutline:
    where = "OlimpBase's tables"
    facts = {
        "entrants": "teams",
        "boards": boards,
        "discipline": "chess",
        "scoring": "1-½-0",
        "published": "OlimpBase",
    }
    return outline.with_facts(facts, where)


# --- final tables -----------------------------------------------------------------------------------------


def _final_tables(file: LayoutFile) -> list[HeadedTable]:
    found = ((table, table.heading) for table in file.tables)
    return [table for table, heading in found if heading and set(map(word_of, heading.cells)) >= _NEEDED]


def _with_row_numbers(table: HeadedTable) -> HeadedTable:
    assert table.heading  # noqa: S101 - only tables with a heading are of this layout
    words = list(map(word_of, table.heading.cells))
    code = words.index("code")
    rows_of = {row.cell(code): at for at, row in enumerate(table.rows, start=1)}
    rounds = [at for at, word in enumerate(words) if word.isdecimal()]
    rows = tuple(
        GridRow(
            row.number,
            tuple(_cell_by_row(text, rows_of) if at in rounds else text for at, text in enumerate(row.cells)),
        )
        for row in table.rows
    )
    return replace(table, rows=rows)


def _cell_by_row(text: str, rows_of: Mapping[str, int]) -> str:
    if found := _CODE_FIRST.fullmatch(text):
        return f"{rows_of[found[1]]}:{found[2]}" if found[1] in rows_of else text
    if found := _POINTS_FIRST.fullmatch(text):
        return f"{rows_of[found[2]]}:{found[1]}" if found[2] in rows_of else text
    return text


def _boards_of_matches(tables: Sequence[HeadedTable]) -> Iterator[str]:
    for table in tables:
        if not table.heading:
            continue
        columns = [at for at, cell in enumerate(table.heading.cells) if word_of(cell).isdecimal()]
        if len(columns) < len(table.rows):
            continue
        for first, row in enumerate(table.rows):
            for second, other in enumerate(table.rows[:first]):
                cells = row.cell(columns[second]), other.cell(columns[first])
                if all(re.fullmatch(_POINTS, each) for each in cells):
                    both = sum(half_points_or_none(each) or 0 for each in cells)
                    if both and both % 2 == 0:
                        yield str(both // 2)


# --- the layout -------------------------------------------------------------------------------------------


def recognise_olimpbase(file: LayoutFile) -> Signs:
    named = (
        ("“OlimpBase” in the text",) if "olimpbase" in (file.text[:20_000] or around(file)).casefold() else ()
    )
    for table in _final_tables(file):
        words = {word_of(cell) for cell in (table.heading.cells if table.heading else ())}
        figures = sorted(_FIGURES & words)
        return (*named, "the headings team, code, pts", *(f"the heading {each}" for each in figures[:1]))
    lines = list(enumerate(file.lines[:_MOST_LINES], start=1))
    match = next((at for at, line in lines if _match_in(line)), 0)
    board = next((at for at, line in lines if at > match and _board_in(line)), 0)
    if not (match and (board or named)):
        return ()
    return (
        *named,
        f"a match between two codes in line {match}",
        *([f"a board in line {board}"] if board else []),
    )


def read_olimpbase(file: LayoutFile) -> LayoutReading:
    if _final_tables(file):
        finals = {id(each) for each in _final_tables(file)}
        tables = tuple(_with_row_numbers(each) if id(each) in finals else each for each in file.tables)
        found = crosstable_reading(file, more={"mp": "figure", "buch": "figure"}, changed=tables)
        boards = next(iter(_boards_of_matches(tables)), "")
        return replace(found, outline=_with_site_facts(found.outline, boards))
    return RoundPages(file.lines, ReadingTally()).reading(file.text_findings)


OLIMPBASE = Layout(
    code="olimpbase",
    name="OlimpBase: team events, final tables and rounds board by board",
    endings=(".txt", ".html", ".csv"),
    recognise=recognise_olimpbase,
    read=read_olimpbase,
)

"""chess-results.com: pairings of rounds, by board of players, by team, and board by board of teams.

    1. Round on 2019/02/03 at 14:00
    Bo.;No.;;White;Rtg;Pts.;Result;Pts.;;Black;Rtg;No.
    1;4;IM;Arends, Bo;2400;0;1 - 0;0;;Brill, Cas;2100;9
    No.;Team;Team;Res.;:;Res.
    1;Reds A;Blues A;2½;:;1½

The columns left and right of the result are the two sides, mirrored: the name is the text column next to
the result, the start number the number farthest from it. A file may have several rounds, each with its own
heading. In pairings of teams board by board, the heading of a match names both teams.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tournaments.event.dates import iso_date
from tournaments.event.finding import Finding, Place, warning
from tournaments.event.resultcodes import half_points_or_none
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.chess_results import is_of_site, without_site
from tournaments.interchange.formats.layouts.layout import (
    FieldRow,
    Layout,
    LayoutFile,
    LayoutReading,
    table_of_fields,
)
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.layouts.titles import count_titles, outline_of_titles
from tournaments.interchange.formats.tables.grid import Grid, GridRow
from tournaments.interchange.formats.tables.heading_words import MEANINGS, TEAM, word_of
from tournaments.interchange.formats.tables.headings import COMPETITORS
from tournaments.interchange.formats.tables.html import grids_of_page
from tournaments.interchange.formats.tables.listed_games import (
    NO_SCORES,
    GameList,
    ListedGame,
    ListedSide,
    NumberOrText,
    SideScores,
    number_or_text,
)

_ROUND = "round|runde|ronde|ronda|turno|tur|runda|rodada|rond|kolo|forduló|omgang|тур|коло|rd"
_OF_ROUND = re.compile(
    r"(?>(?:(?:paarung|pairing|indeling|emparejamiento|appariement)\w*+\s++(?:(?:der|of|van|de|la|the)\s++)*)?)"
    rf"(?:(\d{{1,2}})\s*+(?>(?:\.\s*+)?)(?:{_ROUND})|(?:{_ROUND})\.?\s*+(\d{{1,2}}))\b(.*)",
    re.IGNORECASE,
)
_DASHES = str.maketrans("–—−", "---")
_BOTH_LOST = re.compile(r"-\s+-\s+-|-\s*:\s*-")
_DAY = re.compile(r"\d{4}[/.-]\d{1,2}[/.-]\d{1,2}|\d{1,2}([./-])\s?\d{1,2}\1\s?\d{4}")
_TIME = re.compile(r"\b([01]?\d|2[0-3])[:.]([0-5]\d)(?![.\d])")
_BOARD = re.compile(r"(\d{1,3})\.(\d{1,2})")
_SCORES = re.compile(r"\s*([^\s:]++)\s*+:\s*+([^\s:]++)\s*")  # of a match in a single column
_NUMBERED = re.compile(r"(.*\S) ?\((\d{1,4})\)")  # Arends, Bo (2)
_MARKED = re.compile(r"(?<!\s)\s*+(?<!\*)\*++\)\s*+$")  # Uzbekistan *), with a note below the table
_BYES = {
    "bye": "bye", "spielfrei": "bye", "vrij": "bye", "exempt": "bye", "descansa": "bye", "riposo": "bye",
    "bye bye": "bye", "libre": "bye", "isento": "bye", "pauza": "bye", "wolny los": "bye", "volný los": "bye",
    "volno": "bye", "bay": "bye", "frirond": "bye", "erőnyerő": "bye", "свободен": "bye", "выходной": "bye",
    "not paired": "absent", "nicht ausgelost": "absent", "niet gepaard": "absent", "no emparejado": "absent",
    "non apparié": "absent", "non abbinato": "absent", "не играет": "absent",
}  # fmt: skip
_VACANT = {"brett nicht besetzt", "board not occupied", "not occupied", "nicht besetzt", "no player", ""}
# by half-points; a game of draughts has 4
_OFF_BY_POINTS = {4: "bye", 2: "bye", 1: "half-bye", 0: "absent"}
_NOTHING_FOR_NOBODY = re.compile(r"(?<=\S)\s*[-:]\s*[0-]?$")
_ALONE = {"+": "+-"}
_OTHER = {"first": "second", "second": "first"}
_IN_TABLE = re.compile(
    r"<table>\s*<tr>\s*<td>\s*<div class=\"Farbe([ws])T?\">\s*</div>\s*</td>\s*"
    r"<td[^>]{0,80}>(.{0,400}?)</td>\s*</tr>\s*</table>",
    re.IGNORECASE,
)

_ENTRANTS = ("number", "name", "code", "title", "rating", "player", "player_title", "player_rating")


_FEWEST_COLUMNS = 5
_SIDES = 2
_MATCH_RESULT = re.compile(r"\d*[½.,]?\d?\s*:\s*\d*[½.,]?\d?")


PairingSide = dict[str, int]  # the columns of a side by field, from 0


@dataclass(frozen=True, slots=True)
class PairingHeading:
    """A heading of pairings.

    `scores`: the columns between the sides. `table`: the column of the table number.
    """

    sides: tuple[PairingSide, PairingSide]
    scores: tuple[int, ...]
    table: int | None = None


def heading_of(row: GridRow) -> PairingHeading | None:
    fields = [set(MEANINGS.get(word_of(cell), ())) for cell in row.cells]
    scores = [at for at, each in enumerate(fields) if "result" in each]
    names = [at for at, each in enumerate(fields) if each & {"name", "first", "second"}]
    if any("round" in each for each in fields):
        return None  # a list of the results of all rounds
    if not scores or len(row.cells) < _FEWEST_COLUMNS or len(scores) > 2:
        return None
    numbers = [at for at, each in enumerate(fields) if each & {"number", "board", "table"}]
    table = 0 if names and 0 in numbers and names[0] else None
    # The columns of the left side end before `stop`; those of the right side begin at `start`.
    stop, start, end = scores[0], scores[-1] + 1, len(row.cells)
    if len(names) == _SIDES and names[-1] < scores[0]:
        # The result follows both sides, with a dash between these, or both are teams.
        between = [at for at in range(*names) if row.cell(at).strip() in {*"-–—"}]
        if len(between) == 1:
            stop = start = between[0] + 1
        elif all(word_of(row.cell(at)) in TEAM for at in names):
            stop = start = _start_of_second(row, names, numbers)
        end = scores[0]
    left, right = [at for at in names if at < stop], [at for at in names if at >= start]
    if not (left and right):
        return None
    sides = (
        _columns_of_side(row, fields, left[-1], range(1 if table == 0 else 0, stop), left[:-1]),
        _columns_of_side(row, fields, right[0], range(start, end), right[1:]),
    )
    return PairingHeading(sides, tuple(scores), table)


def _start_of_second(row: GridRow, names: list[int], numbers: list[int]) -> int:
    between = [at for at in range(*names) if at in numbers]
    is_repeated = any(0 < at < names[0] for at in numbers)  # not mirrored: the number precedes each name
    if len(between) == _SIDES or (between and is_repeated):
        return between[-1]
    return names[1] - (row.cell(names[1] - 1) == "")


def _columns_of_side(
    row: GridRow, fields: list[set[str]], name: int, columns: range, further: list[int]
) -> PairingSide:
    def found(what: str) -> int | None:
        return next((at for at in columns if what in fields[at] and at != name), None)

    # The title is in the column without a heading before the name.
    bare = name - 1 if name - 1 in columns and not row.cell(name - 1) else found("title")
    code = found("code")
    code = further[0] if code is None and further else code
    side = {"name": name, "number": found("number"), "code": code, "title": bare, "rating": found("rating")}
    return {field: at for field, at in side.items() if at is not None}


def match_heading_of(row: GridRow) -> PairingHeading | None:
    """Return the columns of a match heading, `Br. | 1 | Absam | Elo | - | 5 | Telfs | Elo | 1½:2½`."""
    cells = [cell.strip() for cell in row.cells]
    # A link to the games may follow the result.
    while cells and cells[-1].casefold() in {"", "pgn"}:
        cells.pop()
    dashes = [at for at, cell in enumerate(cells) if cell in {*"-–—"}]
    is_headed = len(cells) >= _FEWEST_COLUMNS and "board" in MEANINGS.get(word_of(cells[0]), ())
    if not (is_headed and len(dashes) == 1 and _MATCH_RESULT.fullmatch(cells[-1])):
        return None
    fields = [set(MEANINGS.get(word_of(cell), ())) for cell in cells]
    sides = []
    for columns in (range(1, dashes[0]), range(dashes[0] + 1, len(cells) - 1)):
        number = next((at for at in columns if cells[at].isdecimal()), None)
        names = [at for at in columns if cells[at] and at != number and "rating" not in fields[at]]
        if not names:
            return None
        rating = next((at for at in columns if "rating" in fields[at]), None)
        side = {"name": names[0], "number": number, "rating": rating}
        sides.append({field: at for field, at in side.items() if at is not None})
    return PairingHeading((sides[0], sides[1]), (len(cells) - 1,), 0)


@dataclass
class PairingList:
    """Collects the games and the competitors of a list of pairings.

    `match`: the index of the match whose boards follow, and the heading of their columns.
    """

    tally: ReadingTally
    are_numbered: bool = False  # with numbers after the names
    games: list[ListedGame] = field(default_factory=list)
    entrants: dict[tuple[str, str, str], FieldRow] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    titles: list[GridRow] = field(default_factory=list)
    round: int = 0
    day: str = ""
    time: str = ""
    heading: PairingHeading | None = None
    match: tuple[int, PairingHeading] | None = None
    is_team: bool = False
    tables: int = 0

    def take(self, row: GridRow) -> None:
        filled = [cell for cell in row.cells if cell]
        if not filled:
            if len(row.cells) > 1:
                self.tally.read("lines")  # a line of separators
            return
        if self._is_of_round(filled):
            self.tally.read("lines")
        elif heading := heading_of(row):
            if heading != self.heading:
                self._count_columns(row, heading)
            self.heading, self.match = heading, None
            self.is_team |= any(word_of(row.cell(side["name"])) in TEAM for side in heading.sides)
            self.tally.read("lines")
        elif match := match_heading_of(row):
            self._take_match(row, match)
        elif self.match and (board := _BOARD.fullmatch(row.cell(0))):
            self._take_board(row, int(board[2]), *self.match)
        elif self.heading and self._are_paired(row, self.heading):
            self._take_pairing(row, self.heading)
        else:
            self.titles.append(row)

    def _are_paired(self, row: GridRow, heading: PairingHeading) -> bool:
        cells = [row.cell(side["name"]) for side in heading.sides]
        return all(cells) or (any(cells) and row.cell(heading.scores[0]).casefold() in _BYES)

    def _count_columns(self, row: GridRow, heading: PairingHeading) -> None:
        read = {heading.table, *heading.scores, *(at for side in heading.sides for at in side.values())}
        for at, label in enumerate(row.cells):
            if at in read:
                self.tally.read("columns")
            elif label.strip(" :"):
                self.tally.unread("columns", label)

    def _is_of_round(self, filled: list[str]) -> bool:
        found = _OF_ROUND.match(filled[0]) if len(filled) <= 2 else None
        if found is None:
            return False
        self.round, self.tables = int(found[1] or found[2]), 0
        text = " ".join(filled)
        day = _DAY.search(text)
        self.day = iso_date(day[0], "dmy") if day else ""
        time = _TIME.search(_DAY.sub("", text)) if self.day else None
        self.time = f"{int(time[1]):02}:{time[2]}" if time else ""
        return True

    def _take_pairing(self, row: GridRow, heading: PairingHeading) -> None:
        self.tables += 1
        table = row.cell(heading.table) if heading.table is not None else ""
        scores = [row.cell(at).strip().translate(_DASHES) for at in heading.scores]
        self._add(self._game(row, heading, number_or_text(table if table.isdecimal() else ""), scores))

    def _game(
        self, row: GridRow, heading: PairingHeading, table: NumberOrText, scores: list[str]
    ) -> ListedGame:
        first, second = self._sides(row, heading)
        if self.is_team and len(scores) == 1 and (found := _SCORES.fullmatch(scores[0])):
            scores = list(found.groups())
        if first.name.casefold() in _BYES:
            first, second, scores = second, first, scores[::-1]
        if scores[:1] and scores[0].casefold() in _BYES:  # in the column of results
            first, second, scores = first if first.name else second, ListedSide(scores[0]), []
        bye_kind = _BYES.get(second.name.casefold())
        kind = result = ""
        own = NO_SCORES
        if bye_kind:
            text = scores[0] if scores else ""
            points = half_points_or_none(text) if self.is_team else None
            if points:
                kind, own = "bye", SideScores(points)
            else:
                kind, result = _kind_or_result_of_round_off(text, bye_kind)
            second = ListedSide()
        elif len(scores) == 2:
            # 0:0 is printed for a match to be played.
            is_open = not all(scores) or (self.is_team and scores == ["0", "0"])
            result = "" if is_open else f"{scores[0]} - {scores[1]}"
        elif scores:
            result = _ALONE.get(scores[0], scores[0])
        # Two dashes around a third dash or a colon are a double forfeit; a single dash is a game to be
        # played.
        if not bye_kind and not result.strip(" -:") and not _BOTH_LOST.fullmatch(result):
            kind, result = "pending", ""
        return ListedGame(
            line=row.number, round=self.round or 1, date=self.day, time=self.time,
            table=self.tables if table is None else table, first=first, second=second, kind=kind,
            result=result, scores=own,
        )  # fmt: skip

    def _sides(self, row: GridRow, heading: PairingHeading) -> list[ListedSide]:
        sides = []
        for side in heading.sides:
            name = _MARKED.sub("", row.cell(side["name"]))
            name = name.strip("( )") if name.strip("( )").casefold() in _BYES else name
            number = row.cell(side["number"]).rstrip(". ") if "number" in side else ""
            number = number if number.isdecimal() else ""
            if self.are_numbered and (found := _NUMBERED.fullmatch(name)):
                name, number = found.groups()
            sides.append(ListedSide(name, number))
            if name.casefold() not in _BYES:
                who = {each: row.cell(at) for each, at in side.items()} | {"number": number, "name": name}
                self.entrants.setdefault((number, name, ""), (row.number, who))
        return sides

    def _add(self, game: ListedGame) -> None:
        self.games.append(game)
        self.tally.read("lines")

    # --- boards of a match --------------------------------------------------------------------------------

    def _take_match(self, row: GridRow, heading: PairingHeading) -> None:
        self.tables += 1
        first, second = (
            {each: at for each, at in side.items() if each != "rating"} for side in heading.sides
        )
        scores = [each.strip() for each in row.cell(heading.scores[0]).split(":")]
        # The 0:0 of a match to be played becomes a result if a board has one.
        self.heading, self.match, self.is_team = None, (len(self.games), heading), True
        self._add(self._game(row, replace(heading, sides=(first, second)), None, scores))

    def _take_board(self, row: GridRow, board: int, match_at: int, heading: PairingHeading) -> None:
        match = self.games[match_at]
        names = [row.cell(side["name"]) for side in heading.sides]
        result = row.cell(heading.scores[0])
        if all(_name_and_colour(each)[0].casefold() in _VACANT for each in names) and not result.strip(" -:"):
            self.tally.read("lines")
            return
        sides, white = list[ListedSide](), ""
        for (key, team), side, text in zip(match.sides.items(), heading.sides, names, strict=True):
            name, colour = _name_and_colour(text)
            if name.casefold() in _VACANT:
                sides.append(team)
                continue
            sides.append(team._replace(player=name))
            title, rating = row.cell(side.get("number", 0)), row.cell(side.get("rating", 0))
            title = title if title.isalpha() else ""
            who = {"name": team.name, "player": name, "player_title": title, "player_rating": rating}
            self.entrants.setdefault(("", team.name, name), (row.number, who))
            if colour:
                white = key if colour == "w" else _OTHER[key]
        is_open = not result.strip(" :") or result.strip() == "-"
        if not is_open and match.kind == "pending":
            self.games[match_at] = replace(match, kind="", result="0 - 0")
        kind, result = ("pending", "") if is_open else ("", _ALONE.get(result, result))
        self._add(
            replace(
                match, line=row.number, board=board, date="", first=sides[0], second=sides[1], white=white,
                kind=kind, result=result,
            )
        )  # fmt: skip


def _kind_or_result_of_round_off(text: str, bye_kind: str) -> tuple[str, str]:
    # Other texts remain a result, which the reader of results reports with its place.
    own = _NOTHING_FOR_NOBODY.sub("", text)
    if own in {"", "+", "-"}:
        return ("bye" if own == "+" else bye_kind), ""
    points = half_points_or_none(own)
    kind = None if points is None else _OFF_BY_POINTS.get(points)
    return (kind, "") if kind else ("", text)


def _name_and_colour(text: str) -> tuple[str, str]:
    found = re.fullmatch(r"\[([ws])\]\s*+(.*)", text)
    return (found[2], found[1]) if found else (text, "")


# --- the layout -------------------------------------------------------------------------------------------


def _grids_with_colours(file: LayoutFile) -> tuple[Sequence[Grid], Sequence[Finding]]:
    text, unwrapped = _IN_TABLE.subn(r"[\1] \2", file.text)
    return grids_of_page(text) if unwrapped else (file.grids, file.grid_findings)


def recognise_chess_results_pairings(file: LayoutFile) -> Iterator[str]:
    grids, _ = _grids_with_colours(file)
    rows = [row for grid in grids for row in grid.rows]
    heads = [row for row in rows if heading_of(row) or match_heading_of(row)]
    if not heads:
        return
    yield f"a heading with two sides around the result in row {heads[0].number}"
    for row in rows:
        filled = [cell for cell in row.cells if cell]
        if 0 < len(filled) <= 2 and _OF_ROUND.match(filled[0]):
            yield f"a round named in row {row.number}"
            break
    if is_of_site(file):
        yield "“chess-results” in it"


def read_chess_results_pairings(file: LayoutFile, *, are_numbered: bool = False) -> LayoutReading:
    found = PairingList(ReadingTally(), are_numbered)
    grids, findings = _grids_with_colours(file)
    for grid in grids:
        for row in grid.rows:
            found.take(row)
    outline = _with_days(without_site(outline_of_titles(found.titles), file), found)
    count_titles(found.titles, outline.titles, found.tally)
    if not found.round and found.games:
        text = "No round is named above the pairings: they are taken for round 1. Write “Round 3” above them."
        found.findings.append(warning("no-round-named", Place(), text))
    outline = outline.completed_by(_outline_of_sides(found))
    entrants = list(found.entrants.values())
    # Empty columns would be taken for columns of teams.
    filled = [each for each in _ENTRANTS if any(row.get(each) for _, row in entrants)]
    return LayoutReading(
        tables=(table_of_fields(COMPETITORS, filled, entrants),),
        outline=outline,
        findings=(*findings, *found.findings),
        account=found.tally.account(),
        games=GameList.with_used_columns(found.games),
    )


def _outline_of_sides(found: PairingList) -> EventOutline:
    outline = EventOutline()
    is_team = found.is_team or any(each.board is not None for each in found.games)
    outline = outline.with_fact("entrants", "teams" if is_team else "players", "the headings of the pairings")
    results = [each.result for each in found.games if each.board is None]
    sums = [
        sum(filter(None, map(half_points_or_none, " ".join(each.split()).split(" - ")))) for each in results
    ]
    most, rest = divmod(max(sums, default=0), 2)
    if is_team:
        # The points of matches would be taken for those of games. A board in chess gives a point.
        outline = outline.with_fact("scoring", "1-½-0", "usual on the site")
    if is_team and most and not rest:
        outline = outline.with_fact("boards", str(most), "the most points of both sides of a match")
    return outline


def _with_days(outline: EventOutline, found: PairingList) -> EventOutline:
    days = sorted({each.date for each in found.games if each.date})
    if not days or len(outline.start) > len("2019"):
        return outline
    dated = EventOutline().with_fact("start", days[0], "the first round")
    return dated.with_fact("end", days[-1], "the last round").completed_by(outline)


CHESS_RESULTS_PAIRINGS = Layout(
    code="chess-results-pairings",
    name="chess-results.com: pairings by board or by team",
    endings=(".html", ".htm", ".csv", ".xlsx", ".txt"),
    recognise=recognise_chess_results_pairings,
    read=read_chess_results_pairings,
)

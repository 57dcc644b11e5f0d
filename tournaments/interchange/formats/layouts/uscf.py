"""The cross table of the US Chess Federation: two lines for each player, with vertical bars.

The first line has number, name, points and a cell for each round (`W 39`, `H`); the second has state, USCF
id and ratings before and after, then the colours. A third line may have ratings of another kind.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tournaments.event.finding import Finding, Place, warning
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.layout import (
    Layout,
    LayoutFile,
    LayoutReading,
    Signs,
    table_of_rows,
)
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.layouts.titles import count_titles, outline_of_titles
from tournaments.interchange.formats.tables.grid import GridRow
from tournaments.interchange.formats.tables.groups import chosen_part
from tournaments.interchange.formats.tables.headings import CROSSTABLE

_HEADING = re.compile(r"(?>.*?pair\b)(?>.*?\|)(?>.*?player)(?>.*?\|)", re.IGNORECASE)
_SECOND_HEADING = re.compile(r"(?>.*?num\b)(?>.*?\|)(?>.*?(?:uscf|pts))(?>.*?\|)", re.IGNORECASE)
_RULE = re.compile(r"[-=_+| ]+")
_CELL = re.compile(r"([WLDXFBHUZNSR])\s*(\d{0,5})", re.IGNORECASE)
_RATINGS = re.compile(
    r"(?:(?P<id>\d{5,10})\s*+(?>(?:/\s*+)?))?(?P<kind>[RQB])\s*+:\s*+(?P<before>\d{1,4}|unr\w*+\.?)?\s*+(?P<games>P\d++)?"
    r"\s*+-++>\s*+(?P<after>\d{1,4}|unr\w*+\.?)?\s*+(?P<after_games>P\d++)?",
    re.IGNORECASE,
)
# results by letter; N, S and R are unrated games
_RESULTS = {"W": "w", "L": "l", "D": "d", "N": "w", "S": "l", "R": "d"}

_FORFEITS = {"X": "+", "F": "-"}
_ALONE = {"B": "bye", "H": "½bye", "Z": "0bye", "U": "–", "X": "bye", "F": "–"}
_ID = re.compile(r"(?<!\s)\s*+\(\d{6,14}\)\s*+$")
_OF_THE_SITE = re.compile(r"us chess federation|uscf|united states chess|msa\b", re.IGNORECASE)
_MOST_ROUNDS = 30
_MOST_LINES = 4  # of a player: also ratings of quick and blitz games


@dataclass
class UscfPlayer:
    """A player. `lines`: the numbered lines about the player, split into cells."""

    number: int
    lines: list[tuple[int, list[str]]] = field(default_factory=list)


@dataclass
class UscfSection:
    """A section: its title and players."""

    titles: list[GridRow] = field(default_factory=list)
    players: list[UscfPlayer] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the last line before the table, which names the section if there are several."""
        return self.titles[-1].cells[0] if self.titles else "without a name"


def _stroked_cells(line: str) -> list[str]:
    cells = [each.strip() for each in line.split("|")]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _sections(lines: Sequence[str], tally: ReadingTally) -> list[UscfSection]:
    sections, texts = list[UscfSection](), list[GridRow]()
    for number, line in enumerate(lines, start=1):
        cells = _stroked_cells(line)
        is_heading = _HEADING.match(line) or _SECOND_HEADING.match(line)
        is_numbered = len(cells) > 2 and cells[0].isdecimal() and len(cells[0]) < 6
        if is_heading or (line.strip() and _RULE.fullmatch(line)):
            tally.read("lines")
        elif is_numbered and any(map(str.isalpha, cells[1])):
            player = UscfPlayer(int(cells[0]), [(number, cells)])
            if not sections or player.number <= sections[-1].players[-1].number:
                sections.append(UscfSection(texts))
                texts = []
            sections[-1].players.append(player)
        elif sections and "|" in line and len(sections[-1].players[-1].lines) < _MOST_LINES:
            sections[-1].players[-1].lines.append((number, cells))
        elif line.strip():
            texts.append(GridRow(number, (line.strip(),)))
    for row in texts:  # after the last table, or on a page without tables
        tally.unread("lines", row.cells[0])
    return sections


# --- players ----------------------------------------------------------------------------------------------


def _rating_changes(player: UscfPlayer) -> list[re.Match[str]]:
    texts = (cells[1] for _, cells in player.lines[1:] if len(cells) > 1)
    return [found for text in texts if (found := _RATINGS.search(text))]


def _crosstable_cell(text: str, colour: str) -> str:
    found = _CELL.fullmatch(text)
    if not found:
        return text
    letter, opponent = found[1].upper(), found[2].lstrip("0")
    if not opponent:
        return _ALONE.get(letter, text)
    side = {"W": "w", "B": "b"}.get(colour.upper(), "")
    if letter in _FORFEITS:
        return f"{opponent}{side}{_FORFEITS[letter]}"
    return f"{_RESULTS[letter]}{opponent}{side}" if letter in _RESULTS else text


def _row_of_player(player: UscfPlayer, rounds: int, tally: ReadingTally) -> GridRow:
    number, first = player.lines[0]
    second = player.lines[1][1] if len(player.lines) > 1 else []
    changes = _rating_changes(player)
    regular = (each for each in changes if each["kind"].upper() == "R")
    ratings = next(regular, next(iter(changes), None))
    rating = ratings["before"] if ratings and (ratings["before"] or "").isdecimal() else ""
    results = [*first[3:], *[""] * rounds][:rounds]
    colours = [*second[3:], *[""] * rounds][:rounds]
    cells = [_crosstable_cell(text, colour) for text, colour in zip(results, colours, strict=True)]
    for text, colour in zip(results, colours, strict=True):
        if colour and not text:
            tally.unread("cells", colour)
    tally.read("lines", len(player.lines))
    state = second[0] if second else ""
    return GridRow(number, (first[0], first[1], first[2], rating, state, *cells))


# --- the layout -------------------------------------------------------------------------------------------


def recognise_uscf(file: LayoutFile) -> Signs:
    head = file.lines[:400]
    heading = next((at for at, line in enumerate(head, start=1) if _HEADING.match(line)), 0)
    second = next((at for at, line in enumerate(head, start=1) if _SECOND_HEADING.match(line)), 0)
    ratings = next((at for at, line in enumerate(head, start=1) if "|" in line and _RATINGS.search(line)), 0)
    if not (second or (heading and ratings)):
        return ()
    signs = [f"the heading “Pair | Player Name” in line {heading}"] if heading else []
    signs += [f"a second heading from “Num” on in line {second}"] if second else []
    return (*signs, f"a USCF id with ratings before and after in line {ratings}") if ratings else tuple(signs)


def read_uscf(file: LayoutFile) -> LayoutReading:
    tally = ReadingTally()
    sections = _sections(file.lines, tally)
    sizes = [len(each.players) for each in sections]
    at, findings = chosen_part([each.name for each in sections], sizes, file.options.part, "players")
    for index, each in enumerate(sections):
        if index != at:
            for row in each.titles:
                tally.unread("lines", row.cells[0])
            for player in each.players:
                for _, cells in player.lines:
                    tally.unread("lines", " | ".join(cells))
    if at is None:
        return LayoutReading(findings=(*file.text_findings, *findings), account=tally.account())
    section = sections[at]
    widths = [len(each.lines[0][1]) - 3 for each in section.players]
    rounds = min(max(widths), _MOST_ROUNDS)
    rows = [_row_of_player(each, rounds, tally) for each in section.players]
    fields = (
        "number",
        "name",
        "points",
        "rating",
        "city",
        *(f"round:{each}" for each in range(1, rounds + 1)),
    )
    outline = _outline(section, tally)
    all_findings = (*file.text_findings, *findings, *_forfeits_alone(section))
    table = table_of_rows(CROSSTABLE, fields, rows)
    return LayoutReading(tables=(table,), outline=outline, findings=all_findings, account=tally.account())


def _outline(section: UscfSection, tally: ReadingTally) -> EventOutline:
    of_site = [row for row in section.titles if _OF_THE_SITE.match(row.cells[0])]
    others = [row for row in section.titles if row not in of_site]
    # Lines with a key first, because another line above them may look like the name.
    outline = outline_of_titles(sorted(others, key=lambda row: ":" not in row.cells[0]))
    count_titles(section.titles, (*outline.titles, *of_site), tally)
    name, arbiter = (_ID.sub("", each) for each in (outline.name, outline.chief_arbiter))
    outline = replace(outline, name=name, chief_arbiter=arbiter)
    outline = outline.with_facts({"discipline": "chess", "scoring": "1-½-0"}, "the USCF's table")
    lines = []
    for player in section.players:
        found = _rating_changes(player)
        uscf_id = next((each["id"] for each in found if each["id"]), "")
        texts = [
            f"{each['kind'].upper()} {each['before'] or '–'}{each['games'] or ''} → {each['after'] or '–'}"
            f"{each['after_games'] or ''}"
            for each in found
        ]
        second = player.lines[1][1] if len(player.lines) > 1 else []
        texts += [each for each in second[2:3] if each]  # N:2, a norm of the federation
        if uscf_id or texts:
            lines.append(
                ", ".join(filter(None, (f"{player.number} {player.lines[0][1][1]}: {uscf_id}", *texts)))
            )
    notes = "\n".join(("Number, name, USCF id, ratings before and after:", *lines)) if lines else ""
    return outline.with_fact("notes", notes, "the second line of each player")


def _forfeits_alone(section: UscfSection) -> tuple[Finding, ...]:
    found = [
        (number, cells[1])
        for player in section.players
        for number, cells in player.lines[:1]
        if any(each.upper() == "X" for each in cells[3:])
    ]
    if not found:
        return ()
    number, name = found[0]
    text = (
        f"Forfeit wins without a named opponent: {len(found)}, such as that of {name}. They are read as "
        "byes, which give the same points."
    )
    return (warning("forfeit-alone", Place(f"row {number}"), text),)


USCF = Layout(
    code="uscf",
    name="the US Chess Federation's cross table, two lines a player",
    endings=(".txt",),
    recognise=recognise_uscf,
    read=read_uscf,
)

"""Records of competitors: `001` of players, `013` and `310` of teams."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from tournaments.event.finding import Place, warning
from tournaments.event.values import LARGEST
from tournaments.interchange.formats.log import Log, read_title
from tournaments.interchange.formats.trf.cells import (
    FIRST_COLUMN,
    FORFEITS,
    WIDTH,
    RoundCell,
    read_round_cell,
)
from tournaments.interchange.formats.trf.report_lines import ReportLine, columns, reported_half_points, whole

# the titles of older files, in lower case; an upper-case M is not a title
TITLES = {"g": "GM", "m": "IM", "f": "FM", "c": "CM", "wg": "WGM", "wm": "WIM", "wf": "WFM", "wc": "WCM"}

MOST_ROUNDS = 1000
_LARGEST_RATING = 9999
_WIDE_BIRTH = re.compile(r"[0-9]{2}\. [0-9]{2}\. [0-9]{4}")  # two columns wider than the field
_TEAM = re.compile(
    r"(?P<nickname>\S{1,8})? +(?:(?P<strength>[0-9]+) +)?(?P<mp>[0-9.]+) +(?P<gp>[0-9.]+) +(?P<rank>[0-9]+)"
    r"(?P<players>(?: +[0-9]+)*)"
)


@dataclass(slots=True)
class PlayerRecord:
    """A `001` record."""

    line: ReportLine
    number: int
    name: str
    title: str
    rating: int | None
    federation: str
    fide_id: str
    points: int | None
    rank: int | None
    cells: list[RoundCell | None]
    sex: str
    born: str

    @property
    def has_game(self) -> bool:
        return any(each and (each.opponent or each.code in FORFEITS) for each in self.cells)

    def at(self, round_: int) -> RoundCell | None:
        return self.cells[round_] if round_ < len(self.cells) else None


@dataclass(slots=True)
class TeamRecord:
    """A `013` or `310` record."""

    line: ReportLine
    number: int
    name: str
    nickname: str = ""
    strength: str = ""
    match_points: int | None = None
    game_points: int | None = None
    rank: int | None = None
    players: list[int] = field(default_factory=list)


AnyRecord = TypeVar("AnyRecord", PlayerRecord, TeamRecord)


def by_number(records: Iterable[AnyRecord | None], log: Log) -> dict[int, AnyRecord]:
    found: dict[int, AnyRecord] = {}
    for each in filter(None, records):
        if (other := found.setdefault(each.number, each)) is not each:
            text = f"Number {each.number} is already in line {other.line.number}. Change one of the two."
            log.add("number-twice", each.line.place, text)
    return found


def player_record(line: ReportLine, log: Log) -> PlayerRecord | None:
    """Return the player, None with a finding if the record has no start number."""
    text = line.text
    if not (number := _number_in_columns(line, 8, "start", log)):
        return None
    title, name = columns(text, 11, 13), columns(text, 15, 47)
    if not name:
        name = f"No. {number}"
        missing = f"The name is missing; “{name}” is used. The name belongs in columns 15 to 47."
        log.findings.append(warning("empty-text", line.place, missing))
    # `17. 05. 2022` exceeds its columns by the blank and the first column of the points.
    wide = _WIDE_BIRTH.match(text, 69)
    return PlayerRecord(
        line=line,
        number=number,
        name=name,
        title=read_title(TITLES.get(title, title), line.place, log.findings),
        rating=_rating_of_line(line, log),
        federation=columns(text, 54, 56),
        fide_id=columns(text, 58, 68),
        points=reported_half_points(text[81:84] if wide else text[80:84]),
        rank=whole(text[85:89]),
        cells=_cells_of_line(line, log),
        sex=text[9:10].strip(),
        born=wide.group() if wide else columns(text, 70, 79),
    )


def _number_in_columns(line: ReportLine, last: int, what: str, log: Log) -> int | None:
    number = whole(line.text[4:last])
    if not number:
        text = f"“{line.text[4:last]}” is not a {what} number. It belongs in columns 5 to {last}, from 1."
        log.add("bad-number", line.place, text)
    return number


def _rating_of_line(line: ReportLine, log: Log) -> int | None:
    text = columns(line.text, 49, 52)
    rating = whole(text)
    if text and (rating is None or rating > _LARGEST_RATING):
        message = f"“{text}” is not a rating and was ignored. The rating belongs in columns 49 to 52."
        log.findings.append(warning("bad-rating", line.place, message))
    return rating or None


def _cells_of_line(line: ReportLine, log: Log) -> list[RoundCell | None]:
    text = line.text
    found: list[RoundCell | None] = []
    for start in range(FIRST_COLUMN, min(len(text), FIRST_COLUMN + MOST_ROUNDS * WIDTH), WIDTH):
        try:
            found.append(read_round_cell(text[start : start + 8].rstrip()))
        except ValueError:
            found.append(None)
            message = (
                f"“{text[start : start + 8]}” is no result of a round. Write opponent, colour and code as in "
                f"“  12 w 1”, in columns {start + 1} to {start + 8}."
            )
            log.add("bad-result", Place(line.place.path, round=len(found)), message)
    return found


def team_record(line: ReportLine, position: int, log: Log) -> TeamRecord | None:
    """Return the team, None with a finding if the record has no number."""
    text = line.text
    # The older record has no number, so its position is used.
    if line.tag == "013":
        return TeamRecord(line, position, columns(text, 5, 36), players=_member_numbers(text, 36))
    if not (number := _number_in_columns(line, 7, "team", log)):
        return None
    team = TeamRecord(line, number, columns(text, 9, 40))
    # Some programs use single blanks instead of columns.
    if not _in_columns(team, text) and (found := _TEAM.fullmatch(text[40:].strip())):
        team.nickname, team.strength = found["nickname"] or "", found["strength"] or ""
        team.match_points = reported_half_points(found["mp"])
        team.game_points = reported_half_points(found["gp"])
        team.rank, team.players = whole(found["rank"]), [int(each) for each in found["players"].split()]
    return team


def _in_columns(team: TeamRecord, text: str) -> bool:
    gaps = (text[40:41], text[46:47], text[53:54], text[60:61], text[67:68], text[71:73])
    tail = text[73:]
    whole_numbers = all(
        whole(tail[at : at + 4]) is not None or not tail[at : at + 4].strip() for at in range(0, len(tail), 5)
    )
    if any(gap.strip() for gap in gaps) or not whole_numbers:
        return False
    team.nickname, team.strength = columns(text, 42, 46), columns(text, 48, 53)
    team.match_points, team.game_points = reported_half_points(text[54:60]), reported_half_points(text[61:67])
    team.rank, team.players = whole(text[68:71]), _member_numbers(text, 73)
    return True


def _member_numbers(text: str, start: int) -> list[int]:
    numbers = (whole(text[at : at + 4]) for at in range(start, len(text), 5))
    return [number for number in numbers if number and number <= LARGEST]

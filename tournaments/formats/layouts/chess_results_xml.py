"""The XML by which programs upload an event to chess-results.com, as its interface description has it.

An element for each player, round, pairing, team and match; everything stands in attributes. Numbers below
nought in place of an opponent: -1 is the pairing-allocated bye, -2 is not paired.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]  # the package has no types
from defusedxml.sax import make_parser  # type: ignore[import-untyped]  # the package has no types

from tournaments.event.dates import DateError, read_date
from tournaments.event.finding import Finding, Place, error, warning
from tournaments.event.numbers import points_text
from tournaments.event.resultcodes import ResultError, half_points
from tournaments.formats import archives
from tournaments.formats.account import ReadingTally
from tournaments.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs, made_table
from tournaments.formats.layouts.outline import EventOutline
from tournaments.formats.tables.grid import GridRow
from tournaments.formats.tables.headings import COMPETITORS, PRINTED, RESULTS, HeadedTable, TableMapping

MOST_ELEMENTS = 60_000
"""Of players, pairings and all else: an olympiad has 7,000."""

_START = re.compile(r"\s*(?:[<{]\?xml[^>}]*[>}])?\s*(?:<!--.*?-->\s*)*[<{]chessresults\b", re.DOTALL)
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_SPECIAL = {"U": "not rated", "H": "adjourned"}
_TIE_BREAKS = tuple(f"tb{each}" for each in range(1, 7))
_GROUPS = frozenset({
    "chessresults", "tournamentdata", "rounds", "players", "playerpairings", "teams", "teampairings",
    "security",
})  # fmt: skip
_KNOWN: dict[str, frozenset[str]] = {
    "tournament": frozenset(
        [
            "key",
            "type",
            "name",
            "remark",
            "director",
            "organiser",
            "location",
            "arbiter",
            "rounds",
            "from",
            "to",
            "ratedfide",
            "replay",
            "timecontrol",
            "playerperteam",
            "chiefarbiter",
            "deputyarbiter",
            "homepageorganiser",
            "federation",
        ]
    ),
    "round": frozenset(["round", "date"]),
    "player": frozenset(
        [
            "no",
            "lastname",
            "firstname",
            "title",
            "rtg",
            "rtgfide",
            "rtgnat",
            "dob",
            "sex",
            "fed",
            "board",
            "teamno",
            "clubname",
            "fideid",
            "typ",
            "rank",
            "pts",
        ]
    )
    | {*_TIE_BREAKS},
    "playerpairing": frozenset(
        ["round", "pairing", "board", "whiteno", "blackno", "reswhite", "resblack", "forfeit"]
    ),
    "team": frozenset(["no", "teamname", "rank", "points", "federation"]) | {*_TIE_BREAKS},
    "teampairing": frozenset(["round", "pairing", "no1", "no2", "res1", "res2"]),
}
"""The attributes that are read, by element; others are counted as not read."""

_EXAMPLE = """\
<?xml version="1.0"?>
<chessresults>
 <tournamentdata>
  <tournament key="900001" type="0" name="Harbour Open 2021" location="Port" rounds="3" from="20210501"
   to="20210503" ratedfide="J" chiefarbiter="Fay Gold" federation="NED"/>
 </tournamentdata>
 <rounds>
  <round round="1" date="20210501" time="14:00"/>
  <round round="2" date="20210502" time="14:00"/>
  <round round="3" date="20210503" time="10:00"/>
 </rounds>
 <players>
  <player no="1" lastname="Arends" firstname="Bo" title="IM" rtg="2410" fed="NED" fideid="90000001" rank="1"
   pts="2,5" tb1="2,0"/>
  <player no="2" lastname="Brill" firstname="Cas" rtg="2300" dob="1990" sex="m" fed="BEL" rank="2" pts="2,0"
   tb1="2,5"/>
  <player no="3" lastname="Claes" firstname="Dee" rtg="2200" sex="w" fed="GER" rank="3" pts="0,5" tb1="4,5"/>
 </players>
 <playerpairings>
  <playerpairing round="1" pairing="1" board="1" whiteno="1" blackno="2"
   reswhite="1" resblack="0" forfeit=""/>
  <playerpairing round="1" pairing="2" board="1" whiteno="3" blackno="-2"
   reswhite="0" resblack="" forfeit=""/>
  <playerpairing round="2" pairing="1" board="1" whiteno="3" blackno="1"
   reswhite="0,5" resblack="0,5" forfeit=""/>
  <playerpairing round="2" pairing="2" board="1" whiteno="2" blackno="-1"
   reswhite="1" resblack="0" forfeit="K"/>
  <playerpairing round="3" pairing="1" board="1" whiteno="2" blackno="3"
   reswhite="1" resblack="0" forfeit="K"/>
  <playerpairing round="3" pairing="2" board="1" whiteno="1" blackno="-1"
   reswhite="1" resblack="0" forfeit="K"/>
 </playerpairings>
</chessresults>
"""


@dataclass(frozen=True, slots=True)
class XmlElement:
    """An element with the line at which it begins; its attributes by their names in small letters."""

    name: str
    line: int
    attributes: Mapping[str, str]

    def text(self, name: str) -> str:
        """Return an attribute without blanks around it, blank where there is none."""
        return " ".join(self.attributes.get(name, "").split())

    def number(self, name: str) -> int | None:
        """Return an attribute that is a whole number, None for any other."""
        found = re.fullmatch(r"-?\d{1,9}", self.text(name))
        return int(found[0]) if found else None


class _Elements(ContentHandler):
    """Gathers the elements of a file."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[XmlElement] = []
        self._locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:  # noqa: N802 - the name that a parser calls
        """Remember who tells the line."""
        self._locator = locator

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 - the name that a parser calls
        """Take in an element."""
        if len(self.found) > MOST_ELEMENTS:
            return
        values = {key.casefold(): attrs.getValue(key) for key in attrs.getNames()}
        self.found.append(XmlElement(name.casefold(), self._locator.getLineNumber(), values))


def _elements(file: LayoutFile) -> tuple[list[XmlElement], list[Finding]]:
    """Return the elements of a file, or the finding why there are none."""
    handler, parser = _Elements(), make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    try:
        parser.parse(BytesIO(_content(file)))
    except DefusedXmlException:
        text = (
            "The file declares a document type or entities, which are never taken in. Save it without them."
        )
        return [], [error("xml-entities", Place(), text)]
    except SAXParseException as problem:
        text = f"This is no whole XML from here on: {problem.getMessage()}. Export the file again."
        return [], [error("unreadable-xml", Place(f"line {problem.getLineNumber()}"), text)]
    except (LookupError, ValueError, UnicodeError):
        text = "The encoding that the file declares is not known. Choose its encoding, or save it as UTF-8."
        return [], [error("unreadable-xml", Place("line 1"), text)]
    if len(handler.found) > MOST_ELEMENTS:
        text = f"The file has more than {MOST_ELEMENTS} elements. Cut it."
        return [], [error("too-many-rows", Place(), text)]
    return handler.found, []


def _content(file: LayoutFile) -> bytes:
    """Return the bytes to be parsed; decoded first where somebody chose how, or braces stand in them."""
    if not file.options.encoding and not file.text.lstrip().startswith("{"):
        return file.content
    text = file.text
    if text.lstrip().startswith("{"):  # as the form field of an upload has it
        text = text.replace("{", "<").replace("}", ">")
    return _DECLARATION.sub("", text, count=1).encode("utf-8", "replace")


class UploadTables:
    """The elements of an upload on their way to tables."""

    def __init__(self, elements: Sequence[XmlElement], tally: ReadingTally) -> None:
        self.tally, self.findings = tally, list[Finding]()
        self.by_name: dict[str, list[XmlElement]] = defaultdict(list)
        for each in elements:
            self.by_name[each.name].append(each)
            self._count(each)
        self.tournament = next(iter(self.by_name["tournament"]), XmlElement("tournament", 1, {}))
        # An empty board of a team is a player without a name.
        self.players = [each for each in self.by_name["player"] if _name(each)]
        self.nobody = {each.text("no") for each in self.by_name["player"] if not _name(each)}
        self.teams = self.by_name["team"]
        self.is_team = bool(self.teams and self.by_name["teampairing"])
        self.days = {each.text("round"): _day(each.text("date")) for each in self.by_name["round"]}

    def reading(self) -> LayoutReading:
        """Return the tables, the facts and the findings."""
        tables = [self._team_list() if self.is_team else self._player_list(), self._results()]
        return LayoutReading(
            tables=tuple(table for table, _ in tables),
            mappings=tuple(mapping for _, mapping in tables),
            outline=self._outline(),
            findings=tuple(self.findings),
            account=self.tally.account(),
        )

    def _count(self, element: XmlElement) -> None:
        """Count an element and its attributes as read or not."""
        if element.name in _GROUPS:
            return
        known = _KNOWN.get(element.name)
        if known is None:
            self.tally.unread("elements", element.name)
            return
        self.tally.read("elements")
        for name, text in element.attributes.items():
            if name in known:
                self.tally.read("attributes")
            elif text.strip(" 0,."):
                self.tally.unread("attributes", f"{element.name} {name}")

    # --- who ----------------------------------------------------------------------------------------------

    def _player_list(self) -> tuple[HeadedTable, TableMapping]:
        fields = ("number", "name", "title", "rating", "code", "club", "fide_id", "born", "sex", "categories")
        breaks = _used(self.players, _TIE_BREAKS)
        rows = [
            GridRow(
                each.line,
                (
                    each.text("no"), _name(each), each.text("title"), _rating(each), each.text("fed"),
                    each.text("clubname"), _fide_id(each), _born(each), _sex(each), each.text("typ"),
                    each.text("rank"), each.text("pts"), *map(each.text, breaks),
                ),
            )
            for each in sorted(self.players, key=_by_rank)
        ]  # fmt: skip
        labels = (*fields, "rank", "Pts", *map(str.upper, breaks))
        return made_table(
            COMPETITORS, (*fields, "label", "points", *(PRINTED for _ in breaks)), rows, labels=labels
        )

    def _team_list(self) -> tuple[HeadedTable, TableMapping]:
        """Return the teams, and behind each its players."""
        fields = ("number", "name", "code", "board", "player", "player_title", "player_rating", "fide_id",
                  "born", "sex", "club")  # fmt: skip
        breaks = _used(self.teams, _TIE_BREAKS)
        members: dict[str, list[XmlElement]] = defaultdict(list)
        for each in self.players:
            members[each.text("teamno")].append(each)
        rows = []
        for team in sorted(self.teams, key=_by_rank):
            name = team.text("teamname") or team.text("teamshort")
            blank = ("",) * 8
            own = (team.text("no"), name, team.text("federation"), *blank)
            printed = (team.text("rank"), team.text("points"), *map(team.text, breaks))
            rows.append(GridRow(team.line, (*own, *printed)))
            for each in members.pop(team.text("no"), ()):
                cells = (
                    "", "", "", each.text("board"), _name(each), each.text("title"), _rating(each),
                    _fide_id(each), _born(each), _sex(each), _club(each, name),
                )  # fmt: skip
                rows.append(GridRow(each.line, (*cells, *("" for _ in printed))))
        for each in (player for team in members.values() for player in team):
            self.tally.unread("players", _name(each))
        labels = (*fields, "rank", "Pts", *map(str.upper, breaks))
        return made_table(
            COMPETITORS, (*fields, "label", "points", *(PRINTED for _ in breaks)), rows, labels=labels
        )

    # --- what was played ----------------------------------------------------------------------------------

    def _results(self) -> tuple[HeadedTable, TableMapping]:
        fields = (
            "round", "date", "table", "board", "first_number", "first_player", "result", "second_player",
            "second_number", "white", "note",
        )  # fmt: skip
        made = self._matches() if self.is_team else self._meetings()
        rows = [GridRow(line, tuple(values.get(each, "") for each in fields)) for line, values in made]
        return made_table(RESULTS, fields, rows)

    def _meetings(self) -> Iterator[tuple[int, dict[str, str]]]:
        for each in self.by_name["playerpairing"]:
            values = self._seat(each, each.text("whiteno"), each.text("blackno"))
            if values is None:
                continue
            if values["second_number"]:
                result, note = self._result(each, "reswhite", "resblack")
                values |= {"result": result, "note": note}
            else:
                values["result"] = self._round_off(each, "blackno", "reswhite")
            yield each.line, values

    def _seat(self, element: XmlElement, first: str, second: str) -> dict[str, str] | None:
        """Return round, day, table and who sits there; None for nobody, or one who was not paired."""
        sides = ["" if each in self.nobody or each.startswith("-") else each for each in (first, second)]
        values = {
            "round": element.text("round"),
            "date": self.days.get(element.text("round"), ""),
            "table": element.text("pairing"),
            "first_number": sides[0] or sides[1],
            "second_number": sides[1] if sides[0] else "",
        }
        return values if values["first_number"] else None

    def _round_off(self, element: XmlElement, opponent: str, own: str) -> str:
        """Return what somebody without an opponent had: the allocated bye, half a point, or nothing."""
        if element.text(opponent) == "-1":
            return "bye"
        points = _points(element.text(own))
        return {1: "½bye", 2: "bye"}.get(points or 0, "–")

    def _result(self, element: XmlElement, first: str, second: str) -> tuple[str, str]:
        """Return a result as a table has it, and the note beside it."""
        sides = _points(element.text(first)), _points(element.text(second))
        sign = element.text("forfeit").upper()
        if sign == "H" or None in sides:
            return "", _SPECIAL.get(sign, "")
        if sign in {"K", "D"}:
            return "".join("+" if each else "-" for each in sides), ""
        if sign not in {"", "U", "N", "-"}:
            text = f"“{sign}” behind the result is not known. The result is read as played."
            self.findings.append(warning("unknown-sign", Place(f"line {element.line}"), text))
        return "-".join(points_text(each or 0) for each in sides), _SPECIAL.get(sign, "")

    def _matches(self) -> Iterator[tuple[int, dict[str, str]]]:
        boards: dict[tuple[str, str], list[XmlElement]] = defaultdict(list)
        for each in self.by_name["playerpairing"]:
            boards[each.text("round"), each.text("pairing")].append(each)
        team_of = {each.text("no"): each.text("teamno") for each in self.players}
        for match in self.by_name["teampairing"]:
            values = self._seat(match, match.text("no1"), match.text("no2"))
            if values is None:
                continue
            games = boards.pop((match.text("round"), match.text("pairing")), [])
            if not values["second_number"]:
                values["result"] = self._round_off(match, "no2", "res1") if match.text("no2") != "-2" else "–"
                yield match.line, values
                continue
            values["result"], _ = self._result(match, "res1", "res2")
            yield match.line, values
            yield from self._boards(values, games, team_of)
        for each in (game for games in boards.values() for game in games):
            if each.text("whiteno") not in self.nobody:
                self.tally.unread("games", f"line {each.line}")

    def _boards(
        self, match: Mapping[str, str], games: Sequence[XmlElement], team_of: Mapping[str, str]
    ) -> Iterator[tuple[int, dict[str, str]]]:
        names = {each.text("no"): _name(each) for each in self.players}
        for each in sorted(games, key=lambda game: game.number("board") or 0):
            white, black = each.text("whiteno"), each.text("blackno")
            teams = team_of.get(white), team_of.get(black)
            if teams == (None, None):
                continue  # a board that both teams left empty
            is_first = match["first_number"] == teams[0] or match["second_number"] == teams[1]
            sides = (white, black) if is_first else (black, white)
            order = ("reswhite", "resblack") if is_first else ("resblack", "reswhite")
            result, note = self._result(each, *order)
            yield (
                each.line,
                {
                    **match,
                    "table": "",
                    "board": each.text("board"),
                    "first_player": names.get(sides[0], ""),
                    "second_player": names.get(sides[1], ""),
                    "white": "first" if is_first else "second",
                    "result": result,
                    "note": note,
                },
            )

    # --- the event ----------------------------------------------------------------------------------------

    def _outline(self) -> EventOutline:
        told, where = self.tournament.text, f"line {self.tournament.line}"
        sort, federation = told("type"), told("federation")
        again = (self.tournament.number("replay") or 1) > 1
        schedule = {"0": "swiss", "3": "swiss", "1": "round-robin", "2": "round-robin"}.get(sort, "")
        is_of_fide = told("ratedfide") == "J" or any(_fide_id(each) for each in self.players)
        facts = {
            "name": told("name"),
            "place": told("location"),
            "country": "" if federation == "XXX" else federation,
            "start": _day(told("from")),
            "end": _day(told("to")),
            "discipline": "chess" if is_of_fide else "",
            "entrants": "teams" if self.is_team else "players",
            "schedule": f"double-{schedule}" if again and schedule == "round-robin" else schedule,
            "rounds": told("rounds"),
            "boards": told("playerperteam") if self.is_team else "",
            "time_control": told("timecontrol"),
            "chief_arbiter": told("chiefarbiter"),
            "organiser": told("organiser") or told("director"),
            "notes": told("remark"),
            "published": "chess-results.com",
        }
        outline = EventOutline()
        for name, value in facts.items():
            outline = outline.with_fact(name, value, where)
        for value in (told("deputyarbiter"), told("arbiter")):
            outline = outline.with_more("deputy_arbiters", value, where)
        if told("key").isdecimal():
            outline = outline.with_more("sources", f"https://chess-results.com/tnr{told('key')}.aspx", where)
        return outline.with_more("sources", told("homepageorganiser"), where)


# --- attributes -------------------------------------------------------------------------------------------


def _name(player: XmlElement) -> str:
    parts = (player.text("lastname"), player.text("firstname"))
    return ", ".join(filter(None, parts))


def _rating(player: XmlElement) -> str:
    ratings = (player.text(each) for each in ("rtg", "rtgfide", "rtgnat"))
    return next((each for each in ratings if each.isdecimal() and int(each[:9])), "")


def _fide_id(player: XmlElement) -> str:
    found = player.text("fideid")
    return found if found.isdecimal() and int(found[:18]) else ""


def _sex(player: XmlElement) -> str:
    found = player.text("sex").casefold()
    return found if found in {"m", "w", "f"} else ""


def _club(player: XmlElement, team: str) -> str:
    """Return the club of a player, blank where it is the team."""
    club = player.text("clubname")
    return "" if club == team else club


def _born(player: XmlElement) -> str:
    return _day(player.text("dob")) or player.text("dob")


def _day(text: str) -> str:
    """Return a day as the record writes it; blank for none."""
    try:
        return read_date(text, "dmy" if "." in text else "").date
    except DateError:
        return ""


def _points(text: str) -> int | None:
    """Return points in half-points, None where there are none."""
    try:
        return half_points(text) if text else None
    except ResultError:
        return None


def _by_rank(element: XmlElement) -> int:
    return element.number("rank") or 10**9


def _used(elements: Sequence[XmlElement], names: Sequence[str]) -> list[str]:
    """Return the attributes that say something of somebody."""
    return [name for name in names if any(each.text(name) for each in elements)]


# --- the layout -------------------------------------------------------------------------------------------


def _recognise(file: LayoutFile) -> Signs:
    """Return the root element as the sign, and that of its players."""
    head = file.text[:2000]
    if not _START.match(head):
        return ()
    signs = ["the root element “chessresults”"]
    signs += [f"the element “{each}”" for each in ("tournamentdata", "players") if each in file.text]
    return tuple(signs)


def _read(file: LayoutFile) -> LayoutReading:
    """Return the competitors and the results of an upload."""
    tally = ReadingTally()
    findings: list[Finding] = []
    if len(file.content) > archives.most_bytes():
        most = archives.in_megabytes(archives.most_bytes())
        findings = [error("too-big", Place(), f"The file is larger than {most}. Cut it.")]
        return LayoutReading(findings=tuple(findings), account=tally.account())
    elements, findings = _elements(file)
    if not findings and not any(each.name == "player" for each in elements):
        findings = [error("no-players", Place(), "No element “player” stands in it. Export the file again.")]
    if findings:
        return LayoutReading(findings=tuple(findings), account=tally.account())
    return UploadTables(elements, tally).reading()


CHESS_RESULTS_XML = Layout(
    code="chess-results-xml",
    name="chess-results.com, XML of an upload",
    endings=(".xml",),
    recognise=_recognise,
    read=_read,
    example=_EXAMPLE,
)

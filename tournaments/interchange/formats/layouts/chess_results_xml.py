"""The XML that programs upload to chess-results.com, as in the description of its interface.

It has an element for each player, round, pairing, team and match, with all data in attributes.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]  # the package has no types
from defusedxml.sax import make_parser  # type: ignore[import-untyped]  # the package has no types

from tournaments.event.dates import iso_date
from tournaments.event.finding import Finding, Place, error, warning
from tournaments.event.numbers import points_text
from tournaments.event.resultcodes import half_points_or_none
from tournaments.interchange.formats import archives
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
from tournaments.interchange.formats.tables.headings import COMPETITORS, PRINTED, MappedTable
from tournaments.interchange.formats.tables.listed_games import (
    GameList,
    ListedGame,
    ListedSide,
    number_or_text,
)

MOST_ELEMENTS = 60_000  # of all kinds; an olympiad has 7,000

_START = re.compile(r"\s*+(?>(?:[<{]\?xml[^>}]*+[>}]\s*+)?(?:<!--.*?-->\s*+)*)[<{]chessresults\b", re.DOTALL)
_DECLARATION = re.compile(r"\A\s*+<\?xml[^>]*+(?<=\?)>")
_SPECIAL = {"U": "not rated", "H": "adjourned"}
_TIE_BREAKS = tuple(f"tb{each}" for each in range(1, 7))
_GROUPS = frozenset({
    "chessresults", "tournamentdata", "rounds", "players", "playerpairings", "teams", "teampairings",
    "security",
})  # fmt: skip
_READ: dict[str, tuple[str, ...]] = {
    "tournament": (
        "key", "type", "name", "remark", "director", "organiser", "location", "arbiter", "rounds", "from",
        "to", "ratedfide", "replay", "timecontrol", "playerperteam", "chiefarbiter", "deputyarbiter",
        "homepageorganiser", "federation",
    ),
    "round": ("round", "date"),
    "player": (
        "no", "lastname", "firstname", "title", "rtg", "rtgfide", "rtgnat", "dob", "sex", "fed", "board",
        "teamno", "clubname", "fideid", "typ", "rank", "pts", *_TIE_BREAKS,
    ),
    "playerpairing": (
        "round", "pairing", "board", "whiteno", "blackno", "reswhite", "resblack", "forfeit",
    ),
    "team": ("no", "teamname", "rank", "points", "federation", *_TIE_BREAKS),
    "teampairing": ("round", "pairing", "no1", "no2", "res1", "res2"),
}  # fmt: skip
"""The attributes that are read, by element; others are counted as unread."""


@dataclass(frozen=True, slots=True)
class _XmlElement:
    """An element. `line`: where it begins. `attributes`: by lower-case name."""

    name: str
    line: int
    attributes: Mapping[str, str]

    def text(self, name: str) -> str:
        return " ".join(self.attributes.get(name, "").split())

    def number(self, name: str) -> int | None:
        found = re.fullmatch(r"-?\d{1,9}", self.text(name))
        return int(found[0]) if found else None


class _Elements(ContentHandler):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[_XmlElement] = []
        self._locator: Any = None

    def setDocumentLocator(self, locator: Any) -> None:  # noqa: N802 - the name that a parser calls
        self._locator = locator

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802 - the name that a parser calls
        if len(self.found) > MOST_ELEMENTS:
            return
        values = {key.casefold(): attrs.getValue(key) for key in attrs.getNames()}
        self.found.append(_XmlElement(name.casefold(), self._locator.getLineNumber(), values))


def _upload_elements(file: LayoutFile) -> tuple[list[_XmlElement], list[Finding]]:
    """Return the elements of a file, or the finding that explains why there are none."""
    handler, parser = _Elements(), make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    try:
        parser.parse(BytesIO(_xml_content(file)))
    except DefusedXmlException:
        text = (
            "The file declares a document type or entities, which are never taken in. Save it without them."
        )
        return [], [error("xml-entities", Place(), text)]
    except SAXParseException as problem:
        text = f"The XML is damaged from here on: {problem.getMessage()}. Export the file again."
        return [], [error("unreadable-xml", Place(f"line {problem.getLineNumber()}"), text)]
    except (LookupError, ValueError, UnicodeError):
        text = "The encoding that the file declares is not known. Choose its encoding, or save it as UTF-8."
        return [], [error("unreadable-xml", Place("line 1"), text)]
    if len(handler.found) > MOST_ELEMENTS:
        text = f"The file has more than {MOST_ELEMENTS} elements. Cut it."
        return [], [error("too-many-rows", Place(), text)]
    return handler.found, []


def _xml_content(file: LayoutFile) -> bytes:
    if not file.options.encoding and not file.text.lstrip().startswith("{"):
        return file.content
    text = file.text
    if text.lstrip().startswith("{"):  # as in the form field of an upload
        text = text.replace("{", "<").replace("}", ">")
    return _DECLARATION.sub("", text, count=1).encode("utf-8", "replace")


class _UploadTables:
    """Builds the tables from the elements of an upload.

    Negative numbers in place of an opponent: -1 is the pairing-allocated bye, -2 is not paired.
    """

    def __init__(self, elements: Sequence[_XmlElement], tally: ReadingTally) -> None:
        self.tally, self.findings = tally, list[Finding]()
        self.by_name: dict[str, list[_XmlElement]] = defaultdict(list)
        for each in elements:
            self.by_name[each.name].append(each)
            self._count(each)
        self.tournament = next(iter(self.by_name["tournament"]), _XmlElement("tournament", 1, {}))
        # An empty board of a team is a player without a name.
        self.players = [each for each in self.by_name["player"] if _full_name(each)]
        self.unnamed = {each.text("no") for each in self.by_name["player"] if not _full_name(each)}
        self.teams = self.by_name["team"]
        self.is_team = bool(self.teams and self.by_name["teampairing"])
        self.days = {each.text("round"): _day(each.text("date")) for each in self.by_name["round"]}

    def reading(self) -> LayoutReading:
        competitors = self._team_list() if self.is_team else self._player_list()
        games = GameList(tuple(self._matches() if self.is_team else self._meetings()))
        return LayoutReading(
            tables=(competitors,),
            outline=self._outline(),
            findings=tuple(self.findings),
            account=self.tally.account(),
            games=games,
        )

    def _count(self, element: _XmlElement) -> None:
        if element.name in _GROUPS:
            return
        if element.name not in _READ:
            self.tally.unread("elements", element.name)
            return
        self.tally.read("elements")
        for name, text in element.attributes.items():
            if name in _READ[element.name]:
                self.tally.read("attributes")
            elif text.strip(" 0,."):
                self.tally.unread("attributes", f"{element.name} {name}")

    # --- competitors --------------------------------------------------------------------------------------

    def _player_list(self) -> MappedTable:
        fields = ("number", "name", "title", "rating", "code", "club", "fide_id", "born", "sex", "categories")
        breaks = _used(self.players, _TIE_BREAKS)
        rows = [
            GridRow(
                each.line,
                (
                    each.text("no"), _full_name(each), each.text("title"), _first_rating(each),
                    each.text("fed"), each.text("clubname"), _fide_id(each), _birth_date(each), _sex(each),
                    each.text("typ"), each.text("rank"), each.text("pts"), *map(each.text, breaks),
                ),
            )
            for each in sorted(self.players, key=_rank_or_last)
        ]  # fmt: skip
        return _table_with_ranks(fields, breaks, rows)

    def _team_list(self) -> MappedTable:
        fields = ("number", "name", "code", "board", "player", "player_title", "player_rating", "fide_id",
                  "born", "sex", "club")  # fmt: skip
        breaks = _used(self.teams, _TIE_BREAKS)
        members: dict[str, list[_XmlElement]] = defaultdict(list)
        for each in self.players:
            members[each.text("teamno")].append(each)
        rows = []
        for team in sorted(self.teams, key=_rank_or_last):
            name = team.text("teamname") or team.text("teamshort")
            blank = ("",) * 8
            own = (team.text("no"), name, team.text("federation"), *blank)
            printed = (team.text("rank"), team.text("points"), *map(team.text, breaks))
            rows.append(GridRow(team.line, (*own, *printed)))
            for each in members.pop(team.text("no"), ()):
                club = each.text("clubname")
                cells = (
                    "", "", "", each.text("board"), _full_name(each), each.text("title"), _first_rating(each),
                    _fide_id(each), _birth_date(each), _sex(each), "" if club == name else club,
                )  # fmt: skip
                rows.append(GridRow(each.line, (*cells, *("" for _ in printed))))
        for each in (player for team in members.values() for player in team):
            self.tally.unread("players", _full_name(each))
        return _table_with_ranks(fields, breaks, rows)

    # --- results ------------------------------------------------------------------------------------------

    def _meetings(self) -> Iterator[ListedGame]:
        for each in self.by_name["playerpairing"]:
            game = self._listed(each, each.text("whiteno"), each.text("blackno"))
            if game and game.second.number:
                result, note = self._result(each, "reswhite", "resblack")
                yield replace(game, result=result, note=note)
            elif game:
                yield replace(game, result=self._round_off(each, "blackno", "reswhite"))

    def _listed(self, element: _XmlElement, first: str, second: str) -> ListedGame | None:
        sides = ["" if each in self.unnamed or each.startswith("-") else each for each in (first, second)]
        if not any(sides):
            return None
        round_ = element.text("round")
        return ListedGame(
            line=element.line,
            round=number_or_text(round_),
            date=self.days.get(round_, ""),
            table=number_or_text(element.text("pairing")),
            first=ListedSide(number=sides[0] or sides[1]),
            second=ListedSide(number=sides[1] if sides[0] else ""),
        )

    def _round_off(self, element: _XmlElement, opponent: str, own: str) -> str:
        if element.text(opponent) == "-1":
            return "bye"
        points = half_points_or_none(element.text(own))
        return {1: "½bye", 2: "bye"}.get(points or 0, "–")

    def _result(self, element: _XmlElement, first: str, second: str) -> tuple[str, str]:
        sides = half_points_or_none(element.text(first)), half_points_or_none(element.text(second))
        sign = element.text("forfeit").upper()
        if sign == "H" or None in sides:
            return "", _SPECIAL.get(sign, "")
        if sign in {"K", "D"}:
            return "".join("+" if each else "-" for each in sides), ""
        if sign not in {"", "U", "N", "-"}:
            text = f"“{sign}” after the result is unknown. The result is read as played."
            self.findings.append(warning("unknown-sign", Place(f"line {element.line}"), text))
        return "-".join(points_text(each or 0) for each in sides), _SPECIAL.get(sign, "")

    def _matches(self) -> Iterator[ListedGame]:
        boards: dict[tuple[str, str], list[_XmlElement]] = defaultdict(list)
        for each in self.by_name["playerpairing"]:
            boards[each.text("round"), each.text("pairing")].append(each)
        for match in self.by_name["teampairing"]:
            game = self._listed(match, match.text("no1"), match.text("no2"))
            if game is None:
                continue
            games = boards.pop((match.text("round"), match.text("pairing")), [])
            if not game.second.number:
                is_absent = match.text("no2") == "-2"
                yield replace(game, result="–" if is_absent else self._round_off(match, "no2", "res1"))
                continue
            yield replace(game, result=self._result(match, "res1", "res2")[0])
            yield from self._boards(game, games)
        for each in (game for games in boards.values() for game in games):
            if each.text("whiteno") not in self.unnamed:
                self.tally.unread("games", f"line {each.line}")

    def _boards(self, match: ListedGame, games: Sequence[_XmlElement]) -> Iterator[ListedGame]:
        names = {each.text("no"): _full_name(each) for each in self.players}
        team_of = {each.text("no"): each.text("teamno") for each in self.players}
        for each in sorted(games, key=lambda game: game.number("board") or 0):
            white, black = each.text("whiteno"), each.text("blackno")
            teams = team_of.get(white), team_of.get(black)
            if teams == (None, None):
                continue  # a board without players of both teams
            is_first = match.first.number == teams[0] or match.second.number == teams[1]
            first, second = (white, black) if is_first else (black, white)
            order = ("reswhite", "resblack") if is_first else ("resblack", "reswhite")
            result, note = self._result(each, *order)
            yield replace(
                match,
                line=each.line,
                table=None,
                board=number_or_text(each.text("board")),
                first=match.first._replace(player=names.get(first, "")),
                second=match.second._replace(player=names.get(second, "")),
                white="first" if is_first else "second",
                result=result,
                note=note,
            )

    # --- event --------------------------------------------------------------------------------------------

    def _outline(self) -> EventOutline:
        attribute, where = self.tournament.text, f"line {self.tournament.line}"
        sort, federation = attribute("type"), attribute("federation")
        again = (self.tournament.number("replay") or 1) > 1
        schedule = {"0": "swiss", "3": "swiss", "1": "round-robin", "2": "round-robin"}.get(sort, "")
        is_of_fide = attribute("ratedfide") == "J" or any(_fide_id(each) for each in self.players)
        facts = {
            "name": attribute("name"),
            "place": attribute("location"),
            "country": "" if federation == "XXX" else federation,
            "start": _day(attribute("from")),
            "end": _day(attribute("to")),
            "discipline": "chess" if is_of_fide else "",
            "entrants": "teams" if self.is_team else "players",
            "schedule": f"double-{schedule}" if again and schedule == "round-robin" else schedule,
            "rounds": attribute("rounds"),
            "boards": attribute("playerperteam") if self.is_team else "",
            "time_control": attribute("timecontrol"),
            "chief_arbiter": attribute("chiefarbiter"),
            "organiser": attribute("organiser") or attribute("director"),
            "notes": attribute("remark"),
            "published": "chess-results.com",
        }
        outline = EventOutline().with_facts(facts, where)
        for value in (attribute("deputyarbiter"), attribute("arbiter")):
            outline = outline.with_more("deputy_arbiters", value, where)
        if attribute("key").isdecimal():
            outline = outline.with_more(
                "sources", f"https://chess-results.com/tnr{attribute('key')}.aspx", where
            )
        return outline.with_more("sources", attribute("homepageorganiser"), where)


# --- attributes -------------------------------------------------------------------------------------------


def _table_with_ranks(fields: Sequence[str], breaks: Sequence[str], rows: Sequence[GridRow]) -> MappedTable:
    labels = (*fields, "rank", "Pts", *map(str.upper, breaks))
    named = (*fields, "label", "points", *(PRINTED for _ in breaks))
    return table_of_rows(COMPETITORS, named, rows, labels=labels)


def _full_name(player: _XmlElement) -> str:
    parts = (player.text("lastname"), player.text("firstname"))
    return ", ".join(filter(None, parts))


def _first_rating(player: _XmlElement) -> str:
    ratings = (player.text(each) for each in ("rtg", "rtgfide", "rtgnat"))
    return next((each for each in ratings if each.isdecimal() and int(each[:9])), "")


def _fide_id(player: _XmlElement) -> str:
    found = player.text("fideid")
    return found if found.isdecimal() and int(found[:18]) else ""


def _sex(player: _XmlElement) -> str:
    found = player.text("sex").casefold()
    return found if found in {"m", "w", "f"} else ""


def _birth_date(player: _XmlElement) -> str:
    return _day(player.text("dob")) or player.text("dob")


def _day(text: str) -> str:
    return iso_date(text, "dmy" if "." in text else "")


def _rank_or_last(element: _XmlElement) -> int:
    return element.number("rank") or 10**9


def _used(elements: Sequence[_XmlElement], names: Sequence[str]) -> list[str]:
    return [name for name in names if any(each.text(name) for each in elements)]


# --- the layout -------------------------------------------------------------------------------------------


def recognise_chess_results_upload(file: LayoutFile) -> Signs:
    head = file.text[:2000]
    if not _START.match(head):
        return ()
    signs = ["the root element “chessresults”"]
    signs += [f"the element “{each}”" for each in ("tournamentdata", "players") if each in file.text]
    return tuple(signs)


def read_chess_results_upload(file: LayoutFile) -> LayoutReading:
    tally = ReadingTally()
    if len(file.content) > archives.most_bytes():
        return LayoutReading(findings=file.grid_findings, account=tally.account())
    elements, findings = _upload_elements(file)
    if not findings and not any(each.name == "player" for each in elements):
        text = "The file has no element “player”. Export the file again."
        findings = [error("no-players", Place("players"), text)]
    if findings:
        return LayoutReading(findings=tuple(findings), account=tally.account())
    return _UploadTables(elements, tally).reading()


CHESS_RESULTS_XML = Layout(
    code="chess-results-xml",
    name="chess-results.com, XML of an upload",
    endings=(".xml",),
    recognise=recognise_chess_results_upload,
    read=read_chess_results_upload,
)

"""Enter competitors from a pasted list, one per line, players below their team. All are entered or none."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.numbers import whole_number
from tournaments.interchange.formats.tables.headings import COMPETITOR_LINE, PLAYER_LINE
from tournaments.interchange.ratinglists.folder import RatingList, newest
from tournaments.interchange.ratinglists.lookup import namesakes_in
from tournaments.interchange.ratinglists.players import RatedPlayer, kind_of_ratings, source_of
from tournaments.models import Competitor, Event, Player
from tournaments.people.services.linking import link_entries
from tournaments.recording.competitors.start_numbers import number_late_entries
from tournaments.recording.locking import add, lock_event, name_of_user
from tournaments.recording.refusal import PastedLine, PastedList, prose

LONGEST_LINE = 10_000
LONGEST = {"name": 120, "code": 8, "title": 8}
LARGEST = {"number": 9_999, "rating": 9_999, "fide_id": 999_999_999}

MOST_LOOKED_UP = 300
"""Longer lists are not looked up in a rating list: each lookup takes some milliseconds of the request."""

SEPARATORS = "\t;,"
BELOW = re.compile(rf"\s*[-–•{SEPARATORS}]\s*|\s+")
"""How a player's line begins: indented, with a dash, or after an empty spreadsheet cell."""

IN_FRONT = re.compile(r"([0-9]++)(?:[.)]|\s*+[;,]|(?=\s))\s*+(?=\S)")
"""A number before the name: start number or board, followed by a blank, a point or a separator."""

RATING = r"(?P<rating>\d++)?\s*+"
TITLE = r"(?P<title>[^\s,\d]++)?\s*+"
BY_COMMA: dict[tuple[str, ...], re.Pattern[str]] = {
    COMPETITOR_LINE: re.compile(
        rf"(?P<name>.+?)(?:,\s*+(?P<code>[A-Z]{{2,3}}\d*+)?\s*+(?:,\s*+{RATING}(?:,\s*+{TITLE})?)?)?"
    ),
    PLAYER_LINE: re.compile(rf"(?P<name>.+?)(?:,\s*+{RATING}(?:,\s*+{TITLE}(?:,\s*+(?P<fide_id>\d++)?)?)?)?"),
}
"""Names contain commas themselves (“Bierema, B.”), so the parts after the name are recognised by their form.
"""


@dataclass(frozen=True, slots=True)
class RosterLine(PastedLine):
    """A parsed line of a roster.

    `number`: start number of a competitor or board of a player; 0 if unknown. `listed`: the player with
    that name in the newest rating list.
    """

    is_player: bool = False
    number: int = 0
    name: str = ""
    code: str = ""
    rating: int | None = None
    title: str = ""
    fide_id: int | None = None
    listed: RatedPlayer | None = None


class RosterList(PastedList[RosterLine]):
    """A parsed list without blank lines."""

    @property
    def competitors(self) -> int:
        return sum(not each.is_player for each in self.lines)

    @property
    def players(self) -> int:
        return sum(each.is_player for each in self.lines)


def read_roster(event: Event, text: str) -> RosterList:
    """Parse a list, numbered after the existing competitors. A single query.

    A competitor is `name, code, rating, title`, a team's player below it `name, rating, title, FIDE id`,
    separated by tabs, semicolons or commas. A number before the name is the start number or the board.
    """
    there = list(event.competitors.all())
    highest = max((number for each in there for number in (each.number, each.paired_as)), default=0)
    read = (
        _read_line(line, written[:LONGEST_LINE], event.is_team)
        for line, written in enumerate(text.splitlines(), start=1)
        if written.strip(f" \xa0{SEPARATORS}")
    )
    return RosterList(tuple(_numbered(read, {each.number: each.name for each in there}, highest)))


def with_rated_players(event: Event, roster: RosterList) -> RosterList:
    """Return the list with the players of the newest rating list whose name is exactly the same. No query.

    Only if the name is unique in the rating list and the line has neither id nor rating. Long lists are
    not looked up: they usually have ratings, or get them by “Update ratings”.
    """
    rating_list = newest(source_of(event.discipline), kind_of_ratings(event))
    if rating_list is None or len(roster.lines) > MOST_LOOKED_UP:
        return roster
    return RosterList(tuple(_with_rated_player(event, rating_list, each) for each in roster.lines))


def _with_rated_player(event: Event, used: RatingList, each: RosterLine) -> RosterLine:
    if each.is_player != event.is_team or each.rating or each.fide_id or each.fault:
        return each
    found = [player for player in namesakes_in(used, each.name) if each.code in ("", player.federation)]
    return replace(each, listed=found[0]) if len(found) == 1 else each


def enter_roster(event: Event, text: str, by: User, taken: Collection[int] = ()) -> RosterList:
    """Enter a whole list. Raise Refused with the first fault, or if the list is empty.

    `taken`: numbers of the lines that get their data from the newest rating list.
    """
    with lock_event(event) as now:
        roster = read_roster(now, text)
        roster.refuse_faulty(_("There are no lines. Paste a line for each competitor."))
        _add_roster(now, with_rated_players(now, roster) if taken else roster, by, taken)
        link_entries(now, name_of_user(by))
    return roster


def _add_roster(event: Event, roster: RosterList, by: User, taken: Collection[int]) -> None:
    competitor: Competitor | None = None
    added = list[Competitor]()
    source = source_of(event.discipline)
    for each in roster.lines:
        known: dict[str, Any] = {"name": each.name, "rating": each.rating, "title": each.title}
        if each.listed and each.line in taken:
            of_list = each.listed.particulars(source, kind_of_ratings(event))
            del of_list["name"]  # the pasted name stays
            code = of_list.pop("code")
            each = replace(each, code=each.code or code)  # noqa: PLW2901 - the line completed from the list
            known |= of_list | {"title": each.title or of_list["title"]}
        if each.is_player:
            known.setdefault("fide_id", each.fide_id)
            add(Player(competitor=competitor, board=each.number, **known), by)
        else:
            competitor = Competitor(event=event, number=each.number, code=each.code, **known)
            add(competitor, by)
            added.append(competitor)
    number_late_entries(event, added, by)


# --- parsing ----------------------------------------------------------------------------------------------


def _read_line(line: int, written: str, is_team: bool) -> RosterLine:
    prefix = BELOW.match(written)
    text = written[prefix.end() if prefix else 0 :].rstrip(f" \xa0{SEPARATORS}")
    entry = RosterLine(line, written.strip(), is_player=is_team and prefix is not None)
    order = PLAYER_LINE if entry.is_player else COMPETITOR_LINE
    numbered = IN_FRONT.match(text)
    values = {"number": numbered[1]} if numbered else {}
    values |= _values_of_line(text[numbered.end() if numbered else 0 :], order)
    return _with_values(entry, values, order)


def _values_of_line(text: str, order: tuple[str, ...]) -> dict[str, str]:
    separator = next((sign for sign in "\t;" if sign in text), "")
    if separator or "," not in text:
        pieces = [piece.strip() for piece in text.split(separator or "\n")]
        return dict(zip((*order, ""), [*pieces[: len(order)], " ".join(pieces[len(order) :])], strict=False))
    found = BY_COMMA[order].fullmatch(text)
    values = {name: value or "" for name, value in found.groupdict().items()} if found else {"name": text}
    unknown = [piece for piece in values["name"].split(",")[1:] if re.search(r"\d", piece)]
    return values | {"": " ".join(unknown).strip()}


def _with_values(entry: RosterLine, values: dict[str, str], order: tuple[str, ...]) -> RosterLine:
    if not values.get("name"):
        return replace(entry, fault=_("The name is missing. It comes first."))
    if values.pop("", ""):
        return replace(entry, name=values["name"], fault=_order_fault(order))
    known: dict[str, str | int | None] = {}
    for name, text in values.items():
        known[name] = prose(text) if name in LONGEST else whole_number(text, LARGEST[name]) or None
        if fault := _fault_of_value(name, text, known[name]):
            return replace(entry, name=values["name"], fault=fault)
    return replace(entry, **known)  # type: ignore[arg-type]  # by name, each of the right type


def _fault_of_value(name: str, text: str, value: str | int | None) -> str:
    if name in LONGEST:
        values = {"text": text[:20], "most": LONGEST[name]}
        too_long = len(str(value)) > LONGEST[name]
        return _("“%(text)s…” is too long: %(most)s characters fit.") % values if too_long else ""
    if not text or value is not None:
        return ""
    values = {"text": text[:20], "most": LARGEST[name]}
    return {
        "number": _("“%(text)s” is not a number from 1 to %(most)s."),
        "rating": _("“%(text)s” is not a rating. Write a whole number up to %(most)s, or leave it empty."),
        "fide_id": _("“%(text)s” is not a FIDE id. Write a whole number up to %(most)s, or leave it empty."),
    }[name] % values


def _order_fault(order: tuple[str, ...]) -> str:
    if order is PLAYER_LINE:
        return _("Not understood. Write name, rating, title, FIDE id; leave unknown values empty.")
    return _("Not understood. Write name, code, rating, title; leave unknown values empty.")


# --- numbers ----------------------------------------------------------------------------------------------


def _numbered(lines: Iterator[RosterLine], there: dict[int, str], highest: int) -> Iterator[RosterLine]:
    competitors, team = _Numbers(there, highest), None
    for each in lines:
        if not each.is_player:
            team = _Team()
            yield competitors.numbered(each)
        elif team is None:
            yield replace(each, fault=_("This player has no team. Write the line of the team first."))
        else:
            yield team.with_player(each)


class _Numbers:
    """Numbers and names of the existing competitors and of the lines before."""

    def __init__(self, there: dict[int, str], highest: int) -> None:
        self.names = dict(there)
        self.highest = highest
        self.by_name: dict[str, int] = {}
        for number, name in there.items():
            self.by_name.setdefault(name.casefold(), number)

    def numbered(self, each: RosterLine) -> RosterLine:
        """Return the line with its own number or the next one, and a fault if it is a duplicate."""
        number = each.number or self.highest + 1
        namesake = self.by_name.get(each.name.casefold())
        fault = each.fault
        if not fault and number in self.names:
            values = {"number": number, "name": self.names[number]}
            fault = (
                _("Number %(number)s is %(name)s already. Leave the number out, or take another.") % values
            )
        if not fault and namesake is not None:
            values = {"number": namesake, "name": each.name}
            fault = (
                _("%(name)s is already entered as number %(number)s. Add an initial to tell them apart.")
                % values
            )
        if number not in self.names:
            self.names[number] = each.name
            self.by_name.setdefault(each.name.casefold(), number)
            self.highest = max(self.highest, number)
        return replace(each, number=number, fault=fault)


class _Team:
    """Boards and players of a team in the lines before."""

    def __init__(self) -> None:
        self.boards: dict[int, str] = {}
        self.highest = 0
        self.known: set[str | int] = set()

    def with_player(self, each: RosterLine) -> RosterLine:
        """Return the player with the requested board or the next one, and a fault if it is a duplicate."""
        board = each.number or self.highest + 1
        identity = each.name.casefold() if each.fide_id is None else each.fide_id
        fault = each.fault
        if not fault and board in self.boards:
            values = {"board": board, "name": self.boards[board]}
            fault = (
                _("Board %(board)s is %(name)s's already. Leave the number out, or take another.") % values
            )
        if not fault and identity in self.known:
            fault = _("%(name)s is in this team already.") % {"name": each.name}
        self.boards.setdefault(board, each.name)
        self.highest = max(self.highest, board)
        self.known.add(identity)
        return replace(each, number=board, fault=fault)

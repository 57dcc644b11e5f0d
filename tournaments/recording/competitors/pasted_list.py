"""Enter competitors from a pasted list, a line each, with or without a heading. All are entered or none."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.dates import order_of, parse_year
from tournaments.event.document import CompetitorEntry, PlayerEntry
from tournaments.event.finding import added_findings, errors
from tournaments.event.schema import field_values
from tournaments.event.values import LARGEST
from tournaments.interchange.formats.log import Log, read_object
from tournaments.interchange.formats.tables.entrants import raw_values, values_of_row
from tournaments.interchange.formats.tables.grid import GridRow, RowPlace
from tournaments.interchange.formats.tables.heading_words import MEANINGS, word_of
from tournaments.interchange.formats.tables.headings import (
    COMPETITOR_LINE,
    COMPETITORS,
    FIELDS,
    MEMBER,
    PARTICULARS,
    PLAYER_LINE,
    PRINTED,
    HeadedTable,
    TableMapping,
    guessed_as,
)
from tournaments.interchange.formats.tables.reading import tables_in
from tournaments.interchange.formats.tables.text import grids_of_text
from tournaments.interchange.ratinglists.folder import newest
from tournaments.interchange.ratinglists.lookup import players_in
from tournaments.interchange.ratinglists.players import RatedPlayer, folded, source_of
from tournaments.models import Competitor, Event, Player
from tournaments.people.hiding.hidden_entries import IDS, hidden_entries
from tournaments.people.services.linking import link_entries
from tournaments.recording.competitors.ratings import Row, possible_players, reason_needed
from tournaments.recording.competitors.start_numbers import number_late_entries
from tournaments.recording.events.rulings import findings_of
from tournaments.recording.locking import add, lock_event, name_of_user, save
from tournaments.recording.refusal import PastedLine, PastedList, Refused, prose, required

LONGEST_LINE = 10_000

MOST_LOOKED_UP = 300  # names in a rating list: each takes some milliseconds of the request
MOST_NAMESAKES = 20  # rows that are compared with a line, so that the work is linear

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
"""Names contain commas too (“Bierema, B.”), so the parts after the name are recognised by their form."""

LABELS = {each: each.capitalize() for each in ("number", "board", *COMPETITOR_LINE)} | {"fide_id": "FIDE id"}
IN_CELL = re.compile(r"[-–•]|\d+[.)]\s")  # before a name below a heading
PARTICLES = {"van", "von", "de", "den", "der", "da", "di", "du", "del", "dos", "ten", "ter", "bin", "ibn"}
OF_PLAYER = {"player": "name", "player_title": "title", "player_rating": "rating"}


@dataclass(frozen=True, slots=True)
class RosterLine(PastedLine):
    """A parsed line of a roster.

    `number`: start number of a competitor or board of a player; 0 if unknown. `values`: by field, without
    blank ones. `stored`: the row of the same player or team that is entered already. `listed`: the player
    of the newest rating list, and `filled`: its values for fields without a value. `remark`: a warning.
    """

    is_player: bool = False
    number: int = 0
    values: Mapping[str, Any] = field(default_factory=dict)
    stored: Row | None = None
    listed: RatedPlayer | None = None
    filled: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""

    @property
    def name(self) -> str:
        return str(self.values.get("name", ""))

    @property
    def changes(self) -> dict[str, tuple[Any, Any]]:
        """Return stored and pasted value of each field that differs. A year does not replace its day."""
        pairs = {name: (getattr(self.stored, name), new) for name, new in self.values.items() if self.stored}
        return {
            name: (was, new)
            for name, (was, new) in pairs.items()
            if was != new and not (name == "born" and was.startswith(new))
        }

    @property
    def version(self) -> str:
        """Return the stored row and its version, as a form posts them."""
        kind = "p" if self.is_player else "c"
        return f"{kind}{self.stored.pk}:{self.stored.version}" if self.stored else ""

    def row(self, values: Mapping[str, Any], **of: Any) -> Row:
        if self.is_player:
            return Player(board=self.number, **values, **of)
        return Competitor(number=self.number, **values, **of)


@dataclass(frozen=True, slots=True)
class RosterList(PastedList[RosterLine]):
    """A parsed list without blank lines. `unread_lines`: by line number. `rating_list`: name and date."""

    unread_columns: tuple[str, ...] = ()
    unread_lines: tuple[tuple[int, str], ...] = ()
    rating_list: str = ""

    @property
    def competitors(self) -> int:
        """Return the number of new competitors."""
        return sum(not (each.is_player or each.stored) for each in self.lines)

    @property
    def players(self) -> int:
        return sum(each.is_player and each.stored is None for each in self.lines)


def read_roster(event: Event, text: str) -> RosterList:
    """Parse a list, numbered after the existing competitors. At most three queries if no person is hidden.

    Without a heading the parts of a line are those of COMPETITOR_LINE, and below a team of PLAYER_LINE,
    between tabs, semicolons or commas. A number before the name is the start number or the board.
    """
    there = list(event.competitors.prefetch_related("players") if event.is_team else event.competitors.all())
    roster = _read_headed(event, text) or RosterList(
        tuple(
            _read_line(event, line, written[:LONGEST_LINE])
            for line, written in enumerate(text.splitlines(), start=1)
            if written.strip(f" \xa0{SEPARATORS}")
        )
    )
    hidden = [each.redaction for each in hidden_entries(event)]
    fault, lines = _("This line cannot be entered. Remove it, or ask an organiser."), list(roster.lines)
    for at, each in enumerate(lines):
        ids = {str(each.values.get(name)) for name in IDS}
        if any(of.is_name(each.name) or not ids.isdisjoint(of.ids) for of in hidden):
            lines[at] = replace(each, fault=fault)
    return replace(roster, lines=tuple(_numbered(lines, there)))


def with_rated_players(event: Event, roster: RosterList) -> RosterList:
    """Return the list with values of the newest rating list for new lines without them. No query.

    Players are found by id, or by name if exactly one player has it. Names of long lists are not looked up.
    """
    kind = event.ratings_from or event.rated_as
    used = newest(source_of(event.discipline), kind)
    if used is None:
        return roster
    key = f"{used.source}_id"
    listed = players_in(used, {each.values[key] for each in roster.lines if key in each.values})
    lines = list(roster.lines)
    for at, each in enumerate(lines):
        number = each.values.get(key)
        is_known = number or len(lines) <= MOST_LOOKED_UP
        if each.fault or each.stored or each.is_player != event.is_team or not is_known:
            continue
        found = possible_players(each.row(each.values), number, listed, used)
        text = _("The list %(list)s has no %(name)s with the id %(id)s.") if number else ""
        if len(found) > 1:
            text = _("%(count)s persons of the list %(list)s have this name: type the id.")
        elif found and (not number or _family_names(found[0]) & {*folded(each.name).split()}):
            missing = found[0].particulars(used.source, kind)
            known = {*each.values, *(["code"] if each.is_player else [])}
            filled = {name: value for name, value in missing.items() if value and name not in known}
            lines[at] = replace(each, listed=found[0] if filled else None, filled=filled)
            continue
        values = {"count": len(found), "list": used, "name": each.name, "id": number}
        lines[at] = replace(each, remark=f"{each.remark} {text % values}".strip())
    return replace(roster, lines=tuple(lines), rating_list=str(used))


def _family_names(listed: RatedPlayer) -> set[str]:
    return {word for word in folded(listed.name.partition(",")[0]).split() if len(word) > 1} - PARTICLES


def enter_roster(
    event: Event, text: str, by: User, taken: Iterable[int] = (), updates: Iterable[str] = (), why: str = ""
) -> RosterList:
    """Enter a whole list. Raise Refused with the first fault or new error, or if the list is empty.

    `taken`: numbers of the lines that get missing values from the newest rating list. `updates`: `version`
    of the lines that change a row that is entered already. `why`: needed if `reason_needed` for ratings.
    """
    with lock_event(event) as now:
        roster = read_roster(now, text)
        roster.refuse_faulty(_("There are no lines. Paste a line for each competitor."))
        roster = with_rated_players(now, roster) if taken else roster
        if not set(updates) <= {each.version for each in roster.lines}:
            raise Refused(_("An entry was changed after the preview. Check it again. Nothing was entered."))
        is_rated = any(each.version in updates and "rating" in each.changes for each in roster.lines)
        needed = reason_needed(now) if is_rated else ""
        note = _("Pasted list") + (f": {required(why, needed)}" if needed else "")
        before = findings_of(now)
        competitor: Competitor | None = None
        added = list[Competitor]()
        for each in roster.lines:
            row = each.stored
            if row is None:
                values = {**each.values, **(each.filled if each.line in taken else {})}
                row = each.row(values, **({"competitor": competitor} if each.is_player else {"event": now}))
                add(row, by, note)
            elif each.version in updates:
                for name, (_was, new) in each.changes.items():
                    setattr(row, name, new)
                save(row, by, note)
            if isinstance(row, Competitor):
                competitor = row
                added += [] if each.stored else [row]
        number_late_entries(now, added, by)
        if new := added_findings(errors(findings_of(now)), before):
            raise Refused(new[0].message)
        link_entries(now, name_of_user(by))
    return roster


def _read_headed(event: Event, text: str) -> RosterList | None:
    """Return the lines below a heading; None if the list has no heading with a name."""
    grids, problems = grids_of_text(text)
    if problems:
        return RosterList((RosterLine(1, problems[0].where, problems[0].message),))
    tables = tables_in(grids)[0]
    table = next((each for each in tables if each.heading and not each.is_left_out), None)
    columns = guessed_as(table, COMPETITORS).columns if table else {}
    found = set(columns.values())
    if table is None or not found & {"name", "player"}:
        first = grids[0].rows[0] if grids else GridRow(0, ())
        words = [{*MEANINGS.get(word_of(each), ())} for each in " ".join(first.cells).split()]
        if all(each & {*FIELDS[COMPETITORS]} for each in words) and any("name" in each for each in words):
            fault = _("This is a heading. Separate its words by tabs or semicolons, or remove this line.")
            return RosterList((RosterLine(first.number, " ".join(first.cells), fault),))
        return None
    # No columns of the register.
    others = ("rating_class", "outside", "withdrawn_after", "label", "points", PRINTED)
    renamed = dict.fromkeys(others, "") | {"flag": "flag" * event.is_team}
    if event.is_team and "player" in found:
        renamed |= {"rating": "player_rating", "title": "player_title"}
        team, code = (next((at for at in columns if columns[at] == of), -1) for of in ("name", "code"))
        codes = {(row.cell(team), row.cell(code)) for row in table.rows if code >= 0 and row.cell(code)}
        if len(codes) > len({name for name, _code in codes}):  # federations of the players
            renamed["code"] = ""
    else:
        # "Player; Team" in an event of players: the person, and the club.
        renamed |= {"board": "", **({"name": "club", **OF_PLAYER} if "player" in found else {})}
    columns = {
        at: renamed.get(each, each)
        for at, each in columns.items()
        if each not in renamed or (renamed[each] and renamed[each] not in found - set(renamed))
    }
    lines = _headed_lines(event, table, TableMapping(COMPETITORS, columns))
    read = {table.heading.number if table.heading else 0, *(each.line for each in lines)}
    unread = (row for each in tables for row in each.grid.rows if row.number not in read)
    used = {at for row in table.rows for at, cell in enumerate(row.cells) if cell}
    return RosterList(
        tuple(lines),
        tuple(label for at, label in enumerate(table.labels) if at in used - set(columns)),
        tuple((row.number, " ".join(filter(None, row.cells))) for row in unread if not row.is_blank),
    )


def _headed_lines(event: Event, table: HeadedTable, mapping: TableMapping) -> list[RosterLine]:
    labels = {each: table.labels[at] for at, each in mapping.columns.items()}
    is_member = event.is_team and "player" in labels
    born, width = mapping.column("born"), len(table.heading.cells) if table.heading else 0
    order = order_of(row.cell(born) for row in table.rows if born is not None).order
    teams: dict[str, list[RosterLine]] = {}
    team = teams.setdefault("", [])
    for row in table.rows:
        fault = _("More cells than the heading has. Separate the cells by tabs or semicolons.")
        fault = fault if any(row.cells[width:]) else ""
        entry = RosterLine(row.number, " ".join(filter(None, row.cells)), fault)
        texts = values_of_row(row, mapping)
        in_team = [each for each in (*MEMBER, *PARTICULARS) if is_member and each in texts]
        of_member = {OF_PLAYER.get(each, each): texts.pop(each) for each in in_team}
        if texts:
            key = texts.get("name", texts.get("number", "")).casefold() if is_member else str(row.number)
            if key not in teams:
                teams[key] = [_with_values(event, entry, texts, labels, order)]
            team = teams[key]
        if of_member:
            own = labels | {new: labels[old] for old, new in OF_PLAYER.items() if old in labels}
            team.append(_with_values(event, replace(entry, is_player=True), of_member, own, order))
    return [each for lines in teams.values() for each in lines]


def _read_line(event: Event, line: int, written: str) -> RosterLine:
    prefix = BELOW.match(written)
    text = written[prefix.end() if prefix else 0 :].rstrip(f" \xa0{SEPARATORS}")
    entry = RosterLine(line, written.strip(), is_player=event.is_team and prefix is not None)
    order = PLAYER_LINE if entry.is_player else COMPETITOR_LINE
    numbered = IN_FRONT.match(text)
    values = {"board" if entry.is_player else "number": numbered[1]} if numbered else {}
    values |= _values_of_line(text[numbered.end() if numbered else 0 :], order)
    if values.pop("", "") and values["name"]:
        known = _("name, rating, title, FIDE id") if entry.is_player else _("name, code, rating, title")
        text = _("Not understood. Write %s; leave unknown values empty. Or add a heading above the list.")
        entry = replace(entry, fault=text % known)
    return _with_values(event, entry, {name: each for name, each in values.items() if each}, LABELS)


def _values_of_line(text: str, order: tuple[str, ...]) -> dict[str, str]:
    separator = next((sign for sign in "\t;" if sign in text), "")
    if separator or "," not in text:
        pieces = [piece.strip() for piece in text.split(separator or "\n")]
        return dict(zip((*order, ""), [*pieces[: len(order)], " ".join(pieces[len(order) :])], strict=False))
    found = BY_COMMA[order].fullmatch(text)
    values = {name: value or "" for name, value in found.groupdict().items()} if found else {"name": text}
    unknown = [piece for piece in values["name"].split(",")[1:] if re.search(r"\d", piece)]
    return values | {"": " ".join(unknown).strip()}


def _with_values(
    event: Event, entry: RosterLine, texts: Mapping[str, str], labels: Mapping[str, str], dates: str = ""
) -> RosterLine:
    name = texts.get("name", "")
    text = _("Write the name only, without the sign or number before it.") if IN_CELL.match(name) else ""
    text = entry.fault or text or ("" if name else _("The name is missing. Write it, or remove the line."))
    if text:
        return replace(entry, values={"name": name}, fault=text)
    raw = raw_values({name: prose(text) for name, text in texts.items()}, dates)
    if entry.is_player:
        raw.pop("rating_class", None)
    log, place = Log(), RowPlace("", columns=labels)
    read = (
        read_object(PlayerEntry, raw, place, log)
        if entry.is_player
        else read_object(CompetitorEntry, {"number": 1, **raw}, place, log)
    )
    if read is None:
        faults = (f"{each.where.rpartition('column ')[2]}: {each.message}" for each in log.findings)
        return replace(entry, values={"name": name}, fault=" ".join(faults))
    values = {name: each for name, each in field_values(read).items() if name in raw and each not in ("", [])}
    number = values.pop("board" if entry.is_player else "number", 0)
    codes = {each.get("name", "").casefold(): each["code"] for each in event.categories}
    codes |= {each["code"].casefold(): each["code"] for each in event.categories}
    remark = ""
    if "categories" in values and codes:
        values["categories"] = [codes.get(each.casefold(), each) for each in values["categories"]]
        if unknown := [each for each in values["categories"] if each not in codes.values()]:
            known = {"unknown": ", ".join(unknown), "known": ", ".join(dict.fromkeys(codes.values()))}
            remark = _("Not a category of this event: %(unknown)s. It has %(known)s.") % known
    return replace(entry, number=number, values=values, remark=remark)


def _numbered(lines: Iterable[RosterLine], there: Iterable[Competitor]) -> Iterator[RosterLine]:
    competitors, team = _Entered(there), None
    for each in lines:
        if not each.is_player:
            entry = competitors.placed(each)
            stored = entry.stored if isinstance(entry.stored, Competitor) else None
            team = _Entered(stored.players.all() if stored else ())
            yield entry
        elif team is None:
            yield replace(each, fault=_("This player has no team. Write the line of the team first."))
        else:
            yield team.placed(each)


class _Entered:
    """The competitors of the event, or the players of a team, and those of the lines before."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.names: dict[int, str] = {}
        self.highest = 0
        self.known: dict[tuple[str, Any], list[Row]] = {}
        self.repeated: set[int] = set()
        for row in rows:
            self._learn(row)

    def placed(self, each: RosterLine) -> RosterLine:
        """Return the line with its number and the row that is entered already, or with a fault."""
        if each.fault:
            return each
        typed, each = each.number, replace(each, number=each.number or self.highest + 1)
        row, number, name = each.row(each.values), each.number, each.name
        found = self._same(row)
        if len(found) == 1:
            number = found[0].number if isinstance(found[0], Competitor) else found[0].board or 0
            if found[0].pk and found[0].pk not in self.repeated:
                self.repeated.add(found[0].pk)
                text = _("The list has number %(typed)s; it stays %(number)s.")
                text = "" if typed in (0, number) else text % {"typed": typed, "number": number or "–"}
                return replace(each, stored=found[0], number=number, remark=f"{each.remark} {text}".strip())
            text = _("%(name)s is already entered as number %(number)s. Add an initial to tell them apart.")
            text = _("%(name)s is in this team already.") if each.is_player else text
        elif found:
            text = _("%(count)s entries have the name %(name)s. Add the id or the date of birth.")
        elif number in self.names:
            name = self.names[number]
            text = _("Number %(number)s is %(name)s already. Leave the number out, or take another.")
            if each.is_player:
                text = _("Board %(number)s is %(name)s's already. Leave the number out, or take another.")
        elif number > LARGEST:
            text = _("Number %(number)s is too high. Write a lower one.")
        else:
            self._learn(row)
            return each
        return replace(each, fault=text % {"name": name, "number": number, "count": len(found)})

    def _learn(self, row: Row) -> None:
        numbers = (row.board or 0,) if isinstance(row, Player) else (row.number, row.paired_as)
        self.highest = max(self.highest, *numbers)
        self.names[numbers[0]] = row.name
        for key in _keys_of_line(row):
            self.known.setdefault(key, []).append(row)

    def _same(self, row: Row) -> list[Row]:
        for key in _keys_of_line(row):
            found = self.known.get(key, [])[:MOST_NAMESAKES]
            if same := [each for each in found if key[0] != "name" or not _are_distinct(each, row)]:
                return same
        return []


def _are_distinct(one: Row, other: Row) -> bool:
    pairs = [(getattr(one, name), getattr(other, name)) for name in IDS]
    if isinstance(one, Competitor):  # the name of a player without an id is unique in the team
        pairs.append((parse_year(one.born), parse_year(other.born)))
    return any(first and second and first != second for first, second in pairs)


def _keys_of_line(row: Row) -> list[tuple[str, Any]]:
    words = " ".join(sorted(folded(row.name).split())) or row.name.casefold()
    return [*((name, getattr(row, name)) for name in IDS if getattr(row, name)), ("name", words)]

"""Competitors of an event, with additions and changes by a table. Blank cells change nothing."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from unicodedata import normalize

from tournaments.event.choices import SEX_OF_LETTER
from tournaments.event.completing import competitor_of
from tournaments.event.dates import iso_date
from tournaments.event.document import CompetitorEntry, Document, PlayerEntry
from tournaments.event.federations import code_of_name
from tournaments.event.finding import warning
from tournaments.event.schema import field_names
from tournaments.interchange.formats.log import Log, read_object, read_title
from tournaments.interchange.formats.tables.grid import GridRow, RowPlace
from tournaments.interchange.formats.tables.headings import (
    MEMBER,
    PARTICULARS,
    WHO,
    HeadedTable,
    TableMapping,
    script_of,
)

WHOLE = re.compile(r"0*(\d{1,18})\.?", re.ASCII)
WHOLE_FIELDS = frozenset({"number", "rating", "withdrawn_after", "board", "fide_id", "fmjd_id"})
_ZERO_IF_UNKNOWN = frozenset({"rating", "fide_id", "fmjd_id"})
TRUTHS = dict.fromkeys(("yes", "true", "1", "x", "ja"), True) | dict.fromkeys(("no", "false", "nee"), False)
# A 2339, as Draughts Arbiter prints it; 2100 F, as Papi does
_CLASSED = re.compile(r"([A-Za-z]) *(\d{3,4})|(\d{3,4})\s*([A-Za-z])")
_APOSTROPHES = str.maketrans("’ʼ`´", "''''")
_BETWEEN_WRITINGS = "(/|"
_PREFIX = "player_"
_LONGEST_CODE = 8


_REMARK = re.compile(
    r"(?<=\S)(?:\s*+[(\[]|\s*+,\s++|\s++[–-]\s++)\s*+"
    r"(withdrawn|withdrew|wdr|wd|retired|zurückgetreten|zurückgezogen|ausgeschieden|ausgetreten|teruggetrokken"
    r"|uitgevallen|выбыла?|снят|снялся|retirad[oa]|abandon|abandonné|retiré|ritirat[oa]|wycofan[ay]|odstoupila?"
    r"|trukket)\.?\s*+[)\]]?\s*+$",
    re.IGNORECASE,
)
"""A remark after a name, such as `Ekman, Finn (withdrawn)`."""

# a title before a name with a comma; MI, MF and MN are initials too
_TITLED = re.compile(r"^(W?[GIFC]M|GMI) ([^\s,][^,]*, .+)")
# titles of FIDE in other languages; in draughts, some are titles of FMJD
_IN_CHESS = {"MI": "IM", "MF": "FM", "MIF": "WIM", "ГМ": "GM", "МГ": "GM", "ММ": "IM", "МФ": "FM"}


def spellings_of_name(name: str) -> list[tuple[str, ...]]:
    """Return the forms in which names are compared: words in any order, and family name with initial.

    No accents.
    """
    plain = "".join(sign for sign in normalize("NFKD", name.casefold()) if sign.isalpha() or sign in " ,-")
    family, comma, given = plain.partition(",")
    words = re.split(r"[ ,-]+", plain.strip(" ,-"))
    if not comma and len(words) > 1:
        family, given = words[-1], words[0]
    found: list[tuple[str, ...]] = [tuple(sorted(words))] if any(words) else []
    return [*found, (family.strip(), given.strip()[:1])] if given.strip() else found


def whole_or_text(text: str) -> int | str:
    """Return a whole number, or other texts unchanged, so that their reader reports them."""
    found = WHOLE.fullmatch(text)
    return int(found[1]) if found else text


def name_key(name: str) -> str:
    """Return the key of a name: without a title, and differences of case, blanks and composed accents."""
    plain = _TITLED.sub(r"\2", _REMARK.sub("", name.replace("\u00ad", "")))
    folded = normalize("NFC", plain).casefold().translate(_APOSTROPHES)
    return " ".join(folded.split())


def writings_of(name: str) -> tuple[str, ...]:
    """Return the name, and both spellings if it has two scripts: `Иванов (Ivanov)`."""
    parted = _split_scripts(name)
    if parted and script_of(parted[0]) != script_of(parted[1]):
        return name, *parted
    return (name,)


def _split_scripts(name: str) -> tuple[str, str] | None:
    is_word = [sign.isalnum() or sign == "_" for sign in name]
    words = [at for at, found in enumerate(is_word) if found]
    if not words:
        return None
    last = max((name.rfind(sign, words[0], words[-1]) for sign in _BETWEEN_WRITINGS), default=-1)
    if last < 0:
        return None
    # Of several separators in a row, `Иванов /(Ivanov)`, the first ends the first spelling.
    word = max(at for at in words if at < last)
    first = min(at for at in range(word + 1, last + 1) if name[at] in _BETWEEN_WRITINGS)
    return name[:first].rstrip(" "), name[first + 1 :].lstrip(" ").removesuffix(")")


class EntrantList:
    """The competitors of the event by number, with the additions and changes of tables."""

    def __init__(self, base: Document, log: Log, *, date_order: str = "") -> None:
        self.by_number = {each.number: each for each in base.competitors}
        self.places: dict[int, RowPlace] = {}
        self.log = log
        self.event, self.date_order = base.event, date_order
        # These are indexes: tables have thousands of rows.
        self._highest = max(self.by_number, default=0)
        self._names: dict[str, dict[int, None]] = {}
        self._codes: dict[str, set[int]] = {}
        self._players: dict[tuple[int, str | int], list[int]] = {}
        self._namesakes = Counter[str]()
        for each in self.by_number.values():
            self._index(each)

    def read(self, table: HeadedTable, mapping: TableMapping, *, is_team: bool) -> list[int | None]:
        """Add all rows. Return the number of the competitor of each row, None for an invalid row."""
        columns = {each: table.labels[at] for at, each in mapping.columns.items()}
        last: int | None = None
        numbers = []
        rows = [(row, values_of_row(row, mapping)) for row in table.rows]
        named = {(name_key(each.get("name", "")), each["number"]) for _, each in rows if "number" in each}
        self._namesakes = Counter(() if is_team else (name for name, _ in named))
        for row, values in rows:
            last = self._row(table.grid.place(row, columns), values, last, is_team=is_team)
            numbers.append(last)
        return numbers

    def add_side(self, place: RowPlace, name: str, number: str) -> None:
        """Add a competitor that a list of results names, unless only a number is given."""
        if name and not WHOLE.fullmatch(name):
            self._competitor(place, {"number": number, "name": name} if number else {"name": name})

    def learn(self, table: HeadedTable, mapping: TableMapping) -> None:
        """Learn the spellings of a table for competitors of the event, by FIDE id or a similar name."""
        by_id = {each.fide_id: each.number for each in self.by_number.values() if each.fide_id}
        alike: dict[tuple[str, ...], set[int]] = {}
        for each in self.by_number.values():
            for key in spellings_of_name(each.name):
                alike.setdefault(key, set()).add(each.number)
        for row in table.rows:
            values = values_of_row(row, mapping)
            name = values.get("name", "")
            if not name or self._names.get(name_key(name)):
                continue
            fide_id = whole_or_text(values.get("fide_id", ""))
            number = by_id.get(fide_id) if isinstance(fide_id, int) else None
            found = (
                {number}
                if number
                else next((alike[key] for key in spellings_of_name(name) if key in alike), set())
            )
            if len(found) == 1:
                self._names.setdefault(name_key(name), {}).update(dict.fromkeys(found))

    def named(self, text: str) -> int | None:
        """Return the number of the competitor with this number, name or code; None if there is none."""
        if found := WHOLE.fullmatch(text):
            return int(found[1]) if int(found[1]) in self.by_number else None
        numbers = [*(self._names.get(name_key(text)) or self._codes.get(text) or ())]
        # An ambiguous name or code is unknown: a guess could credit the wrong competitor.
        return numbers[0] if len(numbers) == 1 else None

    def _row(self, place: RowPlace, values: dict[str, str], last: int | None, *, is_team: bool) -> int | None:
        member = {each: text for each, text in values.items() if each in MEMBER}
        of_competitor = {each: text for each, text in values.items() if each in WHO}
        particulars = {each: text for each, text in values.items() if each in PARTICULARS}
        if not values:
            return None
        if not is_team:
            particulars |= {each: text for each, text in member.items() if each == "fide_id"}
        if not (is_team and member):
            return self._competitor(place, of_competitor | particulars)
        number = self._competitor(place, of_competitor) if of_competitor else last
        if number is None:
            if not of_competitor:
                text = "The team of this player is missing. Add the team in this row."
                self.log.add("player-without-team", place, text)
        else:
            self._member(place, number, member | particulars)
        return number

    # --- competitors --------------------------------------------------------------------------------------

    def _competitor(self, place: RowPlace, values: dict[str, str]) -> int | None:
        name = values.get("name", "")
        if remark := _REMARK.search(name):
            text = f"“{remark[1]}” after “{name[: remark.start()]}” is not read. Record the withdrawal."
            self.log.findings.append(warning("remark-in-name", place.key("name"), text))
            values |= {"name": name[: remark.start()]}
        if "title" not in values and (titled := _TITLED.fullmatch(values.get("name", ""))):
            values |= {"title": titled[1], "name": titled[2]}
        number = self._number(place, values)
        if number is None:
            return None
        known = self.by_number.get(number)
        raw: dict[str, Any] = {**self._raw(values, place), "number": number}
        if known and "name" not in raw:
            raw["name"] = known.name
        entry = read_object(CompetitorEntry, raw, place, self.log)
        if entry is None:
            return None
        read = competitor_of(entry, of_nations=self.event.has_nations)
        given = {name: getattr(read, name) for name in raw}
        self._put(replace(known, **given) if known else read, place)
        return number

    def _put(self, competitor: CompetitorEntry, place: RowPlace) -> None:
        number = competitor.number
        if known := self.by_number.get(number):
            self._codes.get(known.code, set()).discard(number)
            for writing in writings_of(known.name):
                self._names.get(name_key(writing), {}).pop(number, None)
        self.by_number[number] = competitor
        self.places[number] = place
        self._highest = max(self._highest, number)
        self._index(competitor)

    def _index(self, competitor: CompetitorEntry) -> None:
        for writing in writings_of(competitor.name):
            self._names.setdefault(name_key(writing), {})[competitor.number] = None
        if competitor.code:
            self._codes.setdefault(competitor.code, set()).add(competitor.number)

    def _number(self, place: RowPlace, values: dict[str, str]) -> int | None:
        given = values.get("number", "")
        named = list(self._names.get(name_key(values.get("name", "")), ()))
        if not given:
            return self._without_number(place, values, named)
        found = WHOLE.fullmatch(given)
        if not found:
            self.log.add("wrong-type", place.key("number"), f"“{given}” is not a whole number. Correct it.")
            return None
        number = int(found[1])
        if named and number not in named and self._namesakes[name_key(values["name"])] <= 1:
            text = (
                f"“{values['name']}” is number {named[0]} in the event, and {number} here. Correct it; if "
                "the cross table uses places, choose “places” for the column."
            )
            self.log.add("number-differs", place.key("number"), text)
            return None
        return number

    def _without_number(self, place: RowPlace, values: dict[str, str], named: list[int]) -> int | None:
        if len(named) > 1:
            text = f"“{values['name']}” is {len(named)} competitors. Give the number."
            self.log.add("name-of-several", place.key("name"), text)
            return None
        if named:
            return named[0]
        if "name" not in values:
            self.log.add(
                "missing-key", place.key("name"), "Neither a name nor a number. Add one, or cut the row."
            )
            return None
        return self._highest + 1

    # --- players of teams ---------------------------------------------------------------------------------

    def _member(self, place: RowPlace, number: int, values: dict[str, str]) -> None:
        # Findings about a player refer to the columns of the table, whose headings begin with `player_`.
        columns = {"name": "player", "title": "player_title", "rating": "player_rating"}
        labelled = {key: place.columns.get(columns.get(key, key), "") for key in field_names(PlayerEntry)}
        place = replace(place, columns=labelled)
        of_player = {
            "name" if each == "player" else each.removeprefix(_PREFIX): text for each, text in values.items()
        }
        raw = self._raw(of_player, place)
        player = read_object(PlayerEntry, raw, place, self.log)
        if player:
            team = self.by_number[number]
            self.by_number[number] = replace(team, players=self._with_player(team, player, raw))
            self.places[number] = place

    def _with_player(
        self, team: CompetitorEntry, player: PlayerEntry, given: Mapping[str, Any]
    ) -> tuple[PlayerEntry, ...]:
        players = team.players
        if players and (team.number, players[0].name) not in self._players:
            for at, each in enumerate(players):
                self._index_player(team.number, each, at)
        alike = (
            at
            for key in (player.name, player.fide_id or 0)
            for at in self._players.get((team.number, key), ())
        )
        at = min((at for at in alike if _is_same_player(players[at], player)), default=len(players))
        if at == len(players):
            self._index_player(team.number, player, at)
            return (*players, player)
        changed = replace(players[at], **{name: getattr(player, name) for name in given})
        self._index_player(team.number, changed, at)
        return (*players[:at], changed, *players[at + 1 :])

    def _raw(self, values: Mapping[str, str], place: RowPlace) -> dict[str, Any]:
        raw = raw_values(values, self.date_order)
        code = raw.get("code", "")
        is_too_long = len(code) > _LONGEST_CODE
        if is_too_long or (len(code) > len("GEO2") and not (self.event.is_team or code.isupper())):
            text = f"“{code}” is no known country{', so it was left out' if is_too_long else ''}."
            text += " Write its code, such as NED."
            self.log.findings.append(warning("unknown-country", place.key("code"), text))
            raw = {key: value for key, value in raw.items() if key != "code" or not is_too_long}
        if "title" in raw:
            fide = _IN_CHESS.get(raw["title"].upper()) if self.event.discipline == "chess" else None
            raw["title"] = read_title(fide or raw["title"], place.key("title"), self.log.findings)
            if not raw["title"]:
                del raw["title"]
        return raw

    def _index_player(self, team: int, player: PlayerEntry, at: int) -> None:
        for key in (player.name, player.fide_id or 0):
            self._players.setdefault((team, key), []).append(at)


def _is_same_player(player: PlayerEntry, other: PlayerEntry) -> bool:
    if player.fide_id and other.fide_id:
        return player.fide_id == other.fide_id
    return player.name == other.name


def values_of_row(row: GridRow, mapping: TableMapping) -> dict[str, str]:
    """Return the texts of the row by field, without blanks. A name in a second script follows the first."""
    values: dict[str, str] = {}
    for at, each in mapping.columns.items():
        if text := row.cell(at):
            # Several columns may have categories.
            values[each] = f"{values[each]}, {text}" if each == "categories" and each in values else text
    given, name = values.pop("given_name", ""), values.get("name", "")
    if not {*name_key(given).split()} <= {*name_key(name).replace(",", " ").split()}:
        values["name"] = f"{name}, {given}" if name else given
    other = values.pop("other_name", "")
    if other and name_key(other) not in map(name_key, writings_of(values.get("name", ""))):
        values["name"] = f"{values['name']} ({other})" if "name" in values else other
    return values


def raw_values(values: Mapping[str, str], date_order: str) -> dict[str, Any]:
    """Return the values of texts by field, as an event file has them; invalid texts stay as they are."""
    raw: dict[str, Any] = {}
    for name, text in values.items():
        if name == "outside":
            raw[name] = TRUTHS.get(text.casefold(), text)
        elif name == "rating" and (found := _CLASSED.fullmatch(text)):
            letter, rating = found[1] or found[4], found[2] or found[3]
            raw |= {"rating_class": letter.lower(), "rating": int(rating)}
        elif name == "board" and text.casefold().strip(".") in {"r", "res"}:
            continue  # a reserve has no board
        elif name in WHOLE_FIELDS:
            raw[name] = whole_or_text(text)
        elif name == "code" and len(text) > len("NED"):
            raw[name] = code_of_name(text, with_past=True) or text
        elif name == "sex":
            raw[name] = SEX_OF_LETTER.get(text[:1].casefold(), text)
        elif name == "born":
            raw[name] = iso_date(text, date_order, invalid=text)
        elif name == "categories":
            raw[name] = list(dict.fromkeys(filter(None, map(str.strip, re.split("[,;/]", text)))))
        else:
            raw[name] = text
    return {name: value for name, value in raw.items() if value or name not in _ZERO_IF_UNKNOWN}

"""Pairings from a table of results: a row for each pairing, and rows for the boards after each match."""

import re
from collections.abc import Mapping
from typing import Any

from tournaments.event.choices import Kind, PairingColours
from tournaments.event.dates import AmbiguousDateError, DateError, read_date
from tournaments.event.document import EventEntry
from tournaments.event.finding import objection, warning
from tournaments.event.resultcodes import (
    ResultError,
    parse_half_points,
    read_game,
    read_match,
    read_round_off,
)
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.tables.entrants import WHOLE, EntrantList, whole_or_text
from tournaments.interchange.formats.tables.grid import RowPlace, as_day
from tournaments.interchange.formats.tables.headings import HeadedTable, TableMapping
from tournaments.interchange.formats.tables.merging import TabledPairing, raw_result, score

SIDES = ("first", "second")
FORFEITS = frozenset({"+", "-"})
_SPACED_FORFEIT = re.compile(r"([+-])\s+[-:]\s+([+-])")
_FORFEIT_BEHIND = re.compile(r"([01])\s*[-:]\s*([01])\s*(?:f|ff|k|wo|w/o)", re.IGNORECASE)
_NOUGHT = re.compile(r"0\s*[-–:]\s*0")
_DRAWN = frozenset({"remis", "draw", "drawn", "tablas", "nulle", "patta", "ничья"})


class ResultRows:
    """Reads the pairings from the rows of a table."""

    def __init__(self, event: EventEntry, entrants: EntrantList, log: Log, date_order: str = "") -> None:
        self.event, self.entrants, self.log, self.date_order = event, entrants, log, date_order
        self.pairings: list[TabledPairing] = []
        self.strangers: list[str] = []  # skipped games of players who are not in the event

    def read(
        self, table: HeadedTable, mapping: TableMapping, *, leaves_out: bool = False
    ) -> list[TabledPairing]:
        """Return the pairings of the rows. Invalid rows are omitted with a finding.

        `leaves_out`: skip games of players who are not in the event, with an objection.
        """
        columns = {each: table.labels[at] for at, each in mapping.columns.items()}
        for row in table.rows:
            place = table.grid.place(row, columns)
            values = {each: text for at, each in mapping.columns.items() if (text := row.cell(at))}
            if values:
                self._row(place, values, leaves_out=leaves_out)
        return self.pairings

    def _row(self, place: RowPlace, values: dict[str, str], *, leaves_out: bool) -> None:
        number = self._round(place, values)
        if number is None:
            return
        if not self.event.is_team and "board" in values:  # a board of players is their table
            values.setdefault("table", values.pop("board"))
        if leaves_out and self._is_of_strangers(place, values):
            return
        sides = {side: self._side(place, values, side) for side in SIDES}
        if not sides["first"] or (sides["second"] is None and self._names(values, "second")):
            return
        raw: dict[str, Any] = {side: each for side, each in sides.items() if each}
        if "table" in values:
            raw["table"] = whole_or_text(values["table"])
        place = place.seated(number, raw["table"] if isinstance(raw.get("table"), int) else None)
        if "board" in values:
            self._board(number, place, values, raw)
        elif (result := self._result(place, _with_note_of_nought(values), raw)) is not None:
            values = _with_note_of_nought(values)
            raw |= result | {key: values[key] for key in ("moves", "note") if key in values}
            is_sided = values.get("white") != PairingColours.UNKNOWN
            date = self._date(place, values)
            self.pairings.append(TabledPairing(number, place, raw, date=date, is_sided=is_sided))

    def _round(self, place: RowPlace, values: Mapping[str, str]) -> int | None:
        found = WHOLE.fullmatch(values.get("round", ""))
        if found and int(found[1]) > 0:
            return int(found[1])
        text = f"“{values['round']}” is no round." if "round" in values else "The round is missing."
        self.log.add("no-round", place.key("round"), f"{text} Write its number.")
        return None

    def _date(self, place: RowPlace, values: Mapping[str, str]) -> str:
        try:
            read = read_date(values.get("date", ""), self.date_order)
        except AmbiguousDateError as problem:
            self.log.add("ambiguous-date", place.key("date"), str(problem))
            return ""
        except DateError as problem:
            self.log.add("bad-date", place.key("date"), str(problem))
            return ""
        if read.remark and not self.date_order:
            text = f"{read.remark}. Choose the order of dates if this is wrong."
            self.log.findings.append(warning("short-year", place.key("date"), text))
        return read.date

    # --- sides --------------------------------------------------------------------------------------------

    def _names(self, values: Mapping[str, str], side: str) -> str:
        return values.get(f"{side}_number", "") or values.get(side, "")

    def _side(self, place: RowPlace, values: Mapping[str, str], side: str) -> int | None:
        text = self._names(values, side)
        if not text and side == "second":
            return None
        number = self.entrants.named(text)
        if number is None:
            key = f"{side}_number" if values.get(f"{side}_number") else side
            problem = (
                f"“{text}” is no competitor of this event, or several."
                if text
                else ("The names of the players are missing.")
            )
            self.log.add(
                "unknown-competitor", place.key(key), f"{problem} Write a number or a name of the list."
            )
        return number

    def _is_of_strangers(self, place: RowPlace, values: Mapping[str, str]) -> bool:
        names = [name for side in SIDES if (name := self._names(values, side))]
        if all(self.entrants.named(name) is not None for name in names):
            return False
        game = " – ".join(names)
        text = (
            f"{game}: this event does not have both. Write their names as it has them, or leave the game out."
        )
        self.log.findings.append(objection("game-of-strangers", place, text))
        self.strangers.append(game)
        return True

    # --- results ------------------------------------------------------------------------------------------

    def _result(
        self, place: RowPlace, values: Mapping[str, str], raw: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """Return the result as in an event file; None with a finding for an invalid result."""
        column, text = "result", _joined_scores(values)
        try:
            if _has_kind(values):
                return _of_kind(values)
            if "second" not in raw:
                return raw_result(read_round_off(text or values.get("kind", "") or "bye", self.event))
            return raw_result(self._read(text, values, is_match=self.event.is_team))
        except ResultError as problem:
            column = column if column in values else "first_score"
            self.log.add("no-result", place.key(column), f"{as_day(text)}{problem}")
            return None

    def _read(self, text: str, values: Mapping[str, str], *, is_match: bool) -> Any:
        code = _spelled_result(text)
        if is_match:
            return read_match(code, self.event)
        return read_game(code, self.event, note=values.get("note", ""))

    def _board(self, number: int, place: RowPlace, values: Mapping[str, str], raw: dict[str, Any]) -> None:
        # The nearest match above: boards follow their match.
        match = next((each for each in reversed(self.pairings) if self._is_match(each, number, raw)), None)
        if match is None:
            text = (
                "The match of this board is missing above it. Write the row of the match first, without a "
                "board."
            )
            self.log.add("board-without-match", place.key("board"), text)
            return
        game = self._game(place, values)
        if game is not None:
            match.boards.append((place, game))

    def _is_match(self, tabled: TabledPairing, number: int, raw: Mapping[str, Any]) -> bool:
        return tabled.round == number and all(tabled.raw.get(side) == raw.get(side) for side in SIDES)

    def _game(self, place: RowPlace, values: Mapping[str, str]) -> dict[str, Any] | None:
        try:
            result = (
                _of_kind(values)
                if _has_kind(values)
                else raw_result(self._read(_joined_scores(values), values, is_match=False))
            )
        except ResultError as problem:
            self.log.add("no-result", place.key("result"), str(problem))
            return None
        players = {side: values[f"{side}_player"] for side in SIDES if f"{side}_player" in values}
        others = {key: values[key] for key in ("white", "moves") if key in values}
        return {"board": whole_or_text(values["board"]), **players, **others, **result}


def _spelled_result(text: str) -> str:
    """Return a result in the spelling of result entry.

    Lists have forfeits as `1-0F` or `+ : -`, draws as a word.
    """
    if found := _FORFEIT_BEHIND.fullmatch(text):
        return "".join("+" if each == "1" else "-" for each in found.groups())
    if text.casefold() in _DRAWN:
        return "="
    return "" if text.strip() == "*" else _SPACED_FORFEIT.sub(r"\1\2", text)


def _with_note_of_nought(values: Mapping[str, str]) -> dict[str, str]:
    is_nought = _NOUGHT.fullmatch(values.get("result", "")) is not None
    return {"note": "0-0, as the source has it."} | dict(values) if is_nought else dict(values)


def _has_kind(values: Mapping[str, str]) -> bool:
    return values.get("kind", "") in Kind.values and "result" not in values


def _of_kind(values: Mapping[str, str]) -> dict[str, Any]:
    """Return the result of a row with a kind and both scores, as in the tables of this site."""
    raw: dict[str, Any] = {"kind": values["kind"]}
    if "first_score" in values:
        second = values.get("second_score")
        raw["score"] = [
            score(parse_half_points(values["first_score"])),
            score(parse_half_points(second)) if second else None,
        ]
    for key in ("advantage", "games_played"):
        if key in values:
            raw[key] = whole_or_text(values[key])
    return raw


def _joined_scores(values: Mapping[str, str]) -> str:
    if "result" in values:
        return values["result"]
    first, second = values.get("first_score", ""), values.get("second_score", "")
    if {first, second} <= FORFEITS and first:
        return first + second
    return f"{first}-{second}" if first and second else first or second

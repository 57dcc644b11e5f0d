"""Pairings from a list of games: a row for each pairing, and rows for the boards after each match."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tournaments.event.choices import Kind, PairingColours
from tournaments.event.dates import AmbiguousDateError, DateError, read_date
from tournaments.event.document import EventEntry
from tournaments.event.finding import objection, warning
from tournaments.event.resultcodes import (
    PairingResult,
    ResultError,
    parse_half_points,
    read_game,
    read_match,
    read_round_off,
)
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.tables.entrants import EntrantList
from tournaments.interchange.formats.tables.grid import RowPlace, as_day
from tournaments.interchange.formats.tables.listed_games import GameList, ListedGame
from tournaments.interchange.formats.tables.merging import TabledPairing, raw_result, score

_SPACED_FORFEIT = re.compile(r"([+-])\s+[-:]\s+([+-])")
_FORFEIT_BEHIND = re.compile(
    r"(\d{1,2}+)½?\s*+f?\s*+[-:–]\s*+(\d{1,2}+)½?\s*+\(?(?:f|ff|k|wo|w/o)\)?", re.IGNORECASE
)
_NOUGHT = re.compile(r"0\s*[-–:]\s*0")
_DRAWN = frozenset({"remis", "draw", "drawn", "tablas", "nulle", "patta", "ничья"})


class ResultRows:
    """Reads the pairings from lists of games."""

    def __init__(self, event: EventEntry, entrants: EntrantList, log: Log, date_order: str = "") -> None:
        self.event, self.entrants, self.log, self.date_order = event, entrants, log, date_order
        self.pairings: list[TabledPairing] = []
        self.strangers: list[str] = []  # skipped games of players who are not in the event

    def read(self, listed: GameList, *, leaves_out: bool = False) -> list[TabledPairing]:
        """Return the pairings of the games. Invalid games are omitted with a finding.

        `leaves_out`: skip games of players who are not in the event, with an objection.
        """
        for each in listed.games:
            self._add(listed.place(each), each, leaves_out=leaves_out)
        return self.pairings

    def _add(self, place: RowPlace, game: ListedGame, *, leaves_out: bool) -> None:
        number = self._round(place, game)
        if number is None or (leaves_out and self._is_of_strangers(place, game)):
            return
        if not self.event.is_team and game.board is not None:  # a board of players is their table
            game = replace(game, table=game.board if game.table is None else game.table, board=None)
        if _NOUGHT.fullmatch(game.result) and not game.note and game.board is None:
            game = replace(game, note="0-0, as the source has it.")
        sides = {side: self._side(place, game, side) for side in game.sides}
        if not sides["first"] or (sides["second"] is None and game.second.reference):
            return
        raw: dict[str, Any] = {side: each for side, each in sides.items() if each}
        if game.table is not None:
            raw["table"] = game.table
        place = place.seated(number, game.table if isinstance(game.table, int) else None)
        if game.board is not None:
            self._add_board(number, place, game, raw)
        elif (result := self._result(place, game, is_round_off="second" not in raw)) is not None:
            raw |= result | {key: text for key in ("moves", "note") if (text := getattr(game, key))}
            is_sided = game.white != PairingColours.UNKNOWN
            date = self._date(place, game.date)
            self.pairings.append(
                TabledPairing(number, place, raw, date=date, time=game.time, is_sided=is_sided)
            )

    def _round(self, place: RowPlace, game: ListedGame) -> int | None:
        if isinstance(game.round, int) and game.round > 0:
            return game.round
        text = "The round is missing." if game.round is None else f"“{game.round}” is no round."
        self.log.add("no-round", place.key("round"), f"{text} Write its number.")
        return None

    def _date(self, place: RowPlace, text: str) -> str:
        try:
            read = read_date(text, self.date_order)
        except AmbiguousDateError as problem:
            self.log.add("ambiguous-date", place.key("date"), str(problem))
            return ""
        except DateError as problem:
            self.log.add("bad-date", place.key("date"), str(problem))
            return ""
        if read.remark and not self.date_order:
            remark = f"{read.remark}. Choose the order of dates if this is wrong."
            self.log.findings.append(warning("short-year", place.key("date"), remark))
        return read.date

    # --- sides --------------------------------------------------------------------------------------------

    def _side(self, place: RowPlace, game: ListedGame, side: str) -> int | None:
        text = game.sides[side].reference
        if not text and side == "second":
            return None
        number = self.entrants.named(text)
        if number is None:
            key = f"{side}_number" if game.sides[side].number else side
            problem = (
                f"“{text}” is no competitor of this event, or several."
                if text
                else "The names of the players are missing."
            )
            self.log.add(
                "unknown-competitor", place.key(key), f"{problem} Write a number or a name of the list."
            )
        return number

    def _is_of_strangers(self, place: RowPlace, game: ListedGame) -> bool:
        names = [side.reference for side in game.sides.values() if side.reference]
        if all(self.entrants.named(name) is not None for name in names):
            return False
        pair = " – ".join(names)
        text = (
            f"{pair}: this event does not have both. Write their names as it has them, or leave the game out."
        )
        self.log.findings.append(objection("game-of-strangers", place, text))
        self.strangers.append(pair)
        return True

    # --- results ------------------------------------------------------------------------------------------

    def _result(self, place: RowPlace, game: ListedGame, *, is_round_off: bool) -> dict[str, Any] | None:
        text = game.result_text
        try:
            if _has_kind(game):
                return _of_kind(game)
            if is_round_off:
                return raw_result(read_round_off(text or game.kind or "bye", self.event))
            return raw_result(self._parsed(game, is_match=self.event.is_team))
        except ResultError as problem:
            column = "result" if game.result else "first_score"
            self.log.add("no-result", place.key(column), f"{as_day(text)}{problem}")
            return None

    def _parsed(self, game: ListedGame, *, is_match: bool) -> PairingResult:
        code = spelled_result(game.result_text)
        return read_match(code, self.event) if is_match else read_game(code, self.event, note=game.note)

    def _add_board(self, number: int, place: RowPlace, game: ListedGame, raw: Mapping[str, Any]) -> None:
        # The nearest match above: boards follow their match.
        sides = (raw.get("first"), raw.get("second"))
        match = next(
            (
                each
                for each in reversed(self.pairings)
                if each.round == number and (each.raw.get("first"), each.raw.get("second")) == sides
            ),
            None,
        )
        if match is None:
            text = (
                "The match of this board is missing above it. Write the row of the match first, without a "
                "board."
            )
            self.log.add("board-without-match", place.key("board"), text)
            return
        try:
            result = _of_kind(game) if _has_kind(game) else raw_result(self._parsed(game, is_match=False))
        except ResultError as problem:
            self.log.add("no-result", place.key("result"), str(problem))
            return
        players = {name: side.player for name, side in game.sides.items() if side.player}
        others = {key: text for key in ("white", "moves") if (text := getattr(game, key))}
        match.boards.append((place, {"board": game.board, **players, **others, **result}))


def spelled_result(text: str) -> str:
    """Return a result in the spelling of result entry.

    Lists have forfeits as `1-0F`, `4F : 0F`, `0–1 (F)` or `+ : -`, draws as a word.
    """
    if found := _FORFEIT_BEHIND.fullmatch(text):
        return "".join("+" if int(each) else "-" for each in found.groups())
    if text.casefold() in _DRAWN:
        return "="
    return "" if text.strip() == "*" else _SPACED_FORFEIT.sub(r"\1\2", text)


def _has_kind(game: ListedGame) -> bool:
    return game.kind in Kind.values and not game.result


def _of_kind(game: ListedGame) -> dict[str, Any]:
    raw: dict[str, Any] = {"kind": game.kind}
    if game.scores.first != "":
        first, second = (
            each if isinstance(each, int) else parse_half_points(each) if each else None
            for each in game.scores
        )
        raw["score"] = [each if each is None else score(each) for each in (first, second)]
    if game.advantage:
        raw["advantage"] = game.advantage
    if game.games_played is not None:
        raw["games_played"] = game.games_played
    return raw

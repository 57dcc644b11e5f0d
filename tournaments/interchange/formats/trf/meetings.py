"""The games of a round from the cells of both players, with their contradictions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournaments.event.document import EventEntry
from tournaments.event.finding import Place, error, warning
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.trf.cells import (
    GameOutcome,
    RoundCell,
    game_points_of,
    one_sided,
    outcome_of_codes,
)
from tournaments.interchange.formats.trf.records import PlayerRecord


@dataclass(frozen=True, slots=True)
class ReportedMeeting:
    """A game of a round. `white`: blank if unknown."""

    first: PlayerRecord
    second: PlayerRecord
    white: str
    outcome: GameOutcome


UnopposedCell = tuple[PlayerRecord, RoundCell]


def meetings_of_round(
    event: EventEntry, players: Mapping[int, PlayerRecord], round_: int, log: Log
) -> tuple[list[ReportedMeeting], list[UnopposedCell]]:
    """Return the games of a round, each once, and the cells without an opponent. Rounds are from 0."""
    meetings, alone, seen = list[ReportedMeeting](), list[UnopposedCell](), set[int]()
    for number, player in players.items():
        cell = player.at(round_)
        if cell is None or number in seen:
            continue
        if not cell.opponent:
            alone.append((player, cell))
        elif found := _meeting_of_cells(event, players, player, cell, round_, log):
            meetings.append(found)
            seen.add(cell.opponent)
        elif (
            (other := players.get(cell.opponent))
            and (answer := other.at(round_))
            and answer.opponent == number
        ):
            seen.add(cell.opponent)  # each fault of a game is reported once
    return meetings, alone


def _meeting_of_cells(
    event: EventEntry,
    players: Mapping[int, PlayerRecord],
    player: PlayerRecord,
    cell: RoundCell,
    round_: int,
    log: Log,
) -> ReportedMeeting | None:
    other, place = players.get(cell.opponent), Place(player.line.place.path, round=round_ + 1)
    if other is None:
        text = (
            f"Player {player.number} meets number {cell.opponent}, but no record 001 has this number. "
            "Correct one of the two."
        )
        log.findings.append(error("unknown-number", place, text))
        return None
    if other is player:
        text = f"Player {player.number} meets himself. Correct the opponent."
        log.findings.append(error("plays-himself", place, text))
        return None
    # A record that ends before this round is no contradiction.
    answer = other.at(round_) or RoundCell(player.number, "", "")
    if answer.opponent != player.number:
        named = f"number {answer.opponent}" if answer.opponent else "no player"
        text = (
            f"Player {player.number} meets {cell.opponent}, but the record of that player (line "
            f"{other.line.number}) has {named} as opponent in that round. Correct one of the two."
        )
        log.findings.append(error("contradictory-opponents", place, text))
        return None
    codes = (cell.code, answer.code)
    ended = outcome_of_codes(game_points_of(event), *codes)
    if ended is None or ended.kind in {"pending", "unknown"}:
        ended = _reconciled(event, player, other, codes, ended, place, log)
    if ended is None:
        return None
    if cell.colour and cell.colour == answer.colour:
        both = {"w": "White", "b": "Black"}[cell.colour]
        text = (
            f"Player {player.number} and player {other.number} (line {other.line.number}) both have {both}; "
            f"player {player.number} is believed. Correct the other record."
        )
        log.findings.append(warning("same-colours", place, text))
    colour = cell.colour or {"w": "b", "b": "w"}.get(answer.colour, "")
    if colour == "b":
        return ReportedMeeting(other, player, "first", replace(ended, first=ended.second, second=ended.first))
    return ReportedMeeting(player, other, "first" if colour else "", ended)


def _reconciled(
    event: EventEntry,
    player: PlayerRecord,
    other: PlayerRecord,
    codes: tuple[str, str],
    ended: GameOutcome | None,
    place: Place,
    log: Log,
) -> GameOutcome | None:
    # Equal codes without a result: a game to be played, or an unknown result.
    if codes[0] == codes[1] and ended:
        return ended
    texts = " and ".join(f"“{code}”" if code else "no value" for code in codes)
    who = f"Player {player.number} and player {other.number} (line {other.line.number}) have {texts}"
    if both := one_sided(*codes):
        text = f"{who}: taken for “{both[0]}” and “{both[1]}”. Correct the record that is wrong."
        log.findings.append(warning("one-sided-result", place, text))
        return outcome_of_codes(game_points_of(event), *both)
    if ended is None:
        log.findings.append(
            error("contradictory-results", place, f"{who}, which cannot both be. Correct one.")
        )
    return ended

"""The lines of the results screen: players, results, keys, and results that players sent."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from zlib import crc32

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournaments.event.choices import PairingSide
from tournaments.event.numbers import points_text
from tournaments.event.resultcodes import (
    DELAY_KEYS,
    ROUNDS_OFF,
    buttons_of,
    read_game,
    read_match,
    read_round_off,
    result_keys,
)
from tournaments.event.scores import full_score, listed_results
from tournaments.models import Competitor, Event, Pairing, Player, ResultSent, Round
from tournaments.recording.results.from_players import AGREED, DIFFERENT, SentByPlayers, newest_in, sent_in
from tournaments.recording.results.sheets import ResultLine

OFF, TOTAL, UNCOLOURED = "off", "total", "uncoloured"
SEATS = ("first", "second", UNCOLOURED, TOTAL, OFF)
TOTAL_KEYS = ("+", "-", "x", *DELAY_KEYS)
OFF_KEYS = ("y", "=", "5", "0", "-")
HIGHEST_KEYED_WIN = 4
"""In half-points. If a win is more, as in 12-0, points are typed as numbers."""

SIGNS = {"first": ("○", "●"), "second": ("●", "○")}


@dataclass(frozen=True, slots=True)
class BoardSide:
    """A side of a line. `colour`: sign of the colour, blank if it is unknown."""

    name: str
    title: str = ""
    code: str = ""
    rating: int | None = None
    colour: str = ""

    @property
    def colour_word(self) -> str:
        return {"○": _("White"), "●": _("Black")}.get(self.colour, "")


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A line of the screen. `key`: its name in forms. `seat`: decides which keys it accepts."""

    key: str
    line: ResultLine
    first: BoardSide
    second: BoardSide | None
    seat: str

    @property
    def name(self) -> str:
        pairing = self.line.pairing
        first, second = self.first.name or pairing.first.name, self.second and self.second.name
        sides = {"first": first, "second": second or pairing.second}
        values = {"label": self.line.label, **sides}
        if self.second is None:
            return _("%(label)s: %(first)s, no opponent") % values
        return _("%(label)s: %(first)s against %(second)s") % values


@dataclass(frozen=True, slots=True)
class PairingRows:
    """The lines of a pairing. `has_boards`: the lines are boards of a match."""

    pairing: Pairing
    rows: Sequence[BoardRow]
    has_boards: bool

    @property
    def sum(self) -> str:
        """Return the sum of the boards so far, blank before the first result."""
        games = [row.line.game for row in self.rows if row.line.game]
        # A bye on a board has no second score, which counts as zero.
        scores = [
            (game.first_score, game.second_score or 0) for game in games if game.first_score is not None
        ]
        if not scores:
            return ""
        return " : ".join(points_text(sum(side)) for side in zip(*scores, strict=True))


def round_of(event: Event, number: int) -> Round:
    """Return the round with its event. Raise Http404 if there is no such round."""
    found = get_object_or_404(event.rounds, number=number)
    # Avoids a query for the event in every line.
    found.event = event
    return found


def line_key(line: ResultLine) -> str:
    """Return the name of a line in forms: key of the pairing and board, 0 without a board."""
    return f"{line.pairing.pk}-{line.board or 0}"


def rows_by_pairing(rows: Iterable[BoardRow]) -> list[PairingRows]:
    grouped = groupby(rows, key=lambda row: row.line.pairing.pk)
    return [
        PairingRows(found[0].line.pairing, found, any(row.line.board is not None for row in found))
        for found in (list(group) for _key, group in grouped)
    ]


def keys_at(event: Event, seat: str) -> dict[str, str]:
    """Return the result of each single key of a line. `?` is excluded, because it shows the keys."""
    if seat == OFF:
        return {key: str(read_round_off(key, event)) for key in OFF_KEYS}
    if seat == TOTAL:
        return {key: str(read_match(key, event)) for key in TOTAL_KEYS}
    keyed = result_keys(event, "" if seat == UNCOLOURED else seat)
    # A 1 may be the start of 12, so digits must wait for Enter.
    in_full = "?0123456789" if needs_figures(event) else "?"
    return {key: result for key, result in keyed.items() if key not in in_full}


def needs_figures(event: Event) -> bool:
    """Return whether points can have more than a digit, so that Enter ends them."""
    return event.game_win > HIGHEST_KEYED_WIN


def figures_of(event: Event) -> list[tuple[str, str]]:
    """Return the results for White's points, the most first: `("1½", "1½-1")`."""
    if not needs_figures(event):
        return []
    figures = {side for sides in listed_results(event) for side in sides}
    points = figures or {event.game_win, event.game_draw, event.game_loss}
    typed = [points_text(side) for side in sorted(points, reverse=True)]
    return [(each, str(read_game(each, event))) for each in typed]


def off_key_legend(event: Event) -> list[tuple[list[str], str]]:
    labels = {"BYE": _("bye"), "½bye": _("half-point bye"), "0bye": _("zero-point bye"), "–": _("absent")}
    return [(keys, labels[result]) for keys, result in keys_by_result(keys_at(event, OFF))]


def beginnings_at(event: Event, seat: str) -> str:
    """Return the characters that can start a typed result. `?` is excluded, because it shows the keys."""
    if seat == OFF:
        return "".join(sorted({word[0] for word in ROUNDS_OFF}))
    most = full_score(event) if seat == TOTAL else event.game_win
    figures = {points_text(half)[0] for half in range(most + 1)}
    return "".join(sorted({*figures, *"+-–="}))


def seats_json(event: Event) -> dict[str, str]:
    """Return keys, first characters and buttons of each kind of line, as JSON for the script."""
    whites = {"first": "first", "second": "second", UNCOLOURED: ""}  # other lines have no buttons
    texts = {
        "seats": {seat: keys_at(event, seat) for seat in SEATS},
        "begins": {seat: beginnings_at(event, seat) for seat in SEATS},
        "taps": {seat: buttons_of(event, white) for seat, white in whites.items()},
    }
    return {name: json.dumps(each, ensure_ascii=False) for name, each in texts.items()}


def shape_of(event: Event, rows: Iterable[BoardRow]) -> str:
    """Return a checksum of pairings, seats and epoch. The page reloads if it changes."""
    rows_as_text = [
        f"{row.key}|{row.first.name}|{row.second.name if row.second else ''}|{row.seat}" for row in rows
    ]
    # A short checksum is enough, because nobody gains by forging it.
    return f"{crc32(chr(10).join([event.epoch, *rows_as_text]).encode()):x}"


# --- rows -------------------------------------------------------------------------------------------------


def keys_by_result(keyed: Mapping[str, str]) -> list[tuple[list[str], str]]:
    by_result: dict[str, list[str]] = {}
    for key, result in keyed.items():
        by_result.setdefault(result, []).append(key)
    return [(keys, result) for result, keys in by_result.items()]


def board_row(event: Event, line: ResultLine) -> BoardRow:
    # The total of a match has no colours: its first team has White on every second board.
    signs = SIGNS.get(line.white, ("", "")) if line.board is not None or not event.is_team else ("", "")
    second = None if line.is_off else _board_side(line, "second", signs[1])
    first = _board_side(line, "first", "" if line.is_off else signs[0])
    return BoardRow(line_key(line), line, first, second, _seat_of(event, line))


def _seat_of(event: Event, line: ResultLine) -> str:
    if line.is_off:
        return OFF
    if event.is_team and line.board is None:
        return TOTAL
    return line.white or UNCOLOURED


def _board_side(line: ResultLine, side: str, sign: str) -> BoardSide:
    if line.board is None:
        competitor: Competitor = getattr(line.pairing, side)
        return BoardSide(competitor.name, competitor.title, competitor.code, competitor.rating, sign)
    player: Player | None = getattr(line.game, f"{side}_player") if line.game else None
    if player is None:
        return BoardSide("", colour=sign)
    return BoardSide(player.name, player.title, "", player.rating, sign)


# --- results sent by players, which count after an arbiter takes them -------------------------------------


@dataclass(frozen=True, slots=True)
class SentForLine:
    """What players sent for a line. `takes`: results that a button enters."""

    key: str
    line: ResultLine
    came: SentByPlayers

    @property
    def is_agreed(self) -> bool:
        """Return whether “take all” enters the result: the sides agree, and the line has no result yet."""
        return self.line.is_missing and self.came.state == AGREED

    @property
    def differs(self) -> bool:
        stored = self.line.text
        return self.came.state == DIFFERENT or (bool(stored) and self.came.texts != [stored])

    @property
    def takes(self) -> list[str]:
        return self.came.texts if self.line.is_missing else []

    @property
    def senders(self) -> list[tuple[ResultSent, str]]:
        return [(each, self._sender_label(each.side)) for each in self.came.sent]

    def _sender_label(self, side: str) -> str:
        if not side:
            return _("Unnamed player")
        if not self.line.white:
            return _("left") if side == PairingSide.FIRST else _("right")
        return _("White") if side == self.line.white else _("Black")


def sent_by_line(round_: Round, lines: Iterable[ResultLine]) -> dict[str, SentForLine]:
    """Return what players sent for these lines, by key of the line, with at most a single query."""
    sent = {} if round_.is_draft else sent_in(round_)
    keyed = ((line_key(line), line, sent.get((line.pairing.pk, line.board or 0))) for line in lines)
    return {key: SentForLine(key, line, result) for key, line, result in keyed if result}


def with_newest(revision: str, round_: Round) -> str:
    """Return the revision with the newest sent result, which is not part of the event's revision."""
    newest = newest_in(round_)
    return f"{revision}-{newest}" if newest else revision

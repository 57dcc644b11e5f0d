"""The lines of a results screen as they are printed: who plays, what is in, and which keys do what."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeGuard
from zlib import crc32

from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.event.numbers import points_text
from tournaments.event.resultcodes import (
    ROUNDS_OFF,
    buttons_of,
    keys_of,
    read_game,
    read_match,
    read_round_off,
)
from tournaments.event.scores import full_score, listed_results
from tournaments.models import Competitor, Event, Game, Pairing, Player, Round
from tournaments.recording.sheets import ResultLine

OFF, TOTAL, UNCOLOURED = "off", "total", "uncoloured"
SEATS = ("first", "second", UNCOLOURED, TOTAL, OFF)
TOTAL_KEYS = ("+", "-", "x")
OFF_KEYS = ("y", "=", "5", "0", "-")
HIGHEST_KEYED_WIN = 4
"""In half-points. Where a win is more, as in 12-0, figures are typed in full."""

SIGNS = {"first": ("○", "●"), "second": ("●", "○")}


@dataclass(frozen=True, slots=True)
class BoardSide:
    """One side of a line: a player with what tells him apart, and his colour as a sign and in a word."""

    name: str
    title: str = ""
    code: str = ""
    rating: int | None = None
    colour: str = ""

    @property
    def colour_word(self) -> str:
        """Return the colour for those who do not see the sign."""
        return {"○": _("White"), "●": _("Black")}.get(self.colour, "")


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A line of the screen. `key` names it in forms; `seat` says which keys it has."""

    key: str
    line: ResultLine
    first: BoardSide
    second: BoardSide | None
    seat: str

    @property
    def name(self) -> str:
        """Return the line in words, for the label of its field."""
        pairing = self.line.pairing
        first, second = self.first.name or pairing.first.name, self.second and self.second.name
        sides = {"first": first, "second": second or pairing.second}
        values = {"label": self.line.label, **sides}
        if self.second is None:
            return _("%(label)s: %(first)s, no opponent") % values
        return _("%(label)s: %(first)s against %(second)s") % values


@dataclass(frozen=True, slots=True)
class PairingRows:
    """The lines of one pairing; in a team event its head is the match."""

    pairing: Pairing
    rows: Sequence[BoardRow]
    has_boards: bool

    @property
    def sum(self) -> str:
        """Return the sum of the boards so far; blank before the first."""
        games = [row.line.game for row in self.rows if row.line.game]
        # A bye on a board has no second score, so it counts as none.
        scores = [
            (game.first_score, game.second_score or 0) for game in games if game.first_score is not None
        ]
        if not scores:
            return ""
        return " : ".join(points_text(sum(side)) for side in zip(*scores, strict=True))


def is_scored(game: Game | None) -> TypeGuard[Game]:
    """Say whether the board has a score."""
    return game is not None and game.first_score is not None


def round_of(event: Event, number: int) -> Round:
    """Return the round, with the event at hand; 404 where there is none."""
    found = event.rounds.filter(number=number).first()
    if found is None:
        raise Http404
    # Else every line would ask for the event again.
    found.event = event
    return found


def key_of(line: ResultLine) -> str:
    """Return the name of a line in forms: the pairing's key and the board, 0 for none."""
    return f"{line.pairing.pk}-{line.board or 0}"


def rows_of(event: Event, lines: Iterable[ResultLine]) -> list[BoardRow]:
    """Return the lines as the screen prints them."""
    return [_row(event, line) for line in lines]


def tables_of(rows: Iterable[BoardRow]) -> list[PairingRows]:
    """Return the rows by pairing, in their order."""
    grouped = groupby(rows, key=lambda row: row.line.pairing.pk)
    return [
        PairingRows(found[0].line.pairing, found, any(row.line.board is not None for row in found))
        for found in (list(group) for _key, group in grouped)
    ]


def keys_at(event: Event, seat: str) -> dict[str, str]:
    """Return the single keys of a line, and the result of each. `?` is none: it shows the keys."""
    if seat == OFF:
        return {key: str(read_round_off(key, event)) for key in OFF_KEYS}
    if seat == TOTAL:
        return {key: str(read_match(key, event)) for key in TOTAL_KEYS}
    keyed = keys_of(event, "" if seat == UNCOLOURED else seat)
    # A 1 may be the start of 12: a key that is a digit must wait for Enter.
    in_full = "?0123456789" if needs_figures(event) else "?"
    return {key: result for key, result in keyed.items() if key not in in_full}


def legend_of(event: Event) -> list[tuple[list[str], str]]:
    """Return the keys of a game and their results, for the eye: keys of one result together."""
    return _together(keys_at(event, "first"))


def needs_figures(event: Event) -> bool:
    """Say whether the points of a game take more than one key, so that Enter ends them."""
    return event.game_win > HIGHEST_KEYED_WIN


def figures_of(event: Event) -> list[tuple[str, str]]:
    """Return the results that White's points alone stand for, most first: `("1½", "1½-1")`."""
    if not needs_figures(event):
        return []
    figures = {side for sides in listed_results(event) for side in sides}
    points = figures or {event.game_win, event.game_draw, event.game_loss}
    typed = [points_text(side) for side in sorted(points, reverse=True)]
    return [(each, str(read_game(each, event))) for each in typed]


def off_legend_of(event: Event) -> list[tuple[list[str], str]]:
    """Return the same for a round without an opponent, in words."""
    words = {"BYE": _("bye"), "½bye": _("half-point bye"), "0bye": _("zero-point bye"), "–": _("absent")}
    return [(keys, words[result]) for keys, result in _together(keys_at(event, OFF))]


def beginnings_at(event: Event, seat: str) -> str:
    """Return the signs that a result typed in full may begin with. `?` shows the keys, and is none."""
    if seat == OFF:
        return "".join(sorted({word[0] for word in ROUNDS_OFF}))
    most = full_score(event) if seat == TOTAL else event.game_win
    figures = {points_text(half)[0] for half in range(most + 1)}
    return "".join(sorted({*figures, *"+-–="}))


def keys_of_seats(event: Event) -> str:
    """Return the keys of every kind of line, as JSON."""
    return json.dumps({seat: keys_at(event, seat) for seat in SEATS}, ensure_ascii=False)


def buttons_of_seats(event: Event) -> str:
    """Return the buttons of every kind of line that has some, usual and further ones, as JSON."""
    sides = {"first": "first", "second": "second", UNCOLOURED: ""}
    return json.dumps({seat: buttons_of(event, white) for seat, white in sides.items()}, ensure_ascii=False)


def beginnings_of_seats(event: Event) -> str:
    """Return the signs that a result may begin with in every kind of line, as JSON."""
    return json.dumps({seat: beginnings_at(event, seat) for seat in SEATS}, ensure_ascii=False)


def shape_of(event: Event, rows: Iterable[BoardRow]) -> str:
    """Return a checksum of pairings and seats, and of their epoch; the page reloads when it differs."""
    rows_as_text = [
        f"{row.key}|{row.first.name}|{row.second.name if row.second else ''}|{row.seat}" for row in rows
    ]
    # A short checksum is enough: it is compared with the one before, and nobody forges it.
    return f"{crc32(chr(10).join([event.epoch, *rows_as_text]).encode()):x}"


# --- how each is made -------------------------------------------------------------------------------------


def _together(keyed: Mapping[str, str]) -> list[tuple[list[str], str]]:
    by_result: dict[str, list[str]] = {}
    for key, result in keyed.items():
        by_result.setdefault(result, []).append(key)
    return [(keys, result) for result, keys in by_result.items()]


def _row(event: Event, line: ResultLine) -> BoardRow:
    # The total of a match has no colours: the team that is first has White on every second board.
    signs = SIGNS.get(line.white, ("", "")) if line.board is not None or not event.is_team else ("", "")
    second = None if line.is_off else _side(line, "second", signs[1])
    return BoardRow(
        key_of(line), line, _side(line, "first", "" if line.is_off else signs[0]), second, _seat(event, line)
    )


def _seat(event: Event, line: ResultLine) -> str:
    if line.is_off:
        return OFF
    if event.is_team and line.board is None:
        return TOTAL
    return line.white or UNCOLOURED


def _side(line: ResultLine, side: str, sign: str) -> BoardSide:
    if line.board is None:
        return _competitor(getattr(line.pairing, side), sign)
    player = getattr(line.game, f"{side}_player") if line.game else None
    return _player(player, sign)


def _competitor(who: Competitor, sign: str) -> BoardSide:
    return BoardSide(who.name, who.title, who.code, who.rating, sign)


def _player(player: Player | None, sign: str) -> BoardSide:
    return (
        BoardSide(player.name, player.title, "", player.rating, sign)
        if player
        else BoardSide("", colour=sign)
    )

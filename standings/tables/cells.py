"""The cells of the rounds: what happened to one competitor in one round, in a few signs and in words."""

from collections.abc import Callable, Collection, Iterator
from functools import cache as once
from functools import partial
from html import escape
from typing import Any, NamedTuple

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from numpy.typing import NDArray

from standings.engine import Crosstable, Ints, RoundKind, Scale, points_text
from tournaments.event.arrays import Entry

SIGN = {
    RoundKind.BYE: "BYE",
    RoundKind.HALF_BYE: "½bye",
    RoundKind.ZERO_BYE: "0bye",
    RoundKind.ABSENT: "–",
    RoundKind.UNKNOWN: "?",
}
WORDS = {
    RoundKind.BYE: gettext_lazy("bye"),
    RoundKind.HALF_BYE: gettext_lazy("half-point bye"),
    RoundKind.ZERO_BYE: gettext_lazy("zero-point bye"),
    RoundKind.ABSENT: gettext_lazy("absent"),
    RoundKind.UNKNOWN: gettext_lazy("result unknown"),
    RoundKind.PENDING: gettext_lazy("not yet played"),
    RoundKind.ANNULLED: gettext_lazy("annulled"),
}
ALONE = (RoundKind.BYE, RoundKind.HALF_BYE, RoundKind.ZERO_BYE, RoundKind.ABSENT)
BY_FORFEIT = {
    1: gettext_lazy("won by forfeit"),
    0: gettext_lazy("drawn by forfeit"),
    -1: gettext_lazy("lost by forfeit"),
}
SCORED = {
    (1, 0): gettext_lazy("won %(score)s"),
    (0, 0): gettext_lazy("drawn %(score)s"),
    (0, 1): gettext_lazy("drawn %(score)s with advantage"),
    (0, -1): gettext_lazy("drawn %(score)s with disadvantage"),
    (-1, 0): gettext_lazy("lost %(score)s"),
}
"""Outcome and advantage of what was played, in words."""

AGAINST = {
    1: gettext_lazy("white against %(name)s"),
    0: gettext_lazy("against %(name)s"),
    -1: gettext_lazy("black against %(name)s"),
}
ANNULLED = "n annulled"
RUNNING = "n running"
TINT = {1: "w", 0: "d", -1: "l"}
ADVANTAGE = {1: "+", 0: "", -1: "-"}
RESULT = {1: "+", 0: "=", -1: "−"}
LETTER = {1: "w", 0: "", -1: "b"}
FORM = {
    1: pgettext_lazy("letter of a result", "W"),
    0: pgettext_lazy("letter of a result", "D"),
    -1: pgettext_lazy("letter of a result", "L"),
}
FORM_ALONE = {
    RoundKind.BYE: pgettext_lazy("letter of a result", "B"),
    RoundKind.HALF_BYE: "½",
    RoundKind.ZERO_BYE: "0",
    RoundKind.ABSENT: "–",
    RoundKind.UNKNOWN: "?",
    RoundKind.PENDING: "·",
}
"""What stands in the square of a round on a phone, where nothing was played or nothing is known."""

COLOUR_FIRST, RESULT_FIRST = "W12", "+12w"
NAME = "\0"
"""Stands in a sentence where the name of the opponent will."""


class Style(NamedTuple):
    """How a reader wants the cells: a half-point shows as `shows` / `of` points; `cells` orders the signs."""

    shows: int = 1
    of: int = 2
    cells: str = ""

    def points(self, half_points: int) -> str:
        """Return the points of games as this reader sees them."""
        return points_text(half_points * self.shows, self.of)


AS_RECORDED = Style()


class RoundResult(NamedTuple):
    """The result of one competitor in a round, whoever the opponent was; scores in half-points.

    A match in progress has `open_boards`, and its running score: the points of the boards that are finished.
    """

    kind: int
    score: int
    opponent_score: int
    outcome: int
    advantage: int
    colour: int
    open_boards: int = 0


class CrosstableRound(NamedTuple):
    """One competitor's round: the opponent's row in the crosstable, -1 for nobody, and the table's number."""

    round: int
    opponent: int
    table: int
    result: RoundResult


def rounds_of_competitor(table: Crosstable, row: int) -> list[CrosstableRound]:
    """Return the rounds of one competitor, in order."""
    rounds = zip(
        table.opponent[row].tolist(),
        table.table_number[row].tolist(),
        zip(*(array[row].tolist() for array in _result_arrays(table)), strict=True),
        strict=True,
    )
    return [
        CrosstableRound(number, opponent, at, RoundResult(*result))
        for number, (opponent, at, result) in enumerate(rounds, start=1)
    ]


def results_of_round(table: Crosstable, number: int) -> list[RoundResult]:
    """Return the result of each competitor in a round, in the order of the crosstable."""
    return list(
        map(
            RoundResult._make,
            zip(*(array[:, number - 1].tolist() for array in _result_arrays(table)), strict=True),
        )
    )


def _result_arrays(table: Crosstable) -> tuple[Ints, ...]:
    """Return (n, rounds) each, in the order of RoundResult."""
    return table.remember("results as entered", _results_as_entered)


def _results_as_entered(table: Crosstable) -> tuple[Ints, ...]:
    annulled = table.state == RoundKind.ANNULLED
    running, open_boards = table.in_progress
    # An annulled result is shown as it was entered, and a match as far as it is played: neither counts.
    own = np.where(annulled, table.recorded(Scale.GAME), table.points(Scale.GAME) + running)
    opponents = table.of_opponent(own)
    return table.state, own, opponents, table.outcome, table.advantage, table.colour, open_boards


def _distinct(*arrays: NDArray[Any]) -> tuple[list[list[int]], Ints]:
    """Return each combination of figures in these (n, rounds) arrays once, and (n, rounds) its index."""
    figures = np.stack([array.ravel() for array in arrays])
    from_zero = figures - figures.min(axis=1, keepdims=True)
    # One integer per cell: np.unique takes thirty times as long over rows of figures.
    codes = np.ravel_multi_index(tuple(from_zero), tuple(from_zero.max(axis=1) + 1))
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    return figures[:, first].T.tolist(), which.reshape(arrays[0].shape)


class CellParts(NamedTuple):
    """The parts of a cell that do not depend on the opponent.

    `before` and `after` stand around the opponent's name, `opening` and `closing` around its number or code;
    `alone` is what stands in the cell where there is no opponent, `form` in the square on a phone.
    """

    css: str
    form: str
    before: str
    after: str
    opening: str
    closing: str
    alone: str


class CellFrame(NamedTuple):
    """The HTML around the table's number, the opponent's name and its label in all cells of one kind."""

    start: str
    named: str
    labelled: str
    end: str


def cell_parts(result: RoundResult, style: Style = AS_RECORDED, *, players: bool) -> CellParts:
    """Return the class that tints the cell, the words for who listens, the signs for who looks."""
    kind, form = RoundKind(result.kind), escape(form_letter(result))
    if kind in ALONE:
        return CellParts(tint(result), form, escape(str(WORDS[kind])), "", "", "", f"<b>{SIGN[kind]}")
    colour = result.colour if players else 0
    before, between = escape(AGAINST[colour] % {"name": NAME}).split(NAME)
    after = f"{between}, {escape(_result_words(result, style))}"
    shown = sign(result, style)
    around = _around(result, style, LETTER[colour], shown)
    return CellParts(tint(result), form, before, after, *around, f"<b>{shown}")


def _around(result: RoundResult, style: Style, letter: str, shown: str) -> tuple[str, str]:
    """Return the HTML before and after the opponent's number: `12w 1`, `W12 1` or `+12w`."""
    if style.cells == RESULT_FIRST and result.kind == RoundKind.PLAYED:
        return f"<b>{RESULT[result.outcome]}{ADVANTAGE[result.advantage]}", letter
    if style.cells == COLOUR_FIRST:
        return f"<small>{letter.upper()}", f"</small><b>{shown}"
    return "<small>", f"{letter}</small><b>{shown}"


class RoundCells:
    """Writes the round cells of an event as safe HTML; every cell is a link to its match or game."""

    def __init__(
        self,
        entries: list[Entry],
        label: Callable[[int], str],
        address: str,
        style: Style = AS_RECORDED,
        *,
        players: bool,
        linked_from: int = 1,
    ) -> None:
        """`label` says how a row of the crosstable is called in a cell, `address` where the event stands.

        Cells of rounds before `linked_from` are what is seen of them, without link or words.
        """
        # Escaped here, once each: a table has ten times as many cells as names. The last is nobody, row -1.
        self.names = [*(escape(entry.name) for entry in entries), ""]
        self.labels = [*(escape(label(row)) for row in range(len(entries))), ""]
        self.linked_from = linked_from
        self.address, self.ruled = escape(address), escape(_("changed by hand"))
        # A whole event has some twenty kinds of rounds: what each says is put together once.
        self.parts = once(partial(cell_parts, style=style, players=players))

    def columns(self, table: Crosstable, by_hand: Collection[tuple[int, int]]) -> Iterator[list[str]]:
        """Yield for each round the cells in the order of the crosstable; `by_hand` holds (row, round)."""
        if not table.rounds:  # empty arrays have no minimum
            return
        changed = np.zeros(table.shape, dtype=bool)
        for row, number in by_hand:
            changed[row, number - 1] = True
        kinds, kind_of = _distinct(
            *_result_arrays(table), table.table_number > 0, table.opponent >= 0, changed
        )
        rounds = zip(
            table.table_number.T.tolist(), table.opponent.T.tolist(), kind_of.T.tolist(), strict=True
        )
        for number, (tables, opponents, kind) in enumerate(rounds, start=1):
            if number < self.linked_from:
                seen = {at: self._seen(*kinds[at]) for at in set(kind)}
                starts_and_ends = map(seen.__getitem__, kind)
                yield [
                    f"{start}{self.labels[opponent]}{end}"
                    for opponent, (start, end) in zip(opponents, starts_and_ends, strict=True)
                ]
                continue
            heard = escape(spoken_round(number))
            frames = {at: self._frame(number, heard, *kinds[at]) for at in set(kind)}
            yield [
                f"{start}{at or ''}{named}{self.names[opponent]}{labelled}{self.labels[opponent]}{end}"
                for at, opponent, (start, named, labelled, end) in zip(
                    tables, opponents, map(frames.__getitem__, kind), strict=True
                )
            ]

    def words(self, competitor_round: CrosstableRound, *, changed: bool = False) -> str:
        """Return the result as it is read aloud, already escaped: `white against Fox, won 2-0`.

        `changed`: an arbiter changed the pairing.
        """
        parts = self.parts(competitor_round.result)
        ruled = f", {self.ruled}" if changed else ""
        return f"{parts.before}{self.names[competitor_round.opponent]}{parts.after}{ruled}"

    def _seen(self, *kind: int) -> tuple[str, str]:
        """Return the HTML before and after the label in a cell that is no link; `kind` as in `_frame`."""
        *fields, _seated, paired, by_hand = kind
        css, _form, _before, _after, opening, closing, alone = self.parts(RoundResult(*fields))
        mark = "*" if by_hand else ""
        signs, rest = (opening, closing) if paired else (alone, "")
        return f'<td role="cell" class="r {css}">{signs}', f"{rest}{mark}</b></td>"

    def _frame(self, number: int, heard: str, *kind: int) -> CellFrame:
        """Return the frame of the cells of that round to which the same happened.

        `heard`: the round as it is read aloud. `kind`: the fields of RoundResult, then whether there is a
        table, whether an opponent, whether a change by hand.
        """
        *fields, seated, paired, by_hand = kind
        css, form, before, after, opening, closing, alone = self.parts(RoundResult(*fields))
        mark, changed = ("*", f", {self.ruled}") if by_hand else ("", "")
        signs, rest = (opening, closing) if paired else (alone, "")
        spoken = f'aria-label="{heard}, {before}'
        # Beside rounds of which only the points are seen, it is the points too.
        square = "" if self.linked_from > 1 else f' data-form="{form}{mark}"'
        link, slash, end = f'<a{square} href="{self.address}rounds/{number}/', '/" ', "a"
        if not seated:
            link, slash, end = f'<span{square} role="img" ', "", "span"
        return CellFrame(
            f'<td role="cell" class="r {css}">{link}',
            f"{slash}{spoken}",
            f'{after}{changed}">{signs}',
            f"{rest}{mark}</b></{end}></td>",
        )


def _result_words(result: RoundResult, style: Style) -> str:
    if result.kind == RoundKind.FORFEIT:
        return _forfeit_words(result, style)
    score = f"{style.points(result.score)}-{style.points(result.opponent_score)}"
    if result.kind == RoundKind.PLAYED:
        words = SCORED[result.outcome, result.advantage if result.outcome == 0 else 0]
        return str(words % {"score": score})
    if result.kind == RoundKind.ANNULLED:
        return _("%(score)s, annulled") % {"score": score}
    if result.open_boards:
        return f"{sign(result, style)}, {boards_open(result.open_boards)}"
    return str(WORDS[RoundKind(result.kind)])


def _forfeit_words(result: RoundResult, style: Style) -> str:
    """Return how a forfeit went; with the score where both sides got something."""
    if not (result.score or result.opponent_score):
        return _("lost by forfeit on both sides")
    words = str(BY_FORFEIT[result.outcome])
    # Where both sides got something the sign, + or -, does not tell how much.
    if not (result.score and result.opponent_score):
        return words
    return f"{words}, {style.points(result.score)}-{style.points(result.opponent_score)}"


def boards_open(count: int) -> str:
    """Return `1 board open`, `3 boards open`."""
    return ngettext("%(count)s board open", "%(count)s boards open", count) % {"count": count}


def spoken_round(number: int) -> str:
    """Return the round as the beginning of what is read aloud."""
    return _("Round %(number)s") % {"number": number}


def sign(result: RoundResult, style: Style = AS_RECORDED) -> str:
    """Return the own points, the running score `2 : 1` of a match, or the sign of what was not played."""
    if result.open_boards:
        return f"{style.points(result.score)} : {style.points(result.opponent_score)}"
    if result.kind == RoundKind.PLAYED:
        return style.points(result.score) + ADVANTAGE[result.advantage]
    if result.kind == RoundKind.FORFEIT:
        # A forfeit may give both sides the same, which is no win for anybody.
        if result.score == result.opponent_score:
            return "=" if result.score else "- -"
        return "+" if result.score > result.opponent_score else "-"
    if result.kind == RoundKind.ANNULLED:
        return style.points(result.score)
    return SIGN.get(RoundKind(result.kind), "")


def form_letter(result: RoundResult) -> str:
    """Return the letter or sign of a round in a row of squares, in the reader's language.

    It is one character, except for a match in progress: `2:1`.
    """
    kind = RoundKind(result.kind)
    if kind == RoundKind.FORFEIT:
        return sign(result)[:1]
    if result.open_boards:
        return sign(result).replace(" ", "")
    if kind == RoundKind.ANNULLED:
        return str(FORM[(result.score > result.opponent_score) - (result.score < result.opponent_score)])
    return str(FORM[result.outcome] if kind == RoundKind.PLAYED else FORM_ALONE[kind])


def tint(result: RoundResult) -> str:
    """Return the class that colours the cell; red only for byes and defaults."""
    if result.kind == RoundKind.PLAYED:
        return TINT[result.outcome]
    # Red is left to byes and defaults, so that a lost game is not taken for one.
    if result.kind in (RoundKind.FORFEIT, RoundKind.BYE, RoundKind.HALF_BYE, RoundKind.ZERO_BYE):
        return "x"
    if result.open_boards:
        return RUNNING
    return ANNULLED if result.kind == RoundKind.ANNULLED else "n"

"""The round cells of standings tables, as symbols and as text for screen readers."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, partial
from html import escape
from typing import Any, NamedTuple

import numpy as np
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext_lazy
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from standings.engine import Crosstable, Ints, RoundKind, Scale, fraction_text
from standings.services import ranked
from tournaments.event.arrays import DELAYS, CompetitorInfo
from tournaments.models import Event

SIGN = {
    RoundKind.BYE: "BYE",
    RoundKind.HALF_BYE: "½bye",
    RoundKind.ZERO_BYE: "0bye",
    RoundKind.ABSENT: "–",
    RoundKind.UNKNOWN: "?",
    RoundKind.ANNULLED: "–",  # a game that was not played before the withdrawal
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
DELAYED = {DELAYS["postponed"]: gettext_lazy("postponed"), DELAYS["adjourned"]: gettext_lazy("adjourned")}
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
    RoundKind.BYE: WORDS[RoundKind.BYE],  # a letter B would look like Black
    RoundKind.HALF_BYE: "½",
    RoundKind.ZERO_BYE: "0",
    RoundKind.ABSENT: "–",
    RoundKind.UNKNOWN: "?",
    RoundKind.PENDING: "·",
}  # phone squares of unplayed and unknown rounds

COLOUR_FIRST, RESULT_FIRST = "W12", "+12w"
NAME, ROUND = "\0", "\1"  # placeholders for the opponent's name and the round in a sentence


class Style(NamedTuple):
    """The reader's choice of notation.

    `shows` and `of`: a half-point is shown as `shows` / `of` points. `cells`: the order of opponent, colour
    and result in a cell, a key of CELLS.
    """

    shows: int = 1
    of: int = 2
    cells: str = ""

    def points(self, half_points: int) -> str:
        return fraction_text(half_points * self.shows, self.of)


AS_RECORDED = Style()


class RoundResult(NamedTuple):
    """The result of one competitor in a round, independent of the opponent.

    `score` and `opponent_score`: in half-points; of a match in progress, the points of its finished boards.
    `outcome`: 1, 0 or -1. `open_boards`: the number of unfinished boards of a match in progress. `delayed`:
    as in the crosstable.
    """

    kind: int
    score: int
    opponent_score: int
    outcome: int
    advantage: int
    colour: int
    open_boards: int = 0
    delayed: int = 0

    @property
    def delayed_text(self) -> str:
        """Return `postponed` or `adjourned` for a pending round with that mark, else a blank."""
        return str(DELAYED.get(self.delayed if self.kind == RoundKind.PENDING else 0, ""))


class CrosstableRound(NamedTuple):
    """One round of a competitor. `opponent`: the opponent's row in the crosstable, -1 for none."""

    round: int
    opponent: int
    table: int
    result: RoundResult


def rounds_of_competitor(table: Crosstable, row: int) -> list[CrosstableRound]:
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


def rounds_by_opponent(table: Crosstable, row: int) -> dict[int, list[CrosstableRound]]:
    """Return the rounds by row of the opponent; a row without any is added when it is read."""
    met: dict[int, list[CrosstableRound]] = defaultdict(list)
    for each in rounds_of_competitor(table, row):
        met[each.opponent].append(each)
    return met


def _result_arrays(table: Crosstable) -> tuple[Ints, ...]:
    return table.remember("results as entered", _results_as_entered)


def _results_as_entered(table: Crosstable) -> tuple[Ints, ...]:
    annulled = table.state == RoundKind.ANNULLED
    running, open_boards = table.in_progress
    # Annulled results and running scores are shown although they do not count.
    own = np.where(annulled, table.recorded(Scale.GAME), table.points(Scale.GAME) + running)
    opponents = table.of_opponent(own)
    figures = own, opponents, table.outcome, table.advantage, table.colour, open_boards, table.delayed
    return table.state, *figures


def _distinct_combinations(*arrays: NDArray[Any]) -> tuple[list[list[int]], Ints]:
    figures = np.stack([array.ravel() for array in arrays])
    from_zero = figures - figures.min(axis=1, keepdims=True)
    # One integer per cell, because np.unique is thirty times slower on rows of values.
    codes = np.ravel_multi_index(tuple(from_zero), tuple(from_zero.max(axis=1) + 1))
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    return figures[:, first].T.tolist(), which.reshape(arrays[0].shape)


class CellParts(NamedTuple):
    """The parts of a cell that do not depend on the opponent.

    `before` and `after`: text around the opponent's name. `opening` and `closing`: HTML around its number or
    code. `alone`: the text of a cell without opponent. `form`: the text of the square on a phone.
    """

    css: str
    form: str
    before: str
    after: str
    opening: str
    closing: str
    alone: str


def cell_parts(result: RoundResult, style: Style = AS_RECORDED, *, players: bool) -> CellParts:
    kind, form = RoundKind(result.kind), escape(form_letter(result))
    if kind in ALONE:
        return CellParts(tint(result), form, escape(str(WORDS[kind])), "", "", "", f"<b>{SIGN[kind]}")
    colour = result.colour if players else 0
    before, between = escape(AGAINST[colour] % {"name": NAME}).split(NAME)
    after = f"{between}, {escape(_result_words(result, style))}"
    letter, symbol = LETTER[colour], sign(result, style)
    if style.cells == RESULT_FIRST and kind == RoundKind.PLAYED:  # +12w
        opening, closing = f"<b>{RESULT[result.outcome]}{ADVANTAGE[result.advantage]}", letter
    elif style.cells == COLOUR_FIRST:  # W12 1
        opening, closing = letter.upper(), f"<b>{symbol}"
    else:  # 12w 1
        opening, closing = "", f"{letter}<b>{symbol}"
    return CellParts(tint(result), form, before, after, opening, closing, f"<b>{symbol}")


@lru_cache(maxsize=4096)  # an event has only about twenty kinds of rounds, and most events the same
def parts_in_language(
    _language: str | None, result: RoundResult, style: Style, *, players: bool
) -> CellParts:
    return cell_parts(result, style, players=players)


class RoundCells:
    """Renders the round cells of an event as safe HTML. Each cell links to its match or game."""

    def __init__(
        self,
        entries: list[CompetitorInfo],
        label: Callable[[int], str],
        address: str,
        style: Style = AS_RECORDED,
        *,
        players: bool,
    ) -> None:
        """`label` returns the text for a row of the crosstable; `address` is the URL of the event."""
        # Escaped once, because a table has ten times as many cells as names. The last name is for row -1, no
        # opponent.
        self.names = [*(escape(entry.name) for entry in entries), ""]
        self.labels = [*(escape(label(row)) for row in range(len(entries))), ""]
        self.address, self.ruled = escape(address), escape(_("manually changed"))
        self.parts = partial(parts_in_language, get_language(), style=style, players=players)

    def columns(self, table: Crosstable, by_hand: Collection[tuple[int, int]]) -> Iterator[list[str]]:
        """Yield the cells of each round in the order of the crosstable.

        `by_hand`: the (row, round) of changed pairings.
        """
        if not table.rounds:  # empty arrays have no minimum
            return
        changed = np.zeros(table.shape, dtype=bool)
        for row, number in by_hand:
            changed[row, number - 1] = True
        kinds, kind_of = _distinct_combinations(
            *_result_arrays(table), table.table_number > 0, table.opponent >= 0, changed
        )
        frames = [self._frame(*kind) for kind in kinds]
        rounds = zip(
            table.table_number.T.tolist(), table.opponent.T.tolist(), kind_of.T.tolist(), strict=True
        )
        for number, (tables, opponents, kind) in enumerate(rounds, start=1):
            links, round_text = f"rounds/{number}/", escape(spoken_round(number))
            here = {
                at: (start.replace("rounds/", links), named.replace(ROUND, round_text), labelled, end)
                for at, (start, named, labelled, end) in enumerate(frames)
            }
            yield [
                f"{start}{at or ''}{named}{self.names[opponent]}{labelled}{self.labels[opponent]}{end}"
                for at, opponent, (start, named, labelled, end) in zip(
                    tables, opponents, map(here.__getitem__, kind), strict=True
                )
            ]

    def words(self, competitor_round: CrosstableRound, *, changed: bool = False) -> str:
        """Return the escaped text for screen readers: `white against Fox, won 2-0`.

        `changed`: an arbiter changed the pairing.
        """
        parts = self.parts(competitor_round.result)
        ruled = f", {self.ruled}" if changed else ""
        return f"{parts.before}{self.names[competitor_round.opponent]}{parts.after}{ruled}"

    def _frame(self, *kind: int) -> tuple[str, str, str, str]:
        """Return the HTML of cells with the same kind of result, without the number of the round.

        The parts precede the table number, the name of the opponent, its label and the end of a cell.
        `kind`: the fields of RoundResult, then whether there is a table, an opponent and a change by hand.
        """
        *fields, seated, paired, by_hand = kind
        css, form, before, after, opening, closing, alone = self.parts(RoundResult(*fields))
        mark, changed = ("*", f", {self.ruled}") if by_hand else ("", "")
        signs, rest = (opening, closing) if paired else (alone, "")
        delayed = escape(RoundResult(*fields).delayed_text)
        title = f'title="{delayed}" ' if delayed else ""
        spoken = f'{title}aria-label="{ROUND}, {before}'
        # The style sheet adds W, D and L.
        form += mark
        square = "" if form and not mark and css in TINT.values() else f' data-form="{form}"'
        link, slash, end = f'<a{square} href="{self.address}rounds/', '/" ', "a"
        if not seated:
            link, slash, end = f'<span{square} role="img" ', "", "span"
        return (
            f'<td role=cell class="r {css}">{link}',
            f"{slash}{spoken}",
            f'{after}{changed}">{signs}',
            f"{rest}{mark}</b></{end}>",
        )


def _result_words(result: RoundResult, style: Style) -> str:
    if result.kind == RoundKind.FORFEIT:
        return _forfeit_words(result, style)
    score = f"{style.points(result.score)}-{style.points(result.opponent_score)}"
    if result.kind == RoundKind.PLAYED:
        words = SCORED[result.outcome, result.advantage if result.outcome == 0 else 0]
        return str(words % {"score": score})
    if result.kind == RoundKind.ANNULLED and (result.score or result.opponent_score):
        return _("%(score)s, annulled") % {"score": score}
    if result.open_boards:
        running = f"{sign(result, style)}, {boards_open(result.open_boards)}"
        return ", ".join(filter(None, (running, result.delayed_text)))
    return result.delayed_text or str(WORDS[RoundKind(result.kind)])


def _forfeit_words(result: RoundResult, style: Style) -> str:
    if not (result.score or result.opponent_score):
        return _("lost by forfeit on both sides")
    words = str(BY_FORFEIT[result.outcome])
    # If both sides got points, the sign + or - does not give the score.
    if not (result.score and result.opponent_score):
        return words
    return f"{words}, {style.points(result.score)}-{style.points(result.opponent_score)}"


def boards_open(count: int) -> str:
    return ngettext("%(count)s board open", "%(count)s boards open", count) % {"count": count}


def spoken_round(number: int) -> str:
    return _("Round %(number)s") % {"number": number}


def sign(result: RoundResult, style: Style = AS_RECORDED) -> str:
    """Return the own points, the running score `2 : 1` of a match, or the symbol of an unplayed round."""
    if result.open_boards:
        return f"{style.points(result.score)} : {style.points(result.opponent_score)}"
    if result.kind == RoundKind.PLAYED:
        return style.points(result.score) + ADVANTAGE[result.advantage]
    if result.kind == RoundKind.FORFEIT:
        # A forfeit may give both sides the same score. Then neither side has won.
        if result.score == result.opponent_score:
            return "=" if result.score else "- -"
        return "+" if result.score > result.opponent_score else "-"
    if result.kind == RoundKind.ANNULLED and (result.score or result.opponent_score):
        return style.points(result.score)
    return SIGN.get(RoundKind(result.kind), "")


def form_letter(result: RoundResult) -> str:
    """Return the letter or symbol of a round for the squares on a phone.

    A single character, except for a bye and a match in progress: `2:1`.
    """
    kind = RoundKind(result.kind)
    if kind == RoundKind.FORFEIT:
        return sign(result)[:1]
    if result.open_boards:
        return sign(result).replace(" ", "")
    if kind == RoundKind.ANNULLED:
        if not (result.score or result.opponent_score):
            return sign(result)
        return str(FORM[(result.score > result.opponent_score) - (result.score < result.opponent_score)])
    return str(FORM[result.outcome] if kind == RoundKind.PLAYED else FORM_ALONE[kind])


def tint(result: RoundResult) -> str:
    if result.kind == RoundKind.PLAYED:
        return TINT[result.outcome]
    # Red is reserved for byes and forfeits, so that a lost game is not mistaken for a forfeit.
    if result.kind in (RoundKind.FORFEIT, RoundKind.BYE, RoundKind.HALF_BYE, RoundKind.ZERO_BYE):
        return "x"
    if result.open_boards:
        return RUNNING
    return ANNULLED if result.kind == RoundKind.ANNULLED else "n"


def facts_in(event: Event, number: int) -> dict[int, RoundResult]:
    """Return the results of a round by competitor number. Empty if the round does not count yet."""
    entries, standings = ranked(event)
    if number > standings.table.rounds:  # a draft, previewed at the desk
        return {}
    figures = (array[:, number - 1].tolist() for array in _result_arrays(standings.table))
    results = map(RoundResult._make, zip(*figures, strict=True))
    return {entry.number: each for entry, each in zip(entries, results, strict=True)}

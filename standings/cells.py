"""The cells of the rounds: what happened to one competitor in one round, in a few signs and in words."""

from collections.abc import Callable, Container, Iterator
from functools import lru_cache
from html import escape
from typing import NamedTuple

from standings.engine import Crosstable, Ints, Kind, points_text
from standings.entries import Entry

PLAIN = {Kind.BYE: "BYE", Kind.HALF_BYE: "½bye", Kind.ZERO_BYE: "0bye", Kind.ABSENT: "–", Kind.UNKNOWN: "?"}
WORDS = {
    Kind.BYE: "bye",
    Kind.HALF_BYE: "half-point bye",
    Kind.ZERO_BYE: "zero-point bye",
    Kind.ABSENT: "absent",
    Kind.UNKNOWN: "result unknown",
    Kind.PENDING: "not yet played",
    Kind.ANNULLED: "annulled",
}
ALONE = (Kind.BYE, Kind.HALF_BYE, Kind.ZERO_BYE, Kind.ABSENT)
OUTCOME = {1: "won", 0: "drawn", -1: "lost"}
TINT = {1: "w", 0: "d", -1: "l"}
ADVANTAGE = {1: "+", 0: "", -1: "-"}
SPOKEN_ADVANTAGE = {1: " with advantage", 0: "", -1: " with disadvantage"}
RESULT = {1: "+", 0: "=", -1: "−"}
LETTER = {1: "w", 0: "", -1: "b"}
COLOUR_FIRST, RESULT_FIRST = "W12", "+12w"
SPOKEN_COLOUR = {1: "white ", 0: "", -1: "black "}


class Style(NamedTuple):
    """How a reader wants the cells: a half-point shows as `shows` / `of` points; `cells` orders the signs."""

    shows: int = 1
    of: int = 2
    cells: str = ""

    def points(self, half_points: int) -> str:
        """Points of games as this reader sees them."""
        return points_text(half_points * self.shows, self.of)


AS_RECORDED = Style()


class Facts(NamedTuple):
    """What happened to one competitor in a round, whoever the opponent was; scores in half-points."""

    kind: int
    own: int
    theirs: int
    outcome: int
    advantage: int
    colour: int


class OwnRound(NamedTuple):
    """One competitor's round: the opponent's row in the crosstable, -1 for nobody, and the table's number."""

    round: int
    opponent: int
    table: int
    facts: Facts


def own_rounds(table: Crosstable, row: int) -> list[OwnRound]:
    """The rounds of one competitor, in order."""
    rounds = zip(
        table.opponent[row].tolist(),
        table.table_number[row].tolist(),
        zip(*(array[row].tolist() for array in _facts(table)), strict=True),
        strict=True,
    )
    return [
        OwnRound(number, opponent, at, Facts(*facts))
        for number, (opponent, at, facts) in enumerate(rounds, start=1)
    ]


def _facts(table: Crosstable) -> tuple[Ints, ...]:
    """(n, rounds) each, in the order of Facts."""
    theirs = table.of_opponent(table.game_points)
    return table.state, table.game_points, theirs, table.outcome, table.advantage, table.colour


class Told(NamedTuple):
    """What a round says whoever the opponent was; a whole event has some twenty of them.

    `before` and `after` stand around the opponent's name, `opening` and `closing` around its number or code;
    `alone` is what stands in the cell where there is no opponent.
    """

    css: str
    before: str
    after: str
    opening: str
    closing: str
    alone: str


@lru_cache(maxsize=4096)
def told(facts: Facts, style: Style = AS_RECORDED, *, players: bool) -> Told:
    """The class that tints the cell, the words for who listens, the signs for who looks."""
    kind = Kind(facts.kind)
    if kind in ALONE:
        return Told(tint(facts), WORDS[kind], "", "", "", f"<b>{PLAIN[kind]}")
    colour = facts.colour if players else 0
    before, after = f"{SPOKEN_COLOUR[colour]}against ", f", {_result_words(facts, style)}"
    shown = sign(facts, style)
    return Told(tint(facts), before, after, *_around(facts, style, LETTER[colour], shown), f"<b>{shown}")


def _around(facts: Facts, style: Style, letter: str, shown: str) -> tuple[str, str]:
    """What stands before and after the opponent's number: `12w 1`, `W12 1` or `+12w`."""
    if style.cells == RESULT_FIRST and facts.kind == Kind.PLAYED:
        return f"<b>{RESULT[facts.outcome]}{ADVANTAGE[facts.advantage]}", letter
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
    ) -> None:
        """`label` says how a row of the crosstable is called in a cell, `address` where the event stands."""
        # Escaped here, once each: a table has ten times as many cells as names. The last is nobody, row -1.
        self.names = [*(escape(entry.name) for entry in entries), ""]
        self.labels = [*(escape(label(row)) for row in range(len(entries))), ""]
        self.address = escape(address)
        self.style, self.players = style, players

    def columns(self, table: Crosstable, by_hand: Container[tuple[int, int]]) -> Iterator[list[str]]:
        """For each round, the cells in the order of the crosstable; `by_hand` holds (row, round)."""
        rounds = zip(
            table.opponent.T.tolist(),
            table.table_number.T.tolist(),
            zip(*(array.T.tolist() for array in _facts(table)), strict=True),
            strict=True,
        )
        known: dict[tuple[int, ...], Told] = {}
        for number, (opponents, tables, facts) in enumerate(rounds, start=1):
            href, spoken = f'href="{self.address}rounds/{number}/', f'aria-label="Round {number}, '
            cells = zip(opponents, tables, zip(*facts, strict=True), strict=True)
            column = []
            for row, (opponent, at, key) in enumerate(cells):
                tells = known.get(key)
                if tells is None:
                    tells = known[key] = told(Facts(*key), self.style, players=self.players)
                link = f'<a {href}{at}/" {spoken}' if at else f'<span role="img" {spoken}'
                column.append(self._cell(link, opponent, tells, (row, number) in by_hand))
            yield column

    def words(self, own_round: OwnRound) -> str:
        """What happened, as it is read aloud and already escaped: `white against Fox, won 2-0`."""
        tells = told(own_round.facts, self.style, players=self.players)
        return f"{tells.before}{self.names[own_round.opponent]}{tells.after}"

    def _cell(self, link: str, opponent: int, tells: Told, by_hand: bool) -> str:
        """One cell; `link` is the beginning of what it holds, up to the words for who listens."""
        mark, changed = ("*", ", changed by hand") if by_hand else ("", "")
        css, before, after, opening, closing, alone = tells
        label = self.labels[opponent]
        signs = f"{opening}{label}{closing}" if label else alone
        end = "a" if link.startswith("<a") else "span"
        return (
            f'<td class="r {css}">{link}{before}{self.names[opponent]}{after}{changed}">'
            f"{signs}{mark}</b></{end}></td>"
        )


def _result_words(facts: Facts, style: Style) -> str:
    if facts.kind == Kind.FORFEIT:
        one_won = facts.own or facts.theirs
        return f"{OUTCOME[facts.outcome]} by forfeit" if one_won else "lost by forfeit on both sides"
    score = f"{style.points(facts.own)}-{style.points(facts.theirs)}"
    if facts.kind == Kind.PLAYED:
        return f"{OUTCOME[facts.outcome]} {score}{SPOKEN_ADVANTAGE[facts.advantage]}"
    return f"{score}, annulled" if facts.kind == Kind.ANNULLED else WORDS[Kind(facts.kind)]


def sign(facts: Facts, style: Style = AS_RECORDED) -> str:
    """What the cell shows for the result: own points, or the sign of what was not played."""
    if facts.kind == Kind.PLAYED:
        return style.points(facts.own) + ADVANTAGE[facts.advantage]
    if facts.kind == Kind.FORFEIT:
        return "- -" if not facts.own and not facts.theirs else ("+" if facts.outcome > 0 else "-")
    if facts.kind == Kind.ANNULLED:
        return style.points(facts.own)
    return PLAIN.get(Kind(facts.kind), "")


def tint(facts: Facts) -> str:
    """The class that colours the cell; red only for byes and defaults."""
    if facts.kind == Kind.PLAYED:
        return TINT[facts.outcome]
    if facts.kind in (Kind.FORFEIT, Kind.BYE, Kind.HALF_BYE, Kind.ZERO_BYE):
        return "x"
    return "n annulled" if facts.kind == Kind.ANNULLED else "n"

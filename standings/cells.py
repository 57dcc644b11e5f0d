"""The cells of the rounds: what happened to one competitor in one round, in a few signs and in words."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from django.utils.html import escape

from standings.engine import Crosstable, Kind, points_text
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
LETTER = {1: "w", 0: "", -1: "b"}
SPOKEN_COLOUR = {1: "white ", 0: "", -1: "black "}


class Facts(NamedTuple):
    """One competitor's round; scores in half-points, `opponent` a row of the crosstable or -1."""

    round: int
    opponent: int
    kind: Kind
    own: int
    theirs: int
    outcome: int
    advantage: int
    colour: int
    table: int


def facts_by_round(table: Crosstable) -> list[list[Facts]]:
    """For each round, the facts of every row of the crosstable."""
    arrays = (
        table.opponent,
        table.state,
        table.game_points,
        table.of_opponent(table.game_points),
        table.outcome,
        table.advantage,
        table.colour,
        table.table_number,
    )
    kinds = list(Kind)
    rounds = zip(*(array.T.tolist() for array in arrays), strict=True)
    return [
        [
            Facts(number, opponent, kinds[kind], own, theirs, outcome, advantage, colour, at)
            for opponent, kind, own, theirs, outcome, advantage, colour, at in zip(*figures, strict=True)
        ]
        for number, figures in enumerate(rounds, start=1)
    ]


class Told(NamedTuple):
    """What a round says whoever the opponent was; a whole event has some twenty of them."""

    css: str
    before: str
    after: str
    letter: str
    sign: str


@lru_cache(maxsize=4096)
def told(kind: Kind, own: int, theirs: int, outcome: int, advantage: int, colour: int) -> Told:
    """The class that tints the cell, the words around the opponent's name, the colour, the result."""
    if kind in ALONE:
        return Told(tint(kind, outcome), WORDS[kind], "", "", PLAIN[kind])
    return Told(
        tint(kind, outcome),
        f"{SPOKEN_COLOUR[colour]}against ",
        f", {_result_words(kind, own, theirs, outcome, advantage)}",
        LETTER[colour],
        sign(kind, own, theirs, outcome, advantage),
    )


class RoundCells:
    """Writes the round cells of an event as safe HTML; every cell is a link to its match or game."""

    def __init__(
        self, entries: list[Entry], label: Callable[[int], str], address: str, *, players: bool
    ) -> None:
        """`label` says how a row of the crosstable is called in a cell, `address` where the event stands."""
        # Escaped here, once each: a table has ten times as many cells as names. The last is nobody, row -1.
        self.names = [*(escape(entry.name) for entry in entries), ""]
        self.labels = [*(escape(label(row)) for row in range(len(entries))), ""]
        self.address = escape(address)
        self.players = players

    def cell(self, facts: Facts, by_hand: bool) -> str:
        """One cell."""
        tells = self._told(facts)
        mark, changed = ("*", ", changed by hand") if by_hand else ("", "")
        name, label = self.names[facts.opponent], self.labels[facts.opponent]
        spoken = f'aria-label="Round {facts.round}, {tells.before}{name}{tells.after}{changed}"'
        small = f"<small>{label}{tells.letter}</small>" if label else ""
        inside = f"{small}<b>{tells.sign}{mark}</b>"
        if not facts.table:
            return f'<td class="r {tells.css}"><span role="img" {spoken}>{inside}</span></td>'
        href = f"{self.address}rounds/{facts.round}/{facts.table}/"
        return f'<td class="r {tells.css}"><a href="{href}" {spoken}>{inside}</a></td>'

    def words(self, facts: Facts) -> str:
        """What happened, as it is read aloud and already escaped: `white against Fox, won 2-0`."""
        tells = self._told(facts)
        return f"{tells.before}{self.names[facts.opponent]}{tells.after}"

    def _told(self, facts: Facts) -> Told:
        colour = facts.colour if self.players else 0
        return told(facts.kind, facts.own, facts.theirs, facts.outcome, facts.advantage, colour)


def _result_words(kind: Kind, own: int, theirs: int, outcome: int, advantage: int) -> str:
    if kind is Kind.FORFEIT:
        return f"{OUTCOME[outcome]} by forfeit" if own or theirs else "lost by forfeit on both sides"
    score = f"{points_text(own, 2)}-{points_text(theirs, 2)}"
    if kind is Kind.PLAYED:
        return f"{OUTCOME[outcome]} {score}{SPOKEN_ADVANTAGE[advantage]}"
    return f"{score}, annulled" if kind is Kind.ANNULLED else WORDS[kind]


def sign(kind: Kind, own: int, theirs: int, outcome: int, advantage: int) -> str:
    """What the cell shows for the result: own points, or the sign of what was not played."""
    if kind is Kind.PLAYED:
        return points_text(own, 2) + ADVANTAGE[advantage]
    if kind is Kind.FORFEIT:
        return "- -" if not own and not theirs else ("+" if outcome > 0 else "-")
    if kind is Kind.ANNULLED:
        return points_text(own, 2)
    return PLAIN.get(kind, "")


def tint(kind: Kind, outcome: int) -> str:
    """The class that colours the cell; red only for byes and defaults."""
    if kind is Kind.PLAYED:
        return TINT[outcome]
    if kind in (Kind.FORFEIT, Kind.BYE, Kind.HALF_BYE, Kind.ZERO_BYE):
        return "x"
    return "n annulled" if kind is Kind.ANNULLED else "n"

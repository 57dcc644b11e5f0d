"""Terms: the amounts that a value is computed from, with their opponents and rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from standings.engine.arrays import Bools, Ints, RoundKind
from standings.engine.texts import fraction_text, phrase

NO_OPPONENT_TEXTS = {
    RoundKind.BYE: phrase("bye"),
    RoundKind.HALF_BYE: phrase("half-bye"),
    RoundKind.ZERO_BYE: phrase("zero-bye"),
    RoundKind.ABSENT: phrase("absent"),
    RoundKind.ANNULLED: phrase("annulled"),
}


class FactorText(NamedTuple):
    """A factor of an amount as text, with its symbol: `13` and `MP`."""

    text: str
    symbol: str


@dataclass(frozen=True)
class Term:
    """An amount in a value. It counts at the levels `since <= level < until`.

    `round`: 0 if it is about the event. `opponent`: row of the crosstable, the competitor's own row for a bye
    that counts against itself, -1 without an opponent; `against`: the opponent as text. `virtual`: a virtual
    opponent replaces the real opponent. `amount`: in points; `text`: the same for readers; `factors`: the
    factors of the amount; `inner`: code of a criterion that has a factor as its value. `note`: a remark that
    cites the article of the rules. `why`: the reason for not counting (`lowest, cut`), blank if the term
    counts.
    """

    round: int
    opponent: int
    against: str
    kind: RoundKind
    virtual: bool
    amount: Fraction
    text: str
    factors: tuple[FactorText, ...]
    since: int
    until: int
    inner: str | None
    why: str = ""
    note: str = ""

    @property
    def working(self) -> str:
        return " × ".join(f"{factor.text} {factor.symbol}" for factor in self.factors)

    def counted(self, level: int = 0) -> bool:
        return self.since <= level < self.until


@dataclass(frozen=True, eq=False)
class TermSources:
    """Where terms come from. All arrays are (n, m), except `rounds` (m,).

    `opponent`: row of the opponent, or -1. `rounds`: number of the round, 0 for terms of the event. `kind`: a
    RoundKind. `virtual`: a virtual opponent replaces the real opponent. `note`: returns the note of a term,
    given its row and column.
    """

    names: tuple[str, ...]
    opponent: Ints
    rounds: Ints
    kind: Ints
    virtual: Bools
    note: Callable[[int, int], str] = lambda _row, _at: ""

    def against(self, row: int, at: int) -> str:
        """Return the opponent as text, or the reason for having no opponent, or the own name."""
        opponent = int(self.opponent[row, at])
        if not self.rounds[at]:
            return self.names[row]
        if opponent == row:
            return phrase("itself")
        if opponent < 0 and self.virtual[row, at]:
            return phrase("dummy")
        if opponent < 0:
            return NO_OPPONENT_TEXTS[RoundKind(int(self.kind[row, at]))]
        name = self.names[opponent]
        return phrase("virtual opponent for %(name)s", name=name) if self.virtual[row, at] else name


class Cut(NamedTuple):
    """The reason why some terms do not count.

    `counted` (n, m): the terms that counted before. `until` (n, m): the levels below which they count now;
    terms with `until < levels` are cut.
    """

    why: str
    counted: Ints | Bools
    until: Ints
    levels: int = 1


@dataclass(frozen=True, eq=False)
class Factor:
    """The values of a factor, (n, m).

    `symbol`: as printed in the rule book. `unit`: parts of a point. `code`: the criterion that they are
    values of.
    """

    symbol: str
    values: Ints
    unit: int = 1
    code: str | None = None

    def text(self, row: int, at: int) -> FactorText:
        return FactorText(fraction_text(int(self.values[row, at]), self.unit), self.symbol)
